"""Read TrueMoneyGames (`.tmg`): records with a number, a kind and a text, one per line.

The left side is `Player1`; the records of `Player2` have negative numbers.
"""

from __future__ import annotations

from lark import Token, Tree

from bganalyze.record.builder import (
    MatchDraft,
    Recorder,
    add_title,
    begin_game,
    finish_matches,
    note_unread_line,
    parse_dice,
    place_of_token,
    read_points_on_line,
    yield_lines,
)
from bganalyze.record.conventions import conventions_of_format
from bganalyze.record.grammar import grammar, rules, tokens
from bganalyze.record.model import (
    LEFT,
    RIGHT,
    Length,
    Match,
    Side,
    Source,
    Span,
    Tag,
)

TAGS = {"startdate": "EventDate", "jacoby": "Jacoby", "beavers": "Beaver", "crawford": "Crawford"}
NEVER_MADE = "?"
"""End of a record for a roll that was never made."""

UNDERSTOOD = frozenset((("variant", "1"), ("cube", "1")))
"""Options with their usual values."""

SWITCH = {"0": "Off", "1": "On"}


def recognizes(text: str) -> bool:
    """Whether a text seems to be a file of TrueMoneyGames."""
    return "Player1:" in text and grammar("tmg").begins_line("opening", text)


def tree(text: str) -> Tree[Token]:
    """Return the parse tree of a file's text: matches, games and their lines."""
    return grammar("tmg").parse("matches", text)


def read(text: str, source: Source) -> list[Match]:
    """Return the matches in a text, or one empty match if none can be read."""
    names = ["Player1", "Player2"]
    file_tree = tree(text)
    drafts = [_read_match(match, names) for match in rules(file_tree)] or [MatchDraft()]
    drafts[0].oddities[:0] = [
        note_unread_line(*line) for run in tokens(file_tree) for line in yield_lines(run)
    ]
    return finish_matches(drafts, source, "tmg", conventions_of_format("TrueMoneyGames", source))


def _read_match(match: Tree[Token], names: list[str]) -> MatchDraft:
    """Return the match in a parse tree, with its games.

    `names` has the players of the previous match, and is updated to those of this match.
    """
    draft = MatchDraft()
    for line in tokens(match):
        if line.type == "PLAYER":
            if not _read_player_line(names, line):
                draft.oddities.append(note_unread_line(place_of_token(line), line))
        elif line.type in ("OPTION", "MATCH_ID"):
            _add_option(draft, line)
        elif line.type == "TEXT":
            add_title(draft, line)
    for game in rules(match):
        _add_game(draft, names, game)
    return draft


def _read_player_line(names: list[str], line: Token) -> bool:
    """Put the player's name on a line into `names`, and return False if unread text follows it."""
    player = grammar("tmg").match("player", line)
    names[int(player["seat"]) - 1] = player["name"] or ""
    further = (player["further"] or "").strip()
    return not further or further.replace(".", "", 1).isdecimal()


def _add_option(draft: MatchDraft, line: Token) -> None:
    """Add the match length or the header entry on a line above the games."""
    written, _, value = line.partition(":")
    key, value, span = written.strip().casefold(), value.strip(), place_of_token(line)
    if key == "length" and grammar("tmg").pattern("NUMBER").fullmatch(value):
        draft.length = Length(span, int(value))
    elif key == "variant" and value == "2":
        draft.tags.append(Tag(span, "Variation", "Nackgammon"))
    elif key == "cube" and value == "0":
        draft.tags.append(Tag(span, "CubeLimit", "1"))
    elif key in TAGS:
        draft.tags.append(Tag(span, TAGS[key], SWITCH.get(value, value)))
    elif (key, value) not in UNDERSTOOD:
        draft.tags.append(Tag(span, written.strip(), value))


def _add_game(draft: MatchDraft, names: list[str], game: Tree[Token]) -> None:
    """Add a game from its lines, and keep unknown lines as comments or unreadable text."""
    first, *lines = tokens(game)
    players = names[0], names[1]
    if game.data == "headless":
        recorder, lines = begin_game(draft, place_of_token(first), None, players), [first, *lines]
    else:
        header = grammar("tmg").match("game_line", first)
        number, score = int(header["number"]), read_points_on_line(first, header)
        recorder = begin_game(draft, place_of_token(first), number, players, *score)
    for line in lines:
        if line.type == "RECORDS":
            for span, record in yield_lines(line):
                _add_action(recorder, names, span.line, record)
        elif line.type != "PLAYER" or not _read_player_line(names, line):
            recorder.keep_unknown_line(line)


def _add_action(recorder: Recorder, names: list[str], line_number: int, text: str) -> None:
    """Add the action on a line to the game, or the line as unreadable text."""
    record = grammar("tmg").match("record", text)
    recorder.row = record["label"]
    side: Side = RIGHT if record["second"] else LEFT
    action = record.lastgroup or "label"
    span = Span(line_number, record.start(action) + 1, record.end(action) + 1)
    if grammar("tmg").pattern("joined").search(text, record.start(action)):
        recorder.keep_damaged_line(Token("RECORD", text, line=line_number, column=1))
        return
    match action:
        case "roll":
            recorder.add_roll(span, side, parse_dice(record["dice"]))
        case "steps":
            recorder.add_play(span, side, record["steps"], 0)
        case "dance":
            recorder.add_dance(recorder.begin_play(span, side))
        case "automatic" if record["cube"]:
            recorder.game.cube = int(record["cube"])
        case "double" | "take" | "drop":
            recorder.add_action(action, span, side, _to_number(record["value"]))
        case "out_of_time":
            recorder.add_resignation(span, side, manner="time")
        case "win" if record["winner"].rstrip() in names:
            winner: Side = LEFT if record["winner"].rstrip() == names[LEFT] else RIGHT
            recorder.add_result(span, winner, int(record["points"]))
        case _ if not text.rstrip().endswith(NEVER_MADE):
            recorder.keep_damaged_line(Token("RECORD", text, line=line_number, column=1))


def _to_number(digits: str | None) -> int | None:
    """Return the number written in `digits`, or None if `digits` is None."""
    return None if digits is None else int(digits)
