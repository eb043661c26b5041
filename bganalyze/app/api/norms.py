"""`norms`: usual error rates by kind of decision; `build_norms`: one's own, from analyzed matches."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from bganalyze.app.api.analyses import find_analysis_of_each, open_existing_analyses
from bganalyze.app.api.arguments import check_arguments
from bganalyze.app.api.read import read
from bganalyze.app.api.sources import FilePath, Source, call_in_limits_of_matches
from bganalyze.files.reading import UnreadableError, reason
from bganalyze.record.players import Players, require_name
from bganalyze.statistics.norms import (
    NormsError,
    NormTable,
    read_norms,
    read_shipped_norms,
)
from bganalyze.text import Unreadable, number_of
from bganalyze.validation.replaying import replay

if TYPE_CHECKING:
    import pandas as pd

    from bganalyze.analysis.match import AnalyzedMatch
    from bganalyze.analysis.store import Store
    from bganalyze.app.api.analyze import AnalysisResult
    from bganalyze.record.model import Match


@dataclass(frozen=True, slots=True)
class Norms:
    """Usual error rates of groups of players by kind of decision, with intervals and source."""

    table: NormTable
    not_analyzed: int = 0
    """Matches left out because they have no analysis."""
    unreadable: tuple[Unreadable, ...] = ()
    """Files of folders and archives that could not be read, with the reason."""

    def to_frame(self) -> pd.DataFrame:
        """Return a table of the norms, with a row for each group of players and kind of decision.

        The columns are those of `Norm`: numbers of players, matches, games and decisions, the error
        rate and its interval.
        """
        import pandas as pd

        from bganalyze.statistics.norms import Norm

        return pd.DataFrame(self.table.norms, columns=list(Norm._fields))

    def percentiles(self) -> pd.DataFrame:
        """Return a table of percentiles of the players' error rates, by kind of decision.

        The columns are those of `Percentile`, such as `kind`, `percent` and `rate`. The table is
        empty if there are too few players.
        """
        import pandas as pd

        from bganalyze.statistics.norms import Percentile

        return pd.DataFrame(self.table.percentiles, columns=list(Percentile._fields))

    def render(self, format: str = "text") -> str:
        """Return the norms in a format of `bganalyze norms`; raise ValueError for an unknown one."""
        from bganalyze.app.render import NORM_FORMATS, render_norms, require_format
        from bganalyze.app.render.output_options import plain_output_options
        from bganalyze.board.rule_book import BASIC

        require_format(format, NORM_FORMATS)
        return "".join(render_norms(self.table, format, plain_output_options(BASIC)))

    def __repr__(self) -> str:
        """The number of norms and their source."""
        return f"<{number_of(len(self.table.norms), 'norm')}: {self.table.source}>"

    def _repr_html_(self) -> str:
        """The norms as a table, for notebooks."""
        return str(self.to_frame().to_html(index=False))


@check_arguments
def norms(path: FilePath | None = None) -> Norms:
    """Return norms (usual error rates) from a file, by default the program's own.

    Raises NormsError for a file without norms, and UnreadableError.

    >>> norms().table.find("take", "opponents").decisions
    898
    """
    if path is None:
        return Norms(read_shipped_norms())
    name = os.fspath(path)
    try:
        with open(name, encoding="utf-8") as file:
            return Norms(read_norms(file.read()))
    except OSError as error:
        raise UnreadableError(reason(error), name) from error
    except (NormsError, UnicodeDecodeError) as error:
        raise NormsError(f"{name}: {error}") from error


@check_arguments
def build_norms(
    source: Source | AnalysisResult | None = None,
    *,
    player: str | None = None,
    db: str | None = None,
    about: str | None = None,
    license: str = "",
    players: Players | None = None,
    name: str | None = None,
) -> Norms:
    """Compute norms (usual error rates by kind of decision) of the players in analyzed matches.

    - `source` is a result of `analyze`, or files whose analyses are in the files or in the database
      `db`; by default it is the whole database. Matches without an analysis are counted in
      `not_analyzed`.
    - `player` makes two groups: this player, and all opponents. By default all players are one
      group, with quartiles if 30 of them have enough games.
    - `about` and `license` describe the matches.

    Raises ValueError if no match is analyzed or no decision counts, StoreError, UnknownNameError,
    and the errors of `read`.
    """
    from bganalyze.statistics.reports.making_norms import make_norms
    from bganalyze.statistics.tables.frames import tabulate_analyzed

    called = players or Players()
    found, without, unreadable = _find_analyses(source, db, name)
    if not found:
        raise ValueError("no match is analyzed; run analyze first")
    tables = tabulate_analyzed(found, called)
    names = sorted({*tables.games["left"], *tables.games["right"]})
    person = require_name(
        None if player is None else called.player_of_name(player),
        names,
        "is in none of the matches",
    )
    about = about or number_of(len(found), "match")
    table = make_norms(tables, about, license, person)
    if not table.norms:
        raise ValueError(f"no decision counts in the analyses ({table.engine}); analyze again")
    return Norms(table, without, unreadable)


def _find_analyses(
    source: Source | AnalysisResult | None, db: str | None, name: str | None
) -> tuple[list[AnalyzedMatch], int, tuple[Unreadable, ...]]:
    """Return the analyzed matches, the number of matches not analyzed, and the unreadable files.

    `source` is a result of `analyze`, or files; their analyses are in the files or in the database
    `db`. None means the whole database.
    """
    from bganalyze.analysis.select import find_analyses
    from bganalyze.app.api.analyses import open_required_analyses
    from bganalyze.app.api.analyze import AnalysisResult

    if isinstance(source, AnalysisResult):
        return list(source.matches), len(source.failed), source.unreadable
    if source is None:
        return list(find_analyses(open_required_analyses(db))), 0, ()
    store = open_existing_analyses(db)
    matches = read(cast("Source", source), name=name)
    found = [_find_analysis(match, store) for match in matches]
    analyzed = cast("list[AnalyzedMatch]", [match for match in found if match is not None])
    return analyzed, len(found) - len(analyzed), matches.unreadable


def _find_analysis(match: Match, store: Store | None) -> AnalyzedMatch | None:
    """Return a match's analysis, from the database or else the match file; None without one."""
    return call_in_limits_of_matches(
        [match], lambda: find_analysis_of_each([replay(match)], store)[0]
    )
