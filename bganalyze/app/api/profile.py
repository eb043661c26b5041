"""`profile`: one page on a player, from many matches."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from bganalyze.app.api.answering import find_named
from bganalyze.app.api.arguments import check_arguments
from bganalyze.app.api.read import read
from bganalyze.app.api.sources import Source, work_on
from bganalyze.app.jobs.tabulate import rows_of, sum_and_check
from bganalyze.board.rule_book import BASIC
from bganalyze.record.players import Players
from bganalyze.statistics.reports import groups
from bganalyze.statistics.reports.question import Question
from bganalyze.text import Unreadable

if TYPE_CHECKING:
    from bganalyze.statistics.profiles import PlayerProfile


@dataclass(frozen=True, slots=True, eq=False)
class ProfileResult:
    """The profile of a player: results, error rate, where points are lost, luck, recurring mistakes."""

    profile: PlayerProfile
    """The figures."""
    unreadable: tuple[Unreadable, ...] = ()
    """Files that could not be read, and matches that could not be analyzed, with the reason."""

    @property
    def player(self) -> str:
        """The player."""
        return self.profile.player

    def render(self, format: str = "text") -> str:
        """Return the profile as `text`, `markdown`, `csv` (a row), or as a page of `html`.

        Raises ValueError for another format.
        """
        from bganalyze.app.render import PROFILE_FORMATS, render_profile, require_format
        from bganalyze.app.render.output_options import plain_output_options
        from bganalyze.app.render.profile import profile_page

        if format == "html":
            return profile_page(self.profile)
        require_format(format, (*PROFILE_FORMATS, "html"))
        return "".join(render_profile(self.profile, format, plain_output_options()))

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
    players: Players | None = None,
    name: str | None = None,
) -> ProfileResult:
    """Return the profile of a player over many matches: results, PR, costs, luck, recurring mistakes.

    The matches of the player are analyzed as by `analyze`, by Open Sage, or if that is not installed by
    the analyses in the files; `engine` and `level` choose others. With `db`, analyses are kept there and
    not made again. `players` joins the names of each player; `name` is the file name for bytes or an open
    file. Raises UnknownNameError for a player without matches, and the errors of `read` and `analyze`.

    >>> found = profile("samples/clean/one-point.mat", "Ada Quill", engine="recorded")
    >>> found, found.profile.error_rate is None
    (<profile of Ada Quill>, True)
    """
    from bganalyze.app.api.analyze import analyze
    from bganalyze.app.jobs.profile import join_records, profile_player, usual_engine
    from bganalyze.statistics.profiles import RECORDED_REPORTS

    called = players or Players()
    matches = read(source, name=name)
    work = partial(rows_of, matches, BASIC, groups(RECORDED_REPORTS))
    records = join_records([sum_and_check([work_on(matches, work)], RECORDED_REPORTS)], called)
    asked = Question(by=(), player=called.known(player))
    found = find_named(records.recorded, asked, anonymize=False).player or player
    own = [match for match in matches if found in map(called, match.names)]
    analysis = analyze(own, engine or usual_engine(), level, db=db, workers=workers)
    made = profile_player(records, analysis.matches, found, called)
    return ProfileResult(made, (*matches.unreadable, *analysis.failed))
