"""Lines longer than the terminal are folded at spaces; a pipe gets them whole."""

import re

import pytest
from rich.cells import cell_len
from typer.testing import CliRunner

from bganalyze.app.cli import io
from bganalyze.app.cli.app import app
from bganalyze.app.render.document_text import _stack_table
from bganalyze.app.render.folding import fold_lines
from bganalyze.app.render.output_options import OutputOptions

COLOR = re.compile(r"\x1b\[[0-9;]*m")
CALLS = (
    ("ruling", "samples/faulty/P409-open.mat", "1.1R"),
    ("repair", "samples/faulty/C503-crawford-double.mat"),
    ("check", "samples/faulty/C503-crawford-double.mat"),
    ("report", "samples/clean/short-match.mat"),
    ("stats", "samples/faulty/P409-open.mat", "--report", "dice", "--workers", "1"),
)


def fold(text: str, width: int, *, color: bool = False) -> str:
    """Return a text folded to a width."""
    return "".join(fold_lines([text], OutputOptions(prose_width=width, color=color)))


def invoke(*words: str) -> str:
    """Return what a command prints, without colors."""
    return COLOR.sub("", CliRunner().invoke(app, [*words]).stdout)


@pytest.mark.parametrize("width", [20, 30, 60])
def test_folded_lines_fit_and_have_all_words(width: int) -> None:
    text = "  a note of several words, 西洋双陆棋 among them, with 12 % of something\nshort\n"
    folded = fold(text, width)
    assert folded.split() == text.split()
    assert all(cell_len(line) <= width for line in folded.splitlines())
    assert all(line.startswith("      ") for line in folded.splitlines()[1:-1])
    assert not re.search(r"^ *%", folded, re.MULTILINE)


def test_a_word_longer_than_the_line_stays_whole() -> None:
    path = "/a/very/long/path/of/a/match.mat"
    assert fold(f"see {path}: gone\n", 12) == f"see\n    {path}:\n    gone\n"


def test_a_command_is_not_broken_if_it_fits() -> None:
    text = "to list them again, bganalyze check a b, then read\n"
    assert fold(text, 30) == "to list them again,\n    bganalyze check a b, then\n    read\n"
    assert fold(text, 16).splitlines()[-3:] == ["    bganalyze", "    check a b,", "    then read"]


def test_colors_take_no_columns_and_go_on_in_the_next_line() -> None:
    text = "\x1b[1mfour words of text\x1b[0m\n"
    assert fold(text, 18, color=True) == text
    folded = fold(text, 10, color=True)
    assert COLOR.sub("", folded) == "four words\n    of\n    text\n"
    assert folded.count("\x1b[1m") == 3


@pytest.mark.slow
@pytest.mark.parametrize("call", CALLS, ids=lambda call: call[0])
@pytest.mark.parametrize("columns", [60, 80])
def test_no_line_is_wider_than_the_terminal(
    call: tuple[str, ...], columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(io, "find_prose_width", lambda: columns)
    monkeypatch.setattr(io, "PIPE_WIDTH", columns)
    lines = invoke(*call).splitlines()
    wide = [line for line in lines if cell_len(line) > columns and " " in line.strip()]
    wide = [line for line in wide if ": bganalyze " not in line]  # A command to copy stays whole.
    assert (bool(lines), wide) == (True, [])


def test_prose_is_as_wide_as_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert io.find_prose_width() == 60


def test_a_pipe_gets_whole_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = invoke(*CALLS[0]).splitlines()
    assert max(map(len, lines)) > 120


@pytest.mark.parametrize(
    ("width", "figures"), [(14, ["      a 1  b 2"]), (13, ["      a 1", "      b 2"])]
)
def test_the_figures_of_a_stacked_row_fill_the_width_beside_its_words(
    width: int, figures: list[str]
) -> None:
    """Each of three words is two columns further in, and the figures two more than the last."""
    headings = ("player", "site", "phase", "a", "b")
    lines = _stack_table(headings, [["Ann", "x", "race", "1", "2"]], 3, OutputOptions(width=width))
    words = ["Ann", "  x", "    race"]
    assert "".join(lines).splitlines() == [*words, *figures]
