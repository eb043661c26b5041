"""Pictures of a few groups, and the files that they are saved in."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from bganalyze.statistics.plots.draw import Image, draw_intervals, save_image
from bganalyze.statistics.reports.figures import COLUMNS, Section


def test_a_foreign_file_gives_way_only_to_force(tmp_path: Path) -> None:
    image = Image("shots", ".svg", b"<svg/>")
    path = save_image(image, tmp_path / "plots")
    path.write_bytes(b"of somebody else")
    with pytest.raises(OSError, match="already exists; --force"):
        save_image(image, tmp_path / "plots")
    assert path.read_bytes() == b"of somebody else"
    assert save_image(image, tmp_path / "plots", force=True).read_bytes() == b"<svg/>"


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"Ann": 0.5, "Bob": 0.25, "Cid": 0.75}, "percent. 3 groups, from 25 (Bob) to 75 (Cid)."),
        ({"Ann": 0.5, "Bob": 0.25}, "percent. 2 groups, from 25 (Bob) to 50 (Ann)."),
    ],
)
def test_the_least_and_the_most_of_several_groups_are_told(
    values: dict[str, float], said: str
) -> None:
    rows = pd.DataFrame(
        [
            dict.fromkeys(COLUMNS, 1.0)
            | {"player": name, "figure": "won", "kind": "share"}
            | {"value": value}
            for name, value in values.items()
        ]
    )
    figure = draw_intervals(Section("Games", rows), "won")
    assert figure is not None
    assert str(figure.get_label()).endswith(said)
