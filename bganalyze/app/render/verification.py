"""The verification of claimed results: as a table for people, as data for programs, and as a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal, TypedDict

from bganalyze.app.config import rule_book_title
from bganalyze.app.render.console import fit_line, make_table, render_to_string
from bganalyze.app.render.document import Cell, Chapter, Document, Grid, Note, Part, Tone
from bganalyze.app.render.matches import as_record, csv_line, json_with_list
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.statistics.claimed_results.verdicts import (
    FAILING,
    STATUSES,
    Verdict,
    Verification,
    name_match,
)
from bganalyze.text import number_of

VERSION = 1
"""The version of the schema of verifications."""


class VerificationObject(TypedDict):
    """The verification of claimed results, as `verify --format json` writes it."""

    version: Literal[1]
    """The version of this schema."""
    rule_book: str
    """The rule book the matches were checked by."""
    confirmed: bool
    """Whether no claim is contradicted, disputed, missing or unfinished."""
    verdicts: tuple[Verdict, ...]
    """The verdicts on claims in the order of their lines, then those on matches without a claim."""


# Data.

COLUMNS = (
    *("status", "line", "event", "round", "date", "player1", "player2", "score1", "score2"),
    *("length", "recorded1", "recorded2", "by_board1", "by_board2", "recorded_length", "differs"),
    *("against", "path", "number", "words", "perhaps"),
)
"""The columns of CSV."""


def make_csv_row(verdict: Verdict) -> tuple[Any, ...]:
    """Return a verdict on a claimed result as a row of CSV."""
    claim, match = verdict.claim, verdict.match
    stated: tuple[int | str | None, ...]
    if claim is not None:
        stated = (claim.line, claim.event, claim.round, claim.date, *claim.players)
        claimed: tuple[int | None, ...] = (*claim.score, claim.length)
    else:
        assert match is not None  # A verdict is on a claim or on a match.
        date = "" if match.date is None else str(match.date)
        stated = (None, match.event, match.round, date, *match.players)
        claimed = (None, None, None)
    return (
        *(verdict.status, *stated, *claimed),
        *(verdict.recorded or (None, None)),
        *(verdict.by_board or (None, None)),
        *(match and match.length, " ".join(verdict.differs), " ".join(verdict.against)),
        *((match.path, match.number) if match else (None, None)),
        *(verdict.words, "; ".join(verdict.perhaps)),
    )


def render_csv(verification: Verification, _: OutputOptions) -> Iterator[str]:
    """Yield a CSV line for each verdict."""
    yield csv_line(COLUMNS)
    for verdict in verification.verdicts:
        yield csv_line(make_csv_row(verdict))


def render_json(verification: Verification, setting: OutputOptions) -> Iterator[str]:
    """Yield one JSON object with all verdicts."""
    about = {
        "version": VERSION,
        "rule_book": rule_book_title(setting.rule_book),
        "confirmed": verification.is_confirmed,
    }
    yield from json_with_list(about, "verdicts", map(as_record, verification.verdicts))


# For people.


def totals_line(verification: Verification) -> str:
    """Return a line of counts, such as `3 claims: 2 confirmed, 1 missing`."""
    counts = verification.counts()
    claims = sum(verdict.claim is not None for verdict in verification.verdicts)
    words = (f"{count:,} {status}" for status, count in counts.items() if count)
    return ": ".join(filter(None, (number_of(claims, "claim"), ", ".join(words))))


def render_text(verification: Verification, setting: OutputOptions) -> Iterator[str]:
    """Yield a table of the verdicts that need attention, then the counts of all verdicts."""
    shown = [one for one in verification.verdicts if one.status != "confirmed" or one.words]
    if shown:
        grid = make_table("line", "players", "claimed", "recorded", "by board", "verdict")
        for column in grid.columns[2:5]:
            column.no_wrap = True
        for verdict in _sort_by_severity(shown):
            grid.add_row(*(fit_line(text, setting) for text in _make_verdict_cells(verdict)))
        yield render_to_string(grid, setting)
        yield "\n"
    yield f"{totals_line(verification)}\nRule book: {rule_book_title(setting.rule_book)}\n"


def _sort_by_severity(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Return verdicts in order, the most serious, such as contradicted claims, first."""
    return sorted(verdicts, key=lambda verdict: STATUSES.index(verdict.status))


def _make_verdict_cells(verdict: Verdict) -> tuple[str, ...]:
    """Return the table cells of a verdict on a claim: players, scores, verdict and others."""
    claim, match = verdict.claim, verdict.match
    players = claim.players if claim else match.players if match else ("", "")
    return (
        str(claim.line) if claim else "",
        " – ".join(players),
        _describe_score(claim and claim.score),
        _describe_score(verdict.recorded),
        "" if verdict.by_board == verdict.recorded else _describe_score(verdict.by_board),
        verdict_text(verdict),
    )


def verdict_text(verdict: Verdict) -> str:
    """Return a verdict in words, such as `contradicted: another winner (a.mat)`."""
    where = name_match(verdict.match) if verdict.match else ""
    perhaps = f"perhaps {', '.join(verdict.perhaps)}" if verdict.perhaps else ""
    about = "; ".join(filter(None, (verdict.words, perhaps)))
    return ": ".join(filter(None, (verdict.status, about))) + (f" ({where})" if where else "")


def _describe_score(score: tuple[int, int] | None) -> str:
    """Return a score as text, such as `5–3`; "" for None."""
    return "" if score is None else "{}–{}".format(*score)


def _choose_tone(verdict: Verdict) -> Tone:
    """Return the tone of a verdict, which sets its color: `error`, `info` or ""."""
    if verdict.status in FAILING:
        return "error"
    return "" if verdict.status == "confirmed" else "info"


_HEADINGS = ("Verdict", "Line", "Event", "Date", "Players", "Claimed", "Recorded", "By the board")


def render_html(verification: Verification, setting: OutputOptions) -> Iterator[str]:
    """Yield a page with all verdicts, the most serious first."""
    from bganalyze.app.render.document_html import render_page  # jinja2 is needed by pages only

    parts = tuple(
        Part(f"{status.capitalize()} ({len(verdicts):,})", (_tabulate_verdicts(verdicts),))
        for status in STATUSES
        if (verdicts := [one for one in verification.verdicts if one.status == status])
    )
    nothing = (Part("Results", (Note("No claims and no matches"),)),)
    ending = (totals_line(verification), f"Rule book: {rule_book_title(setting.rule_book)}.")
    yield render_page(
        Document("Claimed results", (Chapter("Claimed results", parts or nothing),), ending)
    )


def _tabulate_verdicts(verdicts: Iterable[Verdict]) -> Grid:
    """Return verdicts on claimed results as a table for a page."""
    rows = tuple(tuple(_make_page_cells(verdict)) for verdict in verdicts)
    return Grid("", _HEADINGS, rows, words=len(_HEADINGS))


def _make_page_cells(verdict: Verdict) -> Iterator[Cell]:
    """Yield the table cells of a verdict on a page."""
    line, players, claimed, recorded, by_board, words = _make_verdict_cells(verdict)
    row = dict(zip(COLUMNS, make_csv_row(verdict), strict=True))
    yield Cell(words, tone=_choose_tone(verdict))
    yield Cell(line)
    yield Cell(", ".join(filter(None, (row["event"], row["round"]))))
    yield from map(Cell, (row["date"], players, claimed, recorded, by_board))
