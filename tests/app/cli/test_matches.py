"""`bganalyze matches`, `bganalyze verify`, and `bganalyze report` of several files."""

import csv
import io
import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.cells import cell_len
from typer.testing import Result

from bganalyze.app.cli.app import COMMANDS
from tests.app.cli.conftest import CLEAN
from tests.json_schemas import list_schema_errors

Run = Callable[..., Result]
ROOT = Path(__file__).parents[3]

OTHER = '; [EventDate "2031.05.17"]\n; [Event "Open"]\n' + CLEAN.replace(
    "Alice", "Bruno Vale"
).replace("1 point match", "3 point match").replace(" and the match", "")
"""A match to 3 points that ends at 1–0."""


@pytest.fixture
def matches(folder: Path) -> str:
    """A folder with a complete match, an unfinished one and one with an error."""
    inside = folder / "matches"
    inside.mkdir()
    for name in ("clean.mat", "faulty.mat"):
        (inside / name).write_bytes((folder / name).read_bytes())
    (inside / "other.mat").write_text(OTHER, encoding="utf-8")
    (inside / "notes.txt").write_text("nothing\n", encoding="utf-8")
    return "matches"


def test_text_has_two_lines_for_each_match(run: Run, matches: str) -> None:
    result = run("matches", f"{matches}/other.mat", f"{matches}/clean.mat")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = [re.split(r"  +", line) for line in result.stdout.splitlines()]
    assert lines == [
        ["match", "date", "players", "score", "state", "errors"],
        ["matches/other.mat", "2031-05-17", "Bruno Vale", "1", "ends at", "0"],
        ["Open", "to 3", "Bob", "0", "1–0"],
        ["matches/clean.mat", "Alice", "1 won", "complete", "0"],
        ["", "to 1", "Bob", "0"],
        [""],
        ["2 matches, 0 with errors, 1 not complete"],
        ["Rule book: basic (base rules, player-error rule of 1931)"],
    ]


def test_money_play_is_counted_apart(run: Run, matches: str) -> None:
    money = OTHER.replace(" 3 point match", "Money session")
    Path(matches, "money.mat").write_text(money, encoding="utf-8")
    counts = run("matches", matches).stdout.splitlines()[-2]
    assert counts == "4 matches, 1 with errors, 1 money play, 1 not complete"


def test_only_what_lacks_a_part_is_listed(run: Run, matches: str) -> None:
    """A session of money play has no end; it lacks a part only if its last game is open."""
    money = OTHER.replace(" 3 point match", "Money session")
    Path(matches, "money.mat").write_text(money, encoding="utf-8")
    Path(matches, "stopped.mat").write_text(
        f"{money}\n Game 2\n Bruno Vale : 1 Bob : 0\n  1) 31: 8/5 6/5\n", encoding="utf-8"
    )
    result = run("matches", matches, "--incomplete", "--format", "csv")
    rows = csv.DictReader(io.StringIO(result.stdout))
    assert [(row["path"], row["incomplete"]) for row in rows] == [
        ("matches/other.mat", "ends at 1–0"),
        ("matches/stopped.mat", "money play; last game open"),
    ]
    text = run("matches", matches, "--incomplete").stdout
    assert "2 matches, 0 with errors, 2 not complete" in text
    refused = run("matches", matches, "--incomplete", "--html", "pages")
    assert (refused.exit_code, refused.stderr) == (
        2,
        "bganalyze: give either --incomplete or --html, not both\n",
    )


def test_text_fits_a_terminal(run: Run, matches: str) -> None:
    long = "a" * 30 + " " + "b" * 20
    (Path(matches) / f"{'long name ' * 9}.mat").write_text(
        OTHER.replace("Bruno Vale", long), encoding="utf-8"
    )
    output = run("matches", matches, "--color", "always").stdout
    plain = re.sub(r"\x1b\[[\d;]*m", "", output)
    assert max(map(cell_len, plain.splitlines())) <= 80
    assert "a" * 20 in plain


def test_on_a_very_narrow_terminal_columns_are_below_each_other(run: Run, matches: str) -> None:
    other = ("matches", f"{matches}/other.mat", "--color", "always")
    output = run(*other, env={"COLUMNS": "40"}).stdout
    assert output.startswith(
        """\
match    matches/other.mat, Open
date     2031-05-17, to 3
players  Bruno Vale – Bob
score    1 – 0
state    ends at 1–0
errors   0

1 match, """
    )


def test_data(run: Run, matches: str) -> None:
    found = json.loads(run("matches", matches, "--format", "json").stdout)
    assert list_schema_errors("matches", found) == []
    assert [one["path"] for one in found["matches"]] == [
        f"matches/{name}.mat" for name in ("clean", "faulty", "other")
    ]
    by_line = run("matches", matches, "--format", "jsonl").stdout.splitlines()
    assert list(map(json.loads, by_line)) == found["matches"]
    rows = list(csv.DictReader(io.StringIO(run("matches", matches, "--format", "csv").stdout)))
    assert [(row["winner"], row["complete"], row["errors"]) for row in rows] == [
        ("Alice", "true", "0"),
        ("Alice", "true", "1"),
        ("", "false", "0"),
    ]
    assert rows[1]["repairs"] == "1"
    assert json.loads(run("matches", "notes", "--format", "json").stdout)["matches"] == []


def test_the_list_goes_to_a_file(run: Run, matches: str) -> None:
    for kind in ("text", "csv", "json", "jsonl"):
        words = ("matches", matches, "--format", kind)
        result = run(*words, "--out", "list")
        assert (result.exit_code, result.stdout, result.stderr) == (0, "", "wrote list\n")
        assert Path("list").read_text(encoding="utf-8") == run(*words).stdout
        Path("list").unlink()
    Path("list").write_text("mine", encoding="utf-8")
    refused = run("matches", matches, "--out", "list")
    assert (refused.exit_code, Path("list").read_text(encoding="utf-8")) == (2, "mine")
    assert run("matches", matches, "--out", "list", "--force").exit_code == 0
    both = run("matches", matches, "--out", "a", "--html", "b")
    assert both.stderr == "bganalyze: give either --out or --html, not both\n"


@pytest.mark.slow
def test_pages_are_linked(run: Run, matches: str, folder: Path) -> None:
    (folder / "clean.mat").rename(folder / "Clean.mat")
    (folder / "aliases.toml").write_text('[players]\n"Alice Able" = ["alice"]\n', encoding="utf-8")
    options = ("--aliases", "aliases.toml", "--html", "pages")
    for command in ("matches", "report"):
        result = run(command, matches, "Clean.mat", *options)
        assert (result.exit_code, result.stderr) == (0, "wrote pages/index.html with 4 matches\n")
        page = (folder / "pages" / "index.html").read_text(encoding="utf-8")
        links = re.findall(r'<a href="([^"#]+)">', page)
        assert links == ["clean.html", "faulty.html", "other.html", "Clean_2.html"]
        assert all((folder / "pages" / link).is_file() for link in links)
        assert page.count("Alice Able") > 2
    (folder / "pages" / "other.html").write_text("mine", encoding="utf-8")
    refused = run("matches", matches, "--html", "pages")
    assert refused.exit_code == 2
    assert refused.stderr.startswith("bganalyze: pages/other.html: already exists")


@pytest.mark.slow
def test_report_of_several_files(run: Run, matches: str) -> None:
    result = run("report", matches, "clean.mat", "gone.mat")
    assert result.exit_code == 2
    assert result.stderr == "bganalyze: gone.mat: No such file or directory\n"
    headings = re.findall(r"^(\S+)\n=+$", result.stdout, re.MULTILINE)
    assert headings == [
        *(f"matches/{name}.mat" for name in ("clean", "faulty", "other")),
        "clean.mat",
    ]
    found = json.loads(run("report", matches, "--format", "json").stdout)
    assert list_schema_errors("report", found) == []
    assert len(found["matches"]) == 3
    for option in (("--match", "1"), ("--anonymize",)):
        refused = run("report", matches, *option)
        assert (refused.exit_code, refused.stderr) == (
            2,
            f"bganalyze: {option[0]} is for one file; name one\n",
        )


class TestVerify:
    TABLE = "player1;player2;score1;score2\nBob;ALICE;0;1\nVale, Bruno;Bob;3;0\nAlice;Bob;1;0\n"

    @pytest.fixture
    def table(self, folder: Path) -> Path:
        path = folder / "results.csv"
        path.write_text(self.TABLE, encoding="utf-8")
        return path

    def test_text(self, run: Run, matches: str, table: Path) -> None:
        result = run("verify", table, matches)
        assert (result.exit_code, result.stderr) == (1, "")
        words = " ".join(result.stdout.split())
        assert "3 Vale, Bruno – Bob 3–0 1–0 unfinished: the match file ends at 1–0" in words
        assert "3 claims: 1 unfinished, 2 confirmed Rule book: basic (" in words

    def test_statuses(self, run: Run, matches: str, table: Path) -> None:
        table.write_text(self.TABLE.replace("Vale, Bruno;Bob;3;0\n", ""), encoding="utf-8")
        assert run("verify", table, matches).exit_code == 0
        table.write_text(self.TABLE.replace("ALICE;0", "ALICE;x"), encoding="utf-8")
        refused = run("verify", table, matches)
        problem = f"bganalyze: {table}:2: score1 'x' is no whole number\n"
        assert (refused.exit_code, refused.stderr, refused.stdout) == (2, problem, "")
        assert run("verify", "gone.csv", matches).stderr.startswith("bganalyze: gone.csv: No such")
        assert run("verify", table, "gone.mat").exit_code == 2

    def test_data(self, run: Run, matches: str, table: Path) -> None:
        found = json.loads(run("verify", table, matches, "--format", "json").stdout)
        assert list_schema_errors("verification", found) == []
        rows = csv.DictReader(io.StringIO(run("verify", table, matches, "--format", "csv").stdout))
        assert [(row["line"], row["status"], row["path"]) for row in rows] == [
            ("2", "confirmed", "matches/clean.mat"),
            ("3", "unfinished", "matches/other.mat"),
            ("4", "confirmed", "matches/faulty.mat"),
        ]
        page = run("verify", table, matches, "--format", "html").stdout
        assert "Unfinished (1)" in page

    def test_the_table_comes_from_standard_input(self, run: Run, matches: str, table: Path) -> None:
        named = run("verify", table, matches)
        piped = run("verify", "-", matches, input=self.TABLE)
        assert (piped.exit_code, piped.stdout) == (named.exit_code, named.stdout)
        wrong = run("verify", "-", matches, input="player1;score\n")
        assert wrong.exit_code == 2
        assert wrong.stderr.startswith("bganalyze: -:1: ")
        both = run("verify", "-", "-", input=self.TABLE)
        assert "name a file for one of them" in both.stderr

    def test_aliases_join_other_names(self, run: Run, matches: str, table: Path) -> None:
        table.write_text("player1,player2,score1,score2\nali,Bob,1,0\n", encoding="utf-8")
        assert "missing" in run("verify", table, matches).stdout
        Path("aliases.toml").write_text('[players]\n"Alice" = ["ali"]\n', encoding="utf-8")
        assert run("verify", table, matches, "--aliases", "aliases.toml").exit_code == 0

    @pytest.mark.slow
    def test_the_director_s_commands_work(self, run: Run, matches: str, table: Path) -> None:
        text = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
        section = text.partition("## All matches of a tournament")[2].partition("\n## ")[0]
        block = re.search(r"```sh\n(.*?)```", section, re.DOTALL)
        calls = [
            shlex.split(line.partition(" #")[0].partition(" >")[0])
            for line in block[1].splitlines()
        ]
        assert {call[1] for call in calls} == {"matches", "verify", "report"} <= set(COMMANDS)
        for call in calls:
            assert run(*call[1:]).exit_code == (call[1] == "verify"), call
        example = re.search(r"```text\n(.*?)```", section, re.DOTALL)
        table.write_text(example[1], encoding="utf-8")
        assert run("verify", table, matches).exit_code == 1


def test_copies_of_a_match_are_named(run: Run, matches: str, folder: Path) -> None:
    assert "same match" not in run("matches", matches).stdout
    name = next(path for path in sorted((folder / matches).rglob("*")) if path.is_file())
    copy = name.with_name(f"zz{name.suffix}")
    copy.write_bytes(name.read_bytes())
    text = run("matches", str(name), str(copy)).stdout
    assert f"{copy} holds the same match as {name}" in text.splitlines()
