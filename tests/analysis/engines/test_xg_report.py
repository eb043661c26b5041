"""Figures of eXtreme Gammon's reports, the same in each language."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from bganalyze.analysis.decisions import Kind, decisions_of_match
from bganalyze.analysis.engines import Chances, CubeEvaluation, Limits, PlayEvaluation, recorded
from bganalyze.analysis.engines.xg_report import read_report
from bganalyze.board.position import start_position
from bganalyze.record.model import Play, SetUp
from bganalyze.record.reader import read, read_bytes
from bganalyze.validation.replaying import replay

PLAYS = """\
XGID=-b----E-C---eE---c-e----B-:0:0:1:21:0:0:0:5:10

X:Ann   O:Bob
{on_roll}

    1. 4-{plies}       13/11 6/5                    {equity}:{minus}
      {player}:   25{point}45% (G:1{point}00% B:0{point}50%)
      {opponent}: 74{point}55% (G:31{point}00% B:2{point}00%)

    2. 3-{plies}       24/23 13/11                  {equity}:{minus2} ({minus3})
      {player}:   22{point}45% (G:1{point}00% B:0{point}50%)
      {opponent}: 77{point}55% (G:31{point}00% B:2{point}00%)
"""
CUBE = """\
{analyzed}
{player}:   66{point}50% (G:41{point}00% B:1{point}00%)
{opponent}: 33{point}50% (G:8{point}00% B:0{point}50%)

{no_double}:    +0{point}735 (-0{point}265)
{take}:  +1{point}336 (+0{point}336)
{passed}:   +1{point}000
"""
WORDS = {
    "English": ("X to play 21", "ply", "eq", "Player", "Opponent"),
    "French": ("X à jouer 21", "plis", "éq", "Joueur", "Adversaire"),
    "German": ("X zum spielen 21", "ply", "eq", "Spieler", "Gegner"),
    "Japanese": ("X to play 21", "ply", "eq", "プレーヤー", "対戦相手"),
}
CUBES = {
    "English": "Analyzed in|Player Winning Chances|Opponent Winning Chances"
    "|No double|Double/Take|Double/Pass",
    "French": "Analysé avec|Chance de gain du joueur|Chance de gain de l'adversaire"
    "|Pas de redouble|Redouble/Prend|Redouble/Passe",
    "German": "Analysiert in|Spieler Gewinnchancen|Gewinnchancen des Gegners"
    "|Nicht Doppeln|Doppeln/Annehmen|Doppeln/Ablehnen",
    "Japanese": "Analyzed in|Player Winning Chances|Opponent Winning Chances"
    "|ノーダブル|ダブル/テイク|ダブル/パス",
}


def test_candidates_are_recorded_evaluations_in_every_language() -> None:
    found = []
    for on_roll, plies, equity, player, opponent in WORDS.values():
        for point in ".,":
            numbers = {
                "minus": f"-0{point}491",
                "minus2": f"-0{point}500",
                "minus3": f"-0{point}009",
            }
            words = {"on_roll": on_roll, "plies": plies, "equity": equity, "player": player}
            text = PLAYS.format(point=point, opponent=opponent, **numbers, **words)
            text = unicodedata.normalize("NFD", text).replace(f"{player}:", f"{player}\uff1a")
            (match,) = read_bytes(text.encode(), "a.txt")
            (play,) = (d for d in decisions_of_match(replay(match)) if d.kind is Kind.PLAY)
            (evaluation,) = recorded.start("stored", Limits()).evaluate([play])
            assert isinstance(evaluation, PlayEvaluation)
            found.append(evaluation)
    first = found[0]
    assert [one.equity for one in first.candidates] == [-0.491, -0.5]
    assert first.candidates[0].chances == Chances(0.2545, 0.01, 0.005, 0.31, 0.02)
    assert (first.candidates[0].after.own[11], first.candidates[0].after.own[5]) == (1, 1)
    assert first.depth == "4-ply"
    assert found == [first] * 2 * len(WORDS)


@pytest.mark.parametrize("language", CUBES)
def test_a_cube_decision_has_the_same_figures_in_every_language(language: str) -> None:
    names = ("analyzed", "player", "opponent", "no_double", "take", "passed")
    words = dict(zip(names, CUBES[language].split("|"), strict=True))
    words["analyzed"] += " XG Roller++"
    text = CUBE.format(point=",", **words)
    expected = CubeEvaluation(
        0.735, 1.336, 1.0, Chances(0.665, 0.41, 0.01, 0.08, 0.005), "XG Roller++"
    )
    assert read_report(start_position("standard"), text).cube == expected


@pytest.mark.corpus
def test_every_real_report_of_extreme_gammon_has_figures(corpus: Path) -> None:
    for path in sorted((corpus / "xgtext").glob("*xgparser*")):
        (match,) = read(path)
        for action in match.games[0].actions:
            if isinstance(action, Play | SetUp) and action.analysis is not None:
                report = read_report(
                    start_position("standard"), dict(action.analysis.entries)["text"]
                )
                assert report.cube or len(report.plays) == 5
