"""Search: find the causes of the errors in a file, and the edits that repair them."""

from __future__ import annotations

from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice

from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.record.model import SIDE_NAMES
from bganalyze.repairing.cause import Cause
from bganalyze.repairing.cleaned import make_cleaned_draft
from bganalyze.repairing.draft import Draft, draft_of
from bganalyze.repairing.outlook import ConfirmedRepair, Outlook, Place
from bganalyze.repairing.prior import Prior, by_appearance
from bganalyze.repairing.proof import EARLIER_ERROR
from bganalyze.repairing.ranking import Repair
from bganalyze.repairing.remedy import Identity, identity
from bganalyze.repairing.suggestion import message_for, name_roll
from bganalyze.repairing.work_limit import EffortSpentError
from bganalyze.validation.findings import Finding, Proposal, Severity

LIKELY = 0.5
"""Joint probability from which proposals that all explain an error make it a consequence."""

MOST_PROPOSALS = 10
"""Proposals kept for one cause."""

MOST_FINDINGS = 300
"""Findings of a file for which a cause is searched."""


MOST_FINDINGS_OF_GAME = 12
"""Findings of a game for which a cause is searched. A game with more is beyond repair."""


SCORE_MISMATCH = "score-mismatch"
"""Rule for a score that does not follow from the game before."""


def causes_of(
    data: bytes, path: str, rule_book: RuleBook = BASIC, prior: Prior = by_appearance
) -> list[Cause]:
    """Return the causes of the faults in a file, as `find_causes_in_draft` finds them.

    Raise NotATranscript as `read_bytes` does.
    """
    return list(find_causes_in_draft(draft_of(data, path, rule_book), prior))


def find_causes_in_draft(
    draft: Draft, prior: Prior = by_appearance, most: int = MOST_FINDINGS
) -> Iterator[Cause]:
    """Yield the findings of a file, each with the slips that may have caused it, as proposed repairs.

    At most `most` findings are examined, up to the work limit. Each is examined in the file as the
    first proposals of earlier findings would leave it.
    """
    return (cause for _, cause in islice(_search_findings(draft, prior), most) if cause is not None)


def find_causes_of_findings(draft: Draft, most: int) -> Iterator[Cause]:
    """Yield causes as `find_causes_in_draft` does, until each finding of the file has its own.

    At most `most` findings are examined. Findings that appear only after repairs are left out.
    """
    left = {identity(fault) for fault in draft.to_repair}
    for finding, cause in islice(_search_findings(draft, by_appearance), most):
        left.discard(identity(finding))
        if cause is not None:
            left -= cause.explained
            yield cause
        if not left:
            return


def _search_findings(draft: Draft, prior: Prior) -> Iterator[tuple[Finding, Cause | None]]:
    """Yield each finding of a file with its cause or None, repairing the file along the way.

    Stop at the work limit. If the text was cleaned for reading, the causes are searched in the
    cleaned text.
    """
    cleaned = make_cleaned_draft(draft)
    with suppress(EffortSpentError):
        if cleaned is None:
            yield from _causes_of_each(draft, prior)
            return
        for finding, cause in _causes_of_each(cleaned.draft, prior):
            restored = None if cause is None else cleaned.restore_cause(cause)
            yield cleaned.restore_finding(finding), restored


def _causes_of_each(draft: Draft, prior: Prior) -> Iterator[tuple[Finding, Cause | None]]:
    """Yield as `_search_findings` does, but raise EffortSpentError at the work limit."""
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
        # Earlier repairs may have moved the line; what is yielded names the line of the source.
        reported = finding._replace(line=draft.number(finding.line))
        place = finding.match, finding.game
        of_games[place] += 1
        if of_games[place] > MOST_FINDINGS_OF_GAME:
            yield reported, None
            continue
        # An edit of the source cannot delete a line that only an earlier proposal has inserted.
        repairs = [
            repair
            for repair in outlook.find_repairs(draft, finding, passed)
            if not draft.deletes_inserted_line(repair.suggestion.edits)
        ]
        listed = list(islice(outlook.confirm_repairs(draft, finding, repairs), MOST_PROPOSALS))
        if not listed:
            unproved.update(_doubtful_places(finding))
            yield reported, None
            continue
        first, repaired = listed[0]
        assert repaired is not None
        touched = *_doubtful_places(finding), *_games_edited(draft, finding.match, first)
        if not unproved.isdisjoint(touched):
            listed[0] = ConfirmedRepair(
                first._replace(doubt=first.doubt or EARLIER_ERROR), repaired
            )
        if not listed[0].repair.proved:
            unproved.update(_doubtful_places(finding))
        if finding.may_be_players:
            yield reported, Cause(reported, tuple(_list_proposals(draft, listed)), frozenset())
            continue
        explained = frozenset(_find_explained(listed, draft))
        contradicted = reported._replace(may_stand=listed[0].repair.may_stand)
        yield reported, Cause(contradicted, tuple(_list_proposals(draft, listed)), explained)
        draft = repaired


def _doubtful_places(finding: Finding) -> Iterator[Place]:
    """Yield the games where no repair can be proved because the cause of a finding there is unproved.

    Scores follow from one another, so a doubtful score makes the whole match doubtful.
    """
    yield finding.match, finding.game
    if finding.name == SCORE_MISMATCH:
        yield finding.match, None


def _find_explained(listed: Iterable[ConfirmedRepair], draft: Draft) -> Iterator[Identity]:
    """Yield keys of the findings of a file that disappear with likely repairs (`listed`) of another one.

    The repairs that remove a finding must be likely together.
    """
    faults = frozenset(map(identity, draft.to_repair))
    explained = defaultdict[Identity, float](float)
    for repair, repaired in listed:
        if repaired is not None:
            for fault in faults.difference(map(identity, repaired.to_repair)):
                explained[fault] += repair.probability
    return (fault for fault, probability in explained.items() if probability >= LIKELY)


def _games_edited(draft: Draft, match: int, repair: Repair) -> Iterator[Place]:
    """Yield the match and game of each line that a repair edits."""
    starts = [game.span.line for game in draft.replays[match - 1].match.games]
    for edit in repair.suggestion.edits:
        yield match, bisect(starts, edit.line)


def _list_proposals(draft: Draft, listed: Iterable[ConfirmedRepair]) -> Iterator[Proposal]:
    """Yield confirmed repairs as proposals, with their edits translated to the original file."""
    for rank, ((suggestion, errors, probability, doubt, *_), _) in enumerate(listed):
        yield Proposal(
            suggestion.kind,
            message_for(suggestion),
            tuple(draft.translate_to_source(suggestion.edits)),
            probability,
            doubt is None,
            draft.number(suggestion.line),
            suggestion.row,
            None if suggestion.side is None else SIDE_NAMES[suggestion.side],
            len(draft.errors),
            errors,
            tuple(tuple(map(name_roll, rolls)) for rolls in suggestion.other_rolls),
            doubt if rank == 0 else None,
        )


def attach_causes(findings: Sequence[Finding], causes: Iterable[Cause]) -> list[Finding]:
    """Return the findings, each with its cause if it is among `causes`.

    An error explained by a likely cause of an earlier error counts as a consequence of that error.
    Causes of errors that appear only after repairs are left out.
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
    return [_add_proposals(finding, of_errors.get(identity(finding)), followed) for finding in kept]


def _is_consequence(finding: Finding, cause: Cause) -> bool:
    """Whether a finding, explained by the cause of another, is counted as a consequence of that cause.

    An error that a player may have made is counted only if its cause is an error too, not a
    warning.
    """
    if finding.severity is not Severity.ERROR:
        return False
    return not finding.may_be_players or cause.finding.severity is Severity.ERROR


def _add_proposals(
    finding: Finding, cause: Cause | None, followed: Mapping[Identity, int]
) -> Finding:
    """Return a finding with the proposals of its cause and the number of its consequences.

    If a player may have made the error, the proposals hold only for a slip. `followed` maps the key
    of each finding to the number of findings explained by it.
    """
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
