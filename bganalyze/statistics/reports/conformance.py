"""The report of conformance: contents and findings of match files, by writing program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from bganalyze.statistics.reports.figures import (
    Section,
    add_number_columns,
    count,
    declare_report,
    make_figure_section,
    share,
)
from bganalyze.statistics.reports.findings import (
    FAULTS,
    FIGURES,
    OF_RULE,
    count_findings_by_match,
    count_findings_by_rule,
    estimate_by_rule,
)
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.reports.recorded_rolls import TURNS
from bganalyze.statistics.reports.seats import order_by_frequency
from bganalyze.statistics.reports.selection import ChosenSums

RECORDED = (
    count("matches", "matches", "", "Matches in files of the program."),
    count("games", "games", "", "Games in these matches."),
    share("length", "with_length", "matches", "Matches with the length stated."),
    share("date", "with_date", "matches", "Matches with the day stated."),
    share("event", "with_event", "matches", "Matches with the event stated."),
    share("ratings", "with_ratings", "matches", "Matches with a rating of a player."),
    share("transcriber", "with_transcriber", "matches", "Matches with the transcriber stated."),
    share("clock", "with_clock", "matches", "Matches with the time control stated."),
    share("times", "timed", "rolls", "Rolls with the time they took."),
    share("score lines", "scored", "games", "Games with a score line above them."),
    share("results", "with_result", "ended", "Games with a winner that state the points."),
    share(
        "resignations",
        "spelling",
        "matches",
        "Matches that mark a resigned game as resigned.",
    ),
    share("hit marks", "marking", "matches", "Matches with marked hits."),
    share("dances", "dancing", "matches", "Matches with dances written out."),
    share("comments", "with_comments", "matches", "Matches with a comment."),
    share(
        "analysis",
        "with_analysis",
        "matches",
        "Matches with a stored analysis by another program.",
    ),
)

_PRACTICE = "if something is not recorded, the program may have left it out, or it did not happen (no comment, no dance)"


@declare_report(
    {"What is recorded": RECORDED, "Findings": FIGURES, "Findings by rule": OF_RULE}, FAULTS
)
def yield_conformance_sections(chosen: ChosenSums, question: Question) -> Iterator[Section]:
    """Yield the tables of the report `conformance`.

    Conformance: contents and findings of match files, by the program that wrote them.

    The program and its version are those that a file states. The site where a match was played does
    not matter here. Match files are counted, so nothing is grouped by player.
    """
    matches = tabulate_records(chosen)
    versions = ["version"] if matches["version"].notna().any() else []
    by = ["producer", "format", *versions]
    by += [name for name in question.by if name in ("length", "year", "month", "site")]
    yield make_figure_section("What is recorded", matches, RECORDED, by, _PRACTICE)
    yield make_figure_section("Findings", matches, FIGURES, by, _UNIT)
    rules = count_findings_by_rule(chosen).merge(matches[["match", *by]], on="match")
    yield Section("Findings by rule", _estimate_by_rule(rules, matches, by), (_UNIT,))


_UNIT = "per 1,000 rolls; a finding may be due to the program, the transcriber or a player"


def tabulate_records(chosen: ChosenSums) -> pd.DataFrame:
    """Return a row for each match: what its file contains, and the number of findings.

    The column `with_date`, for example, is 1 if the file states a date, else 0.
    """
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
    timed = of_both.sum_by(TURNS, ["timed"], ["match"]).set_index("match")["timed"]
    matches = count_findings_by_match(chosen).assign(
        timed=timed.reindex(matches["match"]).fillna(0.0).to_numpy(),
        producer=order_by_frequency(matches["producer"]),
        format=order_by_frequency(matches["format"]),
        version=matches["version"].array,
        **{name: of_games[name].to_numpy() for name in of_games},
    )
    return add_number_columns(matches, has)


def _estimate_by_rule(
    rules: pd.DataFrame, matches: pd.DataFrame, group_columns: Sequence[str]
) -> pd.DataFrame:
    """Return how often each group of matches breaks each rule, without rules it never breaks."""
    whole = estimate_by_rule(rules, matches, list(group_columns))
    return whole[whole["count"] > 0].reset_index(drop=True)
