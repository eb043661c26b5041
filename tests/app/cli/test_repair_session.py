"""`bganalyze repair --interactive`, driven in a terminal."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

pexpect = pytest.importorskip("pexpect")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="has no such terminals"),
]

FAULTY = Path(__file__).parent.parent.parent.parent / "samples" / "faulty"
DIE = (FAULTY / "D301-impossible-die.mat").read_bytes()
PLAY = (FAULTY / "P410-larger-die.mat").read_bytes()
BOTH = DIE.rstrip() + b"\n\n" + PLAY
FIRST = BOTH.replace(b"72: 8/4 6/4", b"42: 8/4 6/4")
REPAIRED = FIRST.replace(b"54: 6/2 ", b"44: 6/2 ")

WITHOUT_ENGINE = (
    "import sys; sys.modules['bgsage'] = None; from bganalyze.app.cli import main; main()"
)
"""With an engine the order of proposals may differ."""

Open = Callable[..., Any]


@pytest.fixture
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Start the command in a terminal of 80 columns, in a folder with a record of two errors."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.mat").write_bytes(BOTH)
    started = []

    def open_session(*words: str, term: str = "xterm") -> Any:
        child = pexpect.spawn(
            sys.executable,
            ["-c", WITHOUT_ENGINE, "repair", *words, "--interactive"],
            env={"PATH": "/usr/bin:/bin", "TERM": term, "LC_ALL": "C.UTF-8", "HOME": str(tmp_path)},
            dimensions=(24, 80),
            encoding="utf-8",
            timeout=120,
        )
        started.append(child)
        return child

    yield open_session
    for child in started:
        child.close(force=True)


def status_of(child: Any) -> int:
    """Wait for the end of the program and return its status."""
    child.expect(pexpect.EOF)
    child.close()
    status: int = child.exitstatus
    return status


def shown(child: Any, text: str) -> str:
    """Wait for a text, the keys below it and that one is read, and return the page.

    What is typed before a key is read is discarded.
    """
    child.expect_exact(text)
    page: str = child.before + child.after
    child.expect("q quit ")
    page += child.before
    assert child.waitnoecho()
    return page


def edit_line(child: Any, typed: str) -> None:
    """Edit the proposed line, which ends in `72: 8/4 6/4`, by what is typed at its end."""
    child.send("e")
    child.expect_exact("number of the line to edit: 7")
    child.send("\r")
    child.expect_exact("72: 8/4 6/4")
    child.send(typed)


def test_repairs_are_taken_and_saved_at_once(terminal: Open, tmp_path: Path) -> None:
    child = terminal("m.mat", "--out", "out.mat")
    page = shown(child, "D301 error")
    plain = re.sub("\x1b[^A-Za-z]*[A-Za-z]", "", page)
    assert "72: 8/4 6/4 → 42: 8/4 6/4 (roll misread; proved, 98 %, errors 2 → 1)" in " ".join(
        plain.split()
    )
    assert "as written:" in page
    assert "as proposed:" in page
    assert max(map(len, plain.splitlines())) <= 80
    assert len(page.splitlines()) <= 24
    child.send("t")
    shown(child, "P410 error")
    assert (tmp_path / "out.mat").read_bytes() == FIRST
    child.send("t")
    shown(child, "2 repairs taken, 0 errors left")
    child.send("q")
    assert status_of(child) == 0
    assert (tmp_path / "out.mat").read_bytes() == REPAIRED
    assert (tmp_path / "m.mat").read_bytes() == BOTH


def test_many_changed_lines_leave_room_for_the_boards(terminal: Open, tmp_path: Path) -> None:
    head, rows = PLAY.decode().split("  1) ", 1)
    swapped = (
        f"{row[:5]}{row[33:].strip():28}{row[5:33].rstrip()}" if row[3:4] == ")" else row
        for row in ("  1) " + rows).splitlines()
    )
    (tmp_path / "m.mat").write_text(head + "\n".join(swapped) + "\n", encoding="utf-8")
    child = terminal("m.mat", "--in-place")
    page = shown(child, "m.mat: ")
    assert len(page.splitlines()) <= 24


def test_a_long_proposal_comes_first_and_then_how_sure_it_is(
    terminal: Open, tmp_path: Path
) -> None:
    (tmp_path / "m.mat").write_bytes((FAULTY / "T105-missing-turn.mat").read_bytes())
    child = terminal("m.mat", "--in-place")
    page = shown(child, "T105 error")
    assert re.search(r"1 of 10: insert the lost turn 61: 13/7 7/6\S*\r\n\S*\(lost turn; 11 %", page)
    assert "it may really have been played" not in page
    assert len(page.splitlines()) <= 24
    child.send("q")
    assert status_of(child) == 1


def test_another_proposal_is_taken(terminal: Open, tmp_path: Path) -> None:
    child = terminal("m.mat", "--in-place")
    shown(child, "D301 error")
    child.send("t")
    shown(child, "1 of 2: 54: 6/2 → 44: 6/2")
    child.send("n")
    shown(child, "2 of 2: 54: 6/2 → 54: 6/1")
    child.send("p")
    shown(child, "1 of 2: ")
    child.send("2")
    shown(child, "2 of 2: ")
    child.send("t")
    shown(child, "0 errors left")
    child.send("q")
    assert status_of(child) == 0
    assert (tmp_path / "m.mat").read_bytes() == FIRST.replace(b"54: 6/2 ", b"54: 6/1 ")


def test_a_step_is_undone(terminal: Open, tmp_path: Path) -> None:
    child = terminal("m.mat", "--in-place")
    shown(child, "D301 error")
    child.send("u")
    shown(child, "there is nothing to undo")
    child.send("t")
    shown(child, "P410 error")
    child.send("u")
    shown(child, "D301 error")
    assert (tmp_path / "m.mat").read_bytes() == BOTH
    child.send("s")
    shown(child, "P410 error")
    child.send("t")
    shown(child, "1 repair taken, 1 error left")
    child.send("u")
    shown(child, "P410 error")
    child.send("q")
    assert status_of(child) == 1
    assert (tmp_path / "m.mat").read_bytes() == BOTH


def test_a_line_that_is_edited_by_hand_is_saved_and_shown(terminal: Open, tmp_path: Path) -> None:
    child = terminal("m.mat", "--in-place")
    shown(child, "D301 error")
    edit_line(child, "\x7f" * len("72: 8/4 6/4") + "62: 24/18 13/11\r")
    page = shown(child, "line 7 as typed (errors 2 → ")
    assert "as written:" in page
    assert "as proposed:" in page
    assert re.search(r"\+   1\) 52: 13/8 24/22 +62: 24/18 13/11", page)
    assert b"62: 24/18 13/11\n" in (tmp_path / "m.mat").read_bytes()
    child.send("q")
    assert status_of(child) == 1
    assert "m.mat: 1 repair taken, " in child.before
    assert b"62: 24/18 13/11\n" in (tmp_path / "m.mat").read_bytes()


def test_an_edit_by_hand_is_undone_or_followed_by_the_next_error(
    terminal: Open, tmp_path: Path
) -> None:
    child = terminal("m.mat", "--in-place")
    for key, error in (("u", "D301 error"), (" ", "P410 error")):
        shown(child, "D301 error")
        edit_line(child, "\x7f" * len("72: 8/4 6/4") + "42: 8/4 6/4\r")
        shown(child, "line 7 as typed (errors 2 → 1)")
        assert (tmp_path / "m.mat").read_bytes() == FIRST
        child.send(key)
        if key != "u":
            shown(child, error)
    child.send("u")
    shown(child, "D301 error")
    assert (tmp_path / "m.mat").read_bytes() == BOTH
    child.send("q")
    assert status_of(child) == 1


def test_a_line_that_is_typed_as_it_was_is_no_step(terminal: Open) -> None:
    child = terminal("m.mat", "--in-place")
    shown(child, "D301 error")
    edit_line(child, "\r")
    shown(child, "line 7 is as it was")
    child.send("q")
    assert status_of(child) == 1
    assert "m.mat: 0 repairs taken, " in child.before


def test_a_line_that_is_not_there_is_refused(terminal: Open) -> None:
    child = terminal("m.mat", "--in-place")
    shown(child, "D301 error")
    for number in ("0", "999", "seven"):
        child.send("e")
        child.expect_exact("number of the line to edit: 7")
        child.send(f"\x7f{number}\r")
        shown(child, "the file has the lines 1 to ")
    child.send("q")
    assert status_of(child) == 1


def test_nothing_is_lost_where_it_is_killed(terminal: Open, tmp_path: Path) -> None:
    child = terminal("m.mat", "--out", "out.mat")
    shown(child, "D301 error")
    child.send("t")
    shown(child, "P410 error")
    child.kill(9)
    child.wait()
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".o")]
    assert (tmp_path / "out.mat").read_bytes() == FIRST
    session = terminal("m.mat", "--out", "out.mat")
    session.expect_exact("out.mat already exists; continue from it? [y/N]: ")
    session.sendline("y")
    shown(session, "P410 error")
    session.send("t")
    shown(session, "1 repair taken, 0 errors left")
    session.send("q")
    assert status_of(session) == 0
    assert (tmp_path / "out.mat").read_bytes() == REPAIRED


def test_a_file_of_somebody_else_is_left_as_it_is(terminal: Open, tmp_path: Path) -> None:
    (tmp_path / "out.mat").write_text("mine", encoding="utf-8")
    child = terminal("m.mat", "--out", "out.mat")
    child.expect_exact("[y/N]: ")
    child.sendline("n")
    assert status_of(child) == 2
    assert (tmp_path / "out.mat").read_text(encoding="utf-8") == "mine"


def test_what_somebody_else_changed_meanwhile_is_kept(terminal: Open, tmp_path: Path) -> None:
    child = terminal("m.mat", "--in-place")
    shown(child, "D301 error")
    (tmp_path / "m.mat").write_bytes(PLAY)
    child.send("t")
    child.expect_exact("m.mat: changed by somebody else meanwhile; nothing written")
    assert status_of(child) == 2
    assert (tmp_path / "m.mat").read_bytes() == PLAY


def test_a_file_that_somebody_else_made_meanwhile_is_kept(terminal: Open, tmp_path: Path) -> None:
    child = terminal("m.mat", "--out", "out.mat")
    shown(child, "D301 error")
    (tmp_path / "out.mat").write_text("mine", encoding="utf-8")
    child.send("t")
    child.expect_exact("out.mat: already exists")
    assert status_of(child) == 2
    assert (tmp_path / "out.mat").read_text(encoding="utf-8") == "mine"


def test_a_saved_file_that_somebody_else_replaced_is_kept(terminal: Open, tmp_path: Path) -> None:
    child = terminal("m.mat", "--out", "out.mat")
    shown(child, "D301 error")
    child.send("t")
    shown(child, "P410 error")
    (tmp_path / "out.mat").write_text("mine", encoding="utf-8")
    child.send("t")
    child.expect_exact("out.mat: changed by somebody else meanwhile; nothing written")
    assert status_of(child) == 2
    assert (tmp_path / "out.mat").read_text(encoding="utf-8") == "mine"


def test_a_file_with_another_name_is_refused_before_the_first_question(
    terminal: Open, tmp_path: Path
) -> None:
    (tmp_path / "other.mat").hardlink_to(tmp_path / "m.mat")
    child = terminal("m.mat", "--in-place")
    child.expect_exact("has 2 names (hard links), and only one would be changed; --force")
    assert status_of(child) == 2


def test_ctrl_c_ends_it(terminal: Open, tmp_path: Path) -> None:
    child = terminal("m.mat", "--in-place")
    shown(child, "D301 error")
    child.send("\x03")
    assert status_of(child) == 130
    assert (tmp_path / "m.mat").read_bytes() == BOTH


def test_a_terminal_that_cannot_be_cleared_is_refused(terminal: Open) -> None:
    child = terminal("m.mat", "--in-place", term="dumb")
    child.expect_exact("--interactive needs a terminal that can be cleared; --choose with --write")
    assert status_of(child) == 2


def test_a_pipe_is_no_terminal(run: Callable[..., Result], tmp_path: Path) -> None:
    result = run("repair", "clean.mat", "--interactive", "--in-place")
    assert result.exit_code == 2
    assert result.stderr.startswith("bganalyze: --interactive needs a terminal; --choose with")
    assert run("repair", "clean.mat", "--interactive").exit_code == 2


def test_a_pipe_in_the_place_of_the_output_is_not_waited_for(
    terminal: Open, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "out.mat")
    child = terminal("m.mat", "--out", "out.mat")
    child.expect_exact("out.mat already exists; continue from it?")
    child.sendline("y")
    child.expect_exact("not a regular file")
    assert status_of(child) == 2
