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
    profile: PlayerProfile, short_names_by_path: Mapping[str, str], *, on_page: bool
) -> Iterator[Block]:
    """Yield the costliest decisions, `on_page` as boards, else as a table."""
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
        profile, boards, locate_lesson_boards(profile), short_names_by_path, on_page=on_page
    )
    shown = sum(_find_equity_lost(board) >= ERROR for board in found.boards)
    on_paper = f" (on paper, the first {MOST_PRINTED})" * (on_page and shown > MOST_PRINTED)
    yield Note(
        f"sorted by equity lost (EMG), which may differ from match-winning chance (MWC); {shown}{on_paper} of {number_of(found.errors, 'error')} of {ERROR} EMG or more"
        f"{', then smaller losses' * (shown < len(found.boards))}{_resignations_in_words(found.resignations)}; missed doubles one after the other are listed once"
    )
    if found.by_chance:
        yield Note(_costs_of_chance_in_words(found))
    if any(_find_equity_lost(board) > MAY_BE_SLIP for board in found.boards):
        yield Note(
            f"a loss above {MAY_BE_SLIP} EMG may be a slip of the hand or of the file: look at the game before you"
            " study it"
        )
    if profile.stats_call and found.errors:
        yield Note(_say_how_to_list_errors(profile.stats_call, found.errors))
    yield Note(SMALL_ERRORS)
    yield Note(LOOK_UP)


def _say_how_to_list_errors(stats_call: tuple[str, ...], number_of_errors: int) -> str:
    """Return words with the command that lists all errors of a player with their boards.

    `stats_call` is a `stats` command for this player, in words.

    >>> _say_how_to_list_errors(("stats", "matches", "--player", "Ann"), 380)
    'all errors, with boards: bganalyze stats matches --player Ann --report worst --most 380'
    """
    asked = shlex.join((*stats_call, "--report", "worst", "--most", f"{number_of_errors}"))
    return f"all errors, with boards: bganalyze {asked}"


def locate_lesson_boards(profile: PlayerProfile) -> dict[tuple[str, str], str]:
    """Map each decision drawn in a lesson to words on where it is, such as `above, subject 2`.

    The keys are those of `_identify_decision`.
    """
    study = profile.study
    if study is None:
        return {}
    return {
        _identify_decision(board): f"above, subject {number}"
        for number, lesson in enumerate(study.lessons, 1)
        for board in lesson.boards
    }


def _find_place(board: Board) -> str:
    """Return the place of a decision in the match files."""
    return dict(board.facts)["Place"]


def _identify_decision(board: Board) -> tuple[str, str]:
    """Return the place and the kind of a decision, which together identify it.

    The place is not enough: a missed double and the play after it have the same one.
    """
    facts = dict(board.facts)
    return facts["Place"], "Rolled" if "Rolled" in facts else "cube"


def _find_equity_lost(board: Board) -> float:
    """Return the equity (EMG) that a decision cost."""
    return float(dict(board.facts)["Lost"].partition(" ")[0])


def _costs_of_chance_in_words(found: Costliest) -> str:
    """Return a sentence on the decisions that cost the most match-winning chance."""
    numbers = {
        _identify_decision(board): f"no. {number}" for number, board in enumerate(found.boards, 1)
    }
    named = (
        f"{dict(board.facts)['Lost'].split(', ')[1]} ({numbers.get(_identify_decision(board), _find_place(board))})"
        for board in found.by_chance
    )
    return f"by match-winning chance the costliest are {', '.join(named)}"


def _resignations_in_words(count: int) -> str:
    """Return words on how many of the listed errors are resignations; "" if `count` is 0."""
    if not count:
        return ""
    return f" ({count:,} in offering or accepting a resignation, which no row of the table by kind counts)"


def list_cube_mistakes(
    profile: PlayerProfile, short_names_by_path: Mapping[str, str], *, on_page: bool
) -> Iterator[Block]:
    """Yield the costliest cube mistakes, `on_page` as boards, else as a table.

    Mistakes that the profile has already shown are left out.
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
        profile,
        sorted(boards, key=_find_equity_lost, reverse=True),
        {},
        short_names_by_path,
        on_page=on_page,
    )


def _count_mistakes(mistakes: CubeMistakes) -> str:
    """Return the number of mistakes of a kind in words.

    >>> _count_mistakes(CubeMistakes("missed double", 76, 4.9, ()))
    '76 turns with a missed double'
    """
    if mistakes.name == MISSED_DOUBLE:
        return f"{number_of(mistakes.errors, 'turn')} with a {MISSED_DOUBLE}"
    return number_of(mistakes.errors, mistakes.name)


def _counts_in_words(cube: Sequence[CubeMistakes], *, are_shown: bool = True) -> str:
    """Return a note on how the cube mistakes shown were chosen, and what all of them cost.

    `are_shown` is False if the profile has already shown all their boards.
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
    """Return a board with shorter texts, which do not name the player.

    The engine is named only if there are several. A loss that may come from a slip is marked.
    """
    facts = board.facts
    if len(profile.engines) == 1:
        by_engine = f", by {profile.engines[0]}"
        facts = tuple((label, text.removesuffix(by_engine)) for label, text in facts)
    if _find_equity_lost(board) > MAY_BE_SLIP:
        mark = {"Lost": ", may be a slip"}
        facts = tuple((label, text + mark.get(label, "")) for label, text in facts)
    return board._replace(title=board.title.replace(f" {profile.player} ", " ", 1), facts=facts)


def name_files_on_paper(profile: PlayerProfile) -> dict[str, str]:
    """Map the path of each file to a short name for printed pages.

    The result is empty if two files would have the same short name.
    """
    paths = sorted({one.path for one in profile.matches})
    names = shorten_file_names(paths)
    return dict(zip(paths, names, strict=True)) if len(set(names)) == len(names) else {}


def draw_decision(board: Board, short_names_by_path: Mapping[str, str]) -> Diagram:
    """Return the diagram of a costly decision, with the short name of its match file for paper."""
    diagram, place = diagram_of_board(board), _find_place(board)
    path = place.partition(" (")[2].rsplit(":", 2)[0]
    name = short_names_by_path.get(path)
    short = "" if name is None else place.replace(f"({path}:", f"({name}:")
    return diagram._replace(place_on_paper=short)


def _show_decisions(
    profile: PlayerProfile,
    boards: Sequence[Board],
    shown_elsewhere: Mapping[tuple[str, str], str],
    short_names_by_path: Mapping[str, str],
    *,
    on_page: bool,
) -> Iterator[Block]:
    """Yield decisions: with `on_page` as boards, else as a table.

    `shown_elsewhere` maps each decision that has been drawn before to words on where. Its keys are
    those of `_identify_decision`.
    """
    boards = [shorten_board(board, profile) for board in boards]
    if on_page:
        diagrams = (
            _draw_unless_shown(
                draw_decision(board, short_names_by_path),
                shown_elsewhere.get(_identify_decision(board)),
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
    rows = tuple(_make_decision_cells(board, is_of_plays) for board in boards)
    yield Grid("", headings, rows, words=len(headings))


def _draw_unless_shown(diagram: Diagram, shown_elsewhere: str | None) -> Diagram:
    """Return a diagram unchanged; without its board if that is shown elsewhere.

    `shown_elsewhere` names the other place, such as `above, subject 2`; None means there is none.
    """
    if shown_elsewhere is None:
        return diagram
    kept = tuple(
        fact for fact in diagram.facts if fact[0] in ("Rolled", "Played", "Better", "Lost")
    )
    return diagram._replace(scene=None, facts=(("Board", shown_elsewhere), *kept))


def _make_decision_cells(board: Board, is_rolled: bool) -> tuple[Cell, ...]:
    """Return the table cells of a decision, including its roll if `is_rolled`."""
    facts = dict(board.facts)
    name = board.title.partition(" against ")[0]
    lost, cost, *_ = facts["Lost"].split(", ")
    place = facts["Place"].partition(" (")[2].removesuffix(")")
    rolled = (facts.get("Rolled", ""),) if is_rolled else ()
    lost = lost.removesuffix(" EMG")
    return tuple(map(Cell, (name, lost, cost, *rolled, facts["Played"], facts["Better"], place)))
