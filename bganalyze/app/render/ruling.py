"""A case as one page that a director can rule from: as text, Markdown, HTML and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypedDict

from bganalyze.app.config import title
from bganalyze.app.render import document_markdown, document_text
from bganalyze.app.render.board import make_scene
from bganalyze.app.render.document import (
    Block,
    Cell,
    Chapter,
    Diagram,
    Diagrams,
    Document,
    Grid,
    Note,
    Part,
)
from bganalyze.app.render.findings.explained import finding_scenes
from bganalyze.app.render.player import action_in_words
from bganalyze.app.render.setting import OutputOptions
from bganalyze.board.position import Step
from bganalyze.board.rule_text import Clause, Known
from bganalyze.record.model import Play
from bganalyze.text import number_of
from bganalyze.validation.cases import BookRuling, Case, PointsThen
from bganalyze.validation.findings import EvidenceKind, Finding, Severity
from bganalyze.validation.replaying.facts import Turn
from bganalyze.validation.replaying.places import side_of
from bganalyze.validation.rules.ruling import SILENT
from bganalyze.validation.rules.words import describe_evidence

MOST_TURNS = 6
"""Actions of the time line that are shown one by one."""

_BLANK = "_" * 24


def render_text(case: Case, setting: OutputOptions) -> Iterator[str]:
    """Yield the sheet as text."""
    return document_text.render(sheet(case), setting)


def render_markdown(case: Case, setting: OutputOptions) -> Iterator[str]:
    """Yield the sheet as Markdown."""
    return document_markdown.render(sheet(case), setting)


def render_json(case: Case, _: OutputOptions) -> Iterator[str]:
    """Yield the sheet as a JSON object."""
    yield json.dumps(ruling_object(case), ensure_ascii=False, indent=2) + "\n"


def sheet_page(case: Case) -> str:
    """Return the sheet as a page of HTML that prints on one sheet of paper."""
    from bganalyze.app.render.document_html import render_page  # jinja2 is needed by pages only

    return render_page(sheet(case))


def sheet(case: Case) -> Document:
    """Return a case as a document of one chapter."""
    match, finding = case.replayed.match, case.finding
    names = _names(case)
    parts = (
        Part("What happened", tuple(_happened(case, names))),
        Part("Time line", (_time_line(case, names),)),
        Part("By the rule books", tuple(_rulings(case))),
        Part("The points", (_points(case),)),
        Part("What the record cannot show", tuple(map(Note, _not_shown(case)))),
        Part("Decision", (_decision(),)),
    )
    facts = tuple(_facts(case, names))
    chapter = Chapter(f"Ruling: {finding.code} {finding.name}", parts, facts=facts)
    return Document(f"Ruling on {match.source.path}:{finding.line}", (chapter,), layout="sheet")


def _names(case: Case) -> tuple[str, str]:
    """Return the players by the columns of the game in question."""
    game = case.replayed.games[case.turn.context.game - 1].game
    return game.names_or(case.replayed.match.names)


def _facts(case: Case, names: tuple[str, str]) -> Iterator[tuple[str, str]]:
    context, finding = case.turn.context, case.finding
    yield "Players", " – ".join(names)
    terms, (left, right) = context.terms, context.score
    crawford = ", Crawford game" if context.crawford else ""
    yield "Score", f"{left} – {right} ({_length_in_words(terms.length)}{crawford})"
    row = "" if finding.row is None else f", row {finding.row.strip()}"
    yield "Place", f"{finding.path}, line {finding.line}, game {context.game}{row}"


def _length_in_words(length: int | None) -> str:
    if length is None:
        return "match length not recorded"
    return f"match to {number_of(length, 'point')}" if length else "money play"


def _happened(case: Case, names: tuple[str, str]) -> Iterator[Block]:
    finding = case.finding
    yield Note(finding.message, tone=finding.severity.value)
    if finding.situation is not None:
        yield Diagrams((_boards(case, names),))
    if finding.legal is not None:
        yield Note(f"nearest legal plays: {finding.legal_in_words}")
    yield Note(_played_or_mistranscribed(finding))


def _boards(case: Case, names: tuple[str, str]) -> Diagram:
    finding = case.finding
    assert finding.situation is not None
    before, after = finding_scenes(finding, make_scene(finding.situation, names))
    action = case.turn.action
    if isinstance(action, Play):
        before = before._replace(arrows=tuple(_movements(action.steps)))
    return Diagram(_said(case.turn, names), before, after=after)


def _movements(steps: Sequence[Step]) -> Iterator[tuple[int, int]]:
    """Yield each movement from one point to the next."""
    for path, _ in steps:
        yield path[0], path[-1]


def _said(turn: Turn, names: tuple[str, str]) -> str:
    return f"{names[side_of(turn)]} {action_in_words(turn)}"


def _played_or_mistranscribed(finding: Finding) -> str:
    """Return whether the record speaks for a player's error or a slip of the transcriber."""
    said = "; ".join(words for _, words in describe_evidence(finding))
    match None if finding.evidence is None else finding.evidence.kind:
        case EvidenceKind.CONTRADICTED:
            return (
                f"the record contradicts itself, so a slip of the transcriber is possible: {said}"
            )
        case EvidenceKind.CONSISTENT:
            return f"nothing in the record speaks against its having been played so: {said}"
        case _:
            return "the record does not show whether it was played so or written down wrong"


def _time_line(case: Case, names: tuple[str, str]) -> Grid:
    turns = case.time_line
    closers = _closers(case)
    rows: list[tuple[Cell, ...]] = []
    left_out = 0
    for index, turn in enumerate(turns):
        notes = list(_notes(turn, case, closers))
        if index >= MOST_TURNS and not notes:
            left_out += 1
            continue
        if left_out:
            rows.append((Cell("…"), Cell(number_of(left_out, "more action")), Cell("")))
            left_out = 0
        rows.append(
            (Cell(str(turn.action.span.line)), Cell(_said(turn, names)), Cell("; ".join(notes)))
        )
        if turn is case.noticed:
            break
    if case.noticed is None:
        rows.append((Cell(""), Cell("after the end of the record"), Cell("noticed now")))
    return Grid("", ("line", "action", ""), tuple(rows), words=3)


def _closers(case: Case) -> dict[str, list[str]]:
    """Return the rule books by the place of the action from which the error stands."""
    found: dict[str, list[str]] = {}
    for each in case.rulings:
        if each.closed_by is not None:
            found.setdefault(each.closed_by, []).append(each.rule_book.name)
    return found


def _notes(turn: Turn, case: Case, closers: dict[str, list[str]]) -> Iterator[str]:
    if turn is case.turn:
        yield "the action in question"
    if turn is case.noticed:
        yield "noticed before this"
    place = f"{turn.action.span.line}:{turn.action.span.column}"
    if place in closers:
        yield f"from here it stands ({', '.join(closers[place])})"


def _rulings(case: Case) -> Iterator[Block]:
    """Yield what the books say, those that say the same together; then their clauses and editions."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for said in case.rulings:
        alike.setdefault(_ruling_in_words(said), []).append(said.rule_book.name)
    rows = tuple(tuple(map(Cell, (", ".join(names), *words))) for words, names in alike.items())
    yield Grid("", ("rule book", "standing", "who acts", "what to do now"), rows, words=4)
    for clause, names in _clauses(case).items():
        yield Note(f"By {', '.join(names)}, {clause.name}: {clause.words.strip()}")
    yield Note("Editions: " + "; ".join(title(said.rule_book) for said in case.rulings))


def _clauses(case: Case) -> dict[Clause, list[str]]:
    """Return the clauses on which the rulings rest, with the names of their books."""
    found: dict[Clause, list[str]] = {}
    for said in case.rulings:
        for clause in () if said.ruling is None else said.ruling.clauses:
            found.setdefault(clause, []).append(said.rule_book.name)
    return found


def _ruling_in_words(said: BookRuling) -> tuple[str, str, str]:
    """Return the standing, who acts, and what to do."""
    ruling = said.ruling
    if ruling is None:
        return "", "", _silence(said.finding)
    standing = "not stated" if ruling.standing is None else STANDINGS[ruling.standing.value]
    return standing, ruling.decider or "nobody", ruling.remedy


def _silence(finding: Finding | None) -> str:
    """Return why a book gives no ruling on a fault."""
    if finding is None or finding.severity is Severity.INFO:
        return "nothing: by this book it is no error"
    return f"{SILENT}, what becomes of this"


STANDINGS = {"open": "can still be corrected", "stands": "stands", "corrected": "was corrected"}
"""Standings in the words of a director."""


def _points(case: Case) -> Grid:
    names = case.replayed.match.names
    chances = tuple(f"chance of {name}" for name in names)
    headings = ("", "this game", "score after it", "score at the end", *chances)
    rows = tuple(_points_row(then, names) for then in case.points)
    return Grid("", headings, rows, words=4)


def _points_row(then: PointsThen, names: tuple[str, str]) -> tuple[Cell, ...]:
    won, after, final, winner, unneeded, chances = then.points
    if won is None:
        game = "open"
    elif won.points is None:
        game = f"{names[won.side]}, points unknown"
    else:
        game = f"{names[won.side]} {number_of(won.points, 'point')}"
    ending = "open" if final is None else " – ".join(map(str, final))
    if winner is not None:
        ending += f", {names[winner]} wins"
    if unneeded:
        ending += f"; {number_of(unneeded, 'later game')} not needed"
    score = "open" if after is None else " – ".join(map(str, after))
    shown = ("", "") if chances is None else tuple(f"{100 * chance:.1f} %" for chance in chances)
    return tuple(map(Cell, (then.remedy, game, score, ending, *shown)))


def _not_shown(case: Case) -> Iterator[str]:
    """Yield what the record cannot show, and whom to ask."""
    finding = case.finding
    yield "whether and when somebody called it at the table: ask both players and those who watched"
    if finding.code.startswith(("P4", "T105")) and finding.code != "P499":
        yield "whether it was written down as it was played: ask the transcriber, or look at the video"
    if finding.code.startswith("C5"):
        yield "what was said with the double, and where the cube lay: ask both players"
    if finding.is_of_set_up:
        yield "whether the board was set up so or only written down so: ask both players"
    if finding.code.startswith("R6"):
        yield "what the players agreed and wrote on the score sheet: ask both players"
    if any(then.points.won is None for then in case.points):
        yield "how the game would have ended: the chances are those before it, of players of equal strength"


def _decision() -> Grid:
    rows = tuple(
        (Cell(label), Cell(_BLANK)) for label in ("Decision", "Director", "Date, signature")
    )
    return Grid("", ("", ""), rows, words=2)


# JSON.

VERSION: Final = 1
"""The version of the schema."""


class ClauseRecord(TypedDict):
    """A clause on which a ruling rests."""

    number: str
    """Its number or name in the book; empty if that is not known."""
    words: str
    """The clause in our own words."""
    known: Literal["read", "quoted"]
    """Whether its text was read, or is quoted by others."""


class RulingRecord(TypedDict):
    """What one rule book makes of a fault."""

    rule_book: str
    """The name of the book."""
    edition: str
    """The book with its edition and date, and with settings that change it."""
    is_fault: bool
    """Whether a check by this book finds the fault."""
    standing: Literal["corrected", "open", "stands"] | None
    """The standing at the moment when it was noticed; None if the book does not say."""
    who_acts: str | None
    """Who must or may act; None if nobody can any more, or if the book does not say."""
    remedy: str
    """What to do now, or that the book does not say."""
    clauses: list[ClauseRecord]
    """The clauses on which this rests."""


class PointsRecord(TypedDict):
    """The points of the match under one remedy, by the columns of its first game."""

    remedy: str
    """The remedy in words."""
    winner_of_game: int | None
    """The winner of the game: 0 left, 1 right; None if the game has to be played on or again."""
    points: int | None
    """The points of the game; None if they are unknown or the game is open."""
    score_after: tuple[int, int] | None
    """The score after the game; None while it is open."""
    final_score: tuple[int, int] | None
    """The score after the later games as recorded; None while the game is open."""
    winner: int | None
    """The winner of the match: 0 left, 1 right; None if undecided."""
    unneeded_games: int
    """Number of later games that were played although the match was over."""
    chances: tuple[float, float] | None
    """The chance of each player to win the match, from 0 to 1; None in money play."""


class RulingObject(TypedDict):
    """A fault of a match and what rule books make of it, as `ruling --format json` writes them."""

    version: Literal[1]
    """The version of this schema."""
    path: str
    """The file."""
    match: int
    """The match in its file, counted from 1."""
    game: int
    """The game in its match, counted from 1."""
    line: int
    """The line of the fault, counted from 1."""
    column: int
    """The first column of its place, counted from 1."""
    code: str
    """The code of the rule."""
    name: str
    """The name of the rule."""
    message: str
    """What is wrong."""
    position: str | None
    """The board before the action as an XGID; None if the fault has none."""
    legal: list[str]
    """The nearest legal plays; empty if no play is in question."""
    evidence: Literal["contradicted", "consistent", "unknown"] | None
    """Whether the rest of the match contradicts the fault as recorded."""
    noticed: int | None
    """The line of the action before which it was noticed; None for now, after the end of the record."""
    rulings: list[RulingRecord]
    """What each rule book makes of it."""
    points_then: list[PointsRecord]
    """The points as recorded, then under each remedy."""


def ruling_object(case: Case) -> RulingObject:
    """Return the sheet as a JSON object."""
    finding = case.finding
    return {
        "version": VERSION,
        "path": finding.path,
        "match": case.replayed.match.number,
        "game": case.turn.context.game,
        "line": finding.line,
        "column": finding.column,
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "position": finding.position,
        "legal": list(finding.legal or ()),
        "evidence": None if finding.evidence is None else finding.evidence.kind.value,
        "noticed": None if case.noticed is None else case.noticed.action.span.line,
        "rulings": list(map(_ruling_record, case.rulings)),
        "points_then": list(map(_points_record, case.points)),
    }


def _ruling_record(said: BookRuling) -> RulingRecord:
    book, finding, ruling = said
    clauses = () if ruling is None else ruling.clauses
    return {
        "rule_book": book.name,
        "edition": title(book),
        "is_fault": finding is not None,
        "standing": None if ruling is None or ruling.standing is None else ruling.standing.value,
        "who_acts": None if ruling is None else ruling.decider or None,
        "remedy": _silence(finding) if ruling is None else ruling.remedy,
        "clauses": list(map(_clause_record, clauses)),
    }


def _clause_record(clause: Clause) -> ClauseRecord:
    assert clause.known is not Known.ASSUMED
    return {
        "number": clause.number,
        "words": clause.words.strip(),
        "known": "read" if clause.known is Known.READ else "quoted",
    }


def _points_record(then: PointsThen) -> PointsRecord:
    won, after, final, winner, unneeded, chances = then.points
    return {
        "remedy": then.remedy,
        "winner_of_game": None if won is None else won.side,
        "points": None if won is None else won.points,
        "score_after": after,
        "final_score": final,
        "winner": winner,
        "unneeded_games": unneeded,
        "chances": chances,
    }
