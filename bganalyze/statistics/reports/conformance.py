"""The report of conformance: what each program that writes records says in them, and how faultily."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from bganalyze.statistics.reports.figures import (
    Section,
    count,
    counted,
    reporting,
    share,
    with_sums,
)
from bganalyze.statistics.reports.findings import (
    FAULTS,
    FIGURES,
    OF_RULE,
    by_rule,
    faults,
    of_rules,
)
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.reports.recorded import TURNS
from bganalyze.statistics.reports.seats import by_size
from bganalyze.statistics.reports.selection import ChosenSums

RECORDED = (
    count("matches", "matches", "", "Matches in its records."),
    count("games", "games", "", "Games in them."),
    share("length", "with_length", "matches", "Matches of which the length is stated."),
    share("date", "with_date", "matches", "Matches of which the record tells the day."),
    share("event", "with_event", "matches", "Matches of which the event is stated."),
    share("ratings", "with_ratings", "matches", "Matches with a rating of a player."),
    share("transcriber", "with_transcriber", "matches", "Matches of which it is stated."),
    share("clock", "with_clock", "matches", "Matches that say how time was kept."),
    share("times", "timed", "rolls", "Rolls that tell how long they took."),
    share("score lines", "scored", "games", "Games with the score over them."),
    share("results", "with_result", "ended", "Games that somebody won, with the points written."),
    share(
        "resignations",
        "spelling",
        "matches",
        "Matches in which a game that is given up is said to be.",
    ),
    share("hit marks", "marking", "matches", "Matches in which hits are marked."),
    share("dances", "dancing", "matches", "Matches in which dances are written out."),
    share("comments", "with_comments", "matches", "Matches with a comment."),
    share(
        "analysis",
        "with_analysis",
        "matches",
        "Matches with what another program says of their plays.",
    ),
)

_PRACTICE = "what is not recorded may have been left out by the program, or there was nothing to record: no comment, no dance"


@reporting({"What is recorded": RECORDED, "Findings": FIGURES, "Findings by rule": OF_RULE}, FAULTS)
def conformance(chosen: ChosenSums, question: Question) -> Iterator[Section]:
    """Conformance: what the programs that write records say in them and what not, and their faults.

    Programs are known by what a file says of itself, and so is the version where that is stated; the
    site is where a match was played, and is not asked here. Records are counted, so nothing is told
    apart by player.
    """
    base = records(chosen)
    versions = ["version"] if base["version"].notna().any() else []
    by = ["producer", "format", *versions]
    by += [name for name in question.by if name in ("length", "year", "month", "site")]
    yield counted("What is recorded", base, RECORDED, by, _PRACTICE)
    yield counted("Findings", base, FIGURES, by, _UNIT)
    rules = of_rules(chosen).merge(base[["match", *by]], on="match")
    yield Section("Findings by rule", _by_rule(rules, base, by), (_UNIT,))


_UNIT = "per 1,000 rolls; a finding is a fault of the record: of the program, of who wrote it down, or of a player"


def records(chosen: ChosenSums) -> pd.DataFrame:
    """Return a row for each match, with what its record has, its rolls and its findings."""
    matches = chosen.matches
    ended = chosen.games["winner"].notna()
    games = chosen.games[["match"]].assign(
        games=1.0,
        scored=chosen.games["scored"].astype(float),
        ended=ended.astype(float),
        with_result=(ended & chosen.games["recorded"].notna()).astype(float),
    )
    of_games = games.groupby("match").sum().reindex(matches["match"]).fillna(0.0)
    date_told = matches["date"].notna() & matches["date_from"].eq("record").fillna(False)
    has = {
        "with_length": matches["length"].notna(),
        "with_date": date_told,
        "with_event": matches["event"].notna(),
        "with_ratings": matches["left_rating"].notna() | matches["right_rating"].notna(),
        "with_transcriber": matches["transcriber"].notna(),
        "with_clock": matches["clock"].notna(),
        "spelling": matches["spells_resignations"],
        "marking": matches["marks_hits"],
        "dancing": matches["writes_dances"],
        "with_comments": matches["comments"] > 0,
        "with_analysis": matches["analyses"] > 0,
        "matches": matches["match"].notna(),
    }
    of_both = chosen._replace(seats=chosen.both, question=Question(by=()))
    timed = of_both.counts(TURNS, ["timed"], ["match"]).set_index("match")["timed"]
    base = faults(chosen).assign(
        timed=timed.reindex(matches["match"]).fillna(0.0).to_numpy(),
        producer=by_size(matches["producer"]),
        format=by_size(matches["format"]),
        version=matches["version"].array,
        **{name: of_games[name].to_numpy() for name in of_games},
    )
    return with_sums(base, has)


def _by_rule(rules: pd.DataFrame, base: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """The figures of the rules of which anything was found in the records of a program."""
    whole = by_rule(rules, base, list(by))
    return whole[whole["count"] > 0].reset_index(drop=True)
