"""Rows with loose or full-width signs, spelled as usual, to see what a line is before it is cleaned."""

from __future__ import annotations

import re

from bganalyze.record.cleaning.characters import FULL_WIDTH_SIGNS
from bganalyze.record.cleaning.spellings import LOOKALIKE_SIGNS

_USUAL_SIGNS = str.maketrans(FULL_WIDTH_SIGNS | LOOKALIKE_SIGNS)
_LOOSE_LABEL = re.compile(r"^([ \t]*[0-9]{1,3})[ ]\)")
_LOOSE_SLASH = re.compile(r"(?<=[0-9r])[ ]?/[ ]?(?=[0-9o])", re.IGNORECASE)
_WORDED_LABEL = re.compile(r"^[ \t]*(?:move|turn)[ ]([0-9]{1,3}):", re.IGNORECASE)
_WORDED_SIGNS = (
    (re.compile(r"(?<!\S)([1-6])x([1-6])(?=[ ,]|$)"), r"\1\2:"),
    (re.compile(r"(?<=[0-9r])[ ]to[ ](?=[0-9o])", re.IGNORECASE), "/"),
    (re.compile(r"(?<=[0-9*f)]),(?=[ ]|$)"), ""),
    (re.compile(r"[ ]?;(?=[ ]|$)"), "  "),
)
"""Signs of rows told in words, such as `Move 1: 3x1 8 to 5, 6 to 5; 4x2 8 to 4`."""
_LOOSE_ROLL = re.compile(r"(?<!\S)([1-6])(?:,[ ]?|[ ](?=[1-6][ ]?:))?([1-6])[ ]?:(?!\S)")


def spell_as_usual(line: str) -> str:
    r"""Return a row spelled in the usual way, such as `1) 31: 8/5`.

    >>> spell_as_usual("1 ) 3,1 : 8 / 5"), spell_as_usual("Move 1: 3x1 8 to 5, 6 to 5")
    ('1) 31: 8/5', '1) 31: 8/5 6/5')
    """
    usual = line if line.isascii() else line.translate(_USUAL_SIGNS)
    usual = _WORDED_LABEL.sub(r"\1)", usual)
    for sign, usual_sign in _WORDED_SIGNS:
        usual = sign.sub(usual_sign, usual)
    usual = _LOOSE_SLASH.sub("/", _LOOSE_LABEL.sub(r"\1)", usual))
    return _LOOSE_ROLL.sub(r"\1\2:", usual) if ":" in usual else usual
