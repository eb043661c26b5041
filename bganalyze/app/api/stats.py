"""`stats`: figures of players over many matches."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from bganalyze.analysis.error_rates import METRICS
from bganalyze.app.api.analyses import open_required_analyses, read_stored_match_hashes
from bganalyze.app.api.answering import (
    ComposedAnswer,
    ReportRequest,
    answer_from_analyses,
    compose_answer,
)
from bganalyze.app.api.arguments import check_arguments
from bganalyze.app.api.sources import (
    FilePath,
    Source,
    call_in_limits_of_matches,
    find_rule_book,
    group_files,
    require_read,
    yield_files_or_matches,
)
from bganalyze.app.api.stored import answer_from_store
from bganalyze.app.jobs.outcome import FileCounts
from bganalyze.app.jobs.tabulate import sum_and_check, sum_files, tabulate_matches
from bganalyze.app.jobs.workers import Processes
from bganalyze.app.render.output_options import OutputOptions, plain_output_options
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.files.reading import FileToRead
from bganalyze.record.model import Match
from bganalyze.record.players import Players
from bganalyze.statistics.reports import (
    ANALYZED_REPORTS,
    REPORTS,
    list_column_groups,
    list_summed_tables,
)
from bganalyze.statistics.reports.comparing import parse_conditions
from bganalyze.statistics.reports.days import parse_days
from bganalyze.statistics.reports.question import DIMENSIONS, Question
from bganalyze.statistics.tables.games import STAGES
from bganalyze.text import Unreadable, parse_choices

if TYPE_CHECKING:
    import pandas as pd

    from bganalyze.analysis.select import CountedAnalyses
    from bganalyze.app.api.analyze import AnalysisResult
    from bganalyze.statistics.norms import NormTable
    from bganalyze.statistics.reports.answer import ReportAnswer
    from bganalyze.statistics.reports.sums import TransferredSums


@dataclass(frozen=True, slots=True, eq=False)
class Statistics:
    """The answer to a question about many matches: reports with tables of figures."""

    answer: ReportAnswer
    rule_book: RuleBook
    page: str
    """The answer as a page of HTML with an overview and plots; empty unless `page` was given."""
    unreadable: tuple[Unreadable, ...] = ()
    """Files that could not be read, and matches that are left out, with the reason."""

    @property
    def reports(self) -> tuple[str, ...]:
        """The names of the reports."""
        return tuple(self.answer.reports)

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the matches, games or decisions that were counted or left out."""
        return (*self.answer.counted, *self.answer.left_out)

    def sections(self, report: str | None = None) -> dict[str, pd.DataFrame]:
        """Return the tables of a report by their titles; None means the first report.

        Each row is a figure (a count, share or rate). The first columns are those by which rows are
        grouped; then come `figure`, `value`, `low` and `high` (the 95 % interval), `count`, `of`
        and `matches` (the numbers behind the value). `docs/reports.md` explains each figure. Raises
        KeyError for an unknown report.
        """
        chosen = self.answer.reports[self.reports[0] if report is None else report]
        return {section.title: section.frame for section in chosen}

    def to_frame(self, report: str | None = None) -> pd.DataFrame:
        """Return all tables of a report in one, with their titles as the first column."""
        import pandas as pd

        parts = self.sections(report).items()
        frames = [frame.astype(object).assign(section=name) for name, frame in parts if len(frame)]
        if not frames:
            return pd.DataFrame()
        whole = pd.concat(frames, ignore_index=True)
        return whole[["section", *(column for column in whole if column != "section")]]

    def render(self, format: str = "table") -> str:
        """Return the reports in a format of `bganalyze stats`; raise ValueError for an unknown one."""
        from bganalyze.app.render import ANSWER_FORMATS, get_answer_renderer, require_format

        require_format(format, ANSWER_FORMATS)
        return "".join(
            get_answer_renderer(format)(self.answer, plain_output_options(self.rule_book))
        )

    def __repr__(self) -> str:
        """The names of the reports, and the number of matches."""
        return f"<{', '.join(self.reports)}: {', '.join(self.answer.counted)}>"

    def _repr_html_(self) -> str:
        """The tables of the first report, for notebooks."""
        from html import escape

        return "".join(
            f"<h4>{escape(name)}</h4>{frame.to_html(index=False, max_rows=20)}"
            for name, frame in self.sections().items()
        )


@check_arguments
def stats(
    source: Source | AnalysisResult | None = None,
    report: str | Iterable[str] | None = None,
    by: str | Iterable[str] = "player",
    *,
    player: str | None = None,
    opponent: str | None = None,
    site: str | None = None,
    stage: str | Iterable[str] = (),
    since: dt.date | str | None = None,
    until: dt.date | str | None = None,
    min_games: int = 1,
    strict: bool = False,
    finished: bool = False,
    metric: str | Iterable[str] = (),
    most: int = 10,
    compare: str | None = None,
    norms: FilePath | None = None,
    rules: str | RuleBook = BASIC,
    players: Players | None = None,
    store: FilePath | None = None,
    db: str | None = None,
    page: bool = False,
    workers: int = 1,
    name: str | None = None,
    encoding: str | None = None,
) -> Statistics:
    """Return statistics of players over many matches, from files, an analysis, a store or a database.

    Give one of `source` (files, or the result of `analyze`), `store` (made by `collect`) or `db` (a
    database written by `analyze`). A report on the analyses of a `store` counts the analyses in it
    or, if `db` is given too, those in `db` of the store's matches.

    - `report` and `by` are names from `bganalyze stats`: one, a comma list, several, or `all`.
    - `since` and `until` are days (a `date`, or text such as `2024`, `2024-07` or `2024-07-27`).
    - `compare` names two periods (`2023,2024`) or conditions (`length=5,length=7`) to compare.
    - `norms` is a file of norms (usual error rates) for the report `losses`.
    - `page` adds a page of HTML with plots.
    - The other options are those of `bganalyze stats`.

    Raises ValueError for an unknown name, UnknownNameError for a player without matches, and the
    errors of `read`, `collect` and `analyze` for unreadable files, stores and databases.

    >>> answer = stats("samples/clean/", "points", since="2000")
    >>> answer.reports, "value" in answer.to_frame()
    (('points',), True)
    """
    analyzed = (
        db is not None or _is_analysis(source) or (store is not None and asks_for_analyses(report))
    )
    called = players or Players()
    rule_book = find_rule_book(rules)
    question = Question(
        by=parse_choices(by, tuple(DIMENSIONS), "dimension"),
        player=None if player is None else called.player_of_name(player),
        opponent=None if opponent is None else called.player_of_name(opponent),
        site=site,
        stages=parse_choices(stage, STAGES, "stage") if stage else (),
        since=parse_days(since)[0] if isinstance(since, str) else since,
        until=parse_days(until)[1] if isinstance(until, str) else until,
        min_games=min_games,
        strict=strict,
        finished=finished,
        metrics=parse_choices(metric, tuple(one.name for one in METRICS), "metric")
        if metric
        else (),
        most=most,
        own_norms=None if norms is None else _read_norms(norms),
    )
    request = ReportRequest(
        parse_reports(report, of_analyses=analyzed),
        question,
        OutputOptions(rule_book),
        of_page=page,
        compared=None if compare is None else parse_conditions(compare),
    )
    if request.compared is not None and page:
        raise ValueError("compare gives tables, not a page")
    if (source is None) == (store is None and db is None):
        raise ValueError("give source, or one or both of store and db")
    counts = FileCounts()
    if analyzed:
        folder = None if store is None else Path(store)
        analyses = _find_analyses(cast("AnalysisResult | None", source), db, folder)
        _, composed = answer_from_analyses(analyses, request, called)
    elif store is not None:
        composed = answer_from_store(Path(store), request, called)
    else:
        composed = _answer_from_files(
            cast("Source", source), name, encoding, rule_book, request, workers, counts, called
        )
    left_out = (*counts.unreadable, *composed.left_out)
    return Statistics(composed.answer, rule_book, composed.page or "", left_out)


def _read_norms(path: FilePath) -> NormTable:
    """Return the norms in a file, or raise NormsError and UnreadableError."""
    from bganalyze.app.api.norms import norms

    return norms(path).table


def _is_analysis(source: object) -> bool:
    """Whether a source is the result of `analyze`."""
    from bganalyze.app.api.analyze import AnalysisResult

    return isinstance(source, AnalysisResult)


OF_ANALYSES = "of analyses, made by bganalyze analyze"
"""Condition of reports that need analyses, in the message for an unknown report."""


def parse_reports(words: str | Iterable[str] | None, *, of_analyses: bool) -> tuple[str, ...]:
    """Return the names of the reports in comma lists, by default the first report.

    `all` means all reports on match files or, with `of_analyses`, on analyses. Raises
    UnknownWordError.

    >>> parse_reports("cube, dice", of_analyses=False), parse_reports(None, of_analyses=True)
    (('cube', 'dice'), ('errors',))
    """
    of_files, of_matches = tuple(REPORTS), tuple(ANALYZED_REPORTS)
    if of_analyses:
        known, others = of_matches, {"of match files": of_files}
    else:
        known, others = of_files, {OF_ANALYSES: of_matches}
    return parse_choices(words or known[0], known, "report", others) or known


def asks_for_analyses(report: str | Iterable[str] | None) -> bool:
    """Whether any report in comma lists needs analyses by an engine.

    >>> asks_for_analyses("points,luck"), asks_for_analyses(["points"])
    (True, False)
    """
    lists = [report] if isinstance(report, str) else report or ()
    return any(word.strip() in ANALYZED_REPORTS for words in lists for word in words.split(","))


def _find_analyses(
    source: AnalysisResult | None, db: str | None, store: Path | None
) -> CountedAnalyses:
    """Return the analyses to count: those in `source`, in the database `db`, or in the store's.

    If a store is given, only analyses of its matches count.
    """
    from bganalyze.analysis.select import CountedAnalyses, select_counted_analyses

    if source is not None:
        return CountedAnalyses(iter(source.matches), 0)
    return select_counted_analyses(
        open_required_analyses(db, store), digests=read_stored_match_hashes(store)
    )


def _answer_from_files(
    source: Source,
    name: str | None,
    encoding: str | None,
    rule_book: RuleBook,
    request: ReportRequest,
    workers: int,
    counts: FileCounts,
    players: Players,
) -> ComposedAnswer:
    """Return the reports that `request` asks for, from files or matches already read.

    Raises UnreadableError if a file named by the user cannot be read.
    """
    from bganalyze.statistics.reports.sums import join_sums

    with ExitStack() as opened:
        parts = yield_files_or_matches(source, name, opened, encoding)
        lots = list(
            _sum_files_or_matches(parts, rule_book, request.needed_reports, workers, counts)
        )
    return compose_answer(
        join_sums(lots, list_summed_tables(request.needed_reports), players),
        request,
        files=counts.summary(),
    )


def _sum_files_or_matches(
    parts: Iterable[FileToRead | tuple[Match, ...]],
    rule_book: RuleBook,
    reports: tuple[str, ...],
    workers: int,
    counts: FileCounts,
) -> Iterator[TransferredSums]:
    """Read files in batches, and yield the totals of each batch for reports.

    A part is a file to read, or the matches already read from one file. Raises UnreadableError if a
    file named by the user cannot be read.
    """
    for part in group_files(parts):
        if isinstance(part, tuple):
            work = partial(tabulate_matches, part, rule_book, list_column_groups(reports))
            yield sum_and_check([call_in_limits_of_matches(part, work)], reports)
            continue
        with closing(sum_files(part, rule_book, reports, Processes(workers))) as results:
            for files, sums in results:
                for outcome in counts.count_each(files):
                    require_read(outcome)
                yield from sums
