"""Signatures of OGXM files: those that hold, those that do not, and those that nobody can check."""

from __future__ import annotations

import base64
import sys
from pathlib import Path
from typing import Any

import pytest

from bganalyze.record.ogxm_signatures import Signatures, verify_signatures
from bganalyze.record.reader import read, read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.replaying import replay
from bganalyze.writing import write

ogxm = pytest.importorskip("ogxm", reason="the extra signatures is not installed")
ed25519 = pytest.importorskip(
    "cryptography.hazmat.primitives.asymmetric.ed25519",
    reason="the extra signatures is not installed",
)

SAMPLE = Path(__file__).parent.parent.parent / "samples" / "clean" / "short-match.mat"


def encode(content: bytes) -> str:
    return base64.b64encode(content).decode()


@pytest.fixture(scope="module")
def unsigned() -> bytes:
    return write([replay(match) for match in read(SAMPLE)], "gvab").data


def sign(data: bytes, *, with_key: bool = True, **changes: Any) -> bytes:
    """Return an OGXM file signed by a key made for this, with something changed after that."""
    from ogxm.signature import match_payload

    key = ed25519.Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    document = ogxm.binary_to_json(data)
    signature = {"algorithm": "ed25519", "signature": encode(bytes(64)), "signed_at": 0}
    if with_key:
        signature["public_key"] = encode(key.public_key().public_bytes_raw())
    document["match_signatures"] = [signature]
    signature["signature"] = encode(key.sign(match_payload(document, 0)))
    packed: bytes = ogxm.json_to_binary({**document, **changes})
    return packed


def codes(data: bytes) -> set[str]:
    return {finding.code for finding in check(read_bytes(data, "a.ogxm"))}


def test_one_that_holds_is_a_note(unsigned: bytes) -> None:
    data = sign(unsigned)
    assert verify_signatures(data) == Signatures(1)
    (match,) = read_bytes(data, "a.ogxm")
    assert ("signatures", "1 holding") in match.conventions.notes
    assert "S701" not in codes(data)


def test_one_that_does_not_is_a_finding(unsigned: bytes) -> None:
    data = sign(unsigned, player_white="Somebody Else")
    assert verify_signatures(data) == Signatures(0, ("the match",))
    assert "S701" in codes(data)


def test_one_without_a_key_is_no_fault(unsigned: bytes) -> None:
    data = sign(unsigned, with_key=False)
    assert verify_signatures(data) == Signatures(0, (), 1)
    assert "S701" not in codes(data)


def test_a_file_without_any_is_no_fault(unsigned: bytes) -> None:
    assert verify_signatures(unsigned) == Signatures()
    assert "S701" not in codes(unsigned)


@pytest.mark.parametrize("module", ["ogxm", "cryptography.exceptions"])
def test_without_the_packages_nothing_is_checked(
    unsigned: bytes, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = sign(unsigned, player_white="Somebody Else")
    monkeypatch.setitem(sys.modules, module, None)
    assert verify_signatures(data) == Signatures()
    assert read_bytes(data, "a.ogxm")


@pytest.mark.slow
@pytest.mark.parametrize("place", range(16, 400, 16))
def test_no_change_of_a_byte_raises(unsigned: bytes, place: int) -> None:
    data = bytearray(sign(unsigned))
    data[place % len(data)] ^= 0xFF
    verify_signatures(bytes(data))
