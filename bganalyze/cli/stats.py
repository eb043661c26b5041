"""`bganalyze stats`: statistics of players over many matches."""

from __future__ import annotations

import datetime as dt
import os
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeAlias

import typer

from bganalyze.anonymity import PERSONAL, Anonyms, anonymous_judged, anonymous_rows
from bganalyze.cli import options
from bganalyze.cli.endings import refuse, refusing, tell
from bganalyze.cli.io import end_of_files, page, require_matches, settings, write, write_file
from bganalyze.cli.io import players as players_of
from bganalyze.cli.options import EVERYTHING, completing, executor, listed, one_of, processes, takes
from bganalyze.cli.progress import progress_of
from bganalyze.config import Config, title
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
    from bganalyze.reports.sums import Sums
    from bganalyze.tables.frames import JudgedTables, Recorded

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
    store: options.StoreFolder = None,
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

    Files tell what needs no engine, and so does a store, which collect has made of
    them; without PATH, judged matches tell what their database holds, of every
    engine and level apart. Every figure comes with its
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
        bganalyze stats --store club --report all --since 2024
        bganalyze stats --db club.db --report errors,luck,worst --by player,phase
    """
    paths = paths or []
    _require_one_source(paths, store, db)
    if store is None and not paths:
        db = _database(db)
    if db is not None and (strict or rules is not None):
        raise refuse("--strict and --rules are asked of files; a database holds no findings")
    if db is None and (engine or level):
        raise refuse("--engine and --level are asked of a database; files are not judged")
    if store is not None and cluster is not None:
        raise refuse("--cluster is asked of files; a store lies here, and no file is read again")
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
    asked = _Asked(names, question, players, out, anonymise, force, of_page=html is not None)
    attempts = FileCounts()
    if store is not None:
        answer, glance = _of_store(store, rules and title(law), asked, workers)
    elif db is not None:
        answer, glance = _of_database(_judged(db, engine, level), asked)
    else:
        columns = groups(asked.counted) if out is None else ALL_GROUPS
        job = partial(tabulate_items, law=law, groups=columns)
        with (
            refusing(OSError),
            executor(workers, cluster) as executing,
            closing(map_chunks(job, find(paths), executing)) as results,
        ):
            answer, glance = _of_files(_rows(results, attempts, paths, quiet=quiet), asked)
        files = attempts.summary()
        answer = answer._replace(files=files.anonymous() if anonymise else files)
    if plots is not None:
        _draw(answer, plots, force=force)
    if html is not None:
        _write_page(answer, glance, html, page(law, color), force=force)
    else:
        write(answer_renderer(format)(answer, page(law, color)))
    raise end_of_files(attempts, paths, attempts.status(paths))


class _Asked(NamedTuple):
    """What is asked of whatever holds the matches."""

    names: tuple[str, ...]
    """The reports."""
    question: Question
    players: Callable[[str], str]
    out: Path | None
    anonymise: bool
    force: bool
    of_page: bool
    """Whether a page shows the answer, which begins with an overview."""

    @property
    def counted(self) -> tuple[str, ...]:
        """The reports that are asked of files: those of the overview too."""
        if not self.of_page:
            return self.names
        from bganalyze.reports.overview import OF_FILES

        return (*self.names, *OF_FILES.reports)


Answered: TypeAlias = "tuple[ReportAnswer, Overview | None]"
"""What the reports say, and for a page the overview."""


def _require_one_source(paths: list[str], store: Path | None, db: str | None) -> None:
    if paths and db is not None:
        raise refuse("either PATHs are counted or, with --db, what judge has kept")
    if store is not None and (paths or db is not None):
        raise refuse("--store names all that is counted; it goes with neither PATH nor --db")


def _database(db: str | None) -> str:
    """The database to count in: by default the one that judge keeps by itself."""
    if db is not None:
        return db
    from bganalyze.judging.store import default_path

    path = default_path()
    if not Path(path).exists():
        raise refuse(f"no PATH is given, and nothing that judge has kept at {path}")
    return path


def _of_files(rows: Iterator[Fragment], asked: _Asked) -> Answered:
    """Answer from files. Their rows are forgotten once they are summed, unless they are to be written."""
    from bganalyze.reports.sums import gathered, kept
    from bganalyze.tables.frames import collected

    if asked.anonymise:
        rows = map(anonymous_rows, rows)
    if asked.out is None:
        return _asked_of(gathered(rows, bases(asked.counted), asked.players), asked)
    tables = collected(rows, player=asked.players)
    answer, glance = _asked_of(kept(tables, bases(asked.counted)), asked)
    _write_tables(asked, tables._asdict(), answer)
    return answer, glance


def _asked_of(sums: Sums, asked: _Asked) -> Answered:
    """Ask reports of files; their overview tells how many are judged."""
    from bganalyze.judging.store import default_path
    from bganalyze.reports.answer import answered_by
    from bganalyze.reports.overview import OF_FILES, judged_of, overview

    _require_named(sums.recorded, asked)
    ask = partial(answered_by, sums)
    answer = ask(asked.names, asked.question)
    if not asked.of_page:
        return answer, None
    judged = judged_of(sums.recorded, asked.question, default_path())
    return answer, overview(ask, asked.question, OF_FILES, judged)


def _of_store(folder: Path, law: str | None, asked: _Asked, threads: int | None) -> Answered:
    """Answer from what collect has kept, by that law if one is named; no file is read again."""
    options.require_store_packages()
    from bganalyze.reports.stored import StoredSums, limited
    from bganalyze.store.manifest import MatchStoreError, opened
    from bganalyze.store.views import connected
    from bganalyze.tables.frames import settle

    threads = threads or os.cpu_count() or 1
    with refusing(MatchStoreError, OSError):
        with closing(opened(folder, law)) as manifest:
            its_law = manifest.law
        with closing(connected(folder)) as connection, limited(connection, threads):
            sums = StoredSums(connection, PERSONAL if asked.anonymise else ())
            settle(sums.recorded, asked.players)
            answer, glance = _asked_of(sums, asked)
        _write_tables(asked, {}, answer)
    if asked.out is not None:
        tell(f"the tables themselves are in {folder}: see bganalyze query --help")
    return answer._replace(law=its_law), glance


def _of_database(matches: Iterator[JudgedMatch], asked: _Asked) -> Answered:
    """Answer from the verdicts that judge keeps."""
    from bganalyze.reports.answer import judged_answered
    from bganalyze.reports.overview import OF_VERDICTS, overview
    from bganalyze.tables.frames import tabulate_judged

    players = asked.players
    if asked.anonymise:
        matches = map(partial(anonymous_judged, called=players), matches)
        players = str
    with refusing(OSError):
        judged = tabulate_judged(matches, players)
        _require_named(judged, asked)
        ask = partial(judged_answered, judged)
        answer = ask(asked.names, asked.question)
        _write_tables(asked, judged._asdict(), answer)
    return answer, overview(ask, asked.question, OF_VERDICTS) if asked.of_page else None


def _rows(
    results: Iterable[Tabulated], attempts: FileCounts, paths: list[str], *, quiet: bool
) -> Iterator[Fragment]:
    """Pass the rows on; show on standard error how far it is, and what could not be read."""
    with progress_of(paths, quiet=quiet) as progress:
        for files, rows in results:
            for outcome in progress.counted(files):
                attempts.count(outcome)
            yield from rows


def _require_named(tables: Recorded | JudgedTables, asked: _Asked) -> None:
    """Refuse a player or a site that none of the matches has, if there are any."""
    games, question = tables.games, asked.question
    if games.empty:
        return
    names = [name for side in ("left", "right") for name in games[side].unique()]
    people = ((question.player, "player"), (question.opponent, "opponent"))
    for person, role in people:
        if asked.anonymise and person is not None and person not in names:
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


def _write_tables(asked: _Asked, tables: Mapping[str, Any], answer: ReportAnswer) -> None:
    if asked.out is None:
        return
    from bganalyze.render.data import write_tables

    for path in write_tables(asked.out, tables, answer, force=asked.force):
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
