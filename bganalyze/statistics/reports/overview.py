"""The overview: what a player wants to see at a glance, taken from what other reports say.

Nothing is counted here. The reports are asked for the player, or for each player, and for everybody;
their figures are compared, and what differs most is told first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from bganalyze.statistics.estimates import FEWEST_UNITS, Measured, corrected_of_same, differences
from bganalyze.statistics.reports.answer import ReportAnswer
from bganalyze.statistics.reports.figures import CALLED, COLUMNS, Section
from bganalyze.statistics.reports.question import Question, selected
from bganalyze.statistics.tables.frames import Recorded

if TYPE_CHECKING:
    from bganalyze.analysis.store import Store

Ask: TypeAlias = Callable[[Sequence[str], Question], ReportAnswer]
"""What answers questions with the reports of these names: `answered` or `analyzed_answered`, of some tables."""


class Named(NamedTuple):
    """A figure of a report, and what the overview calls it."""

    report: str
    section: str
    figure: str
    words: str = ""

    @property
    def called(self) -> str:
        """Its name where it stands among figures of other sections."""
        return self.words or self.figure


class Compared(NamedTuple):
    """A figure in which players are compared."""

    named: Named
    better: int = 0
    """1 where more of it is better, -1 where less is; 0 where it is a matter of style."""
    is_luck: bool = False
    expected: float | Literal["expected", "others"] = "others"
    """What it is compared with: a number, what the report expects, or the figure of all others."""


class Subject(NamedTuple):
    """What an overview shows of files, or of analyzed matches."""

    glance: tuple[Named, ...]
    """Of one player."""
    glance_of_all: tuple[Named, ...]
    players: tuple[Named, ...]
    """The columns of the table of players."""
    compared: tuple[Compared, ...]
    form: tuple[Named, ...]
    """Over time; the first of which there is enough is shown."""

    @property
    def of_player(self) -> tuple[str, ...]:
        """The reports that are asked of one player."""
        named = (*self.glance, *(entry.named for entry in self.compared))
        return tuple(dict.fromkeys(figure.report for figure in named))

    @property
    def of_everybody(self) -> tuple[str, ...]:
        """Those that others are compared by: not the dice, whose tests take long for each player."""
        others = (entry.named for entry in self.compared if entry.expected == "others")
        return tuple(dict.fromkeys(figure.report for figure in (*self.players, *others)))

    @property
    def reports(self) -> tuple[str, ...]:
        """All reports that are asked."""
        return (*self.of_player, *(figure.report for figure in self.form))


_GAMES, _MATCHES = ("points", "Games"), ("points", "Matches")
_PLAYS, _SHOTS = ("checker", "Plays"), ("checker", "Hits and shots")
_DOUBLES, _ANSWERS, _RACES = ("cube", "Doubles"), ("cube", "Answers"), ("cube", "Races")

OF_FILES = Subject(
    glance=(
        Named(*_GAMES, "games"),
        Named(*_GAMES, "games won"),
        Named(*_GAMES, "points a game"),
        Named(*_MATCHES, "matches", "matches to a length"),
        Named(*_MATCHES, "matches won"),
    ),
    glance_of_all=(
        Named(*_GAMES, "gammons of all wins"),
        Named(*_DOUBLES, "doubles taken"),
    ),
    players=(
        Named(*_GAMES, "games"),
        Named(*_GAMES, "games won"),
        Named(*_GAMES, "points a game"),
        Named(*_MATCHES, "matches"),
        Named(*_MATCHES, "matches won"),
    ),
    compared=(
        Compared(Named(*_GAMES, "games won"), 1, expected=0.5),
        Compared(Named(*_GAMES, "points a game"), 1, expected=0.0),
        Compared(Named(*_MATCHES, "matches won"), 1, expected="expected"),
        Compared(Named(*_MATCHES, "won from behind", "matches won from behind"), 1),
        Compared(Named(*_GAMES, "points a win"), 1),
        Compared(Named(*_GAMES, "points a loss"), -1),
        Compared(Named(*_GAMES, "gammons of wins borne off"), 1),
        Compared(Named(*_GAMES, "gammons of losses borne off"), -1),
        Compared(Named(*_PLAYS, "pips wasted a turn", "pips wasted a turn of bearing off"), -1),
        Compared(
            Named(*_ANSWERS, "points a take", "points after a take, for each on the cube before"), 1
        ),
        Compared(Named(*_RACES, "Keith: double", "doubles in a race that Keith makes"), 1),
        Compared(Named(*_RACES, "Keith: turned when due", "doubles by Keith made"), 1),
        Compared(Named(*_RACES, "Keith: takes", "takes in a race that Keith takes"), 1),
        Compared(Named(*_RACES, "Keith: passes", "passes in a race that Keith passes"), 1),
        Compared(Named(*_PLAYS, "points made a play")),
        Compared(Named(*_PLAYS, "blots left", "blots left after a play")),
        Compared(Named(*_PLAYS, "primes of 5 or 6", "plays that end with a prime of 5 or 6")),
        Compared(Named(*_PLAYS, "anchors", "plays that end with an anchor")),
        Compared(Named(*_SHOTS, "hit when rolled", "rolls that can hit, played as a hit")),
        Compared(Named(*_SHOTS, "shots left", "plays that leave a shot")),
        Compared(Named(*_DOUBLES, "doubled", "turns with a first double")),
        Compared(Named(*_DOUBLES, "redoubled", "turns with a redouble")),
        Compared(Named(*_DOUBLES, "doubles taken", "own doubles taken by opponents")),
        Compared(Named(*_ANSWERS, "taken", "doubles of opponents taken")),
        Compared(Named("dice", "Rolls", "doubles", "doubles rolled"), 1, True, "expected"),
        Compared(Named("dice", "Rolls", "pips a roll"), 1, True, "expected"),
        Compared(Named(*_PLAYS, "dances", "dances from the bar"), -1, True, "expected"),
        Compared(Named(*_SHOTS, "shots rolled", "shots hit by the dice"), 1, True, "expected"),
        Compared(
            Named(*_SHOTS, "shots suffered", "shots that opponents' dice hit"), -1, True, "expected"
        ),
    ),
    form=(
        Named("trend", "Moving window", "points a game"),
        Named("trend", "By month", "points a game"),
    ),
)

_RATES, _RATE, _PR = ("errors", "Error rates"), "gnubg (mEMG)", "PR (xg-b)"

_OVERALL = (
    Named("errors", "Errors by size", "decisions"),
    Named(*_RATES, _PR),
    Named(*_RATES, _RATE, "error rate (mEMG)"),
)

OF_ANALYSES = Subject(
    glance=(
        *_OVERALL,
        Named("errors", "Plays", _RATE, "error rate of plays (mEMG)"),
        Named("errors", "Cube", _RATE, "error rate of the cube (mEMG)"),
        Named("luck", "Rolls", "luck a roll (mEMG)"),
    ),
    glance_of_all=_OVERALL,
    players=(
        *_OVERALL,
        Named("errors", "Plays", _RATE, "plays (mEMG)"),
        Named("errors", "Cube", _RATE, "cube (mEMG)"),
        Named("luck", "Rolls", "luck a roll (mEMG)"),
    ),
    compared=(
        Compared(Named(*_RATES, _RATE, "error rate (mEMG)"), -1),
        Compared(Named("errors", "Plays", _RATE, "error rate of plays (mEMG)"), -1),
        Compared(Named("errors", "Cube", _RATE, "error rate of the cube (mEMG)"), -1),
        Compared(Named("errors", "By phase", _RATE, "error rate (mEMG)"), -1),
        Compared(Named("errors", "Errors by size", "very bad", "very bad decisions"), -1),
        Compared(Named("errors", "Illegal plays", "illegal plays"), -1),
        *(
            Compared(Named("cube-errors", "How often", name), -1)
            for name in (
                *("missed double below CP", "missed double above CP", "wrong double below DP"),
                *("wrong double above TG", "wrong take", "wrong pass"),
            )
        ),
        Compared(Named("luck", "Rolls", "luck a roll (mEMG)"), 1, True, 0.0),
    ),
    form=(Named(*_RATES, _RATE, "error rate (mEMG)"),),
)


class Form(NamedTuple):
    """A figure over time."""

    section: Section
    figure: str


class Overview(NamedTuple):
    """What is shown at a glance."""

    question: Question
    counted: tuple[str, ...]
    glance: pd.DataFrame
    """Figures of the player, or of all."""
    days: tuple[str, str] | None
    """The first and the last month of dated matches."""
    players: Section
    """Every player; empty where one is asked for."""
    compared: pd.DataFrame
    """How players differ: figures with the columns `player` (where nobody is asked for), `other`,
    `of_others`, `sort`, `p`, and `corrected` where it is the player who makes the difference."""
    form: Form | None
    analyzed: int | None = None
    """How many of the matches an engine has analyzed, where that is known."""


FEWEST_MATCHES = 10
"""Where nobody is asked for, players with fewer matches are not compared."""

MOST_COMPARED = 100
"""And of the others those with most games."""

MOST_LINES = 3
"""Over time no more players can be told apart."""


def overview(
    ask: Ask, question: Question, subject: Subject = OF_FILES, analyzed: int | None = None
) -> Overview:
    """Return the overview of the tables that `ask` answers of, for the player of a question or for all.

    What the question leaves out does not count; what it tells figures apart by does not matter.
    """
    question = question._replace(by=(), min_games=1, metrics=())
    of_each = question._replace(by=("player",))
    of_all = question.player is None
    glance = subject.glance_of_all if of_all else subject.glance
    names = subject.of_everybody if of_all else subject.of_player
    own = ask(names, question)
    by_player = ask(names, of_each) if of_all else own
    if of_all:
        compared = _compared(_with_most_games(by_player, subject), by_player, own, subject)
    else:
        total = own if question.opponent is None else ask(names, question._replace(opponent=None))
        whole = ask(subject.of_everybody, question._replace(player=None, opponent=None))
        compared = _compared(own, total, whole, subject)
    players = _side_by_side(by_player, subject.players) if of_all else pd.DataFrame()
    are_few = of_all and players["player"].nunique() <= MOST_LINES if len(players) else False
    by_month = ("player", "month") if are_few else ("month",)
    over_time = ask([subject.form[0].report], question._replace(by=by_month))
    return Overview(
        question,
        own.counted,
        _side_by_side(own, glance),
        _days(over_time, subject),
        Section("Players", players),
        compared,
        _form(over_time, subject) if are_few or not of_all else None,
        analyzed,
    )


def analyzed_of(
    recorded: Recorded, question: Question, analyses: Callable[[], Store | None]
) -> int | None:
    """Return how many of the matches that are asked about have analyses.

    None where these cannot be read; 0 where there are none.
    """
    from bganalyze.analysis.store import StoreError

    try:
        store = analyses()
        kept = {record for _, record, _ in store.index()} if store else set()
    except StoreError:
        return None
    chosen, _ = selected(recorded, question)
    return int(chosen.matches["content"].isin(kept).sum())


def _rows(answer: ReportAnswer, named: Named) -> pd.DataFrame:
    """The rows of a figure; none where its report was not asked."""
    for section in answer.reports.get(named.report, ()):
        if section.title == named.section:
            return section.frame[section.frame["figure"] == named.figure]
    return pd.DataFrame(columns=list(COLUMNS))


def _side_by_side(answer: ReportAnswer, figures: Sequence[Named]) -> pd.DataFrame:
    """Figures of several sections as those of one, under the names that they have here."""
    parts = [_rows(answer, named).assign(figure=named.called) for named in figures]
    return pd.concat([part for part in parts if len(part)] or parts[:1], ignore_index=True)


def _with_most_games(answer: ReportAnswer, subject: Subject) -> ReportAnswer:
    """The same of the players of whom there is enough to be compared."""
    first = _rows(answer, subject.players[0])
    enough = first[first["matches"] >= FEWEST_MATCHES]
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


def _days(over_time: ReportAnswer, subject: Subject) -> tuple[str, str] | None:
    """The first and the last month of what is dated."""
    months = _rows(over_time, subject.form[-1]).get("month", pd.Series(dtype=object)).dropna()
    names = sorted(set(map(str, months)))
    return (names[0], names[-1]) if names else None


def _form(over_time: ReportAnswer, subject: Subject) -> Form | None:
    """The first of the figures over time that has more than one point."""
    for named in subject.form:
        rows = _rows(over_time, named)
        times = {"date", "month"} & set(rows.columns)
        if any(len(rows[time].dropna().unique()) > 1 for time in times):
            return Form(Section("Form", rows), named.figure)
    return None


# How players differ from all others, or from what was to be expected.


LUCK = ("lucky", "unlucky")
"""What differs by the dice, and says nothing of the player."""

SURE, FAIRLY_SURE = 0.01, 0.05
"""Of the differences with corrected p-values below, about so many are chance after all."""


def _compared(
    own: ReportAnswer, total: ReportAnswer, whole: ReportAnswer, subject: Subject
) -> pd.DataFrame:
    """Every figure of which enough is known beside that of others, the surest difference first.

    `total` has what is taken out of `whole`, everybody's figures, so that those of others remain.
    """
    parts = [
        _differences(entry, *(_rows(answer, entry.named) for answer in (own, total, whole)))
        for entry in subject.compared
    ]
    frame = pd.concat([part for part in parts if len(part)] or parts[:1], ignore_index=True)
    frame = frame[frame["p"].notna()].reset_index(drop=True)
    is_of_players = ~frame["sort"].isin(LUCK)
    corrected = corrected_of_same(frame.loc[is_of_players, "p"].tolist())
    frame.loc[is_of_players, "corrected"] = corrected
    return frame.sort_values("p", kind="stable").reset_index(drop=True)


def _differences(
    entry: Compared, own: pd.DataFrame, total: pd.DataFrame, whole: pd.DataFrame
) -> pd.DataFrame:
    """The rows of a figure with that of others, and how likely chance alone makes them differ so."""
    rows = own[own["matches"] >= FEWEST_UNITS]
    if entry.expected == "others":
        rows = _beside(_beside(rows, total, "_total"), whole, "_whole")
    own_figures, others = _measured(rows), _compared_with(entry, rows)
    return rows.assign(
        figure=_words(rows, entry, whole),
        other=others.value,
        of_others=entry.expected == "others",
        sort=_sort(entry, np.sign(own_figures.value - others.value)),
        p=differences(own_figures, others),
    )


def _beside(rows: pd.DataFrame, others: pd.DataFrame, mark: str) -> pd.DataFrame:
    """Rows with the numbers of others beside them, of the same group where there are groups."""
    keys = _groups(others)
    numbers = others[[*keys, *COLUMNS[2:-1]]].rename(
        columns=lambda name: name + mark * (name not in keys)
    )
    return rows.merge(numbers, on=keys) if keys else rows.merge(numbers, how="cross")


def _groups(rows: pd.DataFrame) -> list[str]:
    """The columns that tell groups apart."""
    return [str(name) for name in rows if name not in (CALLED, *COLUMNS)]


def _measured(rows: pd.DataFrame, mark: str = "") -> Measured:
    """Figures with what their intervals rest on: of independent trials it is no matter of matches."""
    names = ("value", "low", "high", "matches")
    value, low, high, matches = (rows[name + mark].to_numpy(dtype=float) for name in names)
    independent = rows["kind"].isin(("trials", "contests")).to_numpy()
    return Measured(value, low, high, np.where(independent, MANY, matches))


def _compared_with(entry: Compared, rows: pd.DataFrame) -> Measured:
    """What figures are compared with: something known, or what remains of everybody's."""
    if entry.expected != "others":
        expected = rows["expected"] if entry.expected == "expected" else entry.expected
        value = np.asarray(np.zeros(len(rows)) + expected, dtype=float)
        return Measured(value, value, value, np.full(len(rows), MANY))
    whole = _measured(rows, "_whole")
    count = _remaining(rows, "count")
    of = np.where(_remaining(rows, "of") > 0, _remaining(rows, "of"), np.nan)
    value = whole.value * count / of
    reach = (whole.high - whole.low) / 2 / np.sqrt(of)
    return Measured(value, value - reach, value + reach, whole.matches)


def _remaining(rows: pd.DataFrame, name: str) -> npt.NDArray[np.float64]:
    """Which part of everybody's sum is that of others; none where nothing was counted."""
    whole = rows[f"{name}_whole"].to_numpy(dtype=float)
    others = whole - rows[f"{name}_total"].to_numpy(dtype=float)
    return np.where(whole == 0, 0.0, others / np.where(whole == 0, 1.0, whole))


MANY = 1e6
"""Matches behind a number that is known."""


def _words(rows: pd.DataFrame, entry: Compared, whole: pd.DataFrame) -> pd.Series:
    """What figures are called, with the part that they are of: a phase, an engine."""
    parts = [rows[name].astype(str) for name in _groups(whole)]
    words = pd.Series(entry.named.called, index=rows.index)
    for part in parts:
        words = words + ", " + part
    return words


def _sort(entry: Compared, difference: npt.NDArray[np.float64]) -> npt.NDArray[np.object_]:
    """Whether a difference is strong or weak, or good or bad luck, or neither."""
    if not entry.better:
        return np.full(len(difference), "style", dtype=object)
    good, bad = LUCK if entry.is_luck else ("strong", "weak")
    return np.where(difference * entry.better > 0, good, bad).astype(object)
