"""A clean sample opened for damage: edits by row label, the text, and where its parts ended up.

A label names game, row and side as the record numbers them: `2.14R` is game 2, row 14, right side.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from record import Action, Game, Match, Raw, Roll, boards, read_cell, read_export, rows
from spell import GNUBG, Written, encode, put

SHORT, ONE, REDOUBLES, THREE = (
    "short-match.mat",
    "one-point.mat",
    "redoubles.mat",
    "three-point.mat",
)
"""The clean samples that most of the faulty ones are made from."""

CLEAN = Path(__file__).resolve().parent.parent / "clean"


class Draft:
    """One clean sample in GNU Backgammon's layout, with edits to its games and then to its text."""

    def __init__(self, name: str) -> None:
        text = (CLEAN / name).read_text(encoding="utf-8")
        self.match: Match = read_export(text)
        self.head = text[: text.index(f" {self.match.length} point match")].split("\n")[:-1]
        self.edits: list[tuple[str, str]] = []

    def labels(self, game: Game) -> list[str]:
        """The label of every action of a game."""
        return [
            f"{game.number}.{number}{'LR'[action.side]}"
            for number, row in enumerate(rows(game), 1)
            for action in row
        ]

    def at(self, label: str) -> tuple[Game, int]:
        """The game and the index of an action."""
        for game in self.match.games:
            if label in self.labels(game):
                return game, self.labels(game).index(label)
        raise KeyError(label)

    def change(self, old: Game, new: Game | None) -> Draft:
        """Put another game, or none, in the place of one."""
        games = [new if game is old else game for game in self.match.games]
        kept = tuple(game for game in games if game is not None)
        self.match = replace(self.match, games=kept)
        return self

    def put(self, label: str, text: str) -> Draft:
        """Write something else into a cell."""
        game, index = self.at(label)
        action = action_of(game.actions[index].side, text)
        actions = (*game.actions[:index], action, *game.actions[index + 1 :])
        return self.change(game, replace(game, actions=actions))

    def insert(self, label: str, *texts: str) -> Draft:
        """Write cells (`L text`, `R text`) before a cell."""
        game, index = self.at(label)
        actions = (*game.actions[:index], *map(action_from, texts), *game.actions[index:])
        return self.change(game, replace(game, actions=actions))

    def remove(self, label: str) -> Draft:
        """Leave a cell out; the cells after it keep their sides."""
        game, index = self.at(label)
        actions = game.actions[:index] + game.actions[index + 1 :]
        return self.change(game, replace(game, actions=actions))

    def end(self, label: str, *texts: str, winner: int | None = None, points: int = 0) -> Draft:
        """Let the game go on with these cells from there, and end with them; no game follows."""
        game, index = self.at(label)
        actions = (*game.actions[:index], *map(action_from, texts))
        ended = replace(game, actions=actions, winner=winner, points=points)
        before = tuple(other for other in self.match.games if other.number < game.number)
        self.match = replace(self.match, games=(*before, ended))
        return self

    def append(self, number: int, *texts: str) -> Draft:
        """Write cells after the last one of a game."""
        game = self.match.games[number - 1]
        return self.change(game, replace(game, actions=(*game.actions, *map(action_from, texts))))

    def shorten(self, number: int, *texts: str) -> Draft:
        """Write these cells in the place of a whole game, which ends as it did."""
        game = self.match.games[number - 1]
        return self.change(game, replace(game, actions=tuple(map(action_from, texts))))

    def win(self, number: int, winner: int, points: int) -> Draft:
        """Write the win of a game otherwise."""
        game = self.match.games[number - 1]
        return self.change(game, replace(game, winner=winner, points=points))

    def only(self, number: int) -> Draft:
        """Keep one game."""
        self.match = replace(self.match, games=(self.match.games[number - 1],))
        return self

    def again(self, score: tuple[int, int], count: int, winner: int, points: int) -> Draft:
        """One more game: the last one's first actions, and a win."""
        last = self.match.games[-1]
        game = Game(score, last.actions[:count], winner, points, last.number + 1)
        self.match = replace(self.match, games=(*self.match.games, game))
        return self

    def unmarked(self) -> Draft:
        """Leave every hit mark out."""
        for game in self.match.games:
            actions = tuple(
                action._replace(steps=tuple(step._replace(hit=False) for step in action.steps))
                if isinstance(action, Roll) and action.steps
                else action
                for action in game.actions
            )
            self.change(game, replace(game, actions=actions))
        return self

    def note(self, label: str, text: str) -> Draft:
        """A comment line before a cell; `{board}` is the true position there."""
        game, index = self.at(label)
        line = text.format(board=boards(self.match, game)[index].xgid())
        return self.change(game, replace(game, before=(*game.before, (index, line))))

    def tag(self, line: str) -> Draft:
        """One more header line, the first of the file."""
        self.head.insert(0, line)
        return self

    def text(self, old: str, new: str) -> Draft:
        """Replace a piece of the text, which occurs once."""
        self.edits.append((old, new))
        return self

    def written(self) -> Written:
        """The lines of the file, and where its parts stand."""
        found = put(self.match, GNUBG, tuple(self.head))
        return Written(edited(found.lines, self.edits), found.cells)

    def data(self) -> bytes:
        """The bytes of the file."""
        return encode(self.written().lines)


class TextDraft(Draft):
    """A clean sample in any spelling, with edits to its text only."""

    def __init__(self, name: str) -> None:
        raw = (CLEAN / name).read_bytes()
        self.bom = raw.startswith(b"\xef\xbb\xbf")
        text = raw.decode("utf-8-sig")
        self.eol = "\r\n" if "\r\n" in text else "\n"
        self.lines = text.split(self.eol)
        self.edits = []

    def written(self) -> Written:
        return Written(edited(self.lines, self.edits), {})

    def data(self) -> bytes:
        data = self.eol.join(self.written().lines).encode()
        return b"\xef\xbb\xbf" + data if self.bom else data


class TypedDraft(TextDraft):
    """A record that is no clean sample, as a transcriber types it."""

    def __init__(self, text: str) -> None:
        self.bom, self.eol = False, "\n"
        self.lines = text.split("\n")
        self.edits = []


def edited(lines: list[str], edits: list[tuple[str, str]]) -> list[str]:
    """The lines with every edit made."""
    text = "\n".join(lines)
    for old, new in edits:
        if text.count(old) != 1:
            raise ValueError(f"{old!r} occurs {text.count(old)} times")
        text = text.replace(old, new)
    return text.split("\n")


def action_of(side: int, text: str) -> Action:
    """A cell's text as an action; what GNU Backgammon would not write stays as it stands."""
    strict = re.fullmatch(r"[1-6]{2}:( \d+/\d+\*?){0,4}|(Takes|Drops|\w+ => \d+)", text)
    return read_cell(side, text) if strict else Raw(side, text)


def action_from(text: str) -> Action:
    """`L 42: 8/4 6/4` as an action."""
    return action_of("LR".index(text[0]), text[2:])
