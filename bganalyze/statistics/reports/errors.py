"""The reports of errors: their rates, the classes of cube errors, and the costliest decisions."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import pandas as pd

from bganalyze.analysis.analyzed import CUBE
from bganalyze.analysis.decisions import GIVING_UP, TO_DOUBLER, Kind
from bganalyze.analysis.describe import LEAST
from bganalyze.analysis.error_rates import METRICS, PR, PR_SHOWN, rate_name
from bganalyze.analysis.gnubg_statistics import MARKS, CubeError
from bganalyze.board.ids import Situation, parse_unlimited_xgid
from bganalyze.statistics.precision import describe_precision
from bganalyze.statistics.reports.analyzed_counts import (
    add_pr_classes,
    choose_metrics,
    count_doubles_so_far,
    estimate_rates,
    index_by_decision,
    list_decisions_by_side,
    make_metric_figures,
    note_not_analyzed,
    select_metrics_for_parts,
    tabulate_losses,
)
from bganalyze.statistics.reports.figures import (
    Board,
    Section,
    add_number_columns,
    count,
    declare_report,
    make_figure_section,
    mean,
    name_groups,
    rate,
    select_rows_of_question,
    share,
)
from bganalyze.statistics.reports.question import Question, restrict_to_player
from bganalyze.statistics.tables.frames import AnalyzedTables, list_paths
from bganalyze.statistics.tables.schema import SIDES
from bganalyze.text import number_of

OF_SIZE = (
    count("decisions", "counted", "", "Decisions that GNU Backgammon's error rate counts."),
    share(
        "errors",
        "errors",
        "counted",
        f"Decisions that lost {LEAST} EMG or more, of those that count.",
    ),
    *(
        share(
            mark,
            mark,
            "counted",
            f"Decisions that lost more than {least}{f' and at most {most}' if most else ''} EMG.",
        )
        for (mark, least), most in reversed(
            list(zip(MARKS.items(), (None, *MARKS.values()), strict=False))
        )
    ),
)

ILLEGAL = (
    share("illegal plays", "illegal", "rolls", "Illegal plays, of the plays on verified boards."),
    mean(
        "lost by an illegal play (mEMG)",
        "illegal_lost",
        "illegal_analyzed",
        "By the position after the play; below 0 if it was better than any legal play.",
        factor=1000,
    ),
)

SECTIONS = {
    "Error rates": make_metric_figures(METRICS),
    "Plays": make_metric_figures(select_metrics_for_parts(METRICS)),
    "Cube": make_metric_figures(select_metrics_for_parts(METRICS)),
    "By phase": make_metric_figures(select_metrics_for_parts(METRICS)),
    "Errors by size": OF_SIZE,
    "Illegal plays": ILLEGAL,
}


@declare_report(SECTIONS)
def yield_errors_sections(tables: AnalyzedTables, question: Question) -> Iterator[Section]:
    """Yield the tables of the report `errors`.

    Errors: the cost of decisions, under each published error rate side by side.

    Every rate has its own rule for the decisions that count; `analyze --decisions` shows them one
    by one. Illegal plays are in no rate, and are listed separately.
    """
    rows = select_rows_of_question(tabulate_losses(tables), question)
    by = [name for name in question.by if name in rows]
    metrics = choose_metrics(question)
    of_parts = select_metrics_for_parts(metrics)
    plays = rows["kind"] == "play"
    rates = add_pr_classes(estimate_rates(rows, metrics, by))
    notes = (
        *_note_on_intervals(rates),
        *note_precision(rates, by),
        *note_not_analyzed(restrict_to_player(tables, question)),
    )
    yield Section("Error rates", rates, notes)
    yield Section("Plays", estimate_rates(rows[plays], of_parts, by))
    yield Section("Cube", estimate_rates(rows[~plays], of_parts, by))
    if "phase" not in by:  # else the error rates are by phase already
        yield Section("By phase", estimate_rates(rows, of_parts, [*by, "phase"]))
    yield make_figure_section("Errors by size", _mark_error_sizes(rows), OF_SIZE, by)
    yield make_figure_section("Illegal plays", _mark_illegal_plays(rows), ILLEGAL, by)


def _note_on_intervals(rates: pd.DataFrame) -> Iterator[str]:
    """Yield a note on how 95 % intervals are computed, if any error rate has an interval."""
    if rates["low"].notna().any():
        # They come from the differences between matches, unlike those of `analyze`.
        yield (
            "95 % intervals come from the differences between matches; those of bganalyze analyze"
            " and of a match report from the spread of the losses of decisions"
        )


MOST_DESCRIBED = 3
"""Most groups whose precision is described in notes."""


def note_precision(rates: pd.DataFrame, group_columns: Sequence[str]) -> tuple[str, ...]:
    """Return a note on the precision of each group's PR, or () if there are too many groups.

    `rates` are the error rates of the groups.
    """
    rows = rates[rates["figure"] == rate_name(PR_SHOWN, PR)]
    if len(rows) > MOST_DESCRIBED:
        return ()
    words = (
        describe_precision((value, low, high), int(of), int(matches))
        for value, low, high, of, matches in zip(
            *(rows[name] for name in ("value", "low", "high", "of", "matches")), strict=True
        )
    )
    names = [f"PR of {name}" for name in name_groups(rows, group_columns)]
    named = zip(names, words, strict=True)
    return tuple(f"{name}: {known}" for name, known in named if known)


def _mark_error_sizes(rows: pd.DataFrame) -> pd.DataFrame:
    """Return decisions with a column of 0 and 1 for each size of error, such as `very bad`."""
    counts = rows["gnubg_counts"].eq(True)
    lost = rows["loss"].where(counts, 0.0)
    sizes = {"counted": counts, "errors": lost >= LEAST}
    below = float("inf")
    for mark, least in MARKS.items():
        sizes[mark] = (lost > least) & (lost <= below)
        below = least
    # All 0 for a decision that GNU Backgammon's error rate does not count.
    return add_number_columns(rows, sizes)


def _mark_illegal_plays(rows: pd.DataFrame) -> pd.DataFrame:
    """Return decisions with columns on illegal plays, such as `illegal_lost` for their losses."""
    own = rows["decision"].notna()
    checkable = rows["legal"].notna() & own & (rows["kind"] == "play")
    illegal = checkable & rows["legal"].eq(False).fillna(False)
    analyzed = illegal & rows["loss"].notna()
    lost = rows["loss"].where(analyzed, 0.0)
    sums = {
        "rolls": checkable,
        "illegal": illegal,
        "illegal_analyzed": analyzed,
        "illegal_lost": lost,
    }
    return add_number_columns(rows, sums)


# Cube errors by class.

COULD_BE = {
    CubeError.MISSED_BELOW_CP: ("no-double", "close decisions not to double"),
    CubeError.MISSED_ABOVE_CP: ("no-double", "close decisions not to double"),
    CubeError.WRONG_BELOW_DP: ("double", "doubles"),
    CubeError.WRONG_ABOVE_TG: ("double", "doubles"),
    CubeError.WRONG_TAKE: ("take", "takes"),
    CubeError.WRONG_PASS: ("pass", "passes"),
}
"""The kind of decision in which each error is made, with its plural in words."""

DECISIONS = count("decisions", "counted", "", "Close or actual cube decisions.")

MADE = (
    DECISIONS,
    *(
        share(
            error,
            f"{error} made",
            f"{kind} counted",
            f"Decisions with this error, of the {called}.",
        )
        for error, (kind, called) in COULD_BE.items()
    ),
)

COSTS = (
    *(
        rate(
            f"{error} (mEMG)",
            f"{error} lost",
            "counted",
            "Equity lost by this error, per close or actual decision.",
            factor=1000,
        )
        for error in COULD_BE
    ),
    rate("all six (mEMG)", "lost", "counted", "GNU Backgammon's cube error rate.", factor=1000),
)


@declare_report({"How often": MADE, "Costs": COSTS})
def yield_cube_errors_sections(tables: AnalyzedTables, question: Question) -> Iterator[Section]:
    """Yield the tables of the report `cube-errors`.

    Cube errors by class: the six classes of GNU Backgammon.

    CP is the cash point and DP the doubling point. TG is the point from which a position is too
    good to double. How often: the share of errors in the decisions in which the error was possible.
    Costs: equity lost per decision that GNU Backgammon's cube error rate counts. These are all
    doubles, takes and passes, and the close decisions not to double. So the costs of the six errors
    add up to that rate.
    """
    rows = select_rows_of_question(select_cube_decisions(tables), question)
    by = [name for name in question.by if name in rows]
    yield make_figure_section(
        "How often", rows, MADE, by, *note_not_analyzed(restrict_to_player(tables, question))
    )
    yield make_figure_section("Costs", rows, COSTS, by)


def select_cube_decisions(tables: AnalyzedTables) -> pd.DataFrame:
    """Return the cube decisions that GNU Backgammon counts, with columns for its six cube errors.

    For the error `wrong take`, for example, `wrong take made` is 1 or 0, and `wrong take lost` is
    the loss.
    """
    rows = list_decisions_by_side(tables)
    # Decisions not to double count only if they are close.
    rows = rows[rows["gnubg_counts"] & (rows["kind"] != "play")]
    sums = {"counted": pd.Series(True, index=rows.index), "lost": rows["loss"]}
    sums |= {f"{kind} counted": rows["kind"] == kind for kind, _ in COULD_BE.values()}
    for error in COULD_BE:
        is_so = rows["cube_error"] == error
        sums |= {f"{error} made": is_so, f"{error} lost": rows["loss"].where(is_so, 0.0)}
    return add_number_columns(rows, sums)


# The costliest decisions.

OF_DECISION = (
    *("player", "opponent", "path", "number", "game", "place", "engine", "score", "kind", "dice"),
    *("played", "better", "loss", "cost", "xgid"),
)


@declare_report({"Costliest decisions": ()})  # no figures: a row is a decision
def yield_worst_sections(tables: AnalyzedTables, question: Question) -> Iterator[Section]:
    """Yield the tables of the report `worst`.

    Worst: the costliest decisions, each with its board, the recorded play and the best one.

    They are ordered by equity lost (EMG), whatever the metric. Successive missed doubles of a game
    are listed once, with the costliest turn. Illegal plays are left out, because they were never a
    choice.
    """
    rows = select_rows_of_question(list_decisions_by_side(tables), question)
    wrong = select_errors(rows)
    listed = _describe_decisions(
        keep_costliest_missed_doubles(wrong, tables).head(question.most), tables
    )
    notes = (
        f"the costliest {len(listed)} of {number_of(len(wrong), 'error')} of {LEAST} EMG or more",
        *(
            ["sorted by equity lost (EMG): --metric does not change this list"]
            if question.metrics
            else []
        ),
        *note_not_analyzed(restrict_to_player(tables, question)),
    )
    frame = listed[list(OF_DECISION)].reset_index(drop=True)
    yield Section("Costliest decisions", frame, notes, tuple(_make_boards(listed)))


def select_errors(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the legal decisions that lost 0.001 EMG or more, the costliest first."""
    legal = leave_out_illegal(rows)
    wrong = legal[legal["loss"] >= LEAST]
    return wrong.sort_values("loss", ascending=False, kind="stable")


def leave_out_illegal(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the decisions that are neither illegal plays nor illegal cube actions."""
    return rows[rows["legal"].ne(False).fillna(True)]


def keep_costliest_missed_doubles(wrong: pd.DataFrame, tables: AnalyzedTables) -> pd.DataFrame:
    """Return errors with only the costliest of successive missed doubles of a side.

    `wrong` are errors, the costliest first. The new column `more` counts the missed doubles left
    out.
    """
    is_missed = wrong["kind"] == Kind.NO_DOUBLE
    runs = count_doubles_so_far(tables, wrong)
    occasion = (-runs - 1).where(is_missed, wrong["decision"])
    keys = [wrong["match"], wrong["game"], wrong["side"], occasion]
    turns = wrong.groupby(keys)["loss"].transform("size")
    is_first = ~pd.concat(keys, axis=1).duplicated()
    return wrong.assign(more=turns - 1)[is_first]


def _describe_decisions(rows: pd.DataFrame, tables: AnalyzedTables) -> pd.DataFrame:
    """Return decisions with columns to show, such as `path`, `played` and `better`."""
    matches = tables.matches.set_index("match").loc[rows["match"]]
    return rows.assign(
        turn=_number_turns(rows, tables),
        path=list_paths(rows, tables),
        number=matches["number"].to_numpy(),
        played=rows["made"].astype(object) + _describe_missed_doubles(rows),
        better=rows["solution"],
        kind=rows["kind"].astype(str),
    )


def _number_turns(rows: pd.DataFrame, tables: AnalyzedTables) -> list[int]:
    """Number the turn of each decision among the turns of its side in the game, from 1."""
    every = tables.decisions
    is_play = every["kind"] == Kind.PLAY
    sides = [every["match"], every["game"], every["side"].astype(str)]
    before = is_play.astype(int).groupby(sides).cumsum() - is_play
    of_decision = pd.Series(before.to_numpy(), index_by_decision(every))
    return [int(number) + 1 for number in of_decision.reindex(index_by_decision(rows))]


def _describe_missed_doubles(rows: pd.DataFrame) -> pd.Series:
    """Return text such as ` (the costliest of 3 turns)` for each row, or "" for a single turn.

    `keep_costliest_missed_doubles` keeps one row for several turns in which a side missed a double.
    """
    more = rows["more"] if "more" in rows else pd.Series(0, rows.index)
    words = {
        number: f" (the costliest of {number + 1} turns)" if number else ""
        for number in map(int, more.unique())
    }
    return more.map(words).astype(object)


def boards_of(rows: pd.DataFrame, tables: AnalyzedTables) -> Iterator[Board]:
    """Yield each decision's board with its place in the file, play, better play and loss."""
    return _make_boards(_describe_decisions(rows, tables))


def _make_boards(rows: pd.DataFrame) -> Iterator[Board]:
    """Yield a board for each decision, with a title such as `1. Ann against Bob`."""
    for place, row in enumerate(rows.to_dict("records"), 1):
        player, opponent = str(row["player"]), str(row["opponent"])
        names = (player, opponent) if row["side"] == "left" else (opponent, player)
        title = f"{place}. {player} against {opponent}"
        situation = parse_unlimited_xgid(str(row["xgid"]))
        yield Board(title, situation, names, tuple(_describe_error(row, situation)))


def _describe_error(row: dict[Hashable, Any], situation: Situation) -> Iterator[tuple[str, str]]:
    """Yield pairs of label and text on one error, such as its place, roll and better play."""
    side = SIDES.index(str(row["side"]))
    in_game = f"row {row['row']}" if isinstance(row["row"], str) else f"turn {row['turn']}"
    yield "Place", f"game {row['game']}, {in_game} ({row['path']}:{row['place']})"
    if isinstance(row["dice"], str):
        yield "Rolled", "-".join(row["dice"])
    points = f" ({_describe_points(row)})" if row["kind"] in GIVING_UP else ""
    yield "Played", f"{row['played']}{points}"
    yield "Better", str(row["better"])
    yield "Score", f"{_describe_score(situation, side)}; {_describe_cube(situation, side)}"
    if row["kind"] in CUBE and not pd.isna(row["take"]):
        yield "Equities", _describe_equities(row)
    if row["kind"] in GIVING_UP:
        yield "Equities", _describe_equities_of_resignation(row)
    is_money, cost = row["score"] == "none", row["cost"]
    given = f"{cost:.3f} points" if is_money else f"{100 * cost:.2f} % MWC"
    yield "Lost", f"{row['loss']:.3f} EMG, {given}, by {row['engine']}"
    yield "Position", str(row["xgid"])


def _describe_score(situation: Situation, side: int) -> str:
    """Describe the score: the points that a side and its opponent need, and the stage of the match.

    >>> from bganalyze.board.position import start_position
    >>> match = Situation(start_position("standard"), on_roll=0, length=7, scores=(4, 2))
    >>> _describe_score(match, 0)
    'needs 3, opponent needs 5'
    >>> _describe_score(match._replace(scores=(6, 2), crawford=True), 0)
    'needs 1, opponent needs 5, Crawford game'
    >>> _describe_score(match._replace(scores=(6, 2)), 1)
    'needs 5, opponent needs 1, after Crawford'
    >>> _describe_score(match._replace(scores=(6, 6)), 0)
    'needs 1, opponent needs 1 (double match point)'
    >>> _describe_score(match._replace(length=0), 0)
    'money play'
    """
    if not situation.length:
        return "money play"
    own, other = (situation.length - situation.scores[one] for one in (side, 1 - side))
    if own == other == 1:
        return "needs 1, opponent needs 1 (double match point)"
    is_after = min(own, other) == 1 < situation.length and not situation.crawford
    stage = ", Crawford game" * situation.crawford + ", after Crawford" * is_after
    return f"needs {own}, opponent needs {other}{stage}"


def _describe_cube(situation: Situation, side: int) -> str:
    """Describe the cube's value and owner, as the side that decides sees them.

    Before the dice are rolled, the text also names the side on roll.

    >>> from bganalyze.board.position import start_position
    >>> centered = Situation(start_position("standard"), on_roll=0)
    >>> _describe_cube(centered, 0), _describe_cube(centered._replace(offered=True), 1)
    ('cube 1, on roll', 'cube 1, opponent on roll doubles')
    >>> owned = centered._replace(cube_value=2, cube_owner=0)
    >>> _describe_cube(owned, 0), _describe_cube(owned, 1)
    ('cube 2 owned, on roll', "opponent's cube 2, opponent on roll")
    >>> _describe_cube(owned._replace(dice=(3, 1)), 0)
    'cube 2 owned'
    """
    owner, value = situation.cube_owner, situation.cube_value
    cube = f"opponent's cube {value}" if owner == 1 - side else f"cube {value}"
    cube += " owned" * (owner == side)
    if situation.dice is not None:
        return cube
    rolls = "on roll" if situation.on_roll == side else "opponent on roll"
    return f"{cube}, {rolls}{' doubles' * situation.offered}"


def _describe_points(row: dict[Hashable, Any]) -> str:
    """Describe the points given up by a resignation.

    >>> _describe_points({"offer": 2}), _describe_points({"offer": 0})
    ('2 points given up', 'points not recorded')
    """
    points = int(row["offer"])
    return f"{number_of(points, 'point')} given up" if points else "points not recorded"


def _describe_equities_of_resignation(row: dict[Hashable, Any]) -> str:
    """Describe the equities (EMG) of ending a game by resignation and of playing on.

    The equities are those of the player who decides.

    >>> resigned = {"kind": Kind.RESIGNATION, "best": -1.526, "reached": -2.0, "player": "Ann"}
    >>> _describe_equities_of_resignation(resigned)
    'resign -2.000, play on -1.526 (of Ann)'
    >>> declined = {"kind": Kind.DECLINE, "best": 2.0, "reached": 1.5, "player": "Bob"}
    >>> _describe_equities_of_resignation(declined)
    'accept 2.000, play on 1.500 (of Bob)'
    """
    # An error has two choices: the one made and the better one.
    is_ended = row["kind"] != Kind.DECLINE
    ended, goes_on = (row["reached"], row["best"]) if is_ended else (row["best"], row["reached"])
    word = "resign" if row["kind"] == Kind.RESIGNATION else "accept"
    return f"{word} {ended:.3f}, play on {goes_on:.3f} (of {row['player']})"


def _describe_equities(row: dict[Hashable, Any]) -> str:
    """Describe the equities (EMG) of the cube actions for the doubler, as far as they are known.

    >>> row = {"no_double": 0.5, "take": 0.625, "passed": 1.0, "player": "Ann", "opponent": "Bob"}
    >>> _describe_equities(row | {"kind": Kind.NO_DOUBLE})
    'no double 0.500, take 0.625, pass 1.000 (of Ann)'
    >>> _describe_equities(row | {"kind": Kind.PASS})
    'no double 0.500, take 0.625, pass 1.000 (of Bob, who doubled)'
    """
    actions = {"no_double": "no double", "take": "take", "passed": "pass"}
    known = (f"{word} {row[name]:.3f}" for name, word in actions.items() if not pd.isna(row[name]))
    is_answer = row["kind"] in TO_DOUBLER
    whose = f"{row['opponent']}, who doubled" if is_answer else str(row["player"])
    return f"{', '.join(known)} (of {whose})"
