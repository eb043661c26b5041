"""`matches`: a list of matches with their players, scores and problems."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, overload

from bganalyze.analysis.match import AnalyzedMatch
from bganalyze.analysis.select import EngineChoice, choose_analysis
from bganalyze.app.api.arguments import check_arguments
from bganalyze.app.api.sources import (
    Source,
    call_in_limits_of_matches,
    find_rule_book,
    group_files,
    require_read,
    yield_files_or_matches,
)
from bganalyze.app.jobs.executor import Executor, map_or_recall
from bganalyze.app.jobs.matches import ListedFile, list_file, list_matches
from bganalyze.app.jobs.outcome import FileCounts
from bganalyze.app.jobs.workers import Processes
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.files.reading import FileToRead
from bganalyze.record.model import Match
from bganalyze.record.players import Players
from bganalyze.statistics.match_list import ListedMatch
from bganalyze.text import Unreadable, number_of

if TYPE_CHECKING:
    import pandas as pd

    from bganalyze.analysis.store import Store
    from bganalyze.app.api.analyze import AnalysisResult

FindAnalysis: TypeAlias = Callable[[ListedMatch], AnalyzedMatch | None]
"""A function that returns the stored analysis of a match, or None."""


@dataclass(frozen=True, slots=True)
class MatchList(Sequence[ListedMatch]):
    """A list of the matches in files, and of the files that could not be read."""

    matches: tuple[ListedMatch, ...]
    rule_book: RuleBook
    skipped: int = 0
    """Files of folders and archives without a match."""
    unreadable: tuple[Unreadable, ...] = ()
    """Files of folders and archives that could not be read, with the reason."""

    @overload
    def __getitem__(self, place: int) -> ListedMatch: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[ListedMatch, ...]: ...
    def __getitem__(self, place: int | slice) -> ListedMatch | tuple[ListedMatch, ...]:
        """Return the match at an index, or those of a slice."""
        return self.matches[place]

    def __len__(self) -> int:
        """Return the number of matches."""
        return len(self.matches)

    def __repr__(self) -> str:
        """The number of matches, and of those with errors."""
        faulty = sum(bool(match.errors) for match in self.matches)
        return f"<{number_of(len(self.matches), 'match')}, {faulty} with errors>"

    def to_frame(self) -> pd.DataFrame:
        """Return a table of the matches, with the columns of `matches --format csv`."""
        import pandas as pd

        from bganalyze.app.render.matches import COLUMNS, make_csv_row

        return pd.DataFrame(map(make_csv_row, self.matches), columns=list(COLUMNS))

    def render(self, format: str = "text") -> str:
        """Return the list in a format of `bganalyze matches`; raise ValueError for an unknown one."""
        from bganalyze.app.render import MATCH_FORMATS, get_match_renderer, require_format
        from bganalyze.app.render.output_options import plain_output_options

        require_format(format, MATCH_FORMATS)
        setting = plain_output_options(self.rule_book)
        return "".join(get_match_renderer(format)(self.matches, setting))

    def _repr_html_(self) -> str:
        """The list as a table, for notebooks."""
        return str(self.to_frame().to_html(index=False, max_rows=20))


@check_arguments
def matches(
    source: Source,
    rules: str | RuleBook = BASIC,
    *,
    analysis: AnalysisResult | None = None,
    players: Callable[[str], str] | None = None,
    workers: int = 1,
    name: str | None = None,
    encoding: str | None = None,
) -> MatchList:
    """List the matches of files: players, score, winner, and problems.

    - `analysis` is a result of `analyze` or `analyses` that has the players' PR; by default,
      analyses in the files are used.
    - `players` maps written names to players; by default, names that differ only in rating, case or
      Unicode form are one.
    - `workers` is the number of processes; a program that uses several needs the usual `if __name__
      == "__main__":`.
    - `name` is the file name for bytes or an open file.
    - `encoding` is the encoding of the files, detected by default.

    Raises NotATranscript and UnreadableError for a named file that cannot be read, and ValueError
    for an unknown rule book or encoding.

    >>> listed = matches("samples/clean/one-point.mat")
    >>> listed[0].players, listed[0].recorded.after, listed[0].winner_name
    (('Ada Quill', 'Bruno Vale'), (0, 1), 'Bruno Vale')
    """
    listing = Listing(find_rule_book(rules), players or Players(), make_finder_in_result(analysis))
    counts = FileCounts()
    with ExitStack() as opened:
        parts = yield_files_or_matches(source, name, opened, encoding)
        found = tuple(
            yield_list_entries(
                parts,
                partial(_list_matches_of_files, listing=listing, executor=Processes(workers)),
                lambda read: listing.add_rates_and_names(list_matches(read, listing.rule_book)),
                counts,
            )
        )
    return MatchList(found, listing.rule_book, counts.skipped, tuple(counts.unreadable))


class Listing(NamedTuple):
    """Options of a list of matches: the rule book, players' names, and analyses."""

    rule_book: RuleBook
    called: Callable[[str], str]
    """A function that returns the player of a written name."""
    find: FindAnalysis
    """A function that returns the analysis of a match, or None."""

    def add_rates_and_names(self, found: Iterable[ListedMatch]) -> tuple[ListedMatch, ...]:
        """Return listed matches with the players' PR and names."""
        return tuple(
            match.rate_players(self.find(match)).rename_players(self.called) for match in found
        )


def list_files(
    items: Iterable[FileToRead], listing: Listing, executor: Executor
) -> Generator[tuple[FileToRead, ListedFile], None, None]:
    """Read files, and yield each file, in order, with the list of its matches."""
    job = partial(list_file, rule_book=listing.rule_book)
    with closing(map_or_recall(job, items, lambda _: None, executor)) as files:
        for item, file in files:
            yield item, replace(file, matches=listing.add_rates_and_names(file.matches))


def _list_matches_of_files(
    items: Iterable[FileToRead], listing: Listing, executor: Executor
) -> Generator[ListedFile, None, None]:
    """Read files, and yield the list of each file's matches."""
    with closing(list_files(items, listing, executor)) as files:
        for _, file in files:
            yield file


def yield_list_entries(
    parts: Iterable[FileToRead | tuple[Match, ...]],
    list_unread: Callable[[Iterator[FileToRead]], Generator[ListedFile, None, None]],
    list_read: Callable[[tuple[Match, ...]], Iterable[ListedMatch]],
    counts: FileCounts,
) -> Iterator[ListedMatch]:
    """Yield the entry in a match list of each match, whether in a file or already read.

    - `parts` are files to read, or tuples of the matches already read from one file.
    - `list_unread` reads files, and yields each file with its entries.
    - `list_read` returns the entries of matches already read.

    Raises UnreadableError for an unreadable file that the user named.
    """
    for part in group_files(parts):
        if isinstance(part, tuple):
            yield from call_in_limits_of_matches(part, partial(list_read, part))
            continue
        with closing(list_unread(part)) as files:
            for file in counts.count_each(files):
                require_read(file)
                yield from file.matches


def make_finder_in_result(analysis: AnalysisResult | None) -> FindAnalysis:
    """Return a function that finds the analysis of a match, if any, in a result of `analyze`."""
    analyzed = analysis.matches if analysis else ()
    by_content = {match.record: match for match in analyzed if match.record}
    by_place = {(match.path, match.number): match for match in analyzed}
    return lambda match: by_content.get(match.content) or by_place.get((match.path, match.number))


def make_finder_in_store(store: Store | None, choice: EngineChoice) -> FindAnalysis:
    """Return a function that finds the analysis of a match, if any, in a database.

    Both this call and the function may raise StoreError.
    """
    if store is None:
        return lambda _: None
    keys = {
        content: choose_analysis([key for key, _, _ in entries])
        for content, entries in groupby(
            sorted(
                (one for one in store.list_analyses() if one[1] and choice.accepts(one[0])),
                key=lambda one: one[1],
            ),
            key=lambda one: one[1],
        )
    }

    def find(match: ListedMatch) -> AnalyzedMatch | None:
        """Return the analysis of a match that `choice` allows, or None."""
        key = keys.get(match.content)
        stored = store.find_by_content(key.content) if key else ()
        return next((one for one in stored if one.key == key), None)

    return find
