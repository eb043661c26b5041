"""The fault that a ruling is about: its boards, the equity that it gained, and whether it may be a slip."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bganalyze.analysis.gain_of_illegal import PlayGain
from bganalyze.app.render.actions import action_in_words
from bganalyze.app.render.analyses import format_chance
from bganalyze.app.render.board import make_scene
from bganalyze.app.render.document import (
    Block,
    Diagram,
    Diagrams,
    Note,
)
from bganalyze.app.render.findings.explained import finding_scenes, name_play_leading_to_after
from bganalyze.board.play_faults import move_as_written
from bganalyze.board.plays import limit_steps, notation
from bganalyze.board.position import Position, Step
from bganalyze.record.model import Comment, Play, Result, RulingMade, SetUp
from bganalyze.validation.cases import Case
from bganalyze.validation.findings import EvidenceKind, Finding
from bganalyze.validation.replaying.board_guesses import AS_RECORDED
from bganalyze.validation.replaying.places import side_of
from bganalyze.validation.replaying.replayed import Turn
from bganalyze.validation.rules.words import describe_evidence

_NO_DIFFERENCE = 0.0005
"""The least difference of equities (EMG) that three decimals show."""


def describe_error(
    case: Case, gain_over_best_legal: PlayGain | None, names: tuple[str, str]
) -> Iterator[Block]:
    """Yield blocks that describe an error: message, boards, legal plays, and who erred."""
    finding = case.finding
    yield Note(finding.message, tone=finding.severity.value)
    if finding.situation is not None:
        yield Diagrams(tuple(_draw_boards(case, names)))
    if finding.legal is not None:
        yield Note(f"nearest legal plays: {finding.legal_in_words}")
    if gain_over_best_legal is not None:
        yield Note(gain_in_words(gain_over_best_legal))
    yield Note(_say_who_probably_erred(finding))
    if case.others:
        listed = "; ".join(f"{other.code}, {other.message}" for other in case.others)
        yield Note(f"at the same place, to be ruled on by its code: {listed}")


def gain_in_words(gain: PlayGain) -> str:
    """Return in words how an illegal play compares with the best legal one.

    >>> gain_in_words(PlayGain("sage", "2.0", "2ply", None))
    'sage 2.0 at 2ply cannot compare the play: its board is in doubt, or the play was taken back'
    """
    engine = f"{gain.engine} {gain.version} at {gain.level}"
    decision, equity = gain.decision, gain.equity
    if decision is None:
        return (
            f"{engine} cannot compare the play: its board is in doubt, or the play was taken back"
        )
    if decision.better is None:
        return f"{engine} has no evaluation of this play"
    if equity is None:
        return f"{engine} evaluates legal plays only; the best one is {decision.better}"
    if abs(equity) < _NO_DIFFERENCE:
        return f"by {engine} the play is worth as much as the best legal one, {decision.better}"
    size = f"{abs(equity):.3f} EMG"
    if gain.chance is not None:
        size += f" ({format_chance(abs(gain.chance), money=decision.length == 0)})"
    if equity > 0:
        return f"by {engine} the play gained {size} over the best legal one, {decision.better}"
    return f"by {engine} the play lost {size} against the best legal one, {decision.better}"


def _draw_boards(case: Case, names: tuple[str, str]) -> Iterator[Diagram]:
    """Yield the boards before and after the action; for a wrong set-up, also the correct one."""
    finding = case.finding
    assert finding.situation is not None
    scene = make_scene(finding.situation, names)
    before, after = finding_scenes(finding, scene)
    after_title = f"After, {name_play_leading_to_after(finding)}"
    action = case.turn.action
    title = describe_action(case.turn, names)
    if isinstance(action, Play) and action.steps:
        # The replay may continue from the board of another play. The sheet shows the written one.
        written = _make_written_steps(action.steps, finding.situation.position)
        before = before._replace(arrows=tuple(_yield_movements(written.steps)))
        if after is not None and action.left_board is None:
            after = after._replace(position=written.board)
            after_title = written.title
    elif isinstance(action, Play) and not action.called_illegal:
        after = None  # No checker moves.
    elif isinstance(action, Play) and after is not None:
        title += "; see the boards"
    yield Diagram(title, before, after=after, after_title=after_title)
    if finding.expected is not None:
        yield Diagram("The board that should have been", scene._replace(position=finding.expected))


class _WrittenSteps(NamedTuple):
    """The steps of a play that find a checker to move, and the board after them."""

    steps: Sequence[Step]
    board: Position
    title: str
    """The title of that board, which says if a step cannot be made."""


def _make_written_steps(steps: Sequence[Step], position: Position) -> _WrittenSteps:
    """Return the steps of a written play that can be carried out, and the board after them.

    The play may be illegal. A step from a point without a checker is left out.
    """
    steps = limit_steps(steps)
    board, stranded = move_as_written(position, steps)
    if not stranded:
        return _WrittenSteps(steps, board, f"After, {AS_RECORDED}")
    made = [step for index, step in enumerate(steps) if index not in stranded]
    left_out = notation([steps[index] for index in sorted(stranded)])
    return _WrittenSteps(made, board, f"After, {AS_RECORDED}, without {left_out}")


def _yield_movements(steps: Sequence[Step]) -> Iterator[tuple[int, int]]:
    """Yield the points at which each step of a play begins and ends."""
    for path, _ in steps:
        yield path[0], path[-1]


def describe_action(turn: Turn, names: tuple[str, str]) -> str:
    """Return the action of a turn with its player, such as `Ann 31: 8/5 6/5`."""
    if isinstance(turn.action, Comment):
        return turn.action.text or "the end of the game"
    if isinstance(turn.action, SetUp | RulingMade):
        return action_in_words(turn, names)
    if isinstance(turn.action, Result):
        return f"result as written: {names[side_of(turn)]} {action_in_words(turn)}"
    return f"{names[side_of(turn)]} {action_in_words(turn)}"


def _say_who_probably_erred(finding: Finding) -> str:
    """Return a sentence on who probably erred: the player or the transcriber."""
    found = "; ".join(words for _, words in describe_evidence(finding))
    match None if finding.evidence is None else finding.evidence.kind:
        case EvidenceKind.CONTRADICTED:
            return (
                f"the record contradicts itself, so a slip of the transcriber is probable: {found}"
            )
        case EvidenceKind.CONSISTENT:
            return f"the record does not contradict that it was played so: {found}"
        case _:
            return "the record does not show whether it was played so or written down wrong"
