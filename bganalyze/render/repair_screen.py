"""One error of a record on a terminal: the boards as written and as proposed, and the proposals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from bganalyze.board.position import Position
from bganalyze.findings import Edit, Finding
from bganalyze.render.board import NARROW, WIDTH, Scene, board_text, narrow_board, scene
from bganalyze.render.console import as_string, fit
from bganalyze.render.findings.explained import where
from bganalyze.render.proposals import percent, slip
from bganalyze.render.setting import OutputOptions
from bganalyze.repair.draft import Draft
from bganalyze.repair.session import BY_HAND, Way
from bganalyze.replaying.places import side_of
from bganalyze.text import number_of
from bganalyze.transcript.model import Play, Side

KEYS = "t take   1-9 n p another   s skip   e edit the line   u undo   q quit"
ENDING_KEYS = "u undo   q quit"
_GAP = "  "
_MOST_EDITS = 4
"""How many changed lines are shown."""


def screen(
    finding: Finding, ways: Sequence[Way], at: int, draft: Draft, setting: OutputOptions
) -> str:
    """Return what a terminal shows of an error and of one way of mending it, the one at an index."""
    text = Text()
    text.append(f"{finding.path}: {number_of(len(draft.errors), 'error')}\n", "bold")
    text.append(_line(f"line {finding.line}, {where(finding)}", setting), "dim")
    text.append(_line(f"{finding.code} {finding.severity}: {finding.message}", setting))
    if not ways:
        text.append("no proposal: e edits the line, s goes on\n")
        text.append(_line(f"  {draft.lines[finding.line - 1]}", setting))
    else:
        way = ways[at]
        for line in _boards(draft, way, setting):
            text.append(f"{line}\n")
        for edit in way.suggestion.edits[:_MOST_EDITS]:
            _add_edit(text, edit, setting)
        others = len(way.suggestion.edits) - _MOST_EDITS
        if others > 0:
            text.append(f"and {number_of(others, 'line')} more\n", "dim")
        text.append(_line(_about(ways, at, draft), setting), "bold")
    text.rstrip()
    return as_string(text, setting)


def ending(path: str, taken: int, draft: Draft, setting: OutputOptions) -> str:
    """Return what a terminal shows when there is nothing left to ask."""
    left = number_of(len(draft.errors), "error")
    return as_string(
        Text(_line(f"{path}: {number_of(taken, 'repair')} taken, {left} left", setting).rstrip()),
        setting,
    )


def _about(ways: Sequence[Way], at: int, draft: Draft) -> str:
    suggestion, mended, probability, proved = ways[at]
    about = f"errors {len(draft.errors)} → {len(mended.errors)}"
    if suggestion.kind != BY_HAND:
        proof = "proved, " if proved else ""
        about = f"{slip(suggestion.kind)}; {proof}{percent(probability)}, {about}"
    return f"{at + 1} of {len(ways)}: {suggestion.message} ({about})"


def _add_edit(text: Text, edit: Edit, setting: OutputOptions) -> None:
    if edit.old is not None:
        text.append(_line(f"- {edit.old}", setting), "red")
    if edit.new is not None:
        text.append(_line(f"+ {edit.new}", setting), "green")


def _line(words: str, setting: OutputOptions) -> str:
    """Return one line of the page."""
    words = fit(words if setting.unicode else words.replace("→", "->"), setting)
    width = max(setting.width - 1, 1)
    return (words if cell_len(words) <= width else set_cell_size(words, width).rstrip()) + "\n"


def _boards(draft: Draft, way: Way, setting: OutputOptions) -> Iterator[str]:
    """Yield both boards beside each other; nothing where they do not fit, or do not differ."""
    line, side = way.suggestion.line, way.suggestion.side
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
    """Return the board that the action in a line leaves, with its throw, or else the one after it."""
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
