"""The costliest decisions of a profile: boards on pages, a table in text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from bganalyze.analysis.describe import LEAST
from bganalyze.app.render.answers import diagram_of_board
from bganalyze.app.render.document import Block, Cell, Diagrams, Grid, Note
from bganalyze.statistics.profiles import PlayerProfile
from bganalyze.statistics.profiles.costliest import MOST_OF_ALL, MOST_OF_KIND, CubeMistakes
from bganalyze.statistics.profiles.recurring import LEAST_SHOWN
from bganalyze.statistics.reports.figures import Board
from bganalyze.text import number_of

MOST_PRINTED = 5
"""Costliest decisions that a print has, by the page's style."""

LOOK_UP = (
    "Look up a place: bganalyze show FILE:LINE:COLUMN has the board; bganalyze report FILE --html match.html"
    " is a page to play through the match"
)


def list_costliest(profile: PlayerProfile, *, on_page: bool) -> Iterator[Block]:
    """Yield the costliest decisions of all kinds; `on_page` with boards."""
    found = profile.costliest
    if found is None or not found.boards:
        return
    yield from _show([shorten_board(board, profile) for board in found.boards], on_page=on_page)
    shown = min(MOST_OF_ALL, len(found.boards))
    printed = f" (of which {MOST_PRINTED} are printed)" * (on_page and shown > MOST_PRINTED)
    yield Note(
        f"{shown}{printed} of {number_of(found.errors, 'error')} of {LEAST} EMG or more"
        f"{_resignations_in_words(found.resignations)}; doubles missed one after the other are listed once."
        f" {LOOK_UP}"
    )


def _resignations_in_words(count: int) -> str:
    """Return how many of the errors are resignations; empty for none.

    >>> _resignations_in_words(3)
    ' (3 in offering or accepting a resignation, which no row of the table by kind counts)'
    """
    if not count:
        return ""
    return f" ({count:,} in offering or accepting a resignation, which no row of the table by kind counts)"


def list_cube_mistakes(profile: PlayerProfile, *, on_page: bool) -> Iterator[Block]:
    """Yield the costliest cube mistakes of each kind; `on_page` with boards.

    The costliest of each kind come first, and a print has only them.
    """
    found = profile.costliest
    if found is None or not found.cube:
        return
    boards = [
        board._replace(title=f"{one.name} {board.title.partition('. ')[2]}")
        for number in range(MOST_OF_KIND)
        for one in found.cube
        for board in map(partial(shorten_board, profile=profile), one.boards[number : number + 1])
    ]
    yield from _show(boards, on_page=on_page)
    yield Note(_counts_in_words(found.cube))


def _counts_in_words(cube: Sequence[CubeMistakes]) -> str:
    """Return how many mistakes there are of each kind, and which are shown.

    >>> _counts_in_words([CubeMistakes("wrong pass", 12, 1.5, ())]).partition(". ")[0]
    '12 wrong passes, 1.50 EMG'
    """
    counts = (f"{number_of(one.errors, one.name)}, {one.lost:.2f} EMG" for one in cube)
    return (
        f"{'; '.join(counts)}. The costliest {MOST_OF_KIND} of each are shown, if above {LEAST_SHOWN} EMG, and"
        " one of each game"
    )


def shorten_board(board: Board, profile: PlayerProfile) -> Board:
    """Return a board without the player's name; without the engine's, if there is only one."""
    facts = board.facts
    if len(profile.engines) == 1:
        by_engine = f", by {profile.engines[0]}"
        facts = tuple((label, text.removesuffix(by_engine)) for label, text in facts)
    return board._replace(title=board.title.replace(f" {profile.player} ", " ", 1), facts=facts)


def _show(boards: Sequence[Board], *, on_page: bool) -> Iterator[Block]:
    """Yield the boards of decisions or, unless `on_page`, a table of these decisions."""
    if on_page:
        yield Diagrams(tuple(map(diagram_of_board, boards)), small=True)
        return
    is_of_plays = any("Rolled" in dict(board.facts) for board in boards)
    headings = ("", "lost", *(("rolled",) if is_of_plays else ()), "played", "better", "place")
    rows = tuple(_board_cells(board, is_of_plays) for board in boards)
    yield Grid("", headings, rows, words=len(headings))


def _board_cells(board: Board, is_rolled: bool) -> tuple[Cell, ...]:
    """Return the cells of a decision: its loss, the action, a better one, and the place; the roll if asked."""
    facts = dict(board.facts)
    name = board.title.partition(" against ")[0]
    lost = facts["Lost"].partition(" ")[0]
    place = facts["Place"].partition(" (")[2].removesuffix(")")
    rolled = (facts.get("Rolled", ""),) if is_rolled else ()
    return tuple(map(Cell, (name, lost, *rolled, facts["Played"], facts["Better"], place)))
