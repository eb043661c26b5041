"""The report of a match that GNU Backgammon exports as text: one file for each game."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from lark import Token

from bganalyze.board.ids import parse_gnubg_id
from bganalyze.transcript.builder import (
    GameDraft,
    MatchDraft,
    Places,
    all_finished,
    place,
    played,
    turn_of_cube,
)
from bganalyze.transcript.grammar import LineGist, lexer
from bganalyze.transcript.model import (
    LEFT,
    RIGHT,
    Answer,
    Comment,
    Double,
    Length,
    Match,
    Play,
    PlayRecord,
    Result,
    ScoreLine,
    SetUp,
    Side,
    Source,
    Span,
    Tag,
    Unread,
)
from bganalyze.transcript.profile import GNUBG, stated

_GIST = LineGist(r"The score \(after [0-9]+ games?\) is: ")
_SCORE = re.compile(
    r"The score \(after ([0-9]{1,9}) games?\) is: (.{0,200}) ([0-9]{1,9}), (.{0,200}) ([0-9]{1,9})"
    r"(?: \(match to ([0-9]{1,9}) points?\))?(?:,? *(Crawford game|post-Crawford play))?[ \t]*"
)
_THROW = re.compile(
    r"(Move number ([0-9]{1,9}):[ \t]++)(.*)(?<= )(?:to play ([0-6])([0-6])|doubles to ([0-9]{1,9})|on roll.*)[ \t]*"
)
_CUBE = re.compile(r"(?:re)?doubles|accepts|rejects|takes|drops|beavers|raccoons")
_WINS = re.compile(r"(.*) wins ([0-9]+) points?[ \t]*")
_ABOUT = re.compile(
    r"\n((?:(.*)'s rating|(Date|Event|Round|Place|Annotator)):(.*)|(Comments):([\s\S]*))"
)
_IDS = re.compile(
    r"GNU Backgammon[ \t]+Position ID:[ \t]*(\S+)[ \t]*\n[ \t]*(Match ID[ \t]*:[ \t]*(\S+))"
)

TAGS = {
    "Date": "EventDate",
    "Event": "Event",
    "Round": "Round",
    "Place": "Site",
    "Annotator": "Transcriber",
    "Comments": "Comment",
}
"""What the report calls the entries of a header."""

RATINGS = ("Rating left", "Rating right")


def recognises(text: str) -> bool:
    """Whether `text` has the line that begins the report of a game."""
    return _GIST.is_in(text)


def read(text: str, source: Source) -> list[Match]:
    """Return the matches in `text`; at least one."""
    drafts: list[MatchDraft] = []
    game: _Game | None = None
    for token in lexer("gnubg_text").lex(text):
        if token.type == "SCORE":
            game = _begin(drafts, token)
        elif game is not None:
            game.add(token)
    conventions = stated(GNUBG, source, marks_hits=True, writes_dances=True)
    return all_finished(drafts, source, "gnubg-text", conventions)


def _begin(drafts: list[MatchDraft], token: Token) -> _Game:
    """Begin a game, and with it a match where the game belongs to no earlier one."""
    span, found = place(token), _SCORE.fullmatch(token)
    if found is None:
        drafts = drafts or [MatchDraft()]
        draft = GameDraft(span, actions=[Unread(span, None, None, token.strip())])
        drafts[-1].games.append(draft)
        return _Game(draft, ("", ""), drafts[-1])
    number, length = int(found.group(1)) + 1, int(found.group(6) or 0)
    names = (found.group(2), found.group(4))
    if not drafts or not _continues(drafts[-1], number, length, names):
        drafts.append(MatchDraft(Length(place(token, *found.span(6)) if length else span, length)))
    spans = (place(token, *found.span(3)), place(token, *found.span(5)))
    points = (int(found.group(3)), int(found.group(5)))
    game = GameDraft(span, number, ScoreLine(span, names, points, spans))
    game.crawford = found.group(7) == "Crawford game" if length else None
    drafts[-1].games.append(game)
    return _Game(game, names, drafts[-1])


def _continues(draft: MatchDraft, number: int, length: int, names: tuple[str, str]) -> bool:
    before = draft.games[-1]
    if before.score is None or before.number is None or draft.length is None:
        return False
    return before.score.names == names and draft.length.points == length and number > before.number


class _Thrown(NamedTuple):
    """A throw that waits for its play, and where it stands."""

    token: Token
    start: int
    end: int
    side: Side
    dice: tuple[int, int]


@dataclass(slots=True)
class _Game:
    """A game under way: which throw waits for its play."""

    game: GameDraft
    names: tuple[str, str]
    match: MatchDraft
    starts: tuple[str, str] = ("", "")
    """How the lines of what a player does begin."""
    due: tuple[Side, Side] = (LEFT, RIGHT)
    """Whose turn it is, and the other: one name may begin as the other does."""
    thrown: _Thrown | None = None
    illegal: Play | None = None
    """A throw that was never played: the next board tells what was done with it."""
    row: str | None = None
    seen: int = 0
    """How many actions have been looked at for a double that waits for its value."""
    last: int = 0
    """Index of the last of these that is no comment."""

    def __post_init__(self) -> None:
        """Work out once what is asked at every line."""
        left, right = self.names
        self.starts = (f"* {left} ", f"* {right} ")

    def add(self, token: Token) -> None:
        """Add what a line says; most lines are analysis, and say nothing of the game."""
        match token.type:
            case "THROW":
                self._leave_throw()
                self._board(token)
                self._throw(token)
            case "ACTION":
                self._action(token)
            case "WINS":
                self._wins(token)
            case "COMMENT":
                self._comment(token)
            case "ABOUT" if self.game is self.match.games[0]:
                self._about(token)

    def _about(self, token: Token) -> None:
        """What is known of the match; the comments come last, and may have many lines."""
        places, above = Places(token), (token.line or 1) - 1
        for found in _ABOUT.finditer(token):
            line, rated, entry, value, comments, text = found.groups()
            side = None if rated is None else self._side(rated)
            key = TAGS.get(entry or comments) if side is None else RATINGS[side]
            said = (value or text or "").strip()
            if key is not None and said:
                start, width = found.start(1), len(line.partition("\n")[0].rstrip())
                span = places.span(start, start + width)
                self.match.tags.append(Tag(span._replace(line=above + span.line), key, said))

    def _comment(self, token: Token) -> None:
        """What a person has written to the action before."""
        text = token.partition("\n")[2].strip()
        if text:
            self.game.actions.append(Comment(place(token), self.row, text))

    def _throw(self, token: Token) -> None:
        line = token.partition("\n")[0]
        found = _THROW.fullmatch(line)
        if found is None:
            return
        self.row = found.group(2)
        side = self._side(found.group(3)[:-1])
        if found.group(6):
            self._doubles_to(int(found.group(6)))
        is_left = (side == LEFT) != bool(found.group(6))
        self.due = (LEFT, RIGHT) if is_left else (RIGHT, LEFT)
        if found.group(4) is not None and side is not None:
            dice = (int(found.group(4)), int(found.group(5)))
            self.thrown = _Thrown(token, found.end(1), len(line.rstrip()), side, dice)

    def _doubles_to(self, value: int) -> None:
        """The value of the double before, whatever a person has written to it."""
        actions = self.game.actions
        while len(actions) > self.seen:
            self.seen += 1
            if not isinstance(actions[self.seen - 1], Comment):
                self.last = self.seen - 1
        action = actions[self.last] if actions else None
        if isinstance(action, Double):
            actions[self.last] = action._replace(value=value)

    def _leave_throw(self) -> None:
        """A throw without a play: given up, or followed by a board that tells of it."""
        if self.thrown is not None:
            token, start, end, side, dice = self.thrown
            span = place(token, start, end)
            self.illegal, self.thrown = (
                Play(span, self.row, side, dice, how=PlayRecord.UNPLAYED),
                None,
            )
            self.game.actions.append(self.illegal)

    def _board(self, token: Token) -> None:
        """The board of the next turn shows what was done with a throw that was not played."""
        play, self.illegal = self.illegal, None
        found = _IDS.search(token) if play is not None else None
        if play is None or found is None:
            return
        try:
            said = parse_gnubg_id(f"{found.group(1)}:{found.group(3)}")
        except ValueError:
            return
        own, other = said.position
        boards = (other, own) if said.on_roll else (own, other)
        left = SetUp(_within(token, *found.span(2)), play.row, boards)
        self.game.actions[-1] = play._replace(
            how=PlayRecord.PLAYED, called_illegal=True, left_board=left
        )

    def _side(self, name: str) -> Side | None:
        if name == self.names[0]:
            return LEFT
        return RIGHT if name == self.names[1] else None

    def _action(self, token: Token) -> None:
        """`* NAME moves ...`: other lines with a star belong to the analysis."""
        line = token.partition("\n")[0].rstrip()
        for side in self.due:
            start = self.starts[side]
            if self.names[side] and line.startswith(start):
                self._done(line[len(start) :], place(token, 0, len(line)), side, len(start))
                return

    def _done(self, said: str, span: Span, side: Side, at: int) -> None:
        actions = self.game.actions
        if said.startswith("moves "):
            turn = self._turn(span, side)
            actions.extend(played(said[6:], at + 6, turn))
        elif said == "cannot move":
            actions.append(self._turn(span, side)._replace(how=PlayRecord.CANNOT_MOVE))
        elif _CUBE.fullmatch(said) and said.endswith("doubles"):
            actions.append(Double(span, self.row, side, None, turn_of_cube(actions, side)))
        elif _CUBE.fullmatch(said):
            actions.append(Answer(span, self.row, side, said in ("accepts", "takes")))
        else:
            actions.append(Unread(span, self.row, side, said))

    def _turn(self, span: Span, side: Side) -> Play:
        """The turn whose throw was named before."""
        thrown, self.thrown = self.thrown, None
        dice = thrown.dice if thrown is not None and thrown.side == side else None
        return Play(span, self.row, side, dice)

    def _wins(self, token: Token) -> None:
        self._leave_throw()
        self.illegal = None
        found = _WINS.fullmatch(token)
        side = self._side(found.group(1)) if found else None
        if found is not None and side is not None:
            self.game.actions.append(Result(place(token), None, side, int(found.group(2))))


def _within(token: Token, start: int, end: int) -> Span:
    """Where characters stand in a token of several lines."""
    line = (token.line or 1) + token.count("\n", 0, start)
    before = start - (token.rfind("\n", 0, start) + 1)
    return Span(line, before + 1, before + 1 + end - start)
