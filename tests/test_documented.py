"""Every command in the documentation is run, in a folder like a reader's."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bganalyze.app.cli.app import app
from bganalyze.app.jobs.cluster import _start_local_cluster
from bganalyze.statistics.store.cache_folder import VARIABLE
from tests import documented
from tests.documented import Output, find_hindrance, list_pages, run_line, run_page
from tests.in_process import (
    remember_pictures,
    remember_profiles,
    remember_sections,
    work_here,
)
from tests.statistics.reports.analyzed import import_guessing_engine

PAGES = list_pages()
PICTURES = remember_pictures()
PROFILES, SECTIONS = remember_profiles(), remember_sections()

pytestmark = pytest.mark.slow


def call_here(words: Sequence[str], given: bytes) -> Output:
    """Call bganalyze in this process."""
    result = CliRunner().invoke(app, list(words), input=given)
    fault = b"" if result.exception is None else repr(result.exception).encode()
    status = result.exit_code if isinstance(result.exception, SystemExit | None) else 99
    return Output(status, result.stdout_bytes, result.stderr_bytes + fault)


@pytest.fixture
def engines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every engine makes its analyses up, in this process; a cluster here has one worker, which suffices."""
    pytest.importorskip("duckdb")
    monkeypatch.setattr("bganalyze.analysis.engines._import_engine", import_guessing_engine)
    monkeypatch.setattr("bganalyze.app.cli.options.Processes", work_here)
    monkeypatch.setattr("bganalyze.app.jobs.profile.make_profile", PROFILES)
    monkeypatch.setattr("bganalyze.statistics.reports.answer._make_sections", SECTIONS)
    monkeypatch.setattr("bganalyze.statistics.plots.draw._render_figure", PICTURES)
    monkeypatch.setattr(
        "bganalyze.app.jobs.cluster._start_local_cluster", lambda _: _start_local_cluster(1)
    )


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two folders that the fixture `reader` uses: the reader's, and one for a copy of it with its analyses."""
    place = tmp_path_factory.mktemp("documented")
    return place / "reader", place / "saved"


@pytest.fixture
def reader(engines: None, folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """The current folder is like a reader's, with analyses. They are made once, for they take long."""
    folder, saved = folders
    for variable in ("XDG_DATA_HOME", "XDG_CACHE_HOME", VARIABLE):
        monkeypatch.setenv(variable, os.fspath(folder / variable))
    if not saved.exists():
        documented.save_prepared_folder(folder, saved, call_here, "sage")
    documented.restore_folder(folder, saved, call_here)
    monkeypatch.chdir(folder)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.usefixtures("reader")
def test_the_commands_of_a_page_work(page: str) -> None:
    failed = run_page(page, PAGES[page], call_here)
    assert [(each.line, each.output.status, each.output.stderr.decode()) for each in failed] == []


def test_few_commands_cannot_be_run() -> None:
    lines = [line for lines in PAGES.values() for line in lines]
    left_out = [line for line in lines if find_hindrance(line) is not None]
    assert len(lines) > 200
    assert len(left_out) < len(lines) / 15


def test_a_command_that_is_refused_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    [failed] = run_page("a page", ["bganalyze check missing.mat", "bganalyze rule"], call_here)
    assert (failed.line, failed.output.status) == ("bganalyze check missing.mat", 2)


def test_pipes_and_redirections_are_those_of_a_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_line("printf one > file && printf two >> file", call_here).status == 0
    assert run_line("cat < file | tr a-z A-Z", call_here).stdout == b"ONETWO"
    assert run_line("bganalyze rule P999 && printf never > file", call_here).status == 2
    assert run_line("no-such-program file && printf never > file", call_here).status == 127
    assert Path("file").read_text(encoding="utf-8") == "onetwo"
