"""Changes of checkers in words, for plays of which only the board after them is recorded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from bganalyze.board.changes import Change, ChangeKind, find_changes
from bganalyze.board.play_faults import dice_to_play
from bganalyze.board.position import OFF
from bganalyze.record.model import Play
from bganalyze.text import number_of
from bganalyze.validation.replaying.replayed import MatchProblem, seen_by
from bganalyze.validation.rules.words import name_of_point

MOST_CHANGES = 8
"""More checkers than this are not moved by one play, even an illegal one of doubles that hits."""

_WORDS: Mapping[ChangeKind, str] = {
    "moved": "{own} moved from {source} to {target}",
    "hit": "{other} hit on the opponent's {source}",
    "put-on-bar": "{own} put on the bar from {source}",
    "brought-back": "{own} borne off earlier put back on {target}",
    "added": "{own} more on {target} than before",
    "removed": "{own} gone from {source}",
    "left-on-bar": "{own} left on the bar",
    "left-under": "{other} left on the opponent's {source}, which the player came to",
    "no-move": "no checker moved, although a play existed",
    "opponent-added": "{other} more on the opponent's {target} than before",
    "opponent-removed": "{other} gone from the opponent's {source}",
    "opponent-moved": "{other} moved from the opponent's {source} to the opponent's {target}",
    "opponent-entered": "{other} entered from the bar on the opponent's {target}",
    "opponent-borne-off": "{other} taken off the board from the opponent's {source}",
    "opponent-put-on-bar": "{other} put on the bar from the opponent's {source} without a hit",
    "hit-borne-off": "{other} hit on the opponent's {source} and taken off the board instead of put on the bar",
    "hit-put-back": "{other} hit on the opponent's {source} and put on the opponent's {target} instead of the bar",
}
"""Words for each kind of change; `own` and `other` are checkers with their number."""


def describe_changes(problem: MatchProblem) -> str:
    """Return text on how a play that the file marks as illegal changed the board, or ""."""
    turn = problem.turn
    if turn is None or not isinstance(turn.action, Play) or not turn.verified:
        # Some files do not record the board after the play.
        return ""
    action, stated = turn.action, turn.action.left_board
    if stated is None or stated.boards is None or action.dice is None:
        return ""
    before, after = (seen_by(boards, action.side) for boards in (turn.before, stated.boards))
    changes = find_changes(before, after, action.dice)
    return "; ".join(filter(None, (changes_in_words(changes), explain_pips(changes, action.dice))))


def changes_in_words(changes: Sequence[Change]) -> str:
    """Return changes of a board as text, or that there are more than one play can make.

    >>> changes_in_words([Change("moved", 13, 7), Change("left-on-bar", 25)])
    'a checker moved from the 13 point to the 7 point; a checker left on the bar'
    """
    if sum(change.checkers for change in changes) > MOST_CHANGES:
        return "the boards before and after it differ in more checkers than one play moves"
    moved = [change for change in changes if change.kind == "moved" and change.target != OFF]
    if len(moved) < 2:
        return "; ".join(map(_describe_change, changes))
    others = [change for change in changes if change not in moved]
    return "; ".join([_describe_movements(moved), *map(_describe_change, others)])


def _describe_movements(moved: Sequence[Change]) -> str:
    """Return text that lists the points that checkers left and the points they reached.

    >>> _describe_movements([Change("moved", 19, 6), Change("moved", 15, 10, checkers=2)])
    'checkers moved from the 19 point and the 15 point (2) to the 6 point and the 10 point (2)'
    """
    # The boards do not show which checker went where.
    sources, targets = Counter[int | None](), Counter[int | None]()
    for change in moved:
        sources[change.source] += change.checkers
        targets[change.target] += change.checkers
    left, reached = (
        " and ".join(
            _name_point(point, has_article=True) + f" ({count})" * (count > 1)
            for point, count in points.items()
        )
        for points in (sources, targets)
    )
    return f"checkers moved from {left} to {reached}"


def explain_pips(changes: Sequence[Change], dice: tuple[int, int]) -> str:
    """Return text on why a roll cannot move checkers like this, or "" if it can.

    >>> explain_pips([Change("moved", 8, 5)], (4, 2)), explain_pips([Change("moved", 8, 2)], (4, 2))
    ('3 pips moved of 6; the steps must be 4 and 2', '')
    """
    moved = [
        (change.source, change.target)
        for change in changes
        for _ in range(change.checkers)
        if change.kind == "moved" and change.source and change.target
    ]
    is_clear = all(
        change.kind == "hit" or (change.kind == "moved" and change.target != OFF)
        for change in changes
    )
    if not moved or not is_clear or any(target >= source for source, target in moved):
        return ""
    pips, full = sum(source - target for source, target in moved), sum(dice_to_play(dice))
    counted = [f"{pips} pips moved of {full}"] if pips != full else []
    if dice[0] == dice[1]:
        return "; ".join([*counted, *_explain_steps_of_doubles(moved, dice[0])])
    if pips < full and pips not in dice:
        counted.append("the steps must be {} and {}".format(*dice))
    return "; ".join(counted)


def _explain_steps_of_doubles(moved: Sequence[tuple[int, int]], die: int) -> Iterator[str]:
    """Yield a text if doubles of `die` cannot have moved the checkers between these points.

    `moved` has the old and the new point of each checker.
    """
    sources, targets = zip(*moved, strict=True)
    # The pairs of points may be wrong: any pairing will do.
    if sorted(source % die for source in sources) == sorted(target % die for target in targets):
        return
    yield f"no steps of {die} do that"


def _describe_change(change: Change) -> str:
    """Return one change of the board as text: `a checker moved from the 13 point to …`."""
    words = _WORDS[change.kind]
    if change.kind == "moved" and change.target == OFF:
        words = "{own} borne off from {source}"
    checkers = "a checker" if change.checkers == 1 else number_of(change.checkers, "checker")
    has_article = "{own}" in words
    return words.format(
        own=checkers,
        other=f"{checkers} of the opponent's",
        source=_name_point(change.source, has_article=has_article),
        target=_name_point(change.target, has_article=has_article),
    )


def _name_point(number: int | None, *, has_article: bool) -> str:
    """Return the name of a point, with or without the article.

    >>> _name_point(6, has_article=True), _name_point(6, has_article=False)
    ('the 6 point', '6 point')
    """
    if number is None:
        return ""
    return name_of_point(number) if has_article else name_of_point(number).removeprefix("the ")
