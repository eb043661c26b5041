"""`bganalyze stats`: what it counts, in every format, whatever the players are called."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import Result

from bganalyze.app.api.stats import stats
from bganalyze.app.render import ANSWER_FORMATS
from bganalyze.statistics.reports import REPORTS
from tests.app.cli.conftest import CLEAN
from tests.in_process import remember_pictures

pytestmark = pytest.mark.slow

Run = Callable[..., Result]

NASTY = [
    "<script>alert(1)</script>",
    "=cmd|' /C calc'!A0",
    "../../etc/passwd",
    "x" * 300,
    "\u05d0\u05d1\u202egnp.exe",
    "\U0001f3b2\U0001f469\u200d\U0001f4bb",
    "| a | `b` **c** |",
    "\x1b[2Jgone",
]
"""Names that mean something to pages, spreadsheets, file systems or terminals."""


def name_player(name: str) -> str:
    return CLEAN.replace("Alice", name).replace("Bob", "Player,1523")


@pytest.fixture
def nasty(folder: Path) -> Path:
    """A folder with a match of each player."""
    records = folder / "nasty"
    records.mkdir()
    for number, name in enumerate(NASTY):
        (records / f"{number}.mat").write_text(name_player(name), encoding="utf-8")
    return records


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_points_of_every_player(run: Run) -> None:
    result = run("stats", "clean.mat")
    assert result.exit_code == 0, result.output
    assert "Alice" in result.output
    assert "0 % to 79.3 %" in result.output
    assert "counted: 1 match, 1 game, 4 rolls" in result.output


@pytest.mark.parametrize("report", REPORTS)
def test_every_report(run: Run, report: str) -> None:
    result = run("stats", ".", "--report", report)
    assert result.exit_code == 0, result.output
    assert result.exception is None
    assert result.output


def test_json(run: Run) -> None:
    data = json.loads(run("stats", "clean.mat", "--format", "json", "--by", "all").stdout)
    assert data["question"]["by"] == []
    games = data["reports"]["points"][0]
    assert games["title"] == "Games"
    assert games["rows"][0]["figure"] == "games"


def test_csv_has_one_header(run: Run) -> None:
    table = rows(run("stats", "clean.mat", "--format", "csv", "--report", "points,dice").stdout)
    assert {row["report"] for row in table} == {"points", "dice"}


WHOLE = ("count", "of", "matches", "year", "length")
"""Columns of integers: counts and labels. No figure of these reports sums fractions."""


def test_counts_and_years_are_whole_numbers(run: Run, folder: Path) -> None:
    (folder / "dated.mat").write_text('; [EventDate "2024.07.27"]\n' + CLEAN, encoding="utf-8")
    (folder / "undated.mat").write_text(CLEAN.replace("Alice", "Ann"), encoding="utf-8")
    words = ("stats", "dated.mat", "undated.mat", "--by", "year,length", "--report")
    of_json = json.loads(run(*words, "points,dice,findings", "--format", "json").stdout)
    of_sections = [
        row for name in of_json["reports"].values() for section in name for row in section["rows"]
    ]
    assert {type(row[name]) for row in of_sections for name in WHOLE if name in row} == {
        int,
        type(None),
    }
    assert {row["year"] for row in of_sections if "year" in row} == {2024, None}
    of_csv = rows(run(*words, "points,dice,findings", "--format", "csv").stdout)
    assert {row["year"] for row in of_csv} == {"2024", ""}
    assert not [row[name] for row in of_csv for name in WHOLE if "." in row[name]]
    assert all(row["value"].isdigit() for row in of_csv if row["kind"] == "count")
    table = run(*words, "points").stdout
    assert "\n2024     1 " in table
    run(*words, "points", "--out", "tables")
    assert "\n2024,1,games,count,2,,,2,2,1,\n" in (folder / "tables/points-games.csv").read_text(
        "utf-8"
    )


def test_names_break_no_format(nasty: Path) -> None:
    answer = stats(nasty, "all")
    for kind in ANSWER_FORMATS:
        text = answer.render(kind)
        assert "x" * 20 in text
        assert "\x1b" not in text
        assert "\u202e" not in text


@pytest.mark.parametrize("kind", sorted(ANSWER_FORMATS.keys() - {"table"}))  # fits the screen
def test_every_format(run: Run, nasty: Path, kind: str) -> None:
    result = run("stats", nasty, "--format", kind)
    assert (result.exit_code, result.stdout) == (0, stats(nasty).render(kind))


def test_no_name_is_a_formula(run: Run, nasty: Path) -> None:
    run("stats", nasty, "--out", "made")
    for path in Path("made").glob("*.csv"):
        for row in rows(path.read_text(encoding="utf-8")):
            assert not any(str(cell).startswith(("=", "@", "+")) for cell in row.values()), path


def test_no_name_is_a_mark(run: Run, nasty: Path) -> None:
    text = run("stats", nasty, "--format", "markdown").stdout
    assert "<script>" not in text
    for section in text.split("### ")[1:]:
        rows = [line for line in section.splitlines() if line.startswith("| ")]
        assert len({row.replace("\\|", "").count("|") for row in rows}) == 1, section


def test_files_are_named_by_us(run: Run, nasty: Path) -> None:
    result = run("stats", nasty, "--out", "made")
    assert result.exit_code == 0, result.output
    names = {path.name for path in Path("made").iterdir()}
    assert {"matches.csv", "games.csv", "turns.csv", "cubes.csv", "findings.csv"} <= names
    assert {"points-games.csv", "points-ledger.csv"} <= names
    assert len(pd.read_csv("made/games.csv")) == len(NASTY)


def test_parquet_where_it_can_be_had(run: Run) -> None:
    pytest.importorskip("pyarrow")
    run("stats", "clean.mat", "--out", "made")
    assert pd.read_parquet("made/turns.parquet")["high"].tolist() == [3, 6, 4, 6]


def test_ratings_case_and_aliases(run: Run, folder: Path) -> None:
    renamed = CLEAN.replace("Alice", "ALICE,1523").replace("65: 24/13", "64: 24/14")
    Path("again.mat").write_text(renamed, encoding="utf-8")
    other = CLEAN.replace("Alice", "Ally").replace("65: 24/13", "63: 24/15")
    Path("other.mat").write_text(other, encoding="utf-8")
    Path("aliases.toml").write_text('[players]\n"Alice" = ["ally"]\n', encoding="utf-8")
    files = ("clean.mat", "again.mat", "other.mat")
    counted = rows(run("stats", *files, "--format", "csv").stdout)
    games = {
        row["player"]: row["value"]
        for row in counted
        if row["figure"] == "games" and row["section"] == "Games"
    }
    assert games == {"Alice": "2", "Bob": "3", "Ally": "1"}
    counted = rows(run("stats", *files, "--format", "csv", "--aliases", "aliases.toml").stdout)
    games = {
        row["player"]: row["value"]
        for row in counted
        if row["figure"] == "games" and row["section"] == "Games"
    }
    assert games == {"Alice": "3", "Bob": "3"}
    words = ("--player", "alice", "--player", "Ally", "--format", "csv")
    joined = rows(run("stats", *files, *words).stdout)
    games = {
        row["player"]: row["value"]
        for row in joined
        if row["figure"] == "games" and row["section"] == "Games"
    }
    assert games == {"alice": "3"}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"a = " + b"[" * 50_000, "brackets are nested too deeply"),
        (b"a = " + b"{a=" * 50_000, "brackets are nested too deeply"),
        (b"a." * 10_000 + b"a = 1", "a key has more than 50 parts"),
        (b"a = 1" + b"0" * 5_000, "4300 digits"),
        (b"#" * 5_000_001, "larger than 5,000,000 bytes"),
        ('[players]\n"A" = ["b"]'.encode("utf-16"), "is not UTF-8 text"),
        (b'[players]\n"A" = ["\0"]', "Illegal character"),
        (b"[players]\nA = []\nA = []", "Cannot overwrite a value"),
    ],
)
def test_aliases_that_make_no_sense_are_one_line(
    run: Run, folder: Path, content: bytes, problem: str
) -> None:
    Path("odd.toml").write_bytes(content)
    result = run("stats", "clean.mat", "--aliases", "odd.toml")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert result.stderr.startswith("bganalyze: odd.toml: ")
    assert problem in result.stderr


def test_a_player_may_be_asked_for_by_an_alias(run: Run, folder: Path) -> None:
    Path("aliases.toml").write_text('[players]\n"Alice Able" = ["alice"]\n', encoding="utf-8")
    words = ("--aliases", "aliases.toml", "--player", "alice", "--format", "csv")
    counted = rows(run("stats", "clean.mat", *words).stdout)
    assert {row["player"] for row in counted if row["section"] == "Games"} == {"Alice Able"}


def test_rule_book_and_aliases_come_from_the_settings_unless_the_call_says_otherwise(
    run: Run, folder: Path
) -> None:
    (folder / "names.toml").write_text('[players]\n"Alice Able" = ["alice"]\n', encoding="utf-8")
    (folder / "bganalyze.toml").write_text(
        'rules = "usbgf"\naliases = "names.toml"\n[switches]\njacoby = true\n', encoding="utf-8"
    )
    output = run("stats", "clean.mat").stdout
    assert "Alice Able" in output
    assert output.endswith(", 2025-01) with jacoby = true\n")
    assert "rule book: wbgf-2.1 (World" in run("stats", "clean.mat", "--rules", "wbf").stdout
    assert run("report", "clean.mat").stdout.startswith("Alice Able  1 : 0  Bob\n")
    (folder / "bganalyze.toml").write_text("aliases = 3\n", encoding="utf-8")
    for command in ("stats", "report"):
        result = run(command, "clean.mat")
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--report", "nothing"), "is no report"),
        (
            ("--report", "wors"),
            "players, and all; of analyses, made by bganalyze analyze: errors, ",
        ),
        (("--report", "wors"), "summary, ratings; did you mean worst or errors?\n"),
        (("--report", "errors,pionts"), "ratings, and all; of match files: points, "),
        (("--report", "errors,pionts"), "did you mean points?\n"),
        (("--by", "weather"), "is no dimension"),
        (("--aliases", "missing.toml"), "missing.toml"),
        (("--format", "xml"), "not one of"),
        (("--since", "yesterday"), "is not a day, month or year"),
        (("--player", "Alicia"), "'Alicia' is in none of the matches; there is 'Alice'"),
        (("--player", "Xaver"), "'Xaver' is in none of the matches; there are '"),
        (("--player", "Xaver", "--anonymize"), "player named is in none of the matches\n"),
        (("--player", "lic"), "'lic' is in none of the matches; there is 'Alice'"),
        (("--opponent", "Bop"), "'Bop' is in none of the matches; there is 'Bob'"),
        (("--opponent", "Xaver", "--anonymize"), "opponent named is in none"),
        (("--player", "Alicia"), "and 1 other name: bganalyze matches PATH lists all"),
        (("--site", "Nowhere"), "'Nowhere' is the site of none of the matches"),
        (("--stage", "crawfrod"), "did you mean crawford"),
    ],
)
def test_a_wrong_call_is_told(run: Run, options: tuple[str, ...], problem: str) -> None:
    result = run("stats", "clean.mat", *options)
    assert result.exit_code == 2
    assert problem in result.output


@pytest.mark.parametrize(
    "text", ["x = 1", "[players]\nAnn = 'annie'", "[players]\nA = ['x']\nB = ['X']", "["]
)
def test_a_wrong_alias_file_is_told(run: Run, text: str) -> None:
    Path("aliases.toml").write_text(text, encoding="utf-8")
    result = run("stats", "clean.mat", "--aliases", "aliases.toml")
    assert result.exit_code == 2
    assert "bganalyze: aliases.toml: " in result.output


def test_what_cannot_be_read_is_told(run: Run, folder: Path) -> None:
    (folder / "empty").mkdir()
    result = run("stats", "clean.mat", "missing.mat", "empty")
    assert result.exit_code == 2
    assert "missing.mat: " in result.output
    assert "empty: no match file in it" in result.output
    assert "Alice" in result.output


def test_a_broken_archive_is_told_of_once_and_fails_the_run(run: Run, folder: Path) -> None:
    broken = folder / "broken.zip"
    broken.write_text("no archive")
    by_name, in_folder = run("stats", str(broken), "-q"), run("stats", str(folder), "-q")
    assert (by_name.exit_code, in_folder.exit_code) == (2, 2)
    for result in (by_name, in_folder):
        assert [line for line in result.stderr.splitlines() if "broken.zip" in line] == [
            f"bganalyze: {broken}: broken archive (File is not a zip file)"
        ]


def test_a_long_name_fits_the_page(run: Run, nasty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    result = run("stats", nasty, "--color", "always")
    assert result.exit_code == 0


@pytest.mark.parametrize(
    ("option", "name"), [("--out", "matches.csv"), ("--plots", "points-ledger.svg")]
)
def test_tables_of_other_people_are_kept(
    run: Run, option: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bganalyze.statistics.plots.draw._render_figure", remember_pictures())
    words = ("stats", "clean.mat", "--report", "points", option, "out")
    assert run(*words).exit_code == run(*words).exit_code == 0
    table = Path("out", name)
    original = table.read_bytes()
    table.write_text("precious", encoding="utf-8")
    result = run(*words)
    assert (result.exit_code, table.read_text(encoding="utf-8")) == (2, "precious")
    assert f"{table}: already exists" in result.stderr
    assert run(*words, "--force").exit_code == 0
    assert table.read_bytes() == original


@pytest.mark.parametrize(
    "words", [("stats",), ("convert", "--to", "json"), ("analyze", "--db", "j.db")]
)
def test_a_name_that_is_no_text_is_kept_as_utf8_can_hold_it(
    run: Run, words: tuple[str, ...]
) -> None:
    folder = Path("named")
    folder.mkdir()
    try:
        Path("clean.mat").rename(folder / "m\udce9.mat")
    except OSError:
        pytest.skip("this file system has no such names")
    command, *options = words
    targets = [folder, "made"] if command == "convert" else [folder]
    engine = ("--engine", "recorded") if command == "analyze" else ()
    result = run(command, *targets, *options, *engine)
    assert not isinstance(result.exception, UnicodeError)


def test_a_day_that_nothing_tells_from_the_month_is_said_to_be_left_out(
    run: Run, folder: Path
) -> None:
    (folder / "a.mat").write_text('; [EventDate "04/01/2023"]\n' + CLEAN, encoding="utf-8")
    output = run("stats", "a.mat", "--since", "2020", "--report", "points").stdout
    assert "1 match with ambiguous day and month left out" in output
    (folder / "b.mat").write_text('; [EventDate "30/01/2023"]\n' + CLEAN, encoding="utf-8")
    output = run("stats", ".", "--since", "2020", "--report", "points").stdout
    assert "tells apart" not in output


# A store, instead of files.


@pytest.fixture
def club(run: Run, nasty: Path) -> Path:
    pytest.importorskip("duckdb", reason="the extra store is not installed")
    folder = nasty.parent / "club"
    assert run("collect", nasty, "--store", folder).exit_code == 0
    return folder


@pytest.mark.parametrize(
    "options",
    [
        ("--report", "all", "--by", "month"),
        ("--report", "points,head-to-head,findings", "--anonymize", "--strict"),
    ],
)
def test_a_store_says_what_its_files_say(
    run: Run, nasty: Path, club: Path, options: tuple[str, ...]
) -> None:
    words = ("stats", "--format", "csv", *options)
    result = run(*words, "--store", club)
    assert result.exit_code == 0, result.output
    assert result.stdout == run(*words, nasty).stdout


def test_a_store_is_asked_by_its_own_rule_book(run: Run, club: Path) -> None:
    assert (
        json.loads(run("stats", "--store", club, "--format", "json").stdout)["rule_book"]
        == "basic (base rules, player-error rule of 1931)"
    )
    refused = run("stats", "--store", club, "--rules", "wbf")
    assert refused.exit_code == 2
    assert "collected by the rule book basic" in refused.stderr


def test_from_a_store_figures_are_written_and_its_tables_stay_there(
    run: Run, club: Path, tmp_path: Path
) -> None:
    result = run("stats", "--store", club, "--out", tmp_path / "out")
    assert result.exit_code == 0
    assert (tmp_path / "out" / "points-games.csv").exists()
    assert not (tmp_path / "out" / "turns.csv").exists()
    assert f"the tables themselves are in {club}" in result.stderr


@pytest.mark.parametrize("other", [("nasty",), ("--cluster", "local:1")])
def test_a_store_is_asked_alone(run: Run, other: tuple[str, ...]) -> None:
    result = run("stats", *other, "--store", "club")
    assert result.exit_code == 2
    assert "store" in result.stderr


def test_the_default_fits_a_screen_and_says_what_else_there_is(run: Run) -> None:
    result = run("stats", ".")
    assert result.stdout.startswith("Games (points)\n")
    assert "Matches (points)" not in result.stdout
    assert "more: --report points" in result.stderr
    assert "Matches (points)" in run("stats", ".", "--report", "points").stdout


def test_tables_in_a_pipe_have_at_most_120_columns(run: Run) -> None:
    lines = run("stats", ".", "--report", "points,checker").stdout.splitlines()
    notes = next(n for n, line in enumerate(lines) if line.startswith("counted:"))
    assert max(map(len, lines[:notes])) <= 120


@pytest.mark.parametrize(
    ("words", "next_step"),
    [
        (("--db", "a.db", "--report", "luck,cube"), "run bganalyze stats PATH --report cube\n"),
        (
            ("clean.mat", "--db", "a.db", "--report", "points", "--player", "Ann"),
            "run bganalyze stats clean.mat --player Ann --report points\n",
        ),
    ],
)
def test_a_report_of_another_source_names_the_commands_to_run(
    run: Run, words: tuple[str, ...], next_step: str
) -> None:
    result = run("stats", *words)
    assert (result.exit_code, result.stderr.endswith(next_step)) == (2, True)


def test_the_site_is_spelled_as_recorded(run: Run, folder: Path) -> None:
    text = Path("clean.mat").read_text(encoding="utf-8")
    (folder / "at.mat").write_text(f'; [Site "Club Nord"]\n{text}', encoding="utf-8")
    result = run("stats", "at.mat", "--site", "club nord", "--report", "points", "--html", "a.html")
    assert result.exit_code == 0
    page = (folder / "a.html").read_text(encoding="utf-8")
    assert "Statistics at Club Nord" in page
