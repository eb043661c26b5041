"""Search one file for transcription slips: from its bytes to causes of errors, as picklable values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import count
from threading import Lock

from bganalyze.app.jobs.outcome import FileOutcome, apply_to_file
from bganalyze.board.rule_book import RuleBook
from bganalyze.files.reading import FileToRead
from bganalyze.record.reader import is_binary, read_bytes
from bganalyze.repairing.applying import ChosenProposal, RepairedFile, apply_chosen, apply_repairs
from bganalyze.repairing.file_to_repair import read_file_to_repair
from bganalyze.repairing.prior import PlayPrior, rate_plays_by_appearance
from bganalyze.repairing.repairable_finding import RepairableFinding
from bganalyze.repairing.search import find_repairable_findings
from bganalyze.validation.replaying import replay
from bganalyze.writing import write

OWN_TEXT = "bgm"
"""The text format in which binary files are repaired; it loses no information."""


@dataclass(frozen=True, slots=True)
class RepairOutcome(FileOutcome):
    """The outcome of one file: the causes of its errors, or the reason why it was not searched."""

    causes: tuple[RepairableFinding, ...] = ()
    text: bytes = b""
    """The bytes searched: the file, or a binary file converted to `.bgm` text."""
    is_converted: bool = False
    is_cut_short: bool = False
    """Whether the search reached its limit of effort."""
    repaired: RepairedFile | None = None
    """The repaired file, or None if the file could not be read."""
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
    """Search a file for repairs of its errors, and return them with the repaired file.

    Edits are made that are proved (no other edit fits the match) or chosen by their numbers in
    `chosen`. `rate_plays` says how likely a player is to choose each play of a roll. Nothing is
    raised: an unreadable file has an outcome with the error.
    """
    outcome, searched = apply_to_file(
        item,
        partial(_search_content, item, rule_book=rule_book, chosen=chosen, rate_plays=rate_plays),
    )
    return searched or RepairOutcome(**asdict(outcome))


def text_to_repair(data: bytes, path: str) -> bytes:
    """Return the content of a file, a binary one converted to `.bgm` text; raise NotATranscript."""
    if not is_binary(data):
        return data
    return write([replay(match) for match in read_bytes(data, path)], OWN_TEXT).data


class RepairSearch:
    """The search of a file for slips, and its repair.

    Iterating yields the causes as they are found; each is searched once, also by several threads.
    """

    def __init__(
        self,
        content: bytes,
        path: str,
        rule_book: RuleBook,
        prior: PlayPrior = rate_plays_by_appearance,
    ) -> None:
        """Start a search of the content of a file; raise NotATranscript."""
        self.draft = read_file_to_repair(text_to_repair(content, path), path, rule_book)
        self.is_converted = is_binary(content)
        self._prior = prior
        self._source, self._found = (
            find_repairable_findings(self.draft, prior),
            list[RepairableFinding](),
        )
        self._searching = Lock()

    def __iter__(self) -> Iterator[RepairableFinding]:
        """Yield the causes."""
        for place in count():
            with self._searching:
                if place == len(self._found):
                    cause = next(self._source, None)
                    if cause is None:
                        return
                    self._found.append(cause)
            yield self._found[place]

    def make_outcome(self, repaired: RepairedFile, root: str) -> RepairOutcome:
        """Return the outcome for a file: the repairs found, and the repaired file.

        `root` is the path given by the user, under which the file was found.
        """
        return RepairOutcome(
            self.draft.path,
            root,
            causes=tuple(self),
            text=self.draft.data,
            is_converted=self.is_converted,
            is_cut_short=self.draft.effort.was_short,
            repaired=repaired,
        )

    def apply(self, chosen: Sequence[ChosenProposal] = ()) -> RepairedFile:
        """Return the file with all proved repairs made, and the repairs chosen by number.

        A chosen repair replaces the proved one of the same error.
        """
        return apply_repairs(self.draft, tuple(self), self._prior, chosen)

    def apply_chosen(self, chosen: Sequence[ChosenProposal]) -> RepairedFile:
        """Repair the file by the chosen proposals only."""
        return apply_chosen(self.draft, tuple(self), chosen)


def _search_content(
    item: FileToRead,
    content: bytes,
    rule_book: RuleBook,
    chosen: Sequence[ChosenProposal],
    rate_plays: PlayPrior,
) -> RepairOutcome:
    """Search the content of a file for repairs of its errors, and repair it as `search_file` does.

    Numbers in `chosen` that name no proposal are ignored.
    """
    search = RepairSearch(content, item.path, rule_book, rate_plays)
    causes = tuple(search)
    proposed = [choice for choice in chosen if is_proposed(causes, choice)]
    return search.make_outcome(search.apply(proposed), item.root)


def is_proposed(causes: Sequence[RepairableFinding], choice: ChosenProposal) -> bool:
    """Whether the number `choice`, such as 2.3, names a proposed repair of the errors in `causes`."""
    return choice.cause <= len(causes) and choice.rank <= len(causes[choice.cause - 1].proposals)
