"""Conformance: what each program says in its records, and what faults they have."""

from __future__ import annotations

import pandas as pd
import pytest

from bganalyze.statistics.reports.figures import Section
from bganalyze.statistics.reports.question import Question
from tests.statistics.reports.asked import sections_of
from tests.statistics.reports.test_small import tables_of

pytestmark = pytest.mark.slow

GALAXY = """\
; [Site "Backgammon Galaxy"]
; [Match ID "1"]
; [Event "Club night"]
; [EventDate "2024.05.01"]
; [TimeControl "8/10"]

 3 point match

 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                 42: 8/4 6/4
      Wins 1 point

 Game 2
 Ann : 1                         Bob : 0
  1) 31: 8/5 6/4                 42: 8/4 6/4
      Wins 2 points and the match
"""

BARE = """\
 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                 42: 8/4 6/4
"""

SGF = """\
(;FF[4]GM[6]AP[GNU Backgammon:1.06.002]MI[length:1][game:0][ws:0][bs:0]PW[Ann]PB[Bob]
;W[31hefe]LU[0.1]C[A comment.];B[42lpqu])
"""


def sections(*texts: str, **options: object) -> dict[str, Section]:
    question = Question(**options)  # type: ignore[arg-type]
    all_sections = sections_of("conformance", tables_of(*texts), question)
    return {section.title: section for section in all_sections}


def values(section: Section, producer: str) -> dict[str, float]:
    rows = section.frame[section.frame["producer"] == producer]
    return dict(zip(rows["figure"], rows["value"], strict=True))


FULL = """\
; [Site "Somewhere"]
; [Transcriber "Tess"]
; [Player 1 "Ann"]
; [Player 2 "Bob"]
; [Player 1 Elo "1700.00/500"]
; a comment of hers
 Game 1
 Ann : 0                         Bob : 0
  1) 51: 13/8 6/5                44: 24/20*(2)
  2) 66: Cannot Move             31: 8/5 6/5
"""


def test_what_a_program_records_is_counted_in_its_matches_and_games() -> None:
    recorded = sections(GALAXY, BARE, FULL)["What is recorded"]
    galaxy = values(recorded, "Backgammon Galaxy")
    assert (galaxy["matches"], galaxy["games"]) == (1, 2)
    stated = {name for name, value in galaxy.items() if value == 1} - {"matches"}
    assert stated == {"length", "date", "event", "clock", "score lines", "results"}
    bare_values = values(sections(BARE)["What is recorded"], "unknown")
    assert "results" not in bare_values  # nobody has won
    assert {name for name, value in bare_values.items() if value == 1} == {
        *("matches", "games", "score lines")
    }
    full = values(sections(FULL)["What is recorded"], "unknown")
    stated = {name for name, value in full.items() if value == 1}
    assert stated >= {"transcriber", "ratings", "comments", "dances"}
    assert full["analysis"] == full["times"] == 0


def test_the_version_is_told_where_a_record_states_it() -> None:
    assert "version" not in sections(GALAXY)["What is recorded"].frame
    frame = sections(GALAXY, SGF)["What is recorded"].frame
    of_gnubg = frame[frame["producer"] == "GNU Backgammon"]
    assert of_gnubg["version"].unique().tolist() == ["1.06.002"]
    assert of_gnubg["format"].unique().tolist() == ["sgf"]
    shares = dict(zip(of_gnubg["figure"], of_gnubg["value"], strict=True))
    assert (shares["comments"], shares["hit marks"]) == (1, 0)
    assert (shares["resignations"], shares["analysis"]) == (1, 1)


def test_times_are_counted_of_the_rolls_of_both_players() -> None:
    tables = tables_of(GALAXY)
    timed = tables.turns.assign(seconds=[3.0, 4.0, 5.0, float("nan")])
    tables = tables._replace(turns=timed)
    recorded, *_ = sections_of("conformance", tables, Question(by=("player",)))
    assert values(recorded, "Backgammon Galaxy")["times"] == 0.75


def test_findings_are_told_by_program_and_rule() -> None:
    all_sections = sections(GALAXY, BARE)
    galaxy = values(all_sections["Findings"], "Backgammon Galaxy")
    assert galaxy["rolls"] == 4
    assert galaxy["errors"] == 1000 / 4 * 1  # 3-1: 8/5 6/4
    rules = all_sections["Findings by rule"].frame
    assert (rules["count"] > 0).all()
    of_galaxy = rules[rules["producer"] == "Backgammon Galaxy"]
    assert "die-not-rolled" in of_galaxy["name"].tolist()


def test_records_are_told_apart_by_what_is_asked_of_them() -> None:
    frame = sections(GALAXY, BARE, by=("player", "year"))["Findings"].frame
    assert list(frame.columns[:3]) == ["producer", "format", "year"]
    assert not pd.isna(frame["value"]).any()


def test_nothing_conforms_to_anything() -> None:
    assert all(section.frame.empty for section in sections().values())
