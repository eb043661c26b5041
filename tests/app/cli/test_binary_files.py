"""Binary files on the command line: a bad one costs the others nothing, and what is ignored is named."""

from __future__ import annotations

import copy
import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from tests.fuzzing.binary import BGBLITZ, DOCUMENT
from tests.fuzzing.smile import HEAD, bgf
from tests.record.test_xg import HEADED, xg_file

pytestmark = pytest.mark.slow

Run = Callable[..., Result]
IGNORED = 'impossible number in the stored analysis, ignored: luck "0.1"'


def test_bad_files_do_not_hold_up_good_ones(run: Run, folder: Path) -> None:
    checkers = copy.deepcopy(BGBLITZ)
    checkers["games"][0]["initial"]["points"][0] = 10**8
    bad = {
        "1.bgf": HEAD + b"\n" + gzip.compress(bytes(20_000_000)),
        "2.bgf": bgf(checkers),
        "3.xg": xg_file([HEADED, bytes(20_000_000)]),
        "4.gva": b'{"games": [], "plies": ' + b"[" * 100_000,
    }
    for name, data in bad.items():
        (folder / name).write_bytes(data)
    result = run("check", folder, "--no-cache")
    assert result.exit_code == 2
    lines = result.stderr.splitlines()
    assert [line.split(": ")[1].rpartition("/")[2] for line in lines] == list(bad)
    assert "3 files checked" in result.stdout
    assert "report it" not in result.output


@pytest.fixture
def wrong_luck(folder: Path) -> Path:
    """A document whose luck is a text."""
    document = copy.deepcopy(DOCUMENT)
    document["games"][0]["plies"][0]["analysis"]["luck"] = "0.1"
    path = folder / "wrong.gva"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def test_what_is_ignored_is_named_by_every_command(run: Run, wrong_luck: Path) -> None:
    assert f"T116 warning: {IGNORED}" in run("check", wrong_luck).stdout
    assert IGNORED in " ".join(run("report", wrong_luck).stdout.split())
    analyze = ("analyze", wrong_luck, "--engine", "recorded", "--db", "a.db")
    for _ in range(2):  # The second time the analyses are there.
        assert f"wrong.gva: line 17: {IGNORED}" in run(*analyze).stderr
    stats = run("stats", "--db", "a.db", "--report", "all", "--format", "json")
    assert stats.exit_code == 0
    json.loads(stats.stdout, parse_constant=pytest.fail)
