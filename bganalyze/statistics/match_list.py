"""Entries of a list of matches: players, score as recorded and by the board, and faults."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from bganalyze.analysis.digest import digest_match
from bganalyze.analysis.error_rates import METRICS, PR_SHOWN
from bganalyze.analysis.match import AnalyzedMatch
from bganalyze.record.conventions import find_header_entry
from bganalyze.record.dates import date_of_match
from bganalyze.record.players import call_name_function, have_swapped_columns, plain_name
from bganalyze.text import escape_surrogates
from bganalyze.validation.findings import Finding, Severity
from bganalyze.validation.replaying import MatchReplay
from bganalyze.validation.replaying.outcomes import (
    FinalScore,
    MatchOutcome,
    outcome_of,
    winner_is_disputed,
)

MONEY_PLAY = "money play"
"""Why a session of money play is no complete match to a length; it cannot be one."""

NO_RATINGS = (None, None)

WINNER_DISPUTED = "winner disputed"
"""Reason why a match is not complete although it may be recorded to its end."""


class ListedMatch(NamedTuple):
    """A match in a list. Pairs begin with the player in the left column of the first game."""

    path: str
    """The file, or `archive.zip!member`."""
    number: int
    """The number of the match in its file, from 1."""
    date: dt.date | None
    """The day of the match; None if it is unknown or ambiguous."""
    event: str
    """The event, as stated; empty if it is not."""
    round: str
    """The round, as stated; empty if it is not."""
    players: tuple[str, str]
    """The players."""
    length: int | None
    """Points to win; 0 for money play; None if not recorded, or if the scores continue beyond it."""
    games: int
    """Number of games."""
    recorded: FinalScore
    """The result as the match file has it."""
    by_board: FinalScore
    """The result as the sum of the games; disputed games count by the board."""
    winner: int | None
    """The player who reached the length, 0 or 1; None if undecided or disputed."""
    incomplete: str
    """The reason why this is no complete match from 0-0 to its end; empty if it is one."""
    errors: int
    """Number of errors found, without corrected ones."""
    warnings: int
    """Number of warnings found."""
    repairs: int | None
    """Number of errors for which a repair is offered; None if none was searched for."""
    pr: tuple[float | None, float | None]
    """The performance rating (PR) of each player; None without an analysis."""
    engine: str
    """The engine of that analysis; empty without one."""
    content: str
    """The digest of rolls, plays and scores, equal for the same match in another file; empty if too
    little is recorded."""

    @property
    def is_complete(self) -> bool:
        """Whether the file has the whole match, from 0-0 until a player reached the length."""
        return not self.incomplete

    @property
    def is_finished_money_play(self) -> bool:
        """Whether this is money play whose last game is over."""
        return self.incomplete == MONEY_PLAY

    @property
    def lacks_part(self) -> bool:
        """Whether the file lacks the beginning, the end, the length or the winner of the match.

        Money play lacks nothing if its last game is over.
        """
        # Money play lacks a part only if its last game is not over.
        return not (self.is_complete or self.is_finished_money_play)

    @property
    def is_disputed(self) -> bool:
        """Whether the match is complete, but file and replay have different winners."""
        return self.incomplete == WINNER_DISPUTED

    @property
    def has_two_scores(self) -> bool:
        """Whether file and replay end at different scores."""
        return self.recorded.after != self.by_board.after

    @property
    def winner_name(self) -> str:
        """The name of the winner, or "" without a winner."""
        return "" if self.winner is None else self.players[self.winner]

    def rename_players(self, new_name_of: Callable[[str], str]) -> ListedMatch:
        """Return the match with each player's name replaced by `new_name_of(name)`."""
        left, right = (call_name_function(new_name_of, name) for name in self.players)
        return self._replace(players=(left, right))

    def rate_players(self, analyzed: AnalyzedMatch | None) -> ListedMatch:
        """Return the match with the PR of both players from an engine's analysis, if there is one.

        Analysis and match file must name the same players.
        """
        if analyzed is None:
            return self
        return self._replace(
            pr=_find_ratings(analyzed, self.players), engine=escape_surrogates(analyzed.key.engine)
        )


def list_match(
    replayed: MatchReplay, findings: Sequence[Finding], *, are_repairs_searched: bool
) -> ListedMatch:
    """Return a replayed match as an entry of a list, with players, score, errors and path.

    With `are_repairs_searched`, the entry also has the number of errors with a proposed repair.
    """
    match, outcome = replayed.match, outcome_of(replayed)
    own = [finding for finding in findings if finding.match == match.number]
    errors = [finding for finding in own if finding.fails(Severity.ERROR)]
    day = date_of_match(match).day
    return ListedMatch(
        path=escape_surrogates(match.source.path),
        number=match.number,
        date=day and day.date(),
        event=find_header_entry(match, "Event") or "",
        round=find_header_entry(match, "Round") or "",
        players=match.names,
        length=outcome.length,
        games=len(replayed.games),
        recorded=outcome.recorded,
        by_board=outcome.by_board,
        winner=outcome.counting.winner,
        incomplete=explain_incomplete(outcome),
        errors=len(errors),
        warnings=sum(finding.severity is Severity.WARNING for finding in own),
        repairs=_count_repairs(errors) if are_repairs_searched or not errors else None,
        pr=NO_RATINGS,
        engine="",
        content=digest_match(replayed) or "",
    )


def _count_repairs(errors: Sequence[Finding]) -> int:
    """Return the number of errors for which a repair is proposed."""
    return sum(bool(error.proposals or error.if_slip) for error in errors)


def explain_incomplete(outcome: MatchOutcome) -> str:
    """Return why a match is not complete, such as `begins at 2–1`, or "" for a complete match."""
    return next(_list_reasons(outcome), "")


def _list_reasons(outcome: MatchOutcome) -> Iterator[str]:
    """Yield the reasons why a match is not complete, the most important first."""
    if not outcome.games:
        yield "no game"
    if outcome.length == 0:
        is_open = outcome.games and outcome.games[-1].counting is None
        yield f"{MONEY_PLAY}; last game open" if is_open else MONEY_PLAY
    if outcome.length is None:
        yield "length unknown"
    if outcome.before is None:
        yield "beginning lost"
    elif outcome.before != outcome.start:
        yield "begins at {}–{}".format(*outcome.before)
    if winner_is_disputed(outcome):
        yield WINNER_DISPUTED
    if outcome.counting.winner is None:
        after = outcome.counting.after
        yield "last game open" if after is None else "ends at {}–{}".format(*after)


def _find_ratings(
    analyzed: AnalyzedMatch, names: tuple[str, str]
) -> tuple[float | None, float | None]:
    """Return the PR of the two named players, or twice None if the analysis has other names."""
    if set(map(plain_name, analyzed.names)) != set(map(plain_name, names)):
        return NO_RATINGS  # The analysis has other names.
    swapped = {
        result.game
        for result in analyzed.results
        if have_swapped_columns(names, (result.left_name or "", result.right_name or ""))
    }
    rows = [row._replace(side=row.side ^ (row.game in swapped)) for row in analyzed.rows]
    metric = next(metric for metric in METRICS if metric.name == PR_SHOWN)
    return metric.measure(rows, 0).rate, metric.measure(rows, 1).rate
