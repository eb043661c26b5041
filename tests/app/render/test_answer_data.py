"""Answers for programs: written in parts, they are what they are when written at once."""

from __future__ import annotations

import csv
import io
import json
from functools import cache
from pathlib import Path
from weakref import ref

import pandas as pd
import pytest

from bganalyze.app.jobs.tabulate import tabulate_files
from bganalyze.app.render import data, get_answer_renderer
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.statistics.reports import REPORTS
from bganalyze.statistics.reports.answer import ReportAnswer, SectionsOnDisk, answer_from_tables
from bganalyze.statistics.reports.figures import Section
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.tables.frames import Tables

pytestmark = pytest.mark.slow


@cache
def tables() -> Tables:
    return tabulate_files(["samples/clean/several-matches.mat"])


@cache
def answer() -> ReportAnswer:
    return answer_from_tables(tables(), REPORTS, Question(by=("player", "year")))


def write_answer(name: str) -> str:
    return "".join(get_answer_renderer(name)(answer(), OutputOptions()))


@pytest.fixture(params=[1, 2, 7])
def rows_at_once(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(data, "ROWS_AT_ONCE", request.param)
    return int(request.param)


@pytest.mark.usefixtures("rows_at_once")
def test_json_in_parts_is_laid_out_as_json_is() -> None:
    text = write_answer("json")
    assert text == json.dumps(json.loads(text), indent=2) + "\n"


@pytest.mark.parametrize("name", ["csv", "json"])
def test_parts_say_what_the_whole_says(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    written_whole = write_answer(name)
    monkeypatch.setattr(data, "ROWS_AT_ONCE", 3)
    assert write_answer(name) == written_whole


def test_every_line_of_csv_has_a_cell_for_each_column() -> None:
    name = 'a, "b"'
    sections = (
        Section("One", pd.DataFrame({"player": [name], "last": ["x"]})),
        Section("Two", pd.DataFrame({"player": [name], "other": [1]})),
        Section("Three", pd.DataFrame({"player": [name, "Ann"]})),
    )
    several = answer()._replace(reports={"points": sections})
    text = "".join(get_answer_renderer("csv")(several, OutputOptions()))
    assert list(csv.reader(io.StringIO(text))) == [
        ["report", "section", "player", "last", "other"],
        ["points", "One", name, "x", ""],
        ["points", "Two", name, "", "1"],
        ["points", "Three", name, "", ""],
        ["points", "Three", "Ann", "", ""],
    ]


@pytest.mark.usefixtures("rows_at_once")
def test_every_row_of_every_section_is_there() -> None:
    sections = [
        (name, section) for name, several in answer().reports.items() for section in several
    ]
    objects = json.loads(write_answer("json"))["reports"]
    assert {name: [section["title"] for section in objects[name]] for name in objects} == {
        name: [section.title for section in several] for name, several in answer().reports.items()
    }
    rows = [len(section["rows"]) for several in objects.values() for section in several]
    assert rows == [len(section.frame) for _, section in sections]
    table = pd.read_csv(io.StringIO(write_answer("csv")), dtype=str)
    assert list(table.columns[:2]) == ["report", "section"]
    assert len(table) == sum(rows)
    assert set(table.columns[2:]) == {name for _, section in sections for name in section.frame}


def test_tables_in_parts_are_the_same_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("whole", "parts"):
        list(data.write_tables(tmp_path / name, tables()._asdict(), answer(), force=False))
        monkeypatch.setattr(data, "ROWS_AT_ONCE", 3)
    contents = [
        {path.name: path.read_bytes() for path in (tmp_path / name).glob("*.csv")}
        for name in ("whole", "parts")
    ]
    assert contents[0] == contents[1]
    assert len(contents[0]) > len(tables())


def test_the_columns_of_a_table_are_known_without_its_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow")
    path, replaced = tmp_path / "games.parquet", {"games": pd.DataFrame({"game": [1]})}
    list(data.write_tables(tmp_path, replaced, answer(), force=False))
    monkeypatch.setattr(pd, "read_parquet", lambda *_: pytest.fail("rows were read"))
    assert path in set(data.write_tables(tmp_path, replaced, answer(), force=False))
    pd.DataFrame({"other": [1]}).to_parquet(path)
    with pytest.raises(OSError, match="other columns"):
        list(data.write_tables(tmp_path, replaced, answer(), force=False))


class TestSectionsSetAside:
    def test_they_are_those_that_were_made(self) -> None:
        sections = answer().reports["points"]
        aside = SectionsOnDisk(sections)
        assert len(aside) == len(sections)
        for kept, original in zip(aside, sections, strict=True):
            assert kept.title == original.title
            assert kept.notes == original.notes
            pd.testing.assert_frame_equal(kept.frame, original.frame)
        assert aside[-1].title == sections[-1].title

    def test_no_two_are_in_memory(self) -> None:
        frames: list[ref[pd.DataFrame]] = []

        def section(number: int) -> Section:
            assert [frame() for frame in frames] == [None] * number
            frame = pd.DataFrame({"number": [number]})
            frames.append(ref(frame))
            return Section(f"{number}", frame)

        aside = SectionsOnDisk(map(section, range(3)))
        assert [section.title for section in aside] == ["0", "1", "2"]

    def test_renderers_write_what_they_write_of_others(self) -> None:
        aside = {name: SectionsOnDisk(several) for name, several in answer().reports.items()}
        for name in ("table", "csv", "json", "markdown"):
            render = get_answer_renderer(name)
            pieces = render(answer()._replace(reports=aside), OutputOptions())
            assert "".join(pieces) == write_answer(name)
