"""FIBS `oldmoves`: the moves of a match as the server lists them.

X and O may change places from game to game, and the server may print the scores in the other order:
the players are told apart by their names, the left side is X of the first game.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lark import Token

from bganalyze.transcript.builder import (
    GameDraft,
    MatchDraft,
    accept,
    all_finished,
    decline,
    go_on,
    place,
    played,
    turn_of_cube,
)
from bganalyze.transcript.grammar import LineGist, lexer
from bganalyze.transcript.model import (
    LEFT,
    RIGHT,
    Double,
    Length,
    Match,
    Play,
    PlayRecord,
    Resignation,
    Result,
    ScoreLine,
    Side,
    Source,
    Unread,
    other_side,
)
from bganalyze.transcript.profile import stated

_GIST = LineGist(r"Score is [0-9]{1,9}-[0-9]{1,9}\b[^\n]*\n+\S+ is [XO] - \S+ is [XO]")
_SCORE = re.compile(r"Score is ([0-9]+)-([0-9]+)(?: in an? ([0-9]+) point match)?", re.IGNORECASE)
_NAMES = re.compile(r"(\S+) is ([XO]) - (\S+) is ([XO])")
_ACTION = re.compile(
    r"[ \t]*([XO]):[ \t]+(?:\([ \t]*([1-6])[ \t]+([1-6])[ \t]*\)[ \t]*(can't move|cannot move)?(.*)"
    r"|(doubles|accepts|rejects)[ \t.]*|wants to resign\.?(.*)|wins ([0-9]{1,9}) points?.*)"
)
_COST = re.compile(r"will win ([0-9]{1,9}) point")


def recognises(text: str) -> bool:
    """Whether `text` has a score and the line that says who is X and who is O."""
    return _GIST.is_in(text)


def read(text: str, source: Source) -> list[Match]:
    """Return the matches in `text`; at least one."""
    reader = _Reader([])
    for token in lexer("fibs").lex(text):
        reader.add(token)
    conventions = stated("FIBS", source, marks_hits="*" in text, writes_dances=True)
    return all_finished(reader.drafts, source, "fibs", conventions)


@dataclass(slots=True)
class _Reader:
    """What was read so far, and which side is X in the game under way."""

    drafts: list[MatchDraft]
    score: Token | None = None
    x_is: Side = LEFT
    number: int = 0

    @property
    def game(self) -> GameDraft | None:
        return self.drafts[-1].games[-1] if self.drafts else None

    def add(self, token: Token) -> None:
        """Add what a line says."""
        if token.type == "SCORE":
            self.score = token
        elif token.type == "NAMES" and self.score is not None:
            self._begin(self.score, token)
            self.score = None
        elif self.game is not None:
            self._act(self.game, token)

    def _begin(self, score: Token, names: Token) -> None:
        scores, who = _SCORE.match(score), _NAMES.match(names)
        assert scores is not None
        assert who is not None
        by_letter = {who.group(2): who.group(1), who.group(4): who.group(3)}
        x, o = by_letter.get("X", "X"), by_letter.get("O", "O")
        length = int(scores.group(3) or 0)
        if not self._continues(length, (x, o)):
            where = place(score, *scores.span(3)) if scores.group(3) else place(score)
            self.drafts.append(MatchDraft(Length(where, length)))
        draft = self.drafts[-1]
        before = draft.games[-1] if draft.games else None
        first = before.score.names[0] if before is not None and before.score is not None else x
        self.x_is = LEFT if x == first else RIGHT
        self.number = 0
        points = [int(scores.group(1)), int(scores.group(2))]
        spans = [place(score, *scores.span(1)), place(score, *scores.span(2))]
        if (self.x_is == RIGHT) != _is_printed_crosswise(before, points, self.x_is):
            points.reverse()
            spans.reverse()
        pair = (x, o) if self.x_is == LEFT else (o, x)
        line = ScoreLine(place(score), pair, (points[0], points[1]), (spans[0], spans[1]))
        draft.games.append(GameDraft(place(score), len(draft.games) + 1, line))

    def _continues(self, length: int, names: tuple[str, str]) -> bool:
        if not self.drafts:
            return False
        draft = self.drafts[-1]
        score = draft.games[-1].score
        is_length = draft.length is not None and draft.length.points == length
        return is_length and score is not None and set(score.names) == set(names)

    def _act(self, game: GameDraft, token: Token) -> None:
        span = place(token)
        self.number += 1
        row = str(self.number)
        line = _ACTION.fullmatch(token)
        if token.type != "ACTION" or line is None:
            text, _, more = token.strip().partition("\n")
            last = span.line + 1 + more.count("\n") if more else None
            game.actions.append(Unread(span, row, None, text.rstrip(), last))
            return
        letter, one, two, dance, steps, cube, resigns, wins = line.groups()
        side = self.x_is if letter == "X" else other_side(self.x_is)
        if one is not None:
            go_on(game.actions)
            turn = Play(span, row, side, (int(one), int(two)))
            if dance:
                game.actions.append(turn._replace(how=PlayRecord.CANNOT_MOVE))
            else:
                offset = line.start(5) - line.start(1)
                game.actions.extend(played(steps, offset, turn, mirror=None))
        elif cube == "doubles":
            go_on(game.actions)
            game.actions.append(Double(span, row, side, None, turn_of_cube(game.actions, side)))
        elif cube == "accepts":
            accept(game.actions, span, row, side)
        elif cube == "rejects":
            decline(game.actions, span, row, side)
        elif wins is not None:
            game.actions.append(Result(span, None, side, int(wins)))
        else:
            cost = _COST.search(resigns)
            points = int(cost.group(1)) if cost else None
            game.actions.append(Resignation(span, row, side, points))


def _is_printed_crosswise(before: GameDraft | None, points: list[int], x_is: Side) -> bool:
    """Whether the scores stand in the other order, by what the game before it led to."""
    if before is None or before.score is None:
        return False
    won = next((action for action in before.actions if isinstance(action, Result)), None)
    if won is None:
        return False
    expected = list(before.score.points)
    expected[won.side] += won.points
    if x_is == RIGHT:
        expected.reverse()
    return points != expected and points[::-1] == expected
