"""Matches of GNU Backgammon against itself: players, length, and stored plays.

`plays/NAME.plays` has a line for each row of a game, `left | right`, and one for its winner:

    52: 13/8 24/22 | 42: 8/4 6/4
    65: | Doubles => 2
    Drops
    right wins 1

New plays are made by `play.py`; this module does not need GNU Backgammon.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from record import LEFT, RIGHT, Action, Cube, Game, Match, Roll, read_cell, rows

PLAYS = Path(__file__).resolve().parent / "plays"

SIDES = ("left", "right")

VARIATIONS = {"nackgammon": "NackGammon", "hypergammon": "HyperGammon (3)"}
"""GNU Backgammon's names of variants in the header of a match."""

ADA, BRUNO, CLEO, DARIO = "Ada Quill", "Bruno Vale", "Cleo Hart", "Dario Fenn"

_WINS = re.compile(r"(left|right) wins (\d+)")


@dataclass(frozen=True)
class Spec:
    """One match to play: `length` 0 is a money session of `games` games."""

    name: str
    """Name of the match; its plays are in `plays/NAME.plays`."""
    players: tuple[str, str]
    length: int
    seed: int
    date: str
    event: str = ""
    place: str = ""
    round: str = ""
    variation: str = "standard"
    games: int = 1
    jacoby: bool = False
    beavers: int = 0
    noise: float = 0.0
    """Noise in the first player's cube decisions; with noise he doubles into beavers."""

    @property
    def path(self) -> Path:
        """Path of the stored plays."""
        return PLAYS / f"{self.name}.plays"


EXPORTED = (
    Spec("gnubg", (ADA, BRUNO), 7, 1, "2031-05-17", "Harbour Open", "Port Linden", "Final"),
    Spec("one-point", (ADA, BRUNO), 1, 213, "2031-05-17"),
    Spec("three-point", (CLEO, DARIO), 3, 18, "2031-05-17"),
    Spec("short-match", (ADA, CLEO), 3, 28, "2031-05-17"),
    Spec("redoubles", (BRUNO, DARIO), 3, 59, "2031-05-17"),
    Spec("eleven-point", (DARIO, ADA), 11, 2, "2031-05-18", "Harbour Open"),
    Spec("nackgammon", (ADA, BRUNO), 1, 11, "2031-05-17", variation="nackgammon"),
    Spec("hypergammon", (BRUNO, CLEO), 3, 4, "2031-05-17", variation="hypergammon"),
    Spec(
        *("money-jacoby-beavers", (CLEO, BRUNO), 0, 3, "2031-05-17"),
        games=3,
        jacoby=True,
        beavers=1,
        noise=0.05,
    ),
)
"""Matches written as GNU Backgammon exports them, in files of these names."""


def load_match(spec: Spec) -> Match:
    """Return the match with its stored plays."""
    games = tuple(read_games(spec.path.read_text(encoding="utf-8")))
    return Match(spec.length, spec.players, games, header_of(spec))


def header_of(spec: Spec) -> dict[str, str]:
    """Return the header of the match; GNU Backgammon leaves out the first two entries."""
    values = {
        "Jacoby": "On" * spec.jacoby,
        "Beaver": "On" * (spec.beavers > 0),
        "Site": spec.place,
        "Event": spec.event,
        "Round": spec.round,
        "EventDate": spec.date.replace("-", "."),
        "Variation": VARIATIONS.get(spec.variation, ""),
    }
    return {key: value for key, value in values.items() if value}


def read_games(text: str) -> Iterator[Game]:
    """Yield the games of a file of plays, each with the score before it."""
    score, number = (0, 0), 1
    actions: list[Action] = []
    for line in text.splitlines():
        if wins := _WINS.fullmatch(line):
            winner, points = SIDES.index(wins[1]), int(wins[2])
            yield Game(score, tuple(actions), winner, points, number)
            left, right = score
            score = (left + points, right) if winner == LEFT else (left, right + points)
            actions, number = [], number + 1
        else:
            cells = enumerate(map(str.strip, line.split("|")))
            actions += [read_cell(side, cell) for side, cell in cells if cell]


def format_games(games: Iterable[Game]) -> str:
    """Return the games as a file of plays."""
    return "\n".join("".join(f"{line}\n" for line in _lines(game)) for game in games)


def _lines(game: Game) -> Iterator[str]:
    for row in rows(game):
        cells = {action.side: _cell(action) for action in row}
        yield f"{cells.get(LEFT, '')} | {cells[RIGHT]}".lstrip() if RIGHT in cells else cells[LEFT]
    assert game.winner is not None
    yield f"{SIDES[game.winner]} wins {game.points}"


def _cell(action: Action) -> str:
    if isinstance(action, Roll):
        steps = (f"{start}/{end}{'*' * hit}" for start, end, hit in action.steps or ())
        return " ".join([f"{action.dice}:", *steps])
    assert isinstance(action, Cube)
    return f"{action.word} => {action.value}" if action.value else action.word
