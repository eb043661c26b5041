"""Wording shared by messages: names of players and points, evidence, and places of findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bganalyze.board.movement import legal_plays
from bganalyze.board.plays import notation
from bganalyze.board.position import BAR, OFF
from bganalyze.record.model import Play
from bganalyze.text import number_of, percent
from bganalyze.validation.findings import Conflict, EvidenceKind, Finding
from bganalyze.validation.replaying.board_guesses import AS_RECORDED, LOST_ROW, NOT_HIT
from bganalyze.validation.replaying.contradictions import IMPOSSIBLE_AT_TABLE
from bganalyze.validation.replaying.replayed import MatchProblem
from bganalyze.validation.slip_odds import chance_in_words

_NAMES = {0: "{left}", 1: "{right}"}
"""Placeholders for the players' names."""

_VARIANTS = {
    "standard": "the standard game",
    "longgammon": "LongGammon",
    "plakoto": "Plakoto",
    "fevga": "Fevga",
    "moultezim": "Moultezim",
    "gul bara": "Gul Bara",
    "narde": "Narde",
    "tapa": "Tapa",
    "hypergammon-1": "hypergammon with 1 checker",
    "hypergammon-2": "hypergammon with 2 checkers",
    "hypergammon-3": "hypergammon with 3 checkers",
}


def player_placeholder(problem: MatchProblem) -> str:
    """Return `{left}` or `{right}`, which stands for the name of the player with the problem.

    Return "the player" if the problem belongs to neither side.
    """
    return side_placeholder(problem.side)


def opponent_placeholder(problem: MatchProblem) -> str:
    """Return `{left}` or `{right}`, which stands for the name of that player's opponent.

    Return "the opponent" if the problem belongs to neither side.
    """
    return "the opponent" if problem.side is None else _NAMES[1 - problem.side]


def side_placeholder(side: int | None) -> str:
    """Return `{left}` for side 0 or `{right}` for side 1, which stands for the player's name.

    Return "the player" if `side` is None.
    """
    return "the player" if side is None else _NAMES[side]


def name_of_variant(name: str) -> str:
    """Return the name of a variant as it is used in a sentence.

    >>> name_of_variant("standard"), name_of_variant("nackgammon")
    ('the standard game', 'nackgammon')
    """
    return _VARIANTS.get(name, name)


def name_of_point(number: int) -> str:
    """Return the name of a point as it is used in a sentence.

    >>> name_of_point(25), name_of_point(6)
    ('the bar', 'the 6 point')
    """
    if number == BAR:
        return "the bar"
    return "off the board" if number == OFF else f"the {number} point"


def roll_in_words(problem: MatchProblem) -> str:
    """Return the roll of the play that has the problem, such as `4-2`, or `?-?` if unknown."""
    action = problem.turn.action if problem.turn else None
    if not isinstance(action, Play) or action.dice is None:
        return "?-?"
    return f"{action.dice[0]}-{action.dice[1]}"


def only_legal_play(problem: MatchProblem) -> str | None:
    """Return the only legal play of the problem's roll, or None if there are several or none."""
    action = problem.turn.action if problem.turn else None
    if problem.turn is None or not isinstance(action, Play) or action.dice is None:
        return None
    plays = list(legal_plays(problem.turn.position(action.side), action.dice).values())
    return notation(plays[0]) if len(plays) == 1 else None


def step_in_words(problem: MatchProblem) -> str:
    """Return the step that breaks the rule, such as `8/4`, or `the play` if no single step does."""
    action = problem.turn.action if problem.turn else None
    fault = problem.about.get("fault")
    if not isinstance(action, Play) or fault is None or fault.step is None:
        return "the play"
    path = action.steps[fault.step].path
    return "/".join({BAR: "{bar}", OFF: "{off}"}.get(point, str(point)) for point in path)


def points_in_words(count: int) -> str:
    """Return a number of points as text, such as `1 point` or `2 points`."""
    return f"{count} point" + ("" if count == 1 else "s")


def line_of(place: str) -> str:
    """Return the line of `place` (`line:column`) as text.

    >>> line_of("12:34")
    'line 12'
    """
    return f"line {place.partition(':')[0]}"


def is_misread(reading: str | None) -> bool:
    """Whether the replay made another play than the written one because of a finding.

    `reading` is the finding's text after `read as`.

    >>> is_misread("8/4 6/4 instead"), is_misread("as recorded"), is_misread(None)
    (True, False, False)
    """
    if reading in (None, AS_RECORDED):
        return False
    return reading != NOT_HIT and not str(reading).startswith(LOST_ROW)


NOT_RECORDED = "unplayed-roll"
"""The rule about a turn whose play is not recorded, so that nothing was written down wrong."""


def describe_reading(finding: Finding) -> str:
    """Return a finding's text after `read as`: what the replay did instead, and why."""
    reading = finding.reading or AS_RECORDED
    if finding.name == NOT_RECORDED:
        play = reading.removesuffix(" supplied").removesuffix(" instead")
        return f"{play}: what follows fits this, but the record does not show what was played"
    is_elsewhere = finding.cause is not None and finding.cause.line != finding.line
    if is_misread(reading) and not is_elsewhere:
        return f"{reading}: what follows fits this, so it was probably written down wrong"
    return f"{reading}: what follows fits this"


def place_in_words(finding: Finding) -> str:
    """Return a finding's place as text, such as `game 2, row 14, right: Bob`.

    Return "" if the finding concerns the whole file.
    """
    roll = "{}-{}".format(*finding.dice) if finding.dice and not finding.row else None
    numbers = (
        ("match", finding.match if finding.match > 1 else None),
        ("game", finding.game),
        ("row", finding.row and finding.row.strip()),
        ("roll", roll),
    )
    parts = [f"{word} {number}" for word, number in numbers if number]
    place = ", ".join([*parts, finding.side] if finding.side else parts)
    return f"{place}: {finding.player}" if finding.player else place


FITS = "everything that follows fits this as recorded"
NOTHING_FOLLOWS = "nothing later shows whether this was recorded correctly"

MOST_CONFLICTS, MOST_SUPPOSED = 2, 3
"""Maximum number of contradicting places, and of possible slips, shown to people."""


def describe_probability(finding: Finding, probability: float) -> str:
    """Return the probability that a repair is correct as text: a percentage or a range.

    `probability` is the repair's probability if the transcriber made the error.
    """
    if finding.slip is None or finding.may_be_players:
        return percent(probability)
    return chance_in_words(finding.slip, probability)


def _describe_conflicts(conflicts: Sequence[Conflict]) -> str:
    """Return text that lists the first places that contradict an error, and counts the others."""
    others = len(conflicts) - MOST_CONFLICTS
    places = "; ".join(f"line {c.line}, {c.what}" for c in conflicts[:MOST_CONFLICTS])
    return f"{places}; and {number_of(others, 'other place')}" if others > 0 else places


def explain_probability(finding: Finding, probability: float) -> str:
    """Return how likely a repair is correct, and on which condition: `80 % if it is a slip`.

    `probability` is the repair's probability if the transcriber made the error.
    """
    words = describe_probability(finding, probability)
    if finding.may_be_players:
        return f"{words} if it is a slip"
    share, comma, dependence = words.partition(",")
    return f"{share} that this is right{comma}{dependence}"


def name_whom_to_ask(finding: Finding) -> str:
    """Return text on who may know what was really played, or "" if no player acted.

    For example, it begins with `ask Bob and the opponent`.
    """
    if finding.player is None or finding.row is None:
        return ""
    place = place_in_words(finding._replace(side=None, player=None))
    return f"ask {finding.player} and the opponent, or look at the video: {place}"


_SUBJECTS = {"P": "play", "C": "cube action", "U": "set-up"}
"""Words for the action that a finding is about, by the first letter of its code."""


def _name_faulty_action(finding: Finding) -> str:
    """Return the kind of the erroneous action, such as `dance`, `play` or `cube action`."""
    return "dance" if finding.name == "false-dance" else _SUBJECTS.get(finding.code[0], "entry")


def describe_evidence(finding: Finding) -> Iterator[tuple[str, str]]:
    """Yield labels and texts on what in the match file contradicts an error or fits it."""
    evidence = finding.evidence
    if evidence is None:
        return
    if evidence.kind is EvidenceKind.CONTRADICTED:
        conflicts = [one for one in evidence.by if one.code and one.line != finding.line]
        readings = [one for one in evidence.by if one.code is None]
        if not conflicts and not readings and finding.name in IMPOSSIBLE_AT_TABLE:
            conflicts = list(evidence.by)  # The play itself.
        contradicted = f"this {_name_faulty_action(finding)} is contradicted by"
        for label, places in ((contradicted, conflicts), ("the record also says", readings)):
            if places:
                yield label, _describe_conflicts(places)
        return
    yield "evidence", FITS if evidence.kind is EvidenceKind.CONSISTENT else NOTHING_FOLLOWS
    if finding.slip is not None and finding.slip.stated is not None:
        yield "mistranscribed", chance_in_words(finding.slip)
    if finding.if_slip:
        messages = (proposal.message for proposal in finding.if_slip[:MOST_SUPPOSED])
        yield "if mistranscribed", "; or ".join(messages)
