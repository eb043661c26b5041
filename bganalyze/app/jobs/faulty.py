"""Leave out matches that make the program fail between their sums and the last figure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from bganalyze.app.jobs.budget import problem_of
from bganalyze.text import Unreadable

if TYPE_CHECKING:
    from bganalyze.statistics.reports.sums import Sums

MOST_FAULTY = 100
"""If more matches than this make the program fail, the fault is not in the matches."""

_A = TypeVar("_A")

Work = Callable[["Sums", tuple[Unreadable, ...]], _A]
"""Makes figures of sums, told which matches are left out of them, and why."""


def without_faulty(work: Work[_A], sums: Sums) -> tuple[_A, tuple[Unreadable, ...]]:
    """Return `work` of sums, and the matches left out because `work` fails at them.

    Raises OSError and MemoryError of `work`, and any error that no match is to blame for. Until a
    match makes it fail, `work` is called once.
    """
    from bganalyze.statistics.reports.sums import SomeSums

    try:
        return work(sums, ()), ()
    except (OSError, MemoryError):
        raise
    except Exception:
        recorded = sums.recorded
        reasons = dict(_reasons(work, sums, recorded.matches["match"].tolist()))
        if not reasons:
            raise
        paths = recorded.matches.set_index("match")[["path", "number"]]
        left_out = tuple(
            Unreadable(str(path), f"match {number} is left out: {reasons[match]}")
            for match, path, number in paths.loc[list(reasons)].itertuples()
        )
        others = set(paths.index) - reasons.keys()
        return work(SomeSums(sums, others), left_out), left_out


def _reasons(work: Work[object], sums: Sums, matches: Sequence[int]) -> Iterator[tuple[int, str]]:
    """Return the matches at which `work` fails, and how; none if it fails without any match, too."""
    if _failure(work, sums, ()) is not None:
        return iter(())
    faulty = list(islice(_faulty(work, sums, matches), MOST_FAULTY + 1))
    return iter(faulty if len(faulty) <= MOST_FAULTY else ())


def _faulty(work: Work[object], sums: Sums, matches: Sequence[int]) -> Iterator[tuple[int, str]]:
    """Yield the matches at which `work` fails: half of them are tried, and halves of the half."""
    reason = _failure(work, sums, matches)
    if reason is None:
        return
    if len(matches) == 1:
        yield matches[0], reason
        return
    middle = len(matches) // 2
    yield from _faulty(work, sums, matches[:middle])
    yield from _faulty(work, sums, matches[middle:])


def _failure(work: Work[object], sums: Sums, matches: Sequence[int]) -> str | None:
    """Return how `work` fails at some matches, or None if it does not."""
    from bganalyze.statistics.reports.sums import SomeSums

    try:
        work(SomeSums(sums, matches), ())
    except Exception as error:  # noqa: BLE001 - whatever it is, it is of these matches
        return problem_of(error)
    return None
