"""GNU Backgammon as a child process: its commands, its answers and its failures."""

from __future__ import annotations

from pathlib import Path

import pytest

from bganalyze.analysis.analyzed import loss, make_rows_with_evaluations
from bganalyze.analysis.decisions import GIVING_UP, Decision, Kind, decisions_of_match
from bganalyze.analysis.engines import (
    CubeEvaluation,
    EngineError,
    Limits,
    PlayEvaluation,
    PlayingOn,
    gnubg,
    start,
)
from bganalyze.analysis.engines.gnubg import make_game_nodes, write_sgf
from bganalyze.board.plays import legal_plays
from bganalyze.record.reader import read, read_bytes
from bganalyze.validation.replaying import replay

SAMPLES = Path(__file__).parents[3] / "samples"


def read_decisions(name: str) -> list[Decision]:
    [match] = read(str(SAMPLES / name))
    return list(decisions_of_match(replay(match)))


def list_commands(name: str) -> list[str]:
    return write_sgf(make_game_nodes(read_decisions(name))).splitlines()


def test_plays_are_told_in_letters_die_by_die() -> None:
    lines = list_commands("clean/short-match.mat")
    assert lines[0].endswith("MI[length:3][game:0][ws:0][bs:0]PW[left]PB[right]RU[Crawford]")
    assert lines[1:4] == [";W[52mhxv]", ";B[42qusu]", ";W[11hghgfefe]"]


def test_after_an_illegal_play_the_board_that_it_left_is_set_up() -> None:
    match_decisions = read_decisions("faulty/P404-small-die.mat")
    illegal = next(
        number for number, decision in enumerate(match_decisions) if decision.legal is False
    )
    game = next(
        nodes
        for nodes in make_game_nodes(match_decisions)
        if any(node.play == illegal for node in nodes)
    )
    place = next(number for number, node in enumerate(game) if node.play == illegal)
    assert game[place].action == "move"
    assert game[place + 1].text.startswith(";PL[")


def test_a_double_over_which_play_goes_on_is_not_told() -> None:
    match_decisions = read_decisions("faulty/C507-unanswered-double.mat")
    doubles = sum(decision.kind is Kind.DOUBLE for decision in match_decisions)
    assert (
        sum(node.action == "double" for game in make_game_nodes(match_decisions) for node in game)
        == doubles - 1
    )


def test_a_double_that_is_answered_is_told_and_so_is_one_that_ends_the_record() -> None:
    text = b"bganalyze match\nlength: 5\n\ngame 1\nL 31 8/5 6/5\nR 42 8/4 6/4\nL double 2\n"
    for answer, offers in (
        (b"R take\n", ["double", "take"]),
        (b"R pass\n", ["double", "drop"]),
        (b"", ["double"]),
    ):
        [match] = read_bytes(text + answer, "some.bgm")
        [game] = make_game_nodes(list(decisions_of_match(replay(match))))
        assert [node.action for node in game if node.action in ("double", "take", "drop")] == offers


def test_a_beaver_after_which_play_goes_on_is_told_as_accepted() -> None:
    [game, *_] = make_game_nodes(read_decisions("clean/money-jacoby-beavers.mat"))
    offers = [node.text for node in game if node.action in ("double", "take")]
    assert offers == [";B[double]", ";W[double]", ";B[take]"]


@pytest.mark.slow
@pytest.mark.usefixtures("gnubg_program")
@pytest.mark.oracle
@pytest.mark.parametrize("name", ["short-match", "money-jacoby-beavers"])
def test_every_decision_of_a_clean_match_is_analyzed(name: str) -> None:
    match_decisions = [
        decision
        for decision in read_decisions(f"clean/{name}.mat")
        if decision.kind not in GIVING_UP
    ]
    evaluations = start("gnubg", "0ply").evaluate(match_decisions)
    for decision, evaluation in zip(match_decisions, evaluations, strict=True):
        if decision.kind is Kind.PLAY:
            assert isinstance(evaluation, PlayEvaluation)
            assert decision.dice
            legal = legal_plays(decision.position, decision.dice)
            assert {candidate.after for candidate in evaluation.candidates} <= set(legal)
            assert evaluation.luck is not None or decision.after is None
            assert evaluation.reached or not decision.steps
        else:
            assert isinstance(evaluation, CubeEvaluation)
            assert evaluation.passed == pytest.approx(1, abs=1e-6)


OF_EACH_RULE = {
    path.stem.partition("-")[0]: path for path in sorted((SAMPLES / "faulty").glob("P4*.mat"))
}
"""A record with an illegal play of each kind."""


@pytest.mark.slow
@pytest.mark.usefixtures("gnubg_program")
@pytest.mark.oracle
def test_its_own_play_at_the_same_level_loses_nothing() -> None:
    """Nothing to speak of: on the processor where it played, its floats may have differed."""
    match_decisions = read_decisions("clean/short-match.mat")
    rows = make_rows_with_evaluations(
        match_decisions, start("gnubg", "0ply").evaluate(match_decisions)
    )
    losses = [cost for cost in map(loss, rows) if cost is not None]
    assert len(losses) > 40
    assert max(losses) < 0.001


@pytest.mark.slow
@pytest.mark.usefixtures("gnubg_program")
@pytest.mark.oracle
@pytest.mark.parametrize("path", OF_EACH_RULE.values(), ids=lambda p: p.stem)
def test_a_faulty_record_is_analyzed_as_far_as_it_goes(path: Path) -> None:
    match_decisions = read_decisions(f"faulty/{path.name}")
    evaluations = start("gnubg", "0ply").evaluate(match_decisions)
    plays = [j for d, j in zip(match_decisions, evaluations, strict=True) if d.kind is Kind.PLAY]
    assert any(plays)


def test_nothing_is_asked_of_a_match_without_decisions() -> None:
    assert gnubg.GnuBackgammon("no such program", "1.07", "0ply").evaluate([]) == []


def test_a_variant_without_a_network_is_refused() -> None:
    match_decisions = read_decisions("clean/hypergammon.mat")
    with pytest.raises(EngineError, match="hypergammon"):
        gnubg.GnuBackgammon("no such program", "1.07", "0ply").evaluate(match_decisions)


def program(folder: Path, script: str) -> str:
    """Return a program that stands in for GNU Backgammon."""
    path = folder / "gnubg"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def test_a_missing_program_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gnubg, "PLACES", ("no-such-gnubg",))
    with pytest.raises(EngineError, match="not installed: install it"):
        start("gnubg")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("echo GNU Backgammon 1.02.000", "too old, 1.06 or later is needed"),
        ("echo something else", "is not GNU Backgammon"),
        ("exit 3", "ended with status 3"),
        ("exec yes", "wrote more than 64 MB"),
    ],
)
def test_a_wrong_program_is_refused(
    script: str, complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gnubg, "PLACES", (program(tmp_path, script),))
    with pytest.raises(EngineError, match=complaint):
        start("gnubg")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "seconds", "complaint"),
    [
        ("exec sleep 60", 0.3, "took more than 0 seconds"),
        ("sleep 60 & wait", 0.3, "took more than 0 seconds"),
        ("kill -9 $$", 60, "ended with status -9"),
        ("echo bad luck", 60, "gave no answer: bad luck"),
    ],
)
def test_a_failing_program_fails_for_this_match(
    script: str, seconds: float, complaint: str, tmp_path: Path
) -> None:
    engine = gnubg.GnuBackgammon(program(tmp_path, script), "1.07", "0ply", Limits(seconds=seconds))
    with pytest.raises(EngineError, match=complaint):
        engine.evaluate(read_decisions("clean/short-match.mat"))


@pytest.mark.slow
def test_an_endless_answer_is_cut_off(tmp_path: Path) -> None:
    engine = gnubg.GnuBackgammon(program(tmp_path, "exec yes > answer"), "1.07", "0ply")
    with pytest.raises(EngineError, match="wrote more than 64 MB"):
        engine.evaluate(read_decisions("clean/short-match.mat"))


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    engine = gnubg.GnuBackgammon(str(tmp_path / "gone"), "1.07", "0ply")
    with pytest.raises(EngineError, match="cannot be started: No such file"):
        engine.evaluate(read_decisions("clean/short-match.mat"))


@pytest.mark.slow
def test_a_game_read_otherwise_is_no_answer(tmp_path: Path) -> None:
    answer = '{"games": [{"game": []}, {"game": []}]}'
    script = f"""echo '{answer}' > answer"""
    engine = gnubg.GnuBackgammon(program(tmp_path, script), "1.07", "0ply")
    with pytest.raises(EngineError, match="differently from the one sent"):
        engine.evaluate(read_decisions("clean/short-match.mat"))


@pytest.mark.parametrize(("name", "level"), [("fritz", None), ("gnubg", "9ply")])
def test_an_unknown_engine_or_level_names_those_there_are(name: str, level: str | None) -> None:
    with pytest.raises(EngineError, match="gnubg"):
        start(name, level)


RESIGNED = (
    b"bganalyze match\nlength: 7\n\ngame 1\nL 31 8/5 6/5\nR 42 8/4 6/4\nL 66 24/18(2) 13/7(2)\n"
)


@pytest.mark.slow
@pytest.mark.usefixtures("gnubg_program")
@pytest.mark.oracle
def test_a_game_given_up_is_worth_what_it_is_before_the_roll() -> None:
    rolls, resigns = (
        list(decisions_of_match(replay(read_bytes(RESIGNED + ending, "some.bgm")[0])))
        for ending in (b"R 31 24/20\n", b"R resigns 1\nL wins 1\n")
    )
    evaluation = start("gnubg", "0ply").evaluate(rolls)[-2]
    resigned, accepted = start("gnubg", "0ply").evaluate(resigns)[-2:]
    assert isinstance(evaluation, CubeEvaluation)
    worth = max(evaluation.no_double, min(evaluation.take, evaluation.passed))
    assert isinstance(resigned, PlayingOn)
    assert resigned.equity == pytest.approx(worth, abs=1e-5)
    assert accepted == resigned
