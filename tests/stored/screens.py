"""The screens of commands on a few samples: what a user sees in the terminal, as text.

    python -m tests.stored.screens

prints them. Their analyses are made up by the engine of the tests, so no engine has to be installed.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, chdir
from pathlib import Path
from string import ascii_uppercase
from tempfile import TemporaryDirectory
from unittest.mock import patch

from typer.testing import CliRunner, Result

import bganalyze
from bganalyze.analysis.store import Store
from bganalyze.app.cli.app import app
from tests.in_process import remember_profiles, work_here
from tests.statistics.match_report.analyzed import MATCH, analyze_text
from tests.statistics.reports.analyzed import analyze_samples
from tests.stored.findings import SAMPLES
from tests.stored.written import ODD

CLUB = ("short-match.mat", "three-point.mat", "money-jacoby-beavers.mat", "gnubg.mat")
FAULTY = {
    "P406-bar-first.mat": "26",
    "P404-corrected.mat": "1.3R",
    "P499-recorded-illegal.mat": "9",
    "R603-wrong-winner.mat": "42",
    "C503-crawford-double.mat": "38",
    "R609-resignation-size.mat": "33",
}
"""Samples with an error, and the place of an action in each."""
CLAIMS = """\
event,round,date,player1,player2,score1,score2,length
,,,Ada Quill,Cleo Hart,3,1,3
,,,Cleo Hart,Dario Fenn,3,2,3
,,,Ada Quill,Nobody Else,3,0,3
"""
ANALYZED = "--db club.db --engine guesser"
PROFILE = "profile analyzed --player 'Ada Quill' --engine recorded --db own.db --quiet --workers 1"

OF_RECORDS = (
    "matches club faulty",
    "matches club faulty --format csv",
    "verify claims.csv club faulty",
    "verify claims.csv club --format csv",
    "report faulty/R603-wrong-winner.mat",
    *(f"show {path}" for path in ("club/short-match.mat 12", "faulty/P406-bar-first.mat 26")),
    *(f"ruling faulty/{name} {place}" for name, place in FAULTY.items()),
    "ruling faulty/P406-bar-first.mat 26 --rules all --format markdown",
    *(f"repair faulty/{name}" for name in FAULTY),
    *(f"check faulty --format {form}" for form in ("csv", "github")),
    "check faulty --select P --verbose",
    "check club faulty --full --no-board",
    "formats",
    "rule",
    "rule P406",
    "rule wbgf-2.1",
    "check nothing.mat",
    "a/nothing",
    "stats club --by plaier",
)
"""Commands that need no analysis, as they are typed after `bganalyze`."""

OF_STATISTICS = (
    "stats club --report points,cube --by length,stage --format markdown --workers 1",
    "stats club --report points,checker --compare length=0,length=3 --workers 1",
    "stats club faulty --report findings,conformance --workers 1",
)

OF_ANALYSES = (
    "norms",
    "norms --format csv",
    "norms build club --db club.db --player 'Ada Quill'",
    PROFILE,
    f"{PROFILE} --format csv",
    "analyze analyzed --engine recorded --db own.db --workers 1",
    f"stats {ANALYZED} --report all --most 3",
    f"stats {ANALYZED} --report errors,cube-errors --by stage --format markdown",
    f"report club/short-match.mat {ANALYZED}",
    f"export {ANALYZED} --format csv --most 4",
    f"export {ANALYZED} --format markdown --most 3",
    f"export {ANALYZED} --format xgid --most 5",
)


OF_STORES = (
    "collect club faulty --store st --verbose --workers 1",
    "collect club/short-match.mat faulty/R603-wrong-winner.mat --store two --workers 1",
    "query 'SHOW TABLES' --store st",
    "query 'SELECT match, path, winner, length FROM matches ORDER BY path' --store st --format csv",
    "query 'SELECT * FROM games ORDER BY match, game LIMIT 2' --store st --format json",
    "query 'SELECT code, line FROM findings ORDER BY ALL' --store st --format jsonl",
    "query 'SELECT kind, loss FROM decisions ORDER BY loss DESC LIMIT 3' --store st",
    "query 'DROP TABLE games' --store st",
    "stats --store st --report points,copies",
    "stats --store st --report worst --most 2",
    "stats --store st --report cube --by stage --player 'Ada Quill' --format csv",
    "report --store st 1",
    "collect club/short-match.mat --store two --forget faulty/R603-wrong-winner.mat --workers 1",
    "query 'SELECT count(*) FROM matches' --store two --format csv",
    "query 'SELECT 1' --store club",
)
"""Commands on a store, each after those before it."""


OF_OPTIONS = (
    "check odd --format jsonl --rules wbgf-2.1 --severity error",
    "check odd --format json-object --select C,R",
    "check odd --format sarif --ignore P,T,U",
    "check odd --after-illegal stop --fail-on warning --format csv",
    "check odd --baseline known.jsonl --update-baseline",
    "check odd --baseline known.jsonl --verbose",
    "check odd/rulings.bgm --full --rules jbf --no-board",
    "check odd --out found.csv --format csv",
    "repair odd/rulings.bgm --format diff",
    "repair position.bgm --choose 1 --write --out one.bgm",
    "show tiny.mat 1.2R --plays 3",
    "show tiny.mat 2.2L --anonymize --plays 0",
    "show tiny.mat 13 --tree",
    "show tiny.mat:7:10",
    "show tiny.mat 1.2R --svg board.svg",
    "show corrections.bgm 1.3R",
    "show corrections.bgm 9.9",
    "ruling odd/beaver.bgm --format json --noticed 2.1R",
    "ruling corrections.bgm 13:19 --rules wbf,usbgf",
    "stats tiny.mat odd --report points --by player --min-games 1 --format csv",
    "stats --db tiny.db --report errors --by player --metric snowie",
    "export --db tiny.db --format cards",
    "export --db tiny.db --kind play,double --least 0.01 --anonymize",
    "export --db tiny.db --player Ann --format xgid --most 2",
    "export tiny.mat --db tiny.db --format sgf --out tiny.sgf",
    "export tiny.mat --db tiny.db --format gvab --out tiny.gvab",
    "analyze tiny.sgf --engine recorded --db own.db --decisions",
    "analyze tiny.gvab --engine recorded --db own.db --metric xg-a,mwc",
    "convert odd converted --to mat",
    "convert odd/rulings.bgm rulings.sgf",
    "convert odd/beaver.bgm - --to xg-text",
    "convert odd/beaver.bgm beaver.gvab --quiet",
    "formats fibs",
    "formats nothing",
    "norms --format toml",
    "rule C503 --rules jbf",
    "check tiny.mat --select Q9",
    "check tiny.mat --fail-on never --workers 0",
)
"""Commands with options, on matches of a game or two, each after those before it."""


OF_MANY = (
    "check many --workers 1",
    "check many --quiet --severity error --workers 1",
    "convert many out --to sgf",
    "repair many/06.mat many/10.mat many/00.mat --workers 1",
)
"""Commands on more files, and more disputed results, than lists of them show."""

MANY = """\
 3 point match

 Game 1
 Player {letter} : 0                   Guest {number} : 0
  1) 31: 8/5 6/5                 42: 8/4 6/4
  2) 65: 24/13                   11: 8/7(2) 6/5(2)
  3)  Doubles => 2                Drops
      Wins 1 point

 Game 2
 Player {letter} : {score}                   Guest {number} : 0
  1)                             21: 13/11 6/5
"""
"""A match whose second game may begin with a wrong score."""


def show_records() -> str:
    """Return the screens of commands that need no analysis."""
    return _show_all(OF_RECORDS, prepare_records)


def show_statistics() -> str:
    """Return the screens of statistics over match files."""
    return _show_all(OF_STATISTICS, prepare_records)


def show_analyses() -> str:
    """Return the screens of commands that show analyses."""
    return _show_all(OF_ANALYSES, prepare_analyses)


def show_stores() -> str:
    """Return the screens of commands that make a store, or ask one."""
    return _show_all(OF_STORES, prepare_store)


def show_options() -> str:
    """Return the screens of commands with options that others do without."""
    return _show_all(OF_OPTIONS, prepare_odd)


def show_many() -> str:
    """Return the screens of commands on many files."""
    return _show_all(OF_MANY, prepare_many)


def prepare_many(place: Path) -> None:
    """Put 26 match files, most with a wrong score, and 22 files without a match into a folder."""
    (place / "many").mkdir()
    for number, letter in enumerate(ascii_uppercase):
        text = MANY.format(letter=letter, number=number % 5, score=2 if number % 6 else 1)
        (place / "many" / f"{number:02}.mat").write_text(text, encoding="utf-8")
    for number in range(22):
        path = place / "many" / f"x{number:02}.mat"
        path.write_text("Dear all, no match here.", encoding="utf-8")


def prepare_records(place: Path) -> None:
    """Put match files and claimed results into a folder."""
    for folder, names, source in (("club", CLUB, "clean"), ("faulty", FAULTY, "faulty")):
        (place / folder).mkdir()
        for name in names:
            (place / folder / name).write_bytes((SAMPLES / source / name).read_bytes())
    (place / "claims.csv").write_text(CLAIMS, encoding="utf-8")


def prepare_database(place: Path) -> None:
    """Put match files and a database of their analyses into a folder."""
    prepare_records(place)
    store = Store("club.db")
    for name in CLUB:
        for match in analyze_samples([name]):
            store.add(match._replace(path=f"club/{name}"))


def prepare_analyses(place: Path) -> None:
    """Put match files, a database of analyses and match files with them into a folder."""
    prepare_database(place)
    _run("export club --db club.db --engine guesser --format gvab --out analyzed")


def prepare_odd(place: Path) -> None:
    """Put odd matches into a folder and beside it, and a tiny match with a database of its analysis."""
    (place / "odd").mkdir()
    paths = ("odd/beaver.bgm", "corrections.bgm", "odd/rulings.bgm", "position.bgm")
    for path, text in zip(paths, ODD.values(), strict=True):
        (place / path).write_text(text, encoding="utf-8")
    (place / "tiny.mat").write_text(MATCH, encoding="utf-8")
    _, analyzed = analyze_text(MATCH)
    Store("tiny.db").add(analyzed._replace(path="tiny.mat"))


def prepare_store(place: Path) -> None:
    """Put match files and a store of them, with analyses, into a folder."""
    prepare_database(place)
    _run("collect club faulty/R603-wrong-winner.mat --store st --workers 1")
    (place / "club.db").rename(place / "st" / "analyses.db")


def _show_all(commands: Iterable[str], prepare: Callable[[Path], None]) -> str:
    """Return each command with its output, its errors and its exit status."""
    with ExitStack() as stack:
        place = stack.enter_context(TemporaryDirectory())
        stack.enter_context(chdir(place))
        stack.enter_context(patch.dict(os.environ, _environment(place)))
        stack.enter_context(patch("bganalyze.app.cli.options.Processes", work_here))
        stack.enter_context(patch("bganalyze.app.jobs.profile.make_profile", remember_profiles()))
        prepare(Path(place))
        return "".join(f"{line}\n" for words in commands for line in _show(words, place))


def _environment(place: str) -> dict[str, str]:
    usual = {"COLUMNS": "100", "LINES": "40", "NO_COLOR": "1", "SOURCE_DATE_EPOCH": "0"}
    return {**usual, "XDG_DATA_HOME": f"{place}/data", "XDG_CACHE_HOME": f"{place}/cache"}


def _show(words: str, place: str) -> Iterator[str]:
    """Yield the lines of a command's screen, without what differs from run to run."""
    result = _run(words)
    yield f"$ bganalyze {words}"
    for text in (result.stdout, result.stderr):
        shown = text.replace(place, "PLACE").replace(bganalyze.__version__, "VERSION")
        rounded = _DIGITS.sub(r"\1", _TIMES.sub("TIME", shown))
        yield from (line.rstrip()[:MOST_COLUMNS] for line in rounded.splitlines())
    yield f"exit status {result.exit_code}"
    yield ""


MOST_COLUMNS = 240
_DIGITS = re.compile(r"([0-9]\.[0-9]{5})[0-9]+")
"""Digits beyond those that every processor computes alike."""
_TIMES = re.compile(r"\b[0-9]+(?:\.[0-9]+)? s\b|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.+Z]+")


def _run(words: str) -> Result:
    return CliRunner().invoke(app, shlex.split(words))


if __name__ == "__main__":
    print(show_records(), show_statistics(), show_analyses(), sep="\n")
