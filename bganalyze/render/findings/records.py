"""Findings and files as records: the keys that every machine-readable format shares."""

from __future__ import annotations

from bganalyze.config import title
from bganalyze.counts import Files
from bganalyze.findings import Finding
from bganalyze.law import Law

KEYS = (*Finding._fields, "law")


def record(finding: Finding, law: Law) -> dict[str, object]:
    """Return the finding under all its keys, and the law it was judged by."""
    return {**finding._asdict(), "law": title(law)}


def files_record(files: Files) -> dict[str, object]:
    """Return what became of the files of a run, and why those that are unreadable are so."""
    unreadable = [file._asdict() for file in files.unreadable]
    return {**files._asdict(), "unreadable": unreadable}
