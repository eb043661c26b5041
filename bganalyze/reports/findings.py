"""Findings: how many faults the records have, by rule, site and transcriber."""

from __future__ import annotations

import pandas as pd

from bganalyze.reports.figures import Figure, Section, estimated
from bganalyze.reports.question import Question
from bganalyze.tables.frames import Tables

GROUPS: frozenset[str] = frozenset()

FIGURES = (
    Figure("throws", "throws", "", "count", "Throws recorded."),
    Figure(
        "errors",
        "error",
        "throws",
        "per thousand",
        "Errors per 1,000 throws, corrected ones apart.",
    ),
    Figure("warnings", "warning", "throws", "per thousand", "Warnings per 1,000 throws."),
    Figure("remarks", "info", "throws", "per thousand", "Remarks per 1,000 throws."),
)

OF_RULE = (
    Figure(
        "findings",
        "found",
        "throws",
        "per thousand",
        "Findings of the rule per 1,000 throws, corrected ones too.",
    ),
)

SECTIONS = {"By site": FIGURES, "By transcriber": FIGURES, "By rule": OF_RULE}
"""The figures of each section."""

_PER_THOUSAND = ("errors, warnings, remarks and findings are per 1,000 throws",)
_NOTES = (
    *_PER_THOUSAND,
    "a finding is a fault of the record; whether of the player or of who wrote it down, no record shows",
)


def report(tables: Tables, question: Question) -> list[Section]:
    """Return faults per 1,000 throws by site, by transcriber and by rule. Players are not told apart."""
    base = faults(tables)
    by = [name for name in question.by if name in ("length", "year", "month")]
    return [
        Section("By site", estimated(base, FIGURES, [*by, "site"]), _NOTES),
        Section(
            "By transcriber",
            estimated(base[base["transcriber"].notna()], FIGURES, [*by, "transcriber"]),
            _PER_THOUSAND,
        ),
        Section(
            "By rule",
            estimated(of_rules(tables, base), OF_RULE, [*by, "code", "name"]),
            _PER_THOUSAND,
        ),
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
    return matches[["match", "length", "site", "transcriber"]].assign(
        year=date.dt.year.astype("Int16"),
        month=date.dt.strftime("%Y-%m"),
        throws=throws.reindex(matches["match"]).fillna(0).to_numpy(dtype=float),
        **severities,
    )


def of_rules(tables: Tables, base: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each match and each rule that was found in any."""
    findings = tables.findings
    rules = findings[["code", "name"]].drop_duplicates().astype(object).sort_values("code")
    counts = findings.groupby(["match", findings["code"].astype(object)]).size().rename("found")
    rows = base.merge(rules, how="cross")
    return rows.merge(counts.reset_index(), how="left", on=["match", "code"]).fillna({"found": 0.0})
