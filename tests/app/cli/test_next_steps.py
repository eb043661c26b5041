"""The last lines of a check of one file: the result, and the command for the next step."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from tests.validation.rules.test_result_of_games import TWO_GAMES
from tests.validation.test_cases import ILLEGAL, WRONG_SCORE

Run = Callable[..., Result]

RESULT = "result: 0–2, follows from 1 finished game"
SHEET = "to rule on it: "
REPAIR = "to repair a slip: "
TYPED = TWO_GAMES.replace("31: 8/5 6/5", "31: 8/5 6/4", 1)
BOARDS = "boards and legal plays: --full"


@pytest.fixture
def match(tmp_path: Path) -> str:
    path = tmp_path / "the final.mat"
    path.write_text(ILLEGAL)
    return str(path)


def test_a_check_of_one_file_ends_with_its_result_and_the_next_command(
    run: Run, match: str, tmp_path: Path
) -> None:
    *_, result, sheet, _ = run("check", match, "--full", "--rules", "wbf").stdout.splitlines()
    assert result.startswith(RESULT)
    assert sheet.startswith(SHEET)
    program, *words = shlex.split(sheet.removeprefix(SHEET))
    assert program == "bganalyze"
    assert words[:5] == ["ruling", match, "6", "--rules", "wbf"]
    words[-1] = str(tmp_path / words[-1])
    assert run(*words).exit_code == 0
    assert "illegal play" in Path(words[-1]).read_text()


def test_a_piped_check_also_says_how_to_see_the_boards(run: Run, match: str) -> None:
    *_, limit, result, sheet, boards, _ = run("check", match, "--rules", "wbf").stdout.splitlines()
    assert limit == "time limit: the base rule's (that of wbgf-2.1 was not read: look it up)"
    assert result.startswith(RESULT)
    assert sheet.startswith(SHEET)
    assert boards == BOARDS
    assert BOARDS not in run("check", match, "--full").stdout


@pytest.mark.parametrize("book", ["basic", "ukbgf-2019"])
def test_no_time_limit_is_named_where_the_book_states_it(run: Run, match: str, book: str) -> None:
    assert "time limit" not in run("check", match, "--rules", book).stdout


@pytest.mark.parametrize(
    "options", [("--full", "--quiet"), ("--full", "--format", "json"), ("-q",)]
)
def test_quiet_and_machine_forms_have_no_such_lines(
    run: Run, match: str, options: tuple[str, ...]
) -> None:
    result = run("check", match, *options)
    assert result.exit_code == 1
    assert "result: " not in result.stdout
    assert SHEET not in result.stdout


def test_several_files_have_no_such_lines(run: Run, match: str, tmp_path: Path) -> None:
    folder = tmp_path / "several"
    folder.mkdir()
    for name in ("one.mat", "other.mat"):
        (folder / name).write_text(ILLEGAL)
    for paths in ((match, str(folder / "one.mat")), (str(folder),)):
        text = run("check", *paths, "--full").stdout
        assert "2 files checked" in text
        assert SHEET not in text
        assert RESULT not in text


@pytest.mark.slow
def test_a_proposal_leads_to_the_command_that_makes_it(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a slip.mat"
    path.write_text(TYPED)
    for options in ((), ("--rules", "usbgf")):
        lines = run("check", str(path), "--full", *options).stdout.splitlines()
        (line,) = (line for line in lines if line.startswith(REPAIR))
        program, *words = shlex.split(line.removeprefix(REPAIR))
        assert (program, words) == ("bganalyze", ["repair", str(path), *options])
        assert "1 error" in run(*words).stdout
    path.write_text(TWO_GAMES)
    assert REPAIR not in run("check", str(path), "--full").stdout


def test_a_disputed_result_is_not_said_to_follow(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "disputed.mat"
    path.write_text(WRONG_SCORE)
    text = run("check", str(path), "--full").stdout
    assert "R604" in text
    assert "result: " not in text
    assert text.splitlines()[-2] == f"{SHEET}bganalyze ruling {path} 6 --html sheet.html"


def test_a_file_without_errors_has_its_result_only(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "clean.mat"
    path.write_text(TWO_GAMES)
    text = run("check", str(path), "--full").stdout
    assert SHEET not in text
    assert text.splitlines()[-1].startswith("result: 2–1, follows from both games (1 ended by")
