"""Judging a match: its key, and its rows with what an engine says of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import bganalyze
from bganalyze.decisions import Decision, Kind
from bganalyze.judge import judge, prepared
from bganalyze.judged import loss
from bganalyze.judgements import Candidate, CubeJudgement, Judgement, PlayJudgement

SAMPLE = Path(__file__).parent.parent / "samples" / "clean" / "short-match.mat"


class Oracle:
    """An engine that takes every play for the best, and every cube for a double and a take."""

    name, version, level = "oracle", "1", "high"

    def edition(self, decisions: Sequence[Decision]) -> tuple[str, str]:
        return self.version, self.level

    def judge(self, decisions: Sequence[Decision]) -> list[Judgement | None]:
        return [self._of(decision) for decision in decisions]

    def _of(self, decision: Decision) -> Judgement | None:
        if decision.kind is Kind.RESIGNATION:
            return None
        if decision.kind is not Kind.PLAY:
            return CubeJudgement(0.5, 0.75)
        assert decision.left
        best = Candidate(decision.left, 0.25)
        return PlayJudgement((best,), best, 0.125)


def test_a_match_becomes_rows() -> None:
    [match] = bganalyze.read(str(SAMPLE))
    found = judge(match, Oracle())
    assert (found.names, found.length) == (("Ada Quill", "Cleo Hart"), 3)
    assert (found.key.engine, found.key.version, found.key.level) == ("oracle", "1", "high")
    first, second, *_ = found.rows
    assert (first.played, first.better, first.best, first.luck) == (
        "24/22 13/8",
        "24/22 13/8",
        0.25,
        0.125,
    )
    assert (second.kind, loss(second)) == (Kind.NO_DOUBLE, 0.25)
    assert [result.points for result in found.results] == [1, 2]
    drop = next(row for row in found.rows if row.kind is Kind.DROP)
    assert (drop.doubler, loss(drop), drop.xgid.split(":")[4]) == (1, 0.25, "D")


def content(text: str) -> str:
    [match] = bganalyze.read_bytes(text.encode(), "some.mat")
    return prepared(match).content


def test_the_key_is_of_the_match_and_not_of_its_file() -> None:
    text = SAMPLE.read_text(encoding="utf-8")
    assert content(text) == content('; [Site "elsewhere"]\n' + text.replace("\n", "\r\n"))


def test_another_play_player_or_result_is_another_match() -> None:
    text = SAMPLE.read_text(encoding="utf-8")
    changed = [
        text.replace("21: 5/3 4/3", "21: 5/4 4/2"),
        text.replace("Ada Quill", "Ada Quilt"),
        text.replace("Wins 2 points", "Wins 4 points"),
        text.replace("3 point match", "5 point match"),
    ]
    assert len({content(each) for each in (text, *changed)}) == 5
