"""The search: from the errors of a file back to their causes, and to the edits that repair them."""

from __future__ import annotations

from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import NamedTuple

from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.record.model import SIDE_NAMES
from bganalyze.repairing.draft import Draft, draft_of
from bganalyze.repairing.effort import EffortSpentError
from bganalyze.repairing.outlook import Held, Outlook, Place
from bganalyze.repairing.prior import Prior, by_eye
from bganalyze.repairing.ranking import Repair
from bganalyze.repairing.remedy import Identity, identity
from bganalyze.repairing.suggestion import message_of, roll_named
from bganalyze.validation.findings import Finding, Proposal, Severity

LIKELY = 0.5
"""From this probability on proposals of a cause stand for an error that each of them explains."""

MOST_PROPOSALS = 10
"""So many proposals of a cause are kept."""

MOST_FINDINGS = 300
"""So many findings of a file are looked at."""


MOST_OF_GAME = 12
"""So many findings of a game are looked at: one that needs more repairs was not understood."""


SCORE_MISMATCH = "score-mismatch"
"""The name of what is found where a score does not follow from the game before."""


class Cause(NamedTuple):
    """A finding, and what may have caused it."""

    finding: Finding
    proposals: tuple[Proposal, ...]
    """Likeliest first."""
    explained: frozenset[Identity]
    """What follows from the same slip, with this finding; none where it is not likely enough."""

    @property
    def is_certain(self) -> bool:
        """Whether there is a slip: else a player may have made the error, and it stays as recorded."""
        return not self.finding.may_be_players


def causes_of(
    data: bytes, path: str, rule_book: RuleBook = BASIC, prior: Prior = by_eye
) -> list[Cause]:
    """Return the causes of what is at fault in a file, as `causes_in` finds them.

    Raise NotATranscript as `read_bytes` does.
    """
    return list(causes_in(draft_of(data, path, rule_book), prior))


def causes_in(draft: Draft, prior: Prior = by_eye, most: int = MOST_FINDINGS) -> Iterator[Cause]:
    """Yield the causes of what is at fault in a draft, each with its proposals.

    The first `most` findings are looked at, as far as the effort of the draft goes. The cause of each
    is looked for in the file as the first proposals for those before it would leave it.
    """
    return (cause for _, cause in islice(_looked_at(draft, prior), most) if cause is not None)


def causes_of_findings(draft: Draft, most: int) -> Iterator[Cause]:
    """Yield causes as `causes_in` does, until none of the findings of the draft itself is left.

    What shows itself once they are repaired is not looked at.
    """
    left = {identity(fault) for fault in draft.to_repair}
    for finding, cause in islice(_looked_at(draft, by_eye), most):
        left.discard(identity(finding))
        if cause is not None:
            left -= cause.explained
            yield cause
        if not left:
            return


def _looked_at(draft: Draft, prior: Prior) -> Iterator[tuple[Finding, Cause | None]]:
    """Yield what is at fault in a draft, and in the file as it is repaired then, each with its cause.

    Once the effort is spent nothing more is looked at.
    """
    with suppress(EffortSpentError):
        yield from _causes_of_each(draft, prior)


def _causes_of_each(draft: Draft, prior: Prior) -> Iterator[tuple[Finding, Cause | None]]:
    """Yield the same; raise EffortSpentError."""
    outlook = Outlook(prior)
    passed: frozenset[Identity] = frozenset()
    of_games = Counter[Place]()
    unproved: set[Place] = set()
    while True:
        open_findings = (fault for fault in draft.to_repair if identity(fault) not in passed)
        finding = next(open_findings, None)
        if finding is None:
            return
        passed |= {identity(finding)}
        place = finding.match, finding.game
        of_games[place] += 1
        if of_games[place] > MOST_OF_GAME:
            yield finding, None
            continue
        # An edit of the source cannot take out a line that only an earlier proposal has put in.
        repairs = [
            repair
            for repair in outlook.repairs(draft, finding, passed)
            if not draft.takes_back(repair.suggestion.edits)
        ]
        listed = list(islice(outlook.holding(draft, finding, repairs), MOST_PROPOSALS))
        if not listed:
            unproved.update(_places_of(finding))
            yield finding, None
            continue
        first, repaired = listed[0]
        assert repaired is not None
        touched = *_places_of(finding), *_places(draft, finding.match, first)
        if not unproved.isdisjoint(touched):
            listed[0] = Held(first._replace(proved=False), repaired)
        if not listed[0].repair.proved:
            unproved.update(_places_of(finding))
        if finding.may_be_players:
            yield finding, Cause(finding, tuple(_proposals(draft, listed)), frozenset())
            continue
        explained = frozenset(_explained_by(listed, draft))
        contradicted = finding._replace(may_stand=listed[0].repair.may_stand)
        yield finding, Cause(contradicted, tuple(_proposals(draft, listed)), explained)
        draft = repaired


def _places_of(finding: Finding) -> Iterator[Place]:
    """Yield where nothing is proved beside a finding that is not explained for certain.

    Scores are added up one from the other, so one that is in doubt leaves those of the match in doubt.
    """
    yield finding.match, finding.game
    if finding.name == SCORE_MISMATCH:
        yield finding.match, None


def _explained_by(listed: Iterable[Held], draft: Draft) -> Iterator[Identity]:
    """Yield what repairs that are likely enough together explain, each of them."""
    faults = frozenset(map(identity, draft.to_repair))
    explained = defaultdict[Identity, float](float)
    for repair, repaired in listed:
        if repaired is not None:
            for fault in faults.difference(map(identity, repaired.to_repair)):
                explained[fault] += repair.probability
    return (fault for fault, probability in explained.items() if probability >= LIKELY)


def _places(draft: Draft, match: int, repair: Repair) -> Iterator[Place]:
    """Yield the games in whose lines a repair edits something."""
    starts = [game.span.line for game in draft.replays[match - 1].match.games]
    for edit in repair.suggestion.edits:
        yield match, bisect(starts, edit.line)


def _proposals(draft: Draft, listed: Iterable[Held]) -> Iterator[Proposal]:
    for (suggestion, errors, probability, proved, *_), _ in listed:
        yield Proposal(
            suggestion.kind,
            message_of(suggestion),
            tuple(draft.of_source(suggestion.edits)),
            probability,
            proved,
            draft.number(suggestion.line),
            suggestion.row,
            None if suggestion.side is None else SIDE_NAMES[suggestion.side],
            len(draft.errors),
            errors,
            tuple(tuple(map(roll_named, rolls)) for rolls in suggestion.other_rolls),
        )


def with_causes(findings: Sequence[Finding], causes: Iterable[Cause]) -> list[Finding]:
    """Return the findings, those with a known cause with it.

    Errors that a likely cause of an earlier one explains are counted as its consequences. What may
    have caused an error that shows itself only once others are repaired is left out.
    """
    listed = set(map(identity, findings))
    of_errors = {
        identity(cause.finding): cause for cause in causes if identity(cause.finding) in listed
    }
    earlier = {
        key: cause for first, cause in of_errors.items() for key in cause.explained - {first}
    }
    followed = Counter[Identity]()
    kept: list[Finding] = []
    for finding in findings:
        cause = earlier.get(identity(finding))
        if cause is None or not _is_consequence(finding, cause):
            kept.append(finding)
        else:
            followed[identity(cause.finding)] += 1 + (finding.consequences or 0)
    return [_explained(finding, of_errors.get(identity(finding)), followed) for finding in kept]


def _is_consequence(finding: Finding, cause: Cause) -> bool:
    """Whether an error that a cause explains is not listed; what a player may have done always is.

    An error that contradicts the record explains that, too; a doubtful place alone does not.
    """
    if finding.severity is not Severity.ERROR:
        return False
    return not finding.may_be_players or cause.finding.severity is Severity.ERROR


def _explained(finding: Finding, cause: Cause | None, followed: Mapping[Identity, int]) -> Finding:
    if finding.may_be_players:
        return finding._replace(proposals=(), if_slip=() if cause is None else cause.proposals)
    if cause is None:
        return finding
    consequences = (finding.consequences or 0) + followed[identity(finding)]
    return finding._replace(
        proposals=cause.proposals,
        consequences=consequences or None,
        may_stand=cause.finding.may_stand,
    )
