"""Verdicts that there are already: kept in a database, or stored in the file of a match.

Where several judges have judged a match, the one counts whose verdicts were kept last.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from bganalyze.judging.engines import EngineError, start
from bganalyze.judging.match import JudgedMatch, Key, Prepared, prepared, with_judgements
from bganalyze.transcript.model import Match

if TYPE_CHECKING:
    from bganalyze.judging.store import Store

RECORDED = "recorded"
"""The engine that takes over what another program has stored in the file."""


class Judge(NamedTuple):
    """Whose verdicts are wanted; None: whoever it was."""

    engine: str | None = None
    level: str | None = None

    def made(self, key: Key) -> bool:
        """Whether a match known by this key was judged so.

        >>> Judge("sage").made(Key("", "sage", "2.0", "1ply"))
        True
        """
        named = self.engine in (None, key.engine)
        return named and self.level in (None, key.level)


ANYBODY = Judge()


def verdict(match: Match, store: Store | None, judge: Judge = ANYBODY) -> JudgedMatch | None:
    """Return what `judge` said of a match: as kept last, else as its file says; raise StoreError.

    None where nobody has judged it, or not so.
    """
    if store is None and not _is_annotated(match):
        return None
    ready = prepared(match)
    kept = () if store is None else store.verdicts(ready.content)
    found = next((each for each in kept if judge.made(each.key)), None)
    return found or _stored(ready, judge)


def every_verdict(store: Store, judge: Judge = ANYBODY) -> Iterator[JudgedMatch]:
    """Yield what `judge` said of each match that is kept; raise StoreError.

    A match is met once, whatever file it came from and whatever the players were called there.
    """
    last = {record: key for key, record in store.index() if judge.made(key)}
    for key in last.values():
        found = store.find(key)
        if found is not None:
            yield found


def _stored(ready: Prepared, judge: Judge) -> JudgedMatch | None:
    """What the file itself says of a match."""
    engine = start(RECORDED)
    key = ready.key(engine)
    if not judge.made(key):
        return None
    try:
        return with_judgements(ready, key, engine.judge(ready.decisions))
    except EngineError:
        return None


def _is_annotated(match: Match) -> bool:
    """Whether a program has stored anything with the actions of a match."""
    actions = (action for game in match.games for action in game.actions)
    return any(getattr(action, "analysis", None) for action in actions)
