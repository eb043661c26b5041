"""Match text in two columns, in the spelling of JellyFish and GNU Backgammon or eXtreme Gammon."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from bganalyze.board.ids import Situation, xgid
from bganalyze.board.movement import Dice
from bganalyze.board.plays import point_name
from bganalyze.board.position import BAR, OFF, Points, Position, Step
from bganalyze.record.builder import join_lines
from bganalyze.record.conventions import describe_hidden_conventions
from bganalyze.record.dates import put_year_first
from bganalyze.record.match_text import reader as mat
from bganalyze.record.match_text.cells import WordItem, parse_cell
from bganalyze.record.match_text.reader import OWN_CONVENTIONS, OWN_MATCH
from bganalyze.record.model import (
    LEFT,
    REMARK,
    RIGHT,
    Action,
    Answer,
    CheckersPutBack,
    Comment,
    Conventions,
    Double,
    GameReplayed,
    Match,
    Play,
    PlayRecord,
    PointsGiven,
    Resignation,
    Result,
    RulingMade,
    ScoreLine,
    SetUp,
    Side,
    Source,
    Tag,
    Unread,
    other_side,
)
from bganalyze.validation.replaying import MatchReplay
from bganalyze.validation.replaying.replayed import Boards, GameReplay, Turn
from bganalyze.validation.replaying.state import share_cell
from bganalyze.writing.bgm import SIZES, write_ruling_line, write_step
from bganalyze.writing.losses import resigns_after_roll
from bganalyze.writing.single_steps import split_into_single_steps

# Checks that a line of match text is read again as it was meant.

INDENT = " " * 33
"""Blanks before text in a game, which starts in the right column."""

_ODD = re.compile(r"[\W_]+")
_PLAYERS = ("Player 1", "Player 2")


def read_matches(text: str) -> list[Match]:
    """Return the matches in match text."""
    return mat.read(text, Source("", "utf-8", text.split("\n")))


def is_comment(text: str) -> bool:
    """Whether this text, written as a comment, is read back as the same comment.

    Some texts are read as something else, such as a position.

    >>> is_comment("a remark"), is_comment("Set Pos=-b----E-C---eE---c-e----B-/3")
    (True, False)
    """
    actions = _read_game_line(f"; {text}")
    return len(actions) == 1 and isinstance(actions[0], Comment) and actions[0].text == text


def is_unreadable_line(text: str) -> bool:
    """Whether this text, written as a line below a game's rows, is read back as unreadable text.

    >>> is_unreadable_line("hello there"), is_unreadable_line("Game 7")
    (True, False)
    """
    actions = _read_game_line(text)
    return len(actions) == 1 and isinstance(actions[0], Unread) and actions[0].text == text


def is_unreadable_cell(text: str) -> bool:
    """Whether this text, written as a cell (half of a row), is read back as unreadable text.

    >>> is_unreadable_cell("6?4"), is_unreadable_cell("8/4 6/4")
    (True, False)
    """
    cell = parse_cell(text)
    is_plain = not re.search(r"[;#\n\t]|  ", text)
    return is_plain and len(cell) == 1 and isinstance(cell[0], WordItem) and cell[0].kind == "JUNK"


def is_entry(line: str, key: str, value: str) -> bool:
    """Whether this line is read as the header entry with this key and value.

    >>> is_entry('; [Event "Club"]', "Event", "Club")
    True
    """
    return [(tag.key, tag.value) for tag in _read_last_match(line).tags] == [(key, value)]


def is_score(line: str, names: tuple[str, str], points: tuple[int, int]) -> bool:
    """Whether this line is read as a score line with these names and points.

    >>> is_score("Ann : 0   Bob : 3", ("Ann", "Bob"), (0, 3))
    True
    """
    games = _read_last_match(f"Game 1\n{line}").games
    if len(games) != 1 or games[0].score is None or games[0].actions:
        return False
    return (games[0].score.names, games[0].score.points) == (names, points)


def simplify_name(name: str) -> str:
    """Return a name with only letters, digits and blanks, which begins with a letter.

    >>> simplify_name("12) 31: 8/5"), simplify_name("Ann: 3 Bob")
    ('Player 12 31 8 5', 'Ann 3 Bob')
    """
    plain = _ODD.sub(" ", name).strip()
    return plain if plain[:1].isalpha() else f"Player {plain}".strip()


def _read_game_line(line: str) -> tuple[Action, ...]:
    """Return the actions read from a line of a game; none if it begins a new game or match."""
    match = _read_last_match(f"Game 1\n{INDENT}{line}")
    return match.games[0].actions if len(match.games) == 1 and match.length is None else ()


def _read_last_match(text: str) -> Match:
    """Return the last match in a match text."""
    return read_matches(text)[-1]


BOARD_LENGTH = 26
SHORT_LINE = 15
"""Longest line in which GNU Backgammon finds no right cell and repeats the previous one."""

RESIGNED = {
    "resigned": "Resigns",
    "resigned-match": "Resigns match",
    "forfeit": "Forfeits",
    "time": "Loses on time",
}


class Spelling(NamedTuple):
    """Spelling and layout of match text by one program."""

    encoding: str
    line_end: str
    margin: str
    """Blanks before the match line."""
    column: int
    """Offset of the right column, from 0."""
    width: int
    """Length to which rows with a right cell are padded, except wins; 0 for no padding."""
    blanks: int
    """Blank lines below a game."""
    end: str
    """Text at the end of a file."""
    dance: str
    unplayed: str
    resigned: str
    is_plural: bool
    and_the_match: bool
    bar: str
    off: str
    steps: Callable[[Sequence[Step]], str]
    """Function that writes the steps of a legal play, given one die at a time."""


def _write_jellyfish_steps(steps: Sequence[Step]) -> str:
    """Return the steps of a play as JellyFish writes them: each step on its own.

    >>> _write_jellyfish_steps([Step((13, 8), (False,)), Step((25, 21), (True,))])
    '13/8 25/21*'
    """
    return " ".join(f"{path[0]}/{path[-1]}" + "*" * marked[-1] for path, marked in steps)


def _write_xg_steps(steps: Sequence[Step]) -> str:
    """Return the steps of a play as eXtreme Gammon writes them: one checker's steps are joined.

    Steps are not joined at a point where the checker hits.

    >>> _write_xg_steps([Step((13, 8), (False,)), Step((25, 21), (True,)), Step((8, 4), (False,))])
    'Bar/21* 13/4'
    """
    hit_on = {path[-1] for path, marked in steps if marked[-1]}
    joined: list[Step] = []
    for step in sorted(steps, key=lambda step: -step.path[0]):
        start = step.path[0]
        before = next((part for part in joined if part.path[-1] == start not in hit_on), None)
        if before is None:
            joined.append(step)
        else:
            whole = Step((before.path[0], step.path[-1]), step.marked)
            joined[joined.index(before)] = whole
    times = Counter(step.path for step in joined)
    is_hit = {step.path for step in joined if step.marked[-1]}
    ordered = sorted(times, key=lambda path: (-path[0], path[-1] == OFF, path in is_hit, -path[-1]))
    return " ".join(
        "/".join(point_name(point).title() for point in path)
        + "*" * (path in is_hit)
        + (f"({times[path]})" if times[path] > 1 else "")
        for path in ordered
    )


JELLYFISH = Spelling(
    encoding="utf-8",
    line_end="\n",
    margin=" ",
    column=33,
    width=0,
    blanks=1,
    end="",
    dance="",
    unplayed="???",
    resigned=" Resigns",
    is_plural=True,
    and_the_match=False,
    bar="25",
    off="0",
    steps=_write_jellyfish_steps,
)
XG_TEXT = Spelling(
    encoding="utf-8-sig",
    line_end="\r\n",
    margin="",
    column=39,
    width=73,
    blanks=3,
    end="\n",
    dance="Cannot Move",
    unplayed="????",
    resigned="????",
    is_plural=False,
    and_the_match=True,
    bar="Bar",
    off="Off",
    steps=_write_xg_steps,
)


def write_match_text(replays: Sequence[MatchReplay], spelling: Spelling) -> bytes:
    """Return the matches as match text, in the spelling of one program, such as JellyFish."""
    texts = [list(_Writer(replay, spelling).lines()) for replay in replays]
    for number, (replay, lines) in enumerate(zip(replays, texts, strict=True), start=1):
        if number > 1 and replay.match.length is None:
            lines.insert(0, f'; [{OWN_MATCH} "{number}"]')
    again = read_matches(_join_matches(texts))
    if len(again) == len(texts):
        for replay, back, lines in zip(replays, again, texts, strict=True):
            _state_conventions(lines, replay.match.conventions, back.conventions)
    text = (_join_matches(texts) + spelling.end).replace("\n", spelling.line_end)
    return text.encode(spelling.encoding)


write_jellyfish = partial(write_match_text, spelling=JELLYFISH)
write_xg_text = partial(write_match_text, spelling=XG_TEXT)


def _state_conventions(lines: list[str], meant: Conventions, inferred: Conventions) -> None:
    """Insert a header line that states the notation, unless readers infer the right one.

    `meant` is the right notation, `inferred` the one that readers infer from the `lines`.
    """
    conventions = describe_hidden_conventions(meant)
    if conventions != describe_hidden_conventions(inferred):
        lines.insert(OWN_MATCH in lines[0], f'; [{OWN_CONVENTIONS} "{conventions}"]')


def _join_matches(matches: Sequence[Sequence[str]]) -> str:
    """Join the lines of several matches to one text, with a blank line between matches."""
    return "\n\n".join("\n".join(lines) for lines in matches) + "\n"


class _Rows:
    """The lines of a game being written; a row has a left cell, a right cell or both."""

    def __init__(self, spelling: Spelling) -> None:
        self.lines: list[str] = []
        self._column = spelling.column
        self._width = spelling.width
        self._number = 0
        self._cells: dict[Side, str] = {}

    def add_cell(self, side: Side, text: str) -> None:
        """Put text into a side's cell of the current row, or of a new row if that cell is taken."""
        if side in self._cells or (side == LEFT and self._cells):
            self.flush_row()
        self._cells[side] = text

    def add_to_cell(self, side: Side, text: str) -> None:
        """Append text to a side's cell in the current row."""
        self._cells[side] = f"{self._cells.get(side, '')} {text}".strip()

    def waits_for_right(self) -> bool:
        """Whether the current row has a left cell and no right cell yet."""
        return LEFT in self._cells and RIGHT not in self._cells

    def add_line(self, text: str) -> None:
        """End the current row, then add a line that is not a row, such as a set-up."""
        self.flush_row()
        self.lines.append(text)

    def add_remark(self, text: str) -> None:
        """End the current row, then add a line of text that begins where right cells begin."""
        self.add_line(" " * self._column + text)

    def flush_row(self) -> None:
        """End the current row and, unless it is empty, add it to the lines."""
        if not self._cells:
            return
        self._number += 1
        row = f"{self._number:3d}) {self._cells.get(LEFT, '')}"
        if RIGHT in self._cells:
            row = f"{row.ljust(self._column - 1)} {self._cells[RIGHT]}"
        self.lines.append(self._pad(row.rstrip()))
        self._cells = {}

    def _pad(self, row: str) -> str:
        """Return a row filled up with blanks to the width that the imitated program writes."""
        if self._width and " Wins " not in row:
            return row.ljust(self._width if RIGHT in self._cells else self._column)
        return row if len(row) > SHORT_LINE else row.ljust(self._column)


class _Writer:
    """Writer of one match as match text, in the spelling of one program."""

    def __init__(self, replay: MatchReplay, spelling: Spelling) -> None:
        self._replay = replay
        self._spelling = spelling
        self._is_beavered = False
        self._last: tuple[Play, str] | None = None
        """The last play and its text."""

    def lines(self) -> Iterator[str]:
        """Yield the lines of the match."""
        match, blanks = self._replay.match, [""] * self._spelling.blanks
        yield from filter(None, map(self._write_tag_line, match.tags))
        yield ""
        if match.length is not None:
            yield f"{self._spelling.margin}{match.length.points} point match"
            yield ""
        for index, game in enumerate(self._replay.games):
            number = index + 1 if game.game.number is None else game.game.number
            yield f" Game {number}"
            yield from self._yield_game_lines(game, index)
            yield from blanks

    def _yield_game_lines(self, game: GameReplay, game_index: int) -> Iterator[str]:
        """Yield the lines of a game."""
        score = game.game.score
        if score is not None:
            yield self._write_safe_score_line(score)
        late = game_index == 0 and game.context.score != (0, 0)
        if game.game.crawford and (late or not game.context.crawford):
            yield "; Crawford game"
        rows = _Rows(self._spelling)
        before: Action | None = None
        for turn, following in zip(game.turns, (*game.turns[1:], None), strict=False):
            next_action = None if following is None else following.action
            self._write_action(rows, game, turn, before, next_action)
            before = turn.action
            if not isinstance(before, Comment | Unread | RulingMade):
                self._is_beavered = isinstance(before, Double) and before.kind == "beaver"
        rows.flush_row()
        yield from rows.lines

    def _write_tag_line(self, tag: Tag) -> str | None:
        """Return the line of a header entry, or None if such a line would be misread."""
        remark = f"; {tag.value}"
        if tag.key == REMARK and is_entry(remark, tag.key, tag.value):
            return remark
        value = join_lines(tag.value)
        if tag.key in _PLAYERS and not value.strip():
            return None  # GammonView takes names from the header, and would read none of the rows.
        if tag.key.casefold() == "eventdate":
            value = put_year_first(value, ".")
        line = f'; [{tag.key} "{value}"]'
        return line if "\n" not in tag.key and is_entry(line, tag.key, value) else None

    def _write_safe_score_line(self, score: ScoreLine) -> str:
        """Return the score line of a game, with simplified names if it would be misread."""
        one, two = (name or f"Player {n}" for n, name in enumerate(score.names, start=1))
        line = self._write_score_line((one, two), score)
        if is_score(line, (one, two), score.points):
            return line
        left, right = map(simplify_name, (one, two))
        return self._write_score_line((left, right), score)

    def _write_score_line(self, names: tuple[str, str], score: ScoreLine) -> str:
        """Return the score line of a game with these names of left and right."""
        left, right = (f"{name} : {n}" for name, n in zip(names, score.points, strict=True))
        return f" {left}".ljust(self._spelling.column - 2) + f"  {right}"

    def _write_comment_line(self, game: GameReplay, action: Comment | RulingMade) -> str:
        """Return the line of a comment or ruling, with quotation marks if it would be misread."""
        if isinstance(action, Comment):
            text = " ".join(action.text.split())
        else:
            text = write_ruling_line(action, game.game.names_or(self._replay.match.names))
        return f"; {text}".rstrip() if not text or is_comment(text) else f'; "{text}"'

    def _write_unread(self, rows: _Rows, unread: Unread, previous_action: Action | None) -> None:
        """Write words that could not be read, so that readers do not take them for an action."""
        text = unread.text
        is_safe = is_unreadable_line if unread.side is None else is_unreadable_cell
        if not is_safe(text):
            text = f'"{"_".join(text.split())}"'
        if unread.side is None:
            rows.add_remark(text)
        else:
            self._write_in_cell(rows, unread, previous_action, text)

    def _write_action(
        self,
        rows: _Rows,
        game: GameReplay,
        turn: Turn,
        previous_action: Action | None,
        next_action: Action | None,
    ) -> None:
        """Write a turn's action into the rows of the game, unless match text cannot say it."""
        action = turn.action
        match action:
            case Comment() | PointsGiven() | GameReplayed() | CheckersPutBack():
                rows.add_remark(self._write_comment_line(game, action))
            case SetUp():
                rows.add_line(self._write_set_up_line(turn, action))
            case Result():
                self._write_result(rows, game, action)
            case Unread():
                self._write_unread(rows, action, previous_action)
            case Play():
                self._write_in_cell(
                    rows,
                    action,
                    previous_action,
                    self._write_play_text(game, turn, action, next_action),
                )
            case Resignation(declined=True):
                pass  # Match text cannot say it.
            case Answer(taken=True) if self._is_beavered:
                pass  # The next roll says so.
            case Resignation() if _states_own_points(game, action):
                plural = "s" * (self._spelling.is_plural and action.points != 1)
                self._write_in_cell(
                    rows, action, previous_action, f" Losses {action.points} point{plural}"
                )
            case Resignation(manner="resigned", size=None):
                self._write_resignation(rows, action, previous_action)
            case _:
                self._write_in_cell(
                    rows,
                    action,
                    previous_action,
                    f" {self._write_cube_or_resignation(turn, action)}",
                )

    def _write_in_cell(
        self, rows: _Rows, action: Action, previous_action: Action | None, text: str
    ) -> None:
        """Write `text`, the words for an action, into the cell of the acting side.

        It is added to the previous action's cell if the original file has both in one cell.
        """
        side: Side = RIGHT if getattr(action, "side", LEFT) else LEFT
        if previous_action is not None and share_cell(previous_action, action):
            rows.add_to_cell(side, text.strip())
            return
        rows.add_cell(side, text)

    def _write_resignation(
        self, rows: _Rows, action: Resignation, previous_action: Action | None
    ) -> None:
        """Write a resignation of unstated size into the cell of its side.

        Some programs write an unplayed roll and a resignation alike. In their spelling, a
        resignation after such a roll of the same side adds nothing.
        """
        text = self._spelling.resigned
        if text == self._spelling.unplayed and previous_action is not None:
            if resigns_after_roll(previous_action, action):
                return
            if share_cell(previous_action, action):
                text = RESIGNED[action.manner]
        self._write_in_cell(rows, action, previous_action, text)

    def _write_cube_or_resignation(self, turn: Turn, action: Action) -> str:
        """Return a double, an answer to it or a resignation as words, such as `Doubles => 2`."""
        if isinstance(action, Double):
            value = turn.cube.next_value if action.value is None else action.value
            words = {"double": "Doubles", "beaver": "Beavers", "raccoon": "Raccoons"}
            return f"{words[action.kind]} => {value}"
        if isinstance(action, Answer):
            return "Takes" if action.taken else "Drops"
        assert isinstance(action, Resignation)
        word = RESIGNED[action.manner]
        is_sized = action.manner == "resigned" and action.size is not None
        return f"{word} {SIZES[action.size or 1]}" if is_sized else word

    def _write_result(self, rows: _Rows, game: GameReplay, result: Result) -> None:
        """Write a result as the right cell of the current row or as a line of its own."""
        points = f"{result.points} point" + "s" * (self._spelling.is_plural and result.points > 1)
        length, score = game.context.terms.length, game.context.score[result.side]
        over = bool(length) and score + result.points >= (length or 0)
        marked = result.match or (self._spelling.and_the_match and over)
        text = f"Wins {points}" + " and the match" * marked
        if result.side == RIGHT and rows.waits_for_right():
            rows.add_cell(RIGHT, f" {text}")
        else:
            indent = 6 if result.side == LEFT else self._spelling.column + 1
            rows.add_line(" " * indent + text)

    def _write_play_text(
        self, game: GameReplay, turn: Turn, play: Play, next_action: Action | None
    ) -> str:
        """Return a turn's roll and play as text, such as `31: 8/5 6/5`.

        If the last written play is the same, its text is used again.
        """
        if self._last is not None and _is_same_play(self._last[0], play):
            return self._last[1]
        text = self._write_roll_and_play(game, turn, play, next_action)
        self._last = play, text
        return text

    def _write_roll_and_play(
        self, game: GameReplay, turn: Turn, play: Play, next_action: Action | None
    ) -> str:
        """Return a roll and its play as text, such as `31: 8/5 6/5`.

        After an illegal play, the recorded board, if any, is written instead of steps.
        """
        if play.dice is None:
            return self._write_steps_as_recorded(play.steps)
        roll = "{}{}:".format(*play.dice)
        if play.left_board is not None and play.left_board.boards is not None:
            line = _write_snowie_board(
                self._replay.match, game, turn, play, play.left_board, next_action
            )
            return f"{roll} Illegal play ({line})"
        if play.how is PlayRecord.UNPLAYED or self._is_unrecorded_play(turn, play):
            return f"{roll} {self._spelling.unplayed}"
        if play.how is PlayRecord.CANNOT_MOVE or (play.how is PlayRecord.EMPTY and not play.steps):
            return f"{roll} {self._spelling.dance}".rstrip()
        return f"{roll} {self._write_steps(turn, play)}" + " Illegal" * play.called_illegal

    def _write_steps(self, turn: Turn, play: Play) -> str:
        """Return the steps of a play as text: respelled if the play is legal, else as recorded."""
        checked = turn.legality
        is_clean = checked is not None and checked.fault is None and not checked.mismarked
        if is_clean and play.how is PlayRecord.PLAYED:
            return self._spelling.steps(split_into_single_steps(turn))
        return self._write_steps_as_recorded(play.steps)

    def _write_steps_as_recorded(self, steps: Sequence[Step]) -> str:
        """Return steps as in the original file, with this program's words for bar and off."""
        words = " ".join(map(write_step, steps))
        return words.replace("bar", self._spelling.bar).replace("off", self._spelling.off)

    def _is_unrecorded_play(self, turn: Turn, play: Play) -> bool:
        """Whether a roll without steps is written as an unrecorded play, and not as a dance."""
        if play.how is not PlayRecord.EMPTY:
            return False
        if self._replay.match.conventions.writes_dances:
            return turn.legality is None or turn.legality.fault is not None
        return bool(self._spelling.dance) and turn.legality is None

    def _write_set_up_line(self, turn: Turn, set_up: SetUp) -> str:
        """Return the line `; Set Pos=…` with board and cube from the right player's view."""
        left, right = turn.before if set_up.boards is None else set_up.boards
        value, owner = turn.cube.value, turn.cube.owner
        if set_up.cube_value is not None:
            value, owner = set_up.cube_value, set_up.cube_owner
        board = xgid(Situation(Position(right, left), on_roll=0)).partition("=")[2][:BOARD_LENGTH]
        power = max(value.bit_length() - 1, 0)
        return f"; Set Pos={board}/{-power if owner == LEFT else power}"


def _is_same_play(before: Play, play: Play) -> bool:
    """Whether two plays have the same side, roll and steps; False without steps."""
    return bool(play.steps) and (before.side, before.dice, before.steps) == (
        play.side,
        play.dice,
        play.steps,
    )


def _states_own_points(game: GameReplay, resignation: Resignation) -> bool:
    """Whether a plain resignation states points that no result of the game states.

    A plain resignation states no size, such as a gammon, and does not give up the match.
    """
    stated = {action.points for action in game.game.actions if isinstance(action, Result)}
    is_plain = resignation.manner == "resigned" and resignation.size is None
    return is_plain and resignation.points is not None and resignation.points not in stated


def _write_snowie_board(
    match: Match,
    game: GameReplay,
    turn: Turn,
    play: Play,
    left_board: SetUp,
    next_action: Action | None,
) -> str:
    """Return the board recorded after an illegal play as a line of Snowie's format.

    The line includes the opponent's next roll if `next_action` is one.
    """
    context, mover = game.context, play.side
    seen_by = other_side(mover)
    names = [_remove_separators(name) for name in game.game.names_or(match.names)]
    boards = left_board.boards
    assert boards is not None
    value, owner = turn.cube.value, turn.cube.owner
    if left_board.cube_value is not None:
        value, owner = left_board.cube_value, left_board.cube_owner
    dice: Dice | None = None
    if isinstance(next_action, Play) and next_action.side == seen_by:
        dice = next_action.dice
    crawford = context.crawford if left_board.crawford is None else left_board.crawford
    fields = (
        context.terms.length or 0,
        int(bool(context.terms.jacoby)),
        0,
        int(not context.terms.length),
        int(seen_by == LEFT),
        names[seen_by],
        names[mover],
        int(crawford),
        context.score[seen_by],
        context.score[mover],
        value,
        0 if owner is None else 1 if owner == seen_by else -1,
        *_make_signed_counts(boards, seen_by),
        *(dice or (0, 0)),
    )
    return "".join(f"{field};" for field in fields)


def _remove_separators(name: str) -> str:
    """Return a name with other signs in place of those that separate fields in Snowie's line.

    >>> _remove_separators("Ann (1523); Club")
    'Ann [1523], Club'
    """
    return name.translate(str.maketrans("();", "[],"))


def _make_signed_counts(boards: Boards, seen_by: Side) -> list[int]:
    """Return a board as Snowie writes it: 26 numbers of checkers, the opponent's negative.

    They are for the opponent's bar, the points 1 to 24 as `seen_by` numbers them, and the own bar.

    >>> from bganalyze.board.position import points
    >>> counts = _make_signed_counts((points({6: 5}), points({1: 2, 25: 1})), 0)
    >>> counts[0], counts[6], counts[24]
    (-1, 5, -2)
    """
    own: Points = boards[seen_by]
    other: Points = boards[1 - seen_by]
    points = [own[point] or -other[BAR - point] for point in range(1, BAR)]
    return [-other[BAR], *points, own[BAR]]
