"""Ways to keep the work of a command in the process of its test, and to do it once."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from bganalyze.app.jobs.workers import ThisProcess
from bganalyze.statistics.norms import NormTable
from bganalyze.statistics.profiles import PlayerProfile, make_profile
from bganalyze.statistics.profiles.match_rates import Winners
from bganalyze.statistics.reports.overview import AskReport
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
        # One pickle of all tables would depend on which of their texts are the same object.
        others = pickle.dumps((ask, player, norms, dict(winners)))
        key = blake2b(b"".join((others, *map(pickle.dumps, tables)))).digest()
        if key not in made:
            made[key] = make_profile(ask, tables, player, norms, winners)
        return made[key]

    return profile
