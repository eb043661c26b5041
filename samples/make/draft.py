"""Drafts of faulty samples: edits to a clean one by row label or by text.

A label names game, row and side as the record numbers them: `2.14R` is game 2, row 14, right side.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from record import Action, Game, Match, Raw, Roll, boards, read_cell, read_export, rows
from spell import GNUBG, Written, encode, spell_match

SHORT, ONE, REDOUBLES, THREE = (
    "short-match.mat",
    "one-point.mat",
    "redoubles.mat",
    "three-point.mat",
)
"""The clean samples behind most faulty ones."""

CLEAN = Path(__file__).resolve().parent.parent / "clean"


class Draft:
    """A clean sample in GNU Backgammon's layout, with edits to its games and then to its text."""

    def __init__(self, name: str) -> None:
        text = (CLEAN / name).read_text(encoding="utf-8")
        self.match: Match = read_export(text)
        self.head = text[: text.index(f" {self.match.length} point match")].split("\n")[:-1]
        self.edits: list[tuple[str, str]] = []

    def labels(self, game: Game) -> list[str]:
        """Return the label of every action of a game."""
        return [
            f"{game.number}.{number}{'LR'[action.side]}"
            for number, row in enumerate(rows(game), 1)
            for action in row
        ]

    def at(self, label: str) -> tuple[Game, int]:
        """Return the game and the index of the action with a label."""
        for game in self.match.games:
            if label in self.labels(game):
                return game, self.labels(game).index(label)
        raise KeyError(label)

    def change(self, old: Game, new: Game | None) -> Draft:
        """Replace a game, or remove it if `new` is None."""
        games = [new if game is old else game for game in self.match.games]
        kept = tuple(game for game in games if game is not None)
        self.match = replace(self.match, games=kept)
        return self

    def put(self, label: str, text: str) -> Draft:
        """Replace the text of a cell."""
        game, index = self.at(label)
        action = action_of(game.actions[index].side, text)
        actions = (*game.actions[:index], action, *game.actions[index + 1 :])
        return self.change(game, replace(game, actions=actions))

    def insert(self, label: str, *texts: str) -> Draft:
        """Insert cells (`L text`, `R text`) before a cell."""
        game, index = self.at(label)
        actions = (*game.actions[:index], *map(action_from, texts), *game.actions[index:])
        return self.change(game, replace(game, actions=actions))

    def remove(self, label: str) -> Draft:
        """Remove a cell; the cells after it keep their sides."""
        game, index = self.at(label)
        actions = game.actions[:index] + game.actions[index + 1 :]
        return self.change(game, replace(game, actions=actions))

    def end(self, label: str, *texts: str, winner: int | None = None, points: int = 0) -> Draft:
        """Replace the rest of a game, from a cell on, by these cells; remove later games."""
        game, index = self.at(label)
        actions = (*game.actions[:index], *map(action_from, texts))
        ended = replace(game, actions=actions, winner=winner, points=points)
        before = tuple(other for other in self.match.games if other.number < game.number)
        self.match = replace(self.match, games=(*before, ended))
        return self

    def append(self, number: int, *texts: str) -> Draft:
        """Add cells to the end of a game."""
        game = self.match.games[number - 1]
        return self.change(game, replace(game, actions=(*game.actions, *map(action_from, texts))))

    def shorten(self, number: int, *texts: str) -> Draft:
        """Replace all cells of a game; it ends as before."""
        game = self.match.games[number - 1]
        return self.change(game, replace(game, actions=tuple(map(action_from, texts))))

    def win(self, number: int, winner: int, points: int) -> Draft:
        """Replace the winner and the points of a game."""
        game = self.match.games[number - 1]
        return self.change(game, replace(game, winner=winner, points=points))

    def only(self, number: int) -> Draft:
        """Keep only one game."""
        self.match = replace(self.match, games=(self.match.games[number - 1],))
        return self

    def again(self, score: tuple[int, int], count: int, winner: int, points: int) -> Draft:
        """Add a game: the first actions of the last one, and a win."""
        last = self.match.games[-1]
        game = Game(score, last.actions[:count], winner, points, last.number + 1)
        self.match = replace(self.match, games=(*self.match.games, game))
        return self

    def unmarked(self) -> Draft:
        """Remove every hit mark."""
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
        """Add a comment line before a cell; `{board}` becomes the true position there."""
        game, index = self.at(label)
        line = text.format(board=boards(self.match, game)[index].xgid())
        return self.change(game, replace(game, before=(*game.before, (index, line))))

    def tag(self, line: str) -> Draft:
        """Add a header line at the top of the file."""
        self.head.insert(0, line)
        return self

    def text(self, old: str, new: str) -> Draft:
        """Replace a piece of the text that occurs once."""
        self.edits.append((old, new))
        return self

    def written(self) -> Written:
        """Return the lines of the file, and the places of its parts."""
        found = spell_match(self.match, GNUBG, tuple(self.head))
        return Written(apply_edits(found.lines, self.edits), found.cells)

    def data(self) -> bytes:
        """Return the bytes of the file."""
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
        return Written(apply_edits(self.lines, self.edits), {})

    def data(self) -> bytes:
        data = self.eol.join(self.written().lines).encode()
        return b"\xef\xbb\xbf" + data if self.bom else data


class TypedDraft(TextDraft):
    """A record as a transcriber types it, not made from a clean sample."""

    def __init__(self, text: str) -> None:
        self.bom, self.eol = False, "\n"
        self.lines = text.split("\n")
        self.edits = []


def apply_edits(lines: list[str], edits: list[tuple[str, str]]) -> list[str]:
    """Return the lines after all edits."""
    text = "\n".join(lines)
    for old, new in edits:
        if text.count(old) != 1:
            raise ValueError(f"{old!r} occurs {text.count(old)} times")
        text = text.replace(old, new)
    return text.split("\n")


def action_of(side: int, text: str) -> Action:
    """Return a cell's text as an action; text foreign to GNU Backgammon is kept literally."""
    strict = re.fullmatch(r"[1-6]{2}:( \d+/\d+\*?){0,4}|(Takes|Drops|\w+ => \d+)", text)
    return read_cell(side, text) if strict else Raw(side, text)


def action_from(text: str) -> Action:
    """Return the action in text such as `L 42: 8/4 6/4`."""
    return action_of("LR".index(text[0]), text[2:])
