"""Screen of an interactive repair: an error, a proposal, and the boards before and after it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from bganalyze.app.render.board import (
    NARROW,
    WIDTH,
    Scene,
    draw_board_text,
    draw_narrow_board,
    make_scene,
)
from bganalyze.app.render.console import fit_line, render_to_string
from bganalyze.app.render.findings.explained import describe_chance
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.app.render.proposals import NOT_PROVED, slip_in_words
from bganalyze.board.position import Position
from bganalyze.record.model import LEFT, RIGHT, Play, Side
from bganalyze.repairing.applying import BY_HAND, RepairOption
from bganalyze.repairing.file_to_repair import FileToRepair
from bganalyze.repairing.suggestion import message_for
from bganalyze.text import number_of
from bganalyze.validation.findings import Edit, Finding
from bganalyze.validation.replaying.places import side_of
from bganalyze.validation.rules.words import place_in_words

ENDING_KEYS = "u undo   q quit"
EDITED_KEYS = "saved: any key goes on   u undo   q quit"
_OTHER_KEYS = "s skip   e edit a line   u undo   q quit"
_MOST_DIGIT = 9
_GAP = "  "
_DOTS = "..."
_COLORS = {"-": "red", "+": "green"}
_AROUND = 3
"""Lines around the message, the boards, the changed lines and the proposal: file, place and keys."""
_LEAST_CHANGED = 2


def describe_keys(proposals: int) -> str:
    """Return a line on the keys that can be pressed at an error with this number of proposals.

    >>> describe_keys(3)
    't take   1-3 n p another   s skip   e edit a line   u undo   q quit'
    """
    if proposals == 0:
        return _OTHER_KEYS
    another = f"1-{min(proposals, _MOST_DIGIT)} n p another   " if proposals > 1 else ""
    return f"t take   {another}{_OTHER_KEYS}"


def render_error_screen(
    finding: Finding,
    options: Sequence[RepairOption],
    index: int,
    file: FileToRepair,
    setting: OutputOptions,
    height: int = 24,
) -> str:
    """Return the text of a screen with an error and the repair `options[index]`.

    `file` has the repairs made so far. The text fits into `height` lines, if there are at least 24.
    """
    option = options[index] if options else None
    boards = list(_draw_board_pair(file, option, setting)) if option is not None else []
    number = (
        ""
        if option is None or option.suggestion.kind == BY_HAND
        else f"{index + 1} of {len(options)}: "
    )
    odds = setting.apply_odds(finding)
    described = [] if option is None else _describe_proposal(odds, option, number, file, setting)
    room = height - len(boards) - _AROUND - 1 - _LEAST_CHANGED
    described = _shorten_lines(described, max(room, 1), setting)
    most_lines = height - len(boards) - len(described) - _AROUND
    text = Text()
    text.append(
        _cut_line(f"{finding.path}: {number_of(len(file.errors), 'error')}", setting), "bold"
    )
    place = f"line {finding.line}, {place_in_words(finding)}{_describe_doubt(finding, option)}"
    text.append(_cut_line(place, setting), "dim")
    message = f"{finding.code} {finding.severity}: {finding.message}"
    message_lines = _wrap_to_screen(message, setting)
    if most_lines - len(message_lines) < _LEAST_CHANGED:
        message_lines = [_cut_line(message, setting)]
    text.append("".join(message_lines))
    if option is None:
        text.append("no proposal: e edits the line, s skips the error\n")
        text.append(_cut_line(f"  {file.lines[finding.line - 1]}", setting))
    else:
        for line in boards:
            text.append(f"{line}\n")
        most_lines = max(most_lines - len(message_lines), _LEAST_CHANGED)
        for line in _show_changed_lines(option.suggestion.edits, most_lines, setting):
            text.append(line, _COLORS.get(line[0], ""))
        for line in described:
            text.append(line, "bold")
    text.rstrip()
    return render_to_string(text, setting)


def _describe_doubt(finding: Finding, option: RepairOption | None) -> str:
    """Return words that doubt an error, such as `; it may really have been played`, or ""."""
    if option is not None and option.suggestion.kind.startswith("lost turn"):
        return "; the file does not show which roll it was"
    return "; it may really have been played" if finding.may_be_players else ""


def render_last_screen(
    path: str, repairs_made: int, file: FileToRepair, setting: OutputOptions
) -> str:
    """Return the text of the screen shown after the last error of a file."""
    left = number_of(len(file.errors), "error")
    return render_to_string(
        Text(
            _cut_line(
                f"{path}: {number_of(repairs_made, 'repair')} taken, {left} left", setting
            ).rstrip()
        ),
        setting,
    )


def _describe_proposal(
    finding: Finding,
    option: RepairOption,
    number_words: str,
    file: FileToRepair,
    setting: OutputOptions,
) -> list[str]:
    """Return lines on a possible repair: its edit, its probability, and the errors left.

    The first line begins with `number_words`, such as `1 of 3: `.
    """
    suggestion = option.suggestion
    about = f"errors {len(file.errors)} → {len(option.file.errors)}"
    if suggestion.kind != BY_HAND:
        contested = finding._replace(may_stand=option.may_stand)
        chance = describe_chance(contested, option)
        doubt = f"; {NOT_PROVED}{option.doubt}" if option.doubt else ""
        about = ", ".join(filter(None, (chance, about)))
        about = f"{slip_in_words(suggestion.kind)}; {about}{doubt}"
    message, about = f"{number_words}{message_for(suggestion)}", f"({about})"
    width = max(setting.width - 1, 1)
    fits = cell_len(f"{message} {about}") <= width
    parts = [f"{message} {about}"] if fits else [message, about]
    return [line for part in parts for line in _wrap_to_screen(part, setting)]


def _show_changed_lines(
    edits: Iterable[Edit], most_lines: int, setting: OutputOptions
) -> Iterator[str]:
    """Yield the lines that edits remove or add, at most `most_lines`."""
    lines = list(_list_edited_lines(edits))
    whole = len(lines) <= most_lines
    listed = lines if whole else lines[: max(most_lines, _LEAST_CHANGED) - 1]
    yield from (_cut_line(words, setting) for words in listed)
    if not whole:
        yield _cut_line(f"and {number_of(len(lines) - len(listed), 'line')} more", setting)


def _list_edited_lines(edits: Iterable[Edit]) -> Iterator[str]:
    """Yield each line that edits remove or add, after a minus or a plus sign."""
    for edit in edits:
        for sign, words in (("-", edit.old), ("+", edit.new)):
            if words is not None:
                yield f"{sign} {words}"


def _shorten_lines(lines: list[str], most_lines: int, setting: OutputOptions) -> list[str]:
    """Return at most `most_lines` lines, with dots at the end if some are cut off."""
    if len(lines) <= most_lines:
        return lines
    *kept, last = lines[:most_lines]
    width = max(setting.width - 1 - len(_DOTS), 0)
    return [*kept, f"{set_cell_size(last.rstrip(), min(cell_len(last.rstrip()), width))}{_DOTS}\n"]


def _wrap_to_screen(words: str, setting: OutputOptions) -> list[str]:
    """Return a text as lines of the screen's width."""
    lines = textwrap.wrap(words, max(setting.width - 1, 1))
    return [_cut_line(line, setting) for line in lines]


def _cut_line(words: str, setting: OutputOptions) -> str:
    """Return a line cut to the width of the screen."""
    words = fit_line(words if setting.unicode else words.replace("→", "->"), setting)
    width = max(setting.width - 1, 1)
    return (words if cell_len(words) <= width else set_cell_size(words, width).rstrip()) + "\n"


def _draw_board_pair(
    file: FileToRepair, option: RepairOption, setting: OutputOptions
) -> Iterator[str]:
    """Yield the lines of two boards side by side: as written, and as repaired.

    Yields nothing if the boards are equal, or too wide for the screen.
    """
    suggestion = option.suggestion
    is_typed = suggestion.kind == BY_HAND
    if setting.width < 2 * NARROW + 2 or not (
        is_typed or suggestion.row is not None or suggestion.side is not None
    ):
        return
    sides: tuple[Side | None, ...] = (LEFT, RIGHT) if is_typed else (suggestion.side,)
    scenes = next(filter(None, (_make_scene_pair(file, option, side) for side in sides)), None)
    if scenes is None:
        return
    is_wide = setting.width > 2 * WIDTH
    draw, width = (draw_board_text, WIDTH) if is_wide else (draw_narrow_board, NARROW)
    left, right = (draw(shown, setting.encoding) for shown in scenes)
    for one, two in zip_longest(("as written:", *left), ("as proposed:", *right), fillvalue=""):
        yield f"{set_cell_size(one, width)}{_GAP}{two}".rstrip()


def _make_scene_pair(
    file: FileToRepair, option: RepairOption, side: Side | None
) -> tuple[Scene, Scene] | None:
    """Return the boards after one action, as written and as repaired; None if they are equal.

    `side` is the side of the action, or None for any. Also returns None if a board is unknown.
    """
    line = option.suggestion.line
    shift = sum(
        (edit.old is None) - (edit.new is None)
        for edit in option.suggestion.edits
        if edit.line < line
    )
    before = _find_scene_after(file, line, side)
    after = _find_scene_after(option.file, line + shift, side)
    return None if before is None or after is None or before == after else (before, after)


def _find_scene_after(file: FileToRepair, line: int, side: Side | None) -> Scene | None:
    """Return the board after the action of `side` on line number `line`, ready to be drawn.

    If `side` is None, the first action of the line counts. Without such an action, return the board
    before the next action, or None if there is no next action.
    """
    for replayed in file.replays:
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
