"""`show`: the board before one action of a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from bganalyze.app.api.read import read
from bganalyze.app.api.sources import Source, work_on
from bganalyze.board.ids import Situation, xgid
from bganalyze.board.plays import legal_plays, notation
from bganalyze.record.model import Match
from bganalyze.validation.replaying import replay
from bganalyze.validation.replaying.facts import Turn
from bganalyze.validation.replaying.places import (
    LinePlace,
    PlaceError,
    place,
    situation_before,
    turn_at,
    turn_on_line,
)


@dataclass(frozen=True, slots=True)
class ShownBoard:
    """The board before an action, seen by the side on roll."""

    match: Match
    turn: Turn

    @property
    def situation(self) -> Situation:
        """The position with cube, score and dice."""
        return situation_before(self.turn)

    @property
    def xgid(self) -> str:
        """The position as an XGID, the notation of eXtreme Gammon."""
        return xgid(self.situation)

    @property
    def plays(self) -> tuple[str, ...]:
        """The legal plays; empty without a roll, or if no checker can move."""
        situation = self.situation
        if situation.dice is None:
            return ()
        legal = legal_plays(situation.position, situation.dice).values()
        return tuple(notation(steps) for steps in legal if steps)

    def text(self, plays: int = 20) -> str:
        """Return the board as text, with at most `plays` legal plays."""
        from bganalyze.app.render.board import position_text
        from bganalyze.app.render.setting import plain_output_options

        return "".join(position_text(self.turn, self.match, plays, plain_output_options()))

    def svg(self) -> str:
        """Return the board as a picture in SVG."""
        from bganalyze.app.render.board import position_scene
        from bganalyze.app.render.board_picture import board_svg

        return board_svg(position_scene(self.turn, self.match))

    def png(self) -> bytes:
        """Return the board as a picture in PNG; needs matplotlib."""
        from bganalyze.app.render.board import position_scene
        from bganalyze.app.render.board_picture import board_png

        return board_png(position_scene(self.turn, self.match))

    def __repr__(self) -> str:
        """The XGID."""
        return f"<{self.xgid}>"

    def _repr_html_(self) -> str:
        """The board as a picture, for notebooks."""
        return self.svg()


def show(source: Source, where: str, *, match: int = 1, name: str | None = None) -> ShownBoard:
    r"""Return the board before an action of a match.

    `where` is a game, a row as written, and a side (`"2.14R"`; without a side the first action of the
    row), or a line of the file (`"41"`, `"41R"`, or `"41:38"` as in a finding). `match` is the number of
    the match in the file. Raises PlaceError, NotATranscript and UnreadableError.

    >>> text = b" 5 point match\n\n Game 1\n Ann : 0     Bob : 0\n  1) 31: 8/5 6/5     52: 13/8 24/22\n"
    >>> show(text, "1.1R", name="a.mat")
    <XGID=-b---BD-B---eE---c-e----B-:0:0:-1:52:0:0:0:5:10>
    """
    matches = read(source, name=name)
    if not matches:
        raise PlaceError("there is no match to show")
    return work_on(matches, partial(board_at, matches, where, match), PlaceError)


def board_at(matches: Sequence[Match], where: str, number: int = 1) -> ShownBoard:
    """Return the board at a place of match `number`, or at a line of the file; raise PlaceError."""
    position = place(where)
    if isinstance(position, LinePlace):
        found, turn = turn_on_line(map(replay, matches), position)
        return ShownBoard(found.match, turn)
    if not 0 < number <= len(matches):
        raise PlaceError(f"{matches[0].source.path}: has no match {number}")
    replayed = replay(matches[number - 1])
    return ShownBoard(replayed.match, turn_at(replayed, position))
