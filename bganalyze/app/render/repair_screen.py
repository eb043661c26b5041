"""Screen of an interactive repair: an error, a proposal, and the boards before and after it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from bganalyze.app.render.board import NARROW, WIDTH, Scene, board_text, make_scene, narrow_board
from bganalyze.app.render.console import as_string, fit_line
from bganalyze.app.render.proposals import slip_in_words
from bganalyze.app.render.setting import OutputOptions
from bganalyze.board.position import Position
from bganalyze.record.model import Play, Side
from bganalyze.repairing.applying import BY_HAND, Way
from bganalyze.repairing.draft import Draft
from bganalyze.text import number_of
from bganalyze.validation.findings import Edit, Finding
from bganalyze.validation.replaying.places import side_of
from bganalyze.validation.rules.words import describe_probability, where

KEYS = "t take   1-9 n p another   s skip   e edit the line   u undo   q quit"
ENDING_KEYS = "u undo   q quit"
_GAP = "  "
_COLORS = {"-": "red", "+": "green"}
_AROUND = 6
"""Lines around the boards and the changed lines, one of them a note."""
_LEAST_CHANGED = 2


def render_error_screen(
    finding: Finding,
    ways: Sequence[Way],
    at: int,
    draft: Draft,
    setting: OutputOptions,
    height: int = 24,
) -> str:
    """Return the screen of an error and of the proposal at index `at`.

    On a terminal of fewer than 24 lines, the beginning scrolls out of view.
    """
    text = Text()
    text.append(
        _screen_line(f"{finding.path}: {number_of(len(draft.errors), 'error')}", setting), "bold"
    )
    doubt = "; it may really have been played" if finding.may_be_players else ""
    text.append(_screen_line(f"line {finding.line}, {where(finding)}{doubt}", setting), "dim")
    text.append(_screen_line(f"{finding.code} {finding.severity}: {finding.message}", setting))
    if not ways:
        text.append("no proposal: e edits the line, s skips the error\n")
        text.append(_screen_line(f"  {draft.lines[finding.line - 1]}", setting))
    else:
        way = ways[at]
        boards = list(_board_pair(draft, way, setting))
        for line in boards:
            text.append(f"{line}\n")
        most_lines = max(height - len(boards) - _AROUND, _LEAST_CHANGED)
        for line in _changed_lines(way.suggestion.edits, most_lines, setting):
            text.append(line, _COLORS.get(line[0], ""))
        text.append(
            _screen_line(
                _describe_proposal(
                    setting.apply_odds(finding),
                    ways[at],
                    f"{at + 1} of {len(ways)}: ",
                    draft,
                    setting.width - 1,
                ),
                setting,
            ),
            "bold",
        )
    text.rstrip()
    return as_string(text, setting)


def ending(path: str, taken: int, draft: Draft, setting: OutputOptions) -> str:
    """Return the last screen of a file, after all its errors were shown.

    `taken` is the number of repairs made.
    """
    left = number_of(len(draft.errors), "error")
    return as_string(
        Text(
            _screen_line(
                f"{path}: {number_of(taken, 'repair')} taken, {left} left", setting
            ).rstrip()
        ),
        setting,
    )


def _describe_proposal(finding: Finding, way: Way, number: str, draft: Draft, width: int) -> str:
    """Return the proposal in one line, shortened if it is too long."""
    suggestion = way.suggestion
    about = f"errors {len(draft.errors)} → {len(way.draft.errors)}"
    if suggestion.kind != BY_HAND:
        proof = "proved, " if way.proved else ""
        contested = finding._replace(may_stand=way.may_stand)
        chance = describe_probability(contested, way.probability)
        about = f"{slip_in_words(suggestion.kind)}; {proof}{chance}, {about}"
    message = suggestion.message
    message_width = width - len(f"{number} ({about})")
    if cell_len(message) > message_width:
        message = set_cell_size(message, max(message_width - 3, 0)).rstrip() + "..."
    return f"{number}{message} ({about})"


def _changed_lines(edits: Iterable[Edit], most_lines: int, setting: OutputOptions) -> Iterator[str]:
    """Yield at most `most_lines` changed lines, and the number of further lines."""
    lines = [
        f"{sign} {words}"
        for edit in edits
        for sign, words in (("-", edit.old), ("+", edit.new))
        if words is not None
    ]
    whole = len(lines) <= most_lines
    listed = lines if whole else lines[: max(most_lines - 1, _LEAST_CHANGED)]
    yield from (_screen_line(words, setting) for words in listed)
    if not whole:
        yield _screen_line(f"and {number_of(len(lines) - len(listed), 'line')} more", setting)


def _screen_line(words: str, setting: OutputOptions) -> str:
    """Return a line cut to the width of the screen."""
    words = fit_line(words if setting.unicode else words.replace("→", "->"), setting)
    width = max(setting.width - 1, 1)
    return (words if cell_len(words) <= width else set_cell_size(words, width).rstrip()) + "\n"


def _board_pair(draft: Draft, way: Way, setting: OutputOptions) -> Iterator[str]:
    """Yield the boards as written and as proposed, side by side.

    Yield nothing if they do not fit or do not differ, or for a line outside games, such as a header.
    """
    line, side = way.suggestion.line, way.suggestion.side
    if way.suggestion.kind != BY_HAND and way.suggestion.row is None and side is None:
        return
    shift = sum(
        (edit.old is None) - (edit.new is None) for edit in way.suggestion.edits if edit.line < line
    )
    before = _scene_after(draft, line, side)
    after = _scene_after(way.draft, line + shift, side)
    if before is None or after is None or before == after or setting.width < 2 * NARROW + 2:
        return
    is_wide = setting.width > 2 * WIDTH
    draw, width = (board_text, WIDTH) if is_wide else (narrow_board, NARROW)
    left, right = (draw(shown, setting.encoding) for shown in (before, after))
    for one, two in zip_longest(("as written:", *left), ("as proposed:", *right), fillvalue=""):
        yield f"{set_cell_size(one, width)}{_GAP}{two}".rstrip()


def _scene_after(draft: Draft, line: int, side: Side | None) -> Scene | None:
    """Return the board after the action in a line, or else before the next action, or None."""
    for replayed in draft.replays:
        for game in replayed.games:
            for turn in game.turns:
                on_roll = side_of(turn)
                is_it = turn.action.span.line == line and side in (None, on_roll)
                if not is_it and turn.action.span.line <= line:
                    continue
                boards = turn.after if is_it else turn.before
                viewer = on_roll if side is None else side
                position = Position(boards[viewer], boards[1 - viewer])
                dice = turn.action.dice if is_it and isinstance(turn.action, Play) else None
                situation = turn.situation(viewer, dice)._replace(position=position)
                return make_scene(situation, replayed.match.names)
    return None
