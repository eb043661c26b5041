"""The report of findings, and the faults of each match that it counts."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from bganalyze.statistics.reports.figures import (
    Section,
    count,
    counted,
    estimated,
    per_thousand,
    reporting,
    with_sums,
)
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.reports.seats import by_size
from bganalyze.statistics.reports.selection import ChosenSums
from bganalyze.statistics.reports.sums import Base
from bganalyze.statistics.tables.frames import Tables

FIGURES = (
    count("rolls", "rolls", "", "Rolls recorded."),
    per_thousand("errors", "error", "rolls", "Errors per 1,000 rolls, corrected ones apart."),
    per_thousand("warnings", "warning", "rolls", "Warnings per 1,000 rolls."),
    per_thousand("infos", "info", "rolls", "Infos per 1,000 rolls: remarks on the record."),
)

OF_RULE = (
    per_thousand(
        "findings", "found", "rolls", "Findings of the rule per 1,000 rolls, corrected ones too."
    ),
)

SEVERITIES = ("error", "warning", "info")

_UNIT = "errors, warnings, infos and findings are per 1,000 rolls"
_WHOSE = "a finding is a fault of the record; whether of the player or of who wrote it down, no record shows"


def listed(tables: Tables, _: pd.DataFrame) -> pd.DataFrame:
    """Return the findings; those about a match stand before its first game, and none has a side."""
    findings = tables.findings
    counts = findings["standing"].astype(object) != "corrected"
    sums = {name: counts & (findings["severity"] == name) for name in SEVERITIES}
    rows = findings.assign(game=findings["game"].fillna(0).astype(int), seat=0)
    return with_sums(rows, {**sums, "found": findings["line"].notna()})


FAULTS = Base("faults", listed, (*SEVERITIES, "found"), {"code": str, "name": str})


@reporting({"By site": FIGURES, "By transcriber": FIGURES, "By rule": OF_RULE}, FAULTS)
def findings(chosen: ChosenSums, question: Question) -> Iterator[Section]:
    """Findings: how many faults the records have, by rule, site and transcriber."""
    base = faults(chosen)  # of records: players are not told apart
    transcribed = base[base["transcriber"].notna()]
    by = [name for name in question.by if name in ("length", "year", "month")]
    yield counted("By site", base, FIGURES, [*by, "site"], _UNIT, _WHOSE)
    yield counted("By transcriber", transcribed, FIGURES, [*by, "transcriber"], _UNIT)
    yield Section("By rule", by_rule(of_rules(chosen), base, by), (_UNIT,))


def of_records(chosen: ChosenSums) -> ChosenSums:
    """Return the selection of the records: what is about their games, and about the whole match."""
    games, matches = chosen.games[["match", "game"]], chosen.matches[["match"]]
    records = pd.concat([games, matches.assign(game=0)]).sort_values(["match", "game"])
    return chosen._replace(question=Question(by=()), seats=records.assign(seat=0), dimensions=())


def faults(chosen: ChosenSums) -> pd.DataFrame:
    """Return for each match how many rolls it has, and how many findings of each severity."""
    matches = chosen.matches
    rolls = chosen.games.groupby("match")["rolls"].sum()
    counts = of_records(chosen).counts(FAULTS, SEVERITIES, ["match"]).set_index("match")
    date = matches["date"]
    return matches[["match", "length"]].assign(
        site=by_size(matches["site"]),
        transcriber=by_size(matches["transcriber"]),
        year=date.dt.year.astype("Int16"),
        month=date.dt.strftime("%Y-%m"),
        rolls=rolls.reindex(matches["match"]).fillna(0).to_numpy(dtype=float),
        **{
            name: counts[name].reindex(matches["match"]).fillna(0).to_numpy() for name in SEVERITIES
        },
    )


def of_rules(chosen: ChosenSums) -> pd.DataFrame:
    """Return how often each rule was found in each match where it was."""
    counts = of_records(chosen).counts(FAULTS, ["found"], ["match", "code", "name"])
    return counts.astype({"code": "category", "name": object})


def by_rule(rules: pd.DataFrame, base: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Return the figures of each rule over all matches, those with the most findings first.

    One rule is counted after the other: matches and rules are too many to stand beside each other.
    """
    nothing = base.head(0).assign(found=0.0, code="", name="")
    parts = [estimated(nothing, OF_RULE, [*by, "code", "name"])]
    for (code, name), rows in rules.groupby(["code", "name"], observed=True):
        number = rows.set_index("match")["found"].reindex(base["match"]).fillna(0).to_numpy()
        of_rule = estimated(base.assign(found=number), OF_RULE, by)
        parts.append(of_rule.assign(code=code, name=name))
    whole = pd.concat([part for part in parts if len(part)] or parts)[parts[0].columns]
    codes = by_size(rules["code"], rules["found"]).cat.categories
    ordered = whole.assign(code=pd.Categorical(whole["code"], categories=codes))
    return ordered.sort_values([*by, "code", "name"], kind="stable").reset_index(drop=True)
