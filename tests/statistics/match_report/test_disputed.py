"""The report and the summary of a check never contradict the findings in silence."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from bganalyze.app.jobs.check import check_file
from bganalyze.app.jobs.tabulate import tabulate_files
from bganalyze.app.render import render_reports
from bganalyze.app.render.match_report import match_page
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.board.rule_book import BASIC
from bganalyze.files.reading import find_files, load_file
from bganalyze.record.not_a_transcript import NotATranscript
from bganalyze.record.reader import read_bytes
from bganalyze.statistics.match_report import MatchReport, make_match_reports, select_reported
from bganalyze.statistics.reports.answer import answer_from_tables
from bganalyze.statistics.reports.question import Question
from bganalyze.validation.findings import Finding, Selection
from bganalyze.validation.replaying.outcomes import OF_RESULTS, outcome_of

SAMPLES = sorted((Path(__file__).parents[3] / "samples" / "faulty").glob("R*"))

OF_THE_END = {"game-after-match", "match-end-mark", "final-score-mismatch", "score-mismatch"}

WRONG_COLUMN = """ 3 point match

 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                   Doubles => 2
  2)  Drops                        Wins 1 point

 Game 2
 Ann : 0                         Bob : 1
  1) 31: 8/5 6/5                   Doubles => 2
  2)  Drops
      Wins 1 point
"""


def reports_of(content: bytes, path: str = "match.mat") -> list[MatchReport]:
    return make_match_reports(select_reported(read_bytes(content, path)))


def text_of(reports: list[MatchReport], way: str = "text") -> str:
    return "".join(render_reports(reports, way, OutputOptions(BASIC)))


def contradictions(report: MatchReport) -> Iterator[str]:
    """Yield results that a finding disputes and a report does not."""
    findings: list[Finding] = [fault.finding for fault in report.findings]
    outcome, heading = outcome_of(report.replayed), report.heading
    disputed = {rule for game in outcome.games for rule in game.disputed}
    for finding in findings:
        if finding.name in OF_RESULTS and finding.name not in disputed:
            yield f"{finding!r}: the game is not disputed"
        if finding.name in OF_RESULTS | OF_THE_END and report.books.balances:
            yield f"{finding!r}: the books balance"
    if outcome.recorded.winner != outcome.by_board.winner and heading.winner is not None:
        yield "a winner is named who is disputed"
    if not outcome.disputed and (outcome.recorded, outcome.recorded) != (
        outcome.by_board,
        outcome.counting,
    ):
        yield "results differ that nothing disputes"
    for number, game in enumerate(outcome.games, start=1):
        won, by_board = game.recorded, game.by_board
        if won and by_board and won.side != by_board.side and not game.disputed:
            yield f"game {number}: another side wins by the board, and nothing disputes it"


@pytest.mark.slow
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_no_report_of_a_sample_contradicts_its_findings(path: Path) -> None:
    for report in reports_of(path.read_bytes(), str(path)):
        assert list(contradictions(report)) == []


EACH = 80
"""One real file in this many is reported on: all take four minutes."""


@pytest.mark.corpus
@pytest.mark.slow
def test_no_report_of_a_real_file_contradicts_its_findings(corpus: Path) -> None:
    found = []
    for item in islice(find_files([str(corpus)]), 0, None, EACH):
        try:
            reports = reports_of(load_file(item), item.path)
        except NotATranscript:
            continue
        found += [(item.path, words) for report in reports for words in contradictions(report)]
    assert found == []


def test_a_disputed_result_is_given_as_recorded_and_by_the_board_everywhere(tmp_path: Path) -> None:
    of_game = "as recorded, Ann wins 1 point; by the board, Bob wins 1 point"
    of_match = "as recorded, 1–1, undecided; if game 2 counts as its plays say, 0–2, undecided"
    reports = reports_of(WRONG_COLUMN.encode())
    shown = [text_of(reports), text_of(reports, "markdown"), match_page(reports)]
    for text in shown:
        words = " ".join(text.split())
        assert "1–1 or 0–2" in words
        assert words.count("the record cannot choose between them") == 1
        for reading in ("Ann wins 1 point", "Bob wins 1 point", "1–1, undecided", "0–2, undecided"):
            assert reading in words
        assert "No record shows what the players agreed" in words.replace("no record", "No record")
        assert "books balance" not in words
    path = tmp_path / "match.mat"
    path.write_text(WRONG_COLUMN, encoding="utf-8")
    (item,) = find_files([str(path)])
    checked = check_file(item, BASIC, Selection())
    assert tuple(dispute.words for dispute in checked.disputes) == (
        f"the match: {of_match} (R603)",
        f"game 2: {of_game}; statistics count the game by the board (R603)",
    )


@pytest.mark.slow
def test_statistics_count_a_disputed_game_by_the_rule_and_leave_it_out_if_strict(
    tmp_path: Path,
) -> None:
    (tmp_path / "match.mat").write_text(WRONG_COLUMN, encoding="utf-8")
    tables = tabulate_files([str(tmp_path)])
    assert tables.games["winner"].tolist() == ["right", "right"]
    assert tables.games["disputed"].tolist()[1:] == ["R603"]
    said = answer_from_tables(tables, ["points"], Question())
    assert any("1 game with a disputed result" in note for note in said.left_out)
    strict = answer_from_tables(tables, ["points"], Question(strict=True))
    assert strict.counted[1] == "1 game"


@pytest.mark.slow
def test_impossible_points_are_never_cut() -> None:
    text = WRONG_COLUMN.replace("      Wins 1 point\n", f"{'Wins 1004 points':>46}\n")
    (report,) = reports_of(text.encode())
    assert report.books.total.cut == (0, 0)
    assert report.books.won == (0, 2)
    assert not report.books.balances


@pytest.mark.slow
def test_a_match_of_unknown_length_is_not_called_undecided() -> None:
    for agreed in (WRONG_COLUMN, WRONG_COLUMN.replace("      Wins", " " * 33 + "Wins")):
        text = text_of(reports_of(agreed.replace(" 3 point match\n", "").encode()))
        assert "undecided" not in text
        assert "before the match is decided" not in text
    assert "it is unknown whether the match is decided" in text
