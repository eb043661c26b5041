"""The study of public records, on a few samples."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest

from tests.study import COLUMNS, DOCS, find_discrepancies, list_match_files, write_study

pytestmark = pytest.mark.slow

SAMPLES = Path(__file__).parent.parent / "samples"
NAMES = ("clean/three-point.mat", "clean/positions.txt", "faulty/P403-wrong-direction.mat")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A collection of a clean record, an error, a position and a synthetic file."""
    place = tmp_path / "records"
    place.mkdir()
    for name in NAMES:
        shutil.copy(SAMPLES / name, place)
    shutil.copy(SAMPLES / "faulty" / "P401-empty-point.mat", place / "made-up.mat")
    index = "path\tproducer\nmade-up.mat\tSYNTHETIC test\nthree-point.mat\tsome program\n"
    (place / "INDEX.tsv").write_text(index, encoding="utf-8")
    return place


def test_positions_and_synthetic_files_are_no_records(folder: Path) -> None:
    names = [Path(path).name for path in list_match_files(folder)]
    assert names == ["P403-wrong-direction.mat", "three-point.mat"]


def test_an_error_is_told_without_names(folder: Path) -> None:
    (found,) = find_discrepancies(list_match_files(folder))
    assert (found.code, found.game, found.standing) == ("P403", 1, "stands")
    assert (found.evidence, found.proposals, found.proved) == ("consistent", 2, 0)


def test_page_and_discrepancies_agree(folder: Path, tmp_path: Path) -> None:
    write_study(folder, tmp_path)
    page = (tmp_path / "study.md").read_text(encoding="utf-8")
    assert "[P403](rules.md#p403-wrong-direction-error)" in page
    (file,) = (tmp_path / "study").iterdir()
    assert f"(study/{file.name}): 1" in page
    rows = list(csv.reader(file.read_text(encoding="utf-8").splitlines()))
    assert rows[0] == list(COLUMNS)
    assert rows[1][4:6] == ["P403", "wrong-direction"]


def test_the_published_page_counts_what_its_files_list() -> None:
    page = (DOCS / "study.md").read_text(encoding="utf-8")
    files = [path.read_text(encoding="utf-8") for path in (DOCS / "study").glob("*.csv")]
    listed = sum(len(text.splitlines()) - 1 for text in files)
    assert f"Errors: {listed}." in page
