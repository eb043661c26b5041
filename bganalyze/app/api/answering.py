"""Answers to a question about many matches: reports, the page with its overview, and plots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from bganalyze.app.jobs.failing_matches import compute_without_failing
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.record.players import require_name
from bganalyze.statistics.anonymity import anonymize_analyzed
from bganalyze.statistics.reports.question import Question
from bganalyze.text import Files, Unreadable

if TYPE_CHECKING:
    from bganalyze.analysis.select import CountedAnalyses
    from bganalyze.analysis.store import Store
    from bganalyze.statistics.plots.draw import Image
    from bganalyze.statistics.reports.answer import KeepSections, ReportAnswer
    from bganalyze.statistics.reports.comparing import AskReport, Condition
    from bganalyze.statistics.reports.overview import Overview
    from bganalyze.statistics.reports.sums import Sums
    from bganalyze.statistics.tables.frames import AnalyzedTables, Recorded


class ReportRequest(NamedTuple):
    """A question about matches, and the kind of output wanted for the answer."""

    names: tuple[str, ...]
    """The names of the reports."""
    question: Question = Question()
    setting: OutputOptions = OutputOptions()
    anonymize: bool = False
    """Whether messages leave out the names of players."""
    of_page: bool = False
    """Whether a page of HTML, with an overview, is wanted."""
    draws: bool = False
    """Whether plots are wanted."""
    compared: tuple[Condition, Condition] | None = None
    """The two conditions whose figures are compared, or None."""

    @property
    def needed_reports(self) -> tuple[str, ...]:
        """Names of the reports to compute, including those that the page's overview needs."""
        if not self.of_page:
            return self.names
        from bganalyze.statistics.reports.overview import OF_FILES

        return (*self.names, *OF_FILES.reports)


class ComposedAnswer(NamedTuple):
    """An answer with its page and plots."""

    answer: ReportAnswer
    page: str | None = None
    """The page, or None if it is not wanted."""
    images: tuple[Image, ...] = ()
    undrawn: tuple[str, ...] = ()
    """Notes on groups that the plots leave out."""
    left_out: tuple[Unreadable, ...] = ()
    """The matches at which the program fails."""


def compose_answer(
    sums: Sums,
    request: ReportRequest,
    keep: KeepSections = list,
    files: Files | None = None,
    rule_book: str | None = None,
    analyses: Callable[[], Store | None] | None = None,
) -> ComposedAnswer:
    """Return the reports that `request` asks for, with a page and plots if they are wanted.

    - `sums` are totals over many matches. Matches on which the program fails are left out, and
      listed in the answer.
    - `keep` puts the tables of a report into a sequence in memory (`list`) or on disk.
    - `files` has the numbers of files read, to be shown.
    - `rule_book` is the name of a store's rule book, to be shown.
    - `analyses` opens a database, to say how many of the matches are analyzed.

    Raises UnknownNameError.
    """
    question = request.question
    if (question.player, question.opponent, question.site) != (None, None, None):
        question = spell_names_as_recorded(sums.recorded, question, anonymize=request.anonymize)
        request = request._replace(question=question)
    work = partial(
        _compose_from_sums,
        request=request,
        keep=keep,
        files=files,
        rule_book=rule_book,
        analyses=analyses,
    )
    composed, left_out = compute_without_failing(work, sums)
    return composed._replace(left_out=left_out)


def _compose_from_sums(
    sums: Sums,
    left_out: tuple[Unreadable, ...],
    request: ReportRequest,
    keep: KeepSections,
    files: Files | None,
    rule_book: str | None,
    analyses: Callable[[], Store | None] | None,
) -> ComposedAnswer:
    """Return the reports that `request` asks for, with a page and plots if they are wanted.

    `left_out` are matches on which the program failed. `compose_answer` explains the other
    parameters.
    """
    from bganalyze.statistics.reports.answer import answer_from_sums
    from bganalyze.statistics.reports.overview import (
        OF_FILES,
        count_analyzed_matches,
        make_overview,
    )

    ask = partial(answer_from_sums, sums, keep=keep)
    if left_out:
        files = files or Files(sums.recorded.matches["path"].nunique(), 0, ())
        files = files._replace(unreadable=(*files.unreadable, *left_out))
    if files is not None and request.anonymize:
        files = files.anonymous()
    answer = _make_reports(ask, request)._replace(files=files, rule_book=rule_book)
    page_overview = None
    if request.of_page:
        analyzed = (
            count_analyzed_matches(sums.recorded, request.question, analyses) if analyses else 0
        )
        page_overview = make_overview(ask, request.question, OF_FILES, analyzed)
    return _add_page_and_plots(answer, page_overview, request)


def _make_reports(answer_question: AskReport, request: ReportRequest) -> ReportAnswer:
    """Return the reports that `request` asks for.

    If the request compares two conditions, each report has figures for both.
    """
    if request.compared is None:
        return answer_question(request.names, request.question)
    from bganalyze.statistics.reports.comparing import compare_answers

    return compare_answers(answer_question, request.names, request.question, request.compared)


_SUPERSEDED = "of a match left out: each match counts once, by the engine that analyzed it last, at its deepest level; --engine and --level choose others"


def compose_answer_from_analyses(
    tables: AnalyzedTables, superseded: int, request: ReportRequest
) -> ComposedAnswer:
    """Return the reports on analyzed decisions that `request` asks for, with a page if wanted.

    `superseded` is the number of analyses left out. Raises UnknownNameError.
    """
    from bganalyze.statistics.reports.answer import answer_from_analyses
    from bganalyze.statistics.reports.figures import make_count_note
    from bganalyze.statistics.reports.overview import OF_ANALYSES, make_overview

    request = request._replace(
        question=spell_names_as_recorded(tables, request.question, anonymize=request.anonymize)
    )
    ask = partial(answer_from_analyses, tables)
    answer = _make_reports(ask, request)
    left_out = make_count_note(superseded, "evaluation", _SUPERSEDED)
    answer = answer._replace(left_out=(*left_out, *answer.left_out))
    page_overview = make_overview(ask, request.question, OF_ANALYSES) if request.of_page else None
    return _add_page_and_plots(answer, page_overview, request)


def answer_from_analyses(
    analyses: CountedAnalyses, request: ReportRequest, players: Callable[[str], str]
) -> tuple[AnalyzedTables, ComposedAnswer]:
    """Return tables of analyzed matches, and the reports on them that `request` asks for.

    Raises UnknownNameError for an unknown player, and StoreError.
    """
    from bganalyze.statistics.tables.frames import tabulate_analyzed

    matches = analyses.matches
    if request.anonymize:
        matches = map(partial(anonymize_analyzed, label_of=players), matches)
        players = str
    tables = tabulate_analyzed(matches, players)
    return tables, compose_answer_from_analyses(tables, analyses.left_out, request)


def spell_names_as_recorded(
    tables: Recorded | AnalyzedTables, question: Question, *, anonymize: bool
) -> Question:
    """Return a question whose names are spelled as in the tables: `Ann` for `ann`.

    Raises UnknownNameError for a name that is not in the tables; with `anonymize`, its message
    names no player.
    """
    if tables.games.empty:
        return question
    names = list_names_by_games(tables)
    player, opponent = (
        require_name(
            person,
            names,
            "is in none of the matches",
            f"the {role} named is in none of the matches" if anonymize else None,
        )
        for person, role in ((question.player, "player"), (question.opponent, "opponent"))
    )
    sites = tables.matches["site"].dropna().unique()
    site = require_name(
        question.site,
        sites,
        "is the site of none of the matches",
        listed_by="bganalyze stats PATH --by site",
    )
    return question._replace(player=player, opponent=opponent, site=site)


def list_names_by_games(tables: Recorded | AnalyzedTables) -> list[str]:
    """Return the names of all players in the tables, most games first."""
    counts = sum(
        (Counter(dict(tables.games[side].value_counts())) for side in ("left", "right")), Counter()
    )
    return [name for name, _ in counts.most_common()]


def _add_page_and_plots(
    answer: ReportAnswer, page_overview: Overview | None, request: ReportRequest
) -> ComposedAnswer:
    """Return an answer with the plots and the HTML page that `request` asks for.

    Without an overview, there is no page.
    """
    images, undrawn = _draw_plots(answer) if request.draws else ((), ())
    if page_overview is None:
        return ComposedAnswer(answer, None, images, undrawn)
    from bganalyze.app.render.statistics_page import statistics_page

    return ComposedAnswer(
        answer, statistics_page(answer, request.setting, page_overview), images, undrawn
    )


def _draw_plots(answer: ReportAnswer) -> tuple[tuple[Image, ...], tuple[str, ...]]:
    """Return the plots of reports as images, and notes on groups not drawn."""
    from bganalyze.statistics.plots import draw_plots
    from bganalyze.statistics.plots.draw import render_images

    made: list[Image] = []
    undrawn: list[str] = []
    for name, sections in answer.reports.items():
        for picture in draw_plots(name, sections):
            if picture.left_out and picture.place == 1:
                undrawn.append(f"{name}-{picture.name}: {picture.left_out}")
            made += render_images(picture.figure, f"{name}-{picture.name}")
    return tuple(made), tuple(undrawn)
