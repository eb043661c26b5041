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
from bganalyze.repairing.prior import PlayPrior, rate_plays_by_appearance
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


def find_causes_in_file(
    data: bytes, path: str, rule_book: RuleBook = BASIC, prior: PlayPrior = rate_plays_by_appearance
) -> list[Cause]:
    """Return the errors in the bytes of a match file, each with its proposed repairs.

    `prior` rates how likely players make each play. Raise NotATranscript if the file has no match.
    """
    return list(find_causes_in_draft(draft_of(data, path, rule_book), prior))


def find_causes_in_draft(
    draft: Draft, prior: PlayPrior = rate_plays_by_appearance, most: int = MOST_FINDINGS
) -> Iterator[Cause]:
    """Yield the errors and repairable warnings of a file, each with its proposed repairs.

    At most `most` are examined, up to the work limit. Each is examined in the file with the
    likeliest repairs of the earlier ones made, and left out if no repair is found.
    """
    return (cause for _, cause in islice(_search_findings(draft, prior), most) if cause is not None)


def find_causes_of_findings(draft: Draft, most: int) -> Iterator[Cause]:
    """Yield a file's findings with their repairs, as `find_causes_in_draft` does, or fewer.

    Stop when each finding was examined, or disappears after an earlier finding's repair. Errors
    that appear only after a repair are not searched for.
    """
    left = {identity(fault) for fault in draft.to_repair}
    for finding, cause in islice(_search_findings(draft, rate_plays_by_appearance), most):
        left.discard(identity(finding))
        if cause is not None:
            left -= cause.explained
            yield cause
        if not left:
            return


def _search_findings(draft: Draft, prior: PlayPrior) -> Iterator[tuple[Finding, Cause | None]]:
    """Yield each finding of a file with its repairs, or with None if none was found.

    Stop at the work limit. If the program cleaned the text before reading it, repairs are found in
    the cleaned text, and translated to the file's own text.
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
    """Yield each finding of a file with its repairs, or with None if none was found.

    Each finding is examined in the file with the likeliest repairs of the earlier ones made. Raise
    EffortSpentError at the work limit.
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
    """Yield the games where no later repair can be proved, because a finding has no proved repair.

    A proved repair is the only possible one. Scores follow from one another, so a wrong score makes
    the whole match doubtful: a match number with None as the game.
    """
    yield finding.match, finding.game
    if finding.name == SCORE_MISMATCH:
        yield finding.match, None


def _find_explained(listed: Iterable[ConfirmedRepair], draft: Draft) -> Iterator[FindingIdentity]:
    """Return the identities of the findings that disappear after the likely repairs of one finding.

    `listed` are the repairs with their probabilities. A finding counts if the repairs after which
    it disappears are likely in total.
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
    """Return the findings of a check with their proposed repairs, without mere consequences.

    An error that disappears after an earlier error's repair is only counted there, as a
    consequence. Entries of `causes` for errors that are not among the findings are ignored.
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
    """Whether a finding, which another finding's repair removes, need not be reported itself.

    `cause` is the other finding with its repairs. Warnings are always reported. So is an error that
    a player may have made, if the other finding is only a warning.
    """
    if finding.severity is not Severity.ERROR:
        return False
    return not finding.may_be_players or cause.finding.severity is Severity.ERROR


def _add_proposals(
    finding: Finding, cause: Cause | None, consequence_counts: Mapping[FindingIdentity, int]
) -> Finding:
    """Return a finding with the repairs found for it and the number of its consequences.

    If a player may have made the error, the repairs are added as `if_slip`: they apply only if it
    is a transcription mistake. `consequence_counts` maps the identity of a finding to its number of
    errors that disappear with its repair.
    """
    if finding.may_be_players:
        return finding._replace(proposals=(), if_slip=() if cause is None else cause.proposals)
    if cause is None:
        return finding
    consequences = (finding.consequences or 0) + consequence_counts[identity(finding)]
    return finding._replace(
        proposals=cause.proposals,
        consequences=consequences or None,
        may_stand=cause.finding.may_stand,
    )
