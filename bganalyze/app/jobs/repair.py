"""Look for the slips of one file: from its bytes to the causes of its errors, as picklable values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import count
from threading import Lock

from bganalyze.app.jobs.outcome import FileOutcome, attempt
from bganalyze.board.rule_book import RuleBook
from bganalyze.files.reading import Item
from bganalyze.record.reader import is_binary, read_bytes
from bganalyze.repairing.applying import Chosen, RepairedFile, apply_chosen, apply_repairs
from bganalyze.repairing.draft import draft_of
from bganalyze.repairing.prior import Prior, by_eye
from bganalyze.repairing.search import Cause, causes_in
from bganalyze.validation.replaying import replay
from bganalyze.writing import write

OWN_TEXT = "bgm"
"""The format in which binary files are repaired: it can express everything they hold."""


@dataclass(frozen=True, slots=True)
class Diagnosed(FileOutcome):
    """The outcome of one file: the causes of its errors, or why there are none."""

    causes: tuple[Cause, ...] = ()
    text: bytes = b""
    """The bytes that were searched: the file, or a binary one in the project's own text."""
    is_converted: bool = False
    is_cut_short: bool = False
    """Whether the search of the file, or of one error, has ended at the limit of its effort."""
    repaired: RepairedFile | None = None
    """None where the file could not be read."""

    @property
    def is_changed(self) -> bool:
        """Whether there is something to write."""
        return self.repaired is not None and self.repaired.data != self.text


def diagnose(
    item: Item, rule_book: RuleBook, chosen: Sequence[Chosen] = (), prior: Prior = by_eye
) -> Diagnosed:
    """Return the likely causes of the errors of a file, and the repaired file.

    Never raises, whatever a file may hold.
    """
    outcome, diagnosed = attempt(
        item, partial(_diagnosed, item, rule_book=rule_book, chosen=chosen, prior=prior)
    )
    return diagnosed or Diagnosed(**asdict(outcome))


def repairable(data: bytes, path: str) -> bytes:
    """Return the file, or a binary one in the project's own text; raise NotATranscript."""
    if not is_binary(data):
        return data
    return write([replay(match) for match in read_bytes(data, path)], OWN_TEXT).data


class RepairSearch:
    """A file that is searched for the slips behind its errors, and how it is repaired.

    Iterating yields the causes as they are found; each is looked for once.
    """

    def __init__(
        self, content: bytes, path: str, rule_book: RuleBook, prior: Prior = by_eye
    ) -> None:
        """Begin with the content of a file; raise NotATranscript."""
        self.draft = draft_of(repairable(content, path), path, rule_book)
        self.is_converted = is_binary(content)
        self._prior = prior
        self._source, self._found = causes_in(self.draft, prior), list[Cause]()
        self._searching = Lock()

    def __iter__(self) -> Iterator[Cause]:
        """Yield the causes."""
        for place in count():
            with self._searching:
                if place == len(self._found):
                    cause = next(self._source, None)
                    if cause is None:
                        return
                    self._found.append(cause)
            yield self._found[place]

    def diagnosed(self, repaired: RepairedFile, root: str) -> Diagnosed:
        """Return the outcome of the search, with the file as it was repaired."""
        return Diagnosed(
            self.draft.path,
            root,
            causes=tuple(self),
            text=self.draft.data,
            is_converted=self.is_converted,
            is_cut_short=self.draft.effort.was_short,
            repaired=repaired,
        )

    def apply(self, chosen: Sequence[Chosen] = ()) -> RepairedFile:
        """Return the file with every repair that is proved, or chosen instead or besides."""
        return apply_repairs(self.draft, tuple(self), self._prior, chosen)

    def apply_chosen(self, chosen: Sequence[Chosen]) -> RepairedFile:
        """Return the file with the repairs that are chosen, and no others."""
        return apply_chosen(self.draft, tuple(self), chosen)


def _diagnosed(
    item: Item, content: bytes, rule_book: RuleBook, chosen: Sequence[Chosen], prior: Prior
) -> Diagnosed:
    search = RepairSearch(content, item.path, rule_book, prior)
    causes = tuple(search)
    proposed = [choice for choice in chosen if is_proposed(causes, choice)]
    return search.diagnosed(search.apply(proposed), item.root)


def is_proposed(causes: Sequence[Cause], choice: Chosen) -> bool:
    """Whether there is a proposal with these numbers."""
    return choice.cause <= len(causes) and choice.rank <= len(causes[choice.cause - 1].proposals)
