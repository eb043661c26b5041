"""Signatures of OGXM files: whether they hold, by way of the package ogxm where it is installed.

Whoever signs a match, or an analysis of it, vouches for its bytes with an Ed25519 key that stands in
the file. That a signature holds shows that nothing was changed since; whose key it is, no file shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

_MARKS = (b"MSIG", b"SIGN")
"""The sections of a file that hold signatures."""


class Signatures(NamedTuple):
    """The signatures of a file: how many hold, and what those are about that do not."""

    holding: int = 0
    broken: tuple[str, ...] = ()
    unchecked: int = 0
    """Without a key, or of a kind that cannot be checked here."""


def signatures_of(data: bytes) -> Signatures:
    """Return what becomes of the signatures of an OGXM file; none where ogxm is not installed."""
    if not any(mark in data for mark in _MARKS):
        return Signatures()
    try:
        checked = list(_checked(data))
    except (ImportError, OSError, RuntimeError, ValueError):
        return Signatures()
    broken = tuple(about for about, holds in checked if holds is False)
    unchecked = sum(holds is None for _, holds in checked)
    return Signatures(len(checked) - len(broken) - unchecked, broken, unchecked)


def _checked(data: bytes) -> Iterator[tuple[str, bool | None]]:
    """Yield what each signature is about, and whether it holds."""
    import ogxm
    from ogxm import signature as signing

    document = ogxm.binary_to_json(data)
    for index, signed in enumerate(document.get("match_signatures") or ()):
        yield "the match", _holds(signed, partial(signing.match_payload, document, index))
    is_old = data[4:6] == b"\x01\x00"
    payload_of = partial(signing.v1_payload, data)
    if not is_old:
        payload_of = partial(signing.analysis_payload, document)
    for index, block in enumerate(signing.analysis_blocks(document)):
        if block.get("signature"):
            about = f"the analysis by {block.get('model_id') or 'a program'}"
            yield about, _holds(block["signature"], partial(payload_of, index))


def _holds(signed: Any, payload: Callable[[], bytes]) -> bool | None:
    """Whether a signature holds; None where it names no key, or what it covers cannot be told."""
    from ogxm.signature import check

    if not isinstance(signed, dict) or not signed.get("public_key") or not signed.get("signature"):
        return None
    try:
        covered = payload()
    except RuntimeError:
        return None
    return bool(check(signed, lambda: covered, None))
