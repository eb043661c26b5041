"""`bganalyze report`: a full report on one match."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from bganalyze.app.api.analyses import analyses_of, open_analyses
from bganalyze.app.cli import options
from bganalyze.app.cli.endings import complain, refuse, refusing
from bganalyze.app.cli.io import (
    load_players,
    load_settings,
    make_output_options,
    read_matches,
    write,
    write_file,
)
from bganalyze.app.cli.options import choice_option, value_option
from bganalyze.app.config import Config
from bganalyze.app.render import REPORT_FORMATS, render_reports
from bganalyze.app.render.match_report import match_page
from bganalyze.record.model import Match
from bganalyze.statistics.anonymity import anonymize_file
from bganalyze.validation.ignores import find_ignores
from bganalyze.validation.replaying import MatchReplay

if TYPE_CHECKING:
    from bganalyze.analysis.match import AnalyzedMatch
    from bganalyze.analysis.select import EngineChoice


def command(
    path: options.OneMatch,
    match: Annotated[
        int | None, value_option("N", "Only this match of a file that holds several.", min=1)
    ] = None,
    format: Annotated[
        str, choice_option(REPORT_FORMATS, "FORMAT", "How the report is written.")
    ] = "text",
    html: Annotated[
        Path | None,
        value_option("FILE", "Write the report to this file as one page, and print none."),
    ] = None,
    force: options.Force = False,
    store: options.StoreFolder = None,
    db: options.Database = None,
    engine: options.EngineKept = None,
    level: options.LevelKept = None,
    rules: options.Rules = None,
    aliases: options.Aliases = None,
    encoding: options.Encoding = None,
    anonymize: options.Anonymize = False,
    color: options.Color = "auto",
) -> None:
    """Write a full report on one match.

    Points, games, races, checker play, cube, dice and findings. A file that holds
    several matches gives a report on each of the first 30, or by --match on one.
    Analyses by an engine are included if bganalyze analyze has stored them or the file
    holds them; of several, the deepest by the engine used last is shown.

    With --store a match may be given by its number, as bganalyze query shows it.
    Without --db the analyses are those of the store.

    An HTML page is complete in itself. The rule book and the aliases are those of the
    nearest bganalyze.toml or pyproject.toml, unless the call says otherwise.

    Example:

        bganalyze report match.mat
        bganalyze report match.mat --html report.html
        bganalyze report match.mat --db club.db --engine gnubg
        bganalyze report 17 --store club
        bganalyze report match.mat --anonymize --format markdown > shared.md
    """
    from bganalyze.analysis.select import EngineChoice
    from bganalyze.statistics.match_report import match_reports, select_reported

    path, number = (path, match) if store is None else _locate_match(store, path, match)
    config = load_settings(path, Config(rules=rules, aliases=aliases, encoding=encoding))
    called = load_players(config)
    matches = read_matches(path, config.encoding)
    silent = find_ignores(matches)
    if number is not None:
        matches = _require_match(matches, number, path)
    chosen = select_reported(matches)
    analyzed = _find_analyses(chosen.replays, db, store, EngineChoice(engine, level))
    if (db or engine or level) and not any(analyzed):
        complain(f"{path}: has no such analysis; bganalyze analyze makes one")
    if anonymize:
        chosen = select_reported(anonymize_file(matches, called))
    reports = match_reports(chosen, config.rule_book, silent, analyzed, called, config.odds)
    if html is not None:
        write_file(html, match_page(reports).encode(), force=force)
        return
    write(render_reports(reports, format, make_output_options(config.rule_book, color)))


def _require_match(matches: Sequence[Match], number: int, path: str) -> list[Match]:
    """Return the match with this number in a list; end the run if it does not exist."""
    chosen = [match for match in matches if match.number == number]
    if not chosen:
        raise refuse(f"{path}: has no match {number}")
    return chosen


def _locate_match(store: Path, word: str, match: int | None) -> tuple[str, int | None]:
    """Return the path and the number of the match that `word` and `match` name.

    A number in place of a path is that of a match of the store. Without a number, return None for
    it.
    """
    from bganalyze.statistics.store.manifest import MatchStoreError
    from bganalyze.statistics.store.opening import match_of

    if not word.isdecimal() or Path(word).exists():
        return word, match
    with refusing(MatchStoreError):
        return match_of(store, int(word))


def _find_analyses(
    replays: Sequence[MatchReplay], db: str | None, store: Path | None, choice: "EngineChoice"
) -> "list[AnalyzedMatch | None]":
    """Return the analysis of each match from the database, the store or its file.

    Return None without one.
    """
    from bganalyze.analysis.store import StoreError
    from bganalyze.statistics.store.manifest import MatchStoreError

    try:
        return analyses_of(replays, open_analyses(db, store), choice)
    except (StoreError, MatchStoreError) as error:
        if db is not None or store is not None:
            raise refuse(error) from error
        complain(str(error))
        return analyses_of(replays, None, choice)
