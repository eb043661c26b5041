"""Look for the slips of one file: from its bytes to its causes, in a form to send about.

As with `jobs.check`, what a run keeps of a file is small and can be pickled.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cache, partial

from bganalyze.files.reading import Item
from bganalyze.jobs.outcome import FileOutcome, attempt
from bganalyze.law import Law
from bganalyze.repair.prior import installed_prior
from bganalyze.repair.search import Cause, causes_of

_prior = cache(installed_prior)
"""The prior of this process, looked for once."""


@dataclass(frozen=True, slots=True)
class Diagnosed(FileOutcome):
    """What became of one file: the causes of its errors, or why there are none."""

    causes: tuple[Cause, ...] = ()


def diagnose(item: Item, law: Law) -> Diagnosed:
    """Return what may have caused the errors of a file. Never raises for anything a file may hold."""
    outcome, causes = attempt(item, partial(causes_of, path=item.path, law=law, prior=_prior()))
    return Diagnosed(**asdict(outcome), causes=tuple(causes or ()))
