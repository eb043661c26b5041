"""`read`: every form of input gives the same matches, and nothing is lost without a word."""

from __future__ import annotations

import gzip
import io
import pickle
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from bganalyze.app.api.analyze import analyze
from bganalyze.app.api.check import check
from bganalyze.app.api.convert import convert
from bganalyze.app.api.read import Matches, read, yield_matches_by_file
from bganalyze.app.api.repair import repair
from bganalyze.app.api.report import report
from bganalyze.app.api.show import show
from bganalyze.app.api.stats import stats
from bganalyze.app.api.tabulate import tabulate
from bganalyze.files.reading import UnreadableError
from bganalyze.record.not_a_transcript import NotATranscript
from tests.app.api.records import CLEAN, NO_RECORD, zip_files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "b.mat").write_bytes(CLEAN)
    (tmp_path / "a.mat").write_bytes(CLEAN.replace(b"Ann", b"Eve"))
    (tmp_path / "letter.txt").write_bytes(NO_RECORD)
    return tmp_path


def names(matches: Matches) -> list[tuple[str, str]]:
    return [match.names for match in matches]


def test_all_forms_of_a_file_give_the_same_matches(folder: Path) -> None:
    path = folder / "b.mat"
    expected = read(path)
    assert names(expected) == [("Ann", "Bob")]
    assert read(str(path)).matches == expected.matches
    assert read([path]).matches == expected.matches
    with path.open("rb") as file:
        assert read(file).matches == expected.matches
    assert read(path.read_bytes(), name=str(path)).matches == expected.matches
    assert read(io.BytesIO(CLEAN), name=str(path)).matches == expected.matches
    assert read(gzip.compress(CLEAN), name=str(path)).matches == expected.matches


def test_matches_that_are_read_already_pass_through(folder: Path) -> None:
    matches = read(folder)
    assert read(matches[0]).matches == matches[:1]
    assert read(matches).matches == matches.matches
    assert read([matches[1], folder / "a.mat"]).matches == (matches[1], matches[0])


def test_a_folder_is_read_by_name_and_tells_what_it_leaves_out(folder: Path) -> None:
    matches = read(folder)
    assert names(matches) == [("Eve", "Bob"), ("Ann", "Bob")]
    assert (len(matches), matches.skipped, matches.unreadable) == (2, 1, ())
    assert repr(matches) == "<2 matches, 1 skipped>"
    assert "<td>Eve – Bob</td>" in matches._repr_html_()


def test_what_cannot_be_read_in_a_folder_is_listed(folder: Path) -> None:
    (folder / "c.mat").write_bytes(b"\x1f\x8b broken")
    (left_out,) = read(folder).unreadable
    assert left_out.path == str(folder / "c.mat")
    assert left_out.reason


def test_the_bytes_of_an_archive_are_read_by_its_name() -> None:
    data = zip_files(a_mat=CLEAN, b_mat=CLEAN)
    matches = read(data, name="club.zip")
    assert [match.source.path for match in matches] == ["club.zip!a.mat", "club.zip!b.mat"]
    with pytest.raises(NotATranscript, match=r"club: .*zip archive"):
        read(data, name="club")


def test_a_named_file_that_cannot_be_read_is_an_error(folder: Path) -> None:
    with pytest.raises(NotATranscript, match=r"letter\.txt: "):
        read(folder / "letter.txt")
    with pytest.raises(UnreadableError, match=r"none\.mat: No such file"):
        read(folder / "none.mat")


@pytest.mark.parametrize("source", [None, 3, [3], [None]])
def test_what_is_no_source_is_refused(source: object) -> None:
    with pytest.raises(TypeError, match="expected, not"):
        read(source)  # type: ignore[arg-type]


def test_content_in_the_place_of_a_path_is_not_repeated() -> None:
    for text in (CLEAN.decode(), "(;FF[4]" * 1000, "a\0b"):
        for source in (text, [text]):
            with pytest.raises(UnreadableError, match=r"a str is a path, .* as bytes$") as caught:
                read(source)
            assert len(str(caught.value)) < 200
            assert str(caught.value).isprintable()


def test_a_path_may_have_a_line_end(tmp_path: Path) -> None:
    path = tmp_path / "a\nb.mat"
    path.write_bytes(CLEAN)
    assert names(read(str(path))) == [("Ann", "Bob")]


def test_a_name_as_a_rule_book_is_hinted_at() -> None:
    with pytest.raises(ValueError, match=r"'up\.mat' is no rule book; .* is given as name="):
        check(CLEAN, "up.mat")


BAD = gzip.compress(CLEAN)[:20]
EVERY = (
    read,
    check,
    tabulate,
    stats,
    report,
    repair,
    analyze,
    partial(convert, to="sgf"),
    partial(show, where="1.1"),
)


@pytest.mark.parametrize("function", EVERY)
def test_every_function_raises_the_same_errors(function: Callable[[object], object]) -> None:
    if function is analyze:
        pytest.importorskip("bgsage")
    with pytest.raises(NotATranscript) as refused:
        function(NO_RECORD)
    assert (refused.value.path, refused.value.recognized_as) == ("unnamed", None)
    assert refused.value.reason.startswith("no match found: ")
    with pytest.raises(UnreadableError) as unreadable:
        function(BAD)
    error = unreadable.value
    assert (error.path, error.reason) == ("unnamed", "compressed by gzip, but broken (cut off)")
    assert str(error) == f"{error.path}: {error.reason}"
    with pytest.raises(NotATranscript) as empty:
        function(io.BytesIO(b""))
    assert empty.value.reason == "the file is empty"


def test_errors_travel_between_processes() -> None:
    for error in (NotATranscript("a", "b", "mat"), UnreadableError("b", "a"), UnreadableError("b")):
        again = pickle.loads(pickle.dumps(error))
        assert (str(again), vars(again)) == (str(error), vars(error))


def test_an_open_file_is_used_up_by_the_first_call() -> None:
    file = io.BytesIO(CLEAN)
    assert len(read(file)) == 1
    with pytest.raises(UnreadableError, match="unnamed: read to its end already; open it again"):
        read(file)


def test_a_file_open_as_text_is_refused(folder: Path) -> None:
    with (
        (folder / "b.mat").open(encoding="utf-8") as file,
        pytest.raises(TypeError, match="binary"),
    ):
        read(file)  # type: ignore[arg-type]


def test_the_matches_of_a_file_come_together(folder: Path) -> None:
    (folder / "b.mat").write_bytes(CLEAN * 3)
    assert [len(matches) for matches in yield_matches_by_file(folder)] == [1, 3]
    assert list(yield_matches_by_file([])) == []
