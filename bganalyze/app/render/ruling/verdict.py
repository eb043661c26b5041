"""The first lines of a sheet: what was illegal, whether it can be corrected, what to decide, the result."""

from __future__ import annotations

from collections.abc import Iterator

from bganalyze.app.render.findings.explained import list_likely_slips
from bganalyze.app.render.ruling.books import (
    name_books,
    name_books_with_limits,
    tell_what_to_look_up,
)
from bganalyze.board.rule_book import RuleBook
from bganalyze.record.model import Double, Play
from bganalyze.validation.cases import BY_GAMES, BY_HEADER, Case, is_about_starting_score
from bganalyze.validation.findings import Finding, Severity, Standing
from bganalyze.validation.replaying.outcomes import (
    FINAL_SCORE,
    OF_RESULTS,
    SCORE,
    FinalScore,
    outcome_of,
)
from bganalyze.validation.replaying.places import side_of
from bganalyze.validation.replaying.player_error_rule import MOVEMENT, SET_UP
from bganalyze.validation.rules.result_of_games import compare_result_with_games
from bganalyze.validation.rules.ruling import Ruling
from bganalyze.validation.rules.words import describe_reading, is_misread

CRAWFORD_DOUBLE = "crawford-double"
MOST_TO_DECIDE = 2
"""Things to decide or to look up that the first lines name."""


def list_verdict(case: Case, names: tuple[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the parts of the verdict, each with a label."""
    yield "Verdict", _say_what_was_illegal(case, names)
    yield from _list_slips_if_contradicted(case.finding)
    yield "Correction", _say_whether_correctable(case)
    to_do = _list_things_to_do(case)
    more = ["see “By the rule books” for the others"] if len(to_do) > MOST_TO_DECIDE else []
    yield "Director", "; ".join([*to_do[:MOST_TO_DECIDE], *more])
    if sentence := _make_sentence_for_players(case):
        yield "To the players", sentence
    yield "Result", _describe_result(case)


def _make_sentence_for_players(case: Case) -> str:
    """Return a sentence on an illegal play, for a director to say to the players.

    The sentence is "" for any other error, and for several rule books.
    """
    ruling = case.rulings[0].ruling if len(case.rulings) == 1 else None
    is_error = case.finding.severity is Severity.ERROR and case.finding.name in MOVEMENT
    if ruling is None or not is_error or ruling.standing not in _TO_PLAYERS:
        return ""
    sentence = _TO_PLAYERS[ruling.standing]
    if case.finding.is_contradicted:
        sentence = f"{_IF_PLAYED}, {sentence}"
    return sentence + (_UNLESS if ruling.is_limit_from_base_rule else "")


_TO_PLAYERS = {
    Standing.OPEN: "the play is illegal, and can still be corrected",
    Standing.STANDS: "the play is illegal, but it is too late to correct it: it stands",
    Standing.CORRECTED: "the play was illegal, and was corrected",
}
"""Sentences that a director can say to the players."""

_IF_PLAYED = "if it was really played so"

PROBABLY_SLIP = "probably written down wrong"

_UNLESS = ", unless the clause to look up sets another time limit"


def _name_document(rule_book: RuleBook) -> str:
    """Return a rule book's title, such as `World Backgammon Federation, Tournament Rules 2.1`."""
    return ", ".join(filter(None, (rule_book.body, rule_book.edition)))


def name_subject(case: Case) -> str:
    """Return the subject of an error in short, such as `illegal play, 5-5` or `double`."""
    finding, action = case.finding, case.turn.action
    if finding.name in MOVEMENT:
        dice = action.dice if isinstance(action, Play) else None
        return "illegal play" + ("" if dice is None else ", {}-{}".format(*dice))
    if finding.name in SET_UP:
        return "wrong set-up"
    if isinstance(action, Double):
        return "double"
    return finding.name.replace("-", " ")


def _say_what_was_illegal(case: Case, names: tuple[str, str]) -> str:
    """Return what was illegal, such as `illegal play by Ann in game 2: …`."""
    finding, action = case.finding, case.turn.action
    if is_about_starting_score(case.replayed, finding, case.turn):
        return f"the starting score is disputed: {finding.message}"
    if _is_about_result(case):
        return f"the result of game {_find_number_of_disputed_game(case)} is disputed: {finding.message}"
    if finding.severity is not Severity.ERROR:
        start = "no error" if finding.severity is Severity.INFO else "doubtful"
        return f"{start}: {finding.message}"
    if finding.name not in MOVEMENT or not isinstance(action, Play):
        return finding.message
    who = f"{names[side_of(case.turn)]} in game {case.turn.context.game}"
    if not finding.is_contradicted:
        return f"illegal play by {who}: {finding.message}"
    return f"illegal play by {who}, {_IF_PLAYED}: {finding.message}; it was {PROBABLY_SLIP}"


def _list_slips_if_contradicted(finding: Finding) -> Iterator[tuple[str, str]]:
    """If the match file contradicts an error, yield the likely slips behind it, with labels.

    If no slip is known, yield the play that was read instead, labeled `Read as`.
    """
    if not finding.is_contradicted:
        return
    if slips := tuple(list_likely_slips(finding)):
        yield from ((label.capitalize(), words) for label, words in slips)
    elif is_misread(finding.reading):
        yield "Read as", describe_reading(finding)


def _is_about_result(case: Case) -> bool:
    """Whether an error is about the result of a game or a score."""
    return case.finding.name in OF_RESULTS or case.finding.name == SCORE


def _find_number_of_disputed_game(case: Case) -> int:
    """Return the number of the game whose result an error disputes."""
    game = case.turn.context.game
    # A score line is about the game before it.
    return game - 1 if case.finding.name == SCORE and game > 1 else game


def _say_whether_correctable(case: Case) -> str:
    """Return words on which rule books still allow a correction: `still possible by …`."""
    by_standing: dict[Standing | None, list[str]] = {}
    for book_ruling in case.rulings:
        standing = None if book_ruling.ruling is None else book_ruling.ruling.standing
        by_standing.setdefault(standing, []).append(book_ruling.rule_book.name)
    if set(by_standing) == {None}:
        return _list_remedies_by_book(case) or "no rule book here is known to say"
    words = {
        Standing.CORRECTED: "made,",
        Standing.OPEN: "still possible",
        None: "not stated",
        Standing.STANDS: "too late",
    }
    return "; ".join(
        f"{start} {name_books_with_limits(by_standing[standing], case)}"
        for standing, start in words.items()
        if standing in by_standing
    )


def _list_remedies_by_book(case: Case) -> str:
    """Return the remedy that each rule book prescribes, such as `by BOOK: …`; "" without any."""
    by_remedy: dict[str, list[str]] = {}
    for ruling in _select_rulings_with_clauses(case):
        by_remedy.setdefault(ruling.remedy, []).append(ruling.rule_book.name)
    return "; ".join(
        f"by {name_books(names, case)}: {remedy}" for remedy, names in by_remedy.items()
    )


def _select_rulings_with_clauses(case: Case) -> list[Ruling]:
    """Return the rulings that cite a clause of their rule book."""
    rulings = (book_ruling.ruling for book_ruling in case.rulings)
    return [ruling for ruling in rulings if ruling is not None and ruling.clauses]


def _list_things_to_do(case: Case) -> list[str]:
    """Return what a director still has to do, such as `decide which result counts`."""
    if _is_about_result(case):
        is_start = is_about_starting_score(case.replayed, case.finding, case.turn)
        return ["decide which score counts" if is_start else "decide which result counts"]
    rulings = [
        (book_ruling, book_ruling.ruling)
        for book_ruling in case.rulings
        if book_ruling.ruling is not None
    ]
    deciders = [ruling.decider for _, ruling in rulings if ruling.decider]
    unknown = [
        tell_what_to_look_up(book_ruling, _name_document(book_ruling.rule_book))
        for book_ruling, ruling in rulings
        if ruling.is_limit_from_base_rule
    ]
    if found := list(dict.fromkeys([*deciders, *unknown])):
        return found
    standings = {ruling.standing for _, ruling in rulings}
    if Standing.STANDS in standings:
        return ["nothing to correct: it is too late"]
    if Standing.CORRECTED in standings:
        return ["nothing: it was corrected"]
    is_doubtful = case.finding.severity is not Severity.ERROR
    if case.finding.name == CRAWFORD_DOUBLE and is_doubtful:
        return ["find out whether this was the Crawford game: the record does not show it"]
    return [
        "decide by the clause below"
        if _select_rulings_with_clauses(case)
        else "decide what becomes of this"
    ]


def _describe_result(case: Case) -> str:
    """Return the final score with doubts about it: `Ann 7, Bob 3 as recorded (Ann wins)`.

    If the games add up to another score, that score follows.
    """
    result, outcome = compare_result_with_games(case.replayed), outcome_of(case.replayed)
    if case.recorded.after is None:
        return result.words or "unknown"
    source = "as recorded"
    if outcome.disputed:
        is_header = FINAL_SCORE in outcome.disputed
        source = BY_HEADER if is_header else "by the last score line and result"
    words = [_describe_final_score(case, case.recorded, source)]
    if outcome.by_board.after not in (None, case.recorded.after):
        words.append(_describe_final_score(case, outcome.by_board, BY_GAMES))
    return "; ".join([*words, result.words] if result.words else words)


def _describe_final_score(case: Case, final: FinalScore, source: str) -> str:
    """Return a final score and its source: `Ann 7, Bob 3 by the games (Ann wins)`."""
    players = case.replayed.match.names
    points = final.after or ("?", "?")
    scores = ", ".join(f"{name} {own}" for name, own in zip(players, points, strict=True))
    won = "undecided" if final.winner is None else f"{players[final.winner]} wins"
    return f"{scores} {source} ({won})"
