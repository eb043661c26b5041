"""`bganalyze stats`: statistics of players over many matches."""

import datetime as dt
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar

import typer

from bganalyze.anonymity import PERSONAL, Anonyms, anonymous_judged, anonymous_rows
from bganalyze.cli import options
from bganalyze.cli.endings import complain, refuse, refusing, tell
from bganalyze.cli.io import (
    end_of_files,
    page,
    require_matches,
    require_place,
    settings,
    write,
    write_file,
)
from bganalyze.cli.io import players as players_of
from bganalyze.cli.options import EVERYTHING, completing, executor, listed, one_of, processes, takes
from bganalyze.cli.progress import progress_of
from bganalyze.config import Config, title
from bganalyze.files.reading import find
from bganalyze.jobs.executor import Executor, map_chunks
from bganalyze.jobs.faulty import without_faulty
from bganalyze.jobs.outcome import FileCounts, FileOutcome
from bganalyze.jobs.tabulate import sum_files, tabulate_items
from bganalyze.judging.metrics import METRICS
from bganalyze.law import BASIC, Law
from bganalyze.render import ANSWER_FORMATS, answer_renderer
from bganalyze.reports import JUDGED_REPORTS, REPORTS, bases
from bganalyze.reports.question import DIMENSIONS, Question
from bganalyze.tables.fragments import ALL_GROUPS
from bganalyze.tables.games import STAGES
from bganalyze.text import Files, Unreadable

if TYPE_CHECKING:
    from bganalyze.judging.match import JudgedMatch
    from bganalyze.judging.select import CountedVerdicts
    from bganalyze.plots.draw import Image
    from bganalyze.render.setting import OutputOptions
    from bganalyze.reports.answer import Keep, ReportAnswer
    from bganalyze.reports.overview import Overview
    from bganalyze.reports.sums import LotSums, Sums
    from bganalyze.tables.frames import JudgedTables, Recorded

_Part = TypeVar("_Part")

FORMATS = ("%Y-%m-%d", "%Y-%m", "%Y")


def first_day(text: str) -> dt.date:
    """Return the day, or the first day of a month or year.

    >>> str(first_day("2024")), str(first_day("2024-02")), str(first_day("2024-02-03"))
    ('2024-01-01', '2024-02-01', '2024-02-03')
    """
    return _days(text)[0]


def last_day(text: str) -> dt.date:
    """Return the day, or the last day of a month or year.

    >>> str(last_day("2024")), str(last_day("2024-02")), str(last_day("2024-02-03"))
    ('2024-12-31', '2024-02-29', '2024-02-03')
    """
    return _days(text)[1]


def _days(text: str) -> tuple[dt.date, dt.date]:
    """Return the first and the last day of a day, month or year."""
    for date_format in FORMATS:
        try:
            first = dt.datetime.strptime(text, date_format).date()  # noqa: DTZ007 -- a day has no time zone
        except ValueError:
            continue
        if date_format == "%Y":
            return first, first.replace(month=12, day=31)
        if date_format == "%Y-%m":
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
            f"What to group figures by, in a comma list: {', '.join(DIMENSIONS)}; or all.",
            autocompletion=completing([*DIMENSIONS, EVERYTHING]),
        ),
    ] = "player",
    player: Annotated[str | None, takes("NAME", "Only the figures of this player.")] = None,
    opponent: Annotated[str | None, takes("NAME", "Only figures against this player.")] = None,
    site: Annotated[
        str | None,
        takes(
            "NAME", "Only matches played on this site: the Site of the header, else the program."
        ),
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
        bool,
        typer.Option("--strict", help="Leave out games that have errors or a disputed result."),
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
        Path | None, takes("DIR", "Write the tables and the reports to files in this folder.")
    ] = None,
    plots: Annotated[
        Path | None, takes("DIR", "Draw plots of the reports in this folder, as PNG and SVG.")
    ] = None,
    html: Annotated[
        Path | None,
        takes("FILE", "Write reports and plots to this file as one page, and print none."),
    ] = None,
    force: options.Force = False,
    anonymise: options.Anonymise = False,
    rules: options.Rules = None,
    workers: Annotated[int | None, processes("Number of processes that read files.")] = None,
    cluster: options.OnCluster = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
    color: options.Colour = "auto",
) -> None:
    """Report statistics of players over many matches.

    From files, or from a store of them, come figures that need no engine. Without
    PATH the figures come from the database of judged matches, separately for each
    engine and level; each match counts once, by the engine that judged it last, at
    its deepest level. Every figure has its counts and, where it can be told, a 95 %
    interval, estimated from the differences between matches. The law and the aliases
    are those of the nearest bganalyze.toml or pyproject.toml, unless the call says
    otherwise.

    A game whose winner or points are disputed counts as the next score has it if
    the board or the result line does too, else as the board has it, else as the
    result line has it, unless its points are impossible. A match whose winner is
    disputed is left out of the matches won; --strict leaves disputed games out.

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
        raise refuse("--strict and --rules apply to files; a database holds no findings")
    if db is None and (engine or level):
        raise refuse("--engine and --level apply to a database; files are not judged")
    if store is not None and cluster is not None:
        raise refuse("--cluster applies to files; with --store no file is read")
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
    request = _Request(
        *(names, question, players, out, anonymise, force, page(law, color)),
        of_page=html is not None,
        draws=plots is not None,
    )
    require_place(html, force=force)
    attempts = FileCounts()
    if store is not None:
        answered = _of_store(store, rules and title(law), request)
    elif db is not None:
        answered = _of_database(_judged(db, engine, level), request)
    else:
        answer_files = _of_sums_alone if out is None else _of_tables
        with refusing(OSError), executor(workers, cluster) as executing:
            run = _Run(paths, law, executing, attempts, quiet)
            answered = answer_files(run, request)
    for left_out in answered.left_out:
        complain(f"{left_out.path}: {left_out.reason}")
    if plots is not None:
        _save_images(answered.images, plots, force=force)
    if answered.page is not None and html is not None:
        write_file(html, answered.page, force=force)
    else:
        write(answer_renderer(format)(answered.answer, request.setting))
    attempts.unreadable.extend(answered.left_out)
    raise end_of_files(attempts, paths, attempts.status(paths))


class _Request(NamedTuple):
    """What to report, of whatever source of matches."""

    names: tuple[str, ...]
    """The names of the reports."""
    question: Question
    players: Callable[[str], str]
    out: Path | None
    anonymise: bool
    force: bool
    setting: "OutputOptions"
    of_page: bool
    """Whether the answer is shown as a page, which begins with an overview."""
    draws: bool
    """Whether plots are drawn."""

    @property
    def names_any(self) -> bool:
        """Whether a player, an opponent or a site is asked for."""
        question = self.question
        return (question.player, question.opponent, question.site) != (None, None, None)

    @property
    def counted(self) -> tuple[str, ...]:
        """The reports to be counted, with those of the overview."""
        if not self.of_page:
            return self.names
        from bganalyze.reports.overview import OF_FILES

        return (*self.names, *OF_FILES.reports)


class _Run(NamedTuple):
    """The files to read, and what reads them."""

    paths: list[str]
    law: Law
    executor: Executor
    attempts: FileCounts
    quiet: bool

    def parts(self, results: Iterable[tuple[list[FileOutcome], list[_Part]]]) -> Iterator[_Part]:
        """Yield what the files give; report progress and unreadable files on standard error."""
        with progress_of(self.paths, quiet=self.quiet) as progress:
            for files, parts in results:
                for outcome in progress.counted(files):
                    self.attempts.count(outcome)
                yield from parts


class _Answered(NamedTuple):
    """The reports, and all that is made of them before anything is written."""

    answer: "ReportAnswer"
    page: bytes | None = None
    """The page, if one is asked for."""
    images: "tuple[Image, ...]" = ()
    left_out: tuple[Unreadable, ...] = ()
    """The matches at which the program fails."""


def _require_one_source(paths: list[str], store: Path | None, db: str | None) -> None:
    if paths and db is not None:
        raise refuse("give either PATH or --db, not both")
    if store is not None and (paths or db is not None):
        raise refuse("give --store alone, without PATH or --db")


def _database(db: str | None) -> str:
    """Return the database to count: by default the one that judge writes to by default."""
    if db is not None:
        return db
    from bganalyze.judging.store import default_path

    path = default_path()
    if not Path(path).exists():
        raise refuse(f"no PATH is given, and judge has stored nothing at {path}")
    return path


def _of_sums_alone(run: _Run, request: _Request) -> _Answered:
    """Answer from files that are summed where they are read."""
    from bganalyze.reports.answer import SetAside
    from bganalyze.reports.sums import gathered

    with closing(sum_files(find(run.paths), run.law, request.counted, run.executor)) as results:
        lots = run.parts(results)
        if request.anonymise:
            lots = map(_anonymous, lots)
        sums = gathered(lots, bases(request.counted), request.players)
    return _of_sums(sums, request, SetAside, run.attempts.summary())


def _anonymous(lot: "LotSums") -> "LotSums":
    return lot._replace(recorded=[(anonymous_rows(rows), games) for rows, games in lot.recorded])


def _of_tables(run: _Run, request: _Request) -> _Answered:
    """Answer from files whose tables are written as well."""
    from bganalyze.reports.answer import SetAside
    from bganalyze.reports.sums import kept
    from bganalyze.tables.frames import collected

    job = partial(tabulate_items, law=run.law, groups=ALL_GROUPS)
    with closing(map_chunks(job, find(run.paths), run.executor)) as results:
        rows = run.parts(results)
        if request.anonymise:
            rows = (part._replace(matches=anonymous_rows(part.matches)) for part in rows)
        tables = collected(rows, player=request.players)
    sums = kept(tables, bases(request.counted))
    answered = _of_sums(sums, request, SetAside, run.attempts.summary())
    _write_tables(request, tables._asdict(), answered.answer)
    return answered


def _of_sums(
    sums: "Sums",
    request: _Request,
    keep: "Keep",
    files: Files | None = None,
    law: str | None = None,
) -> _Answered:
    """Answer from sums of files, without the matches at which the program fails."""
    if request.names_any:
        _require_named(sums.recorded, request)
    work = partial(_answered, request=request, keep=keep, files=files, law=law)
    answered, left_out = without_faulty(work, sums)
    return answered._replace(left_out=left_out)


def _answered(
    sums: "Sums",
    left_out: tuple[Unreadable, ...],
    request: _Request,
    keep: "Keep",
    files: Files | None,
    law: str | None,
) -> _Answered:
    """Answer from sums of files; the overview says how many of the matches are judged."""
    from bganalyze.judging.store import default_path
    from bganalyze.reports.answer import answered_by
    from bganalyze.reports.overview import OF_FILES, judged_of, overview

    ask = partial(answered_by, sums, keep=keep)
    if left_out:
        files = files or Files(sums.recorded.matches["path"].nunique(), 0, ())
        files = files._replace(unreadable=(*files.unreadable, *left_out))
    if files is not None and request.anonymise:
        files = files.anonymous()
    answer = ask(request.names, request.question)._replace(files=files, law=law)
    if not request.of_page:
        return _Answered(answer, images=_images(answer, request))
    judged = judged_of(sums.recorded, request.question, default_path())
    glance = overview(ask, request.question, OF_FILES, judged)
    return _Answered(answer, _page(answer, glance, request), _images(answer, request))


def _of_store(folder: Path, law: str | None, request: _Request) -> _Answered:
    """Answer from a store, which must have been collected under the law if one is named."""
    options.require_store_packages()
    from bganalyze.reports.stored import SETTINGS, StoredSums, set_aside
    from bganalyze.store.manifest import MatchStoreError
    from bganalyze.store.opening import opened
    from bganalyze.store.views import connected

    with refusing(MatchStoreError, OSError):
        with closing(opened(folder, law)) as manifest:
            its_law = manifest.law
        with connected(folder, settings=SETTINGS) as connection:
            emptied = PERSONAL if request.anonymise else ()
            sums = StoredSums(connection, request.players, emptied)
            answered = _of_sums(sums, request, set_aside, law=its_law)
        _write_tables(request, {}, answered.answer)
    if request.out is not None:
        tell(f"the tables themselves are in {folder}: see bganalyze query --help")
    return answered


_SUPERSEDED = "of a match left out: each match counts once, by the engine that judged it last, at its deepest level; --engine and --level choose others"


def _of_database(verdicts: "CountedVerdicts", request: _Request) -> _Answered:
    """Answer from the verdicts of a database."""
    from bganalyze.reports.answer import judged_answered
    from bganalyze.reports.figures import count_note
    from bganalyze.reports.overview import OF_VERDICTS, overview
    from bganalyze.tables.frames import tabulate_judged

    players, matches = request.players, verdicts.matches
    if request.anonymise:
        matches = map(partial(anonymous_judged, called=players), matches)
        players = str
    with refusing(OSError):
        judged = tabulate_judged(matches, players)
        _require_named(judged, request)
        ask = partial(judged_answered, judged)
        answer = ask(request.names, request.question)
        left_out = count_note(verdicts.left_out, "evaluation", _SUPERSEDED)
        answer = answer._replace(left_out=(*left_out, *answer.left_out))
        _write_tables(request, judged._asdict(), answer)
    images = _images(answer, request)
    if not request.of_page:
        return _Answered(answer, images=images)
    glance = overview(ask, request.question, OF_VERDICTS)
    return _Answered(answer, _page(answer, glance, request), images)


def _require_named(tables: "Recorded | JudgedTables", request: _Request) -> None:
    """Refuse a player or a site that none of the matches has, if there are matches."""
    games, question = tables.games, request.question
    if games.empty:
        return
    names = [name for side in ("left", "right") for name in games[side].unique()]
    people = ((question.player, "player"), (question.opponent, "opponent"))
    for person, role in people:
        if request.anonymise and person is not None and person not in names:
            raise refuse(f"the {role} named is in none of the matches")
        options.require_name(person, names, "is in none of the matches")
    sites = tables.matches["site"].dropna().unique()
    options.require_name(question.site, sites, "is the site of none of the matches")


def _judged(db: str, engine: str | None, level: str | None) -> "CountedVerdicts":
    """Return the matches of a database, at least one; end the run if there is none."""
    from bganalyze.judging.select import Judge, counted_verdicts
    from bganalyze.judging.store import StoreError, opened

    def matches() -> Iterator["JudgedMatch"]:
        with refusing(StoreError):
            yield from require_matches(verdicts.matches, store)

    with refusing(StoreError):
        store = opened(db)
        verdicts = counted_verdicts(store, Judge(engine, level))
    return verdicts._replace(matches=matches())


def _write_tables(request: _Request, tables: Mapping[str, Any], answer: "ReportAnswer") -> None:
    if request.out is None:
        return
    from bganalyze.render.data import write_tables

    for path in write_tables(request.out, tables, answer, force=request.force):
        tell(f"wrote {path}")


def _images(answer: "ReportAnswer", request: _Request) -> "tuple[Image, ...]":
    """Draw the plots of an answer, if they are asked for."""
    if not request.draws:
        return ()
    from bganalyze.plots import drawn
    from bganalyze.plots.draw import images

    made: list[Image] = []
    for name, sections in answer.reports.items():
        for picture in drawn(name, sections):
            if picture.left_out and picture.place == 1:
                tell(f"{name}-{picture.name}: {picture.left_out}; --player and --min-games choose")
            made += images(picture.figure, f"{name}-{picture.name}")
    return tuple(made)


def _save_images(images: "Iterable[Image]", folder: Path, *, force: bool) -> None:
    from bganalyze.plots.draw import save

    with refusing(OSError):
        for image in images:
            tell(f"wrote {save(image, folder, force=force)}")


def _page(answer: "ReportAnswer", overview: "Overview", request: _Request) -> bytes:
    from bganalyze.render.statistics_page import statistics_page

    return statistics_page(answer, request.setting, overview).encode()
