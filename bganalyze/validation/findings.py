"""Findings: the plain values that a check reports, and their selection by rule."""

# Annotations are values here, not text: see `record/model.py`.

import re
from collections.abc import Collection, Iterable
from enum import StrEnum
from itertools import chain
from typing import NamedTuple, Self

from bganalyze.board.ids import Situation, xgid
from bganalyze.board.position import Position, pips
from bganalyze.text import html_table_of_pairs, printable
from bganalyze.validation.slip_odds import (
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
    """Severity of a finding; an `error` breaks the rules of the game or of the accounting."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    def reaches(self, threshold: Self) -> bool:
        """Whether this severity is at least as high as `threshold`.

        >>> Severity.WARNING.reaches(Severity.INFO), Severity.WARNING.reaches(Severity.ERROR)
        (True, False)
        """
        return self.rank <= threshold.rank

    @property
    def rank(self) -> int:
        """Place in the order of severities: 0 for the highest."""
        return _HIGHEST_FIRST.index(self)


_HIGHEST_FIRST = tuple(Severity)


class Standing(StrEnum):
    """The standing of an error of movement or of set-up under the player-error rule."""

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
"""The families of rules, by the first letter of their codes."""


class Edit(NamedTuple):
    """One changed, inserted or removed line of a file. Texts have no line ends."""

    line: int
    """Line number in the unedited file, from 1; an inserted line goes before it."""
    old: str | None
    """The old text; None for an inserted line."""
    new: str | None
    """The new text; None for a removed line."""


class Proposal(NamedTuple):
    """A possible cause of a finding: a slip, and the edits that repair it."""

    kind: str
    """The name of the slip."""
    message: str
    """The edit in words."""
    edits: tuple[Edit, ...]
    """The lines to change; empty if no edit can restore what is lost."""
    probability: float
    """Probability, from 0 to 1, that this slip is the cause, if the finding is a slip: its share
    among all proposals and an unknown cause."""
    proved: bool
    """Whether this slip is plausible in itself, and no other edit of comparable likelihood lets the
    game be replayed to its end."""
    line: int
    """The line of the slip."""
    row: str | None
    """The row label, as written."""
    side: str | None
    """The column of the slip, `left` or `right`; None for both columns or none."""
    errors_before: int
    """Number of errors in the file before this edit, with the first proposal for each earlier
    finding already carried out."""
    errors_after: int
    """Number of errors in the file after this edit as well."""
    other_rolls: tuple[tuple[str, ...], ...] = ()
    """Other possible rolls (`6-3`) of each inserted turn or changed roll; the record does not show
    which was made."""
    doubt: str | None = None
    """The reason in words why the first proposal for a finding is not proved; None if it is, and
    for the other proposals."""
    other_plays: tuple[str, ...] = ()
    """Other plays of the same roll, without proposals of their own, with which the game goes on
    legally to its end; the likeliest first. Not in output formats."""


class EvidenceKind(StrEnum):
    """Whether the rest of the match, or the play itself, contradicts an error as recorded."""

    CONTRADICTED = "contradicted"
    """Something else in the record does not fit it, or no one can play it, for there is no checker to
    move; so it was probably written down wrong."""
    CONSISTENT = "consistent"
    """Everything that follows fits it, so it may have happened as recorded."""
    UNKNOWN = "unknown"
    """The rest of the match does not show whether it is right."""


_FACTORS = {
    EvidenceKind.CONTRADICTED: CONTRADICTED,
    EvidenceKind.CONSISTENT: CONSISTENT,
    EvidenceKind.UNKNOWN: UNKNOWN,
}


class Conflict(NamedTuple):
    """A place in the record that contradicts an error as recorded, or supports a reading of it."""

    line: int
    """The line of the file."""
    code: str | None
    """The rule that this place breaks if the error is recorded correctly; None if the place only
    supports a reading."""
    what: str
    """The conflict in words."""


class RecordEvidence(NamedTuple):
    """The evidence in the rest of the match about an error as recorded."""

    kind: EvidenceKind
    """Whether the rest of the match, or the play itself, contradicts the error."""
    by: tuple[Conflict, ...] = ()
    """The places that contradict it, in order; then the places that support one reading of it."""


class ClosingAction(NamedTuple):
    """The action that corrected an error, or made its correction too late."""

    name: str
    """The name of its player."""
    action: str
    """The action in words, after the name."""
    line: int
    """The line of the file."""
    side: str | None
    """Its column, `left` or `right`; None if it is in no column."""
    game: int
    """The number of its game in the match, from 1."""

    @property
    def place(self) -> str:
        """Line and column of the action, in words.

        >>> ClosingAction("Bob", "rolled 6-3", 11, "right", game=1).place
        'line 11, right'
        """
        return f"line {self.line}" + (f", {self.side}" if self.side else "")


class StandingByBook(NamedTuple):
    """The standing that a rule book alone gives an error, without a director's ruling."""

    standing: Standing | None
    """The standing; None if the book does not say."""
    closed_by: str | None
    """The place of the action that closed the error."""
    closer: ClosingAction | None
    """The action that closed it."""


class Finding(NamedTuple):
    """One finding of a check, with its place in a file.

    `FINDING_KEYS` lists its keys in output formats.
    """

    path: str
    """The file, or the member of an archive."""
    line: int
    """The line of the file, counted from 1."""
    column: int
    """First column of the place, in characters from 1."""
    end_column: int
    """The column after its last character."""
    code: str
    """The code of the rule, such as `P410`."""
    name: str
    """The name of the rule."""
    severity: Severity
    """The severity: error, warning or info."""
    message: str
    """The message: what is wrong."""
    match: int
    """Number of the match in its file, from 1."""
    game: int | None = None
    """Number of the game in its match, from 1, as counted; the written number may differ."""
    row: str | None = None
    """The row label as written."""
    side: str | None = None
    """`left` or `right`."""
    player: str | None = None
    """The name of the player, as the match file has it."""
    dice: tuple[int, int] | None = None
    """The roll of the play, if there is one."""
    standing: Standing | None = None
    """The standing under the player-error rule; None if the rule does not apply."""
    closed_by: str | None = None
    """`line:column` of the roll or play that closed the error, or `end-of-record`."""
    situation: Situation | None = None
    """The board before the play, or the board that a set-up states, with left as X; the key
    `position` in output formats."""
    legal: tuple[str, ...] | None = None
    """Up to five legal plays, those nearest to the written play first."""
    legal_count: int | None = None
    """Number of all legal plays; `legal` may list only the nearest of them."""
    reading: str | None = None
    """The reading of the text with which the replay went on."""
    consequences: int | None = None
    """Number of later errors that are consequences of this one, and so not listed."""
    after: Position | None = None
    """The board after an illegal play, seen by its side; None if nothing moved. Not in output
    formats."""
    closer: ClosingAction | None = None
    """The action that closed or corrected the error. Not in output formats."""
    expected: Position | None = None
    """The board that a wrong set-up should show, seen by its side. Not in output formats."""
    proposals: tuple[Proposal, ...] | None = None
    """The possible causes, likeliest first; None if no repair is known."""
    evidence: RecordEvidence | None = None
    """The evidence for or against an error as recorded; None for other findings."""
    if_slip: tuple[Proposal, ...] | None = None
    """The likely slips behind an error that nothing contradicts, so it may have happened as
    recorded. Their probabilities apply only if it is a slip."""
    may_stand: bool = False
    """Whether both sides played on from the board despite a contradiction, so a player may really
    have made the error. Not in output formats."""
    odds: StatedRatio | None = None
    """Odds of a slip against a player's error of this kind, if set; the key `slip` in output
    formats."""
    before_ruling: StandingByBook | None = None
    """The standing without the director's ruling that corrected the error; None if no ruling did.
    Not in output formats."""

    def __repr__(self) -> str:
        """Return the place, the rule and the message in one line.

        >>> Finding("a.mat", 3, 6, 9, "P409", "unplayed-die", Severity.ERROR, "not all played", 1)
        <Finding a.mat:3:6 P409 unplayed-die error: not all played>
        """
        return f"<Finding {printable(self._place)} {self._rule_and_severity}: {printable(self.message)}>"

    def _repr_html_(self) -> str:
        """Return the finding as an HTML table for a notebook."""
        place = f"{self._place}, game {self.game}" if self.game else self._place
        rows = (
            (self._rule_and_severity, self.message),
            ("place", place if self.row is None else f"{place}, row {self.row.strip()}"),
            (self.player_label, self.player),
            ("standing", self.standing),
            ("legal", self.legal and self.legal_in_words),
            ("position", self.position),
        )
        return html_table_of_pairs((name, str(value)) for name, value in rows if value)

    def without_ruling(self) -> Self:
        """Return the finding with the standing it would have if no director had ruled."""
        if self.before_ruling is None:
            return self
        return self._replace(**self.before_ruling._asdict(), before_ruling=None)

    @property
    def _place(self) -> str:
        """The place as `path:line:column`."""
        return f"{self.path}:{self.line}:{self.column}"

    @property
    def _rule_and_severity(self) -> str:
        """The rule's code and name, and the severity, such as `P406 bar-first error`."""
        return f"{self.code} {self.name} {self.severity}"

    @property
    def legal_in_words(self) -> str:
        """The legal plays as text, with a note if only some are listed.

        >>> Finding("a.mat", 3, 6, 9, "P409", "unplayed-die", Severity.ERROR, "not all played", 1,
        ...     legal=("8/4", "6/2"), legal_count=7).legal_in_words
        '8/4, 6/2 (2 of 7, nearest first)'
        """
        listed, count = self.legal or (), self.legal_count or 0
        left_out = f" ({len(listed)} of {count}, nearest first)" if count > len(listed) else ""
        return (", ".join(listed) or "none") + left_out

    @property
    def cause(self) -> Proposal | None:
        """The most likely transcription slip behind the finding, with its repair, or None."""
        return self.proposals[0] if self.proposals else None

    @property
    def may_be_players(self) -> bool:
        """Whether this error may be a player's at the table, rather than the transcriber's."""
        return self.evidence is not None and not self.is_contradicted

    @property
    def is_contradicted(self) -> bool:
        """Whether the rest of the match file shows that the players cannot have made this error."""
        return self.evidence is not None and self.evidence.kind is EvidenceKind.CONTRADICTED

    @property
    def is_of_set_up(self) -> bool:
        """Whether the finding is about a recorded position (a set-up)."""
        return self.code.startswith("U")

    @property
    def is_of_result(self) -> bool:
        """Whether the finding concerns a result or a score."""
        return self.code.startswith("R")

    @property
    def player_label(self) -> str:
        """The word before the player's name in messages: `player`; `column` for a wrong result."""
        return "column" if self.is_of_result else "player"

    @property
    def kind_of_error(self) -> str | None:
        """The kind of this error, if users can set odds for it (`PLAYERS_KINDS`), else None."""
        if self.name in PLAYERS_KINDS:
            # It is the name of the rule, except for `doubles-count` and `one-pip-off`.
            return self.name
        is_of_doubles = self.dice is not None and self.dice[0] == self.dice[1]
        if is_of_doubles and self.name in ("too-many-steps", "unplayed-die"):
            return "doubles-count"
        return (
            "one-pip-off"
            if self.name == "die-not-rolled" and self._is_one_checker_off_by_one_pip
            else None
        )

    @property
    def _is_one_checker_off_by_one_pip(self) -> bool:
        """Whether a single checker moved one pip more or less than the sum of the dice."""
        if self.situation is None or self.after is None or self.dice is None:
            return False
        before, after = self.situation.position.own, self.after.own
        left = sum(max(one - other, 0) for one, other in zip(before, after, strict=True))
        return left == 1 and abs(pips(before) - pips(after) - sum(self.dice)) == 1

    def under(self, odds: Odds) -> Self:
        """Return the finding with the odds that the user set for errors of this kind.

        The odds say how much likelier the transcriber made the error than a player.
        """
        if self.evidence is None or not odds.by_kind:
            return self
        return self._replace(odds=odds.find_ratio(self.kind_of_error))

    @property
    def slip(self) -> SlipChance | None:
        """The chance, or range of chances, that this error is the transcriber's, not a player's.

        None if nothing shows who made it, or if no player can have made it.
        """
        kind = None if self.evidence is None else self.evidence.kind
        if kind is None or (kind is EvidenceKind.CONTRADICTED and not self.may_stand):
            return None
        return slip_chance(_FACTORS[kind], self.kind_of_error, self.odds)

    @property
    def position(self) -> str | None:
        """XGID of the board before the play, or of the recorded position (set-up)."""
        return None if self.situation is None else xgid(self.situation)

    def fails(self, threshold: Severity | None) -> bool:
        """Whether this finding makes a check fail because its severity is `threshold` or higher.

        An error that was corrected in the game never makes a check fail.
        """
        if threshold is None or self.standing is Standing.CORRECTED:
            return False
        return self.severity.reaches(threshold)


_KEYS = {
    "situation": ("position",),
    "after": (),
    "closer": (),
    "expected": (),
    "proposals": ("cause", "proposals"),
    "evidence": ("evidence", "may_be_players"),
    "may_stand": (),
    "odds": ("slip",),
    "before_ruling": (),
}

FINDING_KEYS = tuple(chain.from_iterable(_KEYS.get(field, (field,)) for field in Finding._fields))
"""The keys of every output format, each an attribute of a finding."""


class UnknownCodeError(ValueError):
    """A prefix that matches no rule code."""


class Selection(NamedTuple):
    """A selection of rules by code prefixes. Without `select`, all rules are selected."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def wants_all(self, prefix: str) -> bool:
        """Whether all rules whose code begins with `prefix` are selected.

        >>> Selection(select=("P",)).wants_all("P4"), Selection(ignore=("P411",)).wants_all("P4")
        (True, False)
        """
        is_whole = not self.select or any(prefix.startswith(one) for one in self.select)
        return is_whole and not any(
            one.startswith(prefix) or prefix.startswith(one) for one in self.ignore
        )

    def wants(self, code: str) -> bool:
        """Whether the rule with this code is selected.

        The longest prefix with which the code begins decides. If equally long prefixes select and
        ignore it, the rule is ignored.

        >>> Selection(select=("P4", "C"), ignore=("P",)).wants("P406")
        True
        """
        selected = _measure_longest_match(self.select, code) if self.select else 0
        return selected is not None and selected > (_measure_longest_match(self.ignore, code) or -1)


def _measure_longest_match(prefixes: Iterable[str], code: str) -> int | None:
    """Return the length of the longest of the `prefixes` with which `code` begins, or None."""
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=None)


def parse_prefixes(lists: Iterable[str], codes: Collection[str]) -> tuple[str, ...]:
    """Return the code prefixes in comma-separated lists, in capitals.

    Raises UnknownCodeError if a prefix fits none of the rule codes `codes`.

    >>> parse_prefixes(["P,c5", "T108"], codes=["P401", "C501", "T108"])
    ('P', 'C5', 'T108')
    """
    entries = (entry.upper() for text in lists for entry in re.split(r"[\s,]+", text) if entry)
    return tuple(_require_known_prefix(prefix, codes) for prefix in entries)


def _require_known_prefix(prefix: str, codes: Collection[str]) -> str:
    """Return `prefix`, or raise UnknownCodeError if no rule code begins with it."""
    if any(code.startswith(prefix) for code in codes):
        return prefix
    families = ", ".join(f"{letter} ({about})" for letter, about in FAMILIES.items())
    raise UnknownCodeError(
        f"{prefix!r} begins no rule code; the families are {families},"
        " and `bganalyze rule` lists their codes"
    )
