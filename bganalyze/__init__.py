"""bganalyze: read, replay and check recorded backgammon matches.

>>> import bganalyze  # doctest: +SKIP
>>> bganalyze.check(bganalyze.read("match.mat"))  # doctest: +SKIP
[]
"""

from bganalyze.check import check
from bganalyze.findings import Finding, Severity, Standing
from bganalyze.law import BASIC, LAWS, USBGF, WBF, Law
from bganalyze.replay import replay
from bganalyze.transcript.model import Match
from bganalyze.transcript.reader import NotATranscript, read, read_bytes

__all__ = [
    "BASIC",
    "LAWS",
    "USBGF",
    "WBF",
    "Finding",
    "Law",
    "Match",
    "NotATranscript",
    "Severity",
    "Standing",
    "check",
    "read",
    "read_bytes",
    "replay",
]
