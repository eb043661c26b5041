"""Terms of a match and of each game: length, score, Crawford, money rules, variant."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from bganalyze.board.cube import is_crawford
from bganalyze.board.position import UNCHECKED, VARIANTS
from bganalyze.board.rule_book import RuleBook
from bganalyze.record.model import Answer, Comment, Double, Game, Match, Result
from bganalyze.validation.replaying.replayed import Boards, Context, TermsOfPlay

_NUMBER = re.compile(r"\s*([0-9]{1,9})\s*")
CRAWFORD_MARK = re.compile(r"\bcrawford game\b", re.IGNORECASE)
_DIGIT = re.compile(r"[1-3]")
_POSITION_KEYS = ("position", "setup", "xgid", "gnubgid")
VARIANT_KEYS = ("variation", "variant")
_STARTS: dict[str, Boards] = {
    name: (variant.start, variant.start) for name, variant in (VARIANTS | UNCHECKED).items()
}
_LETTERS = {name: "".join(filter(str.isalpha, name)) for name in UNCHECKED}
MOST_AUTOMATIC = 64


def length_of(match: Match) -> int | None:
    """Return the match length: 0 for money games, None if it is not recorded."""
    if match.conventions.one_game_is_money:
        return 0
    return None if match.length is None else match.length.points


def variant_of(match: Match, rule_book: RuleBook) -> str:
    """Return the name of the variant by the rule book or the header, else `standard`."""
    return _find_variant(_map_header_values(match), rule_book)


def _map_header_values(match: Match) -> dict[str, str]:
    """Map the header's keys, in lowercase, to their first values."""
    return {tag.key.casefold(): tag.value for tag in reversed(match.tags)}


def _find_variant(tags: Mapping[str, str], rule_book: RuleBook) -> str:
    """Return the name of the variant by the rule book or the header `tags`, else `standard`."""
    if rule_book.variant is not None:
        return rule_book.variant
    stated = next(filter(None, map(tags.get, VARIANT_KEYS)), "").casefold()
    if not stated:
        return "standard"
    if stated.startswith("nack"):
        return "nackgammon"
    if stated.startswith("hyper"):
        digit = _DIGIT.search(stated)
        return f"hypergammon-{digit.group() if digit else 3}"
    letters = "".join(filter(str.isalpha, stated))
    return next((name for name in UNCHECKED if letters.startswith(_LETTERS[name])), "standard")


def terms_of(match: Match, rule_book: RuleBook) -> TermsOfPlay:
    """Return the length, variant and cube rules of a match from its header and the rule book."""
    length, tags = length_of(match), _map_header_values(match)
    money = length == 0
    return TermsOfPlay(
        length=length,
        crawford=bool(length)
        and _is_rule_on(rule_book.crawford, tags.get("crawford"), default=True),
        jacoby=_is_jacoby(tags, rule_book) if money else False,
        beavers=not length and _is_rule_on(rule_book.beavers, tags.get("beaver"), default=True),
        auto_doubles=money and rule_book.auto_doubles is not False,
        cube_limit=_parse_number(tags.get("cubelimit"))
        if rule_book.cube_limit is None
        else rule_book.cube_limit,
        variant=_find_variant(tags, rule_book),
        declared_position=any(map(tags.get, _POSITION_KEYS)),
    )


class MatchBeforeGame(NamedTuple):
    """The state of a match before a game."""

    scores: set[tuple[int, int]]
    """All possible scores. If they disagree about the Crawford game, no double is reported."""
    crawford_played: bool
    is_after_gap: bool
    """Whether games may be missing, perhaps the Crawford game."""
    must_be_crawford: bool = False
    """Whether this is the Crawford game even if games are missing before it."""


def make_context(
    terms: TermsOfPlay, game: Game, number: int, score: tuple[int, int], before: MatchBeforeGame
) -> Context:
    """Return the terms, score, cube value and Crawford state at the start of a game.

    `score` is the score used for the replay. `before` has all scores that may be correct.
    """
    if before.must_be_crawford:
        crawford, is_certain = True, game.crawford is not False
    else:
        crawford, is_certain = _decide_crawford(terms, before.scores, before.crawford_played)
        is_certain = is_certain and not (crawford and before.is_after_gap)
    if not is_certain and terms.crawford and game.crawford is not None:
        crawford, is_certain = game.crawford, True
    is_certain = is_certain or (crawford and is_marked_crawford(game))
    cube = _infer_starting_cube(game) if terms.auto_doubles else 1
    return Context(number, terms, score, crawford, is_certain, cube)


def _decide_crawford(
    terms: TermsOfPlay, scores: set[tuple[int, int]], already_played: bool
) -> tuple[bool, bool]:
    """Return whether this is the Crawford game, and whether that is certain.

    `scores` are the possible scores before the game.
    """
    if already_played or not terms.crawford:
        return False, True
    assert terms.length
    readings = {is_crawford(terms.length, score, False) for score in scores}
    if readings == {True}:
        return True, True
    return False, len(readings) == 1


def is_first_at_match_point(terms: TermsOfPlay, scores: set[tuple[int, int]]) -> bool:
    """Whether this is the first game with a side one point short of winning the match.

    This must hold for all possible `scores`, and the other side must have no points.
    """
    # After the Crawford game the other side would have points, from winning it.
    return bool(scores) and all(
        min(score) == 0 and may_be_crawford(terms, {score}) for score in scores
    )


def may_be_crawford(terms: TermsOfPlay, scores: set[tuple[int, int]]) -> bool:
    """Whether this is the Crawford game by at least one of the possible `scores`."""
    if not terms.crawford:
        return False
    assert terms.length
    return any(is_crawford(terms.length, score, False) for score in scores)


def is_marked_crawford(game: Game) -> bool:
    """Whether a comment calls the game the Crawford game."""
    comments = (action for action in game.actions if isinstance(action, Comment))
    return any(CRAWFORD_MARK.search(comment.text) for comment in comments)


def _is_jacoby(tags: Mapping[str, str], rule_book: RuleBook) -> bool | None:
    """Whether the Jacoby rule applies (gammons count only after a double), or None if unknown."""
    if rule_book.jacoby is None and "jacoby" not in tags:
        return None
    return _is_rule_on(rule_book.jacoby, tags.get("jacoby"), default=False)


def _is_rule_on(by_rule_book: bool | None, by_header: str | None, *, default: bool) -> bool:
    """Whether an optional rule applies by the rule book, or else by the header, or else `default`.

    `by_rule_book` and `by_header` are None if the source does not mention the rule.
    """
    if by_rule_book is not None:
        return by_rule_book
    if by_header is None:
        return default
    return by_header.strip().casefold() in ("on", "yes", "true", "1")


def _parse_number(text: str | None) -> int | None:
    """Return the number in the header value `text`, or None."""
    match = None if text is None else _NUMBER.fullmatch(text)
    return None if match is None else int(match.group(1))


def _infer_starting_cube(game: Game) -> int:
    """Return the cube value at the start of a game, recorded or inferred from the first double."""
    if game.cube is not None:
        return game.cube
    # Automatic doubles may have raised it, if the points won agree.
    first = next((a for a in game.actions if type(a) is Double), None)
    if first is None or first.value is None or not 4 <= first.value <= MOST_AUTOMATIC:
        return 1
    if first.value & (first.value - 1):
        return 1
    start = first.value // 2
    dropped = any(type(a) is Answer and not a.taken for a in game.actions)
    won = next((a.points for a in game.actions if type(a) is Result), 0)
    doubles = sum(type(a) is Double for a in game.actions)
    if dropped and doubles == 1:
        return start if won == start else 1
    return start if won and won % first.value == 0 else 1


def start_of(variant: str) -> Boards:
    """Return both sides' checkers at the start of a game of this variant."""
    return _STARTS[variant]
