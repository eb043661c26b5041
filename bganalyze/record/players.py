"""Names of players: compare them, group spellings, and read files of aliases.

Such a file is in TOML:

    [players]
    "Ann Example" = ["annie", "ann_e"]

Match files stay unchanged; figures are counted under the name on the left.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from bganalyze.errors import BganalyzeError
from bganalyze.record.text_caches import register_cache
from bganalyze.text import number_of

if TYPE_CHECKING:
    from bganalyze.record.model import Game, Match

# Players' names: comparison, and mapping to players.

NAMELESS = "(no name)"
"""Player name used for blank names."""

_RATING = re.compile(r",\d+(?:\.\d+)?$")


@lru_cache
def plain_name(name: str) -> str:
    """Return a name for comparisons, without its rating, capitals and Unicode variants.

    >>> plain_name("Nori,1723")
    'nori'
    """
    return unicodedata.normalize("NFKC", _RATING.sub("", name)).casefold().strip()


register_cache(plain_name.cache_clear)


def have_swapped_columns(before: Iterable[str], after: Iterable[str]) -> bool:
    """Whether two pairs of names (left, right) are the same players with swapped columns.

    >>> have_swapped_columns(["Ann", "Bob"], ["bob", "Ann,1500"])
    True
    >>> have_swapped_columns(["Ann", "Bob"], ["Ann", "Bob"])
    False
    """
    left, right = map(plain_name, before)
    return left != right and [right, left] == [plain_name(name) for name in after]


def has_swapped_columns(match: Match, game: Game) -> bool:
    """Whether a game's players have swapped columns since the first score line."""
    return game.score is not None and have_swapped_columns(match.names, game.score.names)


NEAR = 3
"""Largest number of similar names suggested."""


_LIKE_A_WORD = 0.75
"""Least similarity of a name to one word of a longer name, as `difflib` measures it."""


def find_similar_names(name: str, names: Iterable[str]) -> list[str]:
    """Return up to three of `names` that are similar to `name`, or only the one equal to it.

    >>> find_similar_names("ann", ["Ann", "Anna"]), find_similar_names("Bop", ["Bob"])
    (['Ann'], ['Bob'])
    """
    by_plain = {plain_name(name_met): name_met for name_met in names}
    sought = plain_name(name)
    if sought in by_plain:
        return [by_plain[sought]]
    near = get_close_matches(sought, by_plain, NEAR)
    near = near or [plain for plain in by_plain if sought and sought in plain][:NEAR]
    near = near or [
        plain for plain in by_plain if get_close_matches(sought, plain.split(), cutoff=_LIKE_A_WORD)
    ]
    return [by_plain[plain] for plain in near[:NEAR]]


class UnknownNameError(BganalyzeError, ValueError):
    """A name that no match contains; the message suggests similar names."""


def require_name(
    name: str | None,
    names: Iterable[str],
    problem: str,
    hidden: str | None = None,
    listed_by: str = "bganalyze matches PATH",
) -> str | None:
    """Return `name` as `names` spell it; raise UnknownNameError if it is not among them.

    The message states the `problem` and similar names; if `hidden` is given, it is the whole
    message. The command `listed_by` lists all names.
    """
    if name is None:
        return None
    known = [other for other in names if other != NAMELESS or name == NAMELESS]
    near = find_similar_names(name, known)
    if near and plain_name(near[0]) == plain_name(name):
        return near[0]
    if hidden is not None:
        raise UnknownNameError(hidden)
    raise UnknownNameError(f"{name!r} {problem}{_suggest_names(near, known, listed_by)}")


def _suggest_names(near: Sequence[str], known: Sequence[str], listed_by: str) -> str:
    """Return the end of the message for an unknown name, which suggests the names `near`.

    Without these, it suggests the first names of `known`. The command `listed_by` lists all names.

    >>> _suggest_names(["Bob"], ["Ann", "Bob"], "bganalyze matches PATH")
    "; there is 'Bob', and 1 other name: bganalyze matches PATH lists all"
    """
    shown = [repr(name) for name in near or known[:NEAR]]
    if not shown:
        return ""
    verb = "there is" if len(shown) == 1 else "there are"
    others = len(set(known)) - len(shown)
    if not others:
        return f"; {verb} {' and '.join(filter(None, (', '.join(shown[:-1]), shown[-1])))}"
    more = number_of(others, "other name")
    return f"; {verb} {', '.join(shown)}, and {more}: {listed_by} lists all"


class Players:
    """Finds the player for each spelling of a name.

    Rating, case and Unicode form do not matter. A player is called by the name of the alias, else
    by the first spelling met.

    >>> players = Players({"bob the builder": "Bob"})
    >>> [players(name) for name in ("Nori,1723", "NORI", "Bob the Builder", " ")]
    ['Nori', 'Nori', 'Bob', '(no name)']
    """

    def __init__(self, aliases: Mapping[str, str] | None = None) -> None:
        """Start with known aliases: the player for each spelling (reduced by `plain_name`)."""
        self._known = {"": NAMELESS, **(aliases or {})}

    def __call__(self, written: str) -> str:
        """Return the player of a spelling, and remember a new one."""
        name = " ".join(unicodedata.normalize("NFC", _RATING.sub("", written)).split())
        return self._known.setdefault(plain_name(written), name or NAMELESS)

    def join(self, player: str, names: Iterable[str]) -> None:
        """Treat `names` as other spellings of a player's name from now on.

        >>> players = Players()
        >>> players.join("Ann", ["annie"])
        >>> players("Annie")
        'Ann'
        """
        person = self(player)
        self._known.update((plain_name(name), person) for name in names)

    def player_of_name(self, name: str) -> str:
        """Return the player with this alias, or else the name itself."""
        return self._known.get(plain_name(name), name)


def call_name_function(name_function: Callable[[str], str], name: str) -> str:
    """Return the player that a user's function gives for a name.

    Raises TypeError if the function returns no string.
    """
    player = name_function(name)
    if not isinstance(player, str):
        raise TypeError(f"players: the function gives {name!r} a name that is no text")
    return player


_SECTION = "players"


class AliasError(BganalyzeError, ValueError):
    """An invalid file of aliases; the message says what is wrong and where."""


def read_alias_table(table: Mapping[str, Any]) -> dict[str, str]:
    """Return the player for each spelling, from a table of players' other names.

    Raises AliasError if the table is wrong.

    >>> read_alias_table({"players": {"Ann Example": ["ann_e,1523"]}})
    {'ann example': 'Ann Example', 'ann_e': 'Ann Example'}
    """
    if set(table) - {_SECTION} or not isinstance(table.get(_SECTION, {}), dict):
        raise AliasError(f"only a table [{_SECTION}] is known")
    persons: dict[str, str] = {}
    for person, name in _yield_player_names(table.get(_SECTION, {})):
        other = persons.setdefault(plain_name(name), person)
        if other != person:
            raise AliasError(f"{name!r} is a name of both {other!r} and {person!r}")
    return persons


def _yield_player_names(players: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each pair of a player and one of the names; raise AliasError if the table is wrong."""
    for person, names in players.items():
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise AliasError(f"{person!r} is not followed by a list of names")
        yield person, person
        yield from ((person, name) for name in names)
