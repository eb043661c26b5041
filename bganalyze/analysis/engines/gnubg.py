"""GNU Backgammon, run as a child process for each match.

The program is under the GPL, so it is run and never imported. It does not read its user's settings,
because these would change its evaluations.
"""

from __future__ import annotations

import json
import math
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from bganalyze.analysis.decisions import Decision, Kind, is_resignation_before_roll, resigner
from bganalyze.analysis.engines import (
    MOST_KEPT,
    PRESETS,
    UNLIMITED,
    Candidate,
    Chances,
    CubeEvaluation,
    Engine,
    EngineError,
    Evaluation,
    Limits,
    PlayEvaluation,
    PlayingOn,
    check_variants,
    find_stored_level,
    is_engine_installed,
)
from bganalyze.analysis.engines.program import ANSWER, Ended, Task, run
from bganalyze.board.equities import MatchScore, stake
from bganalyze.board.plays import legal_plays
from bganalyze.board.position import (
    VARIANTS,
    Points,
    Position,
    is_possible,
    move_checker,
    swap_sides,
)
from bganalyze.record.sgf.tree import COLORS, point_letter, write_boards
from bganalyze.validation.replaying.replayed import Context

# Equities from GNU Backgammon's numbers about a cube, from the program or from a file.


def evaluate_cube(
    decision: Decision, no_double: float, take: float, chances: Chances
) -> CubeEvaluation | None:
    """Return the evaluation of a cube decision from two match-winning chances of the doubler.

    These are the chances after `no_double`, and after double and `take`; in money play, equities.
    Return None if the match equity table lacks the score.
    """
    if not decision.length:
        return CubeEvaluation(no_double, take, 1.0, chances)
    context = decision.context
    score = MatchScore(decision.length, context.score, context.crawford)
    stakes = stake(score, decision.doubler, decision.cube)
    if stakes is None:
        return None
    none, taken, dropped = map(stakes.equity, (no_double, take, stakes.win))
    return CubeEvaluation(none, taken, dropped, chances)


# The match as Smart Game Format, for GNU Backgammon to read. Every play is written die by die. An
# illegal or unknown play is replaced by a legal one, so that its roll and the cube before it are
# still analyzed. The recorded board is then set up, as it is if a match file starts from a
# position.

NAMES = ("left", "right")

RULES = {"standard": "", "nackgammon": "Nackgammon"}
"""The variants for which the program has strong networks, with its names for them."""

_ACTION_WORDS = {
    Kind.DOUBLE: "double",
    Kind.BEAVER: "double",
    Kind.RACCOON: "double",
    **dict.fromkeys((Kind.TAKE, Kind.TAKE_BEAVER, Kind.TAKE_RACCOON), "take"),
    **dict.fromkeys((Kind.PASS, Kind.PASS_BEAVER, Kind.PASS_RACCOON), "drop"),
}

_BEAVERS = (Kind.BEAVER, Kind.RACCOON)
"""Offers after which play continues without an answer; they are written as accepted."""


class SgfNode(NamedTuple):
    """A node of an SGF game sent to GNU Backgammon, and the decisions that its answer evaluates."""

    text: str
    action: str
    """The program's word for the action in its answer; empty for the root."""
    play: int | None = None
    """Index of the roll among the decisions."""
    cube: int | None = None
    """Index of the cube decision among the decisions."""


def make_game_nodes(decisions: Sequence[Decision]) -> list[list[SgfNode]]:
    """Return the SGF nodes of each game, for GNU Backgammon to analyze."""
    numbered = groupby(enumerate(decisions), key=lambda pair: pair[1].context.game)
    return [
        list(_make_nodes_of_game(number, list(group))) for number, (_, group) in enumerate(numbered)
    ]


def write_sgf(games: Sequence[Sequence[SgfNode]]) -> str:
    """Return the text of an SGF file from the nodes of its games."""
    return "".join("(" + "\n".join(node.text for node in game) + ")\n" for game in games)


def _make_nodes_of_game(game_index: int, numbered: list[tuple[int, Decision]]) -> Iterator[SgfNode]:
    """Yield the SGF nodes of one game.

    `numbered` has each decision of the game after its index in the match.
    """
    context = numbered[0][1].context
    start = VARIANTS[context.terms.variant].start
    boards: tuple[Points, Points] = (start, start)
    yield SgfNode(_write_root(game_index, context), "")
    no_double: int | None = None
    following = [decision for _, decision in numbered[1:]]
    for (index, decision), next_one in zip(numbered, [*following, None], strict=True):
        goes_on = next_one is not None and next_one.kind in (Kind.PLAY, Kind.NO_DOUBLE)
        if decision.kind is Kind.DOUBLE and goes_on:
            continue  # The program would wait for an answer.
        # The program cannot read some decisions.
        possible = is_possible(decision.position)
        before = _split_sides(decision.position, decision.side)
        if possible and before != boards:
            yield SgfNode(_write_board(before, decision.side), "set")
            boards = before
        if decision.kind is Kind.NO_DOUBLE:
            no_double = index
        elif decision.kind in _ACTION_WORDS:
            action = _ACTION_WORDS[decision.kind]
            yield SgfNode(
                f";{COLORS[decision.side]}[{action}]", action, cube=index if possible else None
            )
            if decision.kind in _BEAVERS and goes_on:
                yield SgfNode(f";{COLORS[1 - decision.side]}[take]", "take")
        elif decision.kind is Kind.PLAY and possible:
            after = _find_position_after_sent_play(decision)
            yield SgfNode(_write_roll(decision, after), "move", index, no_double)
            boards = _split_sides(after, decision.side)
        if decision.kind is not Kind.NO_DOUBLE:
            no_double = None


def _find_position_after_sent_play(decision: Decision) -> Position:
    """Return the position after the recorded play or, if it is illegal, after any legal play."""
    assert decision.dice is not None
    after, legal = decision.after, legal_plays(decision.position, decision.dice)
    return after if after is not None and after in legal else next(iter(legal))


def _write_root(game_index: int, context: Context) -> str:
    """Return the first SGF node of a game, with game number, score and rules."""
    length, score = context.terms.length or 0, context.score
    info = f"MI[length:{length}][game:{game_index}][ws:{score[0]}][bs:{score[1]}]"
    players = f"PW[{NAMES[0]}]PB[{NAMES[1]}]"
    cube = f"CV[{context.cube}]" if context.cube > 1 else ""
    return f";FF[4]GM[6]CA[UTF-8]{info}{players}RU[{':'.join(_name_rules(context))}]{cube}"


def _name_rules(context: Context) -> Iterator[str]:
    """Yield SGF's words for the rules of a game, such as `Jacoby`."""
    if context.terms.length:
        yield "Crawford"
    if context.crawford:
        yield "CrawfordGame"
    if context.terms.jacoby:
        yield "Jacoby"
    if not context.terms.cube_in_play:
        yield "NoCube"
    if RULES[context.terms.variant]:
        yield RULES[context.terms.variant]


def _write_roll(decision: Decision, after: Position) -> str:
    """Return the SGF node of a roll and its play to the position `after`."""
    assert decision.dice is not None
    steps = legal_plays(decision.position, decision.dice)[after]
    letters = "".join(point_letter(point, decision.side) for step in steps for point in step.path)
    return f";{COLORS[decision.side]}[{'{}{}'.format(*decision.dice)}{letters}]"


def _write_board(boards: tuple[Points, Points], on_roll: int) -> str:
    """Return the SGF node that sets up a board and says who is on roll."""
    return f";PL[{COLORS[on_roll]}]{write_boards(boards)}"


def _split_sides(position: Position, side: int) -> tuple[Points, Points]:
    """Return the left and the right player's checkers in a position seen by `side`."""
    own, other = position
    return (other, own) if side else (own, other)


LEVELS = ("2ply", "0ply", "1ply", "3ply", *PRESETS["gnubg"])
"""The levels, the default first. Plies count from 0, the network alone; the program's own default
is 2ply."""

AT_ONCE = ("0ply", "1ply")
"""Levels at which analyzing a whole match takes no longer than starting the program."""

PLACES = ("gnubg", "/usr/games/gnubg", "/usr/local/bin/gnubg")
OLDEST = (1, 6)

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
"""Script for the program's Python. Its `optimal` equity (EMG) assumes the best use of the cube."""

_COMMANDS = (
    "set threads {threads}",
    "set analysis chequerplay evaluation plies {plies}",
    "set analysis cubedecision evaluation plies {plies}",
    'load match "match.sgf"',
    "analyze match",
)


class GnuBackgammon(Engine):
    """The engine GNU Backgammon, a separate program, at one level."""

    name = "gnubg"

    def __init__(self, program: str, version: str, level: str, limits: Limits = UNLIMITED) -> None:
        self.program, self.version, self.level, self.limits = program, version, level, limits

    def split_decisions(self, decisions: Sequence[Decision]) -> list[Sequence[int]]:
        """Split the decisions of a match into games, so that several processes can analyze them.

        At a fast level, all games stay together. Each part lists the indexes of its decisions.
        """
        if self.level in AT_ONCE:
            return super().split_decisions(decisions)
        games = [decision.context.game for decision in decisions]
        begins = [place for place, game in enumerate(games) if games[place - 1 : place] != [game]]
        return [range(*ends) for ends in pairwise([*begins, len(games)])]

    def evaluate(self, decisions: Sequence[Decision]) -> list[Evaluation | None]:
        """Return, for each decision of one match, an evaluation or None.

        Raise EngineError if the program fails.
        """
        check_variants(decisions)
        analyzed: list[Evaluation | None] = [None] * len(decisions)
        if not decisions:
            return analyzed
        written = make_game_nodes(decisions)
        given_up = [
            i for i, decision in enumerate(decisions) if is_resignation_before_roll(decision)
        ]
        answer = self._ask_program(
            write_sgf(written),
            [_make_arguments_of_cfevaluate(decisions[index]) for index in given_up],
        )
        for nodes, game in zip(written, answer["games"], strict=True):
            for index, evaluation in _read_evaluations_of_game(decisions, nodes[1:], game["game"]):
                analyzed[index] = evaluation
        for index, equity in zip(given_up, answer["worth"], strict=True):
            own = decisions[index].on_roll == resigner(decisions[index])
            analyzed[index] = PlayingOn(equity if own else -equity)
        return analyzed

    def _ask_program(self, sgf: str, resignations: Sequence[Any]) -> Any:
        """Let GNU Backgammon analyze a match in SGF, and return its answer as parsed JSON.

        For each of `resignations`, the answer also has the equity of playing on. Raise EngineError
        without an answer.
        """
        settings = {"threads": self.limits.threads or os.cpu_count() or 1, "plies": self.level[0]}
        commands = [command.format(**settings) for command in _COMMANDS]
        values = {**settings, "commands": commands, "given_up": resignations, "answer": ANSWER}
        files = {"match.sgf": sgf, "ask.py": _SCRIPT.format(**values)}
        command = [self.program, "-t", "-q", "-r", "-p", "ask.py"]
        ended = _run_program(command, self.limits.seconds, files)
        try:
            return json.loads(ended.answer)
        except ValueError as error:
            last = (ended.output.strip().splitlines() or ["it wrote nothing"])[-1]
            raise EngineError(f"GNU Backgammon gave no answer: {last.strip()}") from error


def start(level: str, limits: Limits) -> GnuBackgammon:
    """Return GNU Backgammon as an engine; raise EngineError if it is missing or too old."""
    program, version = _find_program(PLACES)
    return GnuBackgammon(program, version, find_stored_level(level, "gnubg"), limits)


def is_installed() -> bool:
    """Whether a program called gnubg is installed, in any version."""
    return any(map(shutil.which, PLACES))


def how_to_install() -> str:
    """Return advice on how to install GNU Backgammon, for the end of a message."""
    other = ", or choose --engine sage" if is_engine_installed("sage") else ""
    return f"install it (Debian: apt install gnubg){other}"


@cache
def _find_program(places: tuple[str, ...]) -> tuple[str, str]:
    """Return the path and the version of GNU Backgammon, the first program found at one of `places`.

    Raise EngineError if it is missing or too old.
    """
    program = next(filter(None, map(shutil.which, places)), None)
    if program is None:
        raise EngineError(f"GNU Backgammon is not installed: {how_to_install()}")
    installed = _VERSION.search(_run_program([program, "--version"], seconds=60).output)
    if installed is None:
        raise EngineError(f"{program} is not GNU Backgammon: {how_to_install()}")
    if (int(installed[2]), int(installed[3])) < OLDEST:
        oldest = "{}.{:02}".format(*OLDEST)
        raise EngineError(
            f"GNU Backgammon {installed[1]} is too old, {oldest} or later is needed: {how_to_install()}"
        )
    return program, installed[1]


def _run_program(
    command: list[str], seconds: float, files: Mapping[str, str] | None = None
) -> Ended:
    """Run a program in a temporary folder with `files`; raise EngineError if it fails."""
    environment = {"PATH": "/usr/bin:/bin:/usr/games", "LC_ALL": "C.UTF-8"}
    ended = run(Task(command, files or {}, environment, seconds))
    if ended.problem is not None:
        raise EngineError(f"GNU Backgammon {ended.problem}")
    return ended


def _read_evaluations_of_game(
    decisions: Sequence[Decision], nodes: Sequence[SgfNode], actions: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[int, Evaluation]]:
    """Yield GNU Backgammon's evaluations of one game, each with the index of its decision.

    `nodes` are the SGF nodes that were sent, without the first; `actions` are the answers to them.
    Raise EngineError if an answer does not fit its node.
    """
    if [node.action for node in nodes] != [action["action"] for action in actions]:
        raise EngineError(
            "GNU Backgammon read a game differently from the one sent to it; choose --engine sage"
        )
    offered: CubeEvaluation | None = None
    for node, action in zip(nodes, actions, strict=True):
        analysis = action.get("analysis", {})
        if node.play is not None:
            yield node.play, _read_evaluation_of_play(decisions[node.play], analysis)
        if node.cube is None:
            continue
        decision = decisions[node.cube]
        if decision.kind in (Kind.DOUBLE, Kind.NO_DOUBLE):
            offered = _read_evaluation_of_cube(decision, analysis)
        if offered is not None:
            yield node.cube, offered


def _make_arguments_of_cfevaluate(decision: Decision) -> tuple[Any, ...]:
    """Return the arguments for GNU Backgammon's function `cfevaluate`: boards, cube and rules."""
    context, side = decision.context, decision.on_roll
    assert side is not None
    # The position before a roll, seen by the side on roll.
    own, other = decision.position if side == decision.side else swap_sides(decision.position)
    owner = -1 if decision.owner is None else int(decision.owner == side)
    score = (context.score[1 - side], context.score[side])
    cube = (decision.cube, owner, 1, decision.length, score, int(context.crawford))
    return (other[1:], own[1:]), cube, {"jacoby": int(bool(context.terms.jacoby)), "beavers": 0}


def _read_evaluation_of_play(decision: Decision, analysis: Mapping[str, Any]) -> PlayEvaluation:
    """Return the evaluation of a roll and its play from GNU Backgammon's answer."""
    candidates = tuple(
        _read_candidate(decision.position, entry) for entry in analysis.get("moves", ())
    )
    reached = next((play for play in candidates if play.after == decision.after), None)
    luck = analysis.get("luck-value")
    if luck is not None and not math.isfinite(luck):
        luck = None
    return PlayEvaluation(candidates[:MOST_KEPT], reached, luck)


def _read_candidate(position: Position, entry: Mapping[str, Any]) -> Candidate:
    """Return a play with its equity and chances from an entry of GNU Backgammon's answer."""
    own, other = list(position.own), list(position.other)
    for step in entry["move"]:
        move_checker(own, other, tuple(step))
    return Candidate(Position(tuple(own), tuple(other)), entry["score"], Chances(*entry["probs"]))


def _read_evaluation_of_cube(
    decision: Decision, analysis: Mapping[str, Any]
) -> CubeEvaluation | None:
    """Return the evaluation of a cube decision from GNU Backgammon's answer, or None."""
    if "nd-cubeful-eq" not in analysis:
        return None
    chances = Chances(*analysis["probs"])
    return evaluate_cube(decision, analysis["nd-cubeful-eq"], analysis["dt-cubeful-eq"], chances)
