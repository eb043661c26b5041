"""GammonEmpire (`.gam`): money games one after another, with the names above and `Win` below.

Known from another program's importer only; no genuine file was found. A single game without a line
`Win` is match text (`match_text/`).
"""

from __future__ import annotations

import re

from lark import Token

from bganalyze.transcript.builder import MatchDraft, Recorder, all_finished, begun, place
from bganalyze.transcript.grammar import lines
from bganalyze.transcript.match_text.cells import actions, items
from bganalyze.transcript.match_text.columns import right_column, rows_of
from bganalyze.transcript.model import LEFT, RIGHT, Comment, Length, Match, ReaderNote, Source
from bganalyze.transcript.profile import stated

_GIST = re.compile(
    r"\A\s*[^\s:;#]+[ \t]+[^\s:;#]+[ \t]*\n\s*1\)[ \t][^\n]*\n(?:[ \t]*[0-9]+\)[^\n]*\n|Resign[^\n]*\n|\n)*Win",
)
_NAMES = re.compile(r"[ \t]*(\S+)[ \t]+(\S+)[ \t]*")


def recognises(text: str) -> bool:
    """Whether `text` begins with two names and a game that ends with `Win`."""
    return _GIST.match(text) is not None


def read(text: str, source: Source) -> list[Match]:
    """Return the games in `text` as one session."""
    draft = MatchDraft()
    names: tuple[str, str] | None = None
    recorder: Recorder | None = None
    tokens = list(lines("rooms", text))
    column = right_column(str(token) for token in tokens if token.type == "ROW")
    for token in tokens:
        if token.type == "ROW":
            if recorder is None:
                recorder = _begin(draft, token, names or ("left", "right"))
            _add_row(draft, recorder, token, column)
        elif token.startswith("Win"):
            recorder = None
        elif recorder is None and (players := _NAMES.fullmatch(token)):
            names = (players.group(1), players.group(2))
        elif recorder is not None and token.strip():
            recorder.game.actions.append(Comment(place(token), None, token.strip()))
    return all_finished([draft], source, "gammon-empire", stated("GammonEmpire", source))


def _begin(draft: MatchDraft, token: Token, names: tuple[str, str]) -> Recorder:
    draft.length = draft.length or Length(place(token), 0)
    recorder = begun(draft, place(token), len(draft.games) + 1, names, (0, 0))
    if len(draft.games) > 1:
        recorder.game.score = None
    return recorder


def _add_row(draft: MatchDraft, recorder: Recorder, token: Token, column: int | None) -> None:
    line = token.line or 1
    for row in rows_of(token, column):
        cells = ((row.left, row.left_at, LEFT), (row.right, row.right_at, RIGHT))
        for text, at, side in cells:
            for action in actions(items(text), line, at + 1, row.label, side) if text else ():
                if isinstance(action, ReaderNote):
                    draft.oddities.append(action)
                else:
                    recorder.game.actions.append(action)
