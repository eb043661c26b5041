"""Rulings of rule books on findings: whether an error can be corrected at some moment, and how."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.board.rule_text import Clause, Known
from bganalyze.validation.findings import ClosingAction, Finding, Standing, StandingByBook
from bganalyze.validation.replaying.contradictions import IMPOSSIBLE_AT_TABLE
from bganalyze.validation.replaying.player_error_rule import END_OF_RECORD, MOVEMENT, SET_UP
from bganalyze.validation.rules.words import is_misread

DECIDERS = {
    "both-must-act": "both players must act",
    "opponent-must-decide": "the opponent must decide",
    "opponent-may": "the opponent may decide",
    "either-may": "either player may act",
}
"""Who acts on an illegal play, by the values of `who-decides`."""

CLOSERS = {"roll": "roll", "roll-or-double": "roll or double", "play": "completed play"}
"""Actions that close an error of movement, by the values of `stands-after`."""

SET_UP_ENDS = {
    "second-play": ("before the second roll of the game", "has been played", "had been played"),
    "second-roll-played": (
        "before the play of the second roll of the game",
        "is completed",
        "was completed",
    ),
    "starters-second-turn": (
        "before the side that started",
        "begins its second turn",
        "began its second turn",
    ),
    "fifth-roll": ("before the fifth roll of the game", "is made", "was made"),
}
"""Ends of the time to correct a set-up, each with its verb in the present and in the past."""

SILENT = "this book is not known to say"
_UNDECIDED = f"{SILENT} what becomes of this"


def explain_missing_clause(code: str, name: str, rule_book: RuleBook) -> str:
    """Return text that no clause of the rule book decides what to do about errors of a rule."""
    related = related_clauses(code, name, rule_book)
    clauses = [clause for clause in related if not clause.decides]
    if not clauses:
        return _UNDECIDED
    named = ", ".join(clause.name for clause in clauses)
    return f"no clause that is known decides by itself what becomes of this; see {named}"


def related_clauses(code: str, name: str, rule_book: RuleBook) -> tuple[Clause, ...]:
    """Return the clauses of a rule book on the subject of a rule, if their wording is known.

    `code` and `name` are those of the rule.
    """
    topics = set(_list_topics(code, name)) - {"cube"}
    return tuple(
        clause
        for clause in rule_book.text.clauses
        if clause.topic in topics and clause.known is not Known.ASSUMED
    )


_TIME_LIMITS = frozenset(("stands_after", "set_up_stands_after"))
"""Switches that say until when an error can be corrected."""


class Ruling(NamedTuple):
    """Ruling of a rule book on a finding, without consequences for the score."""

    rule_book: RuleBook
    standing: Standing | None
    """The standing at the moment when it was noticed; None if the book does not say."""
    decider: str
    """The player or players who must or may act; empty if it is too late or the book does not say."""
    remedy: str
    """The remedy now, in words that may follow the standing."""
    switches: tuple[str, ...]
    """The switches on which the ruling rests, as fields of `RuleBook`."""

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses, of known wording, that decide the settings in `switches`."""
        found = (self.rule_book.deciding_clause(switch) for switch in self.switches)
        return tuple(dict.fromkeys(clause for clause in found if clause is not None))

    @property
    def base_rules(self) -> tuple[str, ...]:
        """The settings in `switches` on which the book is silent, so that the `basic` rules apply."""
        return tuple(switch for switch in self.switches if self.rule_book.is_silent_on(switch))

    @property
    def is_limit_from_base_rule(self) -> bool:
        """Whether the time limit of this ruling comes from the `basic` rules, not from its book."""
        return not _TIME_LIMITS.isdisjoint(self.base_rules)

    @property
    def unread_clauses(self) -> tuple[Clause, ...]:
        """The clauses that may decide settings in `base_rules`, but whose wording is not known."""
        return tuple(
            clause
            for clause in self.rule_book.text.clauses
            if clause.known is Known.ASSUMED
            and not {*dict(clause.decides)}.isdisjoint(self.base_rules)
        )


class MomentNoticed(NamedTuple):
    """The moment when an error was noticed: before an action, or after its roll."""

    place: str
    """The place of the action as findings name it, `line:column`."""
    is_rolled: bool = False
    """Whether its roll had been made, but its play was not completed."""


def rule_on(
    finding: Finding, rule_book: RuleBook, noticed: MomentNoticed | None = None
) -> Ruling | None:
    """Return a rule book's ruling on a finding: what to do, who decides and until when.

    The match must have been checked by this rule book. `noticed` is the moment when the error was
    noticed; None stands for the end of the file. Return None if nobody needs to act.
    """
    if finding.before_ruling is not None and _is_before_ruling(finding, noticed):
        return rule_on(finding.without_ruling(), rule_book, noticed)
    standing = standing_at_moment(finding, rule_book, noticed)
    if finding.name == "game-after-match":
        return _rule_on_games_after_match(rule_book)
    if finding.name in ("crawford-double", "dead-cube"):
        return _rule_on_forbidden_double(finding, rule_book, standing)
    if standing is None:
        is_of_cube = finding.code.startswith("C")
        words = explain_missing_clause(finding.code, finding.name, rule_book)
        return Ruling(rule_book, None, "", words, ()) if is_of_cube else None
    if finding.name in ("wrong-value", "impossible-cube"):
        return _make_ruling(rule_book, standing, "both players must act", _LEFT_OVER, _OF_LEFT_OVER)
    if finding.is_of_set_up:
        return _rule_on_set_up(finding, rule_book, standing)
    return _rule_on_movement(finding, rule_book, standing)


def _is_before_ruling(finding: Finding, noticed: MomentNoticed | None) -> bool:
    """Whether an error was noticed before the director's ruling that corrected it."""
    return noticed is not None and _parse_place(noticed.place) <= _parse_place(
        finding.closed_by or ""
    )


def remedy(finding: Finding, rule_book: RuleBook) -> str:
    """Return what the rule book says must or may be done about a finding, or ""."""
    ruling = rule_on(finding, rule_book)
    return "" if ruling is None else ruling.remedy


def standing_at_moment(
    finding: Finding, rule_book: RuleBook, noticed: MomentNoticed | None
) -> Standing | None:
    """Return whether an error could still be corrected at the moment when it was noticed.

    The result is "open" (correctable), "corrected", "stands" (too late), or None. `noticed` is None
    if the error was noticed at the end of the file.

    >>> from bganalyze.validation.findings import Severity
    >>> finding = Finding("a.mat", 3, 6, 9, "P409", "unplayed-die", Severity.ERROR, "", 1,
    ...     standing=Standing.STANDS, closed_by="5:6")
    >>> moments = MomentNoticed("5:6"), MomentNoticed("5:34")
    >>> [str(standing_at_moment(finding, BASIC, moment)) for moment in moments]
    ['open', 'stands']
    """
    closed_by = finding.closed_by
    if noticed is None or finding.standing is None or closed_by in (None, END_OF_RECORD):
        return finding.standing
    moment, closer = _parse_place(noticed.place), _parse_place(closed_by or "")
    is_done = moment > closer or (
        moment == closer and noticed.is_rolled and not is_correctable_until_play(finding, rule_book)
    )
    return finding.standing if is_done or _stands_from_the_start(finding) else Standing.OPEN


def is_correctable_until_play(finding: Finding, rule_book: RuleBook) -> bool:
    """Whether an error can be corrected until a play is made, not only until a roll."""
    if finding.is_of_set_up:
        return rule_book.set_up_stands_after in ("second-play", "second-roll-played")
    return finding.name in MOVEMENT and rule_book.stands_after == "play"


def _stands_from_the_start(finding: Finding) -> bool:
    """Whether an error could not be corrected even right after it was made."""
    return finding.closed_by == f"{finding.line}:{finding.column}"


def _parse_place(text: str) -> tuple[int, int]:
    """Return the line and the column of a place written `line:column`."""
    line, _, column = text.partition(":")
    return int(line), int(column)


# Movement.

_ONLY_IF_PLAYED = "only if it was really played so"
_NO_SUCH_CHECKER = (
    "the board shown has no such checker: this play or an earlier one is recorded wrongly"
)


def _rule_on_movement(finding: Finding, rule_book: RuleBook, standing: Standing) -> Ruling:
    """Return the ruling on an illegal play.

    `standing` says whether the play can still be corrected ("open"), was corrected, or stands.
    """
    match standing:
        case Standing.CORRECTED:
            return Ruling(rule_book, standing, "", _explain_correction(finding), ())
        case Standing.OPEN:
            switches = ("who_decides", "stands_after")
            words = explain_correction_of_play(rule_book)
            return _make_ruling(
                rule_book, standing, DECIDERS[rule_book.who_decides], words, switches
            )
        case Standing.STANDS:
            words = _explain_why_play_stands(finding, rule_book)
            start = "the play stays on the board as made"
            if is_misread(finding.reading) or finding.is_contradicted:
                start = _ONLY_IF_PLAYED
                if finding.name in IMPOSSIBLE_AT_TABLE:
                    start += f", but {_NO_SUCH_CHECKER}"
            return _make_ruling(rule_book, standing, "", f"{start}; {words}", ("stands_after",))


def explain_correction_of_play(rule_book: RuleBook) -> str:
    """Return text on who may or must correct an illegal play, and until when.

    An example is `it must be corrected before the next roll`.
    """
    closer = CLOSERS[rule_book.stands_after]
    rerolled = "" if rule_book.stands_after != "play" else "; a roll made since is made anew"
    match rule_book.who_decides:
        case "both-must-act":
            return f"it must be corrected before the next {closer}{rerolled}"
        case "opponent-must-decide":
            return (
                "the opponent must decide whether it stands or is corrected,"
                f" before the next {closer}{rerolled}"
            )
        case "opponent-may":
            return (
                f"the opponent may accept it or have it corrected until the next {closer}{rerolled}"
            )
        case "either-may":
            return f"either player may call for its correction until the next {closer}{rerolled}"


def _explain_why_play_stands(finding: Finding, rule_book: RuleBook) -> str:
    """Return text that names the action after which it was too late to correct an illegal play."""
    closer = finding.closer
    if closer is None:
        return f"not corrected before the next {CLOSERS[rule_book.stands_after]}"
    played = " and completed the play" if rule_book.stands_after == "play" else ""
    later = "" if closer.game == finding.game else f", in game {closer.game}"
    end = f"too late to correct after the next {CLOSERS[rule_book.stands_after]}{later}"
    return f"{end}: {closer.name} {closer.action}{played} ({closer.place})"


# Set-up.


def _rule_on_set_up(finding: Finding, rule_book: RuleBook, standing: Standing) -> Ruling:
    """Return the ruling on a wrong set-up (starting position).

    `standing` says whether the set-up can still be corrected ("open"), was corrected, or stands.
    """
    if (
        finding.name == "shared-point"
        and rule_book.impossible_position
        and standing is not Standing.CORRECTED
    ):
        words, decider = _IMPOSSIBLE, "both players must act"
        return _make_ruling(rule_book, Standing.OPEN, decider, words, _OF_IMPOSSIBLE)
    until, _, was_done = SET_UP_ENDS[rule_book.set_up_stands_after]
    match standing:
        case Standing.CORRECTED:
            return Ruling(rule_book, standing, "", _explain_correction(finding), ())
        case Standing.OPEN:
            words = explain_correction_of_set_up(rule_book)
            return _make_ruling(rule_book, standing, "both players must act", words, _OF_SET_UP)
        case Standing.STANDS:
            at = f" ({finding.closer.place})" if finding.closer else ""
            words = f"the set-up stays on the board as made; not corrected {until} {was_done}{at}"
            return _make_ruling(rule_book, standing, "", words, _OF_SET_UP)


def explain_correction_of_set_up(rule_book: RuleBook) -> str:
    """Return text on until when a wrong set-up must be corrected."""
    until, is_done, _ = SET_UP_ENDS[rule_book.set_up_stands_after]
    return f"it must be corrected if either player notices it {until} {is_done}"


def _explain_correction(finding: Finding) -> str:
    """Return text that an error was corrected, by the players in time or by a director."""
    if finding.before_ruling is not None:
        return _explain_correction_by_director(finding, finding.before_ruling)
    at = f" ({finding.closer.place})" if finding.closer else ""
    return f"in time{at}: nothing is left to do"


def _explain_correction_by_director(finding: Finding, without_director: StandingByBook) -> str:
    """Return text that a director corrected an error, and whether players were then too late."""
    at = f" ({finding.closer.place})" if finding.closer else ""
    done = f"by the director{at}: nothing is left to do"
    if without_director.standing is not Standing.STANDS or without_director.closer is None:
        return done
    if _parse_place(without_director.closed_by or "") > _parse_place(finding.closed_by or ""):
        return done
    return f"{done}; by this rule book it would have stood since {without_director.closer.place}"


_OF_SET_UP = ("set_up_stands_after",)
_OF_IMPOSSIBLE = ("impossible_position",)
_IMPOSSIBLE = "an impossible position must be corrected whenever it is noticed"

# The cube.

_OF_LEFT_OVER = ("left_over_cube",)
_OF_FORBIDDEN = ("forbidden_cube",)
_LEFT_OVER = (
    "a cube left over from the last game goes back to the middle as soon as that is noticed, and"
    " neither player may take advantage of it"
)


def _rule_on_forbidden_double(
    finding: Finding, rule_book: RuleBook, standing: Standing | None
) -> Ruling | None:
    """Return the ruling on a Crawford double or a dead cube, or None if it is allowed."""
    if finding.name == "dead-cube" and rule_book.dead_cube == "allow":
        return None
    if rule_book.forbidden_cube is None:
        words = explain_missing_clause(finding.code, finding.name, rule_book)
        return Ruling(rule_book, None, "", words, ())
    is_closed = standing is Standing.STANDS
    words = _describe_ruling_on_forbidden_double(
        rule_book, finding.closer if is_closed else None, is_closed
    )
    if standing is None:
        words = f"if this is the Crawford game: {words}"
    decider = "both players must act" if standing is Standing.OPEN else ""
    return _make_ruling(rule_book, standing, decider, words, _OF_FORBIDDEN)


def _describe_ruling_on_forbidden_double(
    rule_book: RuleBook, closing_action: ClosingAction | None, is_closed: bool
) -> str:
    """Return text on what a rule book does with a forbidden double.

    If it is too late to annul the double, `is_closed` is true, and `closing_action` is the action
    that made it too late, or None if unknown.
    """
    if rule_book.forbidden_cube == "stand":
        return "this book lets the double and its answer stand"
    if rule_book.forbidden_cube == "void":
        return "the double is void whenever it is noticed; the game goes on, or counts, without it"
    if is_closed:
        at = f" ({closing_action.place})" if closing_action else ""
        return f"not annulled before the next game began{at}"
    return (
        "the double is annulled, and the game goes on, or counts, without it: until the next game"
        " begins or, at the end of the match, the result is recorded"
    )


# The length of the match.

_OF_LENGTH = ("long_match",)
_LONG_MATCH = "the player who first reached the length of the match has won; the games after that do not count"


def _rule_on_games_after_match(rule_book: RuleBook) -> Ruling | None:
    """Return the ruling on games played after a match was over, or None if the book has none."""
    if rule_book.long_match is None:
        return None
    return _make_ruling(rule_book, Standing.OPEN, "the director decides", _LONG_MATCH, _OF_LENGTH)


# The book.


def _make_ruling(
    rule_book: RuleBook,
    standing: Standing | None,
    decider: str,
    words: str,
    switches: tuple[str, ...],
) -> Ruling:
    """Return a ruling with the text `words`, followed by remarks on how reliable it is.

    `decider` says who must or may act. `switches` are the settings of the rule book on which the
    ruling rests.
    """
    ruling = Ruling(rule_book, standing, decider, words, switches)
    return ruling._replace(remedy="; ".join((words, *_list_remarks_on_reliability(ruling))))


def _list_remarks_on_reliability(ruling: Ruling) -> Iterator[str]:
    """Yield remarks on quoted clauses and on settings taken from the base rules."""
    if ruling.rule_book.name == BASIC.name and ruling.rule_book.own_text is None:
        return  # Its clauses were read, and are the base rules.
    for clause in ruling.clauses:
        if clause.known is Known.QUOTED:
            yield clause.name
    match ruling.base_rules:
        case ():
            return
        case ("who_decides",):
            yield f"{SILENT} who decides: the base rule is applied"
        case ("stands_after",) | ("set_up_stands_after",):
            yield f"{SILENT} until when: the base rule is applied"
        case _:
            yield f"{SILENT} so: the base rule is applied"


# A rule of the catalog.


class RuleInBook(NamedTuple):
    """Treatment of a rule of the catalog by a rule book."""

    verdict: str
    """How the book treats an error that is noticed in time, in words."""
    clauses: tuple[Clause, ...]
    """All clauses about its subject, also those that decide nothing."""


def describe_rule(code: str, name: str, rule_book: RuleBook) -> RuleInBook:
    """Return how a rule book treats errors against a rule, with the clauses that decide it."""
    topics = _list_topics(code, name)
    clauses = tuple(clause for clause in rule_book.text.clauses if clause.topic in topics)
    return RuleInBook(_describe_treatment(code, name, rule_book), clauses)


def _list_topics(code: str, name: str) -> tuple[str, ...]:
    """Return the topics of the clauses that concern a rule, such as `movement` or `cube`."""
    if name in MOVEMENT or name == "result-contestable":
        return ("movement", "spectators", "penalty")
    if name in SET_UP:
        return ("set-up",)
    return _TOPICS.get(name, ("cube",) if code.startswith("C") else ())


_TOPICS = {
    "crawford-double": ("forbidden-cube",),
    "dead-cube": ("forbidden-cube", "dead-cube"),
    "wrong-value": ("cube", "left-over-cube"),
    "impossible-cube": ("cube", "left-over-cube"),
    "double-out-of-turn": ("cube", "premature"),
    "second-roll": ("premature",),
    "game-after-match": ("length",),
    "match-end-mark": ("length",),
    "partial-match": ("length",),
    "final-score-mismatch": ("length",),
    "jacoby-gammon": ("cube",),
    "ruling-mismatch": ("penalty", "lateness"),
}
"""The topics of clauses about rules of the cube, the roll and the result."""


def _describe_treatment(code: str, name: str, rule_book: RuleBook) -> str:
    """Return text on how a rule book treats an error against a rule that is noticed in time."""
    if name in MOVEMENT or name == "result-contestable":
        words, switches = explain_correction_of_play(rule_book), ("who_decides", "stands_after")
        return _make_ruling(rule_book, Standing.OPEN, "", words, switches).remedy
    if name == "shared-point" and rule_book.impossible_position:
        return _make_ruling(rule_book, None, "", _IMPOSSIBLE, _OF_IMPOSSIBLE).remedy
    if name == "game-after-match" and rule_book.long_match:
        return _make_ruling(rule_book, None, "", _LONG_MATCH, _OF_LENGTH).remedy
    if name in SET_UP:
        words = explain_correction_of_set_up(rule_book)
        return _make_ruling(rule_book, Standing.OPEN, "", words, _OF_SET_UP).remedy
    if name == "dead-cube" and rule_book.dead_cube == "allow":
        words = "a dead cube may be turned"
        return _make_ruling(rule_book, None, "", words, ("dead_cube",)).remedy
    if name in ("crawford-double", "dead-cube"):
        start = "it is an error; " if name == "dead-cube" else ""
        return start + _describe_treatment_of_forbidden_double(code, name, rule_book)
    if name in ("wrong-value", "impossible-cube") and rule_book.left_over_cube:
        return _make_ruling(rule_book, Standing.OPEN, "", _LEFT_OVER, _OF_LEFT_OVER).remedy
    if code[0] in "TS":
        return "this is about the match file, and rule books are about play"
    return explain_missing_clause(code, name, rule_book) if code[0] in "CR" else _UNDECIDED


def _describe_treatment_of_forbidden_double(code: str, name: str, rule_book: RuleBook) -> str:
    """Return text on how a rule book treats a forbidden double that is noticed in time."""
    if rule_book.forbidden_cube is None:
        return explain_missing_clause(code, name, rule_book)
    words = _describe_ruling_on_forbidden_double(rule_book, None, is_closed=False)
    return _make_ruling(rule_book, Standing.OPEN, "", words, _OF_FORBIDDEN).remedy
