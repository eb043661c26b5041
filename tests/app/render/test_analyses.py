"""Words and costs of an analysis."""

from __future__ import annotations

import pytest

from bganalyze.analysis.describe import Problem
from bganalyze.app.render.analyses import engine_in_words, error_in_words, format_cost


@pytest.mark.parametrize(
    ("engine", "said"),
    [
        (("gnubg", "1.07", "2ply"), "Analyzed by gnubg 1.07 at 2ply"),
        (
            ("recorded", "GNU Backgammon", "0ply"),
            "Analyzed by GNU Backgammon at 0ply, as stored in the file",
        ),
    ],
)
def test_an_analysis_of_the_file_is_said_to_be(engine: tuple[str, str, str], said: str) -> None:
    assert engine_in_words(*engine) == said


def test_a_wrong_answer_to_a_double_names_the_cube() -> None:
    question = "doubled to 4: take or pass"
    problem = Problem(question, "take", "pass", 0.2, None, "very bad", "wrong take")
    assert error_in_words(problem) == "very bad take (cube at 4): should pass"


def test_a_cost_in_a_match_has_two_units() -> None:
    problem = Problem("", "", "", 0.07, 0.0123, "bad", "")
    assert format_cost(problem, money=False) == "0.070 EMG, 1.23 % MWC"
