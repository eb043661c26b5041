"""What became of a slip: whether the proposals of a repair name its row and bring the record back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

import bganalyze
from bganalyze.transcript.model import (
    Answer,
    Double,
    Game,
    Match,
    Play,
    PlayRecord,
    Resignation,
    Result,
    Unread,
)
from tests.injection.record import Lines, Record
from tests.repair.slips import Part, Slip, errors

RANKS = (1, 3, 10)
"""Among how many proposals of a cause the right one is looked for."""


class Edit(NamedTuple):
    """A whole line put in another's place, put in before it (no `old`), or taken out (no `new`)."""

    line: int
    old: str | None
    new: str | None


class Proposal(NamedTuple):
    """A line of `repair --format jsonl`, as far as it is judged here."""

    cause: int
    rank: int
    kind: str
    probability: float
    proved: bool
    edits: tuple[Edit, ...]
    message: str
    errors_before: int
    errors_after: int

    @property
    def line(self) -> int:
        """The line in which it begins."""
        return min(edit.line for edit in self.edits)


class MisplacedEditError(ValueError):
    """An edit of a line that is not there, or of two edits of a line that cannot both be made."""


def proposal_of(record: Mapping[str, Any]) -> Proposal:
    """Return the proposal of a line of JSON."""
    fields = {name: record[name] for name in Proposal._fields}
    edits = tuple(Edit(edit["line"], edit["old"], edit["new"]) for edit in record["edits"])
    return Proposal(**{**fields, "edits": edits})


# -- edits ---------------------------------------------------------------------------------------


def applied(lines: Lines, edits: Iterable[Edit]) -> Lines:
    """Return the lines after all edits, which name the lines as they were before any of them.

    >>> applied(("a", "b", "c"), [Edit(2, None, "x"), Edit(2, "b", "y"), Edit(3, "c", None)])
    ('a', 'x', 'y')
    """
    edits = list(dict.fromkeys(edits))
    of_line: dict[int, list[Edit]] = defaultdict(list)
    for edit in edits:
        of_line[edit.line].append(edit)
    last = len(lines) + 1
    if any(not 1 <= edit.line <= last - (edit.old is not None) for edit in edits):
        raise MisplacedEditError(f"there are {len(lines)} lines: {sorted(of_line)}")
    after: list[str] = []
    for number in range(1, last + 1):
        here = of_line[number]
        after += [edit.new for edit in here if edit.old is None and edit.new is not None]
        if number == last:
            break
        text: str | None = lines[number - 1]
        for edit in here:
            if edit.old is not None:
                text = _merged(lines[number - 1], text, edit)
        if text is not None:
            after.append(text)
    return tuple(after)


def _merged(was: str, now: str | None, edit: Edit) -> str | None:
    """Make an edit in a line in which another one may have been made, beside it."""
    if edit.old != was:
        raise MisplacedEditError(f"line {edit.line} is {was!r}, not {edit.old!r}")
    if now in (was, edit.new):
        return edit.new
    if edit.new is None or now is None:
        raise MisplacedEditError(f"line {edit.line} is taken out and kept")
    (start, end, text), (other_start, other_end, other) = _change(was, now), _change(was, edit.new)
    if start > other_start:
        start, end, text, other_start, other_end, other = (
            *(other_start, other_end, other),
            *(start, end, text),
        )
    if end > other_start:
        raise MisplacedEditError(f"line {edit.line} is edited twice in the same place")
    return was[:start] + text + was[end:other_start] + other + was[other_end:]


def _change(was: str, now: str) -> tuple[int, int, str]:
    """What an edit of a line replaces, from where to where, and by what."""
    least = min(len(was), len(now))
    start = next((at for at in range(least) if was[at] != now[at]), least)
    same = 0
    while same < least - start and was[-1 - same] == now[-1 - same]:
        same += 1
    return start, len(was) - same, now[start : len(now) - same]


# -- what a record says --------------------------------------------------------------------------


def content(record: Record, lines: Lines) -> tuple[Any, ...]:
    """Return what the record with these lines says, free of how it is spelled.

    Length, names, scores, throws, plays by what they move and leave, the cube and the results; not
    the numbers of rows, hit marks, comments or the order of the dice.
    """
    matches = bganalyze.read_bytes(record.encoded(lines), record.path)
    return tuple(_match(match) for match in matches)


def _match(match: Match) -> tuple[Any, ...]:
    """What stands in the columns, and the boards: a replay reads some cells as they were meant."""
    return (
        match.length and match.length.points,
        *((*_header(game), *_actions(game)) for game in match.games),
        *(turn.after for game in bganalyze.replay(match).games for turn in game.turns),
    )


def _header(game: Game) -> tuple[Any, ...]:
    return game.number, game.score and (game.score.names, game.score.points)


def _actions(game: Game) -> Iterator[Any]:
    for action in game.actions:
        match action:
            case Play(side=side, dice=dice, how=how):
                yield side, dice and tuple(sorted(dice)), how is PlayRecord.UNREAD, _moved(action)
            case Double(side=side, value=value, kind=kind):
                yield side, kind, value
            case Answer(side=side, taken=taken):
                yield side, taken
            case Resignation(side=side):
                yield side, "resigns"
            case Result(side=side, points=points):
                yield side, "wins", points
            case Unread(side=side, text=text):
                yield side, text


def _moved(play: Play) -> tuple[tuple[int, int], ...]:
    """By how many checkers each point changes, by the text of the play alone."""
    change: dict[int, int] = defaultdict(int)
    for step in play.steps:
        change[step.path[0]] -= 1
        change[step.path[-1]] += 1
    return tuple(sorted((point, count) for point, count in change.items() if count))


# -- the outcome ---------------------------------------------------------------------------------


class Outcome(NamedTuple):
    """What a check and a repair made of one slip."""

    kind: str
    path: str
    line: int
    errors: int
    warnings: int
    causes: int
    row: tuple[bool, ...]
    """Whether a proposal begins in the right row for every slip, by `RANKS`."""
    restored: tuple[bool, ...]
    """Whether the record says the same again, by `RANKS`."""
    judged: tuple[tuple[int, float, bool, bool], ...]
    """Of each proposal the rank, the probability, whether it is proved, and whether it is right."""
    unfit: int
    """Proposals that cannot be made, or that leave other errors than they promise."""
    worse: int
    """Proposals after which there are more errors."""
    seconds: float


def outcome(
    record: Record, kind: str, slip: Slip, proposals: list[Proposal], seconds: float
) -> Outcome:
    """Judge the proposals for a slip."""
    return _Judge(record, slip, proposals).outcome(kind, seconds)


class _Judge:
    def __init__(self, record: Record, slip: Slip, proposals: list[Proposal]) -> None:
        self.record = record
        self.slip = slip
        self.lines = slip.lines
        self.causes: dict[int, list[Proposal]] = defaultdict(list)
        for proposal in sorted(proposals, key=lambda one: (one.cause, one.rank)):
            self.causes[proposal.cause].append(proposal)
        self.unfit = 0
        self.worse = 0

    def outcome(self, kind: str, seconds: float) -> Outcome:
        found = bganalyze.check(
            bganalyze.read_bytes(self.record.encoded(self.lines), self.record.path)
        )
        severities = [str(finding.severity) for finding in found]
        self.errors = severities.count("error")
        right = {
            id(proposal): self._is_right(proposal)
            for proposals in self.causes.values()
            for proposal in proposals[: max(RANKS)]
        }
        return Outcome(
            kind,
            self.record.path,
            min(line for part in self.slip.parts for line in self.slip.places(part)),
            self.errors,
            severities.count("warning"),
            len(self.causes),
            tuple(self._names_rows(most) for most in RANKS),
            tuple(self._restores(right, most) for most in RANKS),
            tuple(
                (proposal.rank, proposal.probability, proposal.proved, right[id(proposal)])
                for proposals in self.causes.values()
                for proposal in proposals[: max(RANKS)]
            ),
            self.unfit,
            self.worse,
            seconds,
        )

    def _names_rows(self, most: int) -> bool:
        lines = {
            proposal.line for proposals in self.causes.values() for proposal in proposals[:most]
        }
        return all(lines & self.slip.places(part) for part in self.slip.parts)

    def _is_right(self, proposal: Proposal) -> bool:
        """Whether it makes good the slip that is nearest to it, and nothing else."""
        try:
            lines = applied(self.lines, proposal.edits)
        except MisplacedEditError:
            self.unfit += 1
            return False
        after = errors(self.record, lines)
        self.unfit += (self.errors, after) != (
            proposal.errors_before,
            proposal.errors_after,
        )
        self.worse += after > self.errors
        return content(self.record, lines) == self._without(self._nearest(proposal))

    def _nearest(self, proposal: Proposal) -> Part:
        return min(
            self.slip.parts,
            key=lambda part: min(abs(line - proposal.line) for line in self.slip.places(part)),
        )

    def _without(self, part: Part) -> tuple[Any, ...]:
        if part not in self._contents:
            self._contents[part] = content(self.record, self.slip.mended(part).lines)
        return self._contents[part]

    @cached_property
    def _contents(self) -> dict[Part, tuple[Any, ...]]:
        return {}

    def _restores(self, right: dict[int, bool], most: int) -> bool:
        """Whether the right one of so many proposals for each cause brings all of it back."""
        chosen = [
            next((one for one in proposals[:most] if right.get(id(one))), proposals[0])
            for proposals in self.causes.values()
        ]
        if not chosen:
            return False
        try:
            lines = applied(self.lines, [edit for one in chosen for edit in one.edits])
        except MisplacedEditError:
            return False
        return content(self.record, lines) == self._clean

    @cached_property
    def _clean(self) -> tuple[Any, ...]:
        return content(self.record, self.slip.clean)
