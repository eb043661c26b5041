"""`tabulate`: tables of files and of matches alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from bganalyze.app.api.read import read
from bganalyze.app.api.tabulate import ROWS, tabulate
from bganalyze.files.reading import UnreadableError
from bganalyze.record.not_a_transcript import NotATranscript
from tests.app.api.records import CLEAN, ILLEGAL, NO_RECORD


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.mat").write_bytes(CLEAN)
    (tmp_path / "b.mat").write_bytes(ILLEGAL)
    (tmp_path / "letter.txt").write_bytes(NO_RECORD)
    (tmp_path / "broken.mat").write_bytes(b"\x1f\x8b broken")
    return tmp_path


def test_files_and_matches_give_the_same_tables(folder: Path) -> None:
    of_files, of_matches = tabulate(folder), tabulate(read(folder))
    for table in ROWS:
        assert getattr(of_files, table).equals(getattr(of_matches, table)), table
    assert repr(of_files) == "<2 matches, 2 games, 8 turns, 0 doubles, 3 findings>"
    assert (of_files.skipped, len(of_files.unreadable)) == (1, 1)


@pytest.mark.slow
def test_files_and_matches_are_put_together_in_their_order(folder: Path) -> None:
    (match,) = read(ILLEGAL, name="given")
    tables = tabulate([folder / "a.mat", match, folder / "b.mat"])
    assert [Path(path).name for path in tables.matches["path"]] == ["a.mat", "given", "b.mat"]
    assert tables.matches["match"].tolist() == [0, 1, 2]


@pytest.mark.slow
def test_players_may_be_called_otherwise(folder: Path) -> None:
    tables = tabulate(folder / "a.mat", players=str.upper)
    assert tables.games[["left", "right"]].to_numpy().tolist() == [["ANN", "BOB"]]
    assert tables.turns["player"].tolist() == ["ANN", "BOB"] * 2


def test_turns_and_doubles_name_the_player_who_acts() -> None:
    """The names of the columns change between games."""
    first = b" 5 point match\n\n Game 1\n Ann : 0    Bob : 0\n  1) 31: 8/5 6/5    Doubles => 2\n"
    second = (
        b"  2) Drops\n      Wins 1 point\n\n Game 2\n Cid : 1    Ann : 0\n  1)    31: 8/5 6/5\n"
    )
    tables = tabulate(first + second, name="a.mat")
    acting = tables.turns[["side", "player"]].to_numpy().tolist()
    assert acting == [["left", "Ann"], ["left", "Cid"]]
    assert tables.cubes[["side", "player"]].to_numpy().tolist() == [["right", "Bob"]]
    assert tabulate([]).turns["player"].cat.categories.tolist() == []


def test_a_named_file_that_cannot_be_read_is_an_error(folder: Path) -> None:
    errors = {
        "broken.mat": UnreadableError,
        "letter.txt": NotATranscript,
        "none.mat": UnreadableError,
    }
    for name, error in errors.items():
        with pytest.raises(error, match=name):
            tabulate([folder / "a.mat", folder / name])


@pytest.mark.slow
def test_a_notebook_shows_the_matches(folder: Path) -> None:
    assert "<td>Ann</td>" in tabulate(folder)._repr_html_()
