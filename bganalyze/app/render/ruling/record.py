"""The sheet of a case as a JSON object."""

from __future__ import annotations

from typing import Final, Literal, TypedDict

from bganalyze.analysis.gain_of_illegal import PlayGain
from bganalyze.app.config import rule_book_title
from bganalyze.app.render.ruling.books import explain_silence, other_clauses
from bganalyze.board.rule_text import Clause, Known
from bganalyze.validation.cases import BookRuling, Case, PointsUnderRemedy
from bganalyze.validation.findings import Proposal

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
    """Ruling of one rule book on a finding."""

    rule_book: str
    """The name of the book."""
    edition: str
    """The book with its edition and date, and with settings that change it."""
    is_reported: bool
    """Whether a check by this book reports the finding."""
    standing: Literal["corrected", "open", "stands"] | None
    """The standing at the moment when it was noticed; None if the book does not say."""
    who_acts: str | None
    """The player or players who must or may act; None if it is too late or the book does not say."""
    remedy: str
    """The remedy now, or a remark that the book does not say."""
    clauses: list[ClauseRecord]
    """The clauses on which this rests."""
    other_clauses: list[ClauseRecord]
    """Other clauses about the subject."""


class PointsRecord(TypedDict):
    """The points of the match under one remedy, by the columns of its first game."""

    remedy: str
    """The remedy in words."""
    winner_of_game: int | None
    """The winner of the game: 0 left, 1 right; None if the game has to be played on or
    again, or if a score line or header gives the score alone."""
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
    """The chance of each player to win the match after the game, from 0 to 1; None in money play."""
    contradicted_by: list[str]
    """Places in the match file, in words, that contradict this result of a disputed game."""


class GainRecord(TypedDict):
    """The gain of a play over the best legal one, by an engine."""

    engine: str
    """The name of the engine."""
    version: str
    """Its version."""
    level: str
    """Its level."""
    best: str | None
    """The best legal play; None without an evaluation."""
    equity: float | None
    """The equity gained (EMG), below 0 for a loss; None if the engine does not evaluate the play."""
    chance: float | None
    """The match-winning chance gained, from -1 to 1, or in money play the points; None if unknown."""


class LikelySlipRecord(TypedDict):
    """A transcription slip that may be behind an error."""

    line: int
    """The line of the slip."""
    message: str
    """The correction in words."""
    probability: float
    """Its probability, from 0 to 1, if the error is a slip."""
    proved: bool
    """Whether no other correction is as likely."""


class RulingObject(TypedDict):
    """A finding of a match and its rulings by rule books, as `ruling --format json` writes them."""

    version: Literal[1]
    """The version of this schema."""
    path: str
    """The file."""
    match: int
    """The match in its file, counted from 1."""
    game: int
    """The game in its match, counted from 1."""
    line: int
    """The line of the finding, counted from 1."""
    column: int
    """The first column of its place, counted from 1."""
    code: str
    """The code of the rule."""
    name: str
    """The name of the rule."""
    message: str
    """The message of the finding."""
    position: str | None
    """The board before the action as an XGID; None if the finding has none."""
    legal: list[str]
    """The nearest legal plays; empty if no play is in question."""
    evidence: Literal["contradicted", "consistent", "unknown"] | None
    """Whether the rest of the match contradicts what was recorded."""
    slips: list[LikelySlipRecord]
    """The transcription slips that a check finds behind a contradicted error, the likeliest first; else
    empty."""
    noticed: int | None
    """The line of the action before which it was noticed, or after whose roll; None for now, after the end
    of the record."""
    noticed_after_roll: bool
    """Whether it was noticed after the roll of that action, before its play."""
    gain: GainRecord | None
    """The gain of the play by an engine; None without an engine or a play."""
    rulings: list[RulingRecord]
    """The ruling of each rule book."""
    points_then: list[PointsRecord]
    """The points as recorded, then under each remedy."""


def ruling_object(case: Case, gain_over_best_legal: PlayGain | None = None) -> RulingObject:
    """Return a director's sheet on one error as a record for JSON."""
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
        "slips": list(map(_make_slip_record, finding.proposals or ())),
        "noticed": None if case.noticed is None else case.noticed.turn.action.span.line,
        "noticed_after_roll": case.noticed is not None and case.noticed.is_rolled,
        "gain": None if gain_over_best_legal is None else _make_gain_record(gain_over_best_legal),
        "rulings": list(map(_make_ruling_record, case.rulings)),
        "points_then": list(map(_make_points_record, case.points)),
    }


def _make_slip_record(proposal: Proposal) -> LikelySlipRecord:
    """Return a transcription slip as a record for JSON."""
    return {
        "line": proposal.line,
        "message": proposal.message,
        "probability": proposal.probability,
        "proved": proposal.proved,
    }


def _make_gain_record(gain: PlayGain) -> GainRecord:
    """Return the comparison of an illegal play with the best legal one for JSON."""
    return {
        "engine": gain.engine,
        "version": gain.version,
        "level": gain.level,
        "best": None if gain.decision is None else gain.decision.better,
        "equity": gain.equity,
        "chance": gain.chance,
    }


def _make_ruling_record(book_ruling: BookRuling) -> RulingRecord:
    """Return a rule book's ruling as a record for JSON."""
    book, finding, ruling = book_ruling
    clauses = () if ruling is None else ruling.clauses
    return {
        "rule_book": book.name,
        "edition": rule_book_title(book),
        "is_reported": finding is not None,
        "standing": None if ruling is None or ruling.standing is None else ruling.standing.value,
        "who_acts": None if ruling is None else ruling.decider or None,
        "remedy": explain_silence(book_ruling) if ruling is None else ruling.remedy,
        "clauses": list(map(_make_clause_record, clauses)),
        "other_clauses": list(map(_make_clause_record, other_clauses(book_ruling))),
    }


def _make_clause_record(clause: Clause) -> ClauseRecord:
    """Return a clause of a rule book as a record for JSON."""
    assert clause.known is not Known.ASSUMED
    return {
        "number": clause.number,
        "words": clause.words.strip(),
        "known": "read" if clause.known is Known.READ else "quoted",
    }


def _make_points_record(remedied: PointsUnderRemedy) -> PointsRecord:
    """Return the points scored under one remedy as a record for JSON."""
    won, after, final, winner, unneeded, chances, *_ = remedied.points
    return {
        "remedy": remedied.remedy,
        "winner_of_game": None if won is None else won.side,
        "points": None if won is None else won.points,
        "score_after": after,
        "final_score": final,
        "winner": winner,
        "unneeded_games": unneeded,
        "chances": chances,
        "contradicted_by": list(remedied.contradicted_by),
    }
