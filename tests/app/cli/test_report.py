"""`bganalyze report`."""

import base64
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest
from typer.testing import Result

from bganalyze.analysis.store import Store, default_path
from bganalyze.board.rule_book import RULE_BOOKS
from bganalyze.record.own_files import MARK
from bganalyze.statistics import match_report
from tests.app.cli.conftest import CLEAN as RECORD
from tests.statistics.match_report.analyzed import MATCH, analyze_text
from tests.statistics.reports.analyzed import CLEAN, analyze_samples

pytestmark = pytest.mark.slow

Run = Callable[..., Result]


def test_text_is_the_default(run: Run) -> None:
    result = run("report", "clean.mat")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("Alice  1 : 0  Bob\nAlice won the match\n")


def test_json(run: Run) -> None:
    result = run("report", "faulty.mat", "--format", "json", "--rules", "usbgf")
    read = json.loads(result.stdout)
    assert read["rule_book"] == RULE_BOOKS["usbgf"].label
    assert "P409" in [fault["finding"]["code"] for fault in read["matches"][0]["findings"]]


def test_markdown(run: Run) -> None:
    assert run("report", "clean.mat", "--format", "markdown").stdout.startswith("# Alice ")


def test_a_player_is_called_as_the_aliases_say(run: Run, folder: Path) -> None:
    (folder / "aliases.toml").write_text('[players]\n"Alice Able" = ["alice"]\n', encoding="utf-8")
    output = run("report", "clean.mat", "--aliases", "aliases.toml").stdout
    assert output.startswith("Alice Able  1 : 0  Bob\n")
    hidden = run("report", "clean.mat", "--aliases", "aliases.toml", "--anonymize").stdout
    assert hidden.startswith("Player A  1 : 0  Player B\n")


def test_a_page_is_written_and_replaced(run: Run, folder: Path) -> None:
    for _ in range(2):
        result = run("report", "clean.mat", "--html", "page.html")
        assert (result.exit_code, result.stdout, result.stderr) == (0, "", "wrote page.html\n")
    assert MARK in (folder / "page.html").read_text(encoding="utf-8")
    assert sorted(os.listdir(folder)) == ["clean.mat", "corrected.mat", "faulty.mat", "page.html"]


def test_an_archive_of_one_file_is_that_file(run: Run, folder: Path) -> None:
    with ZipFile("one.zip", "w") as archive:
        archive.write("clean.mat")
    assert run("report", "one.zip").stdout.startswith("Alice  1 : 0  Bob\n")
    assert run("report", "one.zip", "--html", "page.html").stderr == "wrote page.html\n"
    assert (folder / "page.html").is_file()


def test_a_folder_of_one_file_becomes_a_folder_of_pages(run: Run, folder: Path) -> None:
    (folder / "matches").mkdir()
    (folder / "clean.mat").rename(folder / "matches" / "clean.mat")
    for _ in range(2):  # The second time into the folder that is there.
        assert run("report", "matches", "--html", "pages").exit_code == 0
        assert "index.html" in os.listdir(folder / "pages")
    assert run("report", "corrected.mat", "--html", "pages").exit_code == 0


def test_no_record_is_overwritten(run: Run, folder: Path) -> None:
    before = (folder / "clean.mat").read_bytes()
    result = run("report", "clean.mat", "--html", "clean.mat")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert (folder / "clean.mat").read_bytes() == before


@pytest.mark.parametrize("name", ["text", "json", "markdown"])
def test_nobody_is_named(run: Run, name: str) -> None:
    output = run("report", "faulty.mat", "--anonymize", "--format", name).stdout
    assert "Player A" in output
    for word in ("Alice", "Bob", "faulty.mat"):
        assert word not in output


def test_nobody_is_named_on_a_page(run: Run, folder: Path) -> None:
    run("report", "faulty.mat", "--anonymize", "--html", "page.html")
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert "Player B" in page
    for word in ("Alice", "Bob", "faulty.mat", str(folder)):
        assert word not in page


def test_what_a_comment_silences_is_not_reported(run: Run, folder: Path) -> None:
    text = (folder / "faulty.mat").read_text(encoding="utf-8")
    silenced = text.replace("  2) 42", "; bganalyze: ignore P409 as agreed\n  2) 42")
    (folder / "silenced.mat").write_text(silenced, encoding="utf-8")
    for options in ([], ["--anonymize"]):
        assert "not all of 4-2" in run("report", "faulty.mat", *options).stdout
        assert "not all of 4-2" not in run("report", "silenced.mat", *options).stdout


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["none.mat"], "none.mat: No such file or directory"),
        (["empty"], "empty: no match file in it"),
        (["clean.mat", "--html", "none/page.html"], "No such file or directory"),
    ],
)
def test_what_is_not_there(run: Run, folder: Path, words: list[str], problem: str) -> None:
    (folder / "empty").mkdir()
    result = run("report", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert problem in result.stderr
    assert result.stderr.count("\n") == 1


SHORT = CLEAN / "short-match.mat"
"""A match long enough to be known again."""


PICTURE = re.compile('data:image/[^;]*;base64,([^"]*)')


def decode_picture(source: re.Match[str]) -> str:
    """Return a picture of a page as text, for its letters in base 64 may spell a name by chance."""
    return base64.b64decode(source[1]).decode("utf-8", "replace")


class TestStatistics:
    def test_a_page_with_all_of_it(self, run: Run, folder: Path) -> None:
        result = run("stats", "clean.mat", "--report", "points,dice", "--html", "page.html")
        assert (result.exit_code, result.stdout) == (0, "")
        assert result.stderr.endswith("wrote page.html\n")
        page = (folder / "page.html").read_text(encoding="utf-8")
        assert "Alice" in page
        assert 'src="data:image/svg+xml;base64,' in page

    def test_nobody_is_named(self, run: Run, folder: Path) -> None:
        words = ("stats", "clean.mat", "faulty.mat", "--report", "all", "--anonymize")
        run(*words, "--html", "page.html", "--out", "tables")
        page = (folder / "page.html").read_text(encoding="utf-8")
        tables = (path.read_text(encoding="utf-8") for path in (folder / "tables").glob("*.csv"))
        texts = [run(*words).stdout, PICTURE.sub(decode_picture, page), *tables]
        assert len(texts) > 10
        for text in texts:
            for word in ("Alice", "Bob", "clean.mat", str(folder)):
                assert word not in text
        assert "Player A" in texts[0]

    def test_the_player_who_is_asked_for_has_a_label_too(self, run: Run) -> None:
        words = ("stats", "clean.mat", "--player", "bob")
        named, anonymous = run(*words).stdout, run(*words, "--anonymize").stdout
        assert "Player A" in anonymous
        assert "Player B" not in anonymous
        assert named.count("\n") == anonymous.count("\n")


class TestAnalyses:
    @pytest.fixture
    def stored_evaluations(self, folder: Path) -> Path:
        """A database that holds the analyses of analyzed.mat."""
        (folder / "analyzed.mat").write_text(MATCH, encoding="utf-8")
        _, match = analyze_text(MATCH)
        Store("kept.db").add(match)
        return folder / "kept.db"

    def test_they_are_shown(self, run: Run, stored_evaluations: Path) -> None:
        result = run("report", "analyzed.mat", "--db", "kept.db")
        assert (result.exit_code, result.stderr) == (0, "")
        assert "Analyzed by dictated 1 at high." in result.stdout
        assert "1. Bob, very bad pass (cube at 2): should take" in result.stdout
        assert "cost: 0.300 EMG" in result.stdout

    def test_the_default_database_is_asked(self, run: Run, stored_evaluations: Path) -> None:
        assert "Analyzed by dictated" not in run("report", "analyzed.mat").stdout
        default = Path(default_path())
        default.parent.mkdir(parents=True)
        stored_evaluations.rename(default)
        assert "Analyzed by dictated" in run("report", "analyzed.mat").stdout
        default.write_text("this is a letter, " * 100, encoding="utf-8")
        result = run("report", "analyzed.mat")
        assert (result.exit_code, "Findings" in result.stdout) == (0, True)
        assert result.stderr.endswith("analyzed.db: file is not a database\n")

    def test_a_page_of_statistics_tells_how_many_matches_are_analyzed(
        self, run: Run, folder: Path
    ) -> None:
        def find_analyzed_count() -> str | None:
            words = ("stats", str(SHORT), "clean.mat", "--report", "players", "--html", "a.html")
            assert run(*words).exit_code == 0
            page = (folder / "a.html").read_text(encoding="utf-8")
            match = re.search(r"[0-9]+ of [0-9]+ <small>matches[,;]", page)
            return match and match[0].partition(" <")[0]

        assert find_analyzed_count() == "0 of 2"
        for analyzed_match in analyze_samples([SHORT.name]):
            Store(default_path()).add(analyzed_match)
        assert find_analyzed_count() == "1 of 2"
        Path(default_path()).write_text("this is a letter, " * 100, encoding="utf-8")
        assert find_analyzed_count() is None

    @pytest.mark.parametrize(
        ("words", "status", "problem"),
        [
            (
                ("--db", "kept.db", "--engine", "sage"),
                0,
                "analyzed.mat: has no such analysis",
            ),
            (("--db", "none.db"), 2, "none.db: no such database"),
            (("--db", "analyzed.mat"), 2, "analyzed.mat: file is not a database"),
        ],
    )
    def test_what_is_not_there(
        self, run: Run, stored_evaluations: Path, words: tuple[str, ...], status: int, problem: str
    ) -> None:
        result = run("report", "analyzed.mat", *words)
        assert (result.exit_code, result.stderr.count("\n")) == (status, 1)
        assert problem in result.stderr
        assert not Path("none.db").exists()

    def test_nobody_is_named(self, run: Run, stored_evaluations: Path) -> None:
        output = run("report", "analyzed.mat", "--db", "kept.db", "--anonymize").stdout
        assert "1. Player B, very bad pass (cube at 2)" in output
        for word in ("Ann", "Bob", "analyzed.mat"):
            assert word not in output


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Alice-Bob-2009Feb151603.mat", "date: 2009-02-15 (from the file name)\n"),
        ("dated.mat", "date: 04/01/2023 (unclear which is the day and which the month)\n"),
    ],
)
@pytest.mark.parametrize("words", [(), ("--anonymize",)])
def test_it_is_said_how_the_day_is_known(
    run: Run, folder: Path, name: str, told: str, words: tuple[str, ...]
) -> None:
    text = (folder / "clean.mat").read_text(encoding="utf-8")
    header = '; [EventDate "04/01/2023"]\n' if name == "dated.mat" else ""
    (folder / name).write_text(header + text, encoding="utf-8")
    assert told in run("report", name, *words).stdout


def test_comments_and_ratings_are_shown_unless_nobody_is_to_be_named(
    run: Run, folder: Path
) -> None:
    text = (folder / "clean.mat").read_text(encoding="utf-8")
    header = (
        '; told by Alice\n; [Player 1 Elo "1712.50/42"]\n; [Player 1 "Alice"]\n; [Player 2 "Bob"]\n'
    )
    (folder / "told.mat").write_text(header + text, encoding="utf-8")
    output = run("report", "told.mat").stdout
    assert "ratings: 1712.5 and none\n" in output
    assert output.partition("\nComments in the file\n")[2].splitlines()[:2] == [
        "Game  Line  Comment",
        "      1     told by Alice",
    ]
    (report,) = json.loads(run("report", "told.mat", "--format", "json").stdout)["matches"]
    assert report["remarks"] == [{"game": None, "line": 1, "text": "told by Alice"}]
    assert report["heading"]["ratings"] == [1712.5, None]
    hidden = run("report", "told.mat", "--anonymize").stdout
    assert "ratings" not in hidden
    assert "Comments" not in hidden


def test_of_very_many_matches_the_first_are_reported(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each takes a tenth of a second, also an empty one: so there are fewer here."""
    assert match_report.MOST_REPORTED == 30
    monkeypatch.setattr(match_report, "MOST_REPORTED", 3)
    match = " 3 point match\n\n Game 1\n Ann : 0                          Bob : 0\n\n"
    (folder / "many.mat").write_text(match * 20, encoding="utf-8")
    result = run("report", "many.mat", "--format", "json")
    read = json.loads(result.stdout)
    assert (len(read["matches"]), read["left_out"]) == (3, 17)
    text = run("report", "many.mat").stdout
    assert "The file has 17 more matches; for match N, run bganalyze report --match N" in text


def test_one_match_of_several_is_reported(run: Run, folder: Path) -> None:
    one, two = (RECORD.replace("Alice", name) for name in ("Ann", "Zoe"))
    (folder / "two.mat").write_text(one + "\n" + two, encoding="utf-8")
    assert run("report", "two.mat", "--match", "2").stdout.startswith("Zoe  1 : 0  Bob")
    result = run("report", "two.mat", "--match", "3")
    assert (result.exit_code, result.stderr) == (2, "bganalyze: two.mat: has no match 3\n")
