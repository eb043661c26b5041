"""Writing of a match in the spelling of a producer.

A `Dialect` holds the differences: columns, names of the bar and of borne-off checkers, merged
steps, hit marks, and the way to write a dance, a resignation and a win.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from record import LEFT, RIGHT, Action, Board, Cube, Game, Match, Raw, Roll, Step, boards


@dataclass(frozen=True)
class Dialect:
    """Layout and spelling of a producer. The defaults are those of GNU Backgammon."""

    match_line: str = " {length} point match"
    game_line: str = " Game {number}"
    score_line: str = " {name} : {score}"
    right_score: str = "{name} : {score}"
    blanks_before_games: int = 1
    blanks_after_left_win: int = 1
    blanks_after_right_win: int = 1
    blanks_after_row_win: int = 1
    label: str = "{row:3d}) "
    column: int = 33
    """Column where the right cell starts, from 0; words start one column further right."""
    name_column: int = 32
    left_width: int = 33
    """Width of rows without a right cell."""
    right_width: int = 0
    """Width of right cells; 0 for a blank after a roll of fewer than four steps."""
    bar: str = "25"
    off: str = "0"
    merged: float = 0.0
    """Probability of joining the steps of one checker (`24/18 18/13` to `24/13`)."""
    counted: bool = False
    """Whether equal steps are counted: `8/4(2)`."""
    stars: bool = True
    as_rolled: bool = False
    clicked: bool = False
    """Whether steps are in an order in which they were made, instead of sorted."""
    dance: str = ""
    """Text after the colon of a roll that cannot be played."""
    unplayed: str = ""
    """Text after the colon if the player gave up after the roll."""
    resigns: str = ""
    """Cell of a resignation without a roll; if empty, only the win is written."""
    resigns_beside_win: bool = False
    """Whether a resignation is in the winner's column, not the loser's."""
    plural: bool = True
    and_the_match: bool = False
    row_wins: tuple[str, ...] = ("drop",)
    """Endings (drop, resign) after a left cell with the win in the same row."""
    resigned_columns: tuple[int, int] | None = None
    """Columns of such a win after a resignation: during the match, and at its end."""
    numbered_wins: bool = False
    """Whether a win that is not in the row of the pass has a numbered row of its own."""
    gap_before_last_win: bool = False
    """Whether a blank line precedes the left player's win if the right one resigned the match."""
    gap_before_left_win: bool = False
    left_win_column: int = 6
    line_width: int = 0
    """Width of score lines, rows and wins."""
    final_row: bool = False
    """Whether the file ends with an empty numbered row."""
    tail: str = "\n\n"
    eol: str = "\n"
    encoding: str = "utf-8"
    bom: bool = False


GNUBG = Dialect()


@dataclass
class Written:
    """The text of a match, and the line numbers of its parts, from 1."""

    lines: list[str]
    cells: dict[str, int]
    """Line of each `2.14R` (game, row, side); also of `2.game`, `2.score`, `2.win` and `match`."""


class Writer:
    """A writer of one match, line by line."""

    def __init__(self, dialect: Dialect, seed: int = 1) -> None:
        self.dialect = dialect
        self.chance = random.Random(seed)
        self.lines: list[str] = []
        self.cells: dict[str, int] = {}

    def note(self, key: str) -> None:
        """Record the last written line as the place of a part."""
        self.cells[key] = len(self.lines)

    def match(self, match: Match, head: list[str]) -> Written:
        """Write the head, the match line and every game."""
        style = self.dialect
        self.lines += head
        if style.match_line:
            self.lines.append(style.match_line.format(length=match.length))
            self.note("match")
        self.lines += [""] * style.blanks_before_games
        for game in match.games:
            self.lines.append(style.game_line.format(number=game.number))
            self.note(f"{game.number}.game")
            left = style.score_line.format(name=match.names[0], score=game.score[0])
            right = style.right_score.format(name=match.names[1], score=game.score[1])
            self.lines.append((left.ljust(style.name_column) + right).ljust(style.line_width))
            self.note(f"{game.number}.score")
            self.game(match, game)
        while self.lines[-1] == "":
            self.lines.pop()
        return Written(self.lines, self.cells)

    def game(self, match: Match, game: Game) -> None:
        """Write the rows and the win of one game."""
        style = self.dialect
        before = boards(match, game)
        cells, comments = self.table(game, before)
        ending = ending_of(game, before[-1])
        score = list(game.score)
        if game.winner is not None:
            score[game.winner] += game.points
        over = 0 < match.length <= max(score)
        wins = self.wins(game, over)
        loser = RIGHT if game.winner == LEFT else LEFT
        words = game.resigns or style.resigns
        if ending == "resign" and words and not ends_unplayed(game):
            column = RIGHT - loser if style.resigns_beside_win else loser
            if column == LEFT or not cells or cells[-1][RIGHT] is not None:
                cells.append([None, None])
            cells[-1][column] = words.format(points=game.points)
        in_row = ending in style.row_wins and game.winner == RIGHT and cells[-1][RIGHT] is None
        for number, (left, right) in enumerate(cells, 1):
            self.lines += comments.get(number, [])
            if comments.get(number):
                self.note(f"{game.number}.note")
            self.lines.append(self.row(number, left, right))
            for mark, cell in zip("LR", (left, right), strict=True):
                if cell is not None:
                    self.note(f"{game.number}.{number}{mark}")
        if in_row:
            self.row_win(wins, ending, over)
            self.note(f"{game.number}.win")
            self.lines += [""] * style.blanks_after_row_win
            return
        if wins:
            self.side_win(len(cells) + 1, game, wins, over and ending == "resign")
            self.note(f"{game.number}.win")
        last = game is match.games[-1]
        if last and style.final_row:
            self.lines.append(self.row(len(cells) + 1 + bool(style.numbered_wins), None, None))
        left_won = game.winner == LEFT
        self.lines += [""] * (
            style.blanks_after_left_win if left_won else style.blanks_after_right_win
        )

    def table(
        self, game: Game, before: list[Board]
    ) -> tuple[list[list[str | None]], dict[int, list[str]]]:
        """Return the cells row by row, and the comments by the number of the row after them."""
        cells: list[list[str | None]] = []
        comments: dict[int, list[str]] = {}
        for index, action in enumerate(game.actions):
            notes = [text for place, text in game.before if place == index]
            if notes or not cells or action.side == LEFT or cells[-1][RIGHT] is not None:
                cells.append([None, None])
            if notes:
                comments[len(cells)] = notes
            cells[-1][action.side] = self.cell(action, before[index])
        return cells, comments

    def row_win(self, wins: str, ending: str, over: bool) -> None:
        """Write the win in the row of the loser's last cell."""
        style = self.dialect
        column = style.column + 1
        if ending == "resign" and style.resigned_columns:
            column = style.resigned_columns[over]
        blank = " " if style is GNUBG else ""
        self.lines[-1] = self.lines[-1].rstrip().ljust(column) + wins + blank

    def side_win(self, row: int, game: Game, wins: str, resigned_last: bool) -> None:
        """Write the win on a line, or in a numbered row, of its own."""
        style = self.dialect
        if style.numbered_wins:
            cells = (f" {wins}", None) if game.winner == LEFT else (None, f" {wins}")
            self.lines.append(self.row(row, *cells))
            return
        gap = style.gap_before_left_win or (style.gap_before_last_win and resigned_last)
        if gap and game.winner == LEFT:
            self.lines.append("")
        indent = style.left_win_column if game.winner == LEFT else style.column + 1
        self.lines.append((" " * indent + wins).ljust(style.line_width))

    def wins(self, game: Game, over: bool) -> str:
        """Return the text of the win; empty if the game is unfinished."""
        if game.winner is None:
            return ""
        noun = "points" if self.dialect.plural and game.points != 1 else "point"
        last = " and the match" if over and self.dialect.and_the_match else ""
        return f"Wins {game.points} {noun}{last}"

    def row(self, number: int, left: str | None, right: str | None) -> str:
        """Return one numbered row."""
        style = self.dialect
        line = style.label.format(row=number) + (left or "")
        if right is None:
            cube = style is GNUBG and left is not None and left.startswith(" ")
            return line if cube else line.ljust(style.left_width)
        line = line.ljust(style.column)
        if not line.endswith(" "):
            line += " "
        return (line + right.ljust(style.right_width)).ljust(style.line_width)

    def cell(self, action: Action, board: Board) -> str:
        """Return the text of one action."""
        style = self.dialect
        if isinstance(action, Raw):
            return action.text
        if isinstance(action, Cube):
            return f" {action.word}" + (f" => {action.value}" if action.value else "")
        dice = action.dice
        if style.as_rolled and self.chance.random() < 0.5:
            dice = dice[::-1]
        if action.steps is None:
            return f"{dice}:{style.unplayed}"
        if not action.steps:
            return self.padded(action, f"{dice}:{style.dance}")
        return self.padded(action, f"{dice}: {self.play(action, board)}")

    def padded(self, action: Roll, text: str) -> str:
        """Return a cell, with GNU Backgammon's blank after right cells of fewer than four steps."""
        short = len(action.steps or ()) < 4
        return text + " " if self.dialect is GNUBG and action.side == RIGHT and short else text

    def play(self, action: Roll, board: Board) -> str:
        """Return the steps of a play as text."""
        style = self.dialect
        steps = action.steps or ()
        if style.clicked:
            steps = self.shuffled(action.side, steps, board)
        if not style.stars:
            steps = tuple(step._replace(hit=False) for step in steps)
        if style.merged and self.chance.random() < style.merged:
            steps = join_steps(steps)
        words = [
            f"{style.bar if start == 25 else start}/{style.off if end == 0 else end}"
            for start, end, _ in steps
        ]
        marks = ["*" if step.hit else "" for step in steps]
        if not style.counted:
            return " ".join(word + mark for word, mark in zip(words, marks, strict=True))
        struck = {word for word, mark in zip(words, marks, strict=True) if mark}
        return " ".join(
            word + ("*" if word in struck else "") + (f"({words.count(word)})" * several)
            for word in dict.fromkeys(words)
            for several in [words.count(word) > 1]
        )

    def shuffled(self, side: int, steps: tuple[Step, ...], board: Board) -> tuple[Step, ...]:
        """Return the same steps in a random order in which they can be made."""
        for _ in range(50):
            now = board
            made: list[Step] = []
            for step in self.chance.sample(steps, len(steps)):
                if not now.allows(side, step):
                    break
                blot = bool(step.end) and now.sides[1 - side][25 - step.end] == 1
                made.append(step._replace(hit=blot))
                now = now.after(side, (step,))
            else:
                return tuple(made)
        return steps


def ending_of(game: Game, board: Board) -> str:
    """Return the kind of ending: `drop`, `off`, `resign`, or empty if unfinished."""
    if game.winner is None:
        return ""
    last = game.actions[-1] if game.actions else None
    if isinstance(last, Cube) and last.word == "Drops":
        return "drop"
    return "resign" if any(board.sides[game.winner][1:]) else "off"


def ends_unplayed(game: Game) -> bool:
    """Whether the loser's last roll has no play."""
    last = game.actions[-1] if game.actions else None
    return isinstance(last, Roll) and last.steps is None


def join_steps(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return the steps with those of one checker joined, except at a hit on the way."""
    moves: list[Step] = []
    for step in steps:
        for index, move in enumerate(moves):
            if move.end == step.start and not move.hit:
                moves[index] = Step(move.start, step.end, step.hit)
                break
        else:
            moves.append(step)
    return tuple(moves)


def spell_match(
    match: Match, style: Dialect = GNUBG, head: tuple[str, ...] = (), seed: int = 1
) -> Written:
    """Return the match in a dialect, with the places of its parts."""
    return Writer(style, seed).match(match, list(head))


def export_match(match: Match) -> str:
    """Return the match as GNU Backgammon exports it."""
    head = (f'; [{key} "{value}"]' for key, value in match.tags.items())
    return encode(spell_match(match, GNUBG, (*head, "")).lines).decode()


def encode(lines: list[str], style: Dialect = GNUBG) -> bytes:
    """Return the bytes of a file with the dialect's line ends, byte order mark and encoding."""
    text = "\n".join(lines) + style.tail
    data = text.replace("\n", style.eol).encode(style.encoding)
    return b"\xef\xbb\xbf" + data if style.bom else data
