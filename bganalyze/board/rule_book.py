"""Rule books: the base rules, tournament rules, and the switches in which they differ.

The base rules (`basic`) are the project's own. Other books differ from them in a few points only;
each is a switch here, named as in the documentation of `bganalyze.toml`. The books are TOML files
in `books/`; a file is read when its book is chosen.
"""

# Annotations are evaluated here: `record/model.py` says why.

from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self, get_args, get_type_hints

from bganalyze.board.position import VARIANTS
from bganalyze.board.rule_text import (
    READ_IN_PART,
    Clause,
    Known,
    RuleText,
    SwitchValues,
    read_clauses,
    read_heading,
    read_packaged_table,
)

AfterIllegal = Literal["played", "skip", "stop"]
"""Board after an illegal play: with the play as recorded, without it, or no board at all."""

StandsAfter = Literal["roll", "roll-or-double", "play"]
WhoDecides = Literal["both-must-act", "opponent-must-decide", "opponent-may", "either-may"]
SetUpStandsAfter = Literal[
    "second-play", "second-roll-played", "starters-second-turn", "fifth-roll"
]
LeftOverCube = Literal["always-corrected"]
ForbiddenCube = Literal["void", "annulled-until-recorded", "stand"]
DeadCube = Literal["allow", "prohibit"]
ImpossiblePosition = Literal["always-corrected"]
LongMatch = Literal["ends-at-length"]


class RuleBook(NamedTuple):
    """One set of rules. Its switches are settings such as `jacoby` or `dead_cube`.

    A switch is None if the match file decides or the book does not say.
    """

    name: str = "basic"
    body: str = "base rules"
    edition: str = "player-error rule of 1931"
    date: str = "1931"
    """Year, month or day of the edition; empty if it is not known."""
    file: str = ""
    """Name and digest of the user's file that holds the book; empty for a book of this package."""
    own_text: RuleText | None = None
    """The text of a book from the user's file."""
    who_decides: WhoDecides = "either-may"
    """Who must or may act on an illegal play: `both-must-act` are the Legal Moves, and
    `opponent-must-decide` the Responsible Moves of the WBGF."""
    stands_after: StandsAfter = "roll"
    """Action after which an error of movement stands: the next roll, also a valid double, or the
    next completed play."""
    set_up_stands_after: SetUpStandsAfter = "second-play"
    """Event after which an error of set-up stands."""
    left_over_cube: LeftOverCube | None = None
    """Treatment of a cube left over from the last game."""
    forbidden_cube: ForbiddenCube | None = None
    """Treatment of a double in the Crawford game, or of a dead cube if the book prohibits it."""
    dead_cube: DeadCube = "allow"
    impossible_position: ImpossiblePosition | None = None
    """Treatment of a set-up with checkers of both sides on one point; None: as any wrong set-up."""
    long_match: LongMatch | None = None
    """Treatment of a match that was played beyond its length."""
    crawford: bool | None = None
    jacoby: bool | None = None
    beavers: bool | None = None
    auto_doubles: bool | None = None
    cube_limit: int | None = None
    variant: str | None = None
    after_illegal: AfterIllegal = "played"

    @property
    def text(self) -> RuleText:
        """The clauses and sources of the book; empty for a book made of settings alone."""
        if self.own_text is not None:
            return self.own_text
        if self.name not in EDITIONS:
            return RuleText()
        packaged, text = _load_packaged(self.name)
        is_edition = (self.body, self.edition) == (packaged.body, packaged.edition)
        return text if is_edition else RuleText()

    @property
    def label(self) -> str:
        """The name of the book with its publisher, edition and date.

        >>> RULE_BOOKS["wbf"].label
        'wbgf-2.1 (World Backgammon Federation, Tournament Rules 2.1, 2023-08)'
        """
        date = "" if self.date in self.edition else self.date
        about = ", ".join(filter(None, (self.body, self.edition, date)))
        name = f"{self.name} in {self.file}" if self.file else self.name
        return f"{name} ({about})" if about else name

    def as_written(self) -> Self:
        """Return the book as its text says, without a user's changes to the settings."""
        if self == BASIC:
            return self
        if self.own_text is None and self.name == BASIC.name:
            return self._replace(**{field: getattr(BASIC, field) for field in _FIELDS})
        return self._replace(**_collect_decided_switches(self.text))

    def find_clause(self, topic: str) -> Clause | None:
        """Return the first clause of the book about a topic such as `dead-cube`, or None.

        If the book's text was not available, the clause may be an assumption (`Known.ASSUMED`).
        """
        return next(iter(self.text.find_clauses(topic)), None)

    def deciding_clause(self, switch: str) -> Clause | None:
        """Return the clause that decides `switch`, a setting such as `jacoby`, or None.

        The result is also None if a user has changed the setting.
        """
        value = getattr(self, switch)
        deciding = self.text.find_deciding_clauses(switch)
        return next((clause for clause in deciding if (switch, value) in clause.decides), None)

    def is_silent_on(self, switch: str) -> bool:
        """Whether no clause of the book decides `switch`, a setting such as `jacoby`.

        The result is also False if the book has no clauses, or if the setting differs from the base
        rules (`basic`).
        """
        if not self.text.clauses or getattr(self, switch) != getattr(BASIC, switch):
            return False
        return next(self.text.find_deciding_clauses(switch), None) is None


BASIC = RuleBook()

_IDENTITY = ("name", "body", "edition", "date", "file", "own_text")
_FIELDS = tuple(field for field in RuleBook._fields if field not in _IDENTITY)
"""The switches, as fields of `RuleBook`."""


def _make_switch_of_words(*values: Any) -> SwitchValues:
    """Return the allowed values of a rule-book setting whose values are these words.

    >>> _make_switch_of_words("roll", "play").accepts("play")
    True
    """
    return SwitchValues(f"one of {', '.join(values)}", values)


_BY_TYPE = {
    bool | None: SwitchValues("true or false", (True, False)),
    int | None: SwitchValues("a whole number from 1"),
    str | None: _make_switch_of_words(*VARIANTS),
}


def _list_values_of_switches() -> dict[str, SwitchValues]:
    """Return the allowed values of each rule-book setting, by its key in TOML files."""
    types = get_type_hints(RuleBook)
    return {
        field.replace("_", "-"): _BY_TYPE.get(types[field])
        or _make_switch_of_words(*_list_words_of_literal(types[field]))
        for field in _FIELDS
    }


def _list_words_of_literal(literal_type: Any) -> tuple[str, ...]:
    """Return the words of a `Literal` type, with or without `| None`.

    >>> _list_words_of_literal(Literal["roll", "play"] | None)
    ('roll', 'play')
    """
    if type(None) in get_args(literal_type):
        literal_type = get_args(literal_type)[0]
    return get_args(literal_type)


SWITCHES = _list_values_of_switches()
_DECIDED = {key: allowed for key, allowed in SWITCHES.items() if key != "after-illegal"}
"""The switches that a rule book can decide."""

MOVES: Mapping[str, WhoDecides] = {
    "legal": "both-must-act",
    "responsible": "opponent-must-decide",
}
"""The WBGF's names for two values of `who-decides`."""


def make_rule_book(table: Mapping[str, Any], file: str = "") -> RuleBook:
    """Return the rule book in a TOML table, or raise RuleBookError.

    `file` has the name and digest of a user's file, or is "" for a rule book of this package.
    """
    head: dict[str, Any] = dict(read_heading(table))
    source, scope, part = (head.pop(key) for key in ("source", "scope", READ_IN_PART))
    text = RuleText(source, scope, read_clauses(table, _DECIDED), part)
    return RuleBook(**head, file=file, own_text=text, **_collect_decided_switches(text))


def _collect_decided_switches(text: RuleText) -> dict[str, Any]:
    """Return each rule-book setting with the value set by clauses, or else with that of `basic`."""
    decided = {field: getattr(BASIC, field) for field in _FIELDS}
    for clause in text.clauses:
        if clause.known is not Known.ASSUMED and not clause.optional:
            decided.update(clause.decides)
    return decided


@cache
def _load_packaged(name: str) -> tuple[RuleBook, RuleText]:
    """Return the rule book of this package with this name, and its text."""
    book = make_rule_book(read_packaged_table(name))
    return book._replace(own_text=None), book.own_text or RuleText()


EDITIONS = (
    "basic",
    "wbgf-2.1",
    "usbgf-2024",
    "ukbgf-2019",
    "us-2009",
    "dbgf-2007",
    "wbgt-2010",
    "abt-2013",
    "jbf",
    "gamecolony",
    "dragonquest",
)
"""Names of the rule books of this package."""

CURRENT = {"wbf": "wbgf-2.1", "usbgf": "usbgf-2024"}
"""Names for the current edition of a body's rules."""


class _RuleBooks(Mapping[str, RuleBook]):
    """Rule books of this package by name; each is read on first use."""

    def __getitem__(self, name: str) -> RuleBook:
        edition = CURRENT.get(name, name)
        if edition not in EDITIONS:
            raise KeyError(name)
        return BASIC if edition == BASIC.name else _load_packaged(edition)[0]

    def __contains__(self, name: object) -> bool:
        return name in EDITIONS or name in CURRENT

    def __iter__(self) -> Iterator[str]:
        return iter((EDITIONS[0], *CURRENT, *EDITIONS[1:]))

    def __len__(self) -> int:
        return len(EDITIONS) + len(CURRENT)


RULE_BOOKS: Mapping[str, RuleBook] = _RuleBooks()

if TYPE_CHECKING:
    WBF: RuleBook
    USBGF: RuleBook
else:

    def __getattr__(name: str) -> RuleBook:
        if name.lower() in CURRENT and name.isupper():
            return RULE_BOOKS[name.lower()]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
