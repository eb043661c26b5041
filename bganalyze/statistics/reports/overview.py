"""The overview: the most important figures of other reports at a glance.

Nothing is counted here. The reports are asked about the player, or about each player, and about all
players. Their figures are compared, and the largest differences come first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from bganalyze.statistics.estimates import (
    FEWEST_UNITS,
    MeasuredFigures,
    correct_dependent_p_values,
    p_value_of_differences,
)
from bganalyze.statistics.reports.answer import ReportAnswer
from bganalyze.statistics.reports.figures import CALLED, COLUMNS, Section
from bganalyze.statistics.reports.question import Question, restrict_tables
from bganalyze.statistics.tables.frames import Recorded

if TYPE_CHECKING:
    from bganalyze.analysis.store import Store

AskReport: TypeAlias = Callable[[Sequence[str], Question], ReportAnswer]
"""Function that answers a question with the named reports on some tables: `answer_from_tables` or
`answer_from_analyses`."""


class NamedFigure(NamedTuple):
    """The names of a statistic, its report and its table, with its name in the overview."""

    report: str
    section: str
    figure: str
    words: str = ""
    """Its name in the overview; empty if that is `figure`."""

    @property
    def called(self) -> str:
        """The statistic's name in the overview."""
        return self.words or self.figure


class ComparedFigure(NamedTuple):
    """A figure by which players are compared."""

    named: NamedFigure
    better: int = 0
    """1 if more is better, -1 if less is better, 0 for a matter of style."""
    is_luck: bool = False
    expected: float | Literal["expected", "others"] = "others"
    """The value for comparison: a number, the report's expected value, or the figure of all
    others."""


class OverviewSubject(NamedTuple):
    """The statistics to show in an overview of match files or of analyzed matches."""

    glance: tuple[NamedFigure, ...]
    """Statistics of one player."""
    glance_of_all: tuple[NamedFigure, ...]
    """Statistics of all players together."""
    players: tuple[NamedFigure, ...]
    """The columns of the table of players."""
    compared: tuple[ComparedFigure, ...]
    form: tuple[NamedFigure, ...]
    """Figures over time; the first with enough data is shown."""

    @property
    def of_player(self) -> tuple[str, ...]:
        """Names of the reports with the statistics of one player."""
        named = (*self.glance, *(entry.named for entry in self.compared))
        return tuple(dict.fromkeys(figure.report for figure in named))

    @property
    def of_everybody(self) -> tuple[str, ...]:
        """Names of the reports with the statistics of all players."""
        others = (entry.named for entry in self.compared if entry.expected == "others")
        # Not those on dice: they take long, and players are not compared by dice.
        return tuple(dict.fromkeys(figure.report for figure in (*self.players, *others)))

    @property
    def reports(self) -> tuple[str, ...]:
        """Names of all reports that the overview needs."""
        return (*self.of_player, *(figure.report for figure in self.form))


_GAMES, _MATCHES = ("points", "Games"), ("points", "Matches")
_PLAYS, _SHOTS = ("checker", "Plays"), ("checker", "Hits and shots")
_DOUBLES, _ANSWERS, _RACES = ("cube", "Doubles"), ("cube", "Answers"), ("cube", "Races")

OF_FILES = OverviewSubject(
    glance=(
        NamedFigure(*_GAMES, "games"),
        NamedFigure(*_GAMES, "games won"),
        NamedFigure(*_GAMES, "points a game"),
        NamedFigure(*_MATCHES, "complete matches"),
        NamedFigure(*_MATCHES, "matches won"),
    ),
    glance_of_all=(
        NamedFigure(*_GAMES, "gammons of all wins"),
        NamedFigure(*_DOUBLES, "doubles taken"),
    ),
    players=(
        NamedFigure(*_GAMES, "games"),
        NamedFigure(*_GAMES, "games won"),
        NamedFigure(*_GAMES, "points a game"),
        NamedFigure(*_MATCHES, "complete matches"),
        NamedFigure(*_MATCHES, "matches won"),
    ),
    compared=(
        ComparedFigure(NamedFigure(*_GAMES, "games won"), 1, expected=0.5),
        ComparedFigure(NamedFigure(*_GAMES, "points a game"), 1, expected=0.0),
        ComparedFigure(NamedFigure(*_MATCHES, "matches won"), 1, expected="expected"),
        ComparedFigure(NamedFigure(*_MATCHES, "won from behind", "matches won from behind"), 1),
        ComparedFigure(NamedFigure(*_GAMES, "points a win"), 1),
        ComparedFigure(NamedFigure(*_GAMES, "points a loss"), -1),
        ComparedFigure(NamedFigure(*_GAMES, "gammons of wins borne off"), 1),
        ComparedFigure(NamedFigure(*_GAMES, "gammons of losses borne off"), -1),
        ComparedFigure(
            NamedFigure(*_PLAYS, "pips wasted a turn", "pips wasted a turn of bearing off"), -1
        ),
        ComparedFigure(
            NamedFigure(*_ANSWERS, "points a take", "points after a take, per cube value before"), 1
        ),
        ComparedFigure(
            NamedFigure(
                *_RACES, "Keith: double", "doubles in a race that Keith's formula makes too"
            ),
            1,
        ),
        ComparedFigure(
            NamedFigure(
                *_RACES, "Keith: turned when due", "doubles made when Keith's formula doubles"
            ),
            1,
        ),
        ComparedFigure(
            NamedFigure(*_RACES, "Keith: takes", "takes in a race that Keith's formula takes too"),
            1,
        ),
        ComparedFigure(
            NamedFigure(
                *_RACES, "Keith: passes", "passes in a race that Keith's formula passes too"
            ),
            1,
        ),
        ComparedFigure(NamedFigure(*_PLAYS, "points made a play")),
        ComparedFigure(NamedFigure(*_PLAYS, "blots left", "blots left after a play")),
        ComparedFigure(
            NamedFigure(*_PLAYS, "primes of 5 or 6", "plays that end with a prime of 5 or 6")
        ),
        ComparedFigure(NamedFigure(*_PLAYS, "anchors", "plays that end with an anchor")),
        ComparedFigure(NamedFigure(*_SHOTS, "hit when rolled", "hits with rolls that can hit")),
        ComparedFigure(NamedFigure(*_SHOTS, "shots left", "plays that leave a shot")),
        ComparedFigure(NamedFigure(*_DOUBLES, "doubled", "turns with a first double")),
        ComparedFigure(NamedFigure(*_DOUBLES, "redoubled", "turns with a redouble")),
        ComparedFigure(NamedFigure(*_DOUBLES, "doubles taken", "own doubles taken by opponents")),
        ComparedFigure(NamedFigure(*_ANSWERS, "taken", "doubles of opponents taken")),
        ComparedFigure(
            NamedFigure("dice", "Rolls", "doubles", "doubles rolled"), 1, True, "expected"
        ),
        ComparedFigure(NamedFigure("dice", "Rolls", "pips a roll"), 1, True, "expected"),
        ComparedFigure(NamedFigure(*_PLAYS, "dances", "dances from the bar"), -1, True, "expected"),
        ComparedFigure(NamedFigure(*_SHOTS, "shots rolled", "shots rolled"), 1, True, "expected"),
        ComparedFigure(
            NamedFigure(*_SHOTS, "shots suffered", "shots opponents rolled"), -1, True, "expected"
        ),
    ),
    form=(
        NamedFigure("trend", "Moving window", "points a game"),
        NamedFigure("trend", "By month", "points a game"),
    ),
)

_RATES, _RATE, _PR = ("errors", "Error rates"), "gnubg (mEMG)", "PR (xg-b)"

_OVERALL = (
    NamedFigure("errors", "Errors by size", "decisions"),
    NamedFigure(*_RATES, _PR),
    NamedFigure(*_RATES, _RATE, "error rate (mEMG)"),
)

OF_ANALYSES = OverviewSubject(
    glance=(
        *_OVERALL,
        NamedFigure("errors", "Plays", _RATE, "error rate of plays (mEMG)"),
        NamedFigure("errors", "Cube", _RATE, "error rate of the cube (mEMG)"),
        NamedFigure("luck", "Rolls", "luck a roll (mEMG)"),
    ),
    glance_of_all=_OVERALL,
    players=(
        *_OVERALL,
        NamedFigure("errors", "Plays", _RATE, "plays (mEMG)"),
        NamedFigure("errors", "Cube", _RATE, "cube (mEMG)"),
        NamedFigure("luck", "Rolls", "luck a roll (mEMG)"),
    ),
    compared=(
        ComparedFigure(NamedFigure(*_RATES, _RATE, "error rate (mEMG)"), -1),
        ComparedFigure(NamedFigure("errors", "Plays", _RATE, "error rate of plays (mEMG)"), -1),
        ComparedFigure(NamedFigure("errors", "Cube", _RATE, "error rate of the cube (mEMG)"), -1),
        ComparedFigure(NamedFigure("errors", "By phase", _RATE, "error rate (mEMG)"), -1),
        ComparedFigure(
            NamedFigure("errors", "Errors by size", "very bad", "very bad decisions"), -1
        ),
        ComparedFigure(NamedFigure("errors", "Illegal plays", "illegal plays"), -1),
        *(
            ComparedFigure(NamedFigure("cube-errors", "How often", name), -1)
            for name in (
                *("missed double below CP", "missed double above CP", "wrong double below DP"),
                *("wrong double above TG", "wrong take", "wrong pass"),
            )
        ),
        ComparedFigure(NamedFigure("luck", "Rolls", "luck a roll (mEMG)"), 1, True, 0.0),
    ),
    form=(NamedFigure(*_RATES, _PR),),
)


class FigureOverTime(NamedTuple):
    """A player's figure over time."""

    section: Section
    figure: str


class Overview(NamedTuple):
    """An overview of one player or of all."""

    question: Question
    counted: tuple[str, ...]
    glance: pd.DataFrame
    """Figures of the player, or of all players."""
    days: tuple[str, str] | None
    """The first and the last month with dated matches."""
    players: Section
    """Every player; empty for an overview of one player."""
    compared: pd.DataFrame
    """Differences between players: statistics with the columns `player` (in an overview of all),
    `other`, `of_others`, `sort`, `p` and `corrected`, which is missing for differences due to luck."""
    form: FigureOverTime | None
    analyzed: int | None = None
    """Number of the matches that an engine has analyzed, if known."""


FEWEST_MATCHES = 10
"""In an overview of all, fewest matches of a player who is compared."""

MOST_COMPARED = 100
"""In an overview of all, most players who are compared: those with the most games."""

MOST_LINES = 3
"""Most players shown over time; more cannot be distinguished."""


def make_overview(
    run_reports: AskReport,
    question: Question,
    subject: OverviewSubject = OF_FILES,
    analyzed: int | None = None,
) -> Overview:
    """Return the main statistics of the question's player or, without one, of all players.

    `subject` says which statistics are shown. `analyzed` is the number of analyzed matches, if
    known.
    """
    question = question._replace(by=(), min_games=1, metrics=())
    of_each = question._replace(by=("player",))
    of_all = question.player is None
    glance = subject.glance_of_all if of_all else subject.glance
    names = subject.of_everybody if of_all else subject.of_player
    own = run_reports(names, question)
    by_player = run_reports(names, of_each) if of_all else own
    if of_all:
        compared = _compare_figures(
            _select_most_active(by_player, subject), by_player, own, subject
        )
    else:
        against_all = (
            own
            if question.opponent is None
            else run_reports(names, question._replace(opponent=None))
        )
        whole = run_reports(subject.of_everybody, question._replace(player=None, opponent=None))
        compared = _compare_figures(own, against_all, whole, subject)
    players = _join_figures(by_player, subject.players) if of_all else pd.DataFrame()
    are_few = of_all and players["player"].nunique() <= MOST_LINES if len(players) else False
    by_month = ("player", "month") if are_few else ("month",)
    over_time = run_reports([subject.form[0].report], question._replace(by=by_month))
    return Overview(
        question,
        own.counted,
        _join_figures(own, glance),
        _find_months(over_time, subject),
        Section("Players", players),
        compared,
        _select_figure_over_time(over_time, subject) if are_few or not of_all else None,
        analyzed,
    )


def count_analyzed_matches(
    recorded: Recorded, question: Question, analyses: Callable[[], Store | None]
) -> int | None:
    """Count the analyzed matches among those that a question selects.

    `analyses` opens the database of analyses, if there is one. None means that the database cannot
    be read.
    """
    from bganalyze.analysis.store_error import StoreError

    try:
        store = analyses()
        kept = {record for _, record, _ in store.list_analyses()} if store else set()
    except StoreError:
        return None
    chosen, _ = restrict_tables(recorded, question)
    return int(chosen.matches["content"].isin(kept).sum())


def _select_figure(answer: ReportAnswer, named: NamedFigure) -> pd.DataFrame:
    """Return the rows of the statistic `named` in an answer, or an empty table without it."""
    for section in answer.reports.get(named.report, ()):
        if section.title == named.section:
            return section.frame[section.frame["figure"] == named.figure]
    return pd.DataFrame(columns=list(COLUMNS))


def _join_figures(answer: ReportAnswer, figures: Sequence[NamedFigure]) -> pd.DataFrame:
    """Return the rows of several statistics in an answer as one table.

    The column `figure` has each statistic's name in the overview.
    """
    parts = [_select_figure(answer, named).assign(figure=named.called) for named in figures]
    return pd.concat([part for part in parts if len(part)] or parts[:1], ignore_index=True)


def _select_most_active(answer: ReportAnswer, subject: OverviewSubject) -> ReportAnswer:
    """Return an answer with only the players who have the most games.

    `subject` says which statistic is the number of games.
    """
    first = _select_figure(answer, subject.players[0])
    enough = first[first["matches"] >= FEWEST_MATCHES]
    # The first statistic in the table of players is the number of games.
    players = enough.astype({"value": float}).nlargest(MOST_COMPARED, "value")["player"]
    reports = {
        name: [
            section._replace(frame=section.frame[section.frame["player"].isin(players)])
            for section in sections
            if "player" in section.frame
        ]
        for name, sections in answer.reports.items()
    }
    return answer._replace(reports=reports)


def _find_months(over_time: ReportAnswer, subject: OverviewSubject) -> tuple[str, str] | None:
    """Return the first and the last month in the answer `over_time`, or None without months."""
    # The last of these statistics has a row for each month.
    months = (
        _select_figure(over_time, subject.form[-1]).get("month", pd.Series(dtype=object)).dropna()
    )
    names = sorted(set(map(str, months)))
    return (names[0], names[-1]) if names else None


def _select_figure_over_time(
    over_time: ReportAnswer, subject: OverviewSubject
) -> FigureOverTime | None:
    """Return the first statistic of `subject.form` with several values over time, or None."""
    for named in subject.form:
        rows = _select_figure(over_time, named)
        times = {"date", "month"} & set(rows.columns)
        if any(len(rows[time].dropna().unique()) > 1 for time in times):
            return FigureOverTime(Section("Form", rows), named.figure)
    return None


# Differences between players and all others, or the expected value.


LUCK = ("lucky", "unlucky")
"""Kinds of differences due to the dice, which do not depend on the player."""


def _compare_figures(
    own: ReportAnswer,
    against_all: ReportAnswer,
    of_everybody: ReportAnswer,
    subject: OverviewSubject,
) -> pd.DataFrame:
    """Return players' statistics beside those of all other players, the smallest p-value first.

    `own` has the players' values, `against_all` those against all opponents, `of_everybody` those
    of all players together.
    """
    answers = (own, against_all, of_everybody)
    parts = [
        _compare_figure(entry, *(_select_figure(answer, entry.named) for answer in answers))
        for entry in subject.compared
    ]
    frame = pd.concat([part for part in parts if len(part)] or parts[:1], ignore_index=True)
    frame = frame[frame["p"].notna()].reset_index(drop=True)
    is_of_players = ~frame["sort"].isin(LUCK)
    corrected = correct_dependent_p_values(frame.loc[is_of_players, "p"].tolist())
    frame.loc[is_of_players, "corrected"] = corrected
    return frame.sort_values("p", kind="stable").reset_index(drop=True)


def _compare_figure(
    compared: ComparedFigure,
    own: pd.DataFrame,
    against_all: pd.DataFrame,
    of_everybody: pd.DataFrame,
) -> pd.DataFrame:
    """Return one statistic of each player beside the value for comparison, with a p-value.

    `own` has the players' values, `against_all` those against all opponents, `of_everybody` those
    of all players together.
    """
    rows = own[own["matches"] >= FEWEST_UNITS]
    if compared.expected == "others":
        rows = _join_numbers(_join_numbers(rows, against_all, "_total"), of_everybody, "_whole")
    own_figures, others = _measure_rows(rows), _measure_expected(compared, rows)
    return rows.assign(
        figure=_name_figures(rows, compared, _list_group_columns(of_everybody)),
        other=others.value,
        of_others=compared.expected == "others",
        sort=_name_difference(compared, np.sign(own_figures.value - others.value)),
        p=p_value_of_differences(own_figures, others),
    )


def _join_numbers(rows: pd.DataFrame, others: pd.DataFrame, suffix: str) -> pd.DataFrame:
    """Add to each row the numbers of the row of `others` with the same group.

    The names of the added columns end with `suffix`.
    """
    keys = _list_group_columns(others)
    numbers = others[[*keys, *COLUMNS[2:-1]]].rename(
        columns=lambda name: name + suffix * (name not in keys)
    )
    return rows.merge(numbers, on=keys) if keys else rows.merge(numbers, how="cross")


def _list_group_columns(rows: pd.DataFrame) -> list[str]:
    """Return the names of the columns that define groups, such as `player`."""
    return [str(name) for name in rows if name not in (CALLED, *COLUMNS)]


def _measure_rows(rows: pd.DataFrame, suffix: str = "") -> MeasuredFigures:
    """Return the values, intervals and numbers of matches in columns that end in `suffix`."""
    names = ("value", "low", "high", "matches")
    value, low, high, matches = (rows[name + suffix].to_numpy(dtype=float) for name in names)
    # The interval of independent trials, such as rolls, does not depend on matches.
    independent = rows["kind"].isin(("trials", "contests")).to_numpy()
    return MeasuredFigures(value, low, high, np.where(independent, MANY, matches))


def _measure_expected(compared: ComparedFigure, rows: pd.DataFrame) -> MeasuredFigures:
    """Return the value to which each row's statistic is compared, with an interval.

    `compared.expected` chooses a fixed number, the report's expected value, or the value of all
    other players.
    """
    if compared.expected != "others":
        expected = rows["expected"] if compared.expected == "expected" else compared.expected
        value = np.asarray(np.zeros(len(rows)) + expected, dtype=float)
        return MeasuredFigures(value, value, value, np.full(len(rows), MANY))
    whole = _measure_rows(rows, "_whole")
    count = _compute_share_of_others(rows, "count")
    of = np.where(
        _compute_share_of_others(rows, "of") > 0, _compute_share_of_others(rows, "of"), np.nan
    )
    value = whole.value * count / of
    reach = (whole.high - whole.low) / 2 / np.sqrt(of)
    return MeasuredFigures(value, value - reach, value + reach, whole.matches)


def _compute_share_of_others(rows: pd.DataFrame, column: str) -> npt.NDArray[np.float64]:
    """Return for each row the share (0 to 1) of a sum that belongs to the other players.

    The column `{column}_whole` has the sum of all players, `{column}_total` that of the row's
    player.

    >>> sums = pd.DataFrame({"of_whole": [100.0], "of_total": [25.0]})
    >>> _compute_share_of_others(sums, "of").tolist()
    [0.75]
    """
    whole = rows[f"{column}_whole"].to_numpy(dtype=float)
    others = whole - rows[f"{column}_total"].to_numpy(dtype=float)
    return np.where(whole == 0, 0.0, others / np.where(whole == 0, 1.0, whole))


MANY = 1e6
"""Number of matches that means certainty, for a value that is known exactly."""


def _name_figures(
    rows: pd.DataFrame, compared: ComparedFigure, group_columns: Sequence[str]
) -> pd.Series:
    """Return a name for each row: its statistic and group, as in `error rate (mEMG), contact`.

    The `group_columns` have the words for the group.
    """
    parts = [rows[name].astype(str) for name in group_columns]
    words = pd.Series(compared.named.called, index=rows.index)
    for part in parts:
        words = words + ", " + part
    return words


def _name_difference(
    compared: ComparedFigure, sign: npt.NDArray[np.float64]
) -> npt.NDArray[np.object_]:
    """Return a word for each difference from others: strong, weak, lucky, unlucky or style.

    `sign` is 1 if the player's value is larger, -1 if it is smaller.
    """
    if not compared.better:
        return np.full(len(sign), "style", dtype=object)
    good, bad = LUCK if compared.is_luck else ("strong", "weak")
    return np.where(sign * compared.better > 0, good, bad).astype(object)
