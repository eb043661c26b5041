r"""bganalyze: read, replay and check recorded backgammon matches.

The verbs of the library, each a function of its input only:

    read(path)              bytes -> matches
    replay(match, law)      match -> turns, endings and facts
    check(matches, law)     matches -> findings
    tabulate(replays, law)  replayed matches -> tables: pandas DataFrames
    tabulate_files(paths)   the same from files and folders
    judge_matches(matches)  matches -> an engine's verdict on every decision
    tabulate_judged(judged) verdicts -> tables, a row for each decision

>>> import bganalyze
>>> text = b" 5 point match\n\n Game 1\n Ann : 0     Bob : 0\n  1) 31: 8/5 6/4\n"
>>> [finding.code for finding in bganalyze.check(bganalyze.read_bytes(text, "a.mat"))]
['T107', 'P404']

Names are imported when they are first used, so that `bganalyze --version` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bganalyze.analysis.engines import EngineError
    from bganalyze.analysis.match import JudgedMatch, judge_matches
    from bganalyze.app.jobs.tabulate import tabulate_files
    from bganalyze.board.law import BASIC, LAWS, USBGF, WBF, Law
    from bganalyze.record.model import Match
    from bganalyze.record.reader import read, read_bytes
    from bganalyze.record.refused import NotATranscript
    from bganalyze.statistics.tables.frames import JudgedTables, Tables, tabulate, tabulate_judged
    from bganalyze.validation.checking import check
    from bganalyze.validation.findings import Finding, Severity, Standing
    from bganalyze.validation.replaying import MatchReplay, replay

__all__ = [
    "BASIC",
    "LAWS",
    "USBGF",
    "WBF",
    "EngineError",
    "Finding",
    "JudgedMatch",
    "JudgedTables",
    "Law",
    "Match",
    "MatchReplay",
    "NotATranscript",
    "Severity",
    "Standing",
    "Tables",
    "check",
    "judge_matches",
    "read",
    "read_bytes",
    "replay",
    "tabulate",
    "tabulate_files",
    "tabulate_judged",
]

_NAMES = {
    "validation.checking": ("check",),
    "validation.findings": ("Finding", "Severity", "Standing"),
    "app.jobs.tabulate": ("tabulate_files",),
    "analysis.engines": ("EngineError",),
    "analysis.match": ("JudgedMatch", "judge_matches"),
    "board.law": ("BASIC", "LAWS", "USBGF", "WBF", "Law"),
    "validation.replaying": ("MatchReplay", "replay"),
    "statistics.tables.frames": ("JudgedTables", "Tables", "tabulate", "tabulate_judged"),
    "record.model": ("Match",),
    "record.reader": ("read", "read_bytes"),
    "record.refused": ("NotATranscript",),
}
"""The public names of each module."""


def __getattr__(name: str) -> object:
    """Import a public name on first use (PEP 562)."""
    home = next((module for module, names in _NAMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


# What this program is called and which version it is.

NAME = "bganalyze"

__version__ = "0.1.0"
"""Read from here when the package is built: asking for what is installed costs a third of a start."""
