"""Matches typed by hand: turns, scores and results in a writer's own style, in the usual words and signs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from bganalyze.record.cleaning.labels import are_row_numbers
from bganalyze.record.cleaning.layers import (
    LONGEST_LINE,
    RIGHT_COLUMN,
    Replacement,
    yield_lines_with_starts,
)

FEWEST_TURNS = 6
"""Least number of typed rolls that show a style."""

LEAST_READ = 0.95
"""Least share of the lines with steps that must be read, or else none is replaced."""

LEAST_NAMED = 0.5
"""Least share of the lines with a name before a turn, if any has one; a few such words are something else."""

LEAST_INDENT = 12
"""Least number of blanks before a cell in the right column, if left's cell is empty."""

MOST_COLUMNS = 2
"""Most offsets of right cells in a text with columns."""

LEAST_ODD = 0.5
"""Least share of these lines that are not written as usual; few odd lines are slips."""

_DANCES = (
    r"(?:i |he |she )?(?:can(?:no|')?t|could not)(?: (?:move|play|enter))?",
    r"no (?:move|play|legal move|legal play|entry|move possible|roll|way in)s?",
    r"(?:i )?(?:dance[sd]?|fan(?:s|ned)?|dnc)",
    r"fail(?:s|ed) to enter",
    r"stay(?:s|ed)? on (?:the )?bar",
    r"(?:is )?(?:blocked|closed out|shut out|stuck)",
    r"nothing|forfeits|pass(?:es)?|bar|no|none|x|-{1,4}|/|0|\u2013|\u2014",
)
"""Ways to say behind a roll that nothing was played."""

_CUBE_WORDS = {
    "Doubles": (
        r"(?:i )?(?:re)?doubl(?:es?|ed)(?: to| at| =>)?",
        r"(?:turn(?:s|ed)? |offers? |offered )(?:the )?cube(?: to| at)?",
        r"cubes?(?: to| at)?",
        r"(?:re)?dbl(?: to)?",
        "d",
    ),
    "Takes": (
        r"(?:i )?(?:tak(?:es?|en)|took)(?: it| the cube)?",
        r"(?:i )?accept(?:s|ed)?",
        "ok",
        "tk",
        "t",
    ),
    "Drops": (
        r"(?:i )?drop(?:s|ped)?(?: it| the cube)?",
        r"(?:i )?pass(?:es|ed)?(?: it)?",
        r"(?:i )?(?:refuse[sd]?|decline[sd]?|reject(?:s|ed)?)",
        "ps",
        "p",
    ),
    "Resigns": (r"resigns?|resigned|gives? up|concedes?|folds?",),
    "Result": (
        r"(?:wins?|loses|losses) [0-9]{1,4} points?(?: and (?:the )?match)?",
        r"00: \?{2,4}",
    ),
}
"""Ways to say what is done with the cube, a resignation, and the usual words; results and unknown turns stay."""

_STEP_SIGNS = ("/", "->", ">", " to ", r"\.", "-", "\u2192", "\u2013")
_HIT = r"(?:\*|x(?![2-4](?![0-9/])))?"
_POINT = r"(?:[0-9]{1,2}|bar|off|b|o)"
_STEP = rf"{_POINT}(?:(?:{'|'.join(_STEP_SIGNS)}){_POINT}{_HIT})+(?:\([2-4]\)|x[2-4](?![0-9]))?"
_STEPS = rf"\(?{_STEP}(?:(?: ?[,;] ?| and | & | ){_STEP})*\)?"
_DICE = r"[\[({]?[1-6](?:[-,/x+&. ]|, | - )?[1-6][\])}]?"
_ROLL = rf"(?:(?:rolls?|rolled|throws|threw)[ :]+)?(?P<dice>{_DICE})(?: ?[:=,]| -(?= )|-(?= ))?"
_PLAY = rf"{_ROLL}(?:(?: and)?(?: plays?| moves?))?(?: *(?P<steps>{_STEPS})| *\(?(?P<dance>{'|'.join(_DANCES)})\)?|)"
_VALUE = r"(?: ?\(?(?P<value>(?<![0-9])(?:[248]|16|32|64|128|256|512)(?![0-9]))\)?)?"
_CUBE = "|".join(
    rf"(?P<{word}>{'|'.join(words)}){_VALUE if word == 'Doubles' else ''}"
    for word, words in _CUBE_WORDS.items()
)
_LABEL = r"(?:(?:move |turn |# ?)?(?P<number>[0-9]{1,3})(?: ?[.):\]]{1,2}| -|-(?= )|,)?[ \t]+)?"
_LABEL_ALONE = re.compile(r" *(?:move|turn) (?P<number>[0-9]{1,3}) ?[.):]? *$", re.IGNORECASE)
_NO_NAME = rf"(?!(?:{'|'.join(word for words in _CUBE_WORDS.values() for word in words)}|{'|'.join(_DANCES[:6])}|rolls?|rolled|move|turn|game|match|wins?|score)(?!\w))"
_WHO = rf"(?:(?P<who>{_NO_NAME}\"?[^\W\d][^\n:;=,/0-9]{{0,40}}?[0-9]{{0,3}}\"?)(?: ?[:=,])? +)?"
_TURN = rf"{_WHO}(?:{_PLAY}|{_CUBE})"
_END = r"[.!?;,]? *(?:<br>)?"
_FIRST = re.compile(
    rf" *(?:[-*\u2022] +)?{_LABEL}(?P<sign>(?:[;,|~/]|//|--?|\u2013|\u2014) +)?{_TURN}(?= *(?:$|[;,|~.!<]| [/-]|  |\t))",
    re.IGNORECASE,
)
_NEXT = re.compile(
    rf"(?P<sign> *(?:[;,|~]|\.{2, 3}|//?|--?|\u2013|\u2014) +|  +| ?\t[ \t]*){_TURN}(?={_END}$)",
    re.IGNORECASE,
)
_REST = re.compile(rf"{_END}$")
_HAS_STEPS = re.compile(rf"(?<![^\s(,]){_POINT}(?:/|->|>| to ){_POINT}(?![0-9:/])", re.IGNORECASE)
_USUAL = re.compile(
    r"[ \t]*[0-9]{1,3}[.)][ \t]*[1-6]{2}:(?: (?:(?:bar|[0-9]{1,2})(?:/(?:off|[0-9]{1,2})\*?)+(?:\([2-4]\))?|cannot move|$))*(?:[ \t]+[1-6]{2}:.*)?$",
    re.IGNORECASE,
)
_STEP_PARTS = re.compile(
    rf"(?P<points>{_POINT}(?:(?:{'|'.join(_STEP_SIGNS)}){_POINT}{_HIT})+)(?:\(?x?(?P<times>[2-4])\)?(?![0-9/]))?",
    re.IGNORECASE,
)
_STEP_SIGN = re.compile("|".join(_STEP_SIGNS), re.IGNORECASE)
_POINT_WORDS = {"b": "bar", "o": "off", "bar": "bar", "off": "off"}

_NAME = r"[^\W\d][^\n:;,=()/0-9]{0,40}?"
_PAIRS_OF_NAMES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"[ *]*(?:game ?#?[0-9]{{1,3}}[ .:(*]+)?(?P<left>{_NAME})(?: ?: ?| - | = | )[0-9]{{1,4}}(?: *[,;:/-] *| +)(?P<right>{_NAME})(?: ?: ?| - | = | )[0-9]{{1,4}}[ )*]*$",
        rf"[ *]*(?P<left>{_NAME}) [0-9]{{1,4}} ?[-:] ?[0-9]{{1,4}} (?P<right>{_NAME})[ *]*$",
        rf"(?:[^\n:]{{0,40}}[:,] ?|[0-9]{{1,3}}[ -]?[a-z]{{1,8}} )?(?P<left>{_NAME}) +(?:vs?\.?|versus|against) +(?P<right>{_NAME})(?: ?[,(:][^\n]*)?$",
        rf"(?P<left>{_NAME}) - (?P<right>{_NAME}), [^\n]*$",
    )
)
"""Lines that state both names, the surest first."""
_KEY_OF_NAME = re.compile(r" *(?P<key>[^\W\d]\w{0,20}) ?[:=] ?(?P<name>[^\W\d][^\n:;=]{0,60}?) *$")
_LENGTH = re.compile(
    r"(?:^|(?<=[ ,(>]))(?:(?:up to|first to|race to|match to|plays? to|length:?|to)[ :]{1,2}(?P<after>[0-9]{1,3})(?![0-9])(?: ?(?:points?|pts?))?"
    r"|(?P<before>[0-9]{1,3})[ -]?(?:points?|pts?|pointer)\b)",
    re.IGNORECASE,
)
_USUAL_LENGTH = re.compile(r" *[0-9]{1,3} point match *$", re.IGNORECASE)
_USUAL_SCORE = re.compile(r" *[^\n:]{1,60}: *[0-9]{1,4}  +[^\n:]{1,60}: *[0-9]{1,4} *$")
_GAME = re.compile(
    r" *(?:[*=#-]{1,6} *)?(?:(?:game|g) ?#?(?P<number>[0-9]{1,3})|(?P<ordinal>[0-9]{1,3})\. ?game)\b(?P<rest>[^\n]*)$",
    re.IGNORECASE,
)
_POINTS_PAIR = re.compile(r"(?<![0-9])(?P<left>[0-9]{1,3}) ?[-:] ?(?P<right>[0-9]{1,3})(?![0-9])")
_RESULT = re.compile(
    rf" *(?P<name>{_NAME}) +(?:wins?|won|gets?) +[0-9]{{1,4}}(?![0-9])", re.IGNORECASE
)
# fmt: off
_RESULT_WORDS = frozenset([
    "wins", "win", "won", "w", "gets", "get", "to", "the", "game", "a", "gammon", "backgammon", "single",
    "points", "point", "pts", "pt", "score", "and", "match",
])
# fmt: on
"""Words of a result besides the winner's name."""


class _Line(NamedTuple):
    """A line with one or two turns, in a text typed by hand."""

    at: int
    start: int
    first: re.Match[str]
    is_right: bool
    """Whether a sign or a wide gap before the turn shows that left's cell is empty."""
    second: re.Match[str] | None

    @property
    def turns(self) -> tuple[re.Match[str], ...]:
        """The one or two turns on the line."""
        return (self.first,) if self.second is None else (self.first, self.second)


def find_typed_turns(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that put turns, scores and results typed by hand into the usual form.

    >>> text = "Ann v Bob, up to 5\nGame 1\n" + "Ann (3-1) 8 to 5, 6 to 5\nBob (4-2) 8 to 4, 6 to 4\n" * 3
    >>> [part.new for part in find_typed_turns(text)][2:5]
    ['Ann: ', '31: ', '8/5']
    """
    lines = text.split("\n")
    typed = list(_read_lines(lines))
    if not _are_turns_read(lines, typed):
        return  # Too few turns, or too many lines with steps that are none.
    names = _find_names(lines, typed)
    is_odd = _must_be_rewritten(typed)
    if is_odd or not any(map(_USUAL_SCORE.match, lines)):
        usual = set() if is_odd else {at for at, line in enumerate(lines) if " : " in line}
        heads = _replace_lines_without_turns(lines, usual.union(line.at for line in typed), names)
        yield from sorted([*heads, *(_replace_turns(lines, typed, names) if is_odd else ())])


def _read_lines(lines: Sequence[str]) -> Iterator[_Line]:
    """Yield the lines that consist of one or two turns."""
    for at, (start, line) in enumerate(yield_lines_with_starts(lines)):
        if _is_skipped(line):
            continue
        first = _FIRST.match(line)
        if first is None:
            continue
        second = _NEXT.match(line, first.end())
        end = first.end() if second is None else second.end()
        # A roll without a number or a name before it may be the rest of any line.
        is_turn = first["number"] or (first["who"] and not first["Result"])
        has_result = first["Result"] or (second and second["Result"])
        if has_result and "\t" in line:
            continue  # A tab does not show who won.
        if is_turn and _REST.match(line, end):
            begin = first.start("who") if first["who"] else _find_start_of_action(first)
            indent = begin - len(line[:begin].rstrip())
            is_right = first["sign"] is not None or indent >= LEAST_INDENT
            yield _Line(at, start, first, is_right, second)


def _is_skipped(line: str) -> bool:
    """Whether a line is blank, a comment, a header entry, or too long."""
    return len(line) > LONGEST_LINE or line.lstrip()[:1] in ("", ";", "[")


def _are_turns_read(lines: Sequence[str], typed: Sequence[_Line]) -> bool:
    """Whether `typed`, the turns read from `lines`, include nearly all lines with steps.

    The turns must also have enough rolls and rising row numbers; none or nearly all must have names.
    """
    with_steps = {
        at for at, line in enumerate(lines) if not _is_skipped(line) and _HAS_STEPS.search(line)
    }
    rolls = sum(turn["dice"] is not None for line in typed for turn in line.turns)
    unread = with_steps.difference(line.at for line in typed)
    numbers = [int(line.first["number"]) for line in typed if line.first["number"]]
    if numbers and not are_row_numbers(numbers):
        return False
    named = sum(any(turn["who"] for turn in line.turns) for line in typed)
    if 0 < named < LEAST_NAMED * len(typed):
        return False
    most_unread = (1 - LEAST_READ) * max(len(with_steps), len(typed))
    return rolls >= FEWEST_TURNS and len(unread) <= most_unread


def _must_be_rewritten(typed: Sequence[_Line]) -> bool:
    """Whether the program would misread these turns unless they are rewritten."""
    # Any of three reasons: no line has a second turn or a name; at least half of the lines that
    # begin with a roll have unusual signs; nearly all gaps are equally wide, so that the right
    # cells form no column.
    rolls = [line for line in typed if line.first["dice"]]
    odd = sum(_USUAL.match(line.first.string) is None for line in rolls)
    if not any(line.second or line.first["who"] for line in typed):
        return True
    pairs = [line.second for line in rolls if line.second and "\t" not in line.second["sign"]]
    gaps = Counter(len(second["sign"]) for second in pairs)
    columns = {second.end("sign") for second in pairs}
    is_ragged = len(columns) > MOST_COLUMNS and max(gaps.values()) >= LEAST_READ * len(pairs)
    return is_ragged or odd >= LEAST_ODD * len(rolls)


class _Names(NamedTuple):
    """Both players' names, left first, and the name that each word before turns stands for."""

    players: tuple[str, str] | None
    by_word: Mapping[str, str]


def _find_names(lines: Sequence[str], typed: Sequence[_Line]) -> _Names:
    """Return the players' names, taken from lines without turns and from words before turns."""
    at_turns = {line.at for line in typed}
    heads = [
        line for at, line in enumerate(lines) if at not in at_turns and len(line) <= LONGEST_LINE
    ]
    words = list(dict.fromkeys(_find_names_before_turns(typed)))
    players = _find_both_names(heads)
    if len(words) != 2:
        return _Names(players, {})
    keys = {
        key["key"].casefold(): key["name"] for line in heads if (key := _KEY_OF_NAME.match(line))
    }
    if all(word in keys for word in words):
        players = players or (keys[words[0]], keys[words[1]])
        return _Names(players, {word: keys[word] for word in words})
    if players is None:
        spelled = {
            _strip_name_before_turn(turn["who"]): turn["who"].strip('" ')
            for line in typed
            for turn in line.turns
            if turn["who"]
        }
        return _Names(
            (spelled[words[0]], spelled[words[1]]), {word: spelled[word] for word in words}
        )
    owners = {
        word: [name for name in players if name.casefold().startswith(word)] for word in words
    }
    if all(len(names) == 1 for names in owners.values()) and owners[words[0]] != owners[words[1]]:
        return _Names(players, {word: names[0] for word, names in owners.items()})
    return _Names(players, {})


def _find_names_before_turns(typed: Iterable[_Line]) -> Iterator[str]:
    """Yield each name or initial that stands before a turn, in lower case without its number."""
    for line in typed:
        for turn in line.turns:
            if turn["who"]:
                yield _strip_name_before_turn(turn["who"])


def _strip_name_before_turn(who: str) -> str:
    """Return the name `who` in lower case, without quotes and without a number at its end.

    >>> _strip_name_before_turn('"Ann"'), _strip_name_before_turn("A12")
    ('ann', 'a')
    """
    word = who.strip('" ').casefold()
    # Only their numbers tell the names `P1` and `P2` apart.
    return word if word in ("p1", "p2") else word.rstrip("0123456789")


def _find_both_names(heads: Iterable[str]) -> tuple[str, str] | None:
    """Return the left and the right player's name from `heads` (lines without turns), or None."""
    heads = list(heads)
    for pattern in _PAIRS_OF_NAMES:  # The clearest first.
        for line in heads:
            if (pair := pattern.match(line)) is not None:
                return pair["left"].strip(" *"), pair["right"].strip(" *")
    return _find_both_names_in_results(heads)


def _find_both_names_in_results(heads: Iterable[str]) -> tuple[str, str] | None:
    """Return the left and the right name from results such as `Ann wins 1 point (0-1)`, or None.

    The winner of the first result is on the side that has points.

    >>> _find_both_names_in_results(["Ann wins 1 point (0-1)", "Bob wins 2 points (2-1)"])
    ('Bob', 'Ann')
    """
    results = [result for line in heads if (result := _RESULT.match(line)) is not None]
    names = list(dict.fromkeys(result["name"] for result in results))
    pair = _POINTS_PAIR.search(results[0].string, results[0].end()) if results else None
    if len(names) != 2 or pair is None or (int(pair["left"]) > 0) == (int(pair["right"]) > 0):
        return None
    first, second = names
    return (first, second) if int(pair["left"]) > 0 else (second, first)


def _find_player_of_each_line(
    lines: Sequence[str], typed: Sequence[_Line], players: tuple[str, str]
) -> Iterator[tuple[int, str]]:
    """Yield each line's index and player, in games with one turn a line whose result is known."""
    if any(line.second for line in typed):
        return
    for _, group in groupby(enumerate(typed), key=lambda pair: pair[1].at - pair[0]):
        game = [line for _, line in group]
        below = next(
            (lines[at] for at in range(game[-1].at + 1, len(lines)) if lines[at].strip()), ""
        )
        result = _write_result(below, _Names(players, {})) or ""
        winner = next(
            (at for at, name in enumerate(players) if result.startswith(f"{name} ")), None
        )
        last = game[-1].first
        is_off = (last["steps"] or "").rstrip(" )(234*").casefold().endswith(("off", "o", "/0"))
        if winner is None or len(game) < FEWEST_TURNS or not (last["Drops"] or is_off):
            continue
        # The result shows who made the last turn; before it, the players alternate.
        last_side = winner if is_off else 1 - winner
        for back, line in enumerate(reversed(game)):
            yield line.at, players[(last_side + back) % 2]


def _replace_turns(
    lines: Sequence[str], typed: Sequence[_Line], names: _Names
) -> Iterator[Replacement]:
    """Yield replacements that put each turn into a numbered row or behind its player's name."""
    has_names = len(set(names.by_word.values())) == 2
    lone = (
        {}
        if has_names or names.players is None
        else dict(_find_player_of_each_line(lines, typed, names.players))
    )
    row = 0
    above = -2
    has_pairs = any(line.second for line in typed)
    is_doubled = False
    for at, line in enumerate(typed):
        row = row + 1 if line.at == above + 1 else 1
        above = line.at
        has_next = at + 1 < len(typed) and typed[at + 1].at == line.at + 1
        # A row with one turn is left's, but the first row of a game that goes on is right's.
        is_right = line.is_right or (has_pairs and row == 1 and line.second is None and has_next)
        length = 0
        parts: list[Replacement] = []
        for turn in line.turns:
            written = list(_replace_turn(turn, is_doubled=is_doubled))
            is_doubled = turn["Doubles"] is not None
            begin = _find_start_of_action(turn)
            if has_names and turn["who"]:
                prefix = f"{names.by_word[_strip_name_before_turn(turn['who'])]}: "
                prefix = prefix if turn is line.first else f"\n{prefix}"
            elif line.at in lone:
                prefix = f"{lone[line.at]}: "
            elif turn is line.first:
                prefix = f"{int(turn['number'] or row):3}) "
                prefix = prefix.ljust(RIGHT_COLUMN) if is_right else prefix
            else:
                prefix = " " * max(RIGHT_COLUMN - length, 2)
            growth = sum(len(part.new) - part.end + part.start for part in written)
            length += len(prefix) + turn.end() - begin + growth
            parts += _replace(turn.string, turn.start(), begin, prefix)
            parts += written
        parts += _replace(line.first.string, line.turns[-1].end(), len(line.first.string), "")
        for part in parts:
            yield Replacement(line.start + part.start, line.start + part.end, part.new)


def _find_start_of_action(turn: re.Match[str]) -> int:
    """Return the offset in the line at which a turn's roll or cube action starts."""
    return turn.start("dice" if turn["dice"] else _get_usual_word(turn))


def _get_usual_word(turn: re.Match[str]) -> str:
    """Return the usual word, such as `Takes`, for a turn without a roll."""
    return next(word for word in _CUBE_WORDS if turn[word] is not None)


def _replace_turn(turn: re.Match[str], *, is_doubled: bool) -> Iterator[Replacement]:
    """Yield replacements that put a turn (roll and steps, or cube action) into the usual form.

    If `is_doubled` (the turn follows a double), a resignation becomes a pass.
    """
    if not turn["dice"]:
        word = _get_usual_word(turn)
        value = turn["value"] if word == "Doubles" else None
        if word == "Result":
            return
        usual = "Drops" if word == "Resigns" and is_doubled else word
        yield from _replace(
            turn.string, turn.start(word), turn.end(), f"{usual} => {value}" if value else usual
        )
        return
    dice = "".join(filter(str.isdecimal, turn["dice"]))
    if turn["steps"] is None:
        played = " Cannot Move" if turn["dance"] else ""
        yield from _replace(turn.string, turn.start("dice"), turn.end(), f"{dice}:{played}")
        return
    yield from _replace(turn.string, turn.start("dice"), turn.start("steps"), f"{dice}: ")
    end = turn.start("steps")
    for step in _STEP_PARTS.finditer(turn.string, *turn.span("steps")):
        yield from _replace(
            turn.string, end, step.start(), "" if end == turn.start("steps") else " "
        )
        yield from _replace(turn.string, *step.span(), _write_step(step))
        end = step.end()
    yield from _replace(turn.string, end, turn.end(), "")


def _write_step(step: re.Match[str]) -> str:
    """Return a step in the usual form, such as `bar/20*(2)`."""
    points = []
    for part in _STEP_SIGN.sub("/", step["points"]).split("/"):
        point = part.rstrip("*xX")
        points.append(_POINT_WORDS.get(point.casefold(), point) + "*" * (point != part))
    return "/".join(points) + (f"({step['times']})" if step["times"] else "")


def _replace(line: str, start: int, end: int, new: str) -> Iterator[Replacement]:
    """Yield a replacement of `line[start:end]` by `new`, unless both are equal."""
    if line[start:end] != new:
        yield Replacement(start, end, new)


def _replace_lines_without_turns(
    lines: Sequence[str], turns: set[int], names: _Names
) -> Iterator[Replacement]:
    """Yield replacements that give headings, scores, results and match length the usual form.

    `turns` are the indexes of lines with turns, which are skipped.
    """
    has_length = any(_USUAL_LENGTH.match(line) for line in lines)
    has_scores = any(_write_score(_get_text_behind_heading(line), names) for line in lines)
    score_now = "0-0"
    first_turn = min(turns)
    for at, (start, line) in enumerate(yield_lines_with_starts(lines)):
        if at in turns or _is_skipped(line):
            continue
        new = None
        game = _GAME.match(line)
        length = None if has_length or game or at > first_turn else _LENGTH.search(line)
        if game is not None:
            score = _write_score(game["rest"] if has_scores else score_now, names)
            new = f" Game {game['number'] or game['ordinal']}" + (f"\n{score}" if score else "")
        elif (label := _LABEL_ALONE.match(line)) is not None:
            new = f"{label['number']:>3})"
        elif length is not None:
            has_length = True
            new = f"{length['after'] or length['before']} point match"
        else:
            new = _write_score(line, names) or _write_result(line, names)
            pair = _POINTS_PAIR.search(line)
            score_now = pair.group() if pair else "" if _RESULT.match(line) else score_now
        if new is not None and new.split() != line.split():
            yield Replacement(start, start + len(line), new)


def _get_text_behind_heading(line: str) -> str:
    """Return the text after a heading such as `Game 3`, or the whole line if it has none."""
    game = _GAME.match(line)
    return line if game is None else game["rest"]


def _write_score(line: str, names: _Names) -> str | None:
    """Return a line with both players' points as a usual score line, or None for other lines.

    >>> _write_score("Ann 2, Bob 0", _Names(("Ann", "Bob"), {}))
    ' Ann : 2                          Bob : 0'
    """
    if names.players is None:
        return None
    left, right = names.players
    bare = line.strip(" *()[]:.,-")
    rest = bare.replace(left, " ", 1).replace(right, " ", 1)
    words = {word.casefold() for word in re.findall(r"[^\W\d]+", rest)}
    points = re.findall(r"[0-9]{1,4}", rest)
    has_names = left in bare and right in bare and bare.find(left) < bare.find(right)
    is_pair = _POINTS_PAIR.search(rest) is not None
    if len(points) != 2 or words - {"score", "leads", "is"} or not (has_names or is_pair):
        return None
    return f" {left} : {points[0]}".ljust(RIGHT_COLUMN) + f"{right} : {points[1]}"


def _write_result(line: str, names: _Names) -> str | None:
    """Return a line with a player's name and the points won as a usual result, or None for others.

    >>> _write_result("2 points to Ann", _Names(("Ann", "Bob"), {}))
    'Ann wins 2 points'
    """
    owners = [(name, name) for name in names.players or ()]
    owners += [(word, name) for word, name in names.by_word.items()]
    bare = _POINTS_PAIR.sub(" ", line)
    for word, name in owners:
        rest = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", " ", bare, count=1, flags=re.IGNORECASE)
        if rest == bare:
            continue
        points = re.findall(r"[0-9]{1,4}", rest)
        words = {found.casefold() for found in re.findall(r"[^\W\d]+", rest)}
        if len(points) == 1 and words <= _RESULT_WORDS:
            end = " and the match" if "match" in words else ""
            return f"{name} wins {points[0]} point{'' if points[0] == '1' else 's'}{end}"
    return None
