"""GammonView's `.gvab`, an OGXM stream, by way of gvformat: made from match text."""

from __future__ import annotations

from collections.abc import Sequence

from bganalyze.law import BASIC
from bganalyze.replaying import MatchReplay
from bganalyze.replaying.contexts import terms_of
from bganalyze.writing import jellyfish
from bganalyze.writing.written import Loss, UnwritableError, Written


def write(replays: Sequence[MatchReplay]) -> Written:
    """Return the first match; raise UnwritableError without gvformat, or where it gives up."""
    try:
        from gvformat import mat_to_ogxm, write_gvab
    except ImportError as error:
        missing = "a .gvab is written with the extra `binary`: pip install bganalyze[binary]"
        raise UnwritableError(missing) from error
    text = jellyfish.write(replays[:1])
    losses = [*text.losses]
    losses += [Loss("a match after the first") for _ in replays[1:]]
    for fact in (fact for replay in replays[:1] for game in replay.games for fact in game.facts):
        if fact.standing is not None:
            losses.append(
                Loss(f"a play or position at fault may be left out ({fact.rule})", fact.span)
            )
    terms = terms_of(replays[0].match, BASIC)
    if terms.jacoby is None:
        losses.append(Loss("that nothing tells whether the Jacoby rule was in force"))
    rules = {"crawford": terms.crawford, "jacoby": bool(terms.jacoby), "beaver": terms.beavers}
    try:
        data: bytes = write_gvab({**mat_to_ogxm(text.data.decode()), **rules})
    except Exception as error:  # whatever another program's writer does with faulty records
        reason = f"gvformat cannot write it: {type(error).__name__}: {error}"
        raise UnwritableError(" ".join(reason.split())[:300]) from error
    return Written(data, tuple(losses))
