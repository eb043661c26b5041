"""Rows of two cells whose columns were lost: tabs in place of blanks, and wrapped lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple

from bganalyze.record.cleaning.layers import (
    LONGEST_LINE,
    RIGHT_COLUMN,
    SIDELESS,
    Replacement,
    yield_lines_with_starts,
)
from bganalyze.record.cleaning.signs import LOSES
from bganalyze.record.cleaning.usual_signs import spell_as_usual

TAB_STOPS = (8, 4)
"""Widths of tab stops to try: of a terminal, and of many editors."""

LONGEST_QUOTE = 2
"""Number of characters before a line, removed as the mark of a quote, from which tab stops may count."""

SHORTEST_WRAPPED = 24
"""Least length of a line whose last steps were wrapped: nobody sets a narrower width."""

MIN_GAP = 2
"""Fewest blanks between the cells of a row."""

LEAST_ROWS = 3
"""Least number of rows with two rolls that show the tab stops."""

LEAST_ALIGNED = 0.9
"""Least share of right cells in one column by which tabs are known to be tab stops."""

LEAST_SEPARATED = 0.3
"""Least share of rows with a tab right before the left cell, if tabs separate the cells; in others a stop may be there."""

_ROW = re.compile(r"[ \t]*[0-9]{1,3}[.)]")
_NUMBERED = re.compile(r"^[ \t]*[0-9]{1,3}\)[^\n]*[0-9]{2}:", re.MULTILINE)
_SEPARATED = re.compile(r"[ \t]*[0-9]{1,3}[.)]\t[^\s]")
_TWO_ROLLS = re.compile(r"[0-9]{2}:.*?(?<=\s)(?P<right>[0-9]{2}:)")
_GAP = re.compile(r"[ \t]*[0-9]{1,3}[.)][ \t]*[^ \t](?:[^\t]*[^ \t])?(?P<gap> *\t[ \t]*+)\S")
_SEPARATED_ROLL = re.compile(r"[ \t]*[0-9]{1,3}[.)]\t[0-9]{2}:")
_TABS = re.compile(r"(?<![ \t]) *\t[ \t]*+(?=\S)")
_ROLL = re.compile(r"[0-9]{2}:")
_OF_ONE_CELL = re.compile(
    r"(?<=[0-9]:) *\t[ \t]*+(?:(?:bar|[0-9]{1,2})/|can(?:no|')t\b|no\b|illegal\b|dances?\b|fans?\b)",
    re.IGNORECASE,
)
"""A tab between a roll and what was done with it."""
_TWO_CELLS = re.compile(r"[A-Za-z][ \t]{2,}[1-6]{2}:")
_SCORE = re.compile(r"[^:]*[^:\s] ?: [0-9]{1,9} *\t[^:]*[^:\s] ?: [0-9]{1,9}[ \t]*$")
_STEP = r"(?:bar|[0-9]{1,2})/(?:off|[0-9]{1,2})[*x(/0-9)off]*"
_ONLY_STEPS = re.compile(
    rf"[ \t]*{_STEP}(?:[ \t]+{_STEP})*(?P<right>[ \t]+[0-9]{{2}}:.*)?[ \t]*$", re.IGNORECASE
)
CELL = re.compile(
    r"[ \t]*(?:[0-9]{2}:|(?:re)?doubles?\b|takes\b|drops\b|pass(?:es)?\b|wins\b)", re.IGNORECASE
)
WINS = re.compile(r"[ \t]*wins\b", re.IGNORECASE)
_POINTS_WON = r"[0-9]{1,5}(?:[ \t]+points?)?"
_END_OF_MATCH = r"(?:and[ \t]+)?(?:the[ \t]+)?match"
_BROKEN_PHRASES = tuple(
    (re.compile(rf"{end}$", re.IGNORECASE), re.compile(rf"[ \t]*{rest}(?!\w)", re.IGNORECASE))
    for end, rest in (
        (r"\b(?:re)?doubles", r"=>(?:[ \t]*[0-9]{1,5})?"),
        (r"=>", r"[0-9]{1,5}"),
        (r"\b(?:wins|loses|losses)", _POINTS_WON),
        (r"\b(?:wins|loses|losses)[ \t]+[0-9]{1,5}", "points?"),
        (r"\bwins[ \t]+[0-9]{1,5}[ \t]+points?(?:[ \t]+and(?:[ \t]+the)?)?", _END_OF_MATCH),
        (r"\b[1-6]{2}:", r"(?:cannot|can't|no|illegal|dances?|fans?)"),
        (r"\b(?:cannot|can't|no)", "(?:move|play)"),
        (r"(?:[0-9]|bar)(?: ?/| to)", r"(?:[0-9]{1,2}|off)"),
        (r"(?:[0-9]|bar)", r"(?:/ ?|to )(?:[0-9]{1,2}|off)"),
        (r"(?<!\S)[1-6]{2}", r":"),
        (r"(?<!\S)[1-6]{2}:", r"(?:bar|[0-9]{1,2})/(?:off|[0-9]{1,2})"),
    )
)
"""Ends of lines, and the rests of their phrases that may be on the next line."""
_HALF_SCORE = re.compile(r"[^:]*: [0-9]{1,9}(?P<gap>[ \t]+)[^:\s][^:]*+(?P<colon>:?)[ \t]*+$")
_END_OF_SCORE = re.compile(r"[^:]{0,60}: ?[0-9]{1,9}[ \t]*$")
_NUMBERLESS = re.compile(r"(?![ \t]*(?:can(?:no|')t|no) (?:move|play)\b)[^0-9:/]*$", re.IGNORECASE)
_TWO_WORDS = re.compile("[a-z]{2},? [a-z]{2}", re.IGNORECASE)
_PAGE_BREAK = re.compile(r"[ \t]*(?:-[ ]?[0-9]{1,4}[ ]?-[ \t]*)?$")
"""A blank line, or the number of a page."""
_LABEL_ALONE = re.compile(r"[ \t]*[0-9]{1,3}[.)][ \t]*$")
_COLON_AND_POINTS = re.compile(r"[ \t]*: ?[0-9]{1,9}[ \t]*$")
_POINTS = re.compile(r"[ \t]*[0-9]{1,9}[ \t]*$")
_GAME = re.compile(r"[ \t]*Game [0-9]{1,4}[ \t]*$", re.IGNORECASE)
_LEFT_CELL = re.compile(
    r"[ \t]*[0-9]{1,3}[.)](?:[ \t]{0,3}[0-9a-z](?:(?!\s(?:[0-9]{2}:|(?:re)?double|take|drop|pass|wins)).)*)?[ \t]*$",
    re.IGNORECASE,
)
"""A row without a right cell."""

_PASSED_ROW = re.compile(
    r"[ \t]*[0-9]{1,3}[.)][ \t]*(?:drops|pass(?:es)?)[ ]{2,99}$", re.IGNORECASE
)
"""A row in which left passes: the win below is right's."""
_EMPTY_ROW = re.compile(r"[ \t]*[0-9]{1,3}[.)][ ]{8,99}$")
"""A row of a gap: a win below that is not indented is right's."""


def find_tabs(text: str) -> Iterator[Replacement]:
    r"""Yield replacements of tabs by blanks, so that the right player's actions form a column.

    >>> [len(part.new) for part in find_tabs(" 1) 31: 8/5 6/5\t42: 8/4 6/4")]
    [19]
    """
    if _NUMBERED.search(text) is None:
        return
    lines = text.split("\n")
    rows = [line for line in lines if _ROW.match(line) and "\t" in line.strip()]
    if _has_tabs_as_gaps(rows):
        for start, line in yield_lines_with_starts(lines):
            yield from _replace_tabs_by_columns(line, start)
    else:
        stops = _find_tab_stops(rows)
        for start, line in yield_lines_with_starts(lines):
            yield from _expand_tabs(line, start, stops)


class _Stops(NamedTuple):
    """The tab stops of a text."""

    width: int
    removed: int = 0
    """Number of characters before each line that were there when the tabs were typed."""

    def expand(self, line: str) -> str:
        """Return a line with each tab replaced by blanks up to the next tab stop."""
        return (" " * self.removed + line).expandtabs(self.width)[self.removed :]


def _expand_tabs(line: str, start: int, stops: _Stops | None) -> Iterator[Replacement]:
    """Yield replacements of a line's tabs by blanks up to the next tab stop.

    Without `stops`, only indenting tabs are replaced. `start` is the offset of the line in the
    text.
    """
    width, column = stops or _Stops(TAB_STOPS[0])
    is_indent = True
    for at, sign in enumerate(line):
        is_indent = is_indent and sign in " \t"
        if sign == "\t" and (stops or is_indent):
            blanks = width - column % width
            yield Replacement(start + at, start + at + 1, " " * blanks)
            column += blanks
        else:
            column += 1


def _has_tabs_as_gaps(rows: Sequence[str]) -> bool:
    """Whether single tabs separate the two players' actions in the rows."""
    in_two = [gap for row in rows if len(row) <= LONGEST_LINE and (gap := _GAP.match(row))]
    if not in_two or any(_SEPARATED_ROLL.match(gap.string) for gap in in_two):
        return False
    is_single = all(gap["gap"] == "\t" for gap in in_two)
    return is_single or sum(_has_two_rolls(gap.string) for gap in in_two) < LEAST_ROWS


def _has_two_rolls(row: str) -> bool:
    """Whether a row has a roll of each player.

    >>> _has_two_rolls(" 1) 31: 8/5 6/5   42: 8/4 6/4"), _has_two_rolls(" 1) 31: 8/5 6/5")
    (True, False)
    """
    return _TWO_ROLLS.search(row) is not None


def _replace_tabs_by_columns(line: str, start: int) -> Iterator[Replacement]:
    """Yield replacements of a line's tabs by blanks that put its actions into two columns.

    `start` is the offset of the line in the text.
    """
    runs = [] if "\t" not in line or len(line) > LONGEST_LINE else list(_TABS.finditer(line))
    label = _ROW.match(line)
    is_score = label is None and _SCORE.match(line) is not None
    if label is None and not is_score:
        if not (WINS.match(line) and line.startswith(SIDELESS)):
            yield from _expand_tabs(line, start, None)
        return
    if runs and _TWO_CELLS.search(line, runs[-1].end()):
        return
    column = at = 0
    for run in runs:
        column += run.start() - at
        at = run.end()
        is_lone = label is not None and run.start() == label.end()
        is_wide = run.group().count("\t") > 1 or _ROLL.match(line, at) is not None
        is_one = _OF_ONE_CELL.match(line, run.start()) is not None
        if is_lone and run.group() == SIDELESS and WINS.match(line, at):
            return  # The tab does not show who won.
        is_gap = run is runs[-1] and (is_wide or not is_lone) and not is_one
        blanks = max(RIGHT_COLUMN - column, 2) if is_gap and run.start() else 2
        yield Replacement(start + run.start(), start + at, " " * blanks)
        column += blanks


def _find_tab_stops(rows: Sequence[str]) -> _Stops | None:
    """Return the tab stops with which the right player's rolls form a column, if any do."""
    separated = sum(_SEPARATED.match(row) is not None for row in rows)
    if separated >= LEAST_SEPARATED * len(rows):
        return None
    tried = [_Stops(width, removed) for removed in range(LONGEST_QUOTE + 1) for width in TAB_STOPS]
    aligned = {stops: _count_aligned([stops.expand(row) for row in rows]) for stops in tried}
    best = max(tried, key=lambda stops: aligned[stops][0])
    count, total = aligned[best]
    return best if total >= LEAST_ROWS and count >= LEAST_ALIGNED * total else None


def _count_aligned(rows: Sequence[str]) -> tuple[int, int]:
    """Return how many of the right player's rolls share a column, and how many there are in all.

    >>> rows = [" 1) 31: 8/5 6/5     42: 8/4", " 2) 42: 8/4 6/4      31: 8/5", " 3) 65: 24/13 52: 13/8"]
    >>> _count_aligned(rows)
    (2, 3)
    """
    # Rolls that start one character apart count as one column.
    columns = Counter(roll.start("right") for row in rows if (roll := _TWO_ROLLS.search(row)))
    best = max((columns[column] + columns[column + 1] for column in columns), default=0)
    return best, columns.total()


def find_lines_inside_rows(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that remove blank lines and page numbers inside a wrapped row.

    >>> row = " 1) 31: 8/5 6/5                 42: 8/4"
    >>> list(find_lines_inside_rows(f"{row}\n\n - 1 -\n\n6/4"))
    [Replacement(start=39, end=48, new='')]
    """
    lines = text.split("\n")
    width = max((len(line.rstrip()) for line in lines if _ROW.match(line)), default=0)
    above, above_end = "", 0
    is_next, has_remark = True, False
    for start, line in yield_lines_with_starts(lines):
        is_remark = _is_remark(above, line)
        if is_remark or (len(line) <= LONGEST_LINE and _PAGE_BREAK.match(line) is not None):
            is_next = False
            has_remark = has_remark or is_remark
            continue
        is_right = _is_lone_right_cell(above, line)
        is_rest = not is_next and (is_right or _is_certain_wrap(above, line))
        is_rest = is_rest and not first_word_fits(above, line, width)
        if is_rest and has_remark:
            # The rest of the row is moved above the remark.
            blanks = max(RIGHT_COLUMN - len(above), MIN_GAP) if is_right else 1
            yield Replacement(above_end, above_end, " " * blanks + line.strip())
            yield Replacement(start - 1, start + len(line), "")
        elif is_rest:
            yield Replacement(above_end, start - 1, "")
        above, above_end = line, start + len(line)
        is_next, has_remark = True, False


def _is_remark(line_above: str, line: str) -> bool:
    """Whether a line is a remark in words, and not a part of the row above.

    >>> [_is_remark(" 1) 31: 8/5", line) for line in ("Well played, Bob.", "Cannot Move", "6/5")]
    [True, False, False]
    """
    if len(line) > LONGEST_LINE or _NUMBERLESS.match(line) is None:
        return False
    is_prose = _TWO_WORDS.search(line) is not None
    return is_prose and not CELL.match(line) and not breaks_phrase(line_above, line)


def find_wraps(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that join wrapped rows, with blanks in place of line ends.

    >>> list(find_wraps(" 1) 31: 8/5 6/5                     42: 8/4\n6/4\n 2) 42: 8/4 6/4\n"))
    [Replacement(start=43, end=44, new=' ')]
    """
    lines = text.split("\n")
    yield from join_lines(lines, _find_wrapped_lines(lines, lines), find_usual_column(lines))


def find_wraps_between_loose_signs(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that join wrapped rows, in a text with blanks around signs (`8 / 5`).

    >>> rows = " 1) 31 : 8 / 5 6 / 5       42 : 8 / 4 6 /\n4\n 2) 42 : 8 / 4 6 / 4\n"
    >>> [part.new for part in find_wraps_between_loose_signs(rows)]
    [' ']
    """
    lines = text.split("\n")
    usual = [spell_as_usual(line) if len(line) <= LONGEST_LINE else line for line in lines]
    if usual == lines:
        return
    joined = _find_wrapped_lines(usual, lines)
    if any(usual[at - 1 : at + 1] != lines[at - 1 : at + 1] for at in joined):
        yield from join_lines(lines, joined, find_usual_column(lines))


def _find_wrapped_lines(lines: Sequence[str], written: Sequence[str]) -> frozenset[int]:
    """Return the indexes of lines that are the rest of the line above.

    `written` are the same lines with the file's own signs; their lengths show where it wraps.
    """
    certain = {at for at in range(1, len(lines)) if _is_certain_wrap(lines[at - 1], lines[at])}
    certain |= set(_find_wrapped_right_cells(lines))
    certain |= set(_find_wrapped_scores(lines))
    if not certain:
        return frozenset()
    # Once a wrap is certain, other lines whose first word was too long for the line above are joined.
    width = max(len(line.rstrip()) for line in written)
    gap_end = max((len(line) for line in written if line.endswith("  ")), default=0)
    joined = set[int]()
    in_row = False
    for at, line in enumerate(lines):
        above = written[at - 1] if at else ""
        is_win = WINS.match(line) is not None
        is_gap = len(above) == gap_end and above.isspace()
        is_behind_gap = _EMPTY_ROW.match(above) is not None and not line.startswith(" ")
        is_right_win = is_win and (is_gap or is_behind_gap or _PASSED_ROW.match(above) is not None)
        is_part = not is_win and _begins_part_of_play(line)
        may_join = in_row and is_part and not first_word_fits(above, written[at], width)
        if at in certain or is_right_win or may_join:
            joined.add(at)
        else:
            in_row = _ROW.match(line) is not None
    return frozenset(joined)


def join_lines(lines: Sequence[str], joined: Container[int], column: int) -> Iterator[Replacement]:
    r"""Yield replacements that join the lines with an index in `joined` to the lines above.

    The right player's part of a row is put at the offset `column`; other text follows after a
    blank.

    >>> lines = [" 1) 31: 8/5", "6/5", "42: 8/4 6/4"]
    >>> [len(part.new) for part in join_lines(lines, {1, 2}, 34)]
    [1, 19]
    """
    length = 0
    for at, (start, line) in enumerate(yield_lines_with_starts(lines)):
        if at not in joined:
            length = len(line)
            continue
        bare = line.lstrip(" ")
        blanks = 1 + len(line) - len(bare)
        is_score = _END_OF_SCORE.match(bare) and _END_OF_SCORE.match(lines[at - 1])
        usual = spell_as_usual(bare) if len(bare) <= LONGEST_LINE else bare
        if is_score or (CELL.match(usual) and not _TWO_ROLLS.search(usual)):
            blanks = max(column - length, MIN_GAP)
        elif _continues_phrase(lines[at - 1], usual):
            blanks = 1
        yield Replacement(start - 1, start + len(line) - len(bare), " " * blanks)
        length += blanks + len(bare)


def _continues_phrase(line_above: str, line: str) -> bool:
    """Whether a line goes on with a play, phrase or score from the end of the line above.

    >>> _continues_phrase(" 9) Wins 2 points", "and the match"), _continues_phrase("31: 8/5", "42: 8/4")
    (True, False)
    """
    if max(len(line_above), len(line)) > LONGEST_LINE:
        return False
    is_play = _ONLY_STEPS.match(line) is not None
    return is_play or breaks_phrase(line_above, line) or _HALF_SCORE.match(line_above) is not None


def begins_part_of_row(line: str) -> bool:
    """Whether a line begins with part of a row (an action or steps) or with one player's score.

    >>> begins_part_of_row("6/5 42: 8/4 6/4"), begins_part_of_row(" 1) 31: 8/5")
    (True, False)
    """
    return any(part.match(line) for part in (CELL, _ONLY_STEPS, _END_OF_SCORE))


def breaks_phrase(line_above: str, line: str) -> bool:
    """Whether the line end before `line` breaks a phrase, such as `Wins 2 points`.

    >>> breaks_phrase(" 9) Wins 2", "points"), breaks_phrase(" 9) Wins 2 points", "points")
    (True, False)
    """
    above = line_above.rstrip()
    return any(end.search(above) and rest.match(line) for end, rest in _BROKEN_PHRASES)


def _is_certain_wrap(line_above: str, line: str) -> bool:
    """Whether a line, such as `6/5` below a row, must be the rest of the line above."""
    if max(len(line), len(line_above)) > LONGEST_LINE or not line.strip() or _ROW.match(line):
        return False
    if breaks_phrase(line_above, line):
        return True
    if (score := _HALF_SCORE.match(line_above)) is not None:
        is_wide = len(score["gap"]) >= MIN_GAP
        end = _POINTS if score["colon"] else _END_OF_SCORE if is_wide else _COLON_AND_POINTS
        return end.match(line) is not None
    if _LABEL_ALONE.match(line_above) and CELL.match(line) and _TWO_ROLLS.search(line):
        return True
    steps = _ONLY_STEPS.match(line) if _ROW.match(line_above) else None
    if steps is None or (len(line_above) < SHORTEST_WRAPPED and steps["right"] is None):
        return False
    return _fit_in_one_play(line_above, line)


def _fit_in_one_play(line_above: str, line: str) -> bool:
    """Whether the first steps of `line` fit into the last play of `line_above` with its dice.

    >>> _fit_in_one_play(" 1) 31: 8/5", "6/5"), _fit_in_one_play(" 1) 31: 8/5 6/5", "24/23")
    (True, False)
    """
    *_, last = re.split(r"(?=(?<!\S)[0-9]{2}:)", line_above)
    first = re.split(r"(?<!\S)[0-9]{2}:", line)[0]
    steps = len(re.findall(r"\S/\S", f"{last} {first}"))
    return steps <= (4 if last[:1] == last[1:2] else 2)


def _find_wrapped_right_cells(lines: Sequence[str]) -> Iterator[int]:
    r"""Yield the indexes of lines that hold only the right player's part of the row above.

    >>> list(_find_wrapped_right_cells([" 1) 31: 8/5 6/5", "  42: 8/4 6/4", " 2)", "  31: 8/5 6/5"]))
    [1, 3]
    """
    wins = list[int]()
    has_others = False
    for at in range(1, len(lines)):
        above, line = lines[at - 1 : at + 1]
        if max(len(above), len(line)) > LONGEST_LINE or CELL.match(line) is None:
            continue
        if WINS.match(line) is not None:
            if LOSES.match(above) is None:
                continue
            if above.endswith("  "):
                yield at
            else:
                wins.append(at)
        elif _is_lone_right_cell(above, line):
            has_others = True
            yield at
    # Without a gap behind the loss or another wrap, the win below may be of either player.
    if has_others:
        yield from wins


def _is_lone_right_cell(line_above: str, line: str) -> bool:
    """Whether a line holds only the right player's part of the row above, which lacks it.

    >>> _is_lone_right_cell(" 1) 31: 8/5 6/5", "42: 8/4 6/4"), _is_lone_right_cell(" 1) 31: 8/5", "6/5")
    (True, False)
    """
    if max(len(line_above), len(line)) > LONGEST_LINE or WINS.match(line) is not None:
        return False
    is_cell = CELL.match(line) is not None and _TWO_ROLLS.search(line) is None
    return is_cell and _LEFT_CELL.match(line_above) is not None


def _find_wrapped_scores(lines: Sequence[str]) -> Iterator[int]:
    """Yield the index of each line that completes the score line above it.

    >>> list(_find_wrapped_scores([" Game 1", " Ann : 0", "Bob : 0", " 1) 31: 8/5 6/5"]))
    [2]
    """
    for at in range(2, len(lines)):
        if (
            _GAME.match(lines[at - 2]) is None
            or max(map(len, lines[at - 1 : at + 1])) > LONGEST_LINE
        ):
            continue
        is_score = any(score.match(lines[at - 1]) for score in (_END_OF_SCORE, _HALF_SCORE))
        if is_score and _END_OF_SCORE.match(lines[at]):
            yield at


def _begins_part_of_play(line: str) -> bool:
    """Whether a line begins with a player's action, such as `31:`, or with steps, such as `6/5`.

    >>> _begins_part_of_play("6/5 42: 8/4 6/4"), _begins_part_of_play("Game 2")
    (True, False)
    """
    is_short = len(line) <= LONGEST_LINE
    return is_short and any(part.match(line) for part in (CELL, _ONLY_STEPS))


def first_word_fits(line_above: str, line: str, width: int) -> bool:
    """Whether the first word of `line` would fit on `line_above` within `width` characters.

    >>> first_word_fits(" 1) 31: 8/5", "6/5 42: 8/4", 15), first_word_fits(" 1) 31: 8/5", "6/5", 14)
    (True, False)
    """
    word = (line.split(maxsplit=1) or [""])[0]
    return len(line_above.rstrip()) + 1 + len(word) <= width


def find_usual_column(lines: Sequence[str]) -> int:
    """Return the most common offset of the right player's rolls, or `RIGHT_COLUMN` without any."""
    rolls = (_TWO_ROLLS.search(line) for line in lines if _ROW.match(line))
    columns = Counter(roll.start("right") for roll in rolls if roll)
    return columns.most_common(1)[0][0] if columns else RIGHT_COLUMN
