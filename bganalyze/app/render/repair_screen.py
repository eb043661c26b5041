"""One error of a record on a terminal: the boards as written and as proposed, and the proposals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from bganalyze.app.render.board import NARROW, WIDTH, Scene, board_text, narrow_board, scene
from bganalyze.app.render.console import as_string, fit
from bganalyze.app.render.proposals import slip
from bganalyze.app.render.setting import OutputOptions
from bganalyze.board.position import Position
from bganalyze.record.model import Play, Side
from bganalyze.repairing.applying import BY_HAND, Way
from bganalyze.repairing.draft import Draft
from bganalyze.text import number_of
from bganalyze.validation.findings import Edit, Finding
from bganalyze.validation.replaying.places import side_of
from bganalyze.validation.rules.words import sureness, where

KEYS = "t take   1-9 n p another   s skip   e edit the line   u undo   q quit"
ENDING_KEYS = "u undo   q quit"
_GAP = "  "
_COLORS = {"-": "red", "+": "green"}
_AROUND = 6
"""How many lines stand around the boards and the changed lines, a note among them."""
_LEAST_CHANGED = 2


def screen(
    finding: Finding,
    ways: Sequence[Way],
    at: int,
    draft: Draft,
    setting: OutputOptions,
    height: int = 24,
) -> str:
    """Return what a terminal shows of an error and of one way of repairing it, the one at an index.

    On a terminal of fewer than 24 lines its beginning is scrolled away.
    """
    text = Text()
    text.append(_line(f"{finding.path}: {number_of(len(draft.errors), 'error')}", setting), "bold")
    doubt = "; it may have been played so" if finding.may_be_players else ""
    text.append(_line(f"line {finding.line}, {where(finding)}{doubt}", setting), "dim")
    text.append(_line(f"{finding.code} {finding.severity}: {finding.message}", setting))
    if not ways:
        text.append("no proposal: e edits the line, s goes on\n")
        text.append(_line(f"  {draft.lines[finding.line - 1]}", setting))
    else:
        way = ways[at]
        boards = list(_boards(draft, way, setting))
        for line in boards:
            text.append(f"{line}\n")
        room = max(height - len(boards) - _AROUND, _LEAST_CHANGED)
        for line in _changed(way.suggestion.edits, room, setting):
            text.append(line, _COLORS.get(line[0], ""))
        text.append(
            _line(
                _about(
                    setting.told(finding),
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
    """Return what a terminal shows when there is nothing left to ask."""
    left = number_of(len(draft.errors), "error")
    return as_string(
        Text(_line(f"{path}: {number_of(taken, 'repair')} taken, {left} left", setting).rstrip()),
        setting,
    )


def _about(finding: Finding, way: Way, number: str, draft: Draft, width: int) -> str:
    """Return which proposal is shown; of one that is too long the end is left out."""
    suggestion = way.suggestion
    about = f"errors {len(draft.errors)} → {len(way.draft.errors)}"
    if suggestion.kind != BY_HAND:
        proof = "proved, " if way.proved else ""
        contested = finding._replace(may_stand=way.may_stand)
        chance = sureness(contested, way.probability)
        about = f"{slip(suggestion.kind)}; {proof}{chance}, {about}"
    message = suggestion.message
    room = width - len(f"{number} ({about})")
    if cell_len(message) > room:
        message = set_cell_size(message, max(room - 3, 0)).rstrip() + "..."
    return f"{number}{message} ({about})"


def _changed(edits: Iterable[Edit], room: int, setting: OutputOptions) -> Iterator[str]:
    """Yield the changed lines, as many as there is room for, and how many more there are."""
    lines = [
        f"{sign} {words}"
        for edit in edits
        for sign, words in (("-", edit.old), ("+", edit.new))
        if words is not None
    ]
    whole = len(lines) <= room
    listed = lines if whole else lines[: max(room - 1, _LEAST_CHANGED)]
    yield from (_line(words, setting) for words in listed)
    if not whole:
        yield _line(f"and {number_of(len(lines) - len(listed), 'line')} more", setting)


def _line(words: str, setting: OutputOptions) -> str:
    """Return one line of the page."""
    words = fit(words if setting.unicode else words.replace("→", "->"), setting)
    width = max(setting.width - 1, 1)
    return (words if cell_len(words) <= width else set_cell_size(words, width).rstrip()) + "\n"


def _boards(draft: Draft, way: Way, setting: OutputOptions) -> Iterator[str]:
    """Yield both boards beside each other; nothing where they do not fit, or do not differ.

    Nor for a line that is none of a game, such as a header.
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
    """Return the board that the action in a line leaves, with its roll, or else the one after it."""
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
                return scene(situation, replayed.match.names)
    return None
