"""Check promises that hold for any bytes: reading and checking end, and point into the file."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import bganalyze
from bganalyze.record.model import Match, Play, Span
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check

try:
    import resource
except ImportError:  # Not on Windows.
    resource = None  # type: ignore[assignment]

SLOW = 2.0
"""Seconds of processor time that reading and checking one file may take."""

HANG = 30
"""Seconds of processor time after which a file is given up."""

MEMORY = 2**30
"""Bytes of address space that it may take beyond what the process has."""

PATH = "fuzzed.mat"


class Trouble(NamedTuple):
    """Something that must not be."""

    what: str
    detail: str


class HangError(Exception):
    """A file took too long."""


def troubles(data: bytes) -> Iterator[Trouble]:
    """Yield what goes wrong with `data`; nothing for a total program."""
    start = time.process_time()
    try:
        with _time_limit(HANG), _memory_limit(MEMORY):
            yield from _troubles(data)
    except HangError:
        yield Trouble("hang", f"more than {HANG} s")
    except Exception as error:  # noqa: BLE001 - any crash at all is what is looked for
        yield Trouble(f"crash {type(error).__name__}", f"{error} in {_where(error)}")
    spent = time.process_time() - start
    if spent > SLOW:
        yield Trouble("slow", f"{spent:.1f} s for {len(data)} bytes")


def unsteady(data: bytes) -> Iterator[Trouble]:
    """Yield what differs when `data` is read and checked twice."""
    try:
        first, second = read_bytes(data, PATH), read_bytes(data, PATH)
        findings = check(first), check(second)
    except Exception:  # noqa: BLE001 - `troubles` reports it
        return
    if first != second:
        yield Trouble("not deterministic", "reading")
    if findings[0] != findings[1]:
        yield Trouble("not deterministic", "checking")


def _troubles(data: bytes) -> Iterator[Trouble]:
    try:
        matches = read_bytes(data, PATH)
    except bganalyze.NotATranscript:
        return
    yield from _find_misplaced(matches)
    findings = check(matches)
    lines = matches[0].source.lines
    for finding in findings:
        span = Span(finding.line, finding.column, finding.end_column)
        if problem := _outside(span, lines):
            yield Trouble(f"span of finding {finding.code}", f"{span} {problem}")


def _find_misplaced(matches: Sequence[Match]) -> Iterator[Trouble]:
    if not matches:
        yield Trouble("no match", "read_bytes returned none")
    for match in matches:
        for what, span in spans(match):
            if problem := _outside(span, match.source.lines):
                yield Trouble(f"span of {what}", f"{span} {problem}")


def spans(match: Match) -> Iterator[tuple[str, Span]]:
    """Yield every place that a match names."""
    yield from ((f"tag {tag.key[:20]}", tag.span) for tag in match.tags)
    yield from ((f"oddity {odd.rule}", odd.span) for odd in match.oddities)
    if match.length:
        yield "length", match.length.span
    for game in match.games:
        yield "game", game.span
        if game.score:
            yield "score", game.score.span
            yield from (("points", span) for span in game.score.spans)
        for action in game.actions:
            yield type(action).__name__, action.span
            if isinstance(action, Play):
                yield from (("step", action.place(at)) for at in range(len(action.steps)))


def _outside(span: Span, lines: Sequence[str]) -> str:
    """Say how a span is not inside the file, or nothing."""
    if not 1 <= span.line <= len(lines):
        return f"of {len(lines)} lines"
    limit = len(lines[span.line - 1]) + 1
    if not 1 <= span.column <= span.end_column <= limit:
        return f"in a line that ends before column {limit}: {lines[span.line - 1][:60]!r}"
    return ""


@contextmanager
def _time_limit(seconds: int) -> Iterator[None]:
    """Raise HangError after `seconds` of processor time, on systems with such a clock."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def give_up(number: int, frame: FrameType | None) -> None:
        raise HangError

    before: Any = signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@contextmanager
def _memory_limit(size: int) -> Iterator[None]:
    """Let what takes more memory raise MemoryError, where the system can."""
    if resource is None:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    size += _in_use()
    least = size if hard == resource.RLIM_INFINITY else min(size, hard)
    resource.setrlimit(resource.RLIMIT_AS, (least, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _in_use() -> int:
    """Return the address space of this process in bytes, on systems that report it."""
    statm = Path("/proc/self/statm")
    return (
        int(statm.read_text(encoding="utf-8").split()[0]) * resource.getpagesize()
        if statm.exists()
        else 0
    )


def _where(error: Exception) -> str:
    """Return the innermost place of the program in a traceback."""
    place, trace = "", error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if "bganalyze" in code.co_filename:
            place = f"{Path(code.co_filename).name}:{trace.tb_lineno} {code.co_name}"
        trace = trace.tb_next
    return place


def smaller(data: bytes, what: str) -> bytes:
    """Return as little of `data` as still gives that trouble: lines first, then characters."""
    for unit in (b"\n", b" ", b""):
        parts = data.split(unit) if unit else [bytes([byte]) for byte in data]
        size = max(len(parts) // 2, 1)
        while size and len(parts) < 5_000:
            parts = _without_stretches(parts, unit, size, what)
            size //= 2
        data = unit.join(parts)
    return data


def _without_stretches(parts: list[bytes], unit: bytes, size: int, what: str) -> list[bytes]:
    at = 0
    while at < len(parts):
        shorter = parts[:at] + parts[at + size :]
        data = unit.join(shorter)
        if any(trouble.what == what for trouble in chain(troubles(data), unsteady(data))):
            parts = shorter
        else:
            at += size
    return parts
