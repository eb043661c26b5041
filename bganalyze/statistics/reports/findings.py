"""The report of findings, with the findings of each match."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from bganalyze.statistics.reports.figures import (
    Section,
    add_number_columns,
    count,
    declare_report,
    estimate_figures,
    make_figure_section,
    per_thousand,
)
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.reports.seats import order_by_frequency
from bganalyze.statistics.reports.selection import ChosenSums
from bganalyze.statistics.reports.sums import SummedTable
from bganalyze.statistics.tables.frames import Tables

FIGURES = (
    count("rolls", "rolls", "", "Rolls recorded."),
    per_thousand("errors", "error", "rolls", "Errors per 1,000 rolls, without corrected ones."),
    per_thousand("warnings", "warning", "rolls", "Warnings per 1,000 rolls."),
    per_thousand("infos", "info", "rolls", "Infos per 1,000 rolls: remarks on the match file."),
)

OF_RULE = (
    per_thousand(
        "findings",
        "found",
        "rolls",
        "Findings of the rule per 1,000 rolls, including corrected errors.",
    ),
)

SEVERITIES = ("error", "warning", "info")

_UNIT = "errors, warnings, infos and findings are per 1,000 rolls"
_WHOSE = (
    "a finding may be an error of the player or of the transcriber; match files do not show which"
)


def list_findings(tables: Tables, _: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each finding (broken rule), with 0 or 1 in columns such as `error`."""
    findings = tables.findings
    counts = findings["standing"].astype(object) != "corrected"
    sums = {name: counts & (findings["severity"] == name) for name in SEVERITIES}
    rows = findings.assign(game=findings["game"].fillna(0).astype(int), seat=0)
    # A finding about a whole match has game 0.
    return add_number_columns(rows, {**sums, "found": findings["line"].notna()})


FAULTS = SummedTable("faults", list_findings, (*SEVERITIES, "found"), {"code": str, "name": str})


@declare_report({"By site": FIGURES, "By transcriber": FIGURES, "By rule": OF_RULE}, FAULTS)
def yield_findings_sections(chosen: ChosenSums, question: Question) -> Iterator[Section]:
    """Yield the tables of the report `findings`.

    Findings: number of findings in match files, by rule, site and transcriber.
    """
    matches = count_findings_by_match(chosen)  # about match files, so not grouped by player
    transcribed = matches[matches["transcriber"].notna()]
    by = [name for name in question.by if name in ("length", "year", "month")]
    yield make_figure_section("By site", matches, FIGURES, [*by, "site"], _UNIT, _WHOSE)
    yield make_figure_section("By transcriber", transcribed, FIGURES, [*by, "transcriber"], _UNIT)
    yield Section(
        "By rule", estimate_by_rule(count_findings_by_rule(chosen), matches, by), (_UNIT,)
    )


def count_without_players(chosen: ChosenSums) -> ChosenSums:
    """Return the sums with each game counted once, rather than once for each player."""
    games, matches = chosen.games[["match", "game"]], chosen.matches[["match"]]
    records = pd.concat([games, matches.assign(game=0)]).sort_values(["match", "game"])
    return chosen._replace(question=Question(by=()), seats=records.assign(seat=0), dimensions=())


def count_findings_by_match(chosen: ChosenSums) -> pd.DataFrame:
    """Return for each match the number of rolls, and of findings (broken rules) by severity."""
    matches = chosen.matches
    rolls = chosen.games.groupby("match")["rolls"].sum()
    counts = count_without_players(chosen).sum_by(FAULTS, SEVERITIES, ["match"]).set_index("match")
    date = matches["date"]
    return matches[["match", "length"]].assign(
        site=order_by_frequency(matches["site"]),
        transcriber=order_by_frequency(matches["transcriber"]),
        year=date.dt.year.astype("Int16"),
        month=date.dt.strftime("%Y-%m"),
        rolls=rolls.reindex(matches["match"]).fillna(0).to_numpy(dtype=float),
        **{
            name: counts[name].reindex(matches["match"]).fillna(0).to_numpy() for name in SEVERITIES
        },
    )


def count_findings_by_rule(chosen: ChosenSums) -> pd.DataFrame:
    """Return for each rule and match how often the rule is broken, in the column `found`."""
    counts = count_without_players(chosen).sum_by(FAULTS, ["found"], ["match", "code", "name"])
    return counts.astype({"code": "category", "name": object})


def estimate_by_rule(
    rules: pd.DataFrame, matches: pd.DataFrame, group_columns: list[str]
) -> pd.DataFrame:
    """Return how often each group of matches breaks each rule, the most frequent rule first.

    `rules` has the number of findings by rule and match.
    """
    nothing = matches.head(0).assign(found=0.0, code="", name="")
    parts = [estimate_figures(nothing, OF_RULE, [*group_columns, "code", "name"])]
    for (code, name), rows in rules.groupby(["code", "name"], observed=True):
        number = rows.set_index("match")["found"].reindex(matches["match"]).fillna(0).to_numpy()
        of_rule = estimate_figures(matches.assign(found=number), OF_RULE, group_columns)
        parts.append(of_rule.assign(code=code, name=name))
    whole = pd.concat([part for part in parts if len(part)] or parts)[parts[0].columns]
    codes = order_by_frequency(rules["code"], rules["found"]).cat.categories
    ordered = whole.assign(code=pd.Categorical(whole["code"], categories=codes))
    return ordered.sort_values([*group_columns, "code", "name"], kind="stable").reset_index(
        drop=True
    )
