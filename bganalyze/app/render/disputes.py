"""A disputed result: the possible results side by side, what contradicts each, and what no record shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bganalyze.app.render.document import Block, Cell, Grid, Lines, Note, Part
from bganalyze.board.rule_book import RuleBook
from bganalyze.text import number_of
from bganalyze.validation.cases import PointsUnderRemedy, rescore_for_each_result
from bganalyze.validation.replaying.match import MatchReplay
from bganalyze.validation.replaying.outcomes import MatchOutcome, outcome_of
from bganalyze.validation.rules import BY_NAME
from bganalyze.validation.rules.disputed_results import (
    Names,
    find_disputes,
    list_names_of_games,
    score_in_words,
    win_in_words,
)
from bganalyze.validation.rules.ruling import describe_rule

MOST_COMPARED = 3
"""Disputed games whose results are shown side by side; a sentence each describes the others."""

_NUMBERS = {2: "Two", 3: "Three"}


def find_disputed_part(replayed: MatchReplay, rule_book: RuleBook) -> Iterator[Part]:
    """Yield a section `Disputed` on results that the match file contradicts, if there are any."""
    outcome = outcome_of(replayed)
    if blocks := tuple(_list_blocks(replayed, outcome, rule_book)):
        yield Part("Disputed", blocks)


def _list_blocks(
    replayed: MatchReplay, outcome: MatchOutcome, rule_book: RuleBook
) -> Iterator[Block]:
    """Yield tables of the possible results of disputed games, then notes."""
    names = list_names_of_games(replayed)
    disputes = tuple(find_disputes(outcome, names))
    compared = dict(_list_possible_results(replayed, outcome))
    for number, results in compared.items():
        yield _tabulate_possible_results(number, results, names[number - 1], names[0], outcome)
    for dispute in disputes:
        if dispute.game not in compared and not (dispute.game is None and len(compared) == 1):
            yield Note(f"{dispute}", tone="warning")
    for count in sorted({len(results) for results in compared.values()}):
        yield Note(
            f"{_NUMBERS[count]} explanations of one record: the record cannot choose between them",
            tone="warning",
        )
    if not disputes:
        return
    rules = [rule for rule in BY_NAME.values() if rule.name in outcome.disputed]
    unknown = dict.fromkeys(
        words for rule in rules for words in list_unknowns_of_result(rule.code, rule.name)
    )
    verdicts = dict.fromkeys(describe_rule(r.code, r.name, rule_book).verdict for r in rules)
    said = "; ".join(verdicts).replace("this book", f"rule book {rule_book.name}")
    book = f"{said}: the director decides"
    yield Lines((*(f"no record shows {words}" for words in unknown), book))


def _list_possible_results(
    replayed: MatchReplay, outcome: MatchOutcome
) -> Iterator[tuple[int, Sequence[PointsUnderRemedy]]]:
    """Yield the number of each disputed game with the game's possible results."""
    compared = 0
    for number, game in enumerate(outcome.games, start=1):
        if game.disputed and compared < MOST_COMPARED:
            results = tuple(rescore_for_each_result(replayed, number, game))
            if len(results) > 1:
                compared += 1
                yield number, results


def _tabulate_possible_results(
    number: int,
    results: Sequence[PointsUnderRemedy],
    names_in_game: Names,
    names_in_first_game: Names,
    outcome: MatchOutcome,
) -> Grid:
    """Return a table of the possible results of game `number`, with what contradicts each."""

    def describe_end(result: PointsUnderRemedy) -> str:
        """Return the final score and who has won the match."""
        points = result.points
        words = score_in_words(points.final, points.winner, names_in_first_game, outcome.length)
        unneeded = f"; {number_of(points.unneeded, 'later game')} not needed"
        return words + unneeded * bool(points.unneeded)

    rows = (
        (
            f"Game {number}",
            [
                "unknown" if one.points.won is None else win_in_words(one.points.won, names_in_game)
                for one in results
            ],
        ),
        ("Match", list(map(describe_end, results))),
        ("Against it", ["; ".join(one.contradicted_by) for one in results]),
    )
    headings = tuple(one.remedy.capitalize() for one in results)
    cells = tuple((Cell(label), *map(Cell, texts)) for label, texts in rows)
    return Grid("", ("", *headings), cells, words=1 + len(results))


def list_unknowns_of_result(code: str, name: str) -> Iterator[str]:
    """Yield what no match file can tell about a wrong result, each with whom to ask.

    `code` and `name` are those of the broken rule.

    >>> list(list_unknowns_of_result("R610", "ruling-mismatch"))[:1]
    ['what was ruled: ask the director']
    """
    if name == "game-after-match":
        yield "to what length the match was to be played: look at the draw, or ask both players"
    if name == "ruling-mismatch":
        yield "what was ruled: ask the director"
    if name == "wrong-winner":
        yield (
            "whether the plays stand in the wrong columns: ask the transcriber, or look at the video"
        )
    if code.startswith("R6"):
        yield "what the players agreed and wrote on the score sheet: ask both players"
