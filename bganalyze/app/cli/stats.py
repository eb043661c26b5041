"""`bganalyze stats`: statistics of players over many matches."""

import datetime as dt
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar

import typer

from bganalyze import NAME
from bganalyze.analysis.error_rates import METRICS
from bganalyze.analysis.select import EngineChoice
from bganalyze.app.api.analyses import (
    open_existing_analyses,
    open_required_analyses,
    read_stored_match_hashes,
)
from bganalyze.app.api.answering import (
    ComposedAnswer,
    ReportRequest,
    answer_from_analyses,
    compose_answer,
)
from bganalyze.app.api.stats import OF_ANALYSES, asks_for_analyses, parse_reports
from bganalyze.app.api.stored import answer_from_store
from bganalyze.app.cli import options
from bganalyze.app.cli.exit_status import complain, exit_on, print_note, refuse
from bganalyze.app.cli.io import (
    analyze_command,
    join_names,
    load_norms,
    load_settings,
    make_output_options,
    report_empty_paths,
    require_matches,
    require_writable,
    write,
    write_file,
)
from bganalyze.app.cli.io import load_players as players_of
from bganalyze.app.cli.options import (
    choice_option,
    make_comma_list_completer,
    open_executor,
    parse_comma_lists,
    value_option,
    workers_option,
)
from bganalyze.app.cli.progress import make_progress
from bganalyze.app.config import Config, rule_book_title
from bganalyze.app.jobs.executor import Executor, map_chunks
from bganalyze.app.jobs.outcome import FileCounts, FileOutcome
from bganalyze.app.jobs.tabulate import sum_files, tabulate_read_files
from bganalyze.app.render import ANSWER_FORMATS, get_answer_renderer, render_overview
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.files.addresses import hide_credentials_in
from bganalyze.files.reading import FileToRead, find_files_in_encoding
from bganalyze.record.players import Players, UnknownNameError
from bganalyze.statistics.anonymity import (
    Anonyms,
    blank_messages,
    blank_personal_columns,
)
from bganalyze.statistics.reports import ANALYZED_REPORTS, REPORTS, list_summed_tables
from bganalyze.statistics.reports.days import parse_days
from bganalyze.statistics.reports.question import DIMENSIONS, Question
from bganalyze.statistics.tables.fragments import ALL_GROUPS
from bganalyze.statistics.tables.games import STAGES
from bganalyze.text import EVERYTHING, UnknownWordError

if TYPE_CHECKING:
    from bganalyze.analysis.match import AnalyzedMatch
    from bganalyze.analysis.select import CountedAnalyses
    from bganalyze.statistics.plots.draw import Image
    from bganalyze.statistics.reports.answer import ReportAnswer
    from bganalyze.statistics.reports.comparing import Condition
    from bganalyze.statistics.reports.sums import Sums
    from bganalyze.statistics.tables.fragments import TableFragment
    from bganalyze.statistics.tables.frames import Tables

_Part = TypeVar("_Part")


def parse_first_day(text: str) -> dt.date:
    """Return the first day of a text that names a day, month or year; refuse any other text.

    >>> str(parse_first_day("2024")), str(parse_first_day("2024-02"))
    ('2024-01-01', '2024-02-01')
    """
    return _parse_days(text)[0]


def parse_last_day(text: str) -> dt.date:
    """Return the last day of a text that names a day, month or year; refuse any other text.

    >>> str(parse_last_day("2024")), str(parse_last_day("2024-02"))
    ('2024-12-31', '2024-02-29')
    """
    return _parse_days(text)[1]


def _parse_days(text: str) -> tuple[dt.date, dt.date]:
    """Return the first and the last day of a text that names a day, month or year.

    Refuses any other text.
    """
    try:
        return parse_days(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


METRIC_NAMES = tuple(metric.name for metric in METRICS)


def command(
    paths: options.MaybePaths = None,
    report: Annotated[
        str | None,
        value_option(
            "NAMES",
            f"Reports, in a comma list: {', '.join(REPORTS)}; of analyses {', '.join(ANALYZED_REPORTS)}; or all.",
            autocompletion=make_comma_list_completer([*REPORTS, *ANALYZED_REPORTS, EVERYTHING]),
            show_default=f"{next(iter(REPORTS))}; of analyses {next(iter(ANALYZED_REPORTS))}",
        ),
    ] = None,
    by: Annotated[
        str,
        value_option(
            "WHAT",
            f"What to group figures by, in a comma list: {', '.join(DIMENSIONS)}; or all.",
            autocompletion=make_comma_list_completer([*DIMENSIONS, EVERYTHING]),
        ),
    ] = "player",
    player: Annotated[
        list[str] | None,
        value_option(
            "NAME", "Only the figures of this player; again for another name of the player."
        ),
    ] = None,
    opponent: Annotated[
        str | None, value_option("NAME", "Only figures against this player.")
    ] = None,
    site: Annotated[
        str | None,
        value_option(
            "NAME", "Only matches played on this site: the Site of the header, else the program."
        ),
    ] = None,
    stage: Annotated[
        str,
        value_option(
            "STAGES",
            f"Only games at these stages of a match, in a comma list: {', '.join(STAGES)}.",
            autocompletion=make_comma_list_completer(STAGES),
        ),
    ] = EVERYTHING,
    since: Annotated[
        dt.date | None,
        value_option(
            "DAY", "Only matches from this day, month or year on.", parser=parse_first_day
        ),
    ] = None,
    until: Annotated[
        dt.date | None,
        value_option("DAY", "Only matches up to this day, month or year.", parser=parse_last_day),
    ] = None,
    compare: Annotated[
        str | None,
        value_option(
            "A,B",
            "Compare two periods (2023,2024 or 2023..2024-06,2025) or two conditions (length=5,length=7), with a test of each difference.",
        ),
    ] = None,
    min_games: Annotated[int, value_option("N", "Leave out groups with fewer games.", min=1)] = 1,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Leave out games that have errors or a disputed result."),
    ] = False,
    finished: Annotated[
        bool,
        typer.Option(
            "--finished", help="Leave out games that are unfinished or given up within six rolls."
        ),
    ] = False,
    aliases: options.Aliases = None,
    store: options.StoreFolder = None,
    db: options.Database = None,
    engine: options.EngineKept = None,
    level: options.LevelKept = None,
    metric: Annotated[
        str,
        value_option(
            "NAMES",
            f"Of analyses: only these error rates: {', '.join(METRIC_NAMES)}.",
            autocompletion=make_comma_list_completer(METRIC_NAMES),
        ),
    ] = EVERYTHING,
    norms: options.NormsFile = None,
    most: Annotated[
        int, value_option("N", "Of analyses: how many decisions `worst` lists.", min=1)
    ] = 10,
    format: Annotated[
        str, choice_option(ANSWER_FORMATS, "FORMAT", "How figures are written.")
    ] = "table",
    out: Annotated[
        Path | None,
        value_option("DIR", "Write the tables and the reports to files in this folder."),
    ] = None,
    plots: Annotated[
        Path | None,
        value_option("DIR", "Draw plots of the reports in this folder, as PNG and SVG."),
    ] = None,
    html: Annotated[
        Path | None,
        value_option("FILE", "Write reports and plots to this file as one page, and print none."),
    ] = None,
    force: options.Force = False,
    anonymize: options.Anonymize = False,
    rules: options.Rules = None,
    workers: Annotated[int | None, workers_option("Number of processes that read files.")] = None,
    cluster: options.OnCluster = None,
    encoding: options.Encoding = None,
    quiet: options.Quiet = False,
    color: options.Color = "auto",
) -> None:
    """Report statistics of players over many matches.

    Without --report, one table that fits a screen is shown.

    With PATH or --store, the figures come from match files and need no engine. Without
    them, they come from the database of analyzed matches, separately for each engine;
    each match counts once: of the engine that analyzed it last, the deepest analysis.

    If PATH comes with a report on analyses, --db, --engine or --level, the matches in
    these files are looked up in the database. With --store, a report on analyses counts
    the analyses in the store, of matches that it still has. Every figure has its counts
    and, if possible, a 95 % interval, estimated from the differences between matches. The
    rule book and the aliases are those of the nearest bganalyze.toml or pyproject.toml,
    unless options name others.

    A game is disputed if something in the match file contradicts its winner or points.
    It then counts by the first of these: the next score, if the final board or the result
    line agrees with it; the final board; the result line, if its points are possible. A
    match whose winner is disputed is left out of the matches won; --strict leaves
    disputed games out.

    Exit status: 2 if a file could not be read or the call was wrong, else 0.

    Example:

        bganalyze stats matches/ --report points,cube --min-games 20
        bganalyze stats matches/ --player Ann --by year,length
        bganalyze stats matches/ --player Ann --opponent Bob --stage crawford
        bganalyze stats matches/ --report checker --format csv > checker.csv
        bganalyze stats matches/ --out tables/ --plots plots/
        bganalyze stats matches/ --report all --html statistics.html --anonymize
        bganalyze stats --store club --report all --since 2024
        bganalyze stats --db club.db --report errors,luck,worst --by player,phase
        bganalyze stats matches/2024/ --db club.db --player Ann
        bganalyze stats --db club.db --report errors --player Ann --compare 2023,2024
        bganalyze stats --store club --report errors --by player
    """
    paths = paths or []
    db = _choose_database(paths, store, db)
    has_analyze = engine is not None or level is not None
    analyzed = db is not None or has_analyze or asks_for_analyses(report)
    if analyzed and (strict or rules is not None):
        raise refuse("--strict and --rules apply to files; a database holds no findings")
    if norms is not None and not analyzed:
        raise refuse(
            "--norms applies to the report on losses, which counts analyses: --report losses"
        )
    if compare is not None and (html is not None or plots is not None):
        raise refuse("--compare writes tables; --html and --plots show figures of one condition")
    if store is not None and cluster is not None:
        raise refuse("--cluster applies to files; with --store no file is read")
    config = load_settings(
        paths[0] if paths else ".", Config(rules=rules, aliases=aliases, encoding=encoding)
    )
    rule_book = BASIC if analyzed else config.rule_book
    reports = tuple(ANALYZED_REPORTS if analyzed else REPORTS)
    written = players_of(config)
    player_name = join_names(written, player)
    _refuse_report_on_files(report, paths, store, player_name, is_analyzed=analyzed)
    names = _require_reports(report, is_analyzed=analyzed)
    players: Callable[[str], str] = Anonyms(written) if anonymize else written
    person = _make_optional_parser(players if anonymize else written.player_of_name)
    question = Question(
        by=parse_comma_lists(by, tuple(DIMENSIONS), "dimension"),
        player=person(player_name),
        opponent=person(opponent),
        site=site,
        stages=parse_comma_lists(stage, STAGES, "stage"),
        since=since,
        until=until,
        min_games=min_games,
        strict=strict,
        finished=finished,
        metrics=parse_comma_lists(metric, METRIC_NAMES, "metric"),
        most=most,
        own_norms=load_norms(norms),
    )
    request = ReportRequest(
        *(names, question, make_output_options(rule_book, color), anonymize),
        of_page=html is not None,
        draws=plots is not None,
        compared=_parse_compared(compare, question),
    )
    require_writable(html, force=force)
    attempts = FileCounts()
    tables = None if out is None else _TablesFolder(out, force, quiet)
    with exit_on(OSError, UnknownNameError):
        if analyzed:
            among = _read_content_hashes(
                paths, config.encoding, attempts, workers, cluster, quiet=quiet
            )
            selection = _MatchSelection(paths, store, among)
            analyses = _find_analyses(db, selection, EngineChoice(engine, level))
            composed = _answer_from_database(analyses, request, players, tables)
        elif store is not None:
            composed = _answer_from_store(
                store, rules and rule_book_title(rule_book), request, players, tables
            )
        else:
            with open_executor(workers, cluster) as executing:
                run = _FilesRun(paths, config.encoding, rule_book, executing, attempts, quiet)
                composed = _answer_from_files(run, request, players, tables)
    _print_left_out(composed, quiet=quiet)
    if plots is not None:
        _save_images(composed.images, plots, force=force, quiet=quiet)
    if composed.page is not None and html is not None:
        write_file(html, composed.page.encode(), force=force, quiet=quiet)
    elif report is None and format == "table":
        _print_overview(composed, request, reports, quiet=quiet)
    else:
        write(get_answer_renderer(format)(composed.answer, request.setting))
    attempts.unreadable.extend(composed.left_out)
    raise report_empty_paths(attempts, paths, attempts.status(paths))


def _parse_compared(text: str | None, question: Question) -> "tuple[Condition, Condition] | None":
    """Return the two conditions that `--compare` names, such as `2023,2024`; None for None.

    Ends the run if they are wrong, or if they contradict the dates in `question`.
    """
    if text is None:
        return None
    from bganalyze.statistics.reports.comparing import parse_conditions, require_one_period

    with exit_on(ValueError):
        conditions = parse_conditions(text)
        require_one_period(conditions, question)
    return conditions


def _make_optional_parser(parse: Callable[[str], str]) -> Callable[[str | None], str | None]:
    """Return a function that parses a text with `parse`, but returns None for None."""
    return lambda name: None if name is None else parse(name)


def _require_reports(report: str | None, *, is_analyzed: bool) -> tuple[str, ...]:
    """Return the reports that `--report` names; if it is None, the first report.

    `is_analyzed` says whether they are reports on analyses.
    """
    with exit_on(UnknownWordError):
        return parse_reports(report, of_analyses=is_analyzed)


def _refuse_report_on_files(
    report: str | None,
    paths: list[str],
    store: Path | None,
    player: str | None,
    *,
    is_analyzed: bool,
) -> None:
    """End the run if analyses are counted, but `report` names a report that counts files.

    The message has the command for that report.
    """
    if not is_analyzed:
        return
    names = [name.strip() for name in (report or "").split(",")]
    of_files = next((name for name in names if name in REPORTS), None)
    if of_files is not None:
        source = list(map(hide_credentials_in, paths)) or ["PATH"]
        source = source if store is None else ["--store", str(store)]
        person = [] if player is None else ["--player", player]
        stats = shlex.join([NAME, "stats", *source, *person, "--report", of_files])
        raise refuse(f"{of_files!r} counts files, not analyses: run {stats}")


def _print_overview(
    composed: ComposedAnswer, request: ReportRequest, reports: Sequence[str], *, quiet: bool
) -> None:
    """Print a table of the first report, cut to fit the screen, and how to see more."""
    write(render_overview(composed.answer, request.setting))
    if not quiet:
        first, *others = reports
        more = (
            "" if first in ANALYZED_REPORTS else f"; {OF_ANALYSES}: {', '.join(ANALYZED_REPORTS)}"
        )
        print_note(
            f"more: --report {first} shows all tables of this report;"
            f" other reports: {', '.join(others)}, or all{more}"
        )


def _print_left_out(composed: ComposedAnswer, *, quiet: bool) -> None:
    """Print the matches on which the program failed; unless `quiet`, also groups not plotted."""
    for left_out in composed.left_out:
        complain(f"{left_out.path}: {left_out.reason}")
    for undrawn in () if quiet else composed.undrawn:
        print_note(f"{undrawn}; --player and --min-games choose")


class _TablesFolder(NamedTuple):
    """The folder of `--out`, for tables and reports."""

    folder: Path
    force: bool
    quiet: bool

    def write(self, tables: Mapping[str, Any], answer: "ReportAnswer") -> None:
        """Write the tables (data frames by name) and the reports to the folder."""
        from bganalyze.app.render.data import write_tables
        from bganalyze.statistics.tables.copies_table import tabulate_copies

        if "matches" in tables:
            tables = {**tables, "copies": tabulate_copies(tables["matches"])}
        for path in write_tables(self.folder, tables, answer, force=self.force):
            if not self.quiet:
                print_note(f"wrote {path}")


class _FilesRun(NamedTuple):
    """The files of a run of `stats`, the workers that read them, and their counts."""

    paths: list[str]
    encoding: str | None
    """The encoding of the files, if the user names it."""
    rule_book: RuleBook
    executor: Executor
    attempts: FileCounts
    quiet: bool

    def items(self) -> Iterator[FileToRead]:
        """Yield the files under the paths of the run; they are not read yet."""
        return find_files_in_encoding(self.paths, self.encoding)

    def yield_rows_or_totals(
        self, results: Iterable[tuple[list[FileOutcome], list[_Part]]]
    ) -> Iterator[_Part]:
        """Yield the rows or totals in `results`; count the files, and print unreadable ones."""
        with make_progress(self.paths, quiet=self.quiet) as progress:
            for files, parts in results:
                for outcome in progress.count_each(files):
                    self.attempts.count(outcome)
                yield from parts


def _choose_database(paths: list[str], store: Path | None, db: str | None) -> str | None:
    """Return the database of analyses to count, or None if files or a store are counted instead.

    It is `db` or the default one. Ends the run for both `paths` and `store`, and for a missing
    default database.
    """
    if paths and store is not None:
        raise refuse("give either PATH or --store, not both")
    return db if paths or store is not None else _require_database(db)


def _require_database(db: str | None, paths: Sequence[str] = ()) -> str:
    """Return the database `db`, or else the default one; end the run if that does not exist."""
    if db is not None:
        return db
    from bganalyze.analysis.store import default_path

    path = default_path()
    if Path(path).exists():
        return path
    if paths:
        raise refuse(
            f"analyze has stored nothing at {path}; run {analyze_command(paths, None)},"
            " or name a database with --db"
        )
    raise refuse(
        f"no PATH is given, and analyze has stored nothing at {path};"
        f" name files: {NAME} stats PATH; or analyze them first: {NAME} analyze PATH"
    )


def _answer_from_files(
    run: _FilesRun,
    request: ReportRequest,
    players: Callable[[str], str],
    tables: _TablesFolder | None,
) -> ComposedAnswer:
    """Return the reports that `request` asks for, from the match files of a run.

    With `tables`, the reports and all tables are also written to that folder.
    """
    from bganalyze.statistics.reports.answer import SectionsOnDisk

    written, sums = (
        (None, _sum_files(run, request, players))
        if tables is None
        else _tabulate_and_sum(run, request, players)
    )
    if not run.attempts.files:
        raise report_empty_paths(run.attempts, run.paths, run.attempts.status(run.paths))
    summary, analyses = run.attempts.summary(), partial(open_existing_analyses, None)
    composed = compose_answer(sums, request, SectionsOnDisk, summary, analyses=analyses)
    if tables is not None and written is not None:
        tables.write(written._asdict(), composed.answer)
    return composed


def _sum_files(run: _FilesRun, request: ReportRequest, players: Callable[[str], str]) -> "Sums":
    """Read the files of a run, and return the totals over their matches for reports."""
    from bganalyze.statistics.reports.sums import anonymize_sums, join_sums

    with closing(
        sum_files(run.items(), run.rule_book, request.needed_reports, run.executor)
    ) as results:
        lots = run.yield_rows_or_totals(results)
        if request.anonymize:
            lots = map(anonymize_sums, lots)
        return join_sums(lots, list_summed_tables(request.needed_reports), players)


def _anonymize_rows(part: "TableFragment") -> "TableFragment":
    """Return table rows in which names, paths, events and messages of findings are removed."""
    return part._replace(
        matches=blank_personal_columns(part.matches), findings=blank_messages(part.findings)
    )


def _tabulate_and_sum(
    run: _FilesRun, request: ReportRequest, players: Callable[[str], str]
) -> "tuple[Tables, Sums]":
    """Read the files of a run; return the tables of their matches, and the totals for reports."""
    from bganalyze.statistics.reports.sums import sum_in_memory
    from bganalyze.statistics.tables.frames import join_fragments

    job = partial(tabulate_read_files, rule_book=run.rule_book, column_groups=ALL_GROUPS)
    with closing(map_chunks(job, run.items(), run.executor)) as results:
        rows = run.yield_rows_or_totals(results)
        if request.anonymize:
            rows = map(_anonymize_rows, rows)
        tables = join_fragments(rows, player_of_name=players)
    return tables, sum_in_memory(tables, list_summed_tables(request.needed_reports))


def _answer_from_store(
    folder: Path,
    rule_book: str | None,
    request: ReportRequest,
    players: Callable[[str], str],
    tables: _TablesFolder | None,
) -> ComposedAnswer:
    """Return the reports that `request` asks for, from the store in `folder`.

    The store must have the rule book `rule_book`, unless that is None. With `tables`, the reports
    are also written to that folder.
    """
    options.require_store_packages()
    from bganalyze.statistics.store.manifest import MatchStoreError

    with exit_on(MatchStoreError):
        composed = answer_from_store(folder, request, players, rule_book)
    if tables is not None:
        tables.write({}, composed.answer)
        if not tables.quiet:
            print_note(f"the tables themselves are in {folder}: see bganalyze query --help")
    return composed


def _answer_from_database(
    analyses: "CountedAnalyses",
    request: ReportRequest,
    players: Callable[[str], str],
    tables: _TablesFolder | None,
) -> ComposedAnswer:
    """Return the reports that `request` asks for, from analyses in a database.

    With `tables`, the reports and all tables are also written to that folder.
    """
    analyzed, composed = answer_from_analyses(analyses, request, players)
    if tables is not None:
        tables.write(analyzed._asdict(), composed.answer)
    return composed


class _MatchSelection(NamedTuple):
    """The matches whose analyses are counted: in files, in a store, or all."""

    paths: list[str]
    store: Path | None
    contents: frozenset[str] | None
    """The digests of the matches of the files, if there are files."""


def _read_content_hashes(
    paths: list[str],
    encoding: str | None,
    file_counts: FileCounts,
    workers: int | None,
    cluster: str | None,
    *,
    quiet: bool,
) -> frozenset[str] | None:
    """Read the files under `paths`, and return their matches' hashes; None without paths."""
    if not paths:
        return None
    with open_executor(workers, cluster) as executing:
        sums = _sum_files(
            _FilesRun(paths, encoding, BASIC, executing, file_counts, quiet),
            ReportRequest(()),
            Players(),
        )
    if not file_counts.files:
        raise report_empty_paths(file_counts, paths, file_counts.status(paths))
    return frozenset(sums.recorded.matches["content"].dropna())


def _find_analyses(
    db: str | None, selection: _MatchSelection, choice: EngineChoice
) -> "CountedAnalyses":
    """Return the analyses of a database that are to be counted; end the run if there are none."""
    from bganalyze.analysis.select import select_counted_analyses
    from bganalyze.analysis.store_error import StoreError
    from bganalyze.statistics.store.manifest import MatchStoreError

    def yield_matches() -> Iterator["AnalyzedMatch"]:
        """Yield the analyzed matches in the database that `selection` allows."""
        with exit_on(StoreError):
            yield from require_matches(
                analyses.matches, store, selection.store, selection.paths, db
            )

    if selection.store is not None:
        options.require_store_packages()
    among = selection.contents
    with exit_on(StoreError, MatchStoreError):
        if selection.paths:
            db = _require_database(db, selection.paths)
        store = open_required_analyses(db, selection.store)
        if among is None:
            among = read_stored_match_hashes(selection.store)
        analyses = select_counted_analyses(store, choice, among)
    return analyses._replace(matches=yield_matches())


def _save_images(images: "Iterable[Image]", folder: Path, *, force: bool, quiet: bool) -> None:
    """Save images in a folder, and print their paths; end the run if one cannot be saved."""
    from bganalyze.statistics.plots.draw import save_image

    with exit_on(OSError):
        for image in images:
            path = save_image(image, folder, force=force)
            if not quiet:
                print_note(f"wrote {path}")
