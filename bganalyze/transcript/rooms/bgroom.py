"""BGRoom (`BGF version 1.2`): numbered lines, each with the letter of the player who acts.

Known from another program's importer only; no genuine file was found.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lark import Token

from bganalyze.transcript.builder import MatchDraft, Recorder, all_finished, begun, place
from bganalyze.transcript.grammar import LineGist, lines
from bganalyze.transcript.model import LEFT, RIGHT, Comment, Match, Play, Resignation, Side, Source
from bganalyze.transcript.profile import stated

_GIST = LineGist(
    r"(?:BGF version [0-9.]+|Game [0-9]+ - [^\n]{1,99} \([X0O]\) vs\. [^\n]{1,99} \([X0O]\))"
)
_GAME = re.compile(r"Game ([0-9]+) - (.{1,99}?) \(([X0O])\) vs\. (.{1,99}?) \(([X0O])\).*")
_ACTION = re.compile(
    r"([0-9]+)\.([X0O]):[ \t]*(?:\([ \t]*([1-6])[ \t]+([1-6])[ \t]*\)[ \t]*+((?:.*[^ \t.])?)"
    r"|((?:.*[^ \t.])?))[ \t.]*"
)
_DANCE = re.compile(r"can(?:'t|not| not) move", re.IGNORECASE)
_LETTERS = {"X": "X", "0": "O", "O": "O"}


def recognises(text: str) -> bool:
    """Whether `text` has the line of the version, or one that begins a game."""
    return _GIST.is_in(text)


def read(text: str, source: Source) -> list[Match]:
    """Return the matches in `text`; at least one."""
    reader = _Reader()
    for token in lines("rooms", text):
        reader.add(token)
    conventions = stated("BGRoom", source, writes_dances=True)
    return all_finished([reader.draft], source, "bgroom", conventions)


@dataclass(slots=True)
class _Reader:
    """What was read so far. The file does not say how long the match is."""

    draft: MatchDraft = field(default_factory=MatchDraft)
    recorder: Recorder | None = None
    left: str = "X"

    def add(self, token: Token) -> None:
        """Add what a line says."""
        game = _GAME.fullmatch(token) if token.type == "BGROOM_GAME" else None
        if game is not None:
            self._begin(token, game)
        elif self.recorder is None or not token.strip():
            return
        elif token.type == "BGROOM":
            self._act(self.recorder, token)
        else:
            comment = Comment(place(token), None, token.strip())
            self.recorder.game.actions.append(comment)

    def _begin(self, token: Token, header: re.Match[str]) -> None:
        names = (header.group(2), header.group(4))
        self.left = _LETTERS[header.group(3)]
        games = self.draft.games
        if games and games[0].score is not None and games[0].score.names == names[::-1]:
            names, self.left = names[::-1], _LETTERS[header.group(5)]
        self.recorder = begun(self.draft, place(token), int(header.group(1)), names, (0, 0))
        if games[1:]:
            self.recorder.game.score = None

    def _act(self, recorder: Recorder, token: Token) -> None:
        line = _ACTION.fullmatch(token)
        if line is None:
            recorder.unread(token)
            return
        recorder.row = line.group(1)
        side: Side = LEFT if _LETTERS[line.group(2)] == self.left else RIGHT
        span = place(token)
        if line.group(3) is None:
            self._word(recorder, token, side, line.group(6).casefold())
            return
        turn = Play(span, recorder.row, side, (int(line.group(3)), int(line.group(4))))
        if _DANCE.fullmatch(line.group(5)):
            recorder.dance(turn)
        else:
            recorder.turn(turn, line.group(5), line.start(5))

    def _word(self, recorder: Recorder, token: Token, side: Side, word: str) -> None:
        span = place(token)
        if word.startswith(("double", "redouble", "beaver", "raccoon")):
            recorder.double(span, side, None)
        elif word.startswith(("take", "accept")):
            recorder.accept(span, side)
        elif word.startswith(("drop", "pass", "reject")):
            recorder.refuse(span, side)
        elif word.startswith("resign"):
            recorder.game.actions.append(Resignation(span, recorder.row, side))
        else:
            recorder.unread(token)
