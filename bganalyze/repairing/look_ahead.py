"""Look-ahead: try suggestions against a finding, and follow the best ones to the next errors.

Where a game has several slips, the likeliest repair of the first error may leave a board that makes
the next one inexplicable. So the likeliest few are followed from error to error, best first, until
one explains the game or the budget of the finding is spent.
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
from bganalyze.record.not_a_transcript import NotATranscript
from bganalyze.record.text_caches import LONGEST
from bganalyze.repairing.edits import EditError
from bganalyze.repairing.error_context import (
    UNREADABLE,
    ErrorContext,
    Trials,
    is_one_sided,
    is_too_short,
)
from bganalyze.repairing.excerpt import Excerpt, Excerpts
from bganalyze.repairing.file_to_repair import FileToRepair
from bganalyze.repairing.prior import PlayPrior
from bganalyze.repairing.proof import (
    ADDS_WARNINGS,
    LATER_ERRORS,
    REVEALS_ERROR,
    SEARCH_ENDED,
    find_reason_for_doubt,
)
from bganalyze.repairing.ranking import (
    MOST_TRIED,
    NEGLIGIBLE,
    OTHER_EXPLANATION,
    MadePlay,
    Repair,
    TriedSuggestion,
    WeighedSuggestion,
    compute_penalty_for_problems,
    compute_probabilities,
    likelihood_sort_key,
    rank_repairs,
    rate_suggestions,
)
from bganalyze.repairing.remedy import FindingKey, Remedy, finding_key
from bganalyze.repairing.slips import RepairSuggester, suggest_lost_rows, suggest_repairs
from bganalyze.repairing.slips.rows import LOST_ROW, PLAY_RULES
from bganalyze.repairing.spelling import Style
from bganalyze.repairing.work_limit import FindingSpentError, WorkLimit
from bganalyze.validation.findings import Edit, Finding, Severity
from bganalyze.validation.replaying.match import MatchReplay
from bganalyze.validation.replaying.replayed import seen_by

EDIT_FAILURES = (EditError, NotATranscript, UnicodeEncodeError)
"""Exceptions that mean an edit cannot be made."""

PLAYS_REQUIRED = (6, 2, 0)
"""Legal plays after the error that show it repaired. If no suggestion has as many, because the next
slip is near, fewer are tried."""

MOST_FOLLOWED, MOST_BRANCHES = 6, 2
"""Repairs followed for the finding, and for each error after it."""

LARGEST_LAG = 5.0
"""Repairs less likely than the best by this log-likelihood are not followed."""

MOST_LATER_ERRORS = 8
"""Later errors examined for one finding."""

MOST_LOST_ROWS = 2
"""Findings of a file for which lost rows are searched, at 0.25 s each."""

MOST_ERRORS = 8
"""Number of errors in a file above which no lost row is searched: one row causes fewer."""

MOST_FAULTS = 100
"""Errors in a file above which nothing is followed ahead."""

FEW_FAULTS = 2
"""Errors in a game above which no lost row is searched."""

ANOTHER_SLIP = 2.0
"""Penalty of a branch for each further slip, besides the likelihood of that slip."""

UNEXPLAINED = 9.0
"""Penalty of a branch for an error that no suggestion repairs."""

UNKNOWN = (PlayRecord.UNPLAYED, PlayRecord.UNREAD)
"""Ways to record a turn whose play is unknown."""

NEAR_ACTIONS = 12
"""Actions before and after a finding that suggestions draw on."""

REMEMBERED = 24
"""Cache size. The next finding is nearly always examined in a file already made."""

LEAST_LISTED_SHARE = 0.003
"""Share of the first proposal's probability below which others are not listed."""

MOST_GAMES_AGAIN = 250
"""Games replayed to test rivals on the whole file, at 1 ms each."""

MatchAndGame = tuple[int, int | None]
"""A match number and a game number."""

TryRepair = Callable[[FileToRepair, int, Remedy], FileToRepair | None]
"""A function that applies a remedy to a file, as `try_repair` does."""


class RemedyEffect(NamedTuple):
    """The result of trying a repair: the repaired excerpt, and the errors left in the file."""

    left: Hashable
    """Repaired excerpt. Remedies with equal excerpts count as one."""
    problem_count: int
    errors: int
    plays: frozenset[MadePlay]
    """Plays of the repaired game up to the error."""
    faults_of_excerpt: int


class SuggestionTrials:
    """Trials of the repairs suggested for an error. Suggestions and results are cached."""

    def __init__(
        self,
        file: FileToRepair,
        finding: Finding,
        prior: PlayPrior,
        styles: dict[int, Style],
        attempt: TryRepair,
    ) -> None:
        self._prior = prior
        self.make_context = cache(partial(_make_error_context, file, finding, styles, {}))
        """Return the error with its game, given how many plays after a repair must be legal."""
        self._suggested = cache(partial(_suggest_and_rate, self.make_context, prior, file.effort))
        self._effect = cache(
            partial(_try_repair_on_excerpt, Excerpts(file, finding), attempt, file, finding)
        )

    def find_repairs(self, *searches: RepairSuggester) -> list[Repair]:
        """Try the repairs that the functions `searches` suggest, and return those that help.

        The likeliest repair comes first. A repair helps if enough plays after the error become
        legal.
        """
        for enough in self._yield_plays_required():
            suggested = [self._suggested(slip, enough) for slip in searches]
            candidates = deque(
                merge(*(of_slip[:MOST_TRIED] for of_slip in suggested), key=likelihood_sort_key)
            )
            tried = list(self._try_candidates(candidates))
            untried = [candidate for of_slip in suggested for candidate in of_slip[MOST_TRIED:]]
            untried += candidates
            if repairs := rank_repairs(tried, untried, self.make_context(enough), self._prior):
                return repairs
        return []

    def _yield_plays_required(self) -> Iterator[int]:
        """Yield how many plays after an error must be legal to confirm a repair, the most first."""
        before: int | None = None
        for enough in PLAYS_REQUIRED:
            needed = self.make_context(enough).plays_needed_after_error
            # In a short game, the next number may demand the same.
            if needed is None or needed != before:
                yield enough
            before = needed

    def _try_candidates(self, candidates: deque[WeighedSuggestion]) -> Iterator[TriedSuggestion]:
        """Try repairs, the likeliest first, and yield those that reduce the errors.

        Repairs that were tried are removed from `candidates`.
        """
        seen: set[Hashable] = set()
        least = -math.inf
        while candidates and candidates[0].weight >= least:
            suggestion, weight = candidates[0]
            try:
                effect = self._effect(suggestion.remedy)
            except FindingSpentError:
                return
            # What is not tried at the work limit stays in `candidates`.
            candidates.popleft()
            if effect is not None and effect.left not in seen:
                seen.add(effect.left)
                yield TriedSuggestion(
                    suggestion, weight, effect.problem_count, effect.errors, effect.plays
                )
                least = max(
                    least,
                    weight - compute_penalty_for_problems(effect.faults_of_excerpt) - NEGLIGIBLE,
                )


def _make_error_context(
    file: FileToRepair,
    finding: Finding,
    styles: dict[int, Style],
    trials: Trials,
    needed_plays: int,
) -> ErrorContext:
    """Return an error with its game and everything needed to search for its repairs.

    A repair is confirmed by `needed_plays` legal plays after the error. `styles` and `trials` are
    caches.
    """
    match = _find_match(file, finding)
    is_alone = count_findings_in_game(file.to_repair, (finding.match, finding.game)) == 1
    return ErrorContext(
        match, finding, file.lines, file.errors, needed_plays, is_alone, styles, trials
    )


def _suggest_and_rate(
    make_context: Callable[[int], ErrorContext],
    prior: PlayPrior,
    work_limit: WorkLimit,
    search: RepairSuggester,
    needed_plays: int,
) -> list[WeighedSuggestion]:
    """Return the repairs of an error that the function `search` suggests, likeliest first.

    A repair is confirmed if the next `needed_plays` plays are legal with it. `make_context` returns
    the error as `search` needs it, for that number. `prior` has the probabilities of plays.
    """
    return rate_suggestions(work_limit.take_within_half(search(make_context(needed_plays))), prior)


def _try_repair_on_excerpt(
    excerpts: Excerpts, try_on_file: TryRepair, file: FileToRepair, finding: Finding, remedy: Remedy
) -> RemedyEffect | None:
    """Try a repair on the shortest excerpt that has all its lines, and return its effect.

    Return None if the repair does not help. `try_on_file` tries it on the whole file if necessary.
    """
    excerpt = excerpts.find_shortest_excerpt(remedy.edits)
    if excerpt.is_whole:
        # This caches the result.
        repaired = try_on_file(file, finding.line, remedy)
    else:
        there = remedy._replace(edits=excerpt.translate_edits(remedy.edits))
        repaired = try_repair(excerpt.file, excerpt.line_in_excerpt(finding.line), there)
    if repaired is None:
        return None
    problem_count = file.problem_count + repaired.problem_count - excerpt.file.problem_count
    errors = len(file.errors) + len(repaired.errors) - len(excerpt.file.errors)
    plays = frozenset(_yield_plays_until_finding(repaired, excerpt, finding))
    left = repaired.data, repaired.explained
    return RemedyEffect(left, problem_count, errors, plays, repaired.problem_count)


def _yield_plays_until_finding(
    repaired: FileToRepair, excerpt: Excerpt, finding: Finding
) -> Iterator[MadePlay]:
    """Yield the plays of a repaired game up to the error.

    Each play is a pair: the situation before it (with the roll) and the board after it.
    """
    end = excerpt.file.source_line(excerpt.line_in_excerpt(finding.line))
    for turn in excerpt.find_turns(repaired, finding):
        play = turn.action
        if repaired.source_line(play.span.line) > end:
            return
        # Plays that the file does not show are left out.
        if type(play) is Play and play.dice is not None and play.how not in UNKNOWN:
            yield turn.situation(play.side, play.dice), seen_by(turn.after, play.side)


class PartlyRepairedFile(NamedTuple):
    """A file with an error repaired, and perhaps some later errors of the same game."""

    first_repair: int
    """Index of the repair of the first error, in the list of that error's repairs."""
    file: FileToRepair
    examined: frozenset[FindingKey]
    """Findings that were examined, whether a repair was found or not."""
    likelihood: float


class ConfirmedRepair(NamedTuple):
    """A confirmed repair, and the repaired file if it was tried on the whole file."""

    repair: Repair
    repaired: FileToRepair | None


class RepairFinder:
    """Search for the repairs of a file's errors, with caches of the results."""

    def __init__(self, prior: PlayPrior) -> None:
        self._prior = prior
        self._lost_rows = self._games_again = 0
        self._styles: dict[int, Style] = {}
        self._repairs = lru_cache(REMEMBERED)(self._search_repairs)
        self.try_once = lru_cache(REMEMBERED)(try_repair)
        """`try_repair` with a cache of its own, because far more repairs are tried than followed."""
        self.repair_once = lru_cache(REMEMBERED)(self.try_once)
        """`try_once`, with a cache that keeps repairs which are followed further."""

    def find_repairs(
        self, file: FileToRepair, finding: Finding, ignored: frozenset[FindingKey] = frozenset()
    ) -> list[Repair]:
        """Return the repairs that remove an error from its game, likeliest first.

        If later errors may show which repair is right, each likely repair is tried together with
        repairs of these later errors, except those in `ignored`.
        """
        repairs = self._repairs(file, finding)
        start = PartlyRepairedFile(0, file, ignored, 0.0)
        is_followed = self._can_repair_later_errors(file) and _may_later_errors_decide(
            file, finding, repairs
        )
        heads = list(self._repair_in_each_way(start, finding, MOST_FOLLOWED if is_followed else 1))
        if not heads:
            return []
        game = finding.match, finding.game
        if len(heads) == 1 or all(_find_next_error(head, game) is None for head in heads):
            return repairs[heads[0].first_repair :]
        return _reorder_repairs(repairs, self._rate_with_later_repairs(heads, game))

    def confirm_repairs(
        self, file: FileToRepair, finding: Finding, repairs: Iterable[Repair]
    ) -> Iterator[ConfirmedRepair]:
        """Try the repairs of an error in the whole file, and yield those that help.

        When the work limit is reached, the other repairs are yielded without a trial.
        """
        remaining = iter(repairs)
        tried = (self._confirm_repair(file, finding, repair) for repair in remaining)
        first = next((held for held in tried if held is not None), None)
        if first is None:
            return
        yield first
        games = sum(len(replayed.games) for replayed in file.replays)
        for rival in remaining:
            if rival.probability < LEAST_LISTED_SHARE * first.repair.probability:
                return
            if rival.errors > len(file.errors):
                continue
            if self._games_again >= MOST_GAMES_AGAIN:
                yield ConfirmedRepair(rival, None)
                continue
            self._games_again += games
            held = self._confirm_repair(file, finding, rival)
            if held is not None and held.repair.errors <= len(file.errors):
                yield held

    def _confirm_repair(
        self, file: FileToRepair, finding: Finding, repair: Repair
    ) -> ConfirmedRepair | None:
        """Return a repair with the repaired file, or None if it does not help."""
        remedy = repair.suggestion.remedy
        repaired = self.repair_once(file, finding.line, remedy)
        if repaired is None:
            return None
        doubt = repair.doubt or _find_reason_for_doubt(file, repaired, remedy.edits)
        return ConfirmedRepair(repair._replace(errors=len(repaired.errors), doubt=doubt), repaired)

    def _can_repair_later_errors(self, file: FileToRepair) -> bool:
        """Whether the file has few errors, and enough work is left to repair later ones."""
        return not file.effort.is_scarce and file.problem_count <= MOST_FAULTS

    def _search_repairs(self, file: FileToRepair, finding: Finding) -> list[Repair]:
        """Return the repairs that remove an error, without looking at later errors."""
        trials = SuggestionTrials(file, finding, self._prior, self._styles, self.try_once)
        try:
            with file.effort.for_finding():
                repairs = self._find_repairs_of_any_kind(trials)
        except FindingSpentError:
            return []
        if file.effort.was_last_search_cut_short:  # Untried suggestions may be as likely.
            return [repair._replace(doubt=repair.doubt or SEARCH_ENDED) for repair in repairs]
        return repairs

    def _find_repairs_of_any_kind(self, trials: SuggestionTrials) -> list[Repair]:
        """Return the repairs that help; missing rows are tried only if no other is likely."""
        if _is_among_long_cells(trials.make_context(PLAYS_REQUIRED[0])):
            return []
        repairs = trials.find_repairs(suggest_repairs)
        error = trials.make_context(PLAYS_REQUIRED[0])
        # That search is slow.
        if self._lost_rows == MOST_LOST_ROWS or not _should_search_for_lost_row(repairs, error):
            return repairs
        self._lost_rows += 1
        wider = trials.find_repairs(suggest_repairs, suggest_lost_rows)
        # Accept a lost row only if it is likeliest: the error may be a player's own.
        return wider if wider and wider[0].suggestion.kind == LOST_ROW else repairs

    def _repair_in_each_way(
        self, partly_repaired: PartlyRepairedFile, finding: Finding, most_copies: int
    ) -> Iterator[PartlyRepairedFile]:
        """Yield a copy of the file for each likely repair of an error, likeliest first.

        Each copy has one repair made.
        """
        least = -math.inf
        examined = partly_repaired.examined | {finding_key(finding)}
        for index, repair in enumerate(self._repairs(partly_repaired.file, finding)):
            if most_copies == 0 or repair.weight < least:
                return
            repaired = self.repair_once(
                partly_repaired.file, finding.line, repair.suggestion.remedy
            )
            if repaired is not None:
                yield PartlyRepairedFile(
                    index, repaired, examined, partly_repaired.likelihood + repair.likelihood
                )
                least = max(least, repair.weight - LARGEST_LAG)
                most_copies -= 1

    def _rate_with_later_repairs(
        self, copies: list[PartlyRepairedFile], game: MatchAndGame
    ) -> dict[int, float]:
        """Return the log-likelihood of each repair of an error, with the best later repairs.

        `copies` has one file for each repair, with this repair made. The keys of the result are the
        indexes of the repairs.
        """
        leaves = list(copies)
        for _ in range(MOST_LATER_ERRORS):
            leaf = max(leaves, key=lambda branch: _score_partly_repaired(branch, game))
            finding = _find_next_error(leaf, game)
            if finding is None or not self._can_repair_later_errors(leaf.file):
                break
            leaves.remove(leaf)
            later = self._repair_in_each_way(leaf, finding, MOST_BRANCHES)
            further = [
                branch._replace(
                    first_repair=leaf.first_repair, likelihood=branch.likelihood - ANOTHER_SLIP
                )
                for branch in later
            ]
            examined = leaf.examined | {finding_key(finding)}
            likelihood = leaf.likelihood - UNEXPLAINED
            leaves += further or [leaf._replace(examined=examined, likelihood=likelihood)]
        values: dict[int, float] = {}
        for leaf in leaves:
            values[leaf.first_repair] = max(
                values.get(leaf.first_repair, -math.inf), _score_partly_repaired(leaf, game)
            )
        return values


def _find_reason_for_doubt(
    file: FileToRepair, repaired: FileToRepair, edits: Iterable[Edit]
) -> str | None:
    """Return why a repair may be wrong, or None if it is certain."""
    if reveals_another_error(file, repaired, edits):
        return REVEALS_ERROR
    return ADDS_WARNINGS if adds_warnings(file, repaired) else find_reason_for_doubt(file, repaired)


def reveals_another_error(
    file: FileToRepair, repaired: FileToRepair, edits: Iterable[Edit]
) -> bool:
    """Whether a repair seems to replace an error by another one.

    It does if the errors become no fewer, or if a line changed by `edits` cannot be read.
    """
    lines = {file.source_line(edit.line) for edit in edits}
    unread = (fault.line for fault in repaired.to_repair if fault.name == UNREADABLE)
    is_unread = any(repaired.source_line(line) in lines for line in unread)
    return is_unread or len(repaired.to_repair) >= len(file.to_repair)


def adds_warnings(file: FileToRepair, repaired: FileToRepair) -> bool:
    """Whether a repair adds warnings, or errors in results and scores, of any rule."""
    before, after = (
        Counter(map(attrgetter("code"), filter(_counts_as_warning, one.findings)))
        for one in (file, repaired)
    )
    return bool(after - before)


def _counts_as_warning(finding: Finding) -> bool:
    """Whether a finding is a warning, or an error in a result or a score."""
    return finding.severity is Severity.WARNING or finding.code.startswith("R")


def _may_later_errors_decide(
    file: FileToRepair, finding: Finding, repairs: Iterable[Repair]
) -> bool:
    """Whether later errors of the game can show which of several likely repairs is right."""
    match = _find_match(file, finding)
    # A repair must be likely, and the game must have enough plays of both sides.
    is_likely = any(repair.likelihood >= OTHER_EXPLANATION for repair in repairs)
    return is_likely and not is_one_sided(match, finding) and not is_too_short(match, finding)


def _is_among_long_cells(context: ErrorContext) -> bool:
    """Whether a cell near the error is longer than any in a real match file."""
    if context.index is None:
        return False
    near = context.actions[max(context.index - NEAR_ACTIONS, 0) : context.index + NEAR_ACTIONS]
    return any(_measure_cell(action) > LONGEST for action in near)


def _measure_cell(action: Action) -> int:
    """Return the number of characters in the cell of an action; 0 if the action is in no cell."""
    is_cell = getattr(action, "side", None) is not None
    return action.span.end_column - action.span.column if is_cell else 0


def _should_search_for_lost_row(repairs: Sequence[Repair], context: ErrorContext) -> bool:
    """Whether to search for a missing row that may explain an illegal play.

    The game must have few errors, and no likely repair among the `repairs` found so far.
    """
    finding, errors = context.finding, context.errors
    if not finding.code.startswith(PLAY_RULES) or len(errors) > MOST_ERRORS:
        return False
    of_game = sum((other.match, other.game) == (finding.match, finding.game) for other in errors)
    # Not with many errors, or if another repair is likely.
    if of_game > FEW_FAULTS or any(repair.likelihood >= OTHER_EXPLANATION for repair in repairs):
        return False
    return not (context.is_followed_by_legal_plays or context.is_marked_illegal)


def _find_match(file: FileToRepair, finding: Finding) -> MatchReplay:
    """Return the replayed match that a finding is in."""
    return file.replays[finding.match - 1]


def try_repair(file: FileToRepair, line: int, remedy: Remedy) -> FileToRepair | None:
    """Return the file with a repair made, or None if the errors do not become fewer.

    They must become fewer in the whole file and also up to `line`.
    """
    try:
        repaired = file.with_repair_made(remedy)
    except EDIT_FAILURES:
        return None
    return repaired if reduces_problems(repaired, file, line) else None


def _find_next_error(partly_repaired: PartlyRepairedFile, game: MatchAndGame) -> Finding | None:
    """Return the first error or warning of a game that was not examined yet, or None."""
    return next(_yield_open_errors(partly_repaired, game), None)


def _yield_open_errors(
    partly_repaired: PartlyRepairedFile, game: MatchAndGame
) -> Iterator[Finding]:
    """Yield the errors and warnings of a game that were not examined yet."""
    for finding in partly_repaired.file.to_repair:
        is_of_game = (finding.match, finding.game) == game
        if is_of_game and finding_key(finding) not in partly_repaired.examined:
            yield finding


def count_findings_in_game(findings: Iterable[Finding], game: MatchAndGame) -> int:
    """Return the number of findings in a game, with their consequences counted.

    `game` is the pair of match and game number.
    """
    return sum(
        1 + (finding.consequences or 0)
        for finding in findings
        if (finding.match, finding.game) == game
    )


def _score_partly_repaired(partly_repaired: PartlyRepairedFile, game: MatchAndGame) -> float:
    """Return the log-likelihood of all repairs so far, minus a penalty for the errors left."""
    return partly_repaired.likelihood - compute_penalty_for_problems(
        count_findings_in_game(_yield_open_errors(partly_repaired, game), game)
    )


def _reorder_repairs(repairs: list[Repair], log_likelihoods: dict[int, float]) -> list[Repair]:
    """Sort the repairs of an error by new log-likelihoods, and update their probabilities.

    `log_likelihoods` maps the index of a repair to its new value. Repairs without one come last.
    """
    best, worst = max(log_likelihoods.values()), min(log_likelihoods.values())
    highest = max(repairs[index].weight for index in log_likelihoods)
    weights = [
        # Repairs without one come last.
        log_likelihoods.get(index, min(repair.weight - highest + best, worst))
        for index, repair in enumerate(repairs)
    ]
    first = min(log_likelihoods)
    order = sorted(range(first, len(repairs)), key=lambda index: -weights[index])
    left = 1 - sum(repair.probability for repair in repairs)
    nothing = math.log(left) - math.log(repairs[0].probability)
    shares = compute_probabilities([weights[index] for index in order], nothing)
    return [
        repairs[index]._replace(probability=share, doubt=LATER_ERRORS)
        for index, share in zip(order, shares, strict=True)
    ]


def reduces_problems(repaired: FileToRepair, file: FileToRepair, line: int) -> bool:
    """Whether a repair leaves fewer errors and warnings, up to `line` and in the whole file."""
    end = file.source_line(line)
    if _count_errors_until(repaired, end) >= _count_errors_until(file, end):
        return False
    hidden = sum(error.consequences or 0 for error in file.errors)
    is_less = repaired.problem_count < file.problem_count or hidden > 0
    return is_less and len(repaired.errors) <= len(file.errors) + hidden


def _count_errors_until(file: FileToRepair, end: int) -> int:
    """Return the number of errors and warnings of a file up to line `end` of the original file."""
    return sum(file.source_line(finding.line) <= end for finding in file.to_repair)
