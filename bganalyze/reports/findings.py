"""The report of findings, and the faults of each match that it counts."""

from __future__ import annotations

import pandas as pd

from bganalyze.reports.figures import Section, by_size, count, counted, per_thousand, reporting
from bganalyze.reports.question import Question
from bganalyze.tables.frames import Tables

FIGURES = (
    count("throws", "throws", "", "Throws recorded."),
    per_thousand("errors", "error", "throws", "Errors per 1,000 throws, corrected ones apart."),
    per_thousand("warnings", "warning", "throws", "Warnings per 1,000 throws."),
    per_thousand("infos", "info", "throws", "Infos per 1,000 throws: remarks on the record."),
)

OF_RULE = (
    per_thousand(
        "findings", "found", "throws", "Findings of the rule per 1,000 throws, corrected ones too."
    ),
)

_UNIT = "errors, warnings, infos and findings are per 1,000 throws"
_WHOSE = "a finding is a fault of the record; whether of the player or of who wrote it down, no record shows"


@reporting({"By site": FIGURES, "By transcriber": FIGURES, "By rule": OF_RULE})
def findings(tables: Tables, question: Question) -> list[Section]:
    """Findings: how many faults the records have, by rule, site and transcriber."""
    base = faults(tables)  # of records: players are not told apart
    transcribed = base[base["transcriber"].notna()]
    by = [name for name in question.by if name in ("length", "year", "month")]
    return [
        counted("By site", base, FIGURES, [*by, "site"], _UNIT, _WHOSE),
        counted("By transcriber", transcribed, FIGURES, [*by, "transcriber"], _UNIT),
        counted("By rule", of_rules(tables, base), OF_RULE, [*by, "code", "name"], _UNIT),
    ]


def faults(tables: Tables) -> pd.DataFrame:
    """Return for each match how many throws it has, and how many findings of each severity."""
    matches = tables.matches
    throws = tables.games.groupby("match")["throws"].sum()
    findings = tables.findings[tables.findings["standing"].astype(object) != "corrected"]
    counts = pd.crosstab(findings["match"], findings["severity"].astype(object))
    date = matches["date"]
    severities = {
        name: counts[name].reindex(matches["match"]).fillna(0).to_numpy() if name in counts else 0.0
        for name in ("error", "warning", "info")
    }
    return matches[["match", "length"]].assign(
        site=by_size(matches["site"]),
        transcriber=by_size(matches["transcriber"]),
        year=date.dt.year.astype("Int16"),
        month=date.dt.strftime("%Y-%m"),
        throws=throws.reindex(matches["match"]).fillna(0).to_numpy(dtype=float),
        **severities,
    )


def of_rules(tables: Tables, base: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each match and each rule that was found in any, the most frequent first."""
    findings = tables.findings
    rules = findings[["code", "name"]].drop_duplicates().astype(object).sort_values("code")
    counts = findings.groupby(["match", findings["code"].astype(object)]).size().rename("found")
    rows = base.merge(rules, how="cross")
    rows = rows.merge(counts.reset_index(), how="left", on=["match", "code"]).fillna({"found": 0.0})
    codes = by_size(findings["code"]).cat.categories
    return rows.assign(code=pd.Categorical(rows["code"], categories=codes))
