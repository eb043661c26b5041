"""A player's matches one by one in a profile: as a table, and as rows of CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import PurePath
from string import ascii_letters, digits

from bganalyze.analysis.describe import LEAST
from bganalyze.analysis.error_rates import PR_SHOWN
from bganalyze.app.render.document import Block, Cell, Grid, Note
from bganalyze.files.reading import MEMBER_MARK
from bganalyze.statistics.profiles import PlayerProfile
from bganalyze.statistics.profiles.match_rates import DISPUTED, MatchRate
from bganalyze.text import number_of

MOST_MATCHES = 20
"""Matches that a profile lists: the last ones."""

MOST_LETTERS = 30
"""Longest name of a file in the table."""


def tabulate_matches(profile: PlayerProfile) -> Iterator[Block]:
    """Yield a table of the last matches, with notes on its columns."""
    matches = profile.matches
    if not matches:
        return
    shown = matches[-MOST_MATCHES:]
    has_dates, has_files = (
        any(one.date for one in shown),
        not all(one.date for one in shown),
    )
    first = (*(("date",) if has_dates else ()), *(("file",) if has_files else ()))
    headings = (*first, "opponent", "to", "result", "PR", "theirs", "decisions", "EMG", "cost")
    names = shorten_file_names([one.path for one in shown])
    rows = tuple(
        (
            *([Cell(_day_in_words(one))] if has_dates else []),
            *([Cell(name)] if has_files else []),
            *_match_cells(one),
        )
        for one, name in zip(shown, names, strict=True)
    )
    yield Grid("", headings, rows, words=len(first) + 1)
    yield Note("; ".join(_describe_columns(shown)) + ". The PR of one match is mostly chance")
    if len(matches) > MOST_MATCHES:
        yield Note(
            f"the last {MOST_MATCHES} of {number_of(len(matches), 'match')} {describe_order(matches)};"
            " --format matches lists all"
        )


def describe_order(matches: Sequence[MatchRate]) -> str:
    """Return how matches are sorted, such as `by date (2024-05-02 to 2024-06-01)`."""
    days = [one.date.isoformat() for one in matches if one.date is not None]
    undated = len(matches) - len(days)
    if not days:
        return "by file name, as none has a date"
    come = "comes" if undated == 1 else "come"
    first = f"; {undated:,} without a date {come} first, by file name" if undated else ""
    return f"by date ({min(days)} to {max(days)}{first})"


def _describe_columns(matches: Sequence[MatchRate]) -> Iterator[str]:
    """Yield texts that explain the columns of a table of matches."""
    yield f"PR: {PR_SHOWN}, the player's, then theirs"
    yield "decisions: the player's that it counts"
    yield "EMG: equity lost in them"
    money = "" if all(one.length for one in matches) else ", in money play (to 0) as points (pt)"
    yield f"cost: the same as match-winning chance{money}"
    if any(one.resigned_lost >= LEAST for one in matches):
        yield "after +: the cost of resignations and answers to them, in no other column"
    if any(one.outcome == DISPUTED for one in matches):
        yield f"{DISPUTED}: the file and the boards name different winners, so the match counts in no share of matches won"


def _day_in_words(match: MatchRate) -> str:
    """Return the date of a match as text, or `no date`."""
    return "no date" if match.date is None else match.date.isoformat()


def _match_cells(match: MatchRate) -> tuple[Cell, ...]:
    """Return the table cells of a match, such as opponent, result and both PRs."""
    own, theirs = map(_format_rate, match.rates)
    texts = (
        match.opponent,
        str(match.length),
        _result_in_words(match),
        own,
        theirs,
        f"{match.decisions[0]:,}",
        f"{match.lost:.2f}",
        _cost_in_words(match),
    )
    return tuple(map(Cell, texts))


def _cost_in_words(match: MatchRate) -> str:
    """Return the match-winning chance that the errors in a match cost, such as `2.5 %`.

    In money play, the cost is in points. The cost of resignations follows after `+`.
    """
    resigned = match.resigned_lost >= LEAST
    costs = (match.cost, match.resigned_cost)[: 1 + resigned]
    if match.length:
        return f"{' + '.join(f'{100 * cost:.1f}' for cost in costs)} %"
    return f"{' + '.join(f'{cost:.3f}' for cost in costs)} pt"


def _result_in_words(match: MatchRate) -> str:
    """Return the outcome of a match, such as `won 7–3`, or `won` without a score."""
    score = "" if match.points is None else " {}–{}".format(*match.points)
    return f"{match.outcome}{score}"


def _format_rate(rate: float | None) -> str:
    """Return a PR with one decimal, such as `5.2`, or "" for None."""
    return "" if rate is None else f"{rate:.1f}"


def shorten_file_names(paths: Sequence[str]) -> list[str]:
    """Return file names without the beginning that all have in common.

    >>> shorten_file_names(["club/2024-ann-bob.mat", "club/2024-ann-cleo.mat"])
    ['…bob.mat', '…cleo.mat']
    """
    names = [PurePath(path.rpartition(MEMBER_MARK)[2]).name for path in paths]
    letters = zip(*names, strict=False) if len(names) > 1 else ()
    shared = "".join(first for first, *_ in takewhile(lambda alike: len(set(alike)) == 1, letters))
    begin = len(shared.rstrip(ascii_letters + digits))
    return [_shorten("…" + name[begin:] if begin else name) for name in names]


def _shorten(name: str) -> str:
    """Return a name of at most `MOST_LETTERS` letters; the middle of a longer name is cut out."""
    if len(name) <= MOST_LETTERS:
        return name
    end = MOST_LETTERS // 2
    return f"{name[: MOST_LETTERS - end - 1]}…{name[-end:]}"


MATCH_COLUMNS = (
    *("path", "number", "date", "opponent", "length", "games", "outcome"),
    *("own_points", "other_points", "pr", "other_pr", "decisions", "other_decisions"),
    *("lost", "cost", "resigned_lost", "resigned_cost"),
)
"""The columns of a table of matches."""


def match_row(match: MatchRate) -> dict[str, object]:
    """Return the figures of a match as a dictionary, with the CSV columns as keys."""
    points = match.points or (None, None)
    head = (match.path, match.number, match.date, match.opponent, match.length, match.games)
    values = (
        *(*head, match.outcome, *points, *match.rates, *match.decisions),
        *(match.lost, match.cost, match.resigned_lost, match.resigned_cost),
    )
    return dict(zip(MATCH_COLUMNS, values, strict=True))
