"""Judge a repair of a slip: whether its proposals name the row and restore the record."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple

from bganalyze.record.model import (
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
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.findings import Severity
from bganalyze.validation.replaying import replay
from tests.faults.damage import Damage, Part, errors, is_error
from tests.faults.record import Lines, Record

RANKS = (1, 3, 10)
"""Among how many proposals of a cause the right one is looked for."""


class Edit(NamedTuple):
    """A whole line put in another's place, put in before it (no `old`), or taken out (no `new`)."""

    line: int
    old: str | None
    new: str | None


class Proposal(NamedTuple):
    """A line of `repair --format jsonl`, as far as it is checked here."""

    cause: int
    rank: int
    kind: str
    probability: float
    proved: bool
    edits: tuple[Edit, ...]
    message: str
    errors_before: int
    errors_after: int
    other_rolls: tuple[tuple[str, ...], ...] = ()


class MisplacedEditError(ValueError):
    """An edit of a line that is not there, or of two edits of a line that cannot both be made."""


def find_proposal(record: Mapping[str, Any]) -> Proposal:
    """Return the proposal of a line of JSON."""
    fields = {name: record[name] for name in Proposal._fields}
    edits = tuple(Edit(edit["line"], edit["old"], edit["new"]) for edit in record["edits"])
    other_rolls = tuple(map(tuple, record["other_rolls"]))
    return Proposal(**{**fields, "edits": edits, "other_rolls": other_rolls})


class Proposed(NamedTuple):
    """Proposals for a file, and the seconds they took."""

    proposals: list[Proposal]
    seconds: float


# -- edits ---------------------------------------------------------------------------------------


def apply_edits(lines: Lines, edits: Iterable[Edit]) -> Lines:
    """Return the lines after all edits, which name the lines as they were before any of them.

    >>> apply_edits(("a", "b", "c"), [Edit(2, None, "x"), Edit(2, "b", "y"), Edit(3, "c", None)])
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
        line_edits = of_line[number]
        after += [edit.new for edit in line_edits if edit.old is None and edit.new is not None]
        if number == last:
            break
        text: str | None = lines[number - 1]
        for edit in line_edits:
            if edit.old is not None:
                text = _merge_edit(lines[number - 1], text, edit)
        if text is not None:
            after.append(text)
    return tuple(after)


def _merge_edit(original: str, changed: str | None, edit: Edit) -> str | None:
    """Make an edit in a line in which another one may have been made, beside it."""
    if edit.old != original:
        raise MisplacedEditError(f"line {edit.line} is {original!r}, not {edit.old!r}")
    if changed in (original, edit.new):
        return edit.new
    if edit.new is None or changed is None:
        raise MisplacedEditError(f"line {edit.line} is taken out and kept")
    (start, end, text), (other_start, other_end, other) = (
        _change(original, changed),
        _change(original, edit.new),
    )
    if start > other_start:
        start, end, text, other_start, other_end, other = (
            *(other_start, other_end, other),
            *(start, end, text),
        )
    if end > other_start:
        raise MisplacedEditError(f"line {edit.line} is edited twice in the same place")
    return original[:start] + text + original[end:other_start] + other + original[other_end:]


def _change(original: str, changed: str) -> tuple[int, int, str]:
    """Return the start, end and new text of the edit of a line."""
    least = min(len(original), len(changed))
    start = next((at for at in range(least) if original[at] != changed[at]), least)
    common = 0
    while common < least - start and original[-1 - common] == changed[-1 - common]:
        common += 1
    return start, len(original) - common, changed[start : len(changed) - common]


# -- edits of a file under repair --------------------------------------------------------------


class Placed(NamedTuple):
    """A proposal, with its edits as edits of the file as it was written."""

    proposal: Proposal
    draft: Lines
    """The file when it was made: with the first proposals of the causes before it, or as written."""
    after: Lines | None
    """The same after the proposal; None where it does not fit."""
    edits: tuple[Edit, ...] | None
    """None where it does not fit the file as it was written."""

    @property
    def line(self) -> int:
        """The line of the file as it was written in which it begins."""
        return min((edit.line for edit in self.edits or ()), default=0)


def in_the_file(lines: Lines, causes: Iterable[Sequence[Proposal]]) -> Iterator[list[Placed]]:
    """Yield the proposals of each cause, whose edits may name the lines of the file under repair.

    A repair goes from cause to cause, and each may be looked for in the file as the first proposals
    of those before it leave it. Edits that do not fit that are taken for edits of the file as written.
    """
    draft, origins = lines, tuple(range(1, len(lines) + 1))
    for cause in causes:
        placed = [_place(lines, draft, origins, proposal) for proposal in cause]
        yield placed
        if placed[0].draft == draft and placed[0].after is not None:
            draft, origins = placed[0].after, _origins(origins, cause[0].edits)


def _place(
    lines: Lines, draft: Lines, origins: tuple[int | None, ...], proposal: Proposal
) -> Placed:
    try:
        after = apply_edits(draft, proposal.edits)
    except MisplacedEditError:
        pass
    else:
        rebased = [_rebase(lines, origins, edit) for edit in proposal.edits]
        fitting = tuple(edit for edit in rebased if edit is not None)
        return Placed(proposal, draft, after, fitting if len(fitting) == len(rebased) else None)
    try:
        return Placed(proposal, lines, apply_edits(lines, proposal.edits), proposal.edits)
    except MisplacedEditError:
        return Placed(proposal, draft, None, None)


def _origins(origins: tuple[int | None, ...], edits: Iterable[Edit]) -> tuple[int | None, ...]:
    """Return for each line after the edits its line in the original file, or None."""
    put_in = [edit.line for edit in edits if edit.old is None]
    taken_out = {edit.line for edit in edits if edit.new is None}
    after: list[int | None] = []
    for number in range(1, len(origins) + 2):
        after += [None] * put_in.count(number)
        if number <= len(origins) and number not in taken_out:
            after.append(origins[number - 1])
    return tuple(after)


def _rebase(lines: Lines, origins: tuple[int | None, ...], edit: Edit) -> Edit | None:
    """Return an edit of the draft as one of the file as written; None where that has no such line."""
    if edit.old is None:
        behind = (origin for origin in origins[edit.line - 1 :] if origin is not None)
        return edit._replace(line=next(behind, len(lines) + 1))
    origin = origins[edit.line - 1]
    if origin is None:
        return None
    original = lines[origin - 1]
    if edit.new is None or original == edit.old:
        return Edit(origin, original, edit.new)
    return Edit(origin, original, _carry_over(original, edit.old, edit.new))


def _carry_over(original: str, draft: str, new: str) -> str:
    """Make in `original` the change from `draft` to `new`, or all of it where the two overlap."""
    start, end, text = _change(draft, new)
    earlier, earlier_end, put = _change(original, draft)
    if end <= earlier:
        return original[:start] + text + original[end:]
    shift = earlier_end - (earlier + len(put))
    if start >= earlier + len(put):
        return original[: start + shift] + text + original[end + shift :]
    return new


# -- what a record says --------------------------------------------------------------------------


Content = tuple[Any, ...]


class Played(NamedTuple):
    """A play as written in a record."""

    side: int | None
    dice: tuple[int, ...] | None
    is_unread: bool
    moved: tuple[tuple[int, int], ...]
    """By how many checkers each point changes."""


def content(record: Record, lines: Lines) -> Content:
    """Return what the record with these lines says, free of how it is spelled.

    Length, names, scores, rolls, plays by what they move and leave, the cube and the results; not
    the numbers of rows, hit marks, comments or the order of the dice.
    """
    return _content_of(record.encoded(lines), record.path)


@lru_cache(maxsize=64)
def _content_of(written: bytes, path: str) -> Content:
    return tuple(chain.from_iterable(map(_match, read_bytes(written, path))))


def agrees(content: Content, meant: Content, other_rolls: Iterable[Sequence[str]]) -> bool:
    """Whether a record says what was meant, but for rolls: of these turns others do as well.

    >>> danced, meant = Played(0, (3, 6), False, ()), Played(0, (6, 6), False, ())
    >>> agrees((danced,), (meant,), [["3-3", "6-6"]]), agrees((danced,), (meant,), [["3-3"]])
    (True, False)
    """
    if len(content) != len(meant):
        return False
    turns = list(other_rolls)
    for now, then in zip(content, meant, strict=True):
        if now == then:
            continue
        if not isinstance(now, Played) or not isinstance(then, Played) or then.dice is None:
            return False
        roll = "-".join(map(str, reversed(then.dice)))
        others = next((others for others in turns if roll in others), None)
        if others is None or now._replace(dice=then.dice) != then:
            return False
        turns.remove(others)
    return True


def _match(match: Match) -> Iterator[Any]:
    """Yield the content of the columns with the boards: a replay corrects the reading of some cells."""
    yield match.length and match.length.points
    for game in match.games:
        yield _header(game)
        yield from _actions(game)
    for replayed in replay(match).games:
        yield tuple(turn.after for turn in replayed.turns)


def _header(game: Game) -> tuple[Any, ...]:
    return game.number, game.score and (game.score.names, game.score.points)


def _actions(game: Game) -> Iterator[Any]:
    for action in game.actions:
        match action:
            case Play(side=side, dice=dice, how=how):
                roll = None if dice is None else tuple(sorted(dice))
                yield Played(side, roll, how is PlayRecord.UNREAD, _find_moved(action))
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


def _find_moved(play: Play) -> tuple[tuple[int, int], ...]:
    """Return the points that a play changes, with the change in checkers."""
    change: dict[int, int] = defaultdict(int)
    for step in play.steps:
        change[step.path[0]] -= 1
        change[step.path[-1]] += 1
    return tuple(sorted((point, count) for point, count in change.items() if count))


# -- the outcome ---------------------------------------------------------------------------------


class Outcome(NamedTuple):
    """Outcome of a check and a repair of one slip."""

    kind: str
    path: str
    line: int
    slips: int
    errors: int
    warnings: int
    causes: int
    row: tuple[bool, ...]
    """Whether a proposal begins in the right row for every slip, by `RANKS`."""
    restored: tuple[bool, ...]
    """Whether the record says the same again, by `RANKS`; or with one of the rolls that a proposal
    names beside its own."""
    proposals: tuple[tuple[int, float, bool, bool], ...]
    """Rank, probability, whether proved and whether right, for each proposal."""
    unfit: int
    """Proposals that cannot be made, or that leave other errors than they promise."""
    worse: int
    """Proposals after which there are more errors."""
    seconds: float
    restored_to_roll: tuple[bool, ...] = (False,) * len(RANKS)
    """The same with the rolls that are written alone."""
    is_told: bool = True
    """Whether the rest of the record determines the original text."""
    is_contradicted: bool = False
    """Whether the record contradicts an error, so that it is no player's."""
    is_named: bool = False
    """Whether a finding or a first proposal names the cause, where no edit repairs it."""


def outcome(
    record: Record,
    kind: str,
    slip: Damage,
    answer: Proposed,
    named_by: frozenset[str] = frozenset(),
) -> Outcome:
    """Check the proposals for a slip; the codes and kinds of `named_by` name one that no edit repairs."""
    proposals, seconds = answer
    unnamed = [proposal._replace(other_rolls=()) for proposal in proposals]
    to_roll = _Examiner(record, slip, unnamed, named_by).restored()
    examiner = _Examiner(record, slip, proposals, named_by)
    return examiner.outcome(kind, seconds)._replace(restored_to_roll=to_roll)


class _Examiner:
    def __init__(
        self, record: Record, slip: Damage, proposals: list[Proposal], named_by: frozenset[str]
    ) -> None:
        self.record = record
        self.slip = slip
        self.named_by = named_by
        self.causes = list(in_the_file(slip.lines, _by_cause(proposals)))
        self.right = {id(placed): self._is_right(placed) for placed in chain(*self.causes)}

    def outcome(self, kind: str, seconds: float) -> Outcome:
        lines = self.slip.lines
        findings = check(read_bytes(self.record.encoded(lines), self.record.path))
        counts = [self._errors(placed) for placed in chain(*self.causes)]
        return Outcome(
            kind,
            self.record.path,
            min(line for part in self.slip.parts for line in self.slip.places(part)),
            len(self.slip.parts),
            sum(map(is_error, findings)),
            sum(finding.severity is Severity.WARNING for finding in findings),
            len(self.causes),
            tuple(self._names_rows(limit) for limit in RANKS),
            self.restored(),
            tuple(
                (proposal.rank, proposal.probability, proposal.proved, self.right[id(placed)])
                for placed in chain(*self.causes)
                for proposal in (placed.proposal,)
            ),
            sum(
                (placed.proposal.errors_before, placed.proposal.errors_after) not in ways
                for placed, ways in zip(chain(*self.causes), counts, strict=True)
                if placed.proposal.edits
            ),
            sum(any(after > before for before, after in ways) for ways in counts),
            seconds,
            is_contradicted=any(
                is_error(finding) and not finding.may_be_players for finding in findings
            ),
            is_named=not self.named_by.isdisjoint(
                (
                    *(finding.code for finding in findings),
                    *(cause[0].proposal.kind for cause in self.causes),
                )
            ),
        )

    def _errors(self, placed: Placed) -> set[tuple[int, int]]:
        """Return the number of errors before and after a proposal: in the draft, and as written."""
        ways = {(placed.draft, placed.after), (self.slip.lines, self._after([placed]))}
        return {
            (errors(self.record, before), errors(self.record, after))
            for before, after in ways
            if after is not None
        }

    def _names_rows(self, limit: int) -> bool:
        lines = {placed.line for cause in self.causes for placed in cause[:limit]}
        return all(lines & self.slip.places(part) for part in self.slip.parts)

    def _is_right(self, placed: Placed) -> bool:
        """Whether it makes good the slip that is nearest to it, and nothing else."""
        if placed.edits is None:
            return False
        if not placed.edits:
            return placed.proposal.kind in self.named_by
        nearest = min(
            self.slip.parts,
            key=lambda part: min(abs(line - placed.line) for line in self.slip.places(part)),
        )
        return self._agrees([placed], self._without(nearest))

    def _after(self, placements: Sequence[Placed]) -> Lines | None:
        """Return the file after these proposals; None where not all of them can be made."""
        try:
            return apply_edits(
                self.slip.lines, chain(*(placed.edits or () for placed in placements))
            )
        except MisplacedEditError:
            return None

    def _agrees(self, placements: Sequence[Placed], meant: Content) -> bool:
        """Whether the file after these proposals says what was meant, with rolls that they name."""
        after = self._after(placements)
        if after is None:
            return False
        rolls = chain.from_iterable(placed.proposal.other_rolls for placed in placements)
        return agrees(content(self.record, after), meant, rolls)

    def _without(self, part: Part) -> Content:
        if part not in self._contents:
            self._contents[part] = content(self.record, self.slip.repaired(part).lines)
        return self._contents[part]

    @cached_property
    def _contents(self) -> dict[Part, Content]:
        return {}

    def restored(self) -> tuple[bool, ...]:
        """Return whether the right ones among the first proposals for each cause restore everything, by `RANKS`."""
        meant = content(self.record, self.slip.clean)
        return tuple(
            bool(self.causes) and self._agrees(self._best(limit), meant) for limit in RANKS
        )

    def _best(self, limit: int) -> list[Placed]:
        """Return for each cause the right proposal among the first `limit`, or the first one."""
        return [
            next((placed for placed in cause[:limit] if self.right[id(placed)]), cause[0])
            for cause in self.causes
        ]


def _by_cause(proposals: Iterable[Proposal]) -> list[list[Proposal]]:
    """Return the proposals of each cause, as far as they are looked at, likeliest first."""
    causes: dict[int, list[Proposal]] = defaultdict(list)
    for proposal in sorted(proposals, key=attrgetter("cause", "rank")):
        causes[proposal.cause].append(proposal)
    return [cause[: max(RANKS)] for cause in causes.values()]
