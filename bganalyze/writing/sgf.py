"""Smart Game Format as GNU Backgammon reads it.

A play that was taken back stands as a variation beside its correction; a play of which only the
board is known is a throw and a set-up. Cubes have no value there, and resignations no node.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from bganalyze import NAME, __version__
from bganalyze.findings import Standing
from bganalyze.replaying import MatchReplay
from bganalyze.replaying.facts import Boards, EndKind, GameReplay, Turn
from bganalyze.replaying.standing import MOVEMENT, place_of
from bganalyze.replaying.state import share_cell
from bganalyze.transcript.builder import turn_of_cube
from bganalyze.transcript.model import (
    Action,
    Analysis,
    Answer,
    Comment,
    Double,
    Game,
    Match,
    Play,
    PlayRecord,
    Resignation,
    Result,
    SetUp,
    Side,
    Tag,
    Unread,
)
from bganalyze.transcript.profile import GNUBG, in_words
from bganalyze.transcript.sgf.reader import CONVENTIONS, HEADER, MOST_LETTERS, TAGS
from bganalyze.transcript.sgf.tree import COLOURS, board_letters, point_letter
from bganalyze.writing.written import Loss, Written, hops, odd_text, resignation_losses

# What Smart Game Format has no place for: how a game ended, when, and what stands in which order.

GIVEN_UP: frozenset[EndKind] = frozenset(("resigned", "resigned-match", "forfeit", "time"))
"""How a game ends that is given up."""


def of_match(match: Match) -> Iterator[Loss]:
    """Yield what is lost of a match as a whole."""
    yield from odd_text(match)
    if not match.games:
        yield Loss("a match without games", match.length.span if match.length else None)
    numbered = any(game.number is not None for game in match.games)
    for game in match.games:
        if game.number == 0 or (game.number is None and numbered):
            yield Loss("that a game has no number, or the number 0", game.span)


def of_end(game: Game, kind: EndKind) -> Iterator[Loss]:
    """Yield what the result in a root does not say of the end of a game, which is of that kind."""
    ends = [action for action in game.actions if _ends(action)]
    resignations = [action for action in ends if isinstance(action, Resignation)]
    results = [action for action in ends if isinstance(action, Result)]
    spans = [action.span for action in results[1:]] + [action.span for action in resignations[1:]]
    for span in spans:
        yield Loss("a further result or resignation", span)
    for given_up in resignations[:1]:
        if not results:
            yield Loss("that only a resignation tells how a game ended", given_up.span)
        elif kind not in GIVEN_UP or results[0].side == given_up.side:
            yield Loss("a resignation that is not how its game ended", given_up.span)
    yield from _after_end(game.actions)


def _ends(action: Action) -> bool:
    return isinstance(action, Result) or (isinstance(action, Resignation) and not action.declined)


def _after_end(actions: Sequence[Action]) -> Iterator[Loss]:
    """What a game goes on with after its end; only its result may follow a resignation."""
    first = next((at for at, action in enumerate(actions) if _ends(action)), len(actions))
    for before, action in pairwise(actions[first:]):
        is_its_result = isinstance(before, Resignation) and isinstance(action, Result)
        if not is_its_result and not isinstance(action, Comment | Unread):
            yield Loss("that a game went on after its end", action.span)
            return


def of_cube(written: Sequence[Action]) -> Iterator[Loss]:
    """Yield the doubles that are read again as something else: what stands before them tells.

    `written` are the actions that are written.
    """
    read: list[Action] = []
    for action in written:
        if isinstance(action, Double):
            kind = turn_of_cube(read, action.side)
            if kind != action.kind:
                yield Loss("whether a double is a beaver", action.span)
            read.append(action._replace(kind=kind))
        elif not isinstance(action, Unread):
            read.append(action)


NOT_THROWN = (0, 0)
RULES = frozenset(("crawford", "jacoby", "variation", "variant"))
"""Entries of a header that become rules."""

KEYS = {key.casefold(): name for name, key in TAGS.items()}
ENDS: dict[EndKind, str] = {"resigned": "R", "resigned-match": "R", "forfeit": "F", "time": "T"}
"""How a game was given up, and the letter after its points."""

_SPECIAL = re.compile(r"([\]\\])")


def write(replays: Sequence[MatchReplay]) -> Written:
    """Return the matches in Smart Game Format: one tree for each game."""
    losses: list[Loss] = []
    trees = []
    for replay in replays:
        losses += of_match(replay.match)
        for index, game in enumerate(replay.games):
            writer = _Writer(replay.match, game, losses)
            trees.append(writer.tree(index))
    return Written("".join(f"{tree}\n" for tree in trees).encode(), tuple(losses))


def escaped(text: str) -> str:
    r"""Return text as the value of a property.

    >>> escaped("a]b")
    'a\\]b'
    """
    return _SPECIAL.sub(r"\\\1", text)


def _board_left(play: Play) -> Boards | None:
    """The board that a play left, where that is what the record has of it."""
    return None if play.left_board is None else play.left_board.boards


def _is_same_throw(one: Play, two: Play) -> bool:
    """Whether one side has thrown the same dice."""
    return one.side == two.side and sorted(one.dice or ()) == sorted(two.dice or ())


def _branched(root: str, nodes: list[str], asides: dict[int, int]) -> str:
    """The main line from `root` on; the nodes from a key of `asides` to its value stand beside it.

    >>> _branched("", [";a", ";b", ";c", ";d"], {1: 2})
    ';a(;c;d)(;b)'
    """
    line, waiting, ends, at = root, "", "", 0
    while at < len(nodes):
        end = asides.get(at, at + 1)
        if at in asides:
            waiting += f"({''.join(nodes[at:end])})"
        else:
            line += f"({nodes[at]}" if waiting else nodes[at]
            ends = f"){waiting}{ends}" if waiting else ends
            waiting = ""
        at = end
    return line + ends


class _Writer:
    """One game."""

    def __init__(self, match: Match, game: GameReplay, losses: list[Loss]) -> None:
        self._match = match
        self._game = game
        self._losses = losses

    def tree(self, index: int) -> str:
        """Return the game as a tree; the `index`th of its match."""
        for one, two in pairwise(turn.action for turn in self._game.turns):
            if isinstance(two, Play | Double) and share_cell(one, two):
                self._lose("that two actions stood in one turn", two)
        written = [(turn.action, "".join(self._nodes(turn))) for turn in self._game.turns]
        written = [(action, nodes) for action, nodes in written if nodes]
        actions = [action for action, _ in written]
        self._tell_of_throws(actions)
        self._losses += of_cube(actions)
        self._losses += of_end(self._game.game, self._game.ending.kind)
        nodes = [nodes for _, nodes in written]
        return f"({_branched(self._root(index), nodes, dict(self._asides(actions)))})"

    def _asides(self, written: list[Action]) -> Iterator[tuple[int, int]]:
        """Yield from where to where actions are a play that was taken back, and comments on it.

        Where anything else stands before its correction, both stay in the main line.
        """
        corrections = {
            fact.turn.action.span: fact.closed_by
            for fact in self._game.facts
            if fact.standing is Standing.CORRECTED and fact.rule in MOVEMENT and fact.turn
        }
        for at, action in enumerate(written):
            if not isinstance(action, Play) or action.span not in corrections:
                continue
            if self._is_only_thrown(action):
                continue
            end = at + 1
            while end < len(written) and isinstance(written[end], Comment | Unread):
                end += 1
            if end < len(written) and place_of(written[end].span) == corrections[action.span]:
                yield at, end

    def _tell_of_throws(self, written: list[Action]) -> None:
        """A throw without a play belongs to the play or the position that comes next."""
        for one, two in pairwise(written):
            if not isinstance(one, Play) or not self._is_only_thrown(one):
                continue
            if isinstance(two, SetUp) and two.boards is not None:
                self._lose("that a position is not what the play before it left", two)
            elif isinstance(two, Play) and self._is_played(two) and _is_same_throw(one, two):
                self._lose("that a throw stood alone before its play", one)

    def _is_played(self, play: Play) -> bool:
        """Whether a play is written as a throw with its steps."""
        return _board_left(play) is None and not self._is_only_thrown(play)

    def _is_only_thrown(self, play: Play) -> bool:
        """Whether a throw is all that is written of a play."""
        unlogged = play.how is PlayRecord.EMPTY and self._match.profile.writes_dances
        return _board_left(play) is None and (unlogged or play.how is PlayRecord.UNPLAYED)

    def _lose(self, what: str, action: Action) -> None:
        self._losses.append(Loss(what, action.span))

    # -- the root ---------------------------------------------------------------------------------

    def _root(self, index: int) -> str:
        game, match = self._game.game, self._match
        properties = [f";FF[4]GM[6]CA[UTF-8]AP[{NAME}:{__version__}]MI"]
        if match.length is not None:
            properties.append(f"[length:{match.length.points}]")
        properties.append(f"[game:{index if game.number is None else max(game.number - 1, 0)}]")
        if game.score is not None:
            properties.append("[ws:{}][bs:{}]".format(*game.score.points))
            properties.append("PW[{}]PB[{}]".format(*map(escaped, game.score.names)))
        if index == 0:
            properties += [
                f"{name}[{escaped(tag.value)}]" for name, tag in self._properties().items()
            ]
            properties += self._own_properties()
        properties.append(self._rules())
        if game.cube is not None:
            properties.append(f"CV[{game.cube}]")
        properties.append(self._result())
        return "".join(properties)

    def _properties(self) -> dict[str, Tag]:
        """The header entries that have a property of their own, each the first of its key."""
        named: dict[str, Tag] = {}
        for tag in self._match.tags:
            name = KEYS.get(tag.key.casefold())
            if name is not None:
                named.setdefault(name, tag)
        return named

    def _own_properties(self) -> Iterator[str]:
        """What only this program reads again: other header entries, and the conventions."""
        match = self._match
        elsewhere = self._properties().values()
        others = [
            tag for tag in match.tags if tag not in elsewhere and tag.key.casefold() not in RULES
        ]
        if others:
            yield HEADER + "".join(f"[{escaped(f'{tag.key}={tag.value}')}]" for tag in others)
        unmarked = match.profile._replace(marks_hits=False)
        words = [match.profile.producer.replace(" ", "_"), *in_words(unmarked)]
        yield f"{CONVENTIONS}[{escaped(' '.join(words))}]"

    def _rules(self) -> str:
        context, match = self._game.context, self._match
        words = []
        if context.terms.length:
            on = (match.tag("Crawford") or "on").strip().casefold() in ("on", "yes", "true", "1")
            words += ["Crawford"] if on else []
            words += ["CrawfordGame"] if context.crawford else []
        elif context.terms.jacoby:
            words.append("Jacoby")
        if context.terms.variant != "standard":
            words.append(context.terms.variant.replace("-", "").capitalize())
        if not context.terms.cube_in_play:
            words.append("NoCube")
        is_known = words or context.terms.length or context.terms.jacoby is not None
        return f"RU[{':'.join(words)}]" if is_known else ""

    def _result(self) -> str:
        """`RE[W+2R]`: the result, with what kind of end it was."""
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
        if letter == "R" and not spelled and self._match.profile.spells_resignations:
            letter = ""
        if letter == "R" and points is not None:
            points = self._whole(points, winner, result)
        return f"RE[{COLOURS[winner]}+{'' if points is None else points}{letter}]"

    def _whole(self, points: int, winner: Side, result: Result | None) -> int:
        """The points of a resignation, of which GNU Backgammon takes the size: so many cubes.

        A record may have less, where the winner needed no more. Other points that are no whole cubes
        are wrong, and stay so.
        """
        cube, context = self._game.cube.value, self._game.context
        size = -(-points // cube)
        if points % cube == 0 or size > 3 or not context.terms.length:
            return points
        if points != context.terms.length - context.score[winner]:
            return points
        if result is not None:
            self._lose("that the points of a result are no more than the winner needed", result)
        return size * cube

    # -- the nodes --------------------------------------------------------------------------------

    def _nodes(self, turn: Turn) -> Iterator[str]:
        action = turn.action
        match action:
            case Play():
                yield from self._play(turn, action)
            case Double():
                yield self._double(turn, action)
            case Answer():
                word = "take" if action.taken else "drop"
                yield self._node(action.side, word) + self._stored(action, action.analysis)
            case SetUp():
                yield self._set_up(action) + self._stored(action, action.analysis)
            case Comment():
                yield f"\n;C[{escaped(action.text)}]"
            case Unread():
                self._lose("text that could not be read became a comment", action)
                yield f"\n;C[{escaped(action.text)}]"
            case Result(match=True):
                self._lose("the words: and the match", action)
            case Resignation():
                self._resignation(turn, action)

    def _resignation(self, turn: Turn, action: Resignation) -> None:
        """A resignation stands in the root, as the result; what that does not say is lost."""
        if action.declined:
            self._lose("a resignation that was declined", action)
            return
        if action.manner == "resigned-match":
            self._lose("that the match was resigned, not only the game", action)
        for what in resignation_losses(action, turn.cube.value, self._game.ending.recorded):
            self._lose(what, action)

    def _node(self, side: Side, text: str) -> str:
        return f"\n;{COLOURS[side]}[{text}]"

    def _stored(self, action: Action, analysis: Analysis | None) -> str:
        """What GNU Backgammon has stored; of other programs it cannot be said."""
        if analysis is None:
            return ""
        if analysis.program == GNUBG:
            return "".join(name + text for name, text in analysis.entries)
        self._lose(f"what {analysis.program} has stored with an action", action)
        return ""

    def _play(self, turn: Turn, play: Play) -> Iterator[str]:
        if play.dice is None:
            self._lose("a play whose throw is not known", play)
            return
        if play.dice == NOT_THROWN:
            self._lose("that a throw was not made", play)
            return
        if play.called_illegal and _board_left(play) is None:
            self._lose("the record's own mark that a play is illegal", play)
        dice = "{}{}".format(*play.dice)
        if not self._is_played(play):
            yield f"\n;PL[{COLOURS[play.side]}]DI[{dice}]" + self._stored(play, play.analysis)
            if play.left_board is not None:
                yield self._set_up(play.left_board._replace(on_roll=play.side))
            return
        steps = hops(turn)
        letters = "".join(point_letter(point, play.side) for step in steps for point in step.path)
        if len(letters) > MOST_LETTERS:
            self._lose("the steps of a play beyond the fourth", play)
        if play.how is PlayRecord.UNREAD:
            self._lose("that a part of a play could not be read", play)
        node = self._node(play.side, dice + letters[:MOST_LETTERS])
        yield node + self._stored(play, play.analysis)

    def _double(self, turn: Turn, double: Double) -> str:
        if double.value not in (None, turn.cube.next_value):
            self._lose("the value written with a double", double)
        node = self._node(double.side, "double") + self._stored(double, double.analysis)
        turns = self._game.turns
        at = next(index for index, other_turn in enumerate(turns) if other_turn is turn)
        after = turns[at + 1].action if at + 1 < len(turns) else None
        if double.kind != "double" and isinstance(after, Play):
            node += self._node(1 if double.side == 0 else 0, "take")
        return node

    def _set_up(self, set_up: SetUp) -> str:
        if set_up.crawford is not None:
            self._lose("the Crawford mark of a position", set_up)
        properties = "\n;"
        if set_up.on_roll is not None:
            properties += f"PL[{COLOURS[set_up.on_roll]}]"
        if set_up.boards is not None:
            properties += board_letters(set_up.boards)
        if set_up.cube_value is not None:
            owner = "c" if set_up.cube_owner is None else "wb"[set_up.cube_owner]
            properties += f"CV[{set_up.cube_value}]CP[{owner}]"
        return properties
