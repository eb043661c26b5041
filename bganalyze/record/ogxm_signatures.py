"""Verify the signatures of OGXM files, if the package ogxm is installed.

The signer of a match or an analysis signs its bytes with an Ed25519 key that is stored in the file.
A valid signature proves that the bytes are unchanged, but not whose key it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

_MARKS = (b"MSIG", b"SIGN")
"""Names of the sections that hold signatures."""


class Signatures(NamedTuple):
    """Signatures of a file: the number of valid ones (`holding`), and the parts with broken ones."""

    holding: int = 0
    broken: tuple[str, ...] = ()
    unchecked: int = 0
    """Number of signatures without a key or of an unsupported kind."""


def verify_signatures(data: bytes) -> Signatures:
    """Check the digital signatures in an OGXM file, and count them by outcome.

    Without the package ogxm, all counts are zero.
    """
    if not any(mark in data for mark in _MARKS):
        return Signatures()
    try:
        checked = list(_check_each_signature(data))
    except (ImportError, OSError, RuntimeError, ValueError):
        return Signatures()
    broken = tuple(about for about, holds in checked if holds is False)
    unchecked = sum(holds is None for _, holds in checked)
    return Signatures(len(checked) - len(broken) - unchecked, broken, unchecked)


def _check_each_signature(data: bytes) -> Iterator[tuple[str, bool | None]]:
    """Yield each signed part of a file with the validity of its signature, or None if unknown."""
    import ogxm
    from ogxm import signature as signing

    document = ogxm.binary_to_json(data)
    for index, signed in enumerate(document.get("match_signatures") or ()):
        yield "the match", _is_valid(signed, partial(signing.match_payload, document, index))
    is_old = data[4:6] == b"\x01\x00"
    payload_of = partial(signing.v1_payload, data)
    if not is_old:
        payload_of = partial(signing.analysis_payload, document)
    for index, block in enumerate(signing.analysis_blocks(document)):
        if block.get("signature"):
            about = f"the analysis by {block.get('model_id') or 'a program'}"
            yield about, _is_valid(block["signature"], partial(payload_of, index))


def _is_valid(signature: Any, get_signed_bytes: Callable[[], bytes]) -> bool | None:
    """Whether a signature fits the bytes that it signs, or None if unknown."""
    from ogxm.signature import check

    if (
        not isinstance(signature, dict)
        or not signature.get("public_key")
        or not signature.get("signature")
    ):
        return None
    try:
        covered = get_signed_bytes()
    except RuntimeError:
        return None
    return bool(check(signature, lambda: covered, None))
