"""A player's matches one by one in a profile: as a table, and as rows of CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from bganalyze.analysis.error_rates import PR_SHOWN
from bganalyze.app.render.document import Block, Cell, Grid, Note
from bganalyze.files.reading import MEMBER_MARK
from bganalyze.statistics.profiles import PlayerProfile
from bganalyze.statistics.profiles.match_rates import MatchRate
from bganalyze.text import number_of

MOST_MATCHES = 20
"""Matches that a profile lists: the last ones."""

FEWEST_DECISIONS = 30
"""Fewest decisions of a match that is named as the one with the highest PR."""

MOST_LETTERS = 36
"""Longest name of a file in the table."""


def tabulate_matches(profile: PlayerProfile) -> Iterator[Block]:
    """Yield the last matches as a table, with the match of the highest PR of all."""
    matches = profile.matches
    if not matches:
        return
    has_dates = any(one.date for one in matches)
    first = ("date", "file") if has_dates else ("file",)
    headings = (*first, "opponent", "to", "result", "PR", "theirs", "decisions", "lost", "cost")
    rows = tuple(_match_cells(one, has_dates) for one in matches[-MOST_MATCHES:])
    yield Grid("", headings, rows, words=len(first) + 1)
    yield Note(
        f"PR: {PR_SHOWN}, the player's, then theirs; decisions: the player's that it counts; lost: their"
        " equity (EMG); cost: the same as match-winning chance, in money play (0) as points. The PR of one"
        " match is mostly chance"
    )
    yield from map(Note, _about_all(matches))


def _about_all(matches: Sequence[MatchRate]) -> Iterator[str]:
    """Yield a note on the match with the highest PR, then how to list all matches if some are left out."""
    known = [one for one in matches if one.decisions[0] >= FEWEST_DECISIONS]
    if len(known) > 1:
        worst = max(known, key=lambda one: one.rates[0] or 0.0)
        day = "" if worst.date is None else f", {worst.date}"
        yield (
            f"highest PR in {FEWEST_DECISIONS} decisions or more: {_format_rate(worst.rates[0])} against"
            f" {worst.opponent}{day} ({worst.path})"
        )
    if len(matches) > MOST_MATCHES:
        yield (
            f"the last {MOST_MATCHES} of {number_of(len(matches), 'match')} are shown;"
            " --format matches lists all"
        )


def _match_cells(match: MatchRate, has_dates: bool) -> tuple[Cell, ...]:
    """Return the cells of a match: date, file, opponent, length, result, both PRs, decisions, loss, cost.

    The date is left out if `has_dates` is False.
    """
    day = "no date" if match.date is None else match.date.isoformat()
    own, theirs = map(_format_rate, match.rates)
    cost = f"{match.cost:.3f}" if not match.length else f"{100 * match.cost:.1f} %"
    texts = (
        *((day,) if has_dates else ()),
        shorten_file_name(match.path),
        match.opponent,
        str(match.length),
        _result_in_words(match),
        own,
        theirs,
        f"{match.decisions[0]:,}",
        f"{match.lost:.2f}",
        cost,
    )
    return tuple(map(Cell, texts))


def _result_in_words(match: MatchRate) -> str:
    """Return the outcome of a match, such as `won 7–3`; only `won` if the final score is unknown."""
    score = "" if match.points is None else " {}–{}".format(*match.points)
    return f"{match.outcome}{score}"


def _format_rate(rate: float | None) -> str:
    """Return a PR as text with one decimal, such as `5.2`; empty for None."""
    return "" if rate is None else f"{rate:.1f}"


def shorten_file_name(path: str) -> str:
    """Return the name of a file, with its middle left out if it is long.

    >>> shorten_file_name("matches/ann-bob.mat"), len(shorten_file_name("matches/" + 100 * "a" + ".mat"))
    ('ann-bob.mat', 36)
    """
    name = PurePath(path.rpartition(MEMBER_MARK)[2]).name
    if len(name) <= MOST_LETTERS:
        return name
    end = MOST_LETTERS // 2
    return f"{name[: MOST_LETTERS - end - 1]}…{name[-end:]}"


MATCH_COLUMNS = (
    *("path", "number", "date", "opponent", "length", "games", "outcome"),
    *("own_points", "other_points", "pr", "other_pr", "decisions", "other_decisions"),
    *("lost", "cost"),
)
"""The columns of a table of matches."""


def match_row(match: MatchRate) -> dict[str, object]:
    """Return a match as a row of a table, by column."""
    points = match.points or (None, None)
    head = (match.path, match.number, match.date, match.opponent, match.length, match.games)
    values = (
        *(*head, match.outcome, *points, *match.rates, *match.decisions),
        *(match.lost, match.cost),
    )
    return dict(zip(MATCH_COLUMNS, values, strict=True))
