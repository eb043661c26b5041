"""T1xx: the text of the transcript, its rows, columns and headers."""

from __future__ import annotations

from bganalyze.facts import Fact
from bganalyze.findings import Severity
from bganalyze.law import Law
from bganalyze.rules.catalogue import rule
from bganalyze.rules.words import player, throw


@rule("T101", "unreadable-text", Severity.ERROR)
def unreadable_text(fact: Fact, law: Law) -> str:
    """Text that cannot be read as a throw, a play, a cube action or a result."""
    return f"cannot be read: {_shortened(fact.about['text'])!r}"


@rule("T102", "undecodable-bytes", Severity.WARNING)
def undecodable_bytes(fact: Fact, law: Law) -> str:
    """Bytes that fit no encoding."""
    return f"bytes that fit no encoding, kept as {_shortened(fact.about['text'])!r}"


@rule("T103", "row-number", Severity.INFO)
def row_number(fact: Fact, law: Law) -> str:
    """Row numbers repeat, jump or sit inside a cell."""
    return f"row number {fact.about['text']!r} does not follow the row before it"


@rule("T104", "game-number", Severity.WARNING)
def game_number(fact: Fact, law: Law) -> str:
    """Games are missing, repeated or out of order within a match."""
    return f"game {fact.about['number']} follows game {fact.about['before']}"


@rule("T105", "turn-order", Severity.ERROR)
def turn_order(fact: Fact, law: Law) -> str:
    """One side acts twice running: a turn of the other side is missing."""
    return f"{player(fact)} acts twice running; a turn of the opponent is missing before this"


@rule("T106", "action-after-end", Severity.ERROR)
def action_after_end(fact: Fact, law: Law) -> str:
    """An action after the game was decided."""
    ended = {"borne-off": "the last checker was borne off", "drop": "the double was dropped"}
    how = ended.get(fact.about["ended"], "one side had resigned")
    return f"the game was over already: {how}"


@rule("T107", "unfinished-game", Severity.INFO)
def unfinished_game(fact: Fact, law: Law) -> str:
    """The record stops inside a game."""
    return "the record of this game stops before its end"


@rule("T108", "missing-hit-mark", Severity.INFO)
def missing_hit_mark(fact: Fact, law: Law) -> str:
    """A hit without its `*` in a file that marks hits."""
    return "a hit without its * (reported once a file)"


@rule("T109", "false-hit-mark", Severity.WARNING)
def false_hit_mark(fact: Fact, law: Law) -> str:
    """A `*` where nothing was hit."""
    return "marked as a hit, but there is nothing to hit"


@rule("T110", "ambiguous-route", Severity.WARNING)
def ambiguous_route(fact: Fact, law: Law) -> str:
    """A joined step whose routes leave different boards, in a file that marks no hits."""
    return f"the steps of {throw(fact)} can be made by routes that leave different boards"


@rule("T111", "blocked-route", Severity.WARNING)
def blocked_route(fact: Fact, law: Law) -> str:
    """A legal result, written by a route that is blocked."""
    return "legal in its result, but not by the route that is written"


@rule("T112", "ghost-row", Severity.WARNING)
def ghost_row(fact: Fact, law: Law) -> str:
    """The winning play stands again in the other column."""
    return "the winning play is recorded a second time, in the other column"


@rule("T113", "header-mismatch", Severity.INFO)
def header_mismatch(fact: Fact, law: Law) -> str:
    """The names of the header are not those of the score lines."""
    header = " and ".join(fact.about["header"])
    return f"the header names {header}, the score lines {{left}} and {{right}}"


@rule("T114", "name-change", Severity.WARNING)
def name_change(fact: Fact, law: Law) -> str:
    """The players' names or columns change between games of a match."""
    before, now = fact.about["before"], fact.about["now"]
    return f"the players were {before[0]} and {before[1]}, and are {now[0]} and {now[1]} here"


@rule("T115", "several-matches", Severity.INFO)
def several_matches(fact: Fact, law: Law) -> str:
    """The file holds more than one match."""
    return f"match {fact.about['number']} of this file begins here"


@rule("T116", "impossible-value", Severity.WARNING)
def impossible_value(fact: Fact, law: Law) -> str:
    """A number that no game can produce."""
    return f"no game can be won by {fact.about['points']} points"


@rule("T117", "missing-length", Severity.WARNING)
def missing_length(fact: Fact, law: Law) -> str:
    """No match line: the length of the match is not recorded."""
    return "no match line before the first game: the match length is unknown"


@rule("T118", "replayed-turn", Severity.WARNING)
def replayed_turn(fact: Fact, law: Law) -> str:
    """The same turn recorded twice, the first time legally."""
    return f"the same turn as at {fact.about['first']}, recorded again"


@rule("T119", "ambiguous-empty", Severity.INFO)
def ambiguous_empty(fact: Fact, law: Law) -> str:
    """An empty cell that may be a dance, a play not logged, or a resignation."""
    return f"no play for {throw(fact)}: not logged, or given up after the throw"


def _shortened(text: str, most: int = 40) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


RULES = (
    unreadable_text,
    undecodable_bytes,
    row_number,
    game_number,
    turn_order,
    action_after_end,
    unfinished_game,
    missing_hit_mark,
    false_hit_mark,
    ambiguous_route,
    blocked_route,
    ghost_row,
    header_mismatch,
    name_change,
    several_matches,
    impossible_value,
    missing_length,
    replayed_turn,
    ambiguous_empty,
)
