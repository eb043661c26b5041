"""GNU Backgammon, the program, driven as a child process: one for each match.

It is free software under the GPL, so it is run and never imported. It reads no settings of its
user: they would change what it says.
"""

from __future__ import annotations

import json
import math
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bganalyze.board.position import Position, move, swapped
from bganalyze.judging.decisions import Decision, Kind, is_before_throw, resigner
from bganalyze.judging.engines import UNLIMITED, EngineError, Limits, check_variants
from bganalyze.judging.engines.gnubg_cube import of_cube
from bganalyze.judging.engines.gnubg_games import Told, games, text_of
from bganalyze.judging.engines.program import ANSWER, Ended, Task, run
from bganalyze.judging.evaluation import (
    MOST_KEPT,
    Candidate,
    Chances,
    CubeJudgement,
    Judgement,
    PlayingOn,
    PlayJudgement,
)

LEVELS = ("2ply", "0ply", "1ply", "3ply")
"""Its plies count from 0, which is the network alone; its own default is 2ply."""

PLACES = ("gnubg", "/usr/games/gnubg", "/usr/local/bin/gnubg")
OLDEST = (1, 6)

_INSTALL = "install it (Debian: apt install gnubg), or choose --engine sage"
_VERSION = re.compile(r"GNU Backgammon ((\d+)\.(\d+)\S*)")

_SCRIPT = """\
import json
for command in {commands!r}:
    gnubg.command(command)
said = gnubg.match(analysis=1, boards=0, statistics=0, verbose=0)
depth = dict(cubeful=1, plies={plies}, deterministic=1, noise=0.0)
said["worth"] = [
    gnubg.cfevaluate(board, dict(gnubg.cubeinfo(*cube), **rules), depth)[0]
    for board, cube, rules in {given_up!r}
]
with open({answer!r}, "w", encoding="utf-8") as file:
    json.dump(said, file)
"""
"""What it calls optimal is the equity (EMG) with the cube used for the best."""

_COMMANDS = (
    "set threads {threads}",
    "set analysis chequerplay evaluation plies {plies}",
    "set analysis cubedecision evaluation plies {plies}",
    'load match "match.sgf"',
    "analyse match",
)


class GnuBackgammon:
    """The program at one level."""

    name = "gnubg"

    def __init__(self, program: str, version: str, level: str, limits: Limits = UNLIMITED) -> None:
        self.program, self.version, self.level, self.limits = program, version, level, limits

    def edition(self, decisions: Sequence[Decision]) -> tuple[str, str]:
        """Return its own version and level, whatever it judges."""
        del decisions
        return self.version, self.level

    def judge(self, decisions: Sequence[Decision]) -> list[Judgement | None]:
        """Return what it says of each decision of one match; raise EngineError."""
        check_variants(decisions)
        judged: list[Judgement | None] = [None] * len(decisions)
        if not decisions:
            return judged
        told = games(decisions)
        given_up = [i for i, each in enumerate(decisions) if is_before_throw(each)]
        answer = self._answer(text_of(told), [_state(decisions[index]) for index in given_up])
        for nodes, game in zip(told, answer["games"], strict=True):
            for index, judgement in _of_game(decisions, nodes[1:], game["game"]):
                judged[index] = judgement
        for index, equity in zip(given_up, answer["worth"], strict=True):
            own = decisions[index].on_roll == resigner(decisions[index])
            judged[index] = PlayingOn(equity if own else -equity)
        return judged

    def _answer(self, text: str, given_up: Sequence[Any]) -> Any:
        """Let the program analyse a match, and return what it knows of it.

        With what it is worth to go on with the games that were given up, each as `_state` gives it.
        """
        asked = {"threads": self.limits.threads or os.cpu_count() or 1, "plies": self.level[0]}
        commands = [each.format(**asked) for each in _COMMANDS]
        told = {**asked, "commands": commands, "given_up": given_up, "answer": ANSWER}
        files = {"match.sgf": text, "ask.py": _SCRIPT.format(**told)}
        command = [self.program, "-t", "-q", "-r", "-p", "ask.py"]
        ended = _run(command, self.limits.seconds, files)
        try:
            return json.loads(ended.answer)
        except ValueError as error:
            last = (ended.output.strip().splitlines() or ["it said nothing"])[-1]
            raise EngineError(f"GNU Backgammon gave no answer: {last.strip()}") from error


def start(level: str, limits: Limits) -> GnuBackgammon:
    """Return the installed program; raise EngineError where it is missing or too old."""
    program = next(filter(None, map(shutil.which, PLACES)), None)
    if program is None:
        raise EngineError(f"GNU Backgammon is not installed: {_INSTALL}")
    found = _VERSION.search(_run([program, "--version"], seconds=60).output)
    if found is None:
        raise EngineError(f"{program} is not GNU Backgammon: {_INSTALL}")
    if (int(found[2]), int(found[3])) < OLDEST:
        oldest = "{}.{:02}".format(*OLDEST)
        raise EngineError(f"GNU Backgammon {found[1]} is too old, {oldest} is needed: {_INSTALL}")
    return GnuBackgammon(program, found[1], level, limits)


def _run(command: list[str], seconds: float, files: Mapping[str, str] | None = None) -> Ended:
    """Run the program away from its user's settings and from this Python's; raise EngineError."""
    environment = {"PATH": "/usr/bin:/bin:/usr/games", "LC_ALL": "C.UTF-8"}
    ended = run(Task(command, files or {}, environment, seconds))
    if ended.problem is not None:
        raise EngineError(f"GNU Backgammon {ended.problem}")
    return ended


def _of_game(
    decisions: Sequence[Decision], nodes: Sequence[Told], actions: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[int, Judgement]]:
    """Yield the judgements of one game, each with the index of its decision."""
    if [node.action for node in nodes] != [action["action"] for action in actions]:
        raise EngineError("GNU Backgammon has read a game otherwise than it was written")
    offered: CubeJudgement | None = None
    for node, action in zip(nodes, actions, strict=True):
        said = action.get("analysis", {})
        if node.play is not None:
            yield node.play, _of_play(decisions[node.play], said)
        if node.cube is None:
            continue
        decision = decisions[node.cube]
        if decision.kind in (Kind.DOUBLE, Kind.NO_DOUBLE):
            offered = _of_cube(decision, said)
        if offered is not None:
            yield node.cube, offered


def _state(decision: Decision) -> tuple[Any, ...]:
    """Position, cube and rules before a throw, as its `cfevaluate` takes them."""
    context, side = decision.context, decision.on_roll
    assert side is not None
    own, other = decision.position if side == decision.side else swapped(decision.position)
    owner = -1 if decision.owner is None else int(decision.owner == side)
    score = (context.score[1 - side], context.score[side])
    cube = (decision.cube, owner, 1, decision.length, score, int(context.crawford))
    return (other[1:], own[1:]), cube, {"jacoby": int(bool(context.jacoby)), "beavers": 0}


def _of_play(decision: Decision, said: Mapping[str, Any]) -> PlayJudgement:
    candidates = tuple(_candidate(decision.position, each) for each in said.get("moves", ()))
    reached = next((each for each in candidates if each.left == decision.left), None)
    luck = said.get("luck-value")
    if luck is not None and not math.isfinite(luck):
        luck = None
    return PlayJudgement(candidates[:MOST_KEPT], reached, luck)


def _candidate(position: Position, said: Mapping[str, Any]) -> Candidate:
    own, other = list(position.own), list(position.other)
    for step in said["move"]:
        move(own, other, tuple(step))
    return Candidate(Position(tuple(own), tuple(other)), said["score"], Chances(*said["probs"]))


def _of_cube(decision: Decision, said: Mapping[str, Any]) -> CubeJudgement | None:
    if "nd-cubeful-eq" not in said:
        return None
    chances = Chances(*said["probs"])
    return of_cube(decision, said["nd-cubeful-eq"], said["dt-cubeful-eq"], chances)
