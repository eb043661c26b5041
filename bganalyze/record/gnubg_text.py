"""Read the report that GNU Backgammon exports for a match, as text or HTML, one file per game."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from html import unescape
from itertools import zip_longest

from lark import Token, Tree

from bganalyze.board.ids import Situation, parse_gnubg_id
from bganalyze.board.position import Points, Position, start_position
from bganalyze.record.builder import (
    GameDraft,
    MatchDraft,
    Recorder,
    add_title,
    begin_game,
    finish_matches,
    parse_dice,
    place_of_token,
)
from bganalyze.record.cleaning.translations import HEADS, VALUE
from bganalyze.record.conventions import GNUBG, conventions_of_format
from bganalyze.record.grammar import LineStartPattern, grammar, rules, tokens
from bganalyze.record.model import (
    LEFT,
    REPORTED,
    RIGHT,
    Analysis,
    Answer,
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

TAGS = {
    "Date": "EventDate",
    "Event": "Event",
    "Round": "Round",
    "Place": "Site",
    "Annotator": "Transcriber",
    "Comments": "Comment",
    "Comment": "Comment",
}
"""Header keys for the entries of the report."""

NAMED_VARIANTS = {
    "nackgammon": "Nackgammon",
    **{f"hypergammon-{checkers}": f"HyperGammon ({checkers})" for checkers in (1, 2, 3)},
}
"""Header values for the variants that the first board of a game shows."""

_SCORE_LINES = frozenset(("SCORE_LINE", "BROKEN_SCORE_LINE"))

_WITH_LINES_UNDER = frozenset(("BROKEN_DECISION", "ACTION", "STARRED_LINE", "TEXT"))

WORDS_OF_A_GAME = (
    *("match info", "formation", "the score", "move number", "to play ", "on roll, "),
    *(" * ", " • ", " cannot move", "oves bar/", *(f"oves {point}" for point in range(1, 10))),
    *(f" wins {points}" for points in range(1, 10)),
)
"""Text that every line about the game contains; most lines of boards and analysis do not."""

_OF_A_GAME = frozenset(("DECISIONS", "BROKEN_DECISION", "RESULT"))

LONGEST_SIGN = 2
"""Longest name that is not searched for in a line, because other texts contain it."""

RATINGS: dict[Side | None, str] = {LEFT: "Rating left", RIGHT: "Rating right"}


@cache
def _make_game_start_pattern() -> LineStartPattern:
    """Return the pattern for the first line of a game in GNU Backgammon's report."""
    return LineStartPattern(grammar("gnubg_text").regex("_head"))


def recognizes(text: str) -> bool:
    """Whether a text looks like a report by GNU Backgammon.

    >>> recognizes("The score (after 0 games) is: Ann 0, Bob 0 (match to 3 points)")
    True
    """
    return "The score (after " in text and _make_game_start_pattern().is_in(strip_html(text))


def tree(text: str) -> Tree[Token]:
    """Return the parse tree of a report: matches, games and decisions (boards with analyses)."""
    return grammar("gnubg_text").parse("matches", strip_html(text), _insert_match_starts)


def read(text: str, source: Source) -> list[Match]:
    """Return the matches in a text, or one empty match if unreadable."""
    file_tree = tree(text)
    drafts = [_read_match(match) for match in rules(file_tree)] or [MatchDraft()]
    for line in map(_cut_to_first_line, tokens(file_tree)):
        if not _is_heading_or_link(line):
            add_title(drafts[0], line)
    if _is_page(text):
        source = source._replace(lines=strip_html(text).split("\n"))
    conventions = conventions_of_format(GNUBG, source, marks_hits=True, writes_dances=True)
    return finish_matches(drafts, source, "gnubg-text", conventions)


_HEADS_OF_STATISTICS = "|".join(
    re.escape(phrase.partition(VALUE)[0])
    for english, phrases in HEADS.items()
    if "statistics" in english
    for phrase in (english, *phrases)
)
_STATISTICS = re.compile(
    rf"(?:{_HEADS_OF_STATISTICS}).*?(?=The score \(after |\Z)", re.DOTALL | re.IGNORECASE
)


def find_statistics(text: str) -> Iterator[tuple[int, int]]:
    r"""Yield the start and end offset of each part of a report that holds statistics."""
    for found in _STATISTICS.finditer(text):
        yield found.span()


def _is_page(text: str) -> bool:
    """Whether a text is an HTML page."""
    return grammar("gnubg_text").pattern("PAGE").match(text) is not None


def strip_html(text: str) -> str:
    r"""Return the text that an HTML page shows, line by line. Other text is returned unchanged.

    >>> strip_html("<html><body><p>&bull; A\n<tr><td>Date</td><td>1 May</td></tr>")
    '• A\nDate\t1 May'
    """
    # The standard library's parser takes 50 s for 60 kB of tags without an end (measured with 3.11).
    report = grammar("gnubg_text")
    page = report.pattern("PAGE").match(text)
    if page is None:
        return text
    body = report.pattern("CELLS").sub("\t<td", _escape_names(text[page.end() :]))
    body = report.pattern("LINK").sub("", body)
    body = report.pattern("MARKUP").sub(lambda tag: "\n" * tag.group().count("\n"), body)
    lines = (_show_line(line) for line in body.split("\n"))
    return "\n" * page.group().count("\n") + "\n".join(lines)


def _show_line(line: str) -> str:
    r"""Return a line of a page with its entities resolved, and without blanks around it.

    >>> _show_line(" A &amp; B "), _show_line(" &nbsp;")
    ('A & B', '')
    """
    shown = unescape(line).replace("\n", " ")
    return shown.strip() if "\t" in shown or not shown.strip() else shown.strip(" \r")


_BEFORE_NAME = (
    r"(?<=is: )|(?<=[0-9], )|(?:(?<=\n)|^)<p[^<>\n]*>"
    r"(?:(?:&bull;|[*•])[ ]|<b><a[^<>\n]*>[^<>\n]*</a></b>[ ])?"
)
"""Places where a page has a name: in the score, at the start of a paragraph, behind a mark or number of a play."""


def _escape_names(page: str) -> str:
    r"""Return a page with `&lt;` in place of each `<` in players' names.

    >>> _escape_names("<h2>The score (after 0 games) is: <b> 0, Bob 0</h2>\n<p>&bull; <b> doubles</p>")
    '<h2>The score (after 0 games) is: &lt;b> 0, Bob 0</h2>\n<p>&bull; &lt;b> doubles</p>'
    """
    report = grammar("gnubg_text")
    heading = report.pattern("HEADING").search(page)
    if heading is None:
        return page
    score = report.pattern("score_line").fullmatch(heading["score"])
    for name in () if score is None else score.group("left", "right"):
        if name and "<" in name:
            escaped = name.replace("<", "&lt;").replace("\\", r"\\")
            page = re.sub(rf"({_BEFORE_NAME}){re.escape(name)}(?= )", rf"\g<1>{escaped}", page)
    return page


def _insert_match_starts(lines: Iterator[Token]) -> Iterator[Token]:
    """Yield the lines of a file, and the token `_MATCH_BEGINS` before each match."""
    before: re.Match[str] | None = None
    lines_above: list[Token] = []
    has_begun = False
    for line in lines:
        if line.type in _SCORE_LINES:
            score = _parse_score_line(line)
            if not has_begun:
                yield from _insert_first_match_start(lines_above, score)
            elif score is not None and not _continues_match(before, score):
                yield Token("_MATCH_BEGINS", "")
            before, has_begun = score, True
        if has_begun:
            yield line
        else:
            lines_above.append(line)
    if not has_begun:
        yield from lines_above


def _insert_first_match_start(
    lines_above: list[Token], score_line: re.Match[str] | None
) -> Iterator[Token]:
    """Yield the lines above the first score line, with the token `_MATCH_BEGINS` among them."""
    # The score lines of earlier games may be lost.
    kinds = [line.type for line in lines_above]
    # If the score line counts earlier games, the match begins at the first decision above.
    is_later = score_line is not None and int(score_line["games"]) > 0
    begins = kinds.index("DECISIONS") if is_later and "DECISIONS" in kinds else len(lines_above)
    yield from lines_above[:begins]
    yield Token("_MATCH_BEGINS", "")
    yield from lines_above[begins:]


def _parse_score_line(line: Token) -> re.Match[str] | None:
    """Return a regex match of a score line, or None if broken."""
    return grammar("gnubg_text").match("score_line", line) if line.type == "SCORE_LINE" else None


def _continues_match(score_before: re.Match[str] | None, score: re.Match[str]) -> bool:
    """Whether the second of two score lines belongs to the same match as the first."""
    if score_before is None or int(score_before["games"]) >= int(score["games"]):
        return False
    return all(score_before[part] == score[part] for part in ("left", "right", "length"))


def _read_match(match: Tree[Token]) -> MatchDraft:
    """Return the match in a parse tree, with its games."""
    draft = MatchDraft()
    games = list(rules(match))
    for game in games:
        first, *lines = tokens(game)
        if game.data == "headless":
            lines = [first, *lines]
            reader = _begin_game_without_score_line(draft, first, next(tokens(games[1])))
        else:
            reader = _begin_game(draft, first)
        position = _find_only_decision(lines)
        if position is not None:
            reader.begin_with_board(*position)
        for line in lines:
            reader.read_lines(line)
    return draft


def _find_only_decision(lines: list[Token]) -> tuple[int, re.Match[str]] | None:
    """Return the line number and regex match of the only decision in a report, else None."""
    telling = [line for line in lines if line.type in _OF_A_GAME]
    if [line.type for line in telling] != ["DECISIONS"]:
        return None
    first, *others = _find_decisions(telling[0])
    return None if others else first


def _begin_game_without_score_line(
    draft: MatchDraft, first_token: Token, next_score_line: Token
) -> _GameReader:
    """Begin a game that has no score line, and return the reader of its lines.

    The game begins at `first_token`. Its players are those named on `next_score_line`.
    """
    reader = _begin_game(draft, next_score_line)
    game = reader.recorder.game
    game.span, game.number, game.crawford = place_of_token(first_token), None, None
    if game.score is not None:
        game.score = game.score._replace(span=game.span, points=(0, 0))
    return reader


def _begin_game(draft: MatchDraft, line: Token) -> _GameReader:
    """Begin a game at its score line, and return the reader of its lines."""
    span, score = place_of_token(line), _parse_score_line(line)
    if score is None:
        draft.games.append(GameDraft(span, actions=[Unread(span, None, None, line.strip())]))
        return _GameReader(draft, Recorder(draft.games[-1]), ("", ""))
    if draft.length is None:
        length = score["length"]
        where = place_of_token(line, *score.span("length")) if length else span
        draft.length = Length(where, int(length or 0))
    names = score["left"] or "", score["right"] or ""
    points = int(score["left_points"]), int(score["right_points"])
    spans = (
        place_of_token(line, *score.span("left_points")),
        place_of_token(line, *score.span("right_points")),
    )
    recorder = begin_game(draft, span, int(score["games"]) + 1, names, points, spans)
    if draft.length.points:
        recorder.game.crawford = score["stage"] == "Crawford game"
    return _GameReader(draft, recorder, names)


@dataclass(slots=True)
class _GameReader:
    """Reads a game in a report of decisions. A decision is a board with its analysis."""

    draft: MatchDraft
    recorder: Recorder
    names: tuple[str, str]
    due: tuple[Side, Side] = (LEFT, RIGHT)
    """The side to act, then the other side; the first is tried first, because one name may begin
    with the other."""
    doubled: int | None = None
    """Index of the last double, whose cube value the next decision states."""
    has_decisions: bool = False
    is_position: bool = False
    """Whether this is a single position: then `cannot move` means that nothing was played yet."""

    def read_lines(self, lines: Token) -> None:
        """Add lines of one kind to the game or the match."""
        match lines.type:
            case "DECISIONS":
                self._add_decisions(lines)
            case "BROKEN_DECISION" if self._is_result_of_player(lines):
                self._add_result(_cut_to_first_line(lines))
            case "BROKEN_DECISION":
                decision = grammar("gnubg_text").match("broken_decision", lines)
                self._keep_roll_without_play(place_of_token(lines).line, decision)
                self.recorder.keep_damaged_line(_cut_to_first_line(lines))
            case "ACTION" | "STARRED_LINE":
                self._add_starred_line(lines)
            case "ANNOTATION":
                self._add_comment(lines)
            case "RESULT":
                self._add_result(lines)
            case "MATCH_INFORMATION":
                self._add_information(lines)
        if lines.type in _WITH_LINES_UNDER:
            self._keep_unknown_block(lines)

    def _add_decisions(self, lines: Token) -> None:
        """Add all decisions (boards with analyses) in these lines of the report."""
        decisions = list(_find_decisions(lines))
        for (number, decision), following in zip_longest(decisions, decisions[1:]):
            self._add_decision(number, decision)
            if _may_hide_lines(decision, following and following[1]):
                for lost in _find_lines_of_game(
                    decision.group(), number, _find_lines_already_read(decision), self.names
                ):
                    self._keep_line_among_analyses(lost)

    def _keep_unknown_block(self, block: Token) -> None:
        """Add the lines of an unknown part of the report that seem to belong to the game."""
        is_text = block.type == "TEXT"
        lost = list(
            _find_lines_of_game(
                block, place_of_token(block).line, () if is_text else (0,), self.names
            )
        )
        for token in lost:
            self._keep_line_among_analyses(token)
        # Otherwise, the first line of a text becomes a comment.
        if is_text and not lost and not _is_heading_or_link(_cut_to_first_line(block)):
            is_over = self.recorder.has_result
            keep = self.recorder.keep_comment if is_over else self.recorder.keep_probable_comment
            keep(_cut_to_first_line(block))

    def _keep_line_among_analyses(self, line: Token) -> None:
        """Add a line found among analyses, as the result of the game or as unreadable text."""
        if self._is_result_of_player(line):
            self._add_result(line)
        else:
            self.recorder.keep_damaged_line(line)

    def _add_starred_line(self, line: Token) -> None:
        """Add the action on a line that begins with a star."""
        is_read = self._add_action(place_of_token(line).line, line)
        if not is_read and (line.type == "ACTION" or self._begins_with_player(line)):
            self.recorder.keep_damaged_line(_cut_to_first_line(line))

    def _is_result_of_player(self, line: Token) -> bool:
        """Whether a line says that one of the players wins."""
        result = (
            grammar("gnubg_text").pattern("result").fullmatch(_cut_to_first_line(line).rstrip())
        )
        return result is not None and result["winner"].strip() in self.names

    def _begins_with_player(self, line: Token) -> bool:
        """Whether a player's name follows the star of a line such as `* Ann moves`."""
        words = line[2:].casefold()
        return any(words.startswith(name.casefold()) for name in self.names if name)

    def begin_with_board(self, line_number: int, decision: re.Match[str]) -> None:
        """Begin the game with the board of `decision` as its set-up, if the board has valid IDs.

        The decision begins on the line `line_number`.
        """
        situation = _read_situation(decision)
        if situation is None:
            return
        self.is_position = True
        span = _find_place_of_part(line_number, decision, "position_id")
        cube, owner = situation.cube_value, situation.cube_owner
        side: Side = RIGHT if situation.on_roll else LEFT
        holder: Side | None = None if owner is None else RIGHT if owner else LEFT
        board = SetUp(
            span, decision["number"], _order_boards_by_side(situation), cube, holder, side
        )
        self.recorder.game.actions.append(board)
        written = f"{decision['position_id']}:{decision['match_id']}"
        self.draft.tags.append(Tag(span, "Position", written))

    def _add_decision(self, line_number: int, decision: re.Match[str]) -> None:
        """Add the roll, cube value, action and analysis of a decision (a regex match).

        The decision begins on the line `line_number`.
        """
        if not self.has_decisions:
            self.has_decisions = True
            self._read_first_board(line_number, decision)
        self._keep_roll_without_play(line_number, decision)
        number, asked, dice, value, action = decision.group(
            "number", "asked", "dice", "value", "action"
        )
        self.recorder.row = number
        side = self._find_side(asked or "")
        turn = RIGHT if side is None else side
        if value:
            self._set_double_value(int(value))
            turn = other_side(turn)
        self.due = turn, other_side(turn)
        if dice and side is not None:
            self.recorder.add_roll(
                _find_place_of_part(line_number, decision, "question"), side, parse_dice(dice)
            )
        elif dice:
            question = _find_place_of_part(line_number, decision, "question")
            text = decision["question"]
            self.recorder.game.actions.append(Unread(question, number, None, text))
        if decision["resigned"]:
            question = _find_place_of_part(line_number, decision, "question")
            self.recorder.game.actions.append(Comment(question, number, decision["question"]))
        if action:
            span = _find_place_of_part(line_number, decision, "action")
            if not self._add_action(span.line, action):
                text = action.partition("\n")[0].rstrip()
                span = span._replace(end_column=span.column + len(text))
                self.recorder.game.actions.append(Unread(span, number, None, text))

    def _read_first_board(self, line_number: int, decision: re.Match[str]) -> None:
        """Set the variant and the first cube value from a game's first board."""
        situation = _read_situation(decision)
        if situation is None or not all(
            isinstance(action, Comment) for action in self.recorder.game.actions
        ):
            return
        if situation.cube_owner is None and situation.cube_value > 1:
            self.recorder.game.cube = situation.cube_value
        if any(tag.key == "Variation" for tag in self.draft.tags):
            return
        for variant, name in NAMED_VARIANTS.items():
            # The identifier counts the checkers that hypergammon has not as borne off.
            if _remove_borne_off(situation.position) == _remove_borne_off(start_position(variant)):
                span = _find_place_of_part(line_number, decision, "position_id")
                self.draft.tags.append(Tag(span, "Variation", name))

    def _set_double_value(self, value: int) -> None:
        """Set the cube value of the last double."""
        if self.doubled is not None:
            actions = self.recorder.game.actions
            double = actions[self.doubled]
            assert isinstance(double, Double)
            actions[self.doubled] = double._replace(value=value)
            self.doubled = None

    def _keep_roll_without_play(self, line_number: int, decision: re.Match[str]) -> None:
        """Add the last roll if its play is missing, with the board that the play led to.

        That is the board of the next `decision`, which begins on the line `line_number`.
        """
        actions = self.recorder.game.actions
        count = len(actions)
        self.recorder.keep_unplayed_roll()
        board = _read_board(line_number, decision) if len(actions) > count else None
        if board is not None:
            play = actions[-1]
            assert isinstance(play, Play)
            left = board._replace(row=play.row)
            actions[-1] = play._replace(how=PlayRecord.PLAYED, called_illegal=True, left_board=left)

    def _add_action(self, line_number: int, text: str) -> bool:
        """Add an action such as `* Ann moves 8/5 6/5`; return False if the text is no action."""
        analysis = _read_analysis(text)
        rolled = grammar("gnubg_text").pattern("rolled").search(text)
        text = text.partition("\n")[0].rstrip()
        for side in self.due:
            start = f"{text[:1]} {self.names[side]} "
            if self.names[side] and text.startswith(start):
                span = Span(line_number, 1, 1 + len(text))
                if rolled is not None and self.recorder.begin_play(span, side).dice is None:
                    self.recorder.add_roll(span, side, parse_dice(rolled["dice"]))
                self._add_action_in_words(text[len(start) :], span, side, len(start))
                if analysis is not None:
                    self._keep_analysis(analysis, span, side)
                return True
        return False

    def _keep_analysis(self, analysis: Analysis, span: Span, side: Side) -> None:
        """Add an analysis to the last action of `side`, if that action was read at `span`."""
        actions = self.recorder.game.actions
        for index in range(len(actions) - 1, -1, -1):
            action = actions[index]
            if isinstance(action, Play | Double | Answer) and action.side == side:
                # In a report on one position, any place will do.
                if action.span == span or self.is_position:
                    actions[index] = action._replace(analysis=analysis)
                return

    def _add_action_in_words(self, words: str, span: Span, side: Side, offset: int) -> None:
        """Add an action in the words after a player's name, such as `moves 8/5 6/5`.

        The words begin `offset` characters after the start of `span`.
        """
        recorder, actions = self.recorder, self.recorder.game.actions
        deed = grammar("gnubg_text").pattern("deed").fullmatch(words)
        if deed is None:
            actions.append(Unread(span, recorder.row, side, words))
            return
        has_roll = recorder.begin_play(span, side).dice is not None
        match deed.lastgroup:
            case "steps" if self.is_position and not has_roll:  # It followed the cube decision.
                actions.append(Comment(span, recorder.row, words))
            case "steps":
                recorder.add_play(span, side, deed["steps"], offset + deed.start("steps"))
            case "dance" if self.is_position:
                recorder.keep_unplayed_roll()
            case "dance":
                recorder.add_dance(recorder.begin_play(span, side))
            case "double" | "take" | "drop" as word:
                recorder.add_action(word, span, side)
                if word == "double":
                    self.doubled = len(actions) - 1

    def _add_result(self, line: Token) -> None:
        """Add the result, or unreadable text if it names no player."""
        self.recorder.keep_unplayed_roll()
        result = grammar("gnubg_text").match("result", line)
        side = self._find_side(result["winner"])
        if side is None:
            number = place_of_token(line).line
            for lost in _find_lines_of_game(line, number, (), self.names):
                self.recorder.keep_damaged_line(lost)
        else:
            self.recorder.add_result(place_of_token(line), side, int(result["points"]))

    def _add_comment(self, lines: Token) -> None:
        """Add a person's comment on the last action, without its heading."""
        text = lines.partition("\n")[2].strip()
        if text:
            comment = Comment(place_of_token(lines), self.recorder.row, text)
            self.recorder.game.actions.append(comment)

    def _add_information(self, lines: Token) -> None:
        """Add the header entries about the match, if they belong to its first game."""
        is_first = self.recorder.game is self.draft.games[0]
        numbered = enumerate(lines.split("\n"), start=lines.line or 1)
        for number, line in numbered:
            entry = grammar("gnubg_text").pattern("entry").fullmatch(line)
            if entry is None:
                self._add_other_information(number, line)
                continue
            # Only the information of the first game counts.
            if not is_first and entry["key"] in ("Comments", "Comment"):
                return
            remark = entry["remark"] or ""
            if entry["key"] in ("Comments", "Comment"):
                remark = "\n".join([remark, *(text for _, text in numbered)])
            key = TAGS.get(entry["key"]) or RATINGS.get(self._find_side(entry["rated"]))
            if is_first and key is not None and remark.strip():
                span = Span(number, 1, 1 + len(line.rstrip()))
                self.draft.tags.append(Tag(span, key, remark.strip()))

    def _add_other_information(self, line_number: int, line: str) -> None:
        """Add a line about the match whose key is unknown."""
        text = line.strip()
        if text and not grammar("gnubg_text").pattern("_MATCH_INFORMATION").match(line):
            self.recorder.keep_probable_comment(Token("TEXT", line, line=line_number, column=1))

    def _find_side(self, name: str | None) -> Side | None:
        """Return the side of the player with this name, or None."""
        if name == self.names[LEFT]:
            return LEFT
        return RIGHT if name == self.names[RIGHT] else None


def _read_analysis(text: str) -> Analysis | None:
    r"""Return the analysis below an action's first line, or None.

    >>> _read_analysis("* Ann moves 8/5 6/5\n\nRolled 31:\n*    1. Cubeful ...").entries
    (('report', 'Rolled 31:\n*    1. Cubeful ...'),)
    """
    found = grammar("gnubg_text").pattern("ANALYSIS").search(text)
    if found is None:
        return None
    return Analysis(GNUBG, ((REPORTED, found.group().rstrip()),))


def _is_heading_or_link(line: str) -> bool:
    """Whether a line is a heading or a link outside the match."""
    return grammar("gnubg_text").pattern("FURNITURE").fullmatch(line) is not None


def _find_lines_of_game(
    text: str, first_line: int, already_read: Collection[int], names: tuple[str, str]
) -> Iterator[Token]:
    """Yield the lines of a text that seem to belong to a game.

    The text begins on the line `first_line`. The lines with the indexes `already_read` are skipped.
    """
    lines = ["" if number in already_read else line for number, line in enumerate(text.split("\n"))]
    lowered = "\n".join(lines).lower()
    if not any(word in lowered for word in WORDS_OF_A_GAME):
        return
    lost = grammar("gnubg_text").pattern("LOST")
    for number, line in enumerate(lines, start=first_line):
        if lost.fullmatch(_mask_names(line.rstrip(), names)) is not None:
            yield Token("TEXT", line.rstrip(), line=number, column=1)


def _mask_names(line: str, names: tuple[str, str]) -> str:
    """Return a line with each letter of the players' names replaced by `x`.

    >>> _mask_names("X: Move number 1:", ("Move number 1:", "Ann"))
    'X: xxxxxxxxxxxxxx'
    """
    for name in names:
        if len(name) > LONGEST_SIGN:
            line = line.replace(name, "x" * len(name))
    return line


def _find_lines_already_read(decision: re.Match[str]) -> tuple[int, ...]:
    """Return the indexes of a decision's first line and of the line with its action.

    The decision is a regex match; its lines count from 0.
    """
    if decision["action"] is None:
        return (0,)
    start = decision.start()
    return 0, decision.string.count("\n", start, decision.start("action"))


def _may_hide_lines(decision: re.Match[str], next_decision: re.Match[str] | None) -> bool:
    """Whether a decision may hide unread lines, for its action or the next decision is missing."""
    if next_decision is None or decision["action"] is None:
        return True
    return int(next_decision["number"]) != int(decision["number"]) + 1


def _cut_to_first_line(lines: Token) -> Token:
    """Return the first line of a token as a token."""
    return Token(lines.type, lines.partition("\n")[0], line=lines.line, column=lines.column)


def _find_decisions(lines: Token) -> Iterator[tuple[int, re.Match[str]]]:
    """Yield the line number and regex match of each decision (board with analysis)."""
    line, start = place_of_token(lines).line, 0
    for decision in grammar("gnubg_text").pattern("decision").finditer(lines):
        line += lines.count("\n", start, decision.start())
        start = decision.start()
        yield line, decision


def _read_board(line_number: int, decision: re.Match[str]) -> SetUp | None:
    """Return the board of a decision as a set-up, or None if the IDs written with it are invalid.

    The decision begins on the line `line_number`.
    """
    situation = _read_situation(decision)
    if situation is None:
        return None
    return SetUp(
        _find_place_of_part(line_number, decision, "match_line"),
        None,
        _order_boards_by_side(situation),
    )


def _read_situation(decision: re.Match[str]) -> Situation | None:
    """Return the position, dice, cube and score at a decision, or None."""
    try:
        return parse_gnubg_id(f"{decision['position_id']}:{decision['match_id']}")
    except ValueError:
        return None


def _order_boards_by_side(situation: Situation) -> tuple[Points, Points]:
    """Return the checkers of left, then of right, whichever side is on roll."""
    own, other = situation.position
    return (other, own) if situation.on_roll else (own, other)


def _remove_borne_off(position: Position) -> tuple[Points, Points]:
    """Return the checkers of both sides without those borne off."""
    return position.own[1:], position.other[1:]


def _find_place_of_part(first_line: int, match: re.Match[str], group: str) -> Span:
    """Return the place in the file of the group `group` of a regex match.

    The match begins on the line `first_line`.
    """
    start, end = match.span(group)
    column = start - match.string.rfind("\n", 0, start)
    return Span(
        first_line + match.string.count("\n", match.start(), start), column, column + end - start
    )
