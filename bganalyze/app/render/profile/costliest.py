"""The costliest decisions of a profile: boards on pages, a table in text."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence

from bganalyze.analysis.describe import ERROR, MAY_BE_SLIP
from bganalyze.app.render.answers import diagram_of_board
from bganalyze.app.render.document import Block, Cell, Diagram, Diagrams, Grid, Note
from bganalyze.app.render.profile.match_rates import shorten_file_names
from bganalyze.statistics.profiles import PlayerProfile
from bganalyze.statistics.profiles.costliest import (
    MISSED_DOUBLE,
    MOST_OF_KIND,
    Costliest,
    CubeMistakes,
)
from bganalyze.statistics.profiles.recurring import LEAST_SHOWN
from bganalyze.statistics.reports.figures import Board
from bganalyze.text import number_of

MOST_PRINTED = 5
"""Costliest decisions that a print has, by the page's style."""

LOOK_UP = (
    'Look up a place: bganalyze show "FILE:LINE:COLUMN" (the board), bganalyze report "FILE" --html match.html'
    " (the whole match)"
)

SMALL_ERRORS = (
    "one small error may be none at a deeper level: in 24 matches, of the errors of 0.02 to 0.04 EMG that GNU"
    " Backgammon found at 1ply half were errors at 2ply, of those of 0.08 or more 94 %"
)
"""How far single errors depend on the level of analysis."""
# 123 of 240 and 331 of 351, in 3,868 decisions that count (`python -m tests.benchmarks.errors_by_level`).


def list_costliest(
    profile: PlayerProfile, paper_names: Mapping[str, str], *, on_page: bool
) -> Iterator[Block]:
    """Yield the costliest decisions of all kinds, `on_page` as boards, else as a table.

    `paper_names` are the short names of the files on printed pages, by path.
    """
    found = profile.costliest
    if found is None or not found.boards:
        return
    listed = {*map(_identify_decision, found.boards)}
    others = (
        board._replace(title=f"by match-winning chance {board.title.partition('. ')[2]}")
        for board in found.by_chance
        if on_page and _identify_decision(board) not in listed
    )
    boards = (*found.boards, *others)
    yield from _show_decisions(
        profile, boards, locate_lesson_boards(profile), paper_names, on_page=on_page
    )
    shown = sum(_equity_lost(board) >= ERROR for board in found.boards)
    on_paper = f" (on paper, the first {MOST_PRINTED})" * (on_page and shown > MOST_PRINTED)
    yield Note(
        f"sorted by equity lost (EMG), which may differ from match-winning chance (MWC); {shown}{on_paper} of {number_of(found.errors, 'error')} of {ERROR} EMG or more"
        f"{', then smaller losses' * (shown < len(found.boards))}{_resignations_in_words(found.resignations)}; missed doubles one after the other are listed once"
    )
    if found.by_chance:
        yield Note(_costs_of_chance_in_words(found))
    if any(_equity_lost(board) > MAY_BE_SLIP for board in found.boards):
        yield Note(
            f"a loss above {MAY_BE_SLIP} EMG may be a slip of the hand or of the file: look at the game before you"
            " study it"
        )
    if profile.stats_call and found.errors:
        yield Note(_say_how_to_list_errors(profile.stats_call, found.errors))
    yield Note(SMALL_ERRORS)
    yield Note(LOOK_UP)


def _say_how_to_list_errors(call: tuple[str, ...], errors: int) -> str:
    """Return the command that lists all errors of a player with their boards.

    `call` has the words of a `stats` command for this player.

    >>> _say_how_to_list_errors(("stats", "my matches", "--player", "Ann"), 380)
    "all errors, with boards: bganalyze stats 'my matches' --player Ann --report worst --most 380"
    """
    asked = shlex.join((*call, "--report", "worst", "--most", f"{errors}"))
    return f"all errors, with boards: bganalyze {asked}"


def locate_lesson_boards(profile: PlayerProfile) -> dict[tuple[str, str], str]:
    """Return where the profile shows each board of a lesson, such as `above, subject 2`.

    The keys are the places and kinds of the decisions, as `_identify_decision` returns them.
    """
    study = profile.study
    if study is None:
        return {}
    return {
        _identify_decision(board): f"above, subject {number}"
        for number, lesson in enumerate(study.lessons, 1)
        for board in lesson.boards
    }


def _place_in_files(board: Board) -> str:
    """Return the place of a decision in the match files."""
    return dict(board.facts)["Place"]


def _identify_decision(board: Board) -> tuple[str, str]:
    """Return the place and the kind of a decision, which no other decision has.

    A missed double and the play after it are at the same place.
    """
    facts = dict(board.facts)
    return facts["Place"], "Rolled" if "Rolled" in facts else "cube"


def _equity_lost(board: Board) -> float:
    """Return the equity (EMG) that a decision cost."""
    return float(dict(board.facts)["Lost"].partition(" ")[0])


def _costs_of_chance_in_words(found: Costliest) -> str:
    """Return a sentence on the decisions that cost most match-winning chance."""
    numbers = {
        _identify_decision(board): f"no. {number}" for number, board in enumerate(found.boards, 1)
    }
    named = (
        f"{dict(board.facts)['Lost'].split(', ')[1]} ({numbers.get(_identify_decision(board), _place_in_files(board))})"
        for board in found.by_chance
    )
    return f"by match-winning chance the costliest are {', '.join(named)}"


def _resignations_in_words(count: int) -> str:
    """Return how many of the listed errors are resignations, in parentheses; "" for none.

    >>> _resignations_in_words(3)
    ' (3 in offering or accepting a resignation, which no row of the table by kind counts)'
    """
    if not count:
        return ""
    return f" ({count:,} in offering or accepting a resignation, which no row of the table by kind counts)"


def list_cube_mistakes(
    profile: PlayerProfile, paper_names: Mapping[str, str], *, on_page: bool
) -> Iterator[Block]:
    """Yield the costliest cube mistakes not shown above, `on_page` as boards, else as a table.

    `paper_names` are the short names of the files on printed pages, by path.
    """
    found = profile.costliest
    if found is None or not found.cube:
        return
    above = {*map(_identify_decision, found.boards), *locate_lesson_boards(profile)}
    boards = [
        board._replace(title=f"{one.name} {board.title.partition('. ')[2]}")
        for one in found.cube
        for board in one.boards
        if _identify_decision(board) not in above
    ]
    yield Note(_counts_in_words(found.cube, are_shown=bool(boards)))
    yield from _show_decisions(
        profile, sorted(boards, key=_equity_lost, reverse=True), {}, paper_names, on_page=on_page
    )


def _count_mistakes(mistakes: CubeMistakes) -> str:
    """Return the number of mistakes of a kind in words; doubles are missed turn by turn.

    >>> _count_mistakes(CubeMistakes("missed double", 76, 4.9, ()))
    '76 turns with a missed double'
    """
    if mistakes.name == MISSED_DOUBLE:
        return f"{number_of(mistakes.errors, 'turn')} with a {MISSED_DOUBLE}"
    return number_of(mistakes.errors, mistakes.name)


def _counts_in_words(cube: Sequence[CubeMistakes], *, are_shown: bool = True) -> str:
    """Return a note on the cube mistakes shown: how they were chosen and sorted, and counts.

    The counts are the number and the cost of all mistakes of each kind, shown or not. If
    `are_shown` is False, the note says instead that the costliest mistakes are shown above.

    >>> _counts_in_words([CubeMistakes("wrong pass", 12, 1.5, ())], are_shown=False)
    'the costliest of each kind are shown above; in all: 12 wrong passes, 1.50 EMG with smaller losses'
    """
    listed = "; ".join(
        f"{_count_mistakes(one)}, {one.lost:.2f} EMG" + " with smaller losses" * (not number)
        for number, one in enumerate(cube)
    )
    counts = f"in all: {listed}"
    if not are_shown:
        return f"the costliest of each kind are shown above; {counts}"
    return (
        f"of the {MOST_OF_KIND} costliest of each kind, from different games and above {LEAST_SHOWN} EMG, those not shown"
        f" above; the costliest by equity (EMG) first; {counts}"
    )


def shorten_board(board: Board, profile: PlayerProfile) -> Board:
    """Return a board in short: without the player's name, and without the engine if there is only one.

    A loss that may be a slip is marked.
    """
    facts = board.facts
    if len(profile.engines) == 1:
        by_engine = f", by {profile.engines[0]}"
        facts = tuple((label, text.removesuffix(by_engine)) for label, text in facts)
    if _equity_lost(board) > MAY_BE_SLIP:
        mark = {"Lost": ", may be a slip"}
        facts = tuple((label, text + mark.get(label, "")) for label, text in facts)
    return board._replace(title=board.title.replace(f" {profile.player} ", " ", 1), facts=facts)


def name_files_on_paper(profile: PlayerProfile) -> dict[str, str]:
    """Return the short names of the files on printed pages, by path.

    If two files have the same short name, the result is empty.
    """
    paths = sorted({one.path for one in profile.matches})
    names = shorten_file_names(paths)
    return dict(zip(paths, names, strict=True)) if len(set(names)) == len(names) else {}


def draw_decision(board: Board, paper_names: Mapping[str, str]) -> Diagram:
    """Return a board made by `shorten_board` as a diagram, with a short file name for paper.

    `paper_names` are the short names, by path.
    """
    diagram, place = diagram_of_board(board), _place_in_files(board)
    path = place.partition(" (")[2].rsplit(":", 2)[0]
    name = paper_names.get(path)
    short = "" if name is None else place.replace(f"({path}:", f"({name}:")
    return diagram._replace(place_on_paper=short)


def _show_decisions(
    profile: PlayerProfile,
    boards: Sequence[Board],
    shown: Mapping[tuple[str, str], str],
    paper_names: Mapping[str, str],
    *,
    on_page: bool,
) -> Iterator[Block]:
    """Yield decisions as boards or, unless `on_page`, as a table.

    `shown` maps a decision whose board is shown elsewhere to words such as `above, subject 2`: its
    board is not drawn again. The keys are those of `_identify_decision`. `paper_names` are the short
    names of the files on printed pages, by path.
    """
    boards = [shorten_board(board, profile) for board in boards]
    if on_page:
        diagrams = (
            _draw_unless_shown(
                draw_decision(board, paper_names), shown.get(_identify_decision(board))
            )
            for board in boards
        )
        yield Diagrams(tuple(diagrams), small=True)
        return
    if not boards:
        return
    is_of_plays = any("Rolled" in dict(board.facts) for board in boards)
    headings = (
        "",
        "EMG",
        "cost",
        *(("rolled",) if is_of_plays else ()),
        "played",
        "better",
        "place",
    )
    rows = tuple(_board_cells(board, is_of_plays) for board in boards)
    yield Grid("", headings, rows, words=len(headings))


def _draw_unless_shown(diagram: Diagram, shown: str | None) -> Diagram:
    """Return a diagram unchanged or, if its board is shown elsewhere, without the board.

    `shown` says where this is, such as `above, subject 2`; None if the board is not shown yet.
    """
    if shown is None:
        return diagram
    kept = tuple(
        fact for fact in diagram.facts if fact[0] in ("Rolled", "Played", "Better", "Lost")
    )
    return diagram._replace(scene=None, facts=(("Board", shown), *kept))


def _board_cells(board: Board, is_rolled: bool) -> tuple[Cell, ...]:
    """Return the table cells of a decision, with the roll if `is_rolled`."""
    facts = dict(board.facts)
    name = board.title.partition(" against ")[0]
    lost, cost, *_ = facts["Lost"].split(", ")
    place = facts["Place"].partition(" (")[2].removesuffix(")")
    rolled = (facts.get("Rolled", ""),) if is_rolled else ()
    lost = lost.removesuffix(" EMG")
    return tuple(map(Cell, (name, lost, cost, *rolled, facts["Played"], facts["Better"], place)))
