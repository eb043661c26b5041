"""Search one file for transcription slips: from its bytes to causes of errors, as picklable values."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import count
from threading import Lock

from bganalyze.app.jobs.outcome import FileOutcome, apply_to_file
from bganalyze.board.rule_book import RuleBook
from bganalyze.files.reading import FileToRead
from bganalyze.record.model import Match
from bganalyze.record.reader import is_binary, read_bytes
from bganalyze.repairing.applying import ChosenProposal, RepairedFile, apply_chosen, apply_repairs
from bganalyze.repairing.file_to_repair import read_file_to_repair
from bganalyze.repairing.original_places import OriginalPlaces
from bganalyze.repairing.prior import PlayPrior, rate_plays_by_appearance
from bganalyze.repairing.remedy import finding_key
from bganalyze.repairing.repairable_finding import RepairableFinding
from bganalyze.repairing.search import find_repairable_findings
from bganalyze.validation.findings import Finding, Severity
from bganalyze.validation.replaying import replay
from bganalyze.writing import write

NO_SLIP_EXPLAINS = "none of the slips that are searched explains this"
SEARCH_ENDED = "the search reached its limit of effort"

OWN_TEXT = "bgm"
"""The text format in which binary files are repaired; it loses no information."""


@dataclass(frozen=True, slots=True)
class RepairOutcome(FileOutcome):
    """The outcome of repairing one file: errors with proposed repairs, or why it was not read."""

    causes: tuple[RepairableFinding, ...] = ()
    text: bytes = b""
    """The bytes searched: the file, or a binary file converted to `.bgm` text."""
    is_converted: bool = False
    is_cut_short: bool = False
    """Whether the search reached its limit of effort."""
    repaired: RepairedFile | None = None
    """The repaired file, or None if the file could not be read."""
    warnings: int = 0
    """Number of warnings of the file that are not among the causes."""
    written_path: str | None = None
    """The path the repaired file was written to, or None if it was not written."""

    @property
    def is_changed(self) -> bool:
        """Whether a repair changes the file."""
        return self.repaired is not None and self.repaired.data != self.text


def search_file(
    item: FileToRead,
    rule_book: RuleBook,
    chosen: Sequence[ChosenProposal] = (),
    rate_plays: PlayPrior = rate_plays_by_appearance,
) -> RepairOutcome:
    """Search a file for repairs of its errors; return the repairs and the repaired file.

    All proved repairs are made, and those in `chosen`. `rate_plays` says how likely a player is to
    choose each play of a roll.
    """
    outcome, searched = apply_to_file(
        item,
        partial(_search_content, item, rule_book=rule_book, chosen=chosen, rate_plays=rate_plays),
    )
    return searched or RepairOutcome(**asdict(outcome))


def make_repairable_text(data: bytes, path: str) -> bytes:
    """Return the text in which a file is repaired: the file's own, or `.bgm` text for a binary one.

    Raises NotATranscript if it is no match file.
    """
    if not is_binary(data):
        return data
    return _write_own_text(read_bytes(data, path))


def _write_own_text(matches: Iterable[Match]) -> bytes:
    """Return matches as `.bgm` text."""
    return write([replay(match) for match in matches], OWN_TEXT).data


class RepairSearch:
    """A search for repairs of one file, made in its text; a binary file becomes `.bgm` text.

    Iterating yields each error with its proposed repairs, as they are found. Each error is searched
    once, even if several threads iterate.
    """

    def __init__(
        self,
        content: bytes,
        path: str,
        rule_book: RuleBook,
        rate_plays: PlayPrior = rate_plays_by_appearance,
    ) -> None:
        """Start a search of the content of a file, or raise NotATranscript.

        `rate_plays` says how likely a player is to choose each play of a roll.
        """
        self.is_converted = is_binary(content)
        original = tuple(read_bytes(content, path)) if self.is_converted else ()
        text = _write_own_text(original) if self.is_converted else content
        self.file = read_file_to_repair(text, path, rule_book)
        self._places: OriginalPlaces | None = None
        self._text_places: OriginalPlaces | None = None
        if self.is_converted:
            read_again = tuple(one.match for one in self.file.replays)
            self._places = OriginalPlaces(original, read_again)
            self._text_places = OriginalPlaces(read_again, original)
        self._prior = rate_plays
        self._source, self._found = (
            find_repairable_findings(self.file, rate_plays),
            list[RepairableFinding](),
        )
        self._searching = Lock()

    def __iter__(self) -> Iterator[RepairableFinding]:
        """Yield each error with its proposed repairs, at the place that `check` gives."""
        places = self._places
        yield from (
            self._search() if places is None else map(places.translate_repairs, self._search())
        )

    @property
    def causes_in_text(self) -> tuple[RepairableFinding, ...]:
        """The errors with their proposed repairs, at their places in the text."""
        return tuple(self._search())

    def find_in_text(self, finding: Finding) -> Finding:
        """Return a finding of the file at its place in the text."""
        places = self._text_places
        return finding if places is None else places.translate_finding(finding)

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The errors that were not corrected in the game, at their places in the file."""
        places = self._places
        return (
            self.file.errors
            if places is None
            else tuple(map(places.translate_finding, self.file.errors))
        )

    @property
    def no_repair_reason(self) -> str:
        """Why some errors have no proposed repair; known only after the search."""
        return SEARCH_ENDED if self.file.effort.was_any_search_cut_short else NO_SLIP_EXPLAINS

    @property
    def match_lines(self) -> Sequence[str]:
        """The lines of the file, to which the line numbers of findings refer."""
        return self.file.lines if self._places is None else self._places.original[0].source.lines

    @property
    def text_path(self) -> str:
        """The path of the text: the file's path, with the ending `.bgm` if the file is binary."""
        return (
            f"{os.path.splitext(self.file.path)[0]}.{OWN_TEXT}"
            if self.is_converted
            else self.file.path
        )

    def _search(self) -> Iterator[RepairableFinding]:
        """Yield the errors with their proposed repairs. Each error is searched only once."""
        for place in count():
            with self._searching:
                if place == len(self._found):
                    cause = next(self._source, None)
                    if cause is None:
                        return
                    self._found.append(cause)
            yield self._found[place]

    def make_outcome(self, repaired: RepairedFile, root: str) -> RepairOutcome:
        """Return the outcome for the file: the repairs found, and the repaired file.

        `root` is the path, named by the user, that holds the file.
        """
        listed = {finding_key(cause.finding) for cause in self._search()}
        warnings = sum(
            finding.severity is Severity.WARNING and finding_key(finding) not in listed
            for finding in self.file.findings
        )
        return RepairOutcome(
            self.file.path,
            root,
            warnings=warnings,
            causes=tuple(self),
            text=self.file.data,
            is_converted=self.is_converted,
            is_cut_short=self.file.effort.was_any_search_cut_short,
            repaired=repaired,
        )

    def apply(self, chosen: Sequence[ChosenProposal] = ()) -> RepairedFile:
        """Return the file with all proved repairs and those in `chosen`.

        A chosen repair replaces the proved one of the same error.
        """
        repaired = apply_repairs(self.file, tuple(self._search()), self._prior, chosen)
        return self._set_path_of_errors(repaired)

    def apply_chosen(self, chosen: Sequence[ChosenProposal]) -> RepairedFile:
        """Return the file with only the repairs in `chosen`."""
        return self._set_path_of_errors(apply_chosen(self.file, tuple(self._search()), chosen))

    def _set_path_of_errors(self, repaired: RepairedFile) -> RepairedFile:
        """Return a repaired file whose remaining errors have the path `text_path`."""
        errors = (one._replace(path=self.text_path) for one in repaired.errors_left)
        return repaired._replace(errors_left=tuple(errors))


def _search_content(
    item: FileToRead,
    content: bytes,
    rule_book: RuleBook,
    chosen: Sequence[ChosenProposal],
    rate_plays: PlayPrior,
) -> RepairOutcome:
    """Search the content of a file for repairs, and make the proved and the chosen ones.

    Numbers in `chosen` that no proposal has are ignored.
    """
    search = RepairSearch(content, item.path, rule_book, rate_plays)
    causes = tuple(search)
    proposed = [choice for choice in chosen if is_proposed(causes, choice)]
    return search.make_outcome(search.apply(proposed), item.root)


def is_proposed(causes: Sequence[RepairableFinding], choice: ChosenProposal) -> bool:
    """Whether `choice`, a number such as 2.3, names a proposed repair of these errors."""
    return choice.cause <= len(causes) and choice.rank <= len(causes[choice.cause - 1].proposals)
