"""Ways to keep the work of a command in the process of its test, and to do it once."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b
from io import BytesIO
from typing import TYPE_CHECKING, Any

from bganalyze.app.jobs.workers import ThisProcess
from bganalyze.statistics.norms import NormTable
from bganalyze.statistics.profiles import PlayerProfile, make_profile
from bganalyze.statistics.profiles.match_rates import Winners
from bganalyze.statistics.reports.answer import _make_sections
from bganalyze.statistics.reports.figures import Section
from bganalyze.statistics.reports.overview import AskReport
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.reports.selection import ChosenSums
from bganalyze.statistics.reports.stored import StoredSums
from bganalyze.statistics.tables.frames import AnalyzedTables

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def work_here(workers: int = 1) -> ThisProcess:
    """Return an executor that runs its work in this process, whatever the number of `workers`."""
    # Starting a process takes longer than all that most commands of tests do.
    del workers
    return ThisProcess()


def remember_pictures() -> Callable[..., bytes]:
    """Return a function like `_render_figure` that renders only one of the figures described alike."""
    from bganalyze.statistics.plots.draw import _render_figure

    # Rendering takes half of the time of a command that draws.
    rendered: dict[bytes, bytes] = {}

    def render(figure: Figure, style: Mapping[str, Any], **settings: Any) -> bytes:
        key = pickle.dumps((figure.get_label(), style, settings))
        if key not in rendered:
            rendered[key] = _render_figure(figure, style, **settings)
        return rendered[key]

    return render


def remember_profiles() -> Callable[..., PlayerProfile]:
    """Return a function like `make_profile` that makes the profile of equal arguments only once."""
    # Tests look at one profile in several formats, and making it takes longer than all else.
    made: dict[bytes, PlayerProfile] = {}

    def profile(
        ask: AskReport,
        tables: AnalyzedTables,
        player: str,
        norms: NormTable | None,
        winners: Winners,
    ) -> PlayerProfile:
        key = _digest((ask, tables, player, norms, dict(winners)))
        if key not in made:
            made[key] = make_profile(ask, tables, player, norms, winners)
        return made[key]

    return profile


def remember_sections() -> Callable[..., Iterable[Section]]:
    """Return a function like `_make_sections` that runs a report on equal sums or tables only once."""
    made: dict[bytes, list[Section]] = {}

    def sections(
        name: str, chosen: ChosenSums | AnalyzedTables, question: Question
    ) -> Iterable[Section]:
        if isinstance(chosen, ChosenSums) and isinstance(chosen.sums, StoredSums):
            return _make_sections(name, chosen, question)  # A store cannot be compared.
        key = _digest((name, chosen, question))
        if key not in made:
            made[key] = list(_make_sections(name, chosen, question))
        return made[key]

    return sections


def _digest(arguments: object) -> bytes:
    """Return a digest of arguments that is the same for equal ones."""
    written = BytesIO()
    pickler = pickle.Pickler(written)
    pickler.fast = True  # Otherwise it depends on which of several equal strings are one object.
    pickler.dump(arguments)
    return blake2b(written.getbuffer()).digest()
