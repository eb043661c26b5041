"""GammonView's `.gvab`, an OGXM stream, by way of gvformat: made from match text."""

from __future__ import annotations

from collections.abc import Sequence

from bganalyze.law import BASIC
from bganalyze.replaying import MatchReplay
from bganalyze.replaying.contexts import terms_of
from bganalyze.writing import jellyfish
from bganalyze.writing.written import Loss, Written


class MissingLibraryError(RuntimeError):
    """The extra `binary` is not installed."""


def write(replays: Sequence[MatchReplay]) -> Written:
    """Return the first match; raise MissingLibraryError without gvformat."""
    try:
        from gvformat import mat_to_ogxm, write_gvab
    except ImportError as error:
        missing = "a .gvab is written with the extra `binary`: pip install bganalyze[binary]"
        raise MissingLibraryError(missing) from error
    text = jellyfish.write(replays[:1])
    losses = [*text.losses]
    losses += [Loss("a match after the first") for _ in replays[1:]]
    for fact in (fact for replay in replays[:1] for game in replay.games for fact in game.facts):
        if fact.standing is not None:
            losses.append(
                Loss(f"a play or position at fault may be left out ({fact.rule})", fact.span)
            )
    document = mat_to_ogxm(text.data.decode())
    if replays:
        terms = terms_of(replays[0].match, BASIC)
        document |= {"crawford": terms.crawford, "beaver": terms.beavers}
        document["jacoby"] = bool(terms.jacoby)
        if terms.jacoby is None:
            losses.append(Loss("that nothing tells whether the Jacoby rule was in force"))
    data: bytes = write_gvab(document)
    return Written(data, tuple(losses))
