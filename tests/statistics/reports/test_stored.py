"""Sums say the same wherever they are: from tables, file after file, and in a store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bganalyze.app.jobs import tabulate
from bganalyze.app.jobs.collect import collect
from bganalyze.app.jobs.collect_counts import CollectCounts
from bganalyze.app.jobs.executor import CHUNK
from bganalyze.app.jobs.tabulate import OutcomesAndTotals, sum_files, tabulate_files
from bganalyze.app.jobs.workers import Processes
from bganalyze.board.rule_book import BASIC
from bganalyze.files.reading import FileToRead, find_files, hold_content, load_file
from bganalyze.record.players import Players
from bganalyze.statistics.reports import REPORTS, dice, list_summed_tables, selection, sums
from bganalyze.statistics.reports.answer import ReportAnswer, answer_from_sums
from bganalyze.statistics.reports.question import DIMENSIONS, Question
from bganalyze.statistics.reports.stored import SETTINGS, StoredSums
from bganalyze.statistics.reports.sums import KeptSums, join_sums, sum_in_memory
from bganalyze.statistics.store.manifest import open_or_create
from bganalyze.statistics.store.program_version import identify_program
from bganalyze.statistics.tables.fragments import TableFragment
from bganalyze.statistics.tables.frames import Tables, join_as_written
from bganalyze.statistics.tables.games import STAGES

pytestmark = pytest.mark.slow

SAMPLES = Path(__file__).parents[3] / "samples"
FILES = [
    *("clean/galaxy.txt", "clean/redoubles.mat", "clean/money-jacoby-beavers.mat"),
    *("clean/archive.zip", "clean/unfinished.mat", "clean/short-match.mat"),
    *("faulty/P404-open.mat", "faulty/P404-corrected.mat", "clean/one-point.mat"),
]
PATHS = [str(SAMPLES / name) for name in FILES]


@pytest.fixture(scope="module")
def whole() -> KeptSums:
    return sum_in_memory(tabulate_files(PATHS), list_summed_tables())


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoredSums]:
    pytest.importorskip("duckdb", reason="the extra store is not installed")
    from bganalyze.statistics.store.views import connect_to_store

    folder = tmp_path_factory.mktemp("store")
    with closing(open_or_create(folder, identify_program(), BASIC.name)) as manifest:
        list(collect(PATHS, manifest, BASIC, Processes(1), CollectCounts()))
    with connect_to_store(folder, duckdb_settings=SETTINGS) as connection:
        for name in ("turns", "cubes", "findings"):  # No report may need the rows of turns.
            connection.execute(f"DROP VIEW {name}")
        yield StoredSums(connection, Players())


def assert_same(answer: ReportAnswer, expected: ReportAnswer) -> None:
    assert (answer.counted, answer.left_out) == (expected.counted, expected.left_out)
    for name, sections in answer.reports.items():
        for section, expected_section in zip(sections, expected.reports[name], strict=True):
            assert (section.title, section.notes) == (
                expected_section.title,
                expected_section.notes,
            )
            frames = (section.frame.astype(object), expected_section.frame.astype(object))
            pd.testing.assert_frame_equal(*frames, check_exact=False, rtol=1e-12, obj=name)


QUESTIONS = st.builds(
    Question,
    by=st.lists(st.sampled_from(list(DIMENSIONS)), unique=True, max_size=3).map(tuple),
    player=st.sampled_from([None, None, "Ada Quill", "nobody"]),
    stages=st.sampled_from([(), (), STAGES[1:3]]),
    min_games=st.sampled_from([1, 1, 2, 5]),
    strict=st.booleans(),
)


@pytest.mark.parametrize("by", [tuple(DIMENSIONS)[start::4] for start in range(4)])
def test_a_store_says_what_its_files_say(
    by: tuple[str, ...], whole: KeptSums, stored: StoredSums
) -> None:
    question = Question(by=by)
    assert_same(*(answer_from_sums(sums, REPORTS, question) for sums in (whole, stored)))


@settings(max_examples=6, deadline=None)
@given(question=QUESTIONS, names=st.sampled_from([list(REPORTS)[start::4] for start in range(4)]))
def test_a_store_answers_any_question_as_its_files_do(
    question: Question, names: list[str], whole: KeptSums, stored: StoredSums
) -> None:
    assert_same(*(answer_from_sums(sums, names, question) for sums in (whole, stored)))


def test_matches_are_summed_some_at_a_time(
    whole: KeptSums, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No more than a lot of matches, and the files read with the last, are tabulated at once."""
    tabulated: list[int] = []
    joined = join_as_written

    def counting(rows: list[TableFragment], groups: frozenset[str]) -> Tables:
        tables = joined(rows, groups)
        tabulated.append(len(tables.matches))
        return tables

    monkeypatch.setattr(tabulate, "MATCHES_A_LOT", 3)
    monkeypatch.setattr(sums, "join_as_written", counting)
    results = list(sum_files(find_files(PATHS), BASIC, tuple(REPORTS), Processes()))
    assert sum(tabulated) == len(whole.recorded.matches)
    assert len(tabulated) > 1
    assert len(results[0].files) == CHUNK
    assert_sums(results, whole)


def assert_sums(results: list[OutcomesAndTotals], expected: KeptSums) -> None:
    lots = join_sums(
        (lot for summed in results for lot in summed.totals), list_summed_tables(), Players()
    )
    assert lots.frames.keys() == expected.frames.keys()
    pairs = [(frame, expected.frames[name]) for name, frame in lots.frames.items()]
    for frame, other in (*pairs, *zip(lots.recorded, expected.recorded, strict=True)):
        of_frames = (
            rows[sorted(frame)].astype(object).reset_index(drop=True) for rows in (frame, other)
        )
        # Other processes may keep the names of columns in Arrow.
        pd.testing.assert_frame_equal(
            *of_frames, check_exact=False, rtol=1e-12, check_column_type=False
        )


@pytest.mark.parametrize(("workers", "together"), [(1, CHUNK), (2, 5)])
def test_files_are_summed_by_whoever_reads_them(
    workers: int, together: int, whole: KeptSums, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tabulate, "FILES_A_SHARE", 5)
    monkeypatch.setattr(tabulate, "FEWEST_FILES", 1)
    results = list(sum_files(find_files(PATHS), BASIC, tuple(REPORTS), Processes(workers)))
    assert len(results[0].files) >= together
    assert [file.path for summed in results for file in summed.files] == list(
        map(str, find_files(PATHS))
    )
    assert_sums(results, whole)


class OfContents(NamedTuple):
    """Workers that are sent the contents of files."""

    sent: list[int]
    """Number of files sent together."""
    size: int = 1

    def stays_in_process(self, *, few: bool) -> bool:
        return few

    def attach_content(self, item: FileToRead) -> FileToRead:
        return hold_content(item)

    def map_in_order(
        self,
        job: Callable[[list[FileToRead]], OutcomesAndTotals],
        parts: Iterable[list[FileToRead]],
        chunks_at_once: int,
    ) -> Iterator[OutcomesAndTotals]:
        assert chunks_at_once == 1
        for items in parts:
            self.sent.append(len(items))
            yield job(items)


def test_large_files_are_sent_few_at_a_time(
    whole: KeptSums, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = [len(load_file(item)) for item in find_files(PATHS)]
    monkeypatch.setattr(tabulate, "FILES_A_SHARE", 10)
    monkeypatch.setattr(tabulate, "FEWEST_FILES", 1)
    monkeypatch.setattr(tabulate, "BYTES_A_SHARE", sum(sizes[:3]))
    workers = OfContents([])
    results = list(sum_files(find_files(PATHS), BASIC, tuple(REPORTS), workers))  # type: ignore[arg-type]
    assert workers.sent[0] == 3
    assert max(workers.sent) <= 10
    assert sum(workers.sent) == len(sizes)
    assert_sums(results, whole)


@pytest.mark.parametrize(
    "question",
    [
        Question(by=("player",), min_games=2),
        Question(by=("opponent", "score"), min_games=2),
        Question(by=()),
    ],
)
def test_groups_are_estimated_some_at_a_time(
    question: Question, whole: KeptSums, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever lots the groups come in, and also where small ones are left out."""
    reports = ("points", "dice")  # Others are divided as the points are.
    together = answer_from_sums(whole, reports, question)
    assert len(whole.frames["accounts"]) > 5 * 7
    monkeypatch.setattr(selection, "A_LOT", 7)
    monkeypatch.setattr(dice, "SEATS_AT_ONCE", 7)
    assert_same(together, answer_from_sums(whole, reports, question))


def test_sums_are_fewer_than_the_rolls_they_are_made_of(whole: KeptSums) -> None:
    rolls = len(whole.frames["rolls"])
    small = [name for name in whole.frames if name != "rolls"]
    assert all(len(whole.frames[name]) < rolls / 3 for name in small)


def test_sums_of_nothing_answer_nothing() -> None:
    nothing = join_sums([], list_summed_tables(), Players())
    answer = answer_from_sums(nothing, REPORTS, Question(min_games=2))
    assert answer.counted == ("0 matches", "0 games", "0 rolls")
