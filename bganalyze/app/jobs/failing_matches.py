"""Find and leave out matches whose sums make the program fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from bganalyze.app.jobs.budget import describe_unexpected_error
from bganalyze.text import Unreadable

if TYPE_CHECKING:
    from bganalyze.statistics.reports.sums import Sums

MOST_FAULTY = 100
"""If more matches fail, the program is at fault, and its error is raised."""

_A = TypeVar("_A")

Work = Callable[["Sums", tuple[Unreadable, ...]], _A]
"""A function of sums and of the matches left out of them, with reasons."""


def compute_without_failing(compute: Work[_A], sums: Sums) -> tuple[_A, tuple[Unreadable, ...]]:
    """Return the result of `compute` for the totals `sums`, and the matches on which it fails.

    The result leaves these matches out. Raises OSError, MemoryError, and any error that `compute`
    raises even without matches.
    """
    from bganalyze.statistics.reports.sums import SelectedSums

    try:
        return compute(sums, ()), ()
    except (OSError, MemoryError):
        raise
    except Exception:
        recorded = sums.recorded
        reasons = dict(_find_failing(compute, sums, recorded.matches["match"].tolist()))
        if not reasons:
            raise
        paths = recorded.matches.set_index("match")[["path", "number"]]
        left_out = tuple(
            Unreadable(str(path), f"match {number} is left out: {reasons[match]}")
            for match, path, number in paths.loc[list(reasons)].itertuples()
        )
        others = set(paths.index) - reasons.keys()
        return compute(SelectedSums(sums, others), left_out), left_out


def _find_failing(
    compute: Work[object], sums: Sums, matches: Sequence[int]
) -> Iterator[tuple[int, str]]:
    """Yield the number of each match on which `compute` fails, with the error.

    Yields nothing if `compute` fails even without matches, or on too many matches.
    """
    if _find_failure(compute, sums, ()) is not None:
        # The matches are not to blame.
        return iter(())
    faulty = list(islice(_bisect_failing(compute, sums, matches), MOST_FAULTY + 1))
    return iter(faulty if len(faulty) <= MOST_FAULTY else ())


def _bisect_failing(
    compute: Work[object], sums: Sums, matches: Sequence[int]
) -> Iterator[tuple[int, str]]:
    """Yield the number of each match on which `compute` fails, with the error, by halving."""
    reason = _find_failure(compute, sums, matches)
    if reason is None:
        return
    if len(matches) == 1:
        yield matches[0], reason
        return
    middle = len(matches) // 2
    yield from _bisect_failing(compute, sums, matches[:middle])
    yield from _bisect_failing(compute, sums, matches[middle:])


def _find_failure(compute: Work[object], sums: Sums, matches: Sequence[int]) -> str | None:
    """Return the error of `compute` for these matches alone, or None if it succeeds."""
    from bganalyze.statistics.reports.sums import SelectedSums

    try:
        compute(SelectedSums(sums, matches), ())
    except Exception as error:  # noqa: BLE001 - any error is attributed to these matches
        return describe_unexpected_error(error)
    return None
