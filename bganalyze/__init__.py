r"""bganalyze: read, replay, check and analyze recorded backgammon matches.

Each function takes files in any form (paths, folders, archives, URLs, bytes, open files, or matches
already read), returns an immutable value, and prints nothing:

    read(source)            matches
    replay(match)           turns with their boards, and how games end
    check(source)           findings: broken rules and their places
    examine(content, name)  an uploaded file: matches, findings, boards and repairs
    repair(source)          likely causes of errors, and edits that repair a file
    convert(source, to)     matches in another format
    show(source, where)     the board before one action
    ruling(source, where)   a fault, and what rule books make of it
    report(source)          a full report on each match
    matches(source)         a list of matches with scores and problems
    verify(fixtures, source)  claimed results compared with matches
    tabulate(source)        tables, as pandas DataFrames
    stats(source)           statistics of players
    analyze(source)         an engine's evaluation on every decision
    analyses(db)            the analyses in a database
    norms(path)             usual error rates by kind of decision
    build_norms(source)     one's own norms, from analyzed matches
    profile(source, player)  results, error rate and costliest mistakes of a player
    collect(paths, store)   a store with the tables of files, for later questions
    query(sql, store)       the result of an SQL query on a store
    settings(path)          the settings that apply to a folder
    find_rule(name)         a rule and its documentation
    schema(name)            the JSON Schema of an output

>>> import bganalyze
>>> text = b" 5 point match\n\n Game 1\n Ann : 0     Bob : 0\n  1) 31: 8/5 6/4\n"
>>> [finding.code for finding in bganalyze.check(text, name="a.mat")]
['T107', 'P404']

`docs/library.md` has recipes. Names are imported on first use, so that
`bganalyze --version` starts quickly.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bganalyze.analysis.engines import EngineError
    from bganalyze.analysis.match import AnalyzedMatch
    from bganalyze.analysis.store_error import StoreError
    from bganalyze.app.api.analyze import AnalysisResult, analyses, analyze
    from bganalyze.app.api.check import CheckResult, check
    from bganalyze.app.api.collect import Collection, collect
    from bganalyze.app.api.convert import Converted, convert
    from bganalyze.app.api.examine import Examination, examine
    from bganalyze.app.api.matches import MatchList, matches
    from bganalyze.app.api.norms import Norms, build_norms, norms
    from bganalyze.app.api.profile import ProfileResult, profile
    from bganalyze.app.api.query import query
    from bganalyze.app.api.read import Matches, read
    from bganalyze.app.api.repair import RepairResult, repair
    from bganalyze.app.api.replay import replay
    from bganalyze.app.api.report import MatchReports, report
    from bganalyze.app.api.ruling import RulingSheet, ruling
    from bganalyze.app.api.schema import schema
    from bganalyze.app.api.settings import settings
    from bganalyze.app.api.show import ShownBoard, show
    from bganalyze.app.api.sources import Source
    from bganalyze.app.api.stats import Statistics, stats
    from bganalyze.app.api.tabulate import MatchTables, tabulate
    from bganalyze.app.api.verify import VerificationResult, verify
    from bganalyze.app.config import Config, ConfigError
    from bganalyze.app.jobs.executor import WorkerError
    from bganalyze.board.rule_book import BASIC, RULE_BOOKS, USBGF, WBF, RuleBook
    from bganalyze.errors import BganalyzeError
    from bganalyze.files.limits import UnreadableError
    from bganalyze.record.model import Match
    from bganalyze.record.not_a_transcript import NotATranscript
    from bganalyze.record.players import Players, UnknownNameError
    from bganalyze.repairing.applying import RepairedFile
    from bganalyze.statistics.claimed_results.claims import FixturesError
    from bganalyze.statistics.norms import NormsError
    from bganalyze.statistics.store.manifest import MatchStoreError
    from bganalyze.statistics.store.statements import QueryError
    from bganalyze.validation.findings import (
        FINDING_KEYS,
        Finding,
        Proposal,
        Severity,
        Standing,
    )
    from bganalyze.validation.replaying import MatchReplay
    from bganalyze.validation.replaying.places import PlaceError
    from bganalyze.validation.rules import UnknownRuleError, find_rule
    from bganalyze.validation.rules.catalog import Rule
    from bganalyze.validation.slip_odds import Odds, Ratio
    from bganalyze.writing.losses import UnwritableError

__all__ = [
    "BASIC",
    "FINDING_KEYS",
    "RULE_BOOKS",
    "USBGF",
    "WBF",
    "AnalysisResult",
    "AnalyzedMatch",
    "BganalyzeError",
    "CheckResult",
    "Collection",
    "Config",
    "ConfigError",
    "Converted",
    "EngineError",
    "Examination",
    "Finding",
    "FixturesError",
    "Match",
    "MatchList",
    "MatchReplay",
    "MatchReports",
    "MatchStoreError",
    "MatchTables",
    "Matches",
    "Norms",
    "NormsError",
    "NotATranscript",
    "Odds",
    "PlaceError",
    "Players",
    "ProfileResult",
    "Proposal",
    "QueryError",
    "Ratio",
    "RepairResult",
    "RepairedFile",
    "Rule",
    "RuleBook",
    "RulingSheet",
    "Severity",
    "ShownBoard",
    "Source",
    "Standing",
    "Statistics",
    "StoreError",
    "UnknownNameError",
    "UnknownRuleError",
    "UnreadableError",
    "UnwritableError",
    "VerificationResult",
    "WorkerError",
    "analyses",
    "analyze",
    "build_norms",
    "check",
    "collect",
    "convert",
    "examine",
    "find_rule",
    "matches",
    "norms",
    "profile",
    "query",
    "read",
    "repair",
    "replay",
    "report",
    "ruling",
    "schema",
    "settings",
    "show",
    "stats",
    "tabulate",
    "verify",
]

_NAMES = {
    "analysis.engines": ("EngineError",),
    "analysis.match": ("AnalyzedMatch",),
    "analysis.store_error": ("StoreError",),
    "app.api.analyze": ("AnalysisResult", "analyze", "analyses"),
    "app.api.check": ("CheckResult", "check"),
    "app.api.collect": ("Collection", "collect"),
    "app.api.convert": ("Converted", "convert"),
    "app.api.examine": ("Examination", "examine"),
    "app.api.matches": ("MatchList", "matches"),
    "app.api.norms": ("Norms", "build_norms", "norms"),
    "app.api.profile": ("ProfileResult", "profile"),
    "app.api.query": ("query",),
    "app.api.read": ("Matches", "read"),
    "app.api.repair": ("RepairResult", "repair"),
    "app.api.replay": ("replay",),
    "app.api.report": ("MatchReports", "report"),
    "app.api.ruling": ("RulingSheet", "ruling"),
    "app.api.schema": ("schema",),
    "app.api.settings": ("settings",),
    "app.api.show": ("ShownBoard", "show"),
    "app.api.sources": ("Source",),
    "app.api.stats": ("Statistics", "stats"),
    "app.api.tabulate": ("MatchTables", "tabulate"),
    "app.api.verify": ("VerificationResult", "verify"),
    "app.config": ("Config", "ConfigError"),
    "app.jobs.executor": ("WorkerError",),
    "board.rule_book": ("BASIC", "RULE_BOOKS", "USBGF", "WBF", "RuleBook"),
    "errors": ("BganalyzeError",),
    "files.limits": ("UnreadableError",),
    "record.model": ("Match",),
    "record.players": ("Players", "UnknownNameError"),
    "record.not_a_transcript": ("NotATranscript",),
    "repairing.applying": ("RepairedFile",),
    "statistics.claimed_results.claims": ("FixturesError",),
    "statistics.norms": ("NormsError",),
    "statistics.store.manifest": ("MatchStoreError",),
    "statistics.store.statements": ("QueryError",),
    "validation.findings": ("FINDING_KEYS", "Finding", "Proposal", "Severity", "Standing"),
    "validation.slip_odds": ("Odds", "Ratio"),
    "validation.replaying": ("MatchReplay",),
    "validation.replaying.places": ("PlaceError",),
    "validation.rules": ("UnknownRuleError", "find_rule"),
    "validation.rules.catalog": ("Rule",),
    "writing.losses": ("UnwritableError",),
}
"""The public names of each module."""


def _import_name(name: str) -> object:
    """Import a public name of the package when it is first used (PEP 562)."""
    home = next((module for module, names in _NAMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{home}"), name)
    if isinstance(value, type):
        import_module(f"{__name__}.app.api.fields").document_fields(value)
    globals()[name] = value
    return value


if not TYPE_CHECKING:  # type checkers take every name for defined where there is a `__getattr__`
    __getattr__ = _import_name


def __dir__() -> list[str]:
    """List the public names, also those that are not imported yet."""
    return sorted((*__all__, *(name for name in globals() if name.startswith("__"))))


# The name and the version of this program.

NAME = "bganalyze"

__version__ = "1.0.0"
"""Read from here when the package is built: `importlib.metadata` takes a third of the start-up time."""
