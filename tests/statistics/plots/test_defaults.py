"""Plots look the same, whatever settings for matplotlib lie about."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import matplotlib as mpl
import pandas as pd
import pytest

from bganalyze.app.render.board import Scene
from bganalyze.app.render.board_picture import board_png
from bganalyze.board.position import start_position
from bganalyze.statistics.plots import Plot, draw_pictures
from bganalyze.statistics.plots.draw import as_png, as_svg
from bganalyze.statistics.reports.figures import COLUMNS, Section

SETTINGS = "text.usetex: True\nfont.size: 30\naxes.facecolor: red\nnonsense: 3\n"

IMPORTING = """
import os, sys
before = os.getcwd()
import bganalyze.statistics.plots.draw
import matplotlib
print(matplotlib.rcParams["text.usetex"], matplotlib.rcParams["font.size"], os.getcwd() == before)
backend = dict.__getitem__(matplotlib.rcParams, "backend")  # Else one is looked for.
print(backend == os.environ["MPLBACKEND"], os.environ["MPLBACKEND"], "evil" in sys.modules)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "is_taken"), [("wrong", False), ("module://evil", True), ("svg", True)]
)
def test_no_settings_file_is_obeyed_and_no_backend_imported(
    tmp_path: Path, name: str, is_taken: bool
) -> None:
    """Wherever the file lies, and whether or not the backend is there."""
    (tmp_path / "evil.py").write_text("print('imported')", encoding="utf-8")
    (tmp_path / "matplotlibrc").write_text(SETTINGS, encoding="utf-8")
    places = dict.fromkeys(("MATPLOTLIBRC", "MPLCONFIGDIR"), str(tmp_path))
    ended = subprocess.run(
        [sys.executable, "-c", IMPORTING],
        cwd=tmp_path,
        env={**os.environ, "MPLBACKEND": name, **places},
        capture_output=True,
        check=False,
        text=True,
    )
    expected = f"False 10.0 True\n{is_taken} {name} False\n"
    assert (ended.stdout, ended.stderr) == (expected, "")


def pictures() -> list[bytes]:
    frame = pd.DataFrame(columns=["player", *COLUMNS])
    frame["player"] = ["Ann", "Bob"]
    frame = frame.assign(figure="won", value=[0.4, 0.6], low=[0.3, 0.5], high=[0.5, 0.7])
    (picture,) = draw_pictures(Plot("Games", "won"), Section("Games", frame))
    return [
        as_png(picture.figure),
        as_svg(picture.figure),
        board_png(Scene(start_position("standard"))),
    ]


@pytest.mark.slow
def test_settings_of_a_notebook_change_nothing() -> None:
    before = pictures()
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "red", "savefig.facecolor": "blue"}):
        assert pictures() == before
        assert mpl.rcParams["font.size"] == 30
