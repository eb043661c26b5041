"""A finding as a flat record: the keys that every machine-readable format shares."""

from __future__ import annotations

from bganalyze.config import title
from bganalyze.findings import Finding
from bganalyze.law import Law

KEYS = (*Finding._fields, "law")


def record(finding: Finding, law: Law) -> dict[str, object]:
    """Return the finding under all its keys, and the law it was judged by."""
    return {**finding._asdict(), "law": title(law)}
