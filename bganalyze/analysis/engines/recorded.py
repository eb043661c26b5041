"""The analysis that other programs have stored in a match file; it needs no engine.

The version is the program that analyzed, and the level its setting for most of the decisions. Each
evaluation has its own depth, because programs search close decisions deeper.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from bganalyze.analysis.decisions import GIVING_UP, TO_OFFERS, Decision, Kind
from bganalyze.analysis.engines import (
    MOST_KEPT,
    Candidate,
    Chances,
    CubeEvaluation,
    Engine,
    EngineError,
    Evaluation,
    Limits,
    PlayEvaluation,
    suggest_engine,
)
from bganalyze.analysis.engines.gnubg import evaluate_cube
from bganalyze.analysis.engines.gnubg_report import read_candidates, read_cube, read_luck
from bganalyze.analysis.engines.xg_report import read_report as read_xg_report
from bganalyze.board.position import BAR, OFF, Position, move_checker
from bganalyze.record.model import REPORTED
from bganalyze.record.sgf.tree import point_of_letter

# The analysis stored with one action: of its roll, and of the cube before it.


class RecordedAnalyses(NamedTuple):
    """The analysis stored with an action; missing parts are None."""

    play: PlayEvaluation | None = None
    cube: CubeEvaluation | None = None
    level: str | None = None
    """The setting of the program."""


# The analysis in GammonView's document, which gvformat makes from `.xg`, `.bgf` and `.ogxm`.
# Equities are normalized (EMG). A no double is stored with the roll after it: as `cube_decision` if
# it was right, as `missed_double` if it was wrong.

_LEVEL = re.compile(r"[\w+. -]{1,20}")
_CHANCES = ("win", "gammon_win", "bg_win", "gammon_loss", "bg_loss")
_GVA_CUBE = ("no_double_equity", "double_take_equity", "double_pass_equity")


def read_gva(decision: Decision, entries: Mapping[str, str]) -> RecordedAnalyses:
    """Return the play and cube evaluations that a `.gva` file stores with a decision.

    They are read as JSON from the entry `gva`; if they are unreadable, the result is empty.
    """
    try:
        entry = json.loads(entries["gva"])
        return RecordedAnalyses(
            _read_gva_play(decision, entry), _read_gva_cube(entry), _read_level(entry)
        )
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
        return RecordedAnalyses()


def _read_gva_play(decision: Decision, entry: Mapping[str, Any]) -> PlayEvaluation | None:
    """Return the evaluation of a roll from its `.gva` JSON object, or None."""
    if decision.dice is None:
        return None
    luck = entry.get("luck")
    if entry.get("best_equity") is None:  # No legal play.
        return None if luck is None else PlayEvaluation((), None, float(luck))
    alternatives = [one for one in entry.get("alternatives") or () if one.get("equity") is not None]
    candidates = [_read_gva_candidate(decision, alternative) for alternative in alternatives]
    candidates.sort(key=lambda candidate: candidate.equity != entry["best_equity"])
    reached = None
    if decision.after is not None and entry.get("played_equity") is not None:
        reached = Candidate(decision.after, float(entry["played_equity"]))
    # The file says that the roll was no decision: all plays are worth the same.
    alike = entry.get("decision") is False
    best = (one for one in alternatives if one["equity"] == entry["best_equity"])
    depth = _read_level(next(best, entry)) or _read_level(entry)
    return PlayEvaluation(tuple(candidates[:MOST_KEPT]), reached, luck, alike, depth)


def _read_level(entry: Mapping[str, Any]) -> str | None:
    """Return the level of an analysis in a `.gva` file, such as `3ply`, or None."""
    level = entry.get("eval_level")
    return level if isinstance(level, str) and _LEVEL.fullmatch(level) else None


def _read_gva_candidate(decision: Decision, entry: Mapping[str, Any]) -> Candidate:
    """Return a candidate play from its JSON object in a `.gva` file."""
    position = _apply_gva_steps(decision.position, decision.side, entry["move"])
    return Candidate(position, float(entry["equity"]), _read_chances(entry.get("eval") or {}))


def _apply_gva_steps(before: Position, side: int, steps: Sequence[Mapping[str, int]]) -> Position:
    """Return the position after a play by `side`, from its steps in a `.gva` file."""
    own, other = list(before.own), list(before.other)
    for step in steps:
        # Points are numbered in White's (left's) direction.
        source = BAR - step["from"] if side == 0 else step["from"]
        move_checker(own, other, (source, max(source - step["pips"], OFF)))
    return Position(tuple(own), tuple(other))


def _read_gva_cube(entry: Mapping[str, Any]) -> CubeEvaluation | None:
    """Return the evaluation of a cube decision from its `.gva` JSON object, or None."""
    for part in (entry.get("missed_double"), entry.get("cube_decision"), entry):
        if part and all(part.get(name) is not None for name in _GVA_CUBE):
            none, take, passed = (float(part[name]) for name in _GVA_CUBE)
            depth = _read_level(part) or _read_level(entry)
            return CubeEvaluation(none, take, passed, _read_chances(part.get("eval") or {}), depth)
    return None


def _read_chances(entry: Mapping[str, Any]) -> Chances | None:
    """Return the chances in a `.gva` JSON object, or None if one is missing."""
    if not all(name in entry for name in _CHANCES):
        return None
    return Chances(*(float(entry[name]) for name in _CHANCES))


# The analysis that GNU Backgammon stores in Smart Game Format: `A`, `DA` and `LU`. `A[0][52mhxv E
# ver 3 ...][...]`: the index of the recorded play, then the candidates, each with five chances, the
# equity (EMG) and the search settings. `DA[E ver 3 ...]`: seven numbers for no double, then seven
# for double and take. The last of each seven is the cubeful value: a match-winning chance, or the
# equity of a money game. `LU[...]`: luck. Rollouts (`X`) are not read.

_VALUE = re.compile(r"\[([^\]]*)\]")
_NUMBER = r"(-?[0-9]{1,9}(?:\.[0-9]{1,12})?)"
_CANDIDATE = re.compile(rf"([a-z]*) E ver [0-9]+ {' '.join([_NUMBER] * 6)} ([0-9])C")
_SGF_CUBE = re.compile(rf"E ver [0-9]+ ([0-9])C [0-9] \S+ [0-9] {' '.join([_NUMBER] * 14)}")
_LUCK = re.compile(rf"\[{_NUMBER}")


def read_sgf(decision: Decision, entries: Mapping[str, str]) -> RecordedAnalyses:
    """Return the play and cube evaluations that an SGF file stores with a decision.

    They are read from the properties `A` (plays), `DA` (cube) and `LU` (luck).
    """
    evaluated = list(_read_sgf_candidates(decision, entries.get("A", "")))
    cube = _SGF_CUBE.search(entries.get("DA", ""))
    level = evaluated[0][1] if evaluated else f"{cube[1]}ply" if cube else None
    return RecordedAnalyses(
        _make_play_evaluation(decision, evaluated, _read_luck(entries.get("LU", ""))),
        _read_sgf_cube(decision, cube) if cube else None,
        level,
    )


def _make_play_evaluation(
    decision: Decision, plays_with_levels: Sequence[tuple[Candidate, str]], luck: float | None
) -> PlayEvaluation | None:
    """Return the evaluation of a roll from candidate plays, best first, and luck, if known."""
    if decision.dice is None or (not plays_with_levels and luck is None):
        return None
    candidates = tuple(candidate for candidate, _ in plays_with_levels)
    reached = next((play for play in candidates if play.after == decision.after), None)
    depth = plays_with_levels[0][1] if plays_with_levels else None
    return PlayEvaluation(candidates[:MOST_KEPT], reached, luck, depth=depth)


def _read_sgf_candidates(decision: Decision, text: str) -> Iterator[tuple[Candidate, str]]:
    """Yield the candidate plays in the SGF property `A`, each with its level."""
    for value in _VALUE.findall(text)[1:]:
        candidate = _CANDIDATE.match(value)
        if candidate is not None:
            *chances, equity = map(float, candidate.groups()[1:7])
            after = _apply_sgf_steps(decision, candidate[1])
            yield Candidate(after, equity, Chances(*chances)), f"{candidate[8]}ply"


def _apply_sgf_steps(decision: Decision, letters: str) -> Position:
    """Return the position after a play whose steps are SGF letters, such as `hefe`."""
    own, other = list(decision.position.own), list(decision.position.other)
    points = [point_of_letter(letter, decision.side) for letter in letters]
    for source, target in zip(points[::2], points[1::2], strict=False):
        move_checker(own, other, (source, target))
    return Position(tuple(own), tuple(other))


def _read_luck(text: str) -> float | None:
    """Return the luck that the SGF property `LU` states, or None."""
    entry = _LUCK.match(text)
    luck = float(entry[1]) if entry else math.nan
    return luck if math.isfinite(luck) else None


def _read_sgf_cube(decision: Decision, entry: re.Match[str]) -> CubeEvaluation | None:
    """Return the evaluation of a cube decision from its SGF property `DA`, or None."""
    numbers = [float(number) for number in entry.groups()[1:]]
    analyzed = evaluate_cube(decision, numbers[6], numbers[13], Chances(*numbers[:5]))
    return analyzed and analyzed._replace(depth=f"{entry[1]}ply")


# The analysis in GNU Backgammon's reports, as text or as pages: see `gnubg_report`.


def read_gnubg_report(decision: Decision, entries: Mapping[str, str]) -> RecordedAnalyses:
    """Return the play and cube evaluations in GNU Backgammon's report on a decision.

    The report is the entry `report`.
    """
    text = entries[REPORTED]
    cube = read_cube(decision, text)
    if decision.dice is None:
        return RecordedAnalyses(cube=cube, level=cube and cube.depth)
    evaluated = list(read_candidates(decision, text))
    level = evaluated[0][1] if evaluated else cube and cube.depth
    luck = read_luck(decision, text)
    return RecordedAnalyses(_make_play_evaluation(decision, evaluated, luck), cube, level)


# The report of a position under its XGID, as text.


def read_xg_text(decision: Decision, entries: Mapping[str, str]) -> RecordedAnalyses:
    """Return the play and cube evaluations in the text that XG prints below a position.

    The text is the entry `text`.
    """
    report = read_xg_report(decision.position, entries["text"])
    level = report.plays[0][1] if report.plays else report.cube and report.cube.depth
    return RecordedAnalyses(_make_play_evaluation(decision, report.plays, None), report.cube, level)


LEVELS = ("stored",)

READERS: Mapping[str, Callable[[Decision, Mapping[str, str]], RecordedAnalyses]] = {
    "gva": read_gva,
    "A": read_sgf,
    "DA": read_sgf,
    "LU": read_sgf,
    REPORTED: read_gnubg_report,
    "text": read_xg_text,
}
"""The readers of stored analyses, by entry name."""


class StoredAnalysis(Engine):
    """An engine that only returns the evaluations stored in the match file."""

    name = "recorded"
    version = "as stored"
    level = LEVELS[0]

    def stored_version(self, decisions: Sequence[Decision]) -> tuple[str, str]:
        """Return the program that made the stored evaluations, and their most common level."""
        programs = Counter(decision.stored.program for decision in decisions if decision.stored)
        levels = Counter(level for decision in decisions if (level := _read_stored(decision).level))
        return _find_most_common(programs, self.version), _find_most_common(levels, self.level)

    def evaluate(self, decisions: Sequence[Decision]) -> list[Evaluation | None]:
        """Return, for each decision, the evaluation stored in the match file, or None.

        Raise EngineError if the file stores no evaluation at all.
        """
        analyzed = [_read_evaluation(decision) for decision in decisions]
        for index, decision in enumerate(decisions):
            if decision.kind in TO_OFFERS and analyzed[index] is None and index:
                before = analyzed[index - 1]
                analyzed[index] = before if isinstance(before, CubeEvaluation) else None
        if not any(analyzed):
            raise EngineError(f"the file contains no analysis; {suggest_engine()}")
        return analyzed


def start(level: str, limits: Limits) -> StoredAnalysis:
    """Return the engine that reads analyses from match files.

    `level` and `limits` have no effect.
    """
    del level, limits  # There is one level, and nothing to limit.
    return StoredAnalysis()


def _read_evaluation(decision: Decision) -> Evaluation | None:
    """Return the evaluation that the match file stores with a decision, or None."""
    stored = _read_stored(decision)
    return stored.play if decision.kind is Kind.PLAY else stored.cube


def _read_stored(decision: Decision) -> RecordedAnalyses:
    """Return the play and cube evaluations that the match file stores with a decision."""
    if decision.stored is None or decision.kind in GIVING_UP:
        return RecordedAnalyses()
    entries = dict(decision.stored.entries)
    reader = next((READERS[name] for name in entries if name in READERS), None)
    return RecordedAnalyses() if reader is None else reader(decision, entries)


def _find_most_common(counts: Counter[str], otherwise: str) -> str:
    """Return the text with the highest count, or `otherwise` if there are no counts."""
    return counts.most_common(1)[0][0] if counts else otherwise
