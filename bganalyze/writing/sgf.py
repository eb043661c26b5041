"""Smart Game Format as GNU Backgammon reads it.

A play that was taken back is a variation beside its correction. A play known only by its resulting
board is a roll and a set-up. Cubes have no value there, and resignations no node.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bganalyze import NAME, __version__
from bganalyze.record.conventions import GNUBG, list_convention_words
from bganalyze.record.dates import put_year_first
from bganalyze.record.model import (
    REMARK,
    Action,
    Analysis,
    Answer,
    CheckersPutBack,
    Comment,
    Double,
    GameReplayed,
    Match,
    Play,
    PlayRecord,
    PointsGiven,
    Resignation,
    Result,
    RulingMade,
    SetUp,
    Side,
    Tag,
    Unread,
)
from bganalyze.record.sgf.root import ANALYZED_BY, CONVENTIONS, HEADER, REMARKS, TAGS
from bganalyze.record.sgf.tree import ANALYSIS, COLORS, point_letter, write_boards
from bganalyze.record.sgf.values import MOST_LETTERS
from bganalyze.validation.findings import Standing
from bganalyze.validation.replaying import MatchReplay
from bganalyze.validation.replaying.player_error_rule import MOVEMENT, place_text
from bganalyze.validation.replaying.replayed import Boards, EndKind, GameReplay, Turn
from bganalyze.writing.bgm import write_ruling_line
from bganalyze.writing.single_steps import split_into_single_steps

NOT_ROLLED = (0, 0)
RULES = frozenset(("crawford", "jacoby", "variation", "variant"))
"""Header entries that become rules."""

KEYS = {key.casefold(): name for name, key in TAGS.items()}
REMARKS_IN_GAME = Comment | Unread | RulingMade
"""Actions that are written as comments."""

ENDS: dict[EndKind, str] = {"resigned": "R", "resigned-match": "R", "forfeit": "F", "time": "T"}
"""Letter after the points, by the way a game was resigned."""

LINE_END = "\n"

_SPECIAL = re.compile(r"([\]\\])")


def write(replays: Sequence[MatchReplay]) -> bytes:
    """Return the matches in Smart Game Format, with one tree for each game."""
    trees = (
        _Writer(replay.match, game).tree(index)
        for replay in replays
        for index, game in enumerate(replay.games)
    )
    return "".join(f"{tree}\n" for tree in trees).encode()


def escape(text: str) -> str:
    r"""Return text escaped as the value of an SGF property.

    >>> escape("a]b")
    'a\\]b'
    """
    return _SPECIAL.sub(r"\\\1", text)


def _get_board_after(play: Play) -> Boards | None:
    """Return the board that a match file records in place of a play's steps, or None."""
    return None if play.left_board is None else play.left_board.boards


def _is_short_remark(tag: Tag) -> bool:
    """Whether a header entry is a remark of a single line."""
    is_line = bool(tag.value) and tag.value == tag.value.strip() and LINE_END not in tag.value
    return tag.key == REMARK and is_line


def _write_analysis(analysis: Analysis | None) -> str:
    """Return an analysis as SGF properties, or "" if SGF cannot hold its notation."""
    if analysis is None:
        return ""
    return "".join(name + text for name, text in analysis.entries if name in ANALYSIS)


def _write_variations(root: str, nodes: list[str], branches: dict[int, int]) -> str:
    """Return the nodes of an SGF game as text, with plays taken back as side branches.

    `root` is the first node. `branches` maps the index in `nodes` of each play taken back to that
    of the play that replaces it.

    >>> _write_variations("", [";a", ";taken_back", ";played", ";d"], {1: 2})
    ';a(;played;d)(;taken_back)'
    """
    line, waiting, ends, at = root, "", "", 0
    while at < len(nodes):
        end = branches.get(at, at + 1)
        if at in branches:
            waiting += f"({''.join(nodes[at:end])})"
        else:
            line += f"({nodes[at]}" if waiting else nodes[at]
            ends = f"){waiting}{ends}" if waiting else ends
            waiting = ""
        at = end
    return line + ends


class _Writer:
    """Writer of one game as an SGF tree."""

    def __init__(self, match: Match, game: GameReplay) -> None:
        self._match = match
        self._game = game

    def tree(self, game_index: int) -> str:
        """Return the game with this index as the text of an SGF tree."""
        written = [
            (turn.action, "".join(self._yield_nodes_of_turn(turn))) for turn in self._game.turns
        ]
        written = [(action, nodes) for action, nodes in written if nodes]
        actions = [action for action, _ in written]
        nodes = [nodes for _, nodes in written]
        return f"({_write_variations(self._write_root_properties(game_index), nodes, dict(self._find_plays_taken_back(actions)))})"

    def _find_plays_taken_back(self, written: list[Action]) -> Iterator[tuple[int, int]]:
        """Yield where each play taken back begins in `written`, and where its replacement is.

        In between are comments on the play taken back.
        """
        corrections = {
            problem.turn.action.span: problem.closed_by
            for problem in self._game.problems
            if problem.standing is Standing.CORRECTED and problem.rule in MOVEMENT and problem.turn
        }
        for at, action in enumerate(written):
            if not isinstance(action, Play) or action.span not in corrections:
                continue
            if self._is_only_rolled(action):
                continue
            end = at + 1
            while end < len(written) and isinstance(written[end], REMARKS_IN_GAME):
                end += 1
            is_play = end < len(written) and isinstance(written[end], Play)
            if is_play and place_text(written[end].span) == corrections[action.span]:
                yield at, end

    def _is_written_with_steps(self, play: Play) -> bool:
        """Whether a play is written with its steps, not as a board or as a roll alone."""
        return _get_board_after(play) is None and not self._is_only_rolled(play)

    def _is_only_rolled(self, play: Play) -> bool:
        """Whether only the roll of a play is written, because its steps are not recorded."""
        unlogged = play.how is PlayRecord.EMPTY and self._match.conventions.writes_dances
        return _get_board_after(play) is None and (unlogged or play.how is PlayRecord.UNPLAYED)

    # -- the root ---------------------------------------------------------------------------------

    def _write_root_properties(self, game_index: int) -> str:
        """Return the SGF properties of the game's first node as text."""
        game, match = self._game.game, self._match
        properties = [f";FF[4]GM[6]CA[UTF-8]AP[{NAME}:{__version__}]MI"]
        if match.length is not None:
            properties.append(f"[length:{match.length.points}]")
        properties.append(
            f"[game:{game_index if game.number is None else max(game.number - 1, 0)}]"
        )
        if game.score is not None:
            properties.append("[ws:{}][bs:{}]".format(*game.score.points))
            properties.append("PW[{}]PB[{}]".format(*map(escape, game.score.names)))
        if game_index == 0:
            properties += [
                f"{name}[{escape(put_year_first(tag.value, '-') if name == 'DT' else tag.value)}]"
                for name, tag in self._choose_header_entries().items()
            ]
            properties += self._yield_own_properties()
        properties += self._yield_program_property()
        properties.append(self._write_rules_property())
        if game.cube is not None:
            properties.append(f"CV[{game.cube}]")
        properties.append(self._write_result_property())
        return "".join(properties)

    def _choose_header_entries(self) -> dict[str, Tag]:
        """Return a header entry for each SGF property that can hold one; the first entry wins."""
        named: dict[str, Tag] = {}
        for tag in self._match.tags:
            name = KEYS.get(tag.key.casefold())
            if name is not None:
                named.setdefault(name, tag)
        return named

    def _yield_own_properties(self) -> Iterator[str]:
        """Yield the SGF properties that only bganalyze reads."""
        match = self._match
        remarks = list(filter(_is_short_remark, match.tags))
        if remarks:
            yield f"{REMARKS}[{escape(LINE_END.join(tag.value for tag in remarks))}]"
        elsewhere = (*self._choose_header_entries().values(), *remarks)
        others = [
            tag for tag in match.tags if tag not in elsewhere and tag.key.casefold() not in RULES
        ]
        if others:
            yield HEADER + "".join(f"[{escape(f'{tag.key}={tag.value}')}]" for tag in others)
        unmarked = match.conventions._replace(marks_hits=False)
        words = [match.conventions.producer.replace(" ", "_"), *list_convention_words(unmarked)]
        yield f"{CONVENTIONS}[{escape(' '.join(words))}]"

    def _yield_program_property(self) -> Iterator[str]:
        """Yield the SGF property that names the analyzing program, unless it is GNU Backgammon."""
        stored = (getattr(action, "analysis", None) for action in self._game.game.actions)
        programs = (one.program for one in stored if one is not None and _write_analysis(one))
        program = next(programs, GNUBG)
        if program != GNUBG:
            yield f"{ANALYZED_BY}[{escape(program)}]"

    def _write_rules_property(self) -> str:
        """Return the SGF property with the rules of the game, or "" if no rule is known."""
        context, match = self._game.context, self._match
        words = []
        if context.terms.length:
            on = (match.tag("Crawford") or "on").strip().casefold() in ("on", "yes", "true", "1")
            words += ["Crawford"] if on else []
            words += ["CrawfordGame"] if self._game.is_likely_crawford else []
        elif context.terms.jacoby:
            words.append("Jacoby")
        if context.terms.variant != "standard":
            words.append(context.terms.variant.replace("-", "").capitalize())
        if not context.terms.cube_in_play:
            words.append("NoCube")
        is_known = words or context.terms.length or context.terms.jacoby is not None
        return f"RU[{':'.join(words)}]" if is_known else ""

    def _write_result_property(self) -> str:
        """Return the result as an SGF property such as `RE[W+2R]`, or "" without a result."""
        ending = self._game.ending
        result = next((a for a in self._game.game.actions if isinstance(a, Result)), None)
        winner: Side | None = ending.winner if result is None else result.side
        points = ending.recorded
        if winner is None or (result is None and points is None and ending.kind not in ENDS):
            return ""
        letter = ENDS.get(ending.kind, "")
        spelled = any(
            isinstance(action, Resignation) or getattr(action, "how", None) is PlayRecord.UNPLAYED
            for action in self._game.game.actions
        )
        if letter == "R" and not spelled and self._match.conventions.spells_resignations:
            letter = ""
        if letter == "R" and points is not None:
            points = self._round_up_to_cube_multiple(points, winner)
        return f"RE[{COLORS[winner]}+{'' if points is None else points}{letter}]"

    def _round_up_to_cube_multiple(self, points: int, winner: Side) -> int:
        """Return the points of a resignation, rounded up to a multiple of the cube if needed.

        GNU Backgammon expects a multiple of the cube value if the points just win the match.
        """
        cube, context = self._game.cube.value, self._game.context
        size = -(-points // cube)
        if points % cube == 0 or size > 3 or not context.terms.length:
            return points
        if points != context.terms.length - context.score[winner]:
            return points
        return size * cube

    # -- the nodes --------------------------------------------------------------------------------

    def _yield_nodes_of_turn(self, turn: Turn) -> Iterator[str]:
        """Yield the SGF nodes of a turn; results and resignations have none."""
        action = turn.action
        match action:
            case Play():
                yield from self._yield_play_nodes(turn, action)
            case Double():
                yield self._write_double_node(turn, action)
            case Answer():
                word = "take" if action.taken else "drop"
                yield self._write_node(action.side, word) + _write_analysis(action.analysis)
            case SetUp():
                yield self._write_set_up_node(action) + _write_analysis(action.analysis)
            case Comment() | Unread():
                yield f"\n;C[{escape(action.text)}]"
            case PointsGiven() | GameReplayed() | CheckersPutBack():
                names = self._game.game.names_or(self._match.names)
                yield f"\n;C[{escape(write_ruling_line(action, names))}]"

    def _write_node(self, side: Side, text: str) -> str:
        """Return an SGF node with one property: the side's color and a text, as in `;B[31hefe]`."""
        return f"\n;{COLORS[side]}[{text}]"

    def _yield_play_nodes(self, turn: Turn, play: Play) -> Iterator[str]:
        """Yield the SGF nodes of a roll with its play, and of the board recorded after it."""
        if play.dice in (None, NOT_ROLLED):
            return
        dice = "{}{}".format(*play.dice)
        if not self._is_written_with_steps(play):
            yield f"\n;PL[{COLORS[play.side]}]DI[{dice}]" + _write_analysis(play.analysis)
            if play.left_board is not None:
                yield self._write_set_up_node(play.left_board._replace(on_roll=play.side))
            return
        steps = split_into_single_steps(turn)
        letters = "".join(point_letter(point, play.side) for step in steps for point in step.path)
        node = self._write_node(play.side, dice + letters[:MOST_LETTERS])
        yield node + _write_analysis(play.analysis)

    def _write_double_node(self, turn: Turn, double: Double) -> str:
        """Return the SGF node of a double, a beaver or a raccoon.

        After a beaver, playing on means taking it; the take then gets a second node.
        """
        node = self._write_node(double.side, "double") + _write_analysis(double.analysis)
        actions = [other.action for other in self._game.turns]
        at = next(n for n, other in enumerate(self._game.turns) if other is turn)
        after = next((a for a in actions[at + 1 :] if not isinstance(a, REMARKS_IN_GAME)), None)
        # Playing on after a beaver takes it, and this take must be written; after a raccoon it must not.
        if double.kind == "beaver" and isinstance(after, Play):
            node += self._write_node(1 if double.side == 0 else 0, "take")
        return node

    def _write_set_up_node(self, set_up: SetUp) -> str:
        """Return the SGF node that sets up the board, the cube and the side on roll."""
        properties = "\n;"
        if set_up.on_roll is not None:
            properties += f"PL[{COLORS[set_up.on_roll]}]"
        if set_up.boards is not None:
            properties += write_boards(set_up.boards)
        if set_up.cube_value is not None:
            owner = "c" if set_up.cube_owner is None else "wb"[set_up.cube_owner]
            properties += f"CV[{set_up.cube_value}]CP[{owner}]"
        return properties
