"""Read a session of Berliner's BKG: money games, numbered from Black's side.

Known only from an importer that another program has removed; no genuine file was found. White's
points are counted from the other end. A double and its answer are on one line.
"""

from __future__ import annotations

from lark import Token, Tree

from bganalyze.record.builder import (
    MatchDraft,
    Recorder,
    add_title,
    begin_game,
    finish_matches,
    parse_dice,
    place_of_token,
    yield_lines,
)
from bganalyze.record.conventions import conventions_of_format
from bganalyze.record.grammar import grammar, rules, tokens
from bganalyze.record.model import (
    LEFT,
    RIGHT,
    Answer,
    Length,
    Match,
    Play,
    Side,
    Source,
    Span,
)

NAMES = ("Black", "White")


def recognizes(text: str) -> bool:
    """Whether a text seems to be a session of Berliner's program BKG."""
    return any(name in text for name in NAMES) and grammar("bkg").begins_line("TURN", text)


def tree(text: str) -> Tree[Token]:
    """Return the parse tree of a file's text: matches, games and their lines."""
    return grammar("bkg").parse("matches", text)


def read(text: str, source: Source) -> list[Match]:
    """Return the games in a session of the program BKG as one match."""
    (match,) = rules(tree(text))
    draft = MatchDraft()
    for line in tokens(match):
        add_title(draft, line)
    for game in rules(match):
        _add_game(draft, game)
    return finish_matches([draft], source, "bkg", conventions_of_format("BKG", source))


def _add_game(draft: MatchDraft, game: Tree[Token]) -> None:
    """Add a game from its lines, and keep unknown lines as comments or unreadable text."""
    lines = list(tokens(game))
    first = place_of_token(lines[0])
    draft.length = draft.length or Length(first, 0)
    recorder = begin_game(draft, first, len(draft.games) + 1, NAMES)
    for line in lines:
        match line.type:
            case "TURNS":
                for span, turn in yield_lines(line):
                    _add_turn(recorder, span, turn)
            case "DOUBLE":
                _add_double(recorder, line)
            case "RESULT":
                _add_result(recorder, line)
            case _:
                recorder.keep_unknown_line(line)


def _read_side_of_player(player: str) -> Side:
    """Return the side of a player: Black is left, White is right."""
    return LEFT if player == NAMES[LEFT] else RIGHT


def _add_turn(recorder: Recorder, span: Span, text: str) -> None:
    """Add a roll with its play, whose points the file numbers as the left player sees them."""
    parts = grammar("bkg").match("turn", text)
    player, dice, steps = parts.group("player", "dice", "steps")
    recorder.row = str(len(recorder.game.actions) + 1)
    turn = Play(span, recorder.row, _read_side_of_player(player), parse_dice(dice))
    recorder.add_roll_and_play(
        turn, _insert_slashes(steps or ""), parts.start("steps"), turn.side == RIGHT
    )


def _insert_slashes(text: str) -> str:
    """Return a text with a slash in place of the sign between the two points of each step."""
    numbers = list(grammar("bkg").pattern("NUMBER").finditer(text))
    letters = list(text)
    for one, two in zip(numbers[::2], numbers[1::2], strict=False):
        if two.start() - one.end() == 1:
            letters[one.end()] = "/"
    return "".join(letters)


def _add_double(recorder: Recorder, line: Token) -> None:
    """Add the double and its answer (take or pass) that a line states."""
    double = grammar("bkg").match("double", line)
    recorder.row = str(len(recorder.game.actions) + 1)
    side, taken = _read_side_of_player(double["player"]), double["accepted"] is not None
    recorder.add_double_with_answer(place_of_token(line), side, None, is_taken=taken)


def _add_result(recorder: Recorder, line: Token) -> None:
    """Add the result on a line, with points computed from the kind of win and the cube."""
    result = grammar("bkg").match("result", line)
    size = 3 if result["backgammon"] else 2 if result["gammon"] else 1
    takes = sum(action.taken for action in recorder.game.actions if isinstance(action, Answer))
    recorder.add_result(
        place_of_token(line), _read_side_of_player(result["player"]), size * 2**takes
    )
