"""The analysis in a report of GNU Backgammon: candidate plays, cube decisions and luck.

    Cube analysis
    2-ply cubeless equity +0.206 (Money: +0.172)
      0.556 0.187 0.009 - 0.444 0.130 0.006
    Cubeful equities:
    1. No double           +0.287
    2. Double, pass        +1.000  (+0.713)
    3. Double, take        +0.062  (-0.225)

    Rolled 53 (-0.012):
    *    1. Cubeful 2-ply    10/5 8/5                     Eq.: +0.259
           0.552 0.193 0.012 - 0.448 0.133 0.007
         2. Rollout          8/3 6/3                      Eq.: +0.116 (-0.143)

Equities are normalized (EMG). If the user asked for match-winning chances, the report has these
instead, as `MWC: 52.42%` or `MWC: 0.5242`, and they are converted. An answer to a double is seen by the
side that answers. A page states the same values in cells of tables, without `Eq.:`, and the plies
alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bganalyze.analysis.decisions import ANSWERS, Decision, Kind
from bganalyze.analysis.engines import Candidate, Chances, CubeEvaluation
from bganalyze.analysis.engines.gnubg import evaluate_cube
from bganalyze.board.equities import MatchScore, Stake, stake
from bganalyze.board.position import Position, move_checker
from bganalyze.record.match_text.cells import PlayItem, parse_cell
from bganalyze.record.recorded_analysis import REPORTED_PLAY

_NUMBER = r"[-+]?+[0-9]{1,4}+[.,][0-9]{1,9}+"
_VALUE = rf"({_NUMBER})(%?)"
_CHANCES = rf"({_NUMBER})\s+({_NUMBER})\s+({_NUMBER})\s+-\s+({_NUMBER})\s+({_NUMBER})\s+({_NUMBER})"
_LEVEL = r"(?:(Cubeful|Cubeless) ([0-9]{1,2})-ply|([0-9]{1,2})|R(?:ollout)?)"
_CANDIDATE = re.compile(
    rf"([0-9]{{1,4}}|\?\?)\.?\s+{_LEVEL}\s+({REPORTED_PLAY})\s+(?:(?:Eq\.|MWC):\s*)?{_VALUE}"
    rf"(?:[ \t]+\([^()\n]*\))?(?:\s+{_CHANCES})?"
)
_CHANCES_LINE = re.compile(_CHANCES)
_CUBE = re.compile(r"(?:([0-9]{1,2})-ply|Rollout)\s+cubeless (?:equity|MWC)\b")
_NO_DOUBLE, _TAKE, _PASS = (
    re.compile(rf"\b{choice}\s+{_VALUE}")
    for choice in ("No double", "Double, take", "Double, pass")
)
_ROLLED = re.compile(rf"(?:^|\n)Rolled [1-6]{{2}} \(\s*{_VALUE}\)")

PERCENT = 100.0

_ASKED = (Kind.NO_DOUBLE, Kind.DOUBLE, *ANSWERS)
"""Cube decisions for which a report states equities; a beaver has the equities of its double."""


def read_candidates(decision: Decision, text: str) -> Iterator[tuple[Candidate, str]]:
    """Yield the candidate plays in GNU Backgammon's report on a roll, each with its level."""
    for number, found in enumerate(_CANDIDATE.finditer(text)):
        rank, kind, plies, plies_of_page, play, value, percent, *chances = found.groups()
        if not number and rank != "1":
            return
        equity = _read_equity(decision, text, value, percent)
        if equity is not None:
            after = _apply_written_play(decision.position, play)
            candidate = Candidate(after, equity, _read_chances(chances))
            yield candidate, _name_level(plies or plies_of_page, cubeful=kind != "Cubeless")


def read_cube(decision: Decision, text: str) -> CubeEvaluation | None:
    """Return the doubler's equities in GNU Backgammon's report on a cube decision, or None."""
    head = _CUBE.search(text)
    if head is None or decision.kind not in _ASKED:
        return None
    values = [choice.search(text, head.end()) for choice in (_NO_DOUBLE, _TAKE, _PASS)]
    said = _CHANCES_LINE.search(text, head.end())
    chances = _read_chances(said.groups()) if said else None
    if None in values or chances is None:
        return None
    no_double, take, _ = (_read_number(*value.groups()) for value in values if value)
    is_answer = decision.kind in ANSWERS
    if is_answer:
        chances = _swap_sides(chances)
    if decision.length and states_mwc(text):
        if is_answer:
            no_double, take = 1 - no_double, 1 - take
        evaluation = evaluate_cube(decision, no_double, take, chances)
    else:
        sign = -1 if is_answer else 1
        evaluation = CubeEvaluation(sign * no_double, sign * take, chances=chances)
    return evaluation and evaluation._replace(depth=_name_level(head[1], cubeful=True))


def read_luck(decision: Decision, text: str) -> float | None:
    """Return the luck (EMG) of a roll from GNU Backgammon's report, or None."""
    rolled = _ROLLED.search(text)
    if rolled is None:
        return None
    even = _read_equity(decision, text, "0.0", "")
    luck = _read_equity(decision, text, *rolled.groups())
    return None if even is None or luck is None else luck - even


def states_mwc(text: str) -> bool:
    """Whether a report states match-winning chances instead of equities."""
    return "MWC" in text


def _name_level(plies: str | None, *, cubeful: bool) -> str:
    """Return the name of a level, such as `2ply` or `2ply-cubeless`; without plies, `rollout`."""
    if plies is None:
        return "rollout"
    return f"{plies}ply" if cubeful else f"{plies}ply-cubeless"


def _read_equity(decision: Decision, report: str, number: str, percent_sign: str) -> float | None:
    """Convert a number in GNU Backgammon's report to an equity (EMG), or None if unknown.

    The number is an equity or a match-winning chance.
    """
    value = _read_number(number, percent_sign)
    if not decision.length or not states_mwc(report):
        return value
    stakes = _find_stake(decision)
    return None if stakes is None else stakes.equity(value)


def _find_stake(decision: Decision) -> Stake | None:
    """Return the deciding side's match-winning chances after winning and losing a single game."""
    context = decision.context
    score = MatchScore(decision.length, context.score, context.crawford)
    return stake(score, decision.side, decision.cube)


def _read_number(value: str, percent: str = "") -> float:
    """Return the value of a number or a percentage.

    >>> _read_number("0,25"), _read_number("25.0", "%")
    (0.25, 0.25)
    """
    number = float(value.replace(",", "."))
    return number / PERCENT if percent else number


def _read_chances(numbers: tuple[str | None, ...] | list[str | None]) -> Chances | None:
    """Return chances from six numbers or percentages (three to win, three to lose), or None."""
    values = [_read_number(number) for number in numbers if number]
    if not values:
        return None
    # To win, to win a gammon, a backgammon; then the same to lose.
    whole = PERCENT if values[0] + values[3] > PERCENT / 2 else 1.0
    del values[3]
    return Chances(*(value / whole for value in values))


def _swap_sides(chances: Chances) -> Chances:
    """Return the chances seen by the other side."""
    win, gammon, backgammon, lose_gammon, lose_backgammon = chances
    return Chances(1 - win, lose_gammon, lose_backgammon, gammon, backgammon)


def _apply_written_play(position: Position, play: str) -> Position:
    """Return the position after a written play, such as `24/18(2) 13/7*`, legal or not."""
    own, other = list(position.own), list(position.other)
    for item in parse_cell(f"00: {play}"):
        if isinstance(item, PlayItem):
            for step in item.steps:
                move_checker(own, other, step.path)
    return Position(tuple(own), tuple(other))
