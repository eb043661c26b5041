"""Proposals of a repair, for people and for programs."""

from __future__ import annotations

import difflib
import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from rich.text import Text

from bganalyze.app.config import title
from bganalyze.app.jobs.checked import Checked
from bganalyze.app.jobs.outcome import FileCounts
from bganalyze.app.jobs.repair import Diagnosed
from bganalyze.app.render.console import as_string, fit
from bganalyze.app.render.findings import machine
from bganalyze.app.render.findings.records import ProposalLine
from bganalyze.app.render.findings.text import finding_line
from bganalyze.app.render.setting import OutputOptions
from bganalyze.record.reader import decode
from bganalyze.repairing.applying import Chosen, RepairedFile
from bganalyze.repairing.search import Cause
from bganalyze.text import number_of, printable
from bganalyze.validation.findings import Finding, Proposal
from bganalyze.validation.odds import chance_in_words
from bganalyze.validation.rules.words import sureness

MOST_LISTED = 5
"""How many proposals of a cause are listed for people."""

SLIPS = {
    "cells": "cells exchanged",
    "columns": "columns exchanged",
    "dice": "rolls exchanged",
    "header": "line lost",
    "play": "play miswritten",
    "rows": "rows exchanged",
    "roll": "roll misread",
    "winner": "wrong column",
}
"""Slips whose name does not say what happened."""

_COLORS = {"+": "green", "-": "red", "@": "cyan"}


def render_text(results: Iterable[Diagnosed], setting: OutputOptions) -> Iterator[str]:
    """Text for people: what is proved as a unified diff, under it all proposals with their numbers.

    Yield those of each file as they arrive, then the summary.
    """
    counts, files = FileCounts(), list[RepairedFile]()
    causes = proved = 0
    for diagnosed in counts.counted(results):
        if diagnosed.repaired is not None:
            files.append(diagnosed.repaired)
            causes += sum(cause.is_certain for cause in diagnosed.causes)
            proved += sum(cause.proposals[0].proved for cause in diagnosed.causes)
            yield from _listing(diagnosed, diagnosed.repaired, setting)
    if counts.files and not setting.quiet:
        before, after = (sum(entry) for entry in zip(*_errors(files), strict=True))
        yield (
            f"{number_of(counts.files, 'file')}, {number_of(before, 'error')},"
            f" {number_of(causes, 'cause')}, {proved:,} proved,"
            f" {number_of(after, 'error')} as repaired\n"
        )
        yield f"Rule book: {title(setting.rule_book)}\n"


def render_diff(results: Iterable[Diagnosed], setting: OutputOptions) -> Iterator[bytes]:  # noqa: ARG001
    """A unified diff of what is proved, for `patch -p1` and `git apply`."""
    for diagnosed in results:
        yield b"".join(diff(diagnosed))


def render_jsonl(results: Iterable[Diagnosed], setting: OutputOptions) -> Iterator[str]:
    """JSON lines: one proposal a line.

    Yield them in ASCII, so that any stream can carry them. The causes of a file are numbered from 1.
    """
    for diagnosed in results:
        for choice, cause, proposal in _numbered(diagnosed):
            finding = setting.told(cause.finding)
            yield json.dumps(_record(diagnosed, choice, finding, proposal)) + "\n"


def render_sarif(results: Iterable[Diagnosed], setting: OutputOptions) -> Iterator[str]:
    """SARIF 2.1.0: the errors, with the proposals as fixes."""
    return machine.render_sarif(map(_checked, results), setting)


def _checked(diagnosed: Diagnosed) -> Checked:
    """Return the errors that have a cause; of a binary file without edits, which it has no lines for."""
    findings = (
        cause.finding._replace(proposals=None if diagnosed.is_converted else cause.proposals)
        for cause in diagnosed.causes
    )
    outcome = diagnosed.path, diagnosed.root, diagnosed.error, diagnosed.skipped
    return Checked(*outcome, findings=tuple(findings))


def _record(
    diagnosed: Diagnosed, choice: Chosen, finding: Finding, proposal: Proposal
) -> ProposalLine:
    edits = () if diagnosed.is_converted else proposal.edits
    return {
        "path": diagnosed.path,
        "match": finding.match,
        "game": finding.game,
        "cause": choice.cause,
        "rank": choice.rank,
        "kind": proposal.kind,
        **machine.proposal_chance(finding, proposal),
        "proved": proposal.proved,
        "evidence": finding.evidence and finding.evidence.kind,
        "slip": finding.slip and machine.slip_record(finding.slip),
        "edits": [edit._asdict() for edit in edits],
        "side": proposal.side,
        "row": proposal.row,
        "message": proposal.message,
        "errors_before": proposal.errors_before,
        "errors_after": proposal.errors_after,
        "other_rolls": proposal.other_rolls,
    }


def _numbered(diagnosed: Diagnosed) -> Iterator[tuple[Chosen, Cause, Proposal]]:
    for number, cause in enumerate(diagnosed.causes, start=1):
        for rank, proposal in enumerate(cause.proposals, start=1):
            yield Chosen(number, rank), cause, proposal


# A unified diff: bytes, so that it fits the file whatever its encoding and its line ends.

_NO_END = b"\n\\ No newline at end of file\n"
_PLAIN_NAME = re.compile(rb"[^\x00-\x1f\"\\\x7f]*")


def diff(diagnosed: Diagnosed) -> Iterator[bytes]:
    """Yield the lines of a unified diff from a file to what is proved; none where nothing is.

    Of a binary file nothing, for its bytes are not edited.
    """
    if diagnosed.repaired is None or diagnosed.is_converted:
        return
    yield from _unified(diagnosed.text, diagnosed.repaired.data, diagnosed.path)


def _unified(before: bytes, after: bytes, path: str) -> Iterator[bytes]:
    name = _name(path)
    headers = _header(b"a/", name), _header(b"b/", name)
    for line in difflib.diff_bytes(difflib.unified_diff, _lines(before), _lines(after), *headers):
        yield line if line.endswith(b"\n") else line + _NO_END


def _lines(data: bytes) -> list[bytes]:
    r"""Return the lines with their ends, which for `patch` are `\n` alone."""
    *lines, last = data.split(b"\n")
    return [line + b"\n" for line in lines] + ([last] if last else [])


def _name(path: str) -> bytes:
    """Return the path below the folder that we are in, or else below the root."""
    place = Path(path)
    if place.is_absolute():
        is_below = place.is_relative_to(Path.cwd())
        place = place.relative_to(Path.cwd() if is_below else place.anchor)
    return os.fsencode("standard-input" if path == "-" else place.as_posix())


def _header(side: bytes, name: bytes) -> bytes:
    r"""Return the name of a file as a diff has it: a tab ends one with blanks, odd ones are quoted.

    >>> _header(b"a/", b"m.mat"), _header(b"a/", b"a b.mat"), _header(b"a/", b"x\n.mat")
    (b'a/m.mat', b'a/a b.mat\t', b'"a/x\\012.mat"')
    """
    if _PLAIN_NAME.fullmatch(name):
        return side + name + b"\t" * (b" " in name)
    quoted = re.sub(rb"[\x00-\x1f\"\\\x7f]", lambda odd: b"\\%03o" % ord(odd[0]), name)
    return b'"' + side + quoted + b'"'


# The list for people.


def _listing(diagnosed: Diagnosed, repaired: RepairedFile, setting: OutputOptions) -> Iterator[str]:
    if diagnosed.is_changed and not diagnosed.is_converted:
        shown = _shown_diff(diagnosed, setting)
        yield as_string(shown, setting) if setting.color else f"{shown.plain}\n"
    for number, cause in enumerate(diagnosed.causes, start=1):
        yield as_string(_shown_cause(number, cause, repaired, setting), setting)
    for message in repaired.later:
        yield f"then also proved: {_fit(message, setting)}\n"
    if diagnosed.causes:
        yield "\n"


def _errors(files: Iterable[RepairedFile]) -> Iterator[tuple[int, int]]:
    return ((repaired.errors_before, repaired.errors_after) for repaired in files)


def diff_lines(diagnosed: Diagnosed, setting: OutputOptions) -> list[str]:
    """Return the diff from a file to what was made of it, as text of whatever encoding.

    Nothing in it is obeyed by a terminal. Of a binary file, whose bytes are not edited, nothing.
    """
    if diagnosed.repaired is None or diagnosed.is_converted:
        return []
    texts = diagnosed.text, diagnosed.repaired.data
    before, after = (decode(data).text.encode() for data in texts)
    lines = _unified(before, after, diagnosed.path)
    return [fit(line.decode().rstrip("\n"), setting) for line in lines]


def _shown_diff(diagnosed: Diagnosed, setting: OutputOptions) -> Text:
    lines = diff_lines(diagnosed, setting)
    return Text("\n").join(Text(line, _COLORS.get(line[0], "")) for line in lines)


def _shown_cause(number: int, cause: Cause, repaired: RepairedFile, setting: OutputOptions) -> Text:
    finding = setting.told(cause.finding)
    text = Text(finding_line(finding, setting))
    if finding.may_be_players:
        text.append(f"\n  {possibly_played(finding)}")
    for rank, proposal in enumerate(cause.proposals[:MOST_LISTED], start=1):
        choice = Chosen(number, rank)
        is_made = choice in repaired.made
        text.append(f"\n  {choice!s:5}", "bold green" if is_made else "bold")
        text.append(proposal_line(finding, proposal, setting))
    others = len(cause.proposals) - MOST_LISTED
    if others > 0:
        text.append(f"\n  and {others} more, which --format jsonl lists", "dim")
    return text


def possibly_played(finding: Finding) -> str:
    """Return what stands above the proposals for an error that a player may have made."""
    slip = finding.slip
    is_stated = slip is not None and slip.stated is not None
    chance = f" ({chance_in_words(slip)})" if slip is not None and is_stated else ""
    return (
        "Nothing later in the record contradicts this: it may have been played so."
        f" If it was mistranscribed{chance}:"
    )


def proposal_line(finding: Finding, proposal: Proposal, setting: OutputOptions) -> str:
    """Return a proposal in one line: where, what, which slip, and how sure that is."""
    place = [f"line {proposal.line}"]
    place += [f"row {proposal.row.strip()}"] if proposal.row else []
    place += [proposal.side] if proposal.side else []
    proof = "proved, " if proposal.proved else ""
    errors = f"errors {proposal.errors_before} → {proposal.errors_after}"
    errors = errors if proposal.edits else "no edit brings it back"
    about = f"{slip(proposal.kind)}; {proof}{sureness(finding, proposal.probability)}, {errors}"
    return _fit(f"{', '.join(place)}: {proposal.message} ({about})", setting)


def slip(kind: str) -> str:
    """Return a kind of slip in plain words."""
    return SLIPS.get(kind, kind.replace("-", " "))


def _fit(text: str, setting: OutputOptions) -> str:
    return printable(text if setting.unicode else text.replace("→", "->"), setting.encoding)
