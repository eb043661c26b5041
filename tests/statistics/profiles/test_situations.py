"""The PR by situation, counted on paper."""

from __future__ import annotations

from bganalyze.analysis.analyzed import GameResult
from bganalyze.record.players import Players
from bganalyze.statistics.profiles.situations import rate_situations
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.tables.frames import tabulate_analyzed
from tests.analysis.rows import play
from tests.statistics.match_report.analyzed import MATCH, analyze_text

SCORES = ((0, 0), (2, 0), (2, 2))
"""Scores before the three games of a match to 3 points; the last is double match point."""


def test_double_match_point_is_a_stage_and_no_score() -> None:
    """Ann makes one play at 0-0, two at 2-0 and three at 2-2, and loses 0.01, 0.02 and 0.03 with each."""
    _, analyzed = analyze_text(MATCH)
    rows = [
        play(0.01 * game)._replace(game=game, length=3, left=left, right=right)
        for game, (left, right) in enumerate(SCORES, 1)
        for _ in range(game)
    ]
    results = [
        GameResult(game, 3, left, right, game == 2, None, None, "Ann", "Bob")
        for game, (left, right) in enumerate(SCORES, 1)
    ]
    match = analyzed._replace(rows=tuple(rows), results=tuple(results))
    found = rate_situations(tabulate_analyzed([match], Players()), Question(player="Ann"))
    sections = {section.title: section for section in found}
    stages = sections["By stage of the match"].frame
    assert dict(zip(stages["stage"], stages["of"], strict=True)) == {
        "before-crawford": 1,
        "crawford": 2,
        "double-match-point": 3,
    }
    scores = sections["By score"]
    assert dict(zip(scores.frame["score"], scores.frame["of"], strict=True)) == {
        "3-away 3-away": 1,
        "1-away 3-away Crawford": 2,
    }
    assert scores.notes == ("without double match point, a stage of its own",)
    assert [round(value, 9) for value in scores.frame["value"]] == [10.0, 5.0]
