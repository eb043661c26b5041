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
from bganalyze.repairing.look_ahead import ConfirmedRepair, LookAhead, MatchAndGame
from bganalyze.repairing.prior import PlayPrior, by_appearance
from bganalyze.repairing.proof import EARLIER_ERROR
from bganalyze.repairing.ranking import Repair
from bganalyze.repairing.remedy import FindingIdentity, identity
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
    data: bytes, path: str, rule_book: RuleBook = BASIC, prior: PlayPrior = by_appearance
) -> list[Cause]:
    """Search the repairs of all errors in the bytes of a match file; return each error with its repairs.

    `prior` rates how likely players make each play. Raise NotATranscript if the file holds no
    match.
    """
    return list(find_causes_in_draft(draft_of(data, path, rule_book), prior))


def find_causes_in_draft(
    draft: Draft, prior: PlayPrior = by_appearance, most: int = MOST_FINDINGS
) -> Iterator[Cause]:
    """Yield the findings of a file, each with the repairs of the slips that may have caused it.

    At most `most` findings are examined, up to the work limit. Each is examined in the file as the
    likeliest repairs of the earlier ones would leave it.
    """
    return (cause for _, cause in islice(_search_findings(draft, prior), most) if cause is not None)


def find_causes_of_findings(draft: Draft, most: int) -> Iterator[Cause]:
    """Yield the findings of a file with their repairs, until all are yielded or explained by another.

    At most `most` findings are examined. Errors that appear only after a repair are left out.
    """
    left = {identity(fault) for fault in draft.to_repair}
    for finding, cause in islice(_search_findings(draft, by_appearance), most):
        left.discard(identity(finding))
        if cause is not None:
            left -= cause.explained
            yield cause
        if not left:
            return


def _search_findings(draft: Draft, prior: PlayPrior) -> Iterator[tuple[Finding, Cause | None]]:
    """Yield each finding of a file with its repairs, or with None, repairing the file along the way.

    Stop at the work limit. If the file was cleaned before it was read, the cleaned text is
    searched, and the repairs are translated back.
    """
    cleaned = make_cleaned_draft(draft)
    with suppress(EffortSpentError):
        if cleaned is None:
            yield from _examine_findings(draft, prior)
            return
        for finding, cause in _examine_findings(cleaned.draft, prior):
            restored = None if cause is None else cleaned.restore_cause(cause)
            yield cleaned.restore_finding(finding), restored


def _examine_findings(draft: Draft, prior: PlayPrior) -> Iterator[tuple[Finding, Cause | None]]:
    """Yield each finding with its repairs, or with None; raise EffortSpentError at the work limit.

    Each finding is examined in the file as the likeliest repairs of the earlier ones leave it.
    """
    look_ahead = LookAhead(prior)
    passed: frozenset[FindingIdentity] = frozenset()
    of_games = Counter[MatchAndGame]()
    unproved: set[MatchAndGame] = set()
    while True:
        open_findings = (fault for fault in draft.to_repair if identity(fault) not in passed)
        finding = next(open_findings, None)
        if finding is None:
            return
        passed |= {identity(finding)}
        # Earlier repairs may have moved the line; what is yielded names the line of the source.
        reported = finding._replace(line=draft.source_line(finding.line))
        place = finding.match, finding.game
        of_games[place] += 1
        if of_games[place] > MOST_FINDINGS_OF_GAME:
            yield reported, None
            continue
        # An edit of the source cannot delete a line that only an earlier proposal has inserted.
        repairs = [
            repair
            for repair in look_ahead.find_repairs(draft, finding, passed)
            if not draft.deletes_inserted_line(repair.suggestion.edits)
        ]
        listed = list(islice(look_ahead.confirm_repairs(draft, finding, repairs), MOST_PROPOSALS))
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


def _doubtful_places(finding: Finding) -> Iterator[MatchAndGame]:
    """Yield the games where no later repair can be proved, because that of this finding is not.

    A repair is proved if nothing else is possible. Scores follow from one another, so a doubtful
    score makes the whole match doubtful, given as match number and None.
    """
    yield finding.match, finding.game
    if finding.name == SCORE_MISMATCH:
        yield finding.match, None


def _find_explained(listed: Iterable[ConfirmedRepair], draft: Draft) -> Iterator[FindingIdentity]:
    """Yield keys of the findings that disappear with the likely repairs (`listed`) of one of them.

    A finding counts if the repairs that remove it are likely together.
    """
    faults = frozenset(map(identity, draft.to_repair))
    explained = defaultdict[FindingIdentity, float](float)
    for repair, repaired in listed:
        if repaired is not None:
            for fault in faults.difference(map(identity, repaired.to_repair)):
                explained[fault] += repair.probability
    return (fault for fault, probability in explained.items() if probability >= LIKELY)


def _games_edited(draft: Draft, match: int, repair: Repair) -> Iterator[MatchAndGame]:
    """Yield the numbers of match and game in which each edit of a repair is.

    `match` is the number of the match.
    """
    starts = [game.span.line for game in draft.replays[match - 1].match.games]
    for edit in repair.suggestion.edits:
        yield match, bisect(starts, edit.line)


def _list_proposals(draft: Draft, listed: Iterable[ConfirmedRepair]) -> Iterator[Proposal]:
    """Yield repairs in the form that findings show (proposals), with edits of the original file.

    `listed` are the repairs of one finding, likeliest first.
    """
    for rank, ((suggestion, errors, probability, doubt, *_), _) in enumerate(listed):
        yield Proposal(
            suggestion.kind,
            message_for(suggestion),
            tuple(draft.translate_to_source(suggestion.edits)),
            probability,
            doubt is None,
            draft.source_line(suggestion.line),
            suggestion.row,
            None if suggestion.side is None else SIDE_NAMES[suggestion.side],
            len(draft.errors),
            errors,
            tuple(tuple(map(name_roll, rolls)) for rolls in suggestion.other_rolls),
            doubt if rank == 0 else None,
        )


def attach_causes(findings: Sequence[Finding], causes: Iterable[Cause]) -> list[Finding]:
    """Return the findings of a check with the repairs found for them; leave out mere consequences.

    An error that the repair of an earlier one removes is counted there as its consequence. `causes`
    that belong to no finding are ignored: those errors appear only after a repair.
    """
    listed = set(map(identity, findings))
    of_errors = {
        identity(cause.finding): cause for cause in causes if identity(cause.finding) in listed
    }
    earlier = {
        key: cause for first, cause in of_errors.items() for key in cause.explained - {first}
    }
    followed = Counter[FindingIdentity]()
    kept: list[Finding] = []
    for finding in findings:
        cause = earlier.get(identity(finding))
        if cause is None or not _is_consequence(finding, cause):
            kept.append(finding)
        else:
            followed[identity(cause.finding)] += 1 + (finding.consequences or 0)
    return [_add_proposals(finding, of_errors.get(identity(finding)), followed) for finding in kept]


def _is_consequence(finding: Finding, cause: Cause) -> bool:
    """Whether a finding that the repair `cause` of another one removes is only its consequence.

    Only errors are. An error that a player may have made is one only if the other is an error too.
    """
    if finding.severity is not Severity.ERROR:
        return False
    return not finding.may_be_players or cause.finding.severity is Severity.ERROR


def _add_proposals(
    finding: Finding, cause: Cause | None, followed: Mapping[FindingIdentity, int]
) -> Finding:
    """Return a finding with the repairs found for it and the number of its consequences.

    If a player may have made the error, the repairs are stored as those of a possible slip.
    `followed` counts the consequences found by the search, by the key of their finding.
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
