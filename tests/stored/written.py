"""Odd matches in every format, with what each loses; and analyses, written and read again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from gvformat import read_gvab

import bganalyze
from bganalyze.analysis.analyzed import AnalyzedDecision
from bganalyze.analysis.engines import Evaluation
from bganalyze.analysis.notations import NOTATIONS
from bganalyze.analysis.select import find_analysis
from bganalyze.app.api.convert import convert_analyzed
from bganalyze.board.ids import xgid
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import findings_of
from bganalyze.validation.replaying import replay
from bganalyze.writing import WRITERS, LostDetail, UnwritableError, write
from tests.analysis.test_notations import WithChances
from tests.statistics.match_report.analyzed import MATCH, Dictated, analyze_text

ODD = {
    "money with a beaver": """\
bganalyze match
left: Ann
right: Bob
length: money
Jacoby: On
Beaver: On
Event: Club night
EventDate: 2026.05.01
game 1
score 0-0
1. L 31 8/5 6/5 | R 42 8/4 6/4
2. L double 2 | R double 4
3. L take 4 | L 65 24/13
4. R 61 13/7 8/7 | L resigns 1
5. R take
L resigns 2
R wins 8
game 2
score 0-8
cube: 2
1. R 31 8/5 6/5 | L 66 24/18(2) 13/7(2)
""",
    "corrections, illegal plays and a dance": """\
bganalyze match
left: Ann
right: Bob
length: 5
; bganalyze: ignore P401
game 1
score 0-0
1. L 31 8/5 6/4
L 31 8/5 6/5
R 64 24/14
; a remark, "quoted"
2. L 42 8/4 8/6 | R 55 14/4(2)
3. L 65 24/14 | R 61 dance
4. L 66 ? | R 21 unread
5. L 43 24/20*/17 illegal | R 62 bar/23 24/18
6. L "smudged" | R 51 6/off(2)
L wins 1
""",
    "Crawford, the cube and rulings": """\
bganalyze match
left: Ann Lee
right: Bob, Jr.
length: 3
game 3
score 2-1 Crawford
1. R 31 8/5 6/5 | L double 2
2. R drop
ruling: 1 point to Bob, Jr. (late)
ruling: checkers put back L 4/5 R bar/20 (4.2)
R wins 1
game 4
score 2-2
1. L 31 8/5 6/5 | R 42 8/4 6/4
2. L double 4 | R take
3. L 61 leaves cube 4 | R 11 6/4(2)
ruling: game replayed
L resigns 3
""",
    "a position and a lost end": """\
bganalyze match
left: Ann
right: Bob
length: 7
game 5
score 4-6
board L 6(2) 5(2) off(11) R 3(3) 1(2) off(10) cube 2 turn R crawford no
1. L -- | R 21 3/1 3/2
2. L 65 6/off 5/off | R double 4
3. L take | R 66 3/off 2/off 1/off(3)
R wins 4
game 6
score 4-9
""",
}
"""Matches with what formats say in different ways, or cannot say."""


FORMATS = tuple(name for name in WRITERS if name != "json")
"""The formats shown; JSON would take more lines than all others, and loses nothing."""


class Doubting(WithChances):
    """An engine that says nothing of some decisions, and little of others."""

    level = "1ply"

    def evaluate(self, decisions: object) -> list[Evaluation | None]:
        known = super().evaluate(decisions)
        return [None if number % 3 == 2 else one for number, one in enumerate(known)]


ENGINES: tuple[type[Dictated], ...] = (WithChances, Dictated, Doubting)


def write_odd_matches() -> str:
    """Return each odd match in each format, with the findings in it and what the format loses."""
    return "\n".join(
        "".join(f"{line}\n" for line in _write_match(name, text)) for name, text in ODD.items()
    )


def _write_match(name: str, text: str) -> Iterator[str]:
    replays = [replay(match) for match in read_bytes(text.encode(), "odd.bgm")]
    yield f"== {name}"
    for one in findings_of(replays):
        place = f"{one.line}:{one.column}-{one.end_column}"
        yield f"{place} {one.code} {one.severity} {one.side} {one.standing}: {one.message}"
    for known_as in FORMATS:
        yield f"-- {known_as}"
        try:
            written = write(replays, known_as)
        except UnwritableError as error:
            yield f"not written: {error}"
        else:
            yield from _show(written.data, written.losses, known_as)


def write_analyses() -> str:
    """Return a match with analyses in each format that stores them, and what is read of it again."""
    return "\n".join(
        "".join(f"{line}\n" for line in _write_analyses(engine(), known_as))
        for engine in ENGINES
        for known_as in NOTATIONS
    )


def _write_analyses(engine: Dictated, known_as: str) -> Iterator[str]:
    match, analyzed = analyze_text(MATCH, engine)
    made = convert_analyzed([replay(match)], [analyzed], known_as)
    yield f"== {type(engine).__name__} as {known_as}"
    yield from _show(made.data, made.losses, known_as)
    (again,) = read_bytes(made.data, f"a.{known_as}")
    found = find_analysis(again, None)
    assert found is not None
    yield f"read again: {found.key.engine}, {found.key.version}, {found.key.level}"
    yield from map(_describe_row, found.rows)


def _describe_row(row: AnalyzedDecision) -> str:
    values = row._asdict() | {"situation": xgid(row.situation)}
    known = (f"{name} {_write_value(value)}" for name, value in values.items() if value is not None)
    return ", ".join(known)


def _write_value(value: object) -> str:
    return f"{value:.5g}" if isinstance(value, float) else str(value)


def _show(data: bytes, losses: Sequence[LostDetail], known_as: str) -> Iterator[str]:
    yield from (f"lost: {loss.what}{_place(loss)}" for loss in losses)
    text = _write_document(data) if known_as == "gvab" else data.decode("utf-8-sig")
    shown = text.replace(bganalyze.__version__, "VERSION")
    yield from (line.rstrip() for line in shown.splitlines())


def _place(loss: LostDetail) -> str:
    return "" if loss.span is None else f" ({loss.span.line}:{loss.span.column})"


def _write_document(data: bytes) -> str:
    """Return GammonView's document with a line for each of its parts, and each ply."""
    document = read_gvab(data)
    games = document.pop("games")
    parts = [f"{key}: {json.dumps(value)}" for key, value in document.items()]
    for game in games:
        plies = game.pop("plies")
        parts += [f"game {json.dumps(game)}", *map(json.dumps, plies)]
    return "\n".join(parts)
