"""Proposals of `repair`, for people and for programs."""

from __future__ import annotations

import difflib
import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.text import Text

from bganalyze.app.config import rule_book_title
from bganalyze.app.jobs.checked import CheckOutcome
from bganalyze.app.jobs.outcome import FileCounts
from bganalyze.app.jobs.repair import NO_SLIP_EXPLAINS, RepairOutcome
from bganalyze.app.render.console import fit_line, render_to_string
from bganalyze.app.render.findings import machine
from bganalyze.app.render.findings.explained import describe_chance
from bganalyze.app.render.findings.records import ProposalLine
from bganalyze.app.render.findings.text import finding_line
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.record.decoding import decode
from bganalyze.repairing.applying import ChosenProposal, RepairedFile, find_proposal
from bganalyze.repairing.proof import MAY_BE_PLAYERS, ROLL_UNKNOWN, ROW_IS_GUESSED
from bganalyze.repairing.repairable_finding import RepairableFinding
from bganalyze.repairing.slips.rows import TURN_IS_LOST
from bganalyze.text import number_of, printable
from bganalyze.validation.findings import Finding, Proposal
from bganalyze.validation.rules.words import describe_probability, name_whom_to_ask
from bganalyze.validation.slip_odds import chance_in_words

MOST_LISTED = 5
"""Proposals per error listed for people at most."""

MOST_PLAYS_LISTED = 3
"""Other plays of a roll listed below a proposal at most."""

NOTHING_CONTRADICTS = "nothing later contradicts this as recorded"

NO_TURN = (
    "The file does not show which roll it was: look at the video, or write the turn as unknown"
    " (`bganalyze rule T105`)."
)
"""Note above the proposals for a missing turn."""

NO_ROW = (
    "The file does not show the two turns of this row, and more of them fit than are listed: look at the"
    " video, or write them as unknown (`bganalyze rule T105`)."
)
"""Note above the proposals for a missing row."""

STILL_A_GUESS = "a chosen repair is a guess until someone confirms it"
"""Last line after a chosen repair was written."""

SAME_NOTE = "The same holds here:"
"""Note above the proposals for an error whose note would repeat that of the error before it."""

NOT_PROVED = "not proved: "
"""Words before the doubt about a proposal."""

SLIPS = {
    "cells": "cells swapped",
    "columns": "columns swapped",
    "dice": "rolls swapped",
    "header": "line lost",
    "play": "play miswritten",
    "rows": "rows swapped",
    "roll": "roll misread",
    "winner": "wrong column",
}
"""Plain words for slips whose name does not explain them."""

_COLORS = {"+": "green", "-": "red", "@": "cyan"}


def render_text(results: Iterable[RepairOutcome], setting: OutputOptions) -> Iterator[str]:
    """Text for people: the proved repairs as a unified diff, then all proposed repairs with their numbers."""
    counts, tally = FileCounts(), RepairTally()
    for outcome in tally.count_each(counts.count_each(results)):
        if outcome.repaired is not None:
            yield from _render_file(outcome, outcome.repaired, setting)
    if counts.files and not setting.quiet:
        yield f"{', '.join((number_of(counts.files, 'file'), *tally.in_words()))}\n"
        yield f"Rule book: {rule_book_title(setting.rule_book)}\n"
        if tally.written[_CHOSEN]:
            yield f"{STILL_A_GUESS}\n"


@dataclass(slots=True, eq=False, repr=False)
class RepairTally:
    """Counts of errors, proposed repairs and repairs made in a run."""

    errors: int = 0
    causes: int = 0
    """Errors, with those that show only after others are repaired."""
    errors_left: int = 0
    """Errors after the repairs that were made."""
    errors_on_disk: int = 0
    """Errors left in the files written, and in all others as they were."""
    warnings: int = 0
    """Warnings that `repair` does not list."""
    players: int = 0
    """Errors that may be a player's."""
    proposals: int = 0
    proved: int = 0
    made: Counter[str] = field(default_factory=Counter[str])
    """Repairs made in memory, `proved` and `chosen` ones."""
    written: Counter[str] = field(default_factory=Counter[str])
    """Repairs made in files that were written."""

    def count_each(self, results: Iterable[RepairOutcome]) -> Iterator[RepairOutcome]:
        """Yield the results unchanged, and add each to this tally."""
        for outcome in results:
            if outcome.repaired is not None:
                self._count(outcome, outcome.repaired)
            yield outcome

    def _count(self, outcome: RepairOutcome, repaired: RepairedFile) -> None:
        """Add the proposed repairs, edits and errors of one file to the counts."""
        made = Counter(
            _PROVED if find_proposal(outcome.causes, choice).proved else _CHOSEN
            for choice in repaired.made
        )
        made[_PROVED] += len(repaired.later)
        proposals = [proposal for cause in outcome.causes for proposal in cause.proposals]
        self.players += sum(not cause.is_surely_slip for cause in outcome.causes)
        self.errors += repaired.errors_before
        self.warnings += outcome.warnings
        self.causes += max(len(outcome.causes), repaired.errors_before)
        self.errors_left += repaired.errors_after
        self.proposals += len(proposals) + len(repaired.later)
        self.proved += sum(proposal.proved for proposal in proposals) + len(repaired.later)
        self.made += made
        is_written = outcome.written_path is not None
        if is_written:
            self.written += made
        self.errors_on_disk += repaired.errors_after if is_written else repaired.errors_before

    def in_words(self) -> Iterator[str]:
        """Yield the parts of a summary, such as `2 errors` or `1 error left`."""
        following = f" ({self.causes:,} with those that follow from repairing them)"
        yield number_of(self.errors, "error") + following * (self.causes > self.errors)
        if self.errors and not self.proposals:
            reason = NOTHING_CONTRADICTS if self.players else NO_SLIP_EXPLAINS
            yield f"no repair found: {reason}"
        if self.proposals:
            yield from self._describe_proposals()
        if self.warnings:
            yield f"{number_of(self.warnings, 'warning')} (see bganalyze check)"

    def _describe_proposals(self) -> Iterator[str]:
        """Yield parts of a summary that count the proposed repairs, such as `3 proposals`."""
        yield number_of(self.proposals, "proposal")
        yield f"{self.proved or 'none'} {_PROVED}{self._describe_written(_PROVED, self.proved)}"
        if chosen := self.made[_CHOSEN]:
            yield f"{chosen} {_CHOSEN} (not proved){self._describe_written(_CHOSEN, chosen)}"
        if self.written:
            yield f"{number_of(self.errors_on_disk, 'error')} left"
        elif self.made:
            kinds = " and ".join(kind for kind in (_PROVED, _CHOSEN) if self.made[kind])
            noun = "repair" if self.made.total() == 1 else "repairs"
            yield f"{number_of(self.errors_left, 'error')} left after the {kinds} {noun}"

    def _describe_written(self, kind: str, count: int) -> str:
        """Return words on whether repairs were written to files, such as ` and written`.

        `count` is the number of repairs of this `kind`, `proved` or `chosen`.
        """
        written = self.written[kind]
        if written == count:
            return " and written" if written else ""
        return f", {written} of them written" if written else ""


_PROVED, _CHOSEN = "proved", "chosen"


def render_diff(results: Iterable[RepairOutcome], setting: OutputOptions) -> Iterator[bytes]:  # noqa: ARG001
    """A unified diff of the proved repairs, for `patch -p1` and `git apply`."""
    for outcome in results:
        yield b"".join(make_proved_diff(outcome))


def render_jsonl(results: Iterable[RepairOutcome], setting: OutputOptions) -> Iterator[str]:
    """JSON lines: one proposal a line."""
    for outcome in results:
        for choice, cause, proposal in _number_proposals(outcome):
            finding = setting.apply_odds(cause.finding)
            yield json.dumps(_make_proposal_record(outcome, choice, finding, proposal)) + "\n"


def render_sarif(results: Iterable[RepairOutcome], setting: OutputOptions) -> Iterator[str]:
    """SARIF 2.1.0: the errors, with the proposals as fixes."""
    return machine.render_sarif(map(_make_check_outcome, results), setting)


def _make_check_outcome(outcome: RepairOutcome) -> CheckOutcome:
    """Return the errors of a file and their proposed repairs in the form of a check's outcome."""
    # Proposals for a binary file edit its text form.
    findings = (
        cause.finding._replace(proposals=None if outcome.is_converted else cause.proposals)
        for cause in outcome.causes
    )
    about_file = outcome.path, outcome.root, outcome.error, outcome.skipped
    return CheckOutcome(*about_file, findings=tuple(findings))


def _make_proposal_record(
    outcome: RepairOutcome, choice: ChosenProposal, finding: Finding, proposal: Proposal
) -> ProposalLine:
    """Return a proposed repair as a record for JSON lines.

    `choice` is the number of the repair, such as 2.1.
    """
    edits = () if outcome.is_converted else proposal.edits
    return {
        "path": outcome.path,
        "match": finding.match,
        "game": finding.game,
        "cause": choice.cause,
        "code": finding.code,
        "line": finding.line,
        "column": finding.column,
        "rank": choice.rank,
        "kind": proposal.kind,
        **machine.proposal_chance(finding, proposal),
        "proved": proposal.proved,
        "evidence": finding.evidence and finding.evidence.kind,
        "slip": finding.slip and machine.make_slip_record(finding.slip),
        "edits": [edit._asdict() for edit in edits],
        "side": proposal.side,
        "row": proposal.row,
        "message": proposal.message,
        "errors_before": proposal.errors_before,
        "errors_after": proposal.errors_after,
        "other_rolls": proposal.other_rolls,
        "doubt": proposal.doubt,
    }


def _number_proposals(
    outcome: RepairOutcome,
) -> Iterator[tuple[ChosenProposal, RepairableFinding, Proposal]]:
    """Yield each proposed repair of a file with its number, such as 2.1, and its error."""
    for number, cause in enumerate(outcome.causes, start=1):
        for rank, proposal in enumerate(cause.proposals, start=1):
            yield ChosenProposal(number, rank), cause, proposal


# Unified diffs, in bytes to fit any encoding and any line ends.

_NO_END = b"\n\\ No newline at end of file\n"
_ENGINE_DATA = re.compile(rb"^@\{.*$", re.MULTILINE)
_PLAIN_NAME = re.compile(rb"[^\x00-\x1f\"\\\x7f]*")


def make_proved_diff(outcome: RepairOutcome) -> Iterator[bytes]:
    """Yield the lines of a unified diff that makes all proved repairs of a file.

    A binary file has no diff.
    """
    if outcome.repaired is None or outcome.is_converted:
        return
    yield from _make_unified_diff(outcome.text, outcome.repaired.data, outcome.path)


def make_readable_diff(
    before: bytes, after: bytes, path: str, *, is_converted: bool
) -> Iterator[bytes]:
    r"""Yield the lines of a unified diff that people can read.

    With `is_converted`, the texts come from a binary file, and its engine data are shown as `@{…}`.

    >>> before, after = b'L 31: 8/5\n@{"program": "xg"}\n', b'L 31: 8/4\n@{"program": "xg"}\n'
    >>> diff = make_readable_diff(before, after, "m.bgm", is_converted=True)
    >>> [line.decode() for line in diff][3:]
    ['-L 31: 8/5\n', '+L 31: 8/4\n', ' @{…}\n']
    """
    if is_converted:
        before, after = (_ENGINE_DATA.sub("@{…}".encode(), text) for text in (before, after))
    yield from _make_unified_diff(before, after, path)


def _make_unified_diff(before: bytes, after: bytes, path: str) -> Iterator[bytes]:
    r"""Yield the lines of a unified diff between two contents of a file.

    >>> list(_make_unified_diff(b"a\n", b"b\n", "m.mat"))[2:]
    [b'@@ -1 +1 @@\n', b'-a\n', b'+b\n']
    """
    name = _make_relative_name(path)
    headers = _make_diff_header(b"a/", name), _make_diff_header(b"b/", name)
    for line in difflib.diff_bytes(
        difflib.unified_diff, _split_lines(before), _split_lines(after), *headers
    ):
        yield line if line.endswith(b"\n") else line + _NO_END


def _split_lines(data: bytes) -> list[bytes]:
    r"""Return the lines of a file with their ends, split only at `\n`, as `patch` splits them.

    >>> _split_lines(b"a\r\nb\n")
    [b'a\r\n', b'b\n']
    """
    *lines, last = data.split(b"\n")
    return [line + b"\n" for line in lines] + ([last] if last else [])


def _make_relative_name(path: str) -> bytes:
    """Return a path for a diff, relative to the current folder or else to `/`."""
    place = Path(path)
    if place.is_absolute():
        is_below = place.is_relative_to(Path.cwd())
        place = place.relative_to(Path.cwd() if is_below else place.anchor)
    return os.fsencode("standard-input" if path == "-" else place.as_posix())


def _make_diff_header(side: bytes, name: bytes) -> bytes:
    r"""Return a file's name for the header of a diff, in quotes if it has unusual characters.

    `side` is `a/` (before) or `b/` (after).

    >>> _make_diff_header(b"a/", b"m.mat"), _make_diff_header(b"a/", b"x\n.mat")
    (b'a/m.mat', b'"a/x\\012.mat"')
    """
    if _PLAIN_NAME.fullmatch(name):
        return side + name + b"\t" * (b" " in name)
    quoted = re.sub(rb"[\x00-\x1f\"\\\x7f]", lambda odd: b"\\%03o" % ord(odd[0]), name)
    return b'"' + side + quoted + b'"'


# The list for people.


def _render_file(
    outcome: RepairOutcome, repaired: RepairedFile, setting: OutputOptions
) -> Iterator[str]:
    """Yield text on one file: a diff of the repairs made, then the file's errors.

    If the repaired file was written, only the errors left in that file are listed.
    """
    if outcome.is_changed and not outcome.is_converted:
        shown = _show_diff(outcome, setting)
        yield render_to_string(shown, setting) if setting.color else f"{shown.plain}\n"
        if outcome.written_path is not None:
            yield from _list_errors_left(repaired, outcome.written_path, setting)
            return
    above = ""
    for number, cause in enumerate(outcome.causes, start=1):
        note = note_above_proposals(cause._replace(finding=setting.apply_odds(cause.finding)))
        words = SAME_NOTE if note and note == above else note
        yield render_to_string(
            _show_error_with_proposals(number, cause, words, repaired, setting), setting
        )
        above = note
    for message in repaired.later:
        yield f"also proved after that: {_fit_text(message, setting)}\n"
    if outcome.causes:
        yield "\n"


def _list_errors_left(repaired: RepairedFile, path: str, setting: OutputOptions) -> Iterator[str]:
    """Yield a line for each error left in the repaired file."""
    for error in repaired.errors_left:
        text = Text(finding_line(setting.apply_odds(error)._replace(path=path), setting))
        yield render_to_string(text, setting)
    yield "\n"


def diff_lines(outcome: RepairOutcome, setting: OutputOptions) -> list[str]:
    """Return the diff from a file to its repaired text as lines; [] for a binary file."""
    if outcome.repaired is None or outcome.is_converted:
        return []
    texts = outcome.text, outcome.repaired.data
    before, after = (decode(data).text.encode() for data in texts)
    lines = _make_unified_diff(before, after, outcome.path)
    return [fit_line(line.decode().rstrip("\n"), setting) for line in lines]


def _show_diff(outcome: RepairOutcome, setting: OutputOptions) -> Text:
    """Return the diff from a file to its repaired text, with colors."""
    lines = diff_lines(outcome, setting)
    return Text("\n").join(Text(line, _COLORS.get(line[0], "")) for line in lines)


def _show_error_with_proposals(
    error_number: int,
    error: RepairableFinding,
    note: str,
    repaired: RepairedFile,
    setting: OutputOptions,
) -> Text:
    """Return an error with its first `MOST_LISTED` proposed repairs; those made are in color.

    `note` is printed above the repairs.
    """
    finding = setting.apply_odds(error.finding)
    text = Text(finding_line(finding._replace(standing=None), setting))
    if note:
        text.append(f"\n  {note}")
    shown = error.proposals[:MOST_LISTED]
    is_short = has_only_guessed_turns(error)
    for rank, proposal in enumerate(shown[:1] if is_short else shown, start=1):
        text.append(
            f"\n  {ChosenProposal(error_number, rank)!s:5}",
            _choose_number_style(ChosenProposal(error_number, rank), repaired),
        )
        text.append(proposal_line(finding, proposal, setting))
        if proposal.other_plays:
            plays = _name_other_plays(proposal.other_plays)
            if describe_chance(finding, proposal):
                plays += " (not in this percentage)"
            text.append(f"\n       or {_fit_text(plays, setting)}")
    if is_short and len(shown) > 1:
        text.append("\n       or ")
        for rank, proposal in enumerate(shown[1:], start=2):
            choice = ChosenProposal(error_number, rank)
            text.append(f"{choice} ", _choose_number_style(choice, repaired))
            chance = describe_probability(finding, proposal.probability)
            turn = proposal.message.removeprefix(TURN_IS_LOST)
            text.append(_fit_text(f"{turn} ({chance})", setting))
            text.append(", " if rank < len(shown) else "")
    others = len(error.proposals) - MOST_LISTED
    if others > 0:
        text.append(f"\n  and {others} more: see --format jsonl", "dim")
    is_open = not error.proposals[0].proved and not says_to_watch_video(error)
    if is_open and (words := name_whom_to_ask(finding)):
        text.append(f"\n  {_fit_text(words, setting)}")
    return text


def _name_other_plays(plays: Sequence[str]) -> str:
    """Return the first plays of a list, and the number of the others.

    >>> _name_other_plays(["8/6", "8/5", "8/4", "8/3", "8/2"])
    '8/6, 8/5, 8/4 and 2 more'
    """
    others = len(plays) - MOST_PLAYS_LISTED
    return ", ".join(plays[:MOST_PLAYS_LISTED]) + (f" and {others} more" if others > 0 else "")


def _choose_number_style(choice: ChosenProposal, repaired: RepairedFile) -> str:
    """Return the text style of a repair's number: `bold`, or `bold green` if made."""
    return "bold green" if choice in repaired.made else "bold"


def has_only_guessed_turns(error: RepairableFinding) -> bool:
    """Whether all repairs of an error insert a lost turn, and differ only in its roll."""
    places = {(one.kind, one.line, one.side) for one in error.proposals}
    first = error.proposals[0]
    # Then nothing in the file shows which roll it was.
    return first.doubt == ROLL_UNKNOWN and first.kind == "lost turn" and len(places) == 1


def says_to_watch_video(error: RepairableFinding) -> bool:
    """Whether the note above the repairs of an error says to watch the video."""
    return has_only_guessed_turns(error) or error.proposals[0].doubt == ROW_IS_GUESSED


def note_above_proposals(error: RepairableFinding) -> str:
    """Return a note that no repair of an error is certain; "" if none is needed."""
    if has_only_guessed_turns(error):
        return NO_TURN
    if error.proposals[0].doubt == ROW_IS_GUESSED:
        return NO_ROW
    return _note_real_play(error.finding) if error.finding.may_be_players else ""


def _note_real_play(finding: Finding) -> str:
    """Return a note that a player may really have made a play."""
    slip = finding.slip
    is_stated = slip is not None and slip.stated is not None
    chance = f" ({chance_in_words(slip)})" if slip is not None and is_stated else ""
    return (
        "Nothing later in the game contradicts this play: it may really have been made."
        f" If it is a transcription slip{chance}:"
    )


def proposal_line(finding: Finding, proposal: Proposal, setting: OutputOptions) -> str:
    """Return a proposed repair in one line: `line 12, left: EDIT (SLIP; proved, …)`.

    SLIP is the transcriber's mistake, such as `lost turn`.
    """
    place = [f"line {proposal.line}"]
    place += [f"game {finding.game}"] if finding.game and proposal.row else []
    place += [f"row {proposal.row.strip()}"] if proposal.row else []
    place += [_name_player(finding, proposal)] if proposal.side else []
    errors = f"errors {proposal.errors_before} → {proposal.errors_after}"
    errors = errors if proposal.edits else "no edit can restore it"
    chance = describe_chance(finding, proposal)
    about = f"{slip_in_words(proposal.kind)}; {', '.join(filter(None, (chance, errors)))}"
    is_said_above = proposal.doubt == MAY_BE_PLAYERS and finding.may_be_players
    if proposal.doubt and proposal.edits and not is_said_above:
        about += f"; {NOT_PROVED}{proposal.doubt}"
    return _fit_text(f"{', '.join(place)}: {proposal.message} ({about})", setting)


def _name_player(finding: Finding, proposal: Proposal) -> str:
    """Return the player whose text a repair changes, by name or by side."""
    is_known = finding.player is not None and proposal.side == finding.side
    return f"{finding.player}" if is_known else f"{proposal.side}"


def slip_in_words(kind: str) -> str:
    """Return a kind of transcriber's mistake in plain words, such as `lost turn`."""
    return SLIPS.get(kind, kind.replace("-", " "))


def _fit_text(text: str, setting: OutputOptions) -> str:
    """Return a text with characters that the output cannot show escaped."""
    return printable(text if setting.unicode else text.replace("→", "->"), setting.encoding)
