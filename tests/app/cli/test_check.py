"""`bganalyze check`: options, output and exit status."""

import csv
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import Result

import bganalyze
from bganalyze.app.jobs.checked import CheckOutcome
from bganalyze.app.jobs.executor import WorkerError
from bganalyze.board.rule_book import RULE_BOOKS

Run = Callable[..., Result]

LINE = "faulty.mat:6:6: P409 error: "

PROGRAM = """\
from bganalyze.app.cli import main

if __name__ == "__main__":
    main()
"""


class TestStatus:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("words", "status"),
        [
            (["clean.mat"], 0),
            (["faulty.mat"], 1),
            (["corrected.mat"], 0),
            (["corrected.mat", "--fail-on", "info", "--select", "P"], 0),
            (["clean.mat", "faulty.mat"], 1),
            (["faulty.mat", "--fail-on", "never"], 0),
            (["faulty.mat", "--ignore", "P409"], 0),
            (["faulty.mat", "--select", "T,R", "--select", "C"], 0),
            (["faulty.mat", "--select", "P409", "--ignore", "P"], 1),
            (["none.mat"], 2),
            (["faulty.mat", "none.mat"], 2),
        ],
    )
    def test_status(self, run: Run, words: list[str], status: int) -> None:
        assert run("check", *words).exit_code == status

    @pytest.mark.parametrize(
        "words",
        [
            [],
            ["clean.mat", "--select", "X"],
            ["clean.mat", "--rules", "ebif"],
            ["clean.mat", "--fail-on", "remark"],
            ["clean.mat", "--format", "xml"],
            ["clean.mat", "--color", "red"],
            ["clean.mat", "--after-illegal", "cry"],
            ["clean.mat", "--workers", "0"],
            ["clean.mat", "--nonsense"],
        ],
    )
    def test_a_wrong_call(self, run: Run, words: list[str]) -> None:
        result = run("check", *words)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr
        assert "Traceback" not in result.stderr

    def test_an_unknown_code_names_the_families(self, run: Run) -> None:
        errors = run("check", "clean.mat", "--select", "X").stderr
        assert "the families are T (transcript), " in errors
        assert "`bganalyze rule` lists their codes" in errors


class TestInput:
    def test_the_other_files_are_checked(self, run: Run) -> None:
        assert run("check", "none.mat").stdout == ""
        result = run("check", "none.mat", "faulty.mat")
        assert result.stdout.startswith(LINE)
        assert result.stderr == "bganalyze: none.mat: No such file or directory\n"

    def test_standard_input(self, run: Run, folder: Path) -> None:
        result = run("check", "-", input=(folder / "faulty.mat").read_bytes())
        assert result.stdout.startswith("-:6:6: P409 ")
        assert result.exit_code == 1

    def test_a_folder(self, run: Run, folder: Path) -> None:
        (folder / "notes.txt").write_text("no transcript")
        result = run("check", ".")
        assert "3 files checked, 1 skipped" in result.stdout
        assert (result.exit_code, result.stderr) == (1, "")

    def test_a_program_with_a_line_like_a_score(self, run: Run, folder: Path) -> None:
        (folder / "perl.h").write_text("a : 1  b : 2\n" + "more\n" * 500)
        assert "3 files checked, 1 skipped" in run("check", ".").stdout
        result = run("check", "perl.h")
        assert (result.exit_code, result.stdout) == (2, "")
        assert "line 1 looks like a game, but no play or result" in result.stderr

    def test_a_folder_without_transcripts(self, run: Run, folder: Path) -> None:
        (folder / "empty").mkdir()
        (folder / "empty" / "notes.txt").write_text("no transcript")
        result = run("check", "empty", "clean.mat")
        assert result.exit_code == 2
        assert (
            result.stderr
            == "bganalyze: empty: no match file in it; bganalyze formats lists what can be read\n"
        )

    @pytest.mark.parametrize("form", ["jsonl", "json-object", "csv", "sarif", "github"])
    def test_a_program_reads_of_a_folder_without_transcripts(
        self, run: Run, folder: Path, form: str
    ) -> None:
        (folder / "empty").mkdir()
        result = run("check", "empty", "clean.mat", "--format", form)
        times = 1 if form != "sarif" else 2
        assert (result.exit_code, result.stdout.count("no match file in it")) == (2, times)
        assert result.stderr.count("no match file in it") == 1
        found = bganalyze.check(["empty", "clean.mat"])
        assert found.render(form).count("no match file in it") == times

    def test_an_archive(self, run: Run, folder: Path) -> None:
        with zipfile.ZipFile("a.zip", "w") as archive:
            archive.write("faulty.mat")
        assert run("check", "a.zip", "-q").stdout.startswith(f"a.zip!{LINE}")
        assert run("check", "a.zip!faulty.mat", "-q").stdout.startswith(f"a.zip!{LINE}")

    @pytest.mark.parametrize(
        ("name", "content", "problem"),
        [
            ("a.mat", b"", "the file is empty"),
            ("a.mat", b"\0\xff" * 5000, "no match line"),
            ("a.zip", b"junk", "broken archive"),
        ],
        ids=["empty", "binary", "broken archive"],
    )
    def test_bad_files_are_one_line(
        self, run: Run, name: str, content: bytes, problem: str
    ) -> None:
        Path(name).write_bytes(content)
        result = run("check", name)
        assert result.exit_code == 2
        assert result.stderr.startswith(f"bganalyze: {name}: ")
        assert problem in result.stderr
        hint = "bganalyze formats lists what can be read\n" if problem == "no match line" else ""
        assert result.stderr.partition("\n")[2] == hint

    def test_two_hundred_megabytes_of_junk(self, run: Run) -> None:
        with Path("junk.mat").open("wb") as file:
            file.truncate(200 * 2**20)
        result = run("check", "junk.mat")
        assert result.exit_code == 2
        assert "junk.mat: larger than 64 MiB" in result.stderr

    def test_a_path_given_twice_is_checked_once(self, run: Run) -> None:
        assert run("check", "faulty.mat", "./faulty.mat", "-q").stdout.count(LINE) == 1

    @pytest.mark.slow
    def test_a_bomb(self, run: Run) -> None:
        with zipfile.ZipFile("bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("a.mat", bytes(70 * 2**20))
        result = run("check", "bomb.zip")
        assert result.exit_code == 2
        assert "unpacks to more than 200 times its size" in result.stderr

    @pytest.mark.skipif(getattr(os, "geteuid", lambda: 0)() == 0, reason="root may read all")
    def test_a_locked_file(self, run: Run) -> None:
        Path("clean.mat").chmod(0)
        result = run("check", "clean.mat")
        assert (result.exit_code, "Permission denied" in result.stderr) == (2, True)

    def test_a_name_that_would_obey(self, run: Run) -> None:
        name = "a\x1b[31m\n.mat"
        Path("faulty.mat").rename(name)
        result = run("check", name)
        assert result.stdout.startswith("a\\x1b[31m\\n.mat:6:6: P409")

    def test_a_worker_that_dies_is_one_line(
        self, run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def die(*_: object) -> Iterator[CheckOutcome]:
            yield CheckOutcome("a.mat", "a.mat", skipped="no transcript")
            raise WorkerError("a worker process died (out of memory?) between b.mat and c.mat")

        monkeypatch.setattr("bganalyze.app.cli.check.check_files", die)
        result = run("check", "a.mat")
        assert result.exit_code == 2
        assert result.stderr == (
            "bganalyze: a worker process died (out of memory?) between b.mat and c.mat\n"
        )


class TestOutput:
    def test_text(self, run: Run) -> None:
        lines = run("check", "faulty.mat").stdout.splitlines()
        assert lines[0].startswith(LINE)
        assert lines[1:] == [
            "1 file checked, 1 error",
            "Rule book: basic (base rules, player-error rule of 1931)",
            "result: 1–0, follows from 1 game (1 ended by resignation, for the points recorded)",
            "to rule on it: bganalyze ruling faulty.mat 6 --html sheet.html",
            "boards and legal plays: --full",
            "to repair a slip: bganalyze repair faulty.mat",
        ]

    def test_quiet(self, run: Run) -> None:
        assert run("check", "clean.mat", "-q").output == ""

    def test_verbose(self, run: Run) -> None:
        assert "clean.mat: producer: unknown" in run("check", "clean.mat", "-v").stdout

    def test_json(self, run: Run) -> None:
        result = run("check", "clean.mat", "faulty.mat", "--format", "json")
        (finding,) = json.loads(result.stdout)
        assert (finding["path"], finding["code"], finding["rule_book"]) == (
            "faulty.mat",
            "P409",
            "basic (base rules, player-error rule of 1931)",
        )
        assert json.loads(run("check", "clean.mat", "--format", "json").stdout) == []

    def test_csv(self, run: Run) -> None:
        result = run("check", "faulty.mat", "--format", "csv")
        assert [row["code"] for row in csv.DictReader(result.stdout.splitlines())] == ["P409"]

    def test_sarif(self, run: Run) -> None:
        result = run("check", "faulty.mat", "--format", "sarif")
        assert json.loads(result.stdout)["runs"][0]["results"][0]["ruleId"] == "P409"

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("severity", "codes"),
        [("error", ["P409"]), ("warning", ["P409", "D303"]), ("info", ["T103", "P409", "D303"])],
    )
    def test_severity(self, run: Run, severity: str, codes: list[str]) -> None:
        text = Path("faulty.mat").read_text(encoding="utf-8")
        text = text.replace("  1)", "  7)").replace("61: 13/7 8/7", "61: ????\n  3) 31: 24/20")
        Path("mixed.mat").write_text(text, encoding="utf-8")
        call = ("check", "mixed.mat", "--severity", severity, "--select", "P409,D303,T103")
        records = map(json.loads, run(*call, "--format", "jsonl").stdout.splitlines())
        assert {record["code"] for record in records} == set(codes)
        output = run(*call).stdout
        assert [code for code in ("P409", "D303", "T103") if f": {code} " in output] == sorted(
            codes, key=["P409", "D303", "T103"].index
        )
        assert ("2 infos (not listed without --severity info)" in output) == (severity != "info")
        assert ("1 warning (not listed without --severity warning)" in output) == (
            severity == "error"
        )

    def test_of_several_files_errors_come_first_and_infos_are_counted(
        self, run: Run, folder: Path
    ) -> None:
        text = Path("faulty.mat").read_text(encoding="utf-8")
        marked = text.replace("  1)", "  7)").replace("65: 24/13", "65: 24/13*")
        for name in ("a.mat", "b.mat"):
            Path(name).write_text(marked, encoding="utf-8")
        select = ("--select", "P409,T109,T103")
        lines = run("check", "a.mat", "b.mat", *select).stdout.splitlines()
        assert [line.split()[:2] for line in lines[:4]] == [
            [f"{name}.mat:{place}:", code]
            for place, code in (("6:6", "P409"), ("5:41", "T109"))
            for name in "ab"
        ]
        assert "2 errors, 2 warnings, 4 infos (not listed without --severity info)" in lines[-2]
        assert ": T103 info: " in run("check", ".", *select, "--severity", "info").stdout
        assert ": T103 info: " in run("check", "a.mat", *select).stdout

    def test_a_page(self, run: Run) -> None:
        result = run("check", "faulty.mat", "clean.mat", "--html", "page.html")
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr == "wrote page.html: 1 finding (1 error) of 2 files\n"
        page = Path("page.html").read_text(encoding="utf-8")
        assert page.count("<svg") == 3  # the empty board, and one with checkers before and after
        assert '<p class="when">After</p>' in page
        assert run("check", "clean.mat", "--html", "faulty.mat").exit_code == 2

    def test_ignore_comments(self, run: Run, folder: Path) -> None:
        text = (folder / "faulty.mat").read_text()
        Path("faulty.mat").write_text(
            text.replace("  2)", "; bganalyze: ignore P409\n  2)"), encoding="utf-8"
        )
        result = run("check", "faulty.mat")
        assert result.exit_code == 0
        assert "no findings, 1 silenced" in result.stdout

    @pytest.mark.slow
    @pytest.mark.parametrize("workers", [1, 2, 3])
    def test_the_number_of_workers_changes_nothing(
        self, run: Run, several: Path, workers: int
    ) -> None:
        result = run("check", several.name, "faulty.mat", "--format", "jsonl", "--workers", workers)
        paths = [json.loads(line)["path"] for line in result.stdout.splitlines()]
        assert paths == sorted(paths, key=lambda path: (path == "faulty.mat", path))
        assert len(set(paths)) == 41

    def test_always_in_color(self, run: Run) -> None:
        output = run("check", "faulty.mat", "--color", "always").stdout
        assert "\x1b[" in output
        assert "●" in output
        assert "●" not in run("check", "faulty.mat", "--color", "always", "--no-board").stdout

    def test_a_score_that_no_xgid_can_be_read_with(self, run: Run) -> None:
        text = Path("faulty.mat").read_text(encoding="utf-8")
        text = text.replace(" 1 point match", " 200000 point match")
        Path("long.mat").write_text(text.replace("Alice : 0", "Alice : 123456"), encoding="utf-8")
        assert (
            "● Alice  163 pips  123456 of 200000\n"
            in run("check", "long.mat", "--color", "always", env={"NO_COLOR": "1"}).stdout
        )


@pytest.mark.parametrize(
    ("comment", "told"),
    [
        ("; bganalyze: ignore P909", "no rule code begins with 'P909'"),
        (
            "; bganalyze ignore: P409",
            "a comment that silences a rule is written `bganalyze: ignore T105`",
        ),
    ],
)
def test_a_comment_that_ignores_nothing_is_told(run: Run, comment: str, told: str) -> None:
    text = Path("faulty.mat").read_text(encoding="utf-8")
    Path("faulty.mat").write_text(text.replace("  2)", f"{comment}\n  2)"), encoding="utf-8")
    result = run("check", "faulty.mat", "-q")
    assert result.exit_code == 1
    assert result.stderr == f"bganalyze: faulty.mat:6: nothing is ignored: {told}\n"


class TestSettings:
    def test_the_rule_book(self, run: Run) -> None:
        result = run("check", "clean.mat", "--rules", "usbgf", "--after-illegal", "skip")
        assert ", 2025-01) with after-illegal = skip\n" in result.stdout

    def test_a_file_of_settings(self, run: Run) -> None:
        Path("bganalyze.toml").write_text('rules = "wbf"\nignore = "P409"\n', encoding="utf-8")
        assert run("check", "faulty.mat").exit_code == 0
        over = run("check", "faulty.mat", "--rules", "usbgf", "--ignore", "T")
        assert over.exit_code == 1
        assert "usbgf" in over.stdout

    def test_a_wrong_file_of_settings(self, run: Run, folder: Path) -> None:
        Path("bganalyze.toml").write_text('rules = "ebif"\n', encoding="utf-8")
        result = run("check", "clean.mat")
        path = folder / "bganalyze.toml"
        assert result.exit_code == 2
        assert result.stderr == (
            f"bganalyze: {path}: rules: 'ebif' is not one of {', '.join(RULE_BOOKS)}\n"
        )


@pytest.mark.slow
def test_nothing_is_executed_that_lies_beside_the_transcripts(several: Path) -> None:
    for name in ("lark", "typing", "bganalyze"):
        (several / f"{name}.py").write_text("raise SystemExit('executed')", encoding="utf-8")
    script = several.parent / "program" / "run.py"
    script.parent.mkdir()
    script.write_text(PROGRAM, encoding="utf-8")
    call = [sys.executable, str(script), "check", ".", "--workers", "2", "-q"]
    process = subprocess.run(call, cwd=several, capture_output=True, text=True, check=False)
    assert (process.returncode, process.stderr) == (1, "")


class TestOut:
    """Findings in a file instead of on the screen."""

    def test_the_file_has_what_would_be_printed(self, run: Run) -> None:
        for kind in ("text", "csv", "json", "sarif"):
            words = ("check", "faulty.mat", "--format", kind)
            result = run(*words, "--out", "findings")
            assert (result.exit_code, result.stdout) == (1, "")
            assert result.stderr == "wrote findings: 1 finding (1 error) of 1 file\n"
            printed, _, next_steps = run(*words).stdout.partition("result: ")
            assert Path("findings").read_text(encoding="utf-8") == printed
            assert bool(next_steps) is (kind == "text")
            Path("findings").unlink()

    def test_nobody_elses_file_is_overwritten(self, run: Run) -> None:
        before = Path("clean.mat").read_bytes()
        result = run("check", "faulty.mat", "--out", "clean.mat")
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith("bganalyze: clean.mat: ")
        assert Path("clean.mat").read_bytes() == before

    def test_a_page_and_another_file_are_too_much(self, run: Run) -> None:
        result = run("check", "faulty.mat", "--out", "a", "--html", "b")
        assert result.stderr == "bganalyze: give either --out or --html, not both\n"

    def test_unreadable_files_are_named_as_well(self, run: Run) -> None:
        Path("bad.mat").write_bytes(b"junk")
        result = run("check", "bad.mat", "clean.mat", "--format", "csv", "--out", "findings.csv")
        assert result.exit_code == 2
        assert result.stderr.startswith("bganalyze: bad.mat: no match found")
        assert "bad.mat,,,,,unreadable-file" in Path("findings.csv").read_text(encoding="utf-8")


class TestBaseline:
    """Known findings are neither shown nor counted."""

    @pytest.mark.slow
    def test_only_new_findings_count(self, run: Run) -> None:
        result = run("check", "faulty.mat", "--baseline", "known.jsonl", "--update-baseline")
        assert (result.exit_code, result.stderr) == (0, "wrote known.jsonl: 1 finding, 0 removed\n")
        assert "P409" in result.stdout
        for kind in ("text", "json", "jsonl", "csv", "sarif", "github"):
            later = run("check", ".", "--baseline", "known.jsonl", "--format", kind)
            assert (later.exit_code, "faulty.mat" in later.stdout) == (0, False)
            assert later.stderr == "1 finding listed in known.jsonl left out\n"
        shutil.copy("faulty.mat", "new.mat")
        assert run("check", ".", "--baseline", "known.jsonl").exit_code == 1

    def test_what_is_gone_is_told_and_dropped(self, run: Run) -> None:
        words = ("check", ".", "--baseline", "known.jsonl")
        run(*words, "--update-baseline")
        shutil.copy("clean.mat", "faulty.mat")
        message = "known.jsonl: 1 finding no longer there; --update-baseline removes it\n"
        assert message in run(*words).stderr
        assert run(*words, "--quiet").stderr == ""
        assert run(*words, "--update-baseline").stderr.endswith("1 removed\n")
        assert "no longer" not in run(*words).stderr

    def test_an_unreadable_file_can_be_known(self, run: Run) -> None:
        Path("in").mkdir()
        shutil.move("faulty.mat", "in")
        Path("in/bad.mat").write_bytes(b"junk")
        words = ("check", "in", "--baseline", "known.jsonl")
        first = run(*words, "--update-baseline")
        assert first.exit_code == 2
        assert "wrote known.jsonl: 1 finding and 1 unreadable file, 0 removed" in first.stderr
        later = run(*words)
        left_out = "1 finding and 1 unreadable file listed in known.jsonl left out\n"
        assert (later.exit_code, later.stderr) == (0, left_out)
        assert "1 known to be unreadable" in later.stdout
        assert "bad.mat" not in run(*words, "--format", "csv").stdout

    def test_a_moved_archive_is_noticed(self, run: Run) -> None:
        Path("matches").mkdir()
        shutil.move("faulty.mat", "matches")
        run("check", "matches", "--baseline", "known.jsonl", "--update-baseline")
        shutil.move("matches", "moved")
        result = run("check", "moved", "--baseline", "known.jsonl")
        assert result.exit_code == 1
        assert result.stderr == (
            "no finding of known.jsonl matches these paths: was the archive or the baseline moved?\n"
        )

    def test_known_disputes_are_left_out(self, run: Run) -> None:
        text = Path("clean.mat").read_text(encoding="utf-8")
        Path("faulty.mat").write_text(text.replace("Wins 1", "Wins 4"), encoding="utf-8")
        words = ("check", ".", "--baseline", "known.jsonl")
        assert "disputed: " in run(*words, "--update-baseline").stdout
        assert "disputed: " not in run(*words).stdout

    def test_an_archive(self, run: Run) -> None:
        with zipfile.ZipFile("all.zip", "w") as archive:
            archive.write("faulty.mat")
        words = ("check", "all.zip", "--baseline", "known.jsonl")
        run(*words, "--update-baseline")
        assert '"path": "all.zip!faulty.mat"' in Path("known.jsonl").read_text(encoding="utf-8")
        assert run(*words).exit_code == 0

    @pytest.mark.parametrize(
        ("words", "problem"),
        [
            (["--update-baseline"], "--update-baseline writes the file that --baseline names"),
            (["--baseline", "none"], "none: No such file or directory; --update-baseline makes it"),
            (["--baseline", "clean.mat"], "clean.mat: not a baseline; --update-baseline writes"),
            (["--baseline", "clean.mat", "--update-baseline"], "clean.mat: not a baseline"),
            (["--baseline", "."], ".: Is a directory"),
            (["--baseline", "no/b", "--update-baseline"], "no/b: No such file or directory"),
        ],
    )
    def test_files_that_cannot_be_used(self, run: Run, words: list[str], problem: str) -> None:
        before = Path("clean.mat").read_bytes()
        result = run("check", "faulty.mat", *words)
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
        assert result.stderr.startswith(f"bganalyze: {problem}")
        assert Path("clean.mat").read_bytes() == before
