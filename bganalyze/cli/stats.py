"""`bganalyze stats`: statistics of players over many matches."""

from __future__ import annotations

import datetime as dt
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from bganalyze.anonymity import Anonyms, anonymous_judged, anonymous_rows
from bganalyze.cli import options
from bganalyze.cli.endings import refuse, refusing, tell
from bganalyze.cli.io import end_of_files, page, require_matches, settings, write, write_file
from bganalyze.cli.io import players as players_of
from bganalyze.cli.options import EVERYTHING, completing, executor, listed, one_of, processes, takes
from bganalyze.cli.progress import progress_of
from bganalyze.config import Config
from bganalyze.files.reading import find
from bganalyze.jobs.executor import map_chunks
from bganalyze.jobs.outcome import FileCounts
from bganalyze.jobs.tabulate import Tabulated, tabulate_items
from bganalyze.judging.metrics import METRICS
from bganalyze.law import BASIC
from bganalyze.render import ANSWER_FORMATS, answer_renderer
from bganalyze.reports import JUDGED_REPORTS, REPORTS, bases, groups
from bganalyze.reports.question import DIMENSIONS, Question
from bganalyze.tables.fragments import ALL_GROUPS, Fragment
from bganalyze.tables.games import STAGES

if TYPE_CHECKING:
    from bganalyze.judging.match import JudgedMatch
    from bganalyze.render.setting import OutputOptions
    from bganalyze.reports.answer import ReportAnswer
    from bganalyze.reports.overview import Overview
    from bganalyze.tables.frames import JudgedTables, Tables

FORMATS = ("%Y-%m-%d", "%Y-%m", "%Y")


def first_day(text: str) -> dt.date:
    """Return a day, or the first one of a month or a year.

    >>> str(first_day("2024")), str(first_day("2024-02")), str(first_day("2024-02-03"))
    ('2024-01-01', '2024-02-01', '2024-02-03')
    """
    return _days(text)[0]


def last_day(text: str) -> dt.date:
    """Return a day, or the last one of a month or a year.

    >>> str(last_day("2024")), str(last_day("2024-02")), str(last_day("2024-02-03"))
    ('2024-12-31', '2024-02-29', '2024-02-03')
    """
    return _days(text)[1]


def _days(text: str) -> tuple[dt.date, dt.date]:
    """The first and the last day of what is named."""
    for kind in FORMATS:
        try:
            first = dt.datetime.strptime(text, kind).date()  # noqa: DTZ007 -- a day has no time zone
        except ValueError:
            continue
        if kind == "%Y":
            return first, first.replace(month=12, day=31)
        if kind == "%Y-%m":
            return first, first.replace(day=monthrange(first.year, first.month)[1])
        return first, first
    raise typer.BadParameter(f"{text!r} is no day, month or year: 2024-07-27, 2024-07, 2024")


METRIC_NAMES = tuple(metric.name for metric in METRICS)


def command(
    paths: options.MaybePaths = None,
    report: Annotated[
        str | None,
        takes(
            "NAMES",
            f"Reports, in a comma list: {', '.join(REPORTS)}; with --db {', '.join(JUDGED_REPORTS)}; or all.",
            autocompletion=completing([*REPORTS, *JUDGED_REPORTS, EVERYTHING]),
            show_default=f"{next(iter(REPORTS))}; with --db {next(iter(JUDGED_REPORTS))}",
        ),
    ] = None,
    by: Annotated[
        str,
        takes(
            "WHAT",
            f"What tells figures apart, in a comma list: {', '.join(DIMENSIONS)}; or all.",
            autocompletion=completing([*DIMENSIONS, EVERYTHING]),
        ),
    ] = "player",
    player: Annotated[str | None, takes("NAME", "Only the figures of this player.")] = None,
    opponent: Annotated[str | None, takes("NAME", "Only figures against this player.")] = None,
    site: Annotated[
        str | None,
        takes("NAME", "Only matches played there: the Site of the header, else the program."),
    ] = None,
    stage: Annotated[
        str,
        takes(
            "STAGES",
            f"Only games at these stages of a match, in a comma list: {', '.join(STAGES)}.",
            autocompletion=completing(STAGES),
        ),
    ] = EVERYTHING,
    since: Annotated[
        dt.date | None,
        takes("DAY", "Only matches from this day, month or year on.", parser=first_day),
    ] = None,
    until: Annotated[
        dt.date | None,
        takes("DAY", "Only matches up to this day, month or year.", parser=last_day),
    ] = None,
    min_games: Annotated[int, takes("N", "Leave out groups with fewer games.", min=1)] = 1,
    strict: Annotated[
        bool, typer.Option("--strict", help="Leave out every game in which an error is found.")
    ] = False,
    aliases: options.Aliases = None,
    db: options.Database = None,
    engine: options.EngineKept = None,
    level: options.LevelKept = None,
    metric: Annotated[
        str,
        takes(
            "NAMES",
            f"With --db: only these error rates: {', '.join(METRIC_NAMES)}.",
            autocompletion=completing(METRIC_NAMES),
        ),
    ] = EVERYTHING,
    most: Annotated[int, takes("N", "With --db: how many decisions `worst` lists.", min=1)] = 10,
    format: Annotated[str, one_of(ANSWER_FORMATS, "FORMAT", "How figures are written.")] = "table",
    out: Annotated[
        Path | None, takes("DIR", "Write the tables, and the reports, as files there.")
    ] = None,
    plots: Annotated[Path | None, takes("DIR", "Draw the reports there, as PNG and SVG.")] = None,
    html: Annotated[
        Path | None, takes("FILE", "Write a page there with all of it, plots too, and no text.")
    ] = None,
    force: options.Force = False,
    anonymise: options.Anonymise = False,
    rules: options.Rules = None,
    workers: Annotated[int | None, processes("How many processes read files.")] = None,
    cluster: options.OnCluster = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
    color: options.Colour = "auto",
) -> None:
    """Count what many matches tell of their players.

    Files tell what needs no engine; without PATH, judged matches tell what their
    database holds, of every engine and level apart. Every figure comes with its
    counts, and with the 95 % interval that the differences between the matches
    allow. The law and the aliases are those of the nearest bganalyze.toml or
    pyproject.toml, unless the call says otherwise.

    Exit status: 2 if a file could not be read or the call was wrong, else 0.

    Example:

        bganalyze stats matches/ --report points,cube --min-games 20
        bganalyze stats matches/ --player Ann --by year,length
        bganalyze stats matches/ --player Ann --opponent Bob --stage crawford
        bganalyze stats matches/ --report checker --format csv > checker.csv
        bganalyze stats matches/ --out tables/ --plots plots/
        bganalyze stats matches/ --report all --html statistics.html --anonymise
        bganalyze stats --db club.db --report errors,luck,worst --by player,phase
    """
    paths = paths or []
    db = _database(paths, db, by_the_law=strict or rules is not None)
    if db is None and (engine or level):
        raise refuse("--engine and --level are asked of a database; files are not judged")
    config = settings(paths[0] if paths else ".", Config(rules=rules, aliases=aliases))
    law = BASIC if db else config.law
    reports = tuple(REPORTS) if db is None else tuple(JUDGED_REPORTS)
    names = listed(report or reports[0], reports, "report") or reports
    written = players_of(config)
    players: Callable[[str], str] = Anonyms(written) if anonymise else written
    person = players if anonymise else written.known
    question = Question(
        by=listed(by, tuple(DIMENSIONS), "dimension"),
        player=None if player is None else person(player),
        opponent=None if opponent is None else person(opponent),
        site=site,
        stages=listed(stage, STAGES, "stage"),
        since=since,
        until=until,
        min_games=min_games,
        strict=strict,
        metrics=listed(metric, METRIC_NAMES, "metric"),
        most=most,
    )
    from bganalyze.tables.frames import collected, tabulate_judged

    attempts = FileCounts()
    if db is not None:
        matches = _judged(db, engine, level)
        if anonymise:
            matches = map(partial(anonymous_judged, called=players), matches)
            players = str
        with refusing(OSError):
            judged = tabulate_judged(matches, players)
            _require_named(judged, question, anonymous=anonymise)
            answer, glance = _asked_of_verdicts(judged, names, question, html)
            _write_tables(out, judged, answer, force=force)
    else:
        columns = groups((*names, *_overviewed(html))) if out is None else ALL_GROUPS
        job = partial(tabulate_items, law=law, groups=columns)
        with (
            refusing(OSError),
            executor(workers, cluster) as executing,
            closing(map_chunks(job, find(paths), executing)) as results,
        ):
            rows = _rows(results, attempts, paths, quiet=quiet)
            if anonymise:
                rows = map(anonymous_rows, rows)
            tables = collected(rows, columns, players)
            _require_named(tables, question, anonymous=anonymise)
            answer, glance = _asked_of_files(tables, names, question, html)
            _write_tables(out, tables, answer, force=force)
            del tables  # Pictures need memory too.
        files = attempts.summary()
        answer = answer._replace(files=files.anonymous() if anonymise else files)
    if plots is not None:
        _draw(answer, plots, force=force)
    if html is not None:
        _write_page(answer, glance, html, page(law, color), force=force)
    else:
        write(answer_renderer(format)(answer, page(law, color)))
    raise end_of_files(attempts, paths, attempts.status(paths))


def _overviewed(html: Path | None) -> tuple[str, ...]:
    """The reports that the overview of a page asks."""
    if html is None:
        return ()
    from bganalyze.reports.overview import OF_FILES

    return OF_FILES.reports


Asked: TypeAlias = "tuple[ReportAnswer, Overview | None]"
"""What the reports say, and for a page the overview."""


def _asked_of_files(
    tables: Tables, names: tuple[str, ...], question: Question, html: Path | None
) -> Asked:
    """Ask reports of files; their overview tells how many are judged."""
    from bganalyze.judging.store import default_path
    from bganalyze.reports.answer import answered_by
    from bganalyze.reports.overview import OF_FILES, judged_of, overview
    from bganalyze.reports.sums import kept

    sums = kept(tables, bases((*names, *_overviewed(html))))
    ask = partial(answered_by, sums)
    answer = ask(names, question)
    if html is None:
        return answer, None
    return answer, overview(
        ask, question, OF_FILES, judged_of(sums.recorded, question, default_path())
    )


def _asked_of_verdicts(
    judged: JudgedTables, names: tuple[str, ...], question: Question, html: Path | None
) -> Asked:
    """Ask reports of judged matches."""
    from bganalyze.reports.answer import judged_answered
    from bganalyze.reports.overview import OF_VERDICTS, overview

    ask = partial(judged_answered, judged)
    return ask(names, question), None if html is None else overview(ask, question, OF_VERDICTS)


def _database(paths: list[str], db: str | None, *, by_the_law: bool) -> str | None:
    """The database to count in: where no PATH is given, the one that judge keeps by itself."""
    if paths and db is None:
        return None
    if paths:
        raise refuse("either PATHs are counted or, with --db, what judge has kept")
    if by_the_law:
        raise refuse("--strict and --rules are asked of files; a database holds no findings")
    if db is not None:
        return db
    from bganalyze.judging.store import default_path

    path = default_path()
    if not Path(path).exists():
        raise refuse(f"no PATH is given, and nothing that judge has kept at {path}")
    return path


def _rows(
    results: Iterable[Tabulated], attempts: FileCounts, paths: list[str], *, quiet: bool
) -> Iterator[Fragment]:
    """Pass the rows on; show on standard error how far it is, and what could not be read."""
    with progress_of(paths, quiet=quiet) as progress:
        for files, rows in results:
            for outcome in progress.counted(files):
                attempts.count(outcome)
            yield from rows


def _require_named(tables: Tables | JudgedTables, question: Question, *, anonymous: bool) -> None:
    """Refuse a player or a site that none of the matches has, if there are any."""
    games = tables.games
    if games.empty:
        return
    names = [name for side in ("left", "right") for name in games[side].unique()]
    people = ((question.player, "player"), (question.opponent, "opponent"))
    for person, role in people:
        if anonymous and person is not None and person not in names:
            raise refuse(f"the {role} that is asked for is in none of the matches")
        options.require_name(person, names, "is in none of the matches")
    sites = tables.matches["site"].dropna().unique()
    options.require_name(question.site, sites, "is the site of none of the matches")


def _judged(db: str, engine: str | None, level: str | None) -> Iterator[JudgedMatch]:
    """Yield the matches of a database that are asked for; there is one at least."""
    from bganalyze.judging.store import StoreError, opened

    with refusing(StoreError):
        store = opened(db)
        yield from require_matches(store.matches(engine, level), store)


def _write_tables(
    folder: Path | None, tables: Tables | JudgedTables, answer: ReportAnswer, *, force: bool
) -> None:
    if folder is None:
        return
    from bganalyze.render.data import write_tables

    for path in write_tables(folder, tables, answer, force=force):
        tell(f"wrote {path}")


def _draw(answer: ReportAnswer, folder: Path, *, force: bool) -> None:
    from bganalyze.plots import plots
    from bganalyze.plots.draw import save

    with refusing(OSError):
        for name, sections in answer.reports.items():
            for file, figure in plots(name, sections):
                for path in save(figure, folder, file, force=force):
                    tell(f"wrote {path}")


def _write_page(
    answer: ReportAnswer,
    overview: Overview | None,
    path: Path,
    setting: OutputOptions,
    *,
    force: bool,
) -> None:
    from bganalyze.render.statistics_page import statistics_page

    write_file(path, statistics_page(answer, setting, overview).encode(), force=force)
