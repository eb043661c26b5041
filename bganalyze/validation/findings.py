"""Findings: what a check reports, as plain values, and their selection by rule."""

# Annotations are values here, not text: see `record/model.py`.

import re
from collections.abc import Collection, Iterable
from enum import StrEnum
from itertools import chain
from typing import NamedTuple, Self

from bganalyze.board.ids import Situation, xgid
from bganalyze.board.position import Position, pips
from bganalyze.text import html_table, printable
from bganalyze.validation.odds import (
    CONSISTENT,
    CONTRADICTED,
    PLAYERS_KINDS,
    UNKNOWN,
    Odds,
    SlipChance,
    StatedRatio,
    slip_chance,
)


class Severity(StrEnum):
    """The severity of a finding. An `error` is against the rules or the accounting."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    def reaches(self, threshold: Self) -> bool:
        """Whether this severity is `threshold` or above.

        >>> Severity.WARNING.reaches(Severity.INFO), Severity.WARNING.reaches(Severity.ERROR)
        (True, False)
        """
        return _GRAVEST_FIRST.index(self) <= _GRAVEST_FIRST.index(threshold)


_GRAVEST_FIRST = tuple(Severity)


class Standing(StrEnum):
    """What the player-error rule makes of an error of movement or of set-up."""

    CORRECTED = "corrected"
    OPEN = "open"
    STANDS = "stands"


FAMILIES = {
    "T": "transcript",
    "U": "set-up",
    "D": "dice",
    "P": "play",
    "C": "cube",
    "R": "result and score",
    "S": "signature",
}
"""The families of rules by the first letter of their codes."""


class Edit(NamedTuple):
    """A line of a file inserted, removed or changed. Texts are without line ends."""

    line: int
    """1-based number in the unedited file; an inserted line goes before it."""
    old: str | None
    """The present text; None for an inserted line."""
    new: str | None
    """The new text; None for a removed line."""


class Proposal(NamedTuple):
    """A possible cause of a finding: a slip, and the edits that repair it."""

    kind: str
    """The name of the slip."""
    message: str
    """The edit in words."""
    edits: tuple[Edit, ...]
    """The lines to be changed; empty where no edit brings back what is lost."""
    probability: float
    """From 0 to 1, if the finding is a slip: among the proposals for the same finding and the chance
    that something else was meant."""
    proved: bool
    """Whether it is not unlikely in itself, and no other edit of comparable likelihood lets the game
    be replayed to its end."""
    line: int
    """The line of the slip."""
    row: str | None
    """The label of its row, as written."""
    side: str | None
    """The column of the slip, `left` or `right`; None if it concerns both or no column."""
    errors_before: int
    """In the file, with the first proposals for the causes before this one."""
    errors_after: int
    """In the file with this proposal as well."""
    other_rolls: tuple[tuple[str, ...], ...] = ()
    """Of each turn that is put in, or whose roll is another, the rolls that would do as well
    (`6-3`): nothing tells which was made."""


class EvidenceKind(StrEnum):
    """Whether the rest of the match contradicts an error as it is recorded."""

    CONTRADICTED = "contradicted"
    """Something else in the record does not fit it: it was probably written down wrong."""
    CONSISTENT = "consistent"
    """Everything that follows fits it: it may have happened as recorded."""
    UNKNOWN = "unknown"
    """Nothing that follows tells."""


_FACTORS = {
    EvidenceKind.CONTRADICTED: CONTRADICTED,
    EvidenceKind.CONSISTENT: CONSISTENT,
    EvidenceKind.UNKNOWN: UNKNOWN,
}


class Conflict(NamedTuple):
    """A place in the record that does not fit an error as recorded, or speaks for a reading of it."""

    line: int
    """The line of the file."""
    code: str | None
    """The rule that this place breaks if the error is recorded rightly; None where it breaks none,
    and speaks for one reading of the error."""
    what: str
    """The conflict in words."""


class RecordEvidence(NamedTuple):
    """What the rest of the match says about an error as it is recorded."""

    kind: EvidenceKind
    """Whether the rest of the match contradicts the error."""
    by: tuple[Conflict, ...] = ()
    """The places that contradict it, in their order; then those that speak for one reading of it."""


class Finding(NamedTuple):
    """One fault or remark, located in its file.

    `FINDING_KEYS` are its keys in output formats.
    """

    path: str
    """The file, or the member of an archive."""
    line: int
    """The line of the file, counted from 1."""
    column: int
    """Where the place begins in its line, in characters counted from 1."""
    end_column: int
    """The column behind its last character."""
    code: str
    """The code of the rule, such as `P410`."""
    name: str
    """The name of the rule."""
    severity: Severity
    """How grave it is."""
    message: str
    """What is wrong, in words."""
    match: int
    """1-based number of the match in its file."""
    game: int | None = None
    """1-based number of the game in its match, counted, not as written."""
    row: str | None = None
    """The row label as written."""
    side: str | None = None
    """`left` or `right`."""
    player: str | None = None
    """The name of the player, as the match file has it."""
    dice: tuple[int, int] | None = None
    """The roll."""
    standing: Standing | None = None
    """What the player-error rule makes of it; None if the rule does not apply."""
    closed_by: str | None = None
    """`line:column` of the roll or play that closed the error, or `end-of-record`."""
    situation: Situation | None = None
    """The board before the play, left as X; the key `position` of output formats."""
    legal: tuple[str, ...] | None = None
    """Up to five legal plays, nearest to what was written first."""
    reading: str | None = None
    """Which reading of the text the replay went on with."""
    consequences: int | None = None
    """How many later faults follow from this one and are not listed."""
    after: Position | None = None
    """The board after an illegal play, seen by its side; None if nothing moved.
    Output formats have no key for it."""
    proposals: tuple[Proposal, ...] | None = None
    """The possible causes, likeliest first; None if nothing that helps is known."""
    evidence: RecordEvidence | None = None
    """Whether the rest of the match contradicts an error as recorded; None for other findings."""
    if_slip: tuple[Proposal, ...] | None = None
    """Where nothing contradicts an error, so that it may have happened as recorded: what the
    transcriber may have meant. The probabilities are those if it is a slip."""
    may_stand: bool = False
    """Whether both sides went on from the board as played although something contradicts the error:
    then a player may have made it all the same. Output formats have no key for it."""
    odds: StatedRatio | None = None
    """How often slips are made for each player's error of this kind, where that is set; the key
    `slip` of output formats."""

    def __repr__(self) -> str:
        """What and where, in a line.

        >>> Finding("a.mat", 3, 6, 9, "P409", "unplayed-die", Severity.ERROR, "not all played", 1)
        <Finding a.mat:3:6 P409 unplayed-die error: not all played>
        """
        return f"<Finding {printable(self._place)} {self._what}: {printable(self.message)}>"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        place = f"{self._place}, game {self.game}" if self.game else self._place
        rows = (
            (self._what, self.message),
            ("place", place if self.row is None else f"{place}, row {self.row.strip()}"),
            ("player", self.player),
            ("standing", self.standing),
            ("legal", self.legal and ", ".join(self.legal)),
            ("position", self.position),
        )
        return html_table((name, str(value)) for name, value in rows if value)

    @property
    def _place(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"

    @property
    def _what(self) -> str:
        return f"{self.code} {self.name} {self.severity}"

    @property
    def cause(self) -> Proposal | None:
        """The likeliest cause, if any is known."""
        return self.proposals[0] if self.proposals else None

    @property
    def may_be_players(self) -> bool:
        """Whether a player may have made this error: nothing in the record contradicts it."""
        return self.evidence is not None and self.evidence.kind is not EvidenceKind.CONTRADICTED

    @property
    def kind_of_error(self) -> str | None:
        """The name of its kind, if it is an error that players make at least as often as slips."""
        if self.name in PLAYERS_KINDS:
            return self.name
        is_of_doubles = self.dice is not None and self.dice[0] == self.dice[1]
        if is_of_doubles and self.name in ("too-many-steps", "unplayed-die"):
            return "doubles-count"
        return "one-pip-off" if self.name == "die-not-rolled" and self._is_run_one_pip_off else None

    @property
    def _is_run_one_pip_off(self) -> bool:
        """Whether one checker moved one pip more or less than both dice."""
        if self.situation is None or self.after is None or self.dice is None:
            return False
        before, after = self.situation.position.own, self.after.own
        left = sum(max(one - other, 0) for one, other in zip(before, after, strict=True))
        return left == 1 and abs(pips(before) - pips(after) - sum(self.dice)) == 1

    def under(self, odds: Odds) -> Self:
        """Return the finding with the odds that are set for its kind of error."""
        if self.evidence is None or not odds.by_kind:
            return self
        return self._replace(odds=odds.of(self.kind_of_error))

    @property
    def slip(self) -> SlipChance | None:
        """The chance that it is a slip; None where it cannot be a player's error."""
        kind = None if self.evidence is None else self.evidence.kind
        if kind is None or (kind is EvidenceKind.CONTRADICTED and not self.may_stand):
            return None
        return slip_chance(_FACTORS[kind], self.kind_of_error, self.odds)

    @property
    def position(self) -> str | None:
        """XGID before the play."""
        return None if self.situation is None else xgid(self.situation)

    def fails(self, threshold: Severity | None) -> bool:
        """Whether this finding fails a check; None never does, nor does a corrected error."""
        if threshold is None or self.standing is Standing.CORRECTED:
            return False
        return self.severity.reaches(threshold)


_KEYS = {
    "situation": ("position",),
    "after": (),
    "proposals": ("cause", "proposals"),
    "may_stand": (),
    "odds": ("slip",),
}

FINDING_KEYS = tuple(chain.from_iterable(_KEYS.get(field, (field,)) for field in Finding._fields))
"""The keys of every output format, each an attribute of a finding."""


class UnknownCodeError(ValueError):
    """A prefix that matches no rule code."""


class Selection(NamedTuple):
    """A selection of rules by prefixes of their codes. If nothing is selected, all rules are."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def wants(self, code: str) -> bool:
        """Whether a rule is selected: the longest matching prefix decides, a tie ignores.

        >>> Selection(select=("P4", "C"), ignore=("P",)).wants("P406")
        True
        >>> Selection(ignore=("T1", "T108")).wants("T101")
        False
        """
        selected = _reach(self.select, code) if self.select else 0
        return selected is not None and selected > (_reach(self.ignore, code) or -1)


def _reach(prefixes: Iterable[str], code: str) -> int | None:
    """Return the length of the longest prefix of `code`, or None if there is none."""
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=None)


def prefixes(lists: Iterable[str], codes: Collection[str]) -> tuple[str, ...]:
    """Return the prefixes in these comma lists; raise UnknownCodeError if one matches no code.

    >>> prefixes(["P,c5", "T108"], codes=["P401", "C501", "T108"])
    ('P', 'C5', 'T108')
    """
    entries = (entry.upper() for text in lists for entry in re.split(r"[\s,]+", text) if entry)
    return tuple(_checked(prefix, codes) for prefix in entries)


def _checked(prefix: str, codes: Collection[str]) -> str:
    if any(code.startswith(prefix) for code in codes):
        return prefix
    families = ", ".join(f"{letter} ({about})" for letter, about in FAMILIES.items())
    raise UnknownCodeError(
        f"{prefix!r} begins no rule code; the families are {families},"
        " and `bganalyze rule` lists their codes"
    )
