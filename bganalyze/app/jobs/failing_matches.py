"""Find and leave out matches whose sums make the program fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from bganalyze.app.jobs.budget import problem_of
from bganalyze.text import Unreadable

if TYPE_CHECKING:
    from bganalyze.statistics.reports.sums import Sums

MOST_FAULTY = 100
"""If more matches fail, the program is at fault, and its error is raised."""

_A = TypeVar("_A")

Work = Callable[["Sums", tuple[Unreadable, ...]], _A]
"""A function of sums and of the matches left out of them, with reasons."""


def without_faulty(work: Work[_A], sums: Sums) -> tuple[_A, tuple[Unreadable, ...]]:
    """Return `work(sums)`, and the matches left out because `work` fails on them.

    Raises OSError and MemoryError of `work`, and errors that also occur without any match. If
    `work` succeeds, it is called only once.
    """
    from bganalyze.statistics.reports.sums import SelectedSums

    try:
        return work(sums, ()), ()
    except (OSError, MemoryError):
        raise
    except Exception:
        recorded = sums.recorded
        reasons = dict(_find_reasons(work, sums, recorded.matches["match"].tolist()))
        if not reasons:
            raise
        paths = recorded.matches.set_index("match")[["path", "number"]]
        left_out = tuple(
            Unreadable(str(path), f"match {number} is left out: {reasons[match]}")
            for match, path, number in paths.loc[list(reasons)].itertuples()
        )
        others = set(paths.index) - reasons.keys()
        return work(SelectedSums(sums, others), left_out), left_out


def _find_reasons(
    work: Work[object], sums: Sums, matches: Sequence[int]
) -> Iterator[tuple[int, str]]:
    """Return the matches on which `work` fails, with reasons.

    The result is empty if it fails without any match, too.
    """
    if _failure_reason(work, sums, ()) is not None:
        return iter(())
    faulty = list(islice(_find_faulty(work, sums, matches), MOST_FAULTY + 1))
    return iter(faulty if len(faulty) <= MOST_FAULTY else ())


def _find_faulty(
    work: Work[object], sums: Sums, matches: Sequence[int]
) -> Iterator[tuple[int, str]]:
    """Yield the matches on which `work` fails, found by bisection."""
    reason = _failure_reason(work, sums, matches)
    if reason is None:
        return
    if len(matches) == 1:
        yield matches[0], reason
        return
    middle = len(matches) // 2
    yield from _find_faulty(work, sums, matches[:middle])
    yield from _find_faulty(work, sums, matches[middle:])


def _failure_reason(work: Work[object], sums: Sums, matches: Sequence[int]) -> str | None:
    """Return the reason why `work` fails on some matches, or None if it succeeds."""
    from bganalyze.statistics.reports.sums import SelectedSums

    try:
        work(SelectedSums(sums, matches), ())
    except Exception as error:  # noqa: BLE001 - any error is attributed to these matches
        return problem_of(error)
    return None
