"""The questions about a case that the match file cannot answer."""

from __future__ import annotations

from collections.abc import Iterator

from bganalyze.app.render.disputes import list_unknowns_of_result
from bganalyze.validation.cases import BookRuling, Case
from bganalyze.validation.findings import Finding


def list_unknowns(case: Case) -> Iterator[str]:
    """Yield what the match file cannot tell about a case, each with whom to ask."""
    yield "whether and when somebody called it at the table: ask both players and those who watched"
    yield from _list_unknowns_of_error(case.finding)
    if case.points[0].points.winner is not None and any(
        book_ruling.rule_book.forbidden_cube == "annulled-until-recorded"
        for book_ruling in _select_rulings_on_forbidden_double(case)
    ):
        yield "whether the result of the match was recorded already: look at the list of results"
    if any(
        remedied.points.won is None and remedied.points.final is None for remedied in case.points
    ):
        yield "how the game would have ended: where it is open, the chances are those before it, of players of equal strength"


def _list_unknowns_of_error(finding: Finding) -> Iterator[str]:
    """Yield what no match file can tell about an error, each with whom to ask."""
    if finding.code == "T105":
        yield (
            "whether a turn was played but not written down, or not played at all (the clock was "
            "hit, or a play overlooked): ask both players and the transcriber"
        )
    if finding.code == "P499":
        yield "how the checkers came there: the record has only the board after the play"
    elif finding.code.startswith("P4"):
        yield "whether it was written down as it was played: ask the transcriber, or look at the video"
    if finding.code.startswith("P4"):
        yield "how the dice lay, and whether they were read right: ask both players"
    if finding.code.startswith("C5"):
        yield "what was said with the double, and where the cube lay: ask both players"
    if finding.is_of_set_up:
        yield "whether the board was set up so or only written down so: ask both players"
    yield from list_unknowns_of_result(finding.code, finding.name)


def _select_rulings_on_forbidden_double(case: Case) -> Iterator[BookRuling]:
    """Yield the rulings that rest on a rule book's own rule for forbidden doubles."""
    for book_ruling in case.rulings:
        if book_ruling.ruling is not None and "forbidden_cube" in book_ruling.ruling.switches:
            yield book_ruling
