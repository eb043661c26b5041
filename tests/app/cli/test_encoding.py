"""The option and the setting for the encoding of match files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

MATCH = """ 5 point match

 Game 1
 Анна : 0                        Bob : 0
  1) 31: 8/5 6/5                   65: 24/13
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A match file that reads otherwise in two encodings."""
    path = tmp_path / "a.mat"
    path.write_bytes(MATCH.encode("koi8-r"))
    return path


def test_no_result_of_another_encoding_is_kept(run: Callable[..., Result], path: Path) -> None:
    calls = ((), ("--encoding", "koi8-r"), ())
    told = [run("check", *words, path).stdout.count("T122") for words in calls]
    assert told == [1, 0, 1]


def test_the_setting_names_the_encoding(run: Callable[..., Result], path: Path) -> None:
    (path.parent / "bganalyze.toml").write_text('encoding = "koi8-r"\n')
    assert "T122" not in run("check", path).stdout
    assert "Анна" in run("report", path).stdout
    (path.parent / "bganalyze.toml").write_text('encoding = "klingon"\n')
    assert "'klingon' is no encoding" in run("check", path).stderr


@pytest.mark.slow
def test_commands_obey_the_option(run: Callable[..., Result], path: Path) -> None:
    wanted = MATCH.encode("koi8-r").decode("cp866").split("\n")[3].split(" : ")[0].strip()
    for words in (("convert", path, "-", "--to", "sgf"), ("show", path, "5"), ("report", path)):
        assert wanted in run(*words, "--encoding", "cp866").stdout


def test_an_unknown_encoding_is_refused(run: Callable[..., Result], path: Path) -> None:
    result = run("check", "--encoding", "klingon", path)
    assert result.exit_code == 2
    assert "'klingon' is no encoding of text" in result.stderr
