"""Programs that are run, however bganalyze itself is installed."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from bganalyze.analysis.engines.program import Task, run

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="the programs are scripts of a shell"),
]


@pytest.fixture
def frozen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in for a frozen program: its executable takes no option of Python's, and runs bganalyze."""
    code = "import sys; sys.frozen = True; from bganalyze.app.cli import run; run()"
    executable = tmp_path / "bganalyze"
    executable.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{code}" "$@"\n')
    executable.chmod(0o755)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(executable))


@pytest.mark.usefixtures("frozen")
def test_a_frozen_program_runs_others() -> None:
    task = Task(["sh", "-c", "pwd; echo good luck > answer"], {}, {"PATH": os.defpath}, 60)
    ended = run(task)
    assert (ended.problem, ended.answer) == (None, "good luck\n")
    assert not Path(ended.output.strip()).exists()


def test_other_programs_are_run_from_an_archive(tmp_path: Path) -> None:
    archive = tmp_path / "programs.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("packed_program.py", inspect.getsource(sys.modules[run.__module__]))
    code = (
        "from packed_program import *; print(run(Task(['echo', 'good luck'], {}, {}, 60)).output)"
    )
    environment = {**os.environ, "PYTHONPATH": str(archive)}
    shown = subprocess.check_output([sys.executable, "-c", code], text=True, env=environment)
    assert shown.strip() == "good luck"
