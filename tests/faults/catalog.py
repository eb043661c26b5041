"""The catalog of faults: each once, how it is made, and what a check must report of it.

Faults with an entry in `REPORTS` are injected into clean records (`python -m tests.injection`). Faults with a family
are given to a repair (`python -m tests.benchmarks.repair_of_slips`).
"""

from __future__ import annotations

from typing import NamedTuple

from tests.faults import cube, dice, games, plays, results, rows, several, steps, text, turns
from tests.faults.damage import Maker


class Report(NamedTuple):
    """Report that a check must make. `P4xx` is worked out from the true position (`check.py`)."""

    codes: str
    """Codes, one of which must be reported."""
    where: str
    """The place in the file."""
    why: str
    also: str = ""
    """Codes that may be reported as well."""


class Fault(NamedTuple):
    """A fault of a match file: a slip of the transcriber or, in family `PLAYERS`, a player's error."""

    name: str
    make: Maker
    family: str | None = None
    """The family whose figures of repair it counts among; None where no repair is measured."""
    restorable: bool = True
    """Whether the rest of the record determines what the slip destroys."""
    named_by: frozenset[str] = frozenset()
    """Codes of findings and kinds of proposals that name a slip which no edit repairs."""


PLAYERS = "players"
"""The family of players' errors, which are no slips."""

OF_ORDER = frozenset(("T104",))
OF_LOST_GAME = OF_ORDER | {"game-lost"}
OF_LOST_ROW, OF_LOST_COLUMN = frozenset(("lost row",)), frozenset(("lost column",))

FAULTS: tuple[Fault, ...] = (
    # -- layout
    Fault("columns-from-row", rows.columns_from_row, "layout"),
    Fault("swapped-columns", turns.swapped_columns, "layout"),
    Fault("swapped-sides", turns.swapped_sides, "layout"),
    Fault("swapped-cells", turns.swapped_cells, "layout"),
    Fault("doubled-row", turns.doubled_row, "layout"),
    Fault("doubled-row-numbered", rows.row_doubled_numbered, "layout"),
    Fault("doubled-play", turns.doubled_play, "layout"),
    Fault("rows-exchanged", rows.rows_exchanged, "layout"),
    Fault("lines-exchanged", rows.lines_exchanged, "layout"),
    Fault("dice-exchanged", dice.dice_exchanged, "layout"),
    Fault("half-row-alone", rows.half_row_alone, "layout"),
    Fault("right-column-lost", rows.right_column_lost, "layout", False, OF_LOST_COLUMN),
    Fault(
        "right-column-lost-first",
        rows.right_column_lost_with_first,
        "layout",
        False,
        OF_LOST_COLUMN,
    ),
    Fault("row-after-end", turns.row_after_end),
    Fault("row-number", text.row_number),
    Fault("garbled-label", text.garbled_label),
    # -- row lost
    Fault("row-lost", turns.row_lost, "row lost", False, OF_LOST_ROW),
    Fault("row-lost-numbered", rows.row_lost_numbered, "row lost", False, OF_LOST_ROW),
    # -- turn lost
    Fault("turn-lost", turns.turn_lost, "turn lost"),
    Fault("turn-lost-moved-up", rows.turn_lost_moved_up, "turn lost"),
    Fault("dance-lost-moved-up", rows.dance_lost_moved_up, "turn lost"),
    Fault("garbled-cell", text.garbled_cell, "turn lost"),
    # -- dice
    Fault("die", dice.die, "dice"),
    Fault("die-of-dance", dice.die_of_dance, "dice"),
    Fault("double-roll", dice.double_roll, "dice"),
    Fault("impossible-die", dice.impossible_die, "dice"),
    Fault("opening-double", dice.opening_double, "dice"),
    Fault("dice-of-another-cell", dice.dice_of_another_cell, "dice"),
    Fault("missing-roll", dice.missing_roll, "dice"),
    Fault("garbled-roll", text.garbled_roll, "dice"),
    Fault("second-roll", dice.second_roll),
    # -- unreadable
    Fault("unreadable", plays.unreadable, "unreadable"),
    Fault("garbled-play", text.garbled_play, "unreadable"),
    Fault("garbled-half", text.garbled_half, "unreadable"),
    Fault("emptied-play", plays.emptied, "unreadable"),
    Fault("false-dance", plays.false_dance, "unreadable"),
    Fault("undecodable-name", text.undecodable_name),
    Fault("undecodable-cell", text.undecodable_cell),
    # -- nearest legal
    Fault("nearest-legal", plays.nearest_legal, "nearest legal"),
    # -- steps
    Fault("random-legal", plays.random_legal, "steps"),
    Fault("point-off-by-one", steps.point_off_by_one, "steps"),
    Fault("step-target", steps.step_target, "steps"),
    Fault("step-source", steps.step_source, "steps"),
    Fault("missing-step", steps.missing_step, "steps"),
    Fault("extra-step", steps.extra_step, "steps"),
    Fault("doubled-step", steps.doubled_step, "steps"),
    Fault("direction", steps.direction, "steps"),
    Fault("other-side-points", steps.other_side_points, "steps"),
    Fault("digits-transposed", steps.digits_transposed, "steps"),
    Fault("letter-for-digit", steps.letter_for_digit, "steps"),
    Fault("bar-ignored", plays.bar_ignored, "steps"),
    Fault("early-bear-off", plays.early_bear_off, "steps"),
    Fault("bear-off-past", plays.bear_off_past, "steps"),
    Fault("smaller-die", plays.smaller_die),
    Fault("hit-mark-lost", steps.hit_mark_lost, "steps"),
    Fault("false-hit-mark", steps.false_hit_mark, "steps"),
    # -- cube
    Fault("double-lost", cube.double_lost, "cube"),
    Fault("take-lost", cube.take_lost, "cube"),
    Fault("drop-lost", cube.drop_lost, "cube"),
    Fault("offer-lost", cube.offer_lost, "cube", False),
    Fault("doubled-double", cube.doubled_double, "cube"),
    Fault("doubled-take", cube.doubled_take, "cube"),
    Fault("double-a-row-late", cube.double_a_row_late, "cube"),
    Fault("cube-value", cube.cube_value, "cube"),
    Fault("take-for-drop", cube.take_for_drop, "cube"),
    Fault("drop-for-take", cube.drop_for_take, "cube"),
    Fault("not-owner", cube.not_owner),
    Fault("crawford-double", cube.crawford_double),
    Fault("stray-take", cube.stray_take),
    Fault("stray-double", cube.stray_double),
    Fault("late-double", cube.late_double),
    Fault("beaver", cube.beaver),
    Fault("garbled-double", text.garbled_double, "cube"),
    Fault("garbled-answer", text.garbled_answer, "cube"),
    # -- score
    Fault("header-lost", results.header_lost, "score"),
    Fault("game-line-lost", results.game_line_lost, "score"),
    Fault("score-line-lost", results.score_line_lost, "score"),
    Fault("result-lost", results.result_lost, "score"),
    Fault("result-doubled", results.result_doubled, "score"),
    Fault("wins-side", results.wins_side, "score"),
    Fault("wins-value", results.wins_value, "score"),
    Fault("garbled-wins", text.garbled_wins, "score"),
    Fault("names-exchanged", results.names_exchanged, "score"),
    Fault("score-line", results.score_line, "score"),
    Fault("score-by-one", results.score_by_one, "score"),
    Fault("score-carried-on", results.score_carried_on, "score"),
    Fault("first-score", results.first_score, "score"),
    Fault("shorter-match", results.shorter_match, "score"),
    Fault("other-length", results.other_length, "score"),
    Fault("game-number", results.game_number),
    Fault("match-line-lost", results.match_line_lost),
    Fault("name-change", text.name_change),
    # -- games
    Fault("game-lost", games.game_lost, "games", False, OF_LOST_GAME),
    Fault("game-lost-renumbered", games.game_lost_renumbered, "games", False, OF_LOST_GAME),
    Fault("games-exchanged", games.games_exchanged, "games", False, OF_ORDER),
    Fault("games-exchanged-renumbered", games.games_exchanged_renumbered, "games", False, OF_ORDER),
    Fault("game-copied-over", games.game_copied_over, "games", False, OF_ORDER),
    Fault("game-copied-back", games.game_copied_back, "games", False, OF_ORDER),
    Fault("game-twice", games.game_twice, "games", False, OF_ORDER),
    Fault("head-cut-off", games.head_cut_off, "games", False, frozenset(("T120",))),
    # -- several
    Fault("two-slips", several.slips_in_a_game(2), "several"),
    Fault("three-slips", several.slips_in_a_game(3), "several"),
    Fault("five-slips", several.slips_in_a_game(5), "several"),
    Fault("neighboring-rows", several.slips_in_neighboring_rows, "several"),
    Fault("one-in-each-game", several.slip_in_each_game, "several"),
    # -- players
    Fault("illegal-play-carried-on", plays.illegal_play_carried_on, PLAYERS, False),
)

REPORTS: dict[str, Report] = {
    "swapped-columns": Report(
        "T105 or P4xx",
        "the first turn out of order, or play that is not legal",
        "left and right exchanged in every row of a game: the order of turns is lost",
    ),
    "swapped-sides": Report(
        "R604, or R602 or R603 at the result",
        "the next score line",
        "the game is legal with its players exchanged; only its winner is wrong",
    ),
    "swapped-cells": Report(
        "P4xx of either cell",
        "the row",
        "each side plays the other's roll; one cause, one finding",
    ),
    "doubled-row": Report(
        "T118; T106 after the last play",
        "the second",
        "the same turns twice; the row number repeats (T103, info)",
    ),
    "doubled-play": Report(
        "T118; T106 after the last play",
        "the second",
        "the same turn twice, the first time legally; the row number repeats (T103, info)",
    ),
    "row-after-end": Report(
        "T106", "the row", "the game is decided by the drop, the last checker or the result"
    ),
    "row-number": Report("T103", "the row", "does not follow the row before"),
    "garbled-label": Report("T101", "the row", "what the row hides is not also missing"),
    "row-lost": Report(
        "P4xx, or P412 at the play before",
        "the first play that does not follow",
        "the order of turns is kept, so only the checkers tell (and T103, info)",
    ),
    "turn-lost": Report(
        "T105; C502 where the next turn is a double; T118 where it is the last one again; "
        "R601 before a result",
        "the next turn",
        "one side acts twice running; what the lost play leaves behind is a consequence",
    ),
    "garbled-cell": Report(
        "T101", "the cell", "nothing can be read; the turn it hides is not also missing"
    ),
    "die": Report(
        "P4xx",
        "the play",
        "the steps stand but the roll does not cover them; legal where it still does",
    ),
    "die-of-dance": Report(
        "P411; D303 where dances are written out", "the roll", "the new roll can be played"
    ),
    "double-roll": Report("P4xx", "the play", "two steps for four dice, and one of them by no die"),
    "impossible-die": Report(
        "D301",
        "the play",
        "no die shows 0, 7, 8 or 9; its play cannot be checked and is taken as recorded",
    ),
    "opening-double": Report(
        "D302",
        "the first play",
        "equal dice at the start are rolled again",
        also="P4xx there: the steps fit another roll",
    ),
    "missing-roll": Report(
        "D304", "the play", "a play needs a roll; the steps are taken as recorded"
    ),
    "garbled-roll": Report("T101", "the cell", "the roll is there, but cannot be read: not D304"),
    "second-roll": Report("D305", "the cell", "one roll a turn"),
    "garbled-play": Report(
        "T101",
        "the cell",
        "the roll can be read, the steps cannot; the play it hides is not also missing",
    ),
    "garbled-half": Report("T101", "the cell", "one step cannot be read; the others are kept"),
    "emptied-play": Report(
        "P411; D303 where dances are written out",
        "the roll",
        "the roll can be played; not in the last turn before a result",
    ),
    "false-dance": Report(
        "P411", "the roll", "Cannot Move, but a play exists; not in the last turn before a result"
    ),
    "undecodable-name": Report("T102", "the header entry", "the byte is kept as a character"),
    "undecodable-cell": Report(
        "T102 or T101",
        "the cell",
        "the step cannot be read for the byte in it",
        also="T101 there, beside T102",
    ),
    "step-target": Report(
        "P4xx, or P412 at the play before",
        "the play",
        "the step needs another die, or lands where it may not",
    ),
    "step-source": Report(
        "P4xx, or P412 at the play before",
        "the play",
        "the step needs another die, or a checker that is not there",
    ),
    "missing-step": Report(
        "P409 or another P4xx",
        "the play",
        "a die is left that can be played; the empty point it leaves behind is a consequence",
    ),
    "extra-step": Report("P4xx, mostly P405", "the play", "more steps than dice"),
    "doubled-step": Report(
        "P4xx, mostly P405 or P401", "the play", "more steps than dice, or than checkers"
    ),
    "bar-ignored": Report(
        "P406 or a P4xx before it", "the play", "a checker on the bar enters first"
    ),
    "early-bear-off": Report("P407 or a P4xx before it", "the play", "all checkers must be home"),
    "bear-off-past": Report(
        "P408 or a P4xx before it", "the play", "a larger die bears off only the rearmost checker"
    ),
    "smaller-die": Report("P410", "the play", "either die but not both: the larger"),
    "false-hit-mark": Report(
        "T109", "the play", "nothing stands there to be hit; the play itself is legal"
    ),
    "double-lost": Report(
        "C506", "the answer", "an answer to no offer; the cube may or may not have been turned"
    ),
    "take-lost": Report("C507", "the next play", "play goes on over an open offer"),
    "drop-lost": Report(
        "R601 where resignations are spelled, else legal", "the result", "a win that nothing founds"
    ),
    "doubled-double": Report("C502 or T118", "the second", "an offer is not made twice"),
    "doubled-take": Report("C506 or T118", "the second", "nothing is on offer any more"),
    "cube-value": Report(
        "C505",
        "the double",
        "a double is twice the value; in money play other powers of two may be automatic doubles",
    ),
    "take-for-drop": Report(
        "R602; R601 where resignations are spelled",
        "the result",
        "a resignation at the doubled cube costs at least that",
    ),
    "drop-for-take": Report(
        "T106", "the next play", "the game is over with the drop; what follows is one finding"
    ),
    "not-owner": Report(
        "C501", "the double", "a double and its take put in for the side that does not own the cube"
    ),
    "crawford-double": Report(
        "C503", "the double", "a double and its take put into the Crawford game"
    ),
    "stray-take": Report(
        "C506", "the take", "a take in place of a play; the play it hides is not also missing"
    ),
    "stray-double": Report(
        "C502", "the double", "after the roll; that it is not answered is a consequence"
    ),
    "late-double": Report(
        "C502 or T105",
        "the double",
        "on the row after its own side's play: off turn, or a turn is missing",
    ),
    "beaver": Report("C508", "the beaver", "no beavers in a match"),
    "garbled-double": Report(
        "T101", "the cell", "the answer after it is not also without a double"
    ),
    "garbled-answer": Report("T101", "the cell", "the double before it is not also unanswered"),
    "header-lost": Report(
        "T120",
        "the first row of the game",
        "a game of its own, whose plays are checked as if nothing were lost",
    ),
    "game-line-lost": Report("T120", "the score line", "the other games of the match have one"),
    "score-line-lost": Report(
        "T120",
        "the game line",
        "the other games of the match have one; the score follows from the games before",
    ),
    "result-lost": Report(
        "R606",
        "the last turn",
        "decided by board or drop and not said; nothing where no game follows",
    ),
    "result-doubled": Report("R615", "the second result", "a game has one result"),
    "wins-side": Report(
        "R603; R604 at the next score line after an implied resignation",
        "the result",
        "the other side won; the next score line is a consequence",
    ),
    "wins-value": Report(
        "R602; R610 under Jacoby",
        "the result",
        "not what cube and board give, nor that capped; the next score line is a consequence",
    ),
    "garbled-wins": Report("T101", "the cell", "the next score line tells the result"),
    "score-line": Report(
        "R604",
        "the score line",
        "does not follow from the game before; the one after it may follow from either",
    ),
    "first-score": Report(
        "R608, or R604 at the second score line",
        "the score line",
        "a record may begin late, so the line itself is no error",
        also="R604 at the second score line",
    ),
    "shorter-match": Report(
        "R605",
        "the match line, or the first game line after the length is reached",
        "a game after the match was over; the length, where the score lines go on",
        also="C503 and R602 in games before it: under that length they are so",
    ),
    "game-number": Report("T104", "the game line", "does not follow the number before"),
    "match-line-lost": Report(
        "T117",
        "the first game line",
        "the length is not recorded; what depends on it is not checked",
    ),
    "name-change": Report(
        "T114", "the score line", "the players are others than in the game before"
    ),
}

BY_NAME = {fault.name: fault for fault in FAULTS}
INJECTED = tuple(fault for fault in FAULTS if fault.name in REPORTS)
REPAIRED = tuple(fault for fault in FAULTS if fault.family is not None)

IN_BGM_TEXT = frozenset(
    (
        *("lines-exchanged", "doubled-row", "row-lost", "turn-lost", "garbled-cell", "score-line"),
        *("die", "double-roll", "impossible-die", "dice-of-another-cell", "unreadable"),
        *("garbled-half", "emptied-play", "nearest-legal", "random-legal", "point-off-by-one"),
        *("step-target", "missing-step", "extra-step", "doubled-step", "direction"),
        *("other-side-points", "digits-transposed", "letter-for-digit", "double-lost", "take-lost"),
        *(
            "drop-lost",
            "cube-value",
            "garbled-double",
            "garbled-answer",
            "wins-value",
            "score-by-one",
        ),
        *("header-lost", "score-line-lost", "shorter-match", "other-length", "two-slips"),
    )
)
"""Kinds that are made as well of the project's own text, which has no columns."""
