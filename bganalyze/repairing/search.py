"""Search: find the causes of the errors in a file, and the edits that repair them."""

from __future__ import annotations

from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice

from bganalyze.board.plays import legal_plays, notation
from bganalyze.board.position import Position
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.record.model import SIDE_NAMES
from bganalyze.repairing.cleaned import make_cleaned_file
from bganalyze.repairing.file_to_repair import FileToRepair, read_file_to_repair
from bganalyze.repairing.look_ahead import ConfirmedRepair, MatchAndGame, RepairFinder
from bganalyze.repairing.prior import PlayPrior, rate_plays_by_appearance
from bganalyze.repairing.proof import EARLIER_ERROR
from bganalyze.repairing.ranking import Repair
from bganalyze.repairing.remedy import FindingKey, finding_key
from bganalyze.repairing.repairable_finding import RepairableFinding
from bganalyze.repairing.suggestion import Suggestion, message_for, name_roll
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


def find_repairs_in_file(
    data: bytes, path: str, rule_book: RuleBook = BASIC, prior: PlayPrior = rate_plays_by_appearance
) -> list[RepairableFinding]:
    """Return the errors of a match file, each with its proposed repairs.

    `prior` rates how likely players make each play. Raises NotATranscript if the file has no match.
    """
    return list(find_repairable_findings(read_file_to_repair(data, path, rule_book), prior))


def find_repairable_findings(
    file: FileToRepair, prior: PlayPrior = rate_plays_by_appearance, most: int = MOST_FINDINGS
) -> Iterator[RepairableFinding]:
    """Yield the errors and warnings for which repairs are found, each with its repairs.

    At most `most` are examined. `prior` rates how likely players make each play.
    """
    for number, (_, cause) in enumerate(_find_repairs_in_cleaned_text(file, prior)):
        if number == most:
            file.effort.leave_out_finding()
            return
        if cause is not None:
            yield cause


def find_repairs_of_findings(file: FileToRepair, most: int) -> Iterator[RepairableFinding]:
    """Yield the errors and warnings of a file for which repairs are found, with the repairs.

    At most `most` are examined, and errors that come to light after a repair may be left out.
    """
    left = {finding_key(fault) for fault in file.to_repair}
    for finding, cause in islice(
        _find_repairs_in_cleaned_text(file, rate_plays_by_appearance), most
    ):
        left.discard(finding_key(finding))
        if cause is not None:
            left -= cause.explained
            yield cause
        if not left:
            return


def _find_repairs_in_cleaned_text(
    file: FileToRepair, prior: PlayPrior
) -> Iterator[tuple[Finding, RepairableFinding | None]]:
    """Yield each error or warning of a file with its repairs, or with None.

    Repairs are searched in the text without marks such as `> ` of mail, and then converted for the
    file.
    """
    # Repairs are searched in the text without marks of mail such as `> `, and translated back.
    cleaned = make_cleaned_file(file)
    with suppress(EffortSpentError):
        if cleaned is None:
            yield from _find_repairs_one_by_one(file, prior)
            return
        for finding, cause in _find_repairs_one_by_one(cleaned.file, prior):
            restored = None if cause is None else cleaned.restore_repairs(cause)
            yield cleaned.restore_finding(finding), restored


def _find_repairs_one_by_one(
    file: FileToRepair, prior: PlayPrior
) -> Iterator[tuple[Finding, RepairableFinding | None]]:
    """Yield each error or warning of a file with its repairs, or with None.

    The likeliest repair is made before the next error is examined.
    """
    search = RepairFinder(prior)
    examined: frozenset[FindingKey] = frozenset()
    of_games = Counter[MatchAndGame]()
    unproved: set[MatchAndGame] = set()
    while True:
        open_findings = (fault for fault in file.to_repair if finding_key(fault) not in examined)
        finding = next(open_findings, None)
        if finding is None:
            return
        examined |= {finding_key(finding)}
        # Earlier repairs may have moved the line; what is yielded names the line of the source.
        reported = finding._replace(line=file.source_line(finding.line))
        place = finding.match, finding.game
        of_games[place] += 1
        if of_games[place] > MOST_FINDINGS_OF_GAME:
            file.effort.leave_out_finding()
            yield reported, None
            continue
        # An edit of the source cannot delete a line that only an earlier proposal has inserted.
        repairs = [
            repair
            for repair in search.find_repairs(file, finding, examined)
            if not file.deletes_inserted_line(repair.suggestion.edits)
        ]
        listed = list(islice(search.confirm_repairs(file, finding, repairs), MOST_PROPOSALS))
        if not listed:
            unproved.update(_yield_games_made_doubtful(finding))
            yield reported, None
            continue
        first, repaired = listed[0]
        assert repaired is not None
        touched = (
            *_yield_games_made_doubtful(finding),
            *_find_edited_games(file, finding.match, first),
        )
        if not unproved.isdisjoint(touched):
            listed[0] = ConfirmedRepair(
                first._replace(doubt=first.doubt or EARLIER_ERROR), repaired
            )
        if not listed[0].repair.proved:
            unproved.update(_yield_games_made_doubtful(finding))
        if finding.may_be_players:
            yield (
                reported,
                RepairableFinding(reported, tuple(_make_proposals(file, listed)), frozenset()),
            )
            continue
        explained = frozenset(_find_removed_findings(listed, file))
        contradicted = reported._replace(may_stand=listed[0].repair.may_stand)
        yield (
            reported,
            RepairableFinding(contradicted, tuple(_make_proposals(file, listed)), explained),
        )
        file = repaired


def _yield_games_made_doubtful(finding: Finding) -> Iterator[MatchAndGame]:
    """Yield the games whose repairs are doubtful until an error is surely repaired.

    A game is given by match and game number. For a wrong score, the game number None stands for the
    whole match.
    """
    yield finding.match, finding.game
    if finding.name == SCORE_MISMATCH:
        # A wrong score makes the whole match doubtful.
        yield finding.match, None


def _find_removed_findings(
    repairs: Iterable[ConfirmedRepair], file: FileToRepair
) -> Iterator[FindingKey]:
    """Yield the keys of the errors and warnings that the repair of one error probably removes."""
    faults = frozenset(map(finding_key, file.to_repair))
    explained = defaultdict[FindingKey, float](float)
    for repair, repaired in repairs:
        if repaired is not None:
            for fault in faults.difference(map(finding_key, repaired.to_repair)):
                explained[fault] += repair.probability
    return (fault for fault, probability in explained.items() if probability >= LIKELY)


def _find_edited_games(file: FileToRepair, match: int, repair: Repair) -> Iterator[MatchAndGame]:
    """Yield the match number and the game number of each edit of a repair."""
    starts = [game.span.line for game in file.replays[match - 1].match.games]
    for edit in repair.suggestion.edits:
        yield match, bisect(starts, edit.line)


def _make_proposals(file: FileToRepair, repairs: Iterable[ConfirmedRepair]) -> Iterator[Proposal]:
    """Turn the repairs of an error into proposals for users, likeliest first.

    `file` has earlier errors repaired already. The proposals are edits of the original file.
    """
    repairs = list(repairs)
    listed = {one.suggestion.alternative.result for one, _ in repairs if one.suggestion.alternative}
    for rank, ((suggestion, errors, probability, doubt, *_), _) in enumerate(repairs):
        others = tuple(result for result in suggestion.fitting_plays if result not in listed)
        listed.update(others)
        yield Proposal(
            suggestion.kind,
            message_for(suggestion),
            tuple(file.translate_to_source(suggestion.edits)),
            probability,
            doubt is None,
            file.source_line(suggestion.line),
            suggestion.row,
            None if suggestion.side is None else SIDE_NAMES[suggestion.side],
            len(file.errors),
            errors,
            tuple(tuple(map(name_roll, rolls)) for rolls in suggestion.other_rolls),
            doubt if rank == 0 else None,
            () if doubt is None else tuple(_spell_plays(suggestion, others)),
        )


def _spell_plays(suggestion: Suggestion, results: Iterable[Position]) -> Iterator[str]:
    """Yield, for each position, the play that leads to it as text, such as `24/18 13/11`.

    If `suggestion` has no roll, nothing is yielded.
    """
    if suggestion.alternative is not None and suggestion.alternative.situation.dice is not None:
        situation = suggestion.alternative.situation
        plays = legal_plays(situation.position, situation.dice)
        yield from (notation(plays[result]) for result in results)


def attach_repairs(
    findings: Sequence[Finding], repairable: Iterable[RepairableFinding]
) -> list[Finding]:
    """Return the findings with their repairs, except errors that the repair of another removes.

    `repairable` has the findings for which repairs were found.
    """
    listed = set(map(finding_key, findings))
    of_errors = {
        finding_key(cause.finding): cause
        for cause in repairable
        if finding_key(cause.finding) in listed
    }
    earlier = {
        key: cause for first, cause in of_errors.items() for key in cause.explained - {first}
    }
    followed = Counter[FindingKey]()
    kept: list[Finding] = []
    for finding in findings:
        cause = earlier.get(finding_key(finding))
        if cause is None or not _is_left_out_of_report(finding, cause):
            kept.append(finding)
        else:
            followed[finding_key(cause.finding)] += 1 + (finding.consequences or 0)
    return [
        _add_proposals(finding, of_errors.get(finding_key(finding)), followed) for finding in kept
    ]


def _is_left_out_of_report(finding: Finding, repaired: RepairableFinding) -> bool:
    """Whether a report leaves out `finding`, which the repair of `repaired` removes as well.

    An error that a player may have made is left out only if `repaired` is an error, too, not a
    warning.
    """
    if finding.severity is not Severity.ERROR:
        return False
    return not finding.may_be_players or repaired.finding.severity is Severity.ERROR


def _add_proposals(
    finding: Finding,
    repairs: RepairableFinding | None,
    consequence_counts: Mapping[FindingKey, int],
) -> Finding:
    """Return a finding with its repairs and its number of consequences.

    `consequence_counts` counts the errors that each repair removes. If a player may have made the
    error, its repairs are stored as `if_slip`.
    """
    # The repairs are right only if it is a slip.
    if finding.may_be_players:
        return finding._replace(proposals=(), if_slip=() if repairs is None else repairs.proposals)
    if repairs is None:
        return finding
    consequences = (finding.consequences or 0) + consequence_counts[finding_key(finding)]
    return finding._replace(
        proposals=repairs.proposals,
        consequences=consequences or None,
        may_stand=repairs.finding.may_stand,
    )
