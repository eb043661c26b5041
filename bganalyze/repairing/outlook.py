"""What helps against a finding: the suggestions for it, each tried, and those followed that help.

Where several slips are made in a game, the likeliest repair of the first error may leave a board
from which the next cannot be explained. So the likeliest few are followed from error to error, the
best first, until one explains the game, or the budget of the finding is spent.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial
from heapq import merge
from operator import attrgetter
from typing import NamedTuple

from bganalyze.record.model import Action, Play, PlayRecord
from bganalyze.record.refused import NotATranscript
from bganalyze.record.remembered import LONGEST
from bganalyze.repairing.draft import Draft
from bganalyze.repairing.edits import EditError
from bganalyze.repairing.effort import Effort, FindingSpentError
from bganalyze.repairing.evidence import UNREADABLE, Evidence, Trials, is_one_sided, is_too_short
from bganalyze.repairing.excerpt import Excerpt, Excerpts
from bganalyze.repairing.prior import Prior
from bganalyze.repairing.proof import may_be_proved
from bganalyze.repairing.ranking import (
    ELSEWHERE,
    MOST_TRIED,
    NEGLIGIBLE,
    Made,
    Repair,
    Tried,
    Weighed,
    by_weight,
    loss_for,
    probabilities,
    ranked,
    weighed,
)
from bganalyze.repairing.remedy import Identity, Remedy, identity
from bganalyze.repairing.slips import Slip, lost_rows, suggestions
from bganalyze.repairing.slips.rows import LOST_ROW, PLAY_RULES
from bganalyze.repairing.spelling import Style
from bganalyze.validation.findings import Edit, Finding, Severity
from bganalyze.validation.replaying.facts import seen_by
from bganalyze.validation.replaying.match import MatchReplay

UNFIT = (EditError, NotATranscript, UnicodeEncodeError)
"""Why an edit cannot be made."""

PLAYS_ENOUGH = (6, 2, 0)
"""So many plays carried out after the fault show that it is repaired; where nothing goes so far, as
where the next slip is near, fewer do."""

MOST_FOLLOWED, MOST_BRANCHES = 6, 2
"""So many repairs of a finding are followed, and of each error behind it."""

MARGIN = 5.0
"""A repair so much less likely than the first is not followed."""

BUDGET = 8
"""So many errors behind a finding are looked at before it is decided."""

MOST_LOST_ROWS = 2
"""Against so many findings of a file rows are looked for that may be lost, a quarter of a second each."""

MOST_ERRORS = 8
"""Not in a file with more errors, which one lost row does not make."""

MOST_FAULTS = 100
"""In a file with more at fault nothing is looked at ahead."""

FEW_FAULTS = 2
"""In a game with more, one lost row is not what is at fault."""

ANOTHER_SLIP = 2.0
"""What a branch loses in likelihood for each further slip, beside what is said of that slip."""

UNEXPLAINED = 9.0
"""What it loses for an error against which nothing helps."""

UNKNOWN = (PlayRecord.UNPLAYED, PlayRecord.UNREAD)
"""Turns of which nobody knows how they were played."""

NEAR = 12
"""So many actions before a finding, and behind it, suggestions are made from."""

REMEMBERED = 24
"""So many drafts and lists of repairs are kept: the next finding is looked at in one of them."""

WORTH_A_LINE = 0.003
"""Proposals that are so much less likely than the first are not listed."""

MOST_GAMES_AGAIN = 250
"""So many games of a file are replayed, a millisecond each, to see what rivals leave in all of it."""

Place = tuple[int, int | None]
"""A match and a game of it."""

Attempt = Callable[[Draft, int, Remedy], Draft | None]
"""A function that returns a draft with a line repaired, as `try_repair` does."""


class Effect(NamedTuple):
    """The result of trying a remedy: the excerpt as it is then, and how much of the file is at fault."""

    left: Hashable
    """The excerpt as it is then. Two remedies that leave the same count as one."""
    faults: int
    errors: int
    plays: frozenset[Made]
    """Of the game, up to where it was at fault."""
    faults_of_excerpt: int


class Attempts:
    """What is suggested against a finding, and tried: each suggestion once, however often it is made."""

    def __init__(
        self,
        draft: Draft,
        finding: Finding,
        prior: Prior,
        styles: dict[int, Style],
        attempt: Attempt,
    ) -> None:
        self._prior = prior
        self.evidence = cache(partial(_evidence_of, draft, finding, styles, {}))
        """The evidence, by how many plays are enough."""
        self._suggested = cache(partial(_suggested_by, self.evidence, prior, draft.effort))
        self._effect = cache(partial(_effect_of, Excerpts(draft, finding), attempt, draft, finding))

    def helping(self, *slips: Slip) -> list[Repair]:
        """Return what helps against the finding, likeliest first.

        Of what each of `slips` suggests the likeliest are tried, however much likelier others look.
        """
        for enough in self._degrees():
            suggested = [self._suggested(slip, enough) for slip in slips]
            candidates = deque(
                merge(*(of_slip[:MOST_TRIED] for of_slip in suggested), key=by_weight)
            )
            tried = list(self._tried(candidates))
            untried = [candidate for of_slip in suggested for candidate in of_slip[MOST_TRIED:]]
            untried += candidates
            if repairs := ranked(tried, untried, self.evidence(enough), self._prior):
                return repairs
        return []

    def _degrees(self) -> Iterator[int]:
        """Yield how many plays are to be enough, as far as each needs fewer than the one before.

        Near the end of a game, or where all that follows is needed, all would suggest the same.
        """
        before: int | None = None
        for enough in PLAYS_ENOUGH:
            needed = self.evidence(enough).needed_further
            if needed is None or needed != before:
                yield enough
            before = needed

    def _tried(self, candidates: deque[Weighed]) -> Iterator[Tried]:
        """Take the candidates, and yield those that help, of several that leave the same text one.

        Those within a part of one game are tried on it alone. Once one helps, those that are beside
        it too unlikely to count are not tried. What is not tried for want of effort is left there.
        """
        seen: set[Hashable] = set()
        least = -math.inf
        while candidates and candidates[0].weight >= least:
            suggestion, weight = candidates[0]
            try:
                effect = self._effect(suggestion.remedy)
            except FindingSpentError:
                return
            candidates.popleft()
            if effect is not None and effect.left not in seen:
                seen.add(effect.left)
                yield Tried(suggestion, weight, effect.faults, effect.errors, effect.plays)
                least = max(least, weight - loss_for(effect.faults_of_excerpt) - NEGLIGIBLE)


def _evidence_of(
    draft: Draft, finding: Finding, styles: dict[int, Style], trials: Trials, enough: int
) -> Evidence:
    match = _match_of(draft, finding)
    is_alone = count_of(draft.to_repair, (finding.match, finding.game)) == 1
    return Evidence(match, finding, draft.lines, draft.errors, enough, is_alone, styles, trials)


def _suggested_by(
    evidence: Callable[[int], Evidence], prior: Prior, effort: Effort, slip: Slip, enough: int
) -> list[Weighed]:
    return weighed(effort.spend_on_each(slip(evidence(enough))), prior)


def _effect_of(
    excerpts: Excerpts, attempt: Attempt, draft: Draft, finding: Finding, remedy: Remedy
) -> Effect | None:
    """Return what a remedy leaves; None where its edits cannot be made, or it does not help.

    What is tried on the whole draft is asked for again once it is ranked: `attempt` remembers it.
    """
    excerpt = excerpts.holding(remedy.edits)
    if excerpt.is_whole:
        repaired = attempt(draft, finding.line, remedy)
    else:
        there = remedy._replace(edits=excerpt.edits(remedy.edits))
        repaired = try_repair(excerpt.draft, excerpt.line(finding.line), there)
    if repaired is None:
        return None
    faults = draft.faults + repaired.faults - excerpt.draft.faults
    errors = len(draft.errors) + len(repaired.errors) - len(excerpt.draft.errors)
    plays = frozenset(_plays(repaired, excerpt, finding))
    left = repaired.data, repaired.explained
    return Effect(left, faults, errors, plays, repaired.faults)


def _plays(repaired: Draft, excerpt: Excerpt, finding: Finding) -> Iterator[Made]:
    """Yield the plays of the game of a finding up to it, in an excerpt that is repaired."""
    end = excerpt.draft.number(excerpt.line(finding.line))
    for turn in excerpt.turns(repaired, finding):
        play = turn.action
        if repaired.number(play.span.line) > end:
            return
        if type(play) is Play and play.dice is not None and play.how not in UNKNOWN:
            yield turn.situation(play.side, play.dice), seen_by(turn.after, play.side)


class Branch(NamedTuple):
    """A draft with repairs made, and how likely these are together."""

    head: int
    """Which repair of the finding it begins with."""
    draft: Draft
    passed: frozenset[Identity]
    likelihood: float


class Held(NamedTuple):
    """A repair that holds, and the whole file with it made; None where that was not looked at."""

    repair: Repair
    repaired: Draft | None


class Outlook:
    """What is known of the repairs of a file, and of what they lead to."""

    def __init__(self, prior: Prior) -> None:
        self._prior = prior
        self._lost_rows = self._games_again = 0
        self._styles: dict[int, Style] = {}
        self._repairs = lru_cache(REMEMBERED)(self._looked_up)
        self.attempted = lru_cache(REMEMBERED)(try_repair)
        """What was tried last, apart from what is looked at further: there are many more attempts."""
        self.repaired = lru_cache(REMEMBERED)(self.attempted)
        """A draft with a line repaired; None where a remedy does not help."""

    def repairs(
        self, draft: Draft, finding: Finding, passed: frozenset[Identity] = frozenset()
    ) -> list[Repair]:
        """Return what helps against a finding in a part of its game, likeliest first."""
        repairs = self._repairs(draft, finding)
        start = Branch(0, draft, passed, 0.0)
        is_followed = self._is_clear(draft) and _is_worth_following(draft, finding, repairs)
        heads = list(self._branches(start, finding, MOST_FOLLOWED if is_followed else 1))
        if not heads:
            return []
        game = finding.match, finding.game
        if len(heads) == 1 or all(_next(head, game) is None for head in heads):
            return repairs[heads[0].head :]
        return _reordered(repairs, self._followed(heads, game))

    def holding(self, draft: Draft, finding: Finding, repairs: Iterable[Repair]) -> Iterator[Held]:
        """Yield the first repair that holds in the whole file, and its rivals worth a line.

        The first may leave more errors than there are, which were hidden; a rival may not. All were
        tried on a part of the game, and are on the whole file now, rivals as far as there is time.
        """
        remaining = iter(repairs)
        tried = (self._held(draft, finding, repair) for repair in remaining)
        first = next((held for held in tried if held is not None), None)
        if first is None:
            return
        yield first
        games = sum(len(replayed.games) for replayed in draft.replays)
        for rival in remaining:
            if rival.probability < WORTH_A_LINE * first.repair.probability:
                return
            if rival.errors > len(draft.errors):
                continue
            if self._games_again >= MOST_GAMES_AGAIN:
                yield Held(rival, None)
                continue
            self._games_again += games
            held = self._held(draft, finding, rival)
            if held is not None and held.repair.errors <= len(draft.errors):
                yield held

    def _held(self, draft: Draft, finding: Finding, repair: Repair) -> Held | None:
        """Return a repair with what it leaves in the whole file; None where it does not help there.

        It is not proved if another error shows itself then, or if it changes too much.
        """
        remedy = repair.suggestion.remedy
        repaired = self.repaired(draft, finding.line, remedy)
        if repaired is None:
            return None
        proved = (
            repair.proved
            and not shows_another_error(draft, repaired, remedy.edits)
            and not shows_warnings(draft, repaired)
            and may_be_proved(draft, repaired)
        )
        return Held(repair._replace(errors=len(repaired.errors), proved=proved), repaired)

    def _is_clear(self, draft: Draft) -> bool:
        """Whether so little is at fault that there is time to look ahead."""
        return not draft.effort.is_scarce and draft.faults <= MOST_FAULTS

    def _looked_up(self, draft: Draft, finding: Finding) -> list[Repair]:
        attempts = Attempts(draft, finding, self._prior, self._styles, self.attempted)
        try:
            with draft.effort.for_finding():
                repairs = self._helping(attempts)
        except FindingSpentError:
            return []
        if draft.effort.is_short:  # What was not tried may be as likely.
            return [repair._replace(proved=False) for repair in repairs]
        return repairs

    def _helping(self, attempts: Attempts) -> list[Repair]:
        if _is_among_long_cells(attempts.evidence(PLAYS_ENOUGH[0])):
            return []
        repairs = attempts.helping(suggestions)
        evidence = attempts.evidence(PLAYS_ENOUGH[0])
        if self._lost_rows == MOST_LOST_ROWS or not _is_in_doubt(repairs, evidence):
            return repairs
        self._lost_rows += 1
        wider = attempts.helping(suggestions, lost_rows)
        # A lost row that is no likelier than all else is none: a player's own error may stand alone.
        return wider if wider and wider[0].suggestion.kind == LOST_ROW else repairs

    def _branches(self, branch: Branch, finding: Finding, most: int) -> Iterator[Branch]:
        """Yield the branches with a finding repaired: by the first repair that helps, and its rivals."""
        least = -math.inf
        passed = branch.passed | {identity(finding)}
        for index, repair in enumerate(self._repairs(branch.draft, finding)):
            if most == 0 or repair.weight < least:
                return
            repaired = self.repaired(branch.draft, finding.line, repair.suggestion.remedy)
            if repaired is not None:
                yield Branch(index, repaired, passed, branch.likelihood + repair.likelihood)
                least = max(least, repair.weight - MARGIN)
                most -= 1

    def _followed(self, heads: list[Branch], game: Place) -> dict[int, float]:
        """Return for each repair that is followed how likely it is with the best that follows it."""
        leaves = list(heads)
        for _ in range(BUDGET):
            leaf = max(leaves, key=lambda branch: _value(branch, game))
            finding = _next(leaf, game)
            if finding is None or not self._is_clear(leaf.draft):
                break
            leaves.remove(leaf)
            later = self._branches(leaf, finding, MOST_BRANCHES)
            further = [
                branch._replace(head=leaf.head, likelihood=branch.likelihood - ANOTHER_SLIP)
                for branch in later
            ]
            passed = leaf.passed | {identity(finding)}
            likelihood = leaf.likelihood - UNEXPLAINED
            leaves += further or [leaf._replace(passed=passed, likelihood=likelihood)]
        values: dict[int, float] = {}
        for leaf in leaves:
            values[leaf.head] = max(values.get(leaf.head, -math.inf), _value(leaf, game))
        return values


def shows_another_error(draft: Draft, repaired: Draft, edits: Iterable[Edit]) -> bool:
    """Whether another error shows itself where one was repaired, or a line that was edited is unread.

    The two may have one cause, so the repair of the one is not proved.
    """
    lines = {draft.number(edit.line) for edit in edits}
    unread = (fault.line for fault in repaired.to_repair if fault.name == UNREADABLE)
    is_unread = any(repaired.number(line) in lines for line in unread)
    return is_unread or len(repaired.to_repair) >= len(draft.to_repair)


def shows_warnings(draft: Draft, repaired: Draft) -> bool:
    """Whether there are warnings of a kind in a draft as repaired that were not there before.

    What makes a game doubtful may turn an error into a remark, and repairs nothing. Of results remarks
    count as well: that the match is then undecided, or not over where it is marked as such.
    """
    before, after = (
        Counter(map(attrgetter("code"), filter(_warns, one.findings))) for one in (draft, repaired)
    )
    return bool(after - before)


def _warns(finding: Finding) -> bool:
    return finding.severity is Severity.WARNING or finding.code.startswith("R")


def _is_worth_following(draft: Draft, finding: Finding, repairs: Iterable[Repair]) -> bool:
    """Whether what follows may tell which repair was meant.

    Not where all are less likely than that something else was, nor where the plays show nothing.
    """
    match = _match_of(draft, finding)
    is_likely = any(repair.likelihood >= ELSEWHERE for repair in repairs)
    return is_likely and not is_one_sided(match, finding) and not is_too_short(match, finding)


def _is_among_long_cells(evidence: Evidence) -> bool:
    """Whether a cell near the finding is longer than any of a record.

    Each of its many words would be suggested otherwise, and all of them read again each time.
    """
    if evidence.index is None:
        return False
    near = evidence.actions[max(evidence.index - NEAR, 0) : evidence.index + NEAR]
    return any(_length_of(action) > LONGEST for action in near)


def _length_of(action: Action) -> int:
    """Return the length of a cell; 0 of what stands in none."""
    is_cell = getattr(action, "side", None) is not None
    return action.span.end_column - action.span.column if is_cell else 0


def _is_in_doubt(repairs: Sequence[Repair], evidence: Evidence) -> bool:
    """Whether nothing likely helps against a play, in a game with as few errors as a lost row makes.

    Not where the game goes on from the play, or the record calls it illegal: then its player may have
    made it.
    """
    finding, errors = evidence.finding, evidence.errors
    if not finding.code.startswith(PLAY_RULES) or len(errors) > MOST_ERRORS:
        return False
    of_game = sum((error.match, error.game) == (finding.match, finding.game) for error in errors)
    if of_game > FEW_FAULTS or any(repair.likelihood >= ELSEWHERE for repair in repairs):
        return False
    return not (evidence.goes_on_as_played or evidence.is_called_illegal)


def _match_of(draft: Draft, finding: Finding) -> MatchReplay:
    return draft.replays[finding.match - 1]


def try_repair(draft: Draft, line: int, remedy: Remedy) -> Draft | None:
    """Return a draft with a remedy; None where its edits cannot be made, or a line stays as much at fault."""
    try:
        repaired = draft.with_remedy(remedy)
    except UNFIT:
        return None
    return repaired if helps(repaired, draft, line) else None


def _next(branch: Branch, game: Place) -> Finding | None:
    """Return the next finding of a game that is still to be repaired."""
    return next(_left(branch, game), None)


def _left(branch: Branch, game: Place) -> Iterator[Finding]:
    for finding in branch.draft.to_repair:
        if (finding.match, finding.game) == game and identity(finding) not in branch.passed:
            yield finding


def count_of(findings: Iterable[Finding], game: Place) -> int:
    """Return how many findings are of a game, with what follows from them."""
    return sum(
        1 + (finding.consequences or 0)
        for finding in findings
        if (finding.match, finding.game) == game
    )


def _value(branch: Branch, game: Place) -> float:
    """Return how likely a branch is, with what it leaves in the game."""
    return branch.likelihood - loss_for(count_of(_left(branch, game), game))


def _reordered(repairs: list[Repair], values: dict[int, float]) -> list[Repair]:
    """Return repairs by what they lead to; those not followed keep their distance, behind them."""
    best, worst = max(values.values()), min(values.values())
    highest = max(repairs[index].weight for index in values)
    weights = [
        values.get(index, min(repair.weight - highest + best, worst))
        for index, repair in enumerate(repairs)
    ]
    first = min(values)
    order = sorted(range(first, len(repairs)), key=lambda index: -weights[index])
    left = 1 - sum(repair.probability for repair in repairs)
    nothing = math.log(left) - math.log(repairs[0].probability)
    shares = probabilities([weights[index] for index in order], nothing)
    return [
        repairs[index]._replace(probability=share, proved=False)
        for index, share in zip(order, shares, strict=True)
    ]


def helps(repaired: Draft, draft: Draft, line: int) -> bool:
    """Whether edits leave less at fault up to a line of the draft, and no more behind it.

    Where a fault has hidden what follows, there may be as many errors more: the next slip is one.
    """
    end = draft.number(line)
    if _at_fault_until(repaired, end) >= _at_fault_until(draft, end):
        return False
    hidden = sum(error.consequences or 0 for error in draft.errors)
    is_less = repaired.faults < draft.faults or hidden > 0
    return is_less and len(repaired.errors) <= len(draft.errors) + hidden


def _at_fault_until(draft: Draft, end: int) -> int:
    return sum(draft.number(finding.line) <= end for finding in draft.to_repair)
