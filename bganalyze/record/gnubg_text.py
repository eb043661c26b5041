"""The report of a match that GNU Backgammon exports, as text or HTML: one file for each game."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from html import unescape
from itertools import zip_longest

from lark import Token, Tree

from bganalyze.board.ids import Situation, parse_gnubg_id
from bganalyze.board.position import Points
from bganalyze.record.builder import (
    GameDraft,
    MatchDraft,
    Recorder,
    add_title,
    all_finished,
    begun,
    dice_in,
    place,
)
from bganalyze.record.grammar import LineGist, grammar, rules, tokens
from bganalyze.record.model import (
    LEFT,
    RIGHT,
    Comment,
    Double,
    Length,
    Match,
    Play,
    PlayRecord,
    SetUp,
    Side,
    Source,
    Span,
    Tag,
    Unread,
    other_side,
)
from bganalyze.record.profile import GNUBG, stated

TAGS = {
    "Date": "EventDate",
    "Event": "Event",
    "Round": "Round",
    "Place": "Site",
    "Annotator": "Transcriber",
    "Comments": "Comment",
    "Comment": "Comment",
}
"""What the report calls the entries of a header."""

_SCORE_LINES = frozenset(("SCORE_LINE", "BROKEN_SCORE_LINE"))

_WITH_LINES_UNDER = frozenset(("BROKEN_DECISION", "ACTION", "STARRED_LINE", "TEXT"))

WORDS_OF_A_GAME = (
    *("match info", "formation", "the score", "move number", "to play ", "on roll, "),
    *(" * ", " • ", " cannot move", "oves bar/", *(f"oves {point}" for point in range(1, 10))),
    *(f" wins {points}" for points in range(1, 10)),
)
"""One of them stands in each line that tells what happened; most texts under a line hold none."""

_OF_A_GAME = frozenset(("DECISIONS", "BROKEN_DECISION", "RESULT"))

RATINGS: dict[Side | None, str] = {LEFT: "Rating left", RIGHT: "Rating right"}


@cache
def _gist() -> LineGist:
    """The line that begins the report of a game."""
    return LineGist(grammar("gnubg_text").regex("_head"))


def recognizes(text: str) -> bool:
    """Whether `text` has the line that begins the report of a game."""
    return "The score (after " in text and _gist().is_in(shown(text))


def tree(text: str) -> Tree[Token]:
    """Return what a file is made of: matches, games and their decisions."""
    return grammar("gnubg_text").parse("matches", shown(text), _with_beginnings)


def read(text: str, source: Source) -> list[Match]:
    """Return the matches in `text`; at least one."""
    whole = tree(text)
    drafts = [_draft(match) for match in rules(whole)] or [MatchDraft()]
    for line in map(_first_line, tokens(whole)):
        if not _is_furniture(line):
            add_title(drafts[0], line)
    if _is_page(text):
        source = source._replace(lines=shown(text).split("\n"))
    conventions = stated(GNUBG, source, marks_hits=True, writes_dances=True)
    return all_finished(drafts, source, "gnubg-text", conventions)


def _is_page(text: str) -> bool:
    """Whether `text` is a page of HTML."""
    return grammar("gnubg_text").pattern("PAGE").match(text) is not None


def shown(text: str) -> str:
    r"""Return what a page of HTML shows, each line in its place; any other text as it is.

    Measured: the standard library's parser takes 50 s for 60 kB of tags without an end (3.11).

    >>> shown("<html><body><p>&bull; A\n<tr><td>Date</td><td>1 May</td></tr>")
    '• A\nDate\t1 May'
    """
    report = grammar("gnubg_text")
    page = report.pattern("PAGE").match(text)
    if page is None:
        return text
    body = report.pattern("CELLS").sub("\t<td", text[page.end() :])
    body = report.pattern("MARKUP").sub(lambda tag: "\n" * tag.group().count("\n"), body)
    lines = (unescape(line).replace("\n", " ").strip() for line in body.split("\n"))
    return "\n" * page.group().count("\n") + "\n".join(lines)


def _with_beginnings(lines: Iterator[Token]) -> Iterator[Token]:
    """Yield the lines of a file, and where a match begins a token of its own."""
    before: re.Match[str] | None = None
    above: list[Token] = []
    has_begun = False
    for line in lines:
        if line.type in _SCORE_LINES:
            score = _score(line)
            if not has_begun:
                yield from _begun_above(above, score)
            elif score is not None and not _goes_on(before, score):
                yield Token("_MATCH_BEGINS", "")
            before, has_begun = score, True
        if has_begun:
            yield line
        else:
            above.append(line)
    if not has_begun:
        yield from above


def _begun_above(above: list[Token], score: re.Match[str] | None) -> Iterator[Token]:
    """Yield what stands above the first score line, and where the first match begins.

    Where games were played before that line, the first decision begins one that has lost its own.
    """
    kinds = [line.type for line in above]
    is_later = score is not None and int(score["games"]) > 0
    begins = kinds.index("DECISIONS") if is_later and "DECISIONS" in kinds else len(above)
    yield from above[:begins]
    yield Token("_MATCH_BEGINS", "")
    yield from above[begins:]


def _score(line: Token) -> re.Match[str] | None:
    """Return the parts of a score line; None where it is broken."""
    return grammar("gnubg_text").match("score_line", line) if line.type == "SCORE_LINE" else None


def _goes_on(before: re.Match[str] | None, score: re.Match[str]) -> bool:
    """Whether a game belongs to the match of the game before."""
    if before is None or int(before["games"]) >= int(score["games"]):
        return False
    return all(before[part] == score[part] for part in ("left", "right", "length"))


def _draft(match: Tree[Token]) -> MatchDraft:
    draft = MatchDraft()
    games = list(rules(match))
    for game in games:
        first, *lines = tokens(game)
        if game.data == "headless":
            lines = [first, *lines]
            reader = _headless(draft, first, next(tokens(games[1])))
        else:
            reader = _begun(draft, first)
        position = _only_decision(lines)
        if position is not None:
            reader.set_up(*position)
        for line in lines:
            reader.add(line)
    return draft


def _only_decision(lines: list[Token]) -> tuple[int, re.Match[str]] | None:
    """Return the decision of a report of one position; None where it is that of a game."""
    telling = [line for line in lines if line.type in _OF_A_GAME]
    if [line.type for line in telling] != ["DECISIONS"]:
        return None
    first, *others = _decisions(telling[0])
    return None if others else first


def _headless(draft: MatchDraft, first: Token, line: Token) -> _GameReader:
    """Begin a game that has lost its score line, with the names in that of the next game."""
    reader = _begun(draft, line)
    game = reader.recorder.game
    game.span, game.number, game.crawford = place(first), None, None
    if game.score is not None:
        game.score = game.score._replace(span=game.span, points=(0, 0))
    return reader


def _begun(draft: MatchDraft, line: Token) -> _GameReader:
    """Begin a game with its score line."""
    span, score = place(line), _score(line)
    if score is None:
        draft.games.append(GameDraft(span, actions=[Unread(span, None, None, line.strip())]))
        return _GameReader(draft, Recorder(draft.games[-1]), ("", ""))
    if draft.length is None:
        length = score["length"]
        where = place(line, *score.span("length")) if length else span
        draft.length = Length(where, int(length or 0))
    names = score["left"] or "", score["right"] or ""
    points = int(score["left_points"]), int(score["right_points"])
    spans = place(line, *score.span("left_points")), place(line, *score.span("right_points"))
    recorder = begun(draft, span, int(score["games"]) + 1, names, points, spans)
    if draft.length.points:
        recorder.game.crawford = score["stage"] == "Crawford game"
    return _GameReader(draft, recorder, names)


@dataclass(slots=True)
class _GameReader:
    """Reads a game line by line."""

    draft: MatchDraft
    recorder: Recorder
    names: tuple[str, str]
    due: tuple[Side, Side] = (LEFT, RIGHT)
    """Whose turn it is, and the other: one name may begin as the other does."""
    doubled: int | None = None
    """Index of a double whose value the next decision tells."""
    is_position: bool = False
    """Whether it is no game but one position: `cannot move` then says that nothing was played yet."""

    def add(self, line: Token) -> None:
        """Add what a line says of the game, or of the match."""
        match line.type:
            case "DECISIONS":
                self._add_decisions(line)
            case "BROKEN_DECISION":
                decision = grammar("gnubg_text").match("broken_decision", line)
                self._leave_roll(place(line).line, decision)
                self.recorder.damaged(_first_line(line))
            case "ACTION" | "STARRED_LINE":
                self._add_starred_line(line)
            case "ANNOTATION":
                self._add_comment(line)
            case "RESULT":
                self._add_result(line)
            case "MATCH_INFORMATION":
                self._add_information(line)
        if line.type in _WITH_LINES_UNDER:
            self._add_lines_under(line)

    def _add_decisions(self, run: Token) -> None:
        decisions = list(_decisions(run))
        for (number, decision), following in zip_longest(decisions, decisions[1:]):
            self._add_decision(number, decision)
            if _may_hide_lines(decision, following and following[1]):
                for lost in _lost(decision.group(), number, _lines_of(decision)):
                    self.recorder.damaged(lost)

    def _add_lines_under(self, line: Token) -> None:
        """Keep a line that is no part of a report, and what seems to be of the game under it."""
        is_text = line.type == "TEXT"
        lost = list(_lost(line, place(line).line, known=() if is_text else (0,)))
        for token in lost:
            self.recorder.damaged(token)
        if is_text and not lost and not _is_furniture(_first_line(line)):
            self.recorder.remark(_first_line(line))

    def _add_starred_line(self, line: Token) -> None:
        is_read = self._add_action(place(line).line, line)
        if not is_read and (line.type == "ACTION" or self._is_of_player(line)):
            self.recorder.damaged(_first_line(line))

    def _is_of_player(self, line: Token) -> bool:
        """Whether a line with a star begins with the name of a player."""
        words = line[2:].casefold()
        return any(words.startswith(name.casefold()) for name in self.names if name)

    def set_up(self, line: int, decision: re.Match[str]) -> None:
        """Begin with the board of a decision, as far as its identifiers can be read."""
        situation = _situation(decision)
        if situation is None:
            return
        self.is_position = True
        span = _place(line, decision, "position_id")
        cube, owner = situation.cube_value, situation.cube_owner
        side: Side = RIGHT if situation.on_roll else LEFT
        holder: Side | None = None if owner is None else RIGHT if owner else LEFT
        board = SetUp(span, decision["number"], _boards(situation), cube, holder, side)
        self.recorder.game.actions.append(board)
        written = f"{decision['position_id']}:{decision['match_id']}"
        self.draft.tags.append(Tag(span, "Position", written))

    def _add_decision(self, line: int, decision: re.Match[str]) -> None:
        self._leave_roll(line, decision)
        number, asked, dice, value, action = decision.group(
            "number", "asked", "dice", "value", "action"
        )
        self.recorder.row = number
        side = self._side(asked or "")
        turn = RIGHT if side is None else side
        if value:
            self._tell_double(int(value))
            turn = other_side(turn)
        self.due = turn, other_side(turn)
        if dice and side is not None:
            self.recorder.roll(_place(line, decision, "question"), side, dice_in(dice))
        elif dice:
            question = _place(line, decision, "question")
            text = decision["question"]
            self.recorder.game.actions.append(Unread(question, number, None, text))
        if action:
            span = _place(line, decision, "action")
            if not self._add_action(span.line, action):
                text = action.partition("\n")[0].rstrip()
                self.recorder.game.actions.append(Unread(span, number, None, text))

    def _tell_double(self, value: int) -> None:
        """Tell the value of the double before."""
        if self.doubled is not None:
            actions = self.recorder.game.actions
            double = actions[self.doubled]
            assert isinstance(double, Double)
            actions[self.doubled] = double._replace(value=value)
            self.doubled = None

    def _leave_roll(self, line: int, decision: re.Match[str]) -> None:
        """Keep a roll without a play: given up, or the board of the next decision tells of it."""
        actions = self.recorder.game.actions
        count = len(actions)
        self.recorder.leave_roll()
        board = _board(line, decision) if len(actions) > count else None
        if board is not None:
            play = actions[-1]
            assert isinstance(play, Play)
            left = board._replace(row=play.row)
            actions[-1] = play._replace(how=PlayRecord.PLAYED, called_illegal=True, left_board=left)

    def _add_action(self, line: int, text: str) -> bool:
        """Add `* NAME moves ...`; return whether it is so: others belong to the analysis."""
        rolled = grammar("gnubg_text").pattern("rolled").search(text)
        text = text.partition("\n")[0].rstrip()
        for side in self.due:
            start = f"{text[:1]} {self.names[side]} "
            if self.names[side] and text.startswith(start):
                span = Span(line, 1, 1 + len(text))
                if rolled is not None and self.recorder.waiting(span, side).dice is None:
                    self.recorder.roll(span, side, dice_in(rolled["dice"]))
                self._add_deed(text[len(start) :], span, side, len(start))
                return True
        return False

    def _add_deed(self, text: str, span: Span, side: Side, offset: int) -> None:
        recorder, actions = self.recorder, self.recorder.game.actions
        deed = grammar("gnubg_text").pattern("deed").fullmatch(text)
        if deed is None:
            actions.append(Unread(span, recorder.row, side, text))
            return
        match deed.lastgroup:
            case "steps":
                recorder.play(span, side, deed["steps"], offset + deed.start("steps"))
            case "dance" if self.is_position:
                recorder.leave_roll()
            case "dance":
                recorder.dance(recorder.waiting(span, side))
            case "double" | "take" | "drop" as word:
                recorder.act(word, span, side)
                if word == "double":
                    self.doubled = len(actions) - 1

    def _add_result(self, line: Token) -> None:
        self.recorder.leave_roll()
        result = grammar("gnubg_text").match("result", line)
        side = self._side(result["winner"])
        if side is None:
            self.recorder.damaged(line)
        else:
            self.recorder.wins(place(line), side, int(result["points"]))

    def _add_comment(self, lines: Token) -> None:
        """Add what a person has written to the action before."""
        text = lines.partition("\n")[2].strip()
        if text:
            comment = Comment(place(lines), self.recorder.row, text)
            self.recorder.game.actions.append(comment)

    def _add_information(self, lines: Token) -> None:
        """Add what is known of the match; the comments come last, and may have many lines.

        Later games say the same again.
        """
        is_first = self.recorder.game is self.draft.games[0]
        numbered = enumerate(lines.split("\n"), start=lines.line or 1)
        for number, line in numbered:
            entry = grammar("gnubg_text").pattern("entry").fullmatch(line)
            if entry is None:
                self._add_other_information(number, line)
                continue
            if not is_first and entry["key"] in ("Comments", "Comment"):
                return
            remark = entry["remark"] or ""
            if entry["key"] in ("Comments", "Comment"):
                remark = "\n".join([remark, *(text for _, text in numbered)])
            key = TAGS.get(entry["key"]) or RATINGS.get(self._side(entry["rated"]))
            if is_first and key is not None and remark.strip():
                span = Span(number, 1, 1 + len(line.rstrip()))
                self.draft.tags.append(Tag(span, key, remark.strip()))

    def _add_other_information(self, number: int, line: str) -> None:
        """Keep a line that is no entry known; the first is the heading."""
        text = line.strip()
        if text and not grammar("gnubg_text").pattern("_MATCH_INFORMATION").match(line):
            self.recorder.remark(Token("TEXT", line, line=number, column=1))

    def _side(self, name: str | None) -> Side | None:
        if name == self.names[LEFT]:
            return LEFT
        return RIGHT if name == self.names[RIGHT] else None


def _is_furniture(line: str) -> bool:
    """Whether a line is a heading or leads to another page."""
    return grammar("gnubg_text").pattern("FURNITURE").fullmatch(line) is not None


def _lost(text: str, first: int, known: Collection[int]) -> Iterator[Token]:
    """Yield the lines among those of boards and analysis that seem to tell of the game.

    `text` begins on the line `first`; of its lines those of the numbers `known` are no such.
    """
    lines = ["" if number in known else line for number, line in enumerate(text.split("\n"))]
    lowered = "\n".join(lines).lower()
    if not any(word in lowered for word in WORDS_OF_A_GAME):
        return
    lost = grammar("gnubg_text").pattern("LOST")
    for number, line in enumerate(lines, start=first):
        if lost.fullmatch(line.rstrip()) is not None:
            yield Token("TEXT", line.rstrip(), line=number, column=1)


def _lines_of(decision: re.Match[str]) -> tuple[int, ...]:
    """Return the numbers of the lines that tell of a decision, counted from its first."""
    if decision["action"] is None:
        return (0,)
    start = decision.start()
    return 0, decision.string.count("\n", start, decision.start("action"))


def _may_hide_lines(decision: re.Match[str], following: re.Match[str] | None) -> bool:
    """Whether the lines under a decision may be others of the game: something is missing there."""
    if following is None or decision["action"] is None:
        return True
    return int(following["number"]) != int(decision["number"]) + 1


def _first_line(lines: Token) -> Token:
    """Return the first line of a token, without the board or the analysis under it."""
    return Token(lines.type, lines.partition("\n")[0], line=lines.line, column=lines.column)


def _decisions(run: Token) -> Iterator[tuple[int, re.Match[str]]]:
    """Yield the decisions of a run, each with the line on which it begins."""
    line, start = place(run).line, 0
    for decision in grammar("gnubg_text").pattern("decision").finditer(run):
        line += run.count("\n", start, decision.start())
        start = decision.start()
        yield line, decision


def _board(line: int, decision: re.Match[str]) -> SetUp | None:
    """Return the board under a decision; None where its identifiers cannot be read."""
    situation = _situation(decision)
    if situation is None:
        return None
    return SetUp(_place(line, decision, "match_line"), None, _boards(situation))


def _situation(decision: re.Match[str]) -> Situation | None:
    """Return what the identifiers under a decision say; None where they cannot be read."""
    try:
        return parse_gnubg_id(f"{decision['position_id']}:{decision['match_id']}")
    except ValueError:
        return None


def _boards(situation: Situation) -> tuple[Points, Points]:
    own, other = situation.position
    return (other, own) if situation.on_roll else (own, other)


def _place(line: int, match: re.Match[str], part: str) -> Span:
    """Where a part stands of what begins on a line."""
    start, end = match.span(part)
    column = start - match.string.rfind("\n", 0, start)
    return Span(line + match.string.count("\n", match.start(), start), column, column + end - start)
