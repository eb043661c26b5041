"""`profile`: one page on a player, from many matches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bganalyze.analysis.engines import Limits, start
from bganalyze.app.api.arguments import check_arguments
from bganalyze.app.api.read import read
from bganalyze.app.api.sources import FilePath, Source
from bganalyze.record.players import Players
from bganalyze.text import Unreadable

if TYPE_CHECKING:
    import pandas as pd

    from bganalyze.statistics.profiles import PlayerProfile


@dataclass(frozen=True, slots=True, eq=False)
class ProfileResult:
    """The profile of a player: results, error rate, where equity is lost, luck, what to study."""

    profile: PlayerProfile
    """The figures."""
    unreadable: tuple[Unreadable, ...] = ()
    """Files that could not be read, and matches that could not be analyzed, with the reason."""

    @property
    def player(self) -> str:
        """The name of the player."""
        return self.profile.player

    def render(self, format: str = "text") -> str:
        """Return the profile as `text`, `markdown`, `csv`, `matches` (CSV) or `html`.

        `csv` has a row for the player, `matches` a row for each match. Raises ValueError for
        another format.
        """
        from bganalyze.app.render import PROFILE_FORMATS, render_profile, require_format
        from bganalyze.app.render.output_options import plain_output_options
        from bganalyze.app.render.profile import profile_page

        if format == "html":
            return profile_page(self.profile)
        require_format(format, (*PROFILE_FORMATS, "html"))
        return "".join(render_profile(self.profile, format, plain_output_options()))

    def to_frame(self) -> pd.DataFrame:
        """Return a table of the player's matches: result, PR of both players, cost of errors."""
        import pandas as pd

        from bganalyze.app.render.profile.match_rates import MATCH_COLUMNS, match_row

        return pd.DataFrame(map(match_row, self.profile.matches), columns=list(MATCH_COLUMNS))

    def __repr__(self) -> str:
        """The player, and the PR if there is one."""
        rate = self.profile.error_rate
        pr = "" if rate is None else f", PR {rate.value:.1f}"
        return f"<profile of {self.player}{pr}>"

    def _repr_html_(self) -> str:
        """The page in a frame, for notebooks."""
        from bganalyze.app.render.notebook import frame_page

        return frame_page(self.render("html"))


@check_arguments
def profile(
    source: Source,
    player: str,
    *,
    engine: str | None = None,
    level: str | None = None,
    db: str | None = None,
    workers: int = 1,
    norms: FilePath | None = None,
    players: Players | None = None,
    anonymize: bool = False,
    name: str | None = None,
) -> ProfileResult:
    """Return a player's profile over many matches: results, PR, costs, luck, what to study.

    - `engine` and `level` are those of `analyze`; without an installed engine, the analyses in the
      files are used.
    - `db` is a database that keeps the analyses.
    - `norms` is a file of norms to compare with, made by `build_norms`.
    - `players` maps written names to players.
    - `workers` is the number of processes, as for `analyze`.
    - `anonymize` replaces names by Player A, B and so on.
    - `name` is the file name for bytes or an open file.

    Raises NormsError for a file without norms, UnknownNameError for a player without matches, and
    the errors of `read` and `analyze`.

    >>> found = profile("samples/clean/one-point.mat", "Ada Quill", engine="recorded")
    >>> found, found.profile.error_rate is None
    (<profile of Ada Quill>, True)
    """
    from bganalyze.app.api.analyze import (
        SECONDS,
        analyze_files,
        open_analyses_or_memory,
        prepare_files,
    )
    from bganalyze.app.api.norms import norms as read_norms
    from bganalyze.app.jobs.profile import MatchesOfPlayer, find_default_engine

    compared = None if norms is None else read_norms(norms).table
    limits = Limits(workers, SECONDS)
    analyzing = start(engine or find_default_engine(level), level, limits)
    own = MatchesOfPlayer(player, players or Players(), anonymize=anonymize)
    matches = read(source, name=name)
    files = list(prepare_files(matches, own.add))
    own.find_player()
    analysis = analyze_files(files, analyzing, open_analyses_or_memory(db), limits)
    made = own.profile(analysis.matches, compared)
    return ProfileResult(made, (*matches.unreadable, *own.failed, *analysis.failed))
