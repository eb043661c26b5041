"""`replay`: the turns of a match with their boards, and how its games end."""

from __future__ import annotations

from bganalyze.app.api.arguments import check_arguments
from bganalyze.app.api.sources import find_rule_book
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.record.model import Match
from bganalyze.validation import replaying
from bganalyze.validation.replaying import MatchReplay


@check_arguments
def replay(match: Match, rules: str | RuleBook = BASIC) -> MatchReplay:
    r"""Replay a match: return each turn with the boards before and after it.

    `rules` is a rule book: a name in `RULE_BOOKS`, a TOML file, or a `RuleBook`. An illegal play is
    carried out as written, unless the rule book says otherwise. Raises ValueError for an unknown
    rule book.

    >>> from bganalyze.app.api.read import read
    >>> text = b" 5 point match\n\n Game 1\n Ann : 0     Bob : 0\n  1) 31: 8/5 6/5     52: 13/8 24/22\n"
    >>> replayed = replay(read(text, name="a.mat")[0])
    >>> [turn.action.dice for turn in replayed.games[0].turns]
    [(3, 1), (5, 2)]
    """
    return replaying.replay(match, find_rule_book(rules))
