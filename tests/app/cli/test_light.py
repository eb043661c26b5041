"""The commands that work with Lark, Typer, Rich, platformdirs and chardet alone."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bganalyze.app.serving.answers import ASKS
from bganalyze.packages import HEAVY

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]

BLOCKED = (*HEAVY, "backports", "bgsage", "distributed", "duckdb", "fsspec", "ogxm", "pyarrow")

RUN_EACH = f"""
import json, shlex, sys
from typer.testing import CliRunner

class Missing:
    @staticmethod
    def find_spec(name, *_):
        if name.partition(".")[0] in {BLOCKED}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

import importlib.util
real = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name in {BLOCKED} else real(name, *rest)
sys.meta_path.insert(0, Missing)

from bganalyze.app.cli.app import app
from bganalyze.app.jobs.budget import describe_unexpected_error

from pathlib import Path
from bganalyze.app.serving.answers import ASKS, stream_answer

def ask(question):
    match = Path("m.mat").read_bytes()
    files = [{{"path": "m.mat", "root": "m.mat", "size": len(match)}}]
    options = {{"path": "m.mat", "to": "sgf", "chosen": []}}
    head = json.dumps({{"ask": question, "options": options, "files": files}}).encode()
    *_, last = stream_answer(len(head).to_bytes(4, "big") + head + match)
    return json.loads(last)

for question in ASKS:
    print(json.dumps(ask(question)))
for call in sys.argv[1:]:
    result = CliRunner().invoke(app, shlex.split(call))
    error = result.exception if isinstance(result.exception, Exception) else None
    status = result.exit_code if error is None else 2
    output = result.output if error is None else describe_unexpected_error(error)
    print(f"{{status}} {{output!r}}")
"""

WORKS = {
    "check m.mat": (1, "P406 error"),
    "check m.mat --format json": (1, '"code": "P406"'),
    "check m.mat --format sarif": (1, '"ruleId": "P406"'),
    "examine m.mat": (1, '"number": "1"'),
    "repair m.mat": (1, "1 error, 1 proposal"),
    "convert m.mat m.sgf": (0, "wrote m.sgf"),
    "convert m.mat m.bgm": (0, "wrote m.bgm"),
    "convert m.mat m.json": (0, "wrote m.json"),
    "show m.mat 1.20L": (0, "XGID="),
    "show m.mat 1.20L --svg m.svg": (0, "wrote m.svg"),
    "rule P406": (0, "Another checker is moved"),
    "matches m.mat": (0, "Ada Quill"),
    "matches m.mat --format csv": (0, "Ada Quill"),
    "ruling m.mat 26": (0, "Ada Quill"),
    "--help": (0, "(not available here: "),
    "formats": (0, "what it is"),
}
"""Calls with the exit status and a part of the output."""

REFUSED = {
    "check m.mat --html m.html": "jinja2",
    "report m.mat": "pandas",
    "show m.mat 1.20L --png m.png": "matplotlib",
    "stats m.mat": "pandas",
    "analyze m.mat --db m.db": "SQLAlchemy",
    "export --db m.db": "SQLAlchemy",
    "matches m.mat --db m.db": "SQLAlchemy",
    "convert m.mat m.gvab": "gammonview",
    "collect m.mat --store s": "a store needs pyarrow and duckdb",
    "check --store s": "no such store; a store needs pyarrow and duckdb",
}
"""Calls with the package that each lacks."""


PAGE_WORKS = {"check", "explain", "propose", "repair", "convert"}
"""Questions of the page that are answered; Jinja makes the reports, and the page itself."""


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the answers to each question of the page and each call, without the heavy packages."""
    place = tmp_path_factory.mktemp("light")
    shutil.copy(ROOT / "samples" / "faulty" / "P406-bar-first.mat", place / "m.mat")
    calls = [*WORKS, *REFUSED]
    command = [sys.executable, "-c", RUN_EACH, *calls]
    process = subprocess.run(command, cwd=place, capture_output=True, encoding="utf-8", check=False)
    assert process.returncode == 0, process.stderr
    return process.stdout.splitlines()


@pytest.fixture(scope="module")
def answers(lines: list[str]) -> dict[str, tuple[int, str]]:
    """The exit status and the output of each call."""
    pairs = [line.partition(" ")[::2] for line in lines[len(ASKS) :]]
    return {
        call: (int(status), output)
        for call, (status, output) in zip([*WORKS, *REFUSED], pairs, strict=True)
    }


def test_the_page_answers_or_says_what_it_needs(lines: list[str]) -> None:
    endings = dict(zip(ASKS, map(json.loads, lines[: len(ASKS)]), strict=True))
    assert {ask for ask, last in endings.items() if last["kind"] == "end"} == PAGE_WORKS
    for ask in ASKS.keys() - PAGE_WORKS:
        assert "which is missing" in endings[ask]["message"], endings[ask]


def test_light_commands_work(answers: dict[str, tuple[int, str]]) -> None:
    for call, (status, part) in WORKS.items():
        assert answers[call][0] == status, (call, answers[call])
        assert part in answers[call][1], (call, answers[call])


def test_other_commands_say_what_they_need(answers: dict[str, tuple[int, str]]) -> None:
    for call, package in REFUSED.items():
        status, output = answers[call]
        assert status == 2, (call, output)
        assert package in output, (call, output)
        assert "install" in output, (call, output)
        assert "an internal error of bganalyze" not in output
