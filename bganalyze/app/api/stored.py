"""Sums of a store, for the reports; DuckDB is loaded when a store is opened."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bganalyze.app.api.analyses import open_existing_analyses
from bganalyze.app.api.answering import ComposedAnswer, ReportRequest, compose_answer
from bganalyze.statistics.anonymity import PERSONAL

if TYPE_CHECKING:
    from bganalyze.statistics.reports.figures import Section
    from bganalyze.statistics.reports.stored import StoredSums


@contextmanager
def open_stored_sums(
    folder: Path,
    players: Callable[[str], str],
    rule_book: str | None,
    hidden_columns: Collection[str] = (),
) -> Iterator[tuple[StoredSums, str]]:
    """Provide, in a `with` block, the totals in a store and the name of its rule book.

    The `hidden_columns` of the table of matches are left empty. Raises MatchStoreError, also if the
    store was made with another rule book than `rule_book`; None allows any.
    """
    from bganalyze.statistics.reports.stored import SETTINGS, StoredSums
    from bganalyze.statistics.store.opening import open_store
    from bganalyze.statistics.store.views import connect_to_store

    with closing(open_store(folder, rule_book)) as manifest:
        its_rule_book = manifest.rule_book
    with connect_to_store(folder, duckdb_settings=SETTINGS) as connection:
        yield StoredSums(connection, players, hidden_columns), its_rule_book


def answer_from_store(
    folder: Path,
    request: ReportRequest,
    players: Callable[[str], str],
    rule_book: str | None = None,
) -> ComposedAnswer:
    """Return the reports that `request` asks for, from a store made by `collect`.

    Raises UnknownNameError, and MatchStoreError, also if the store was made with another rule book
    than `rule_book`; None allows any.
    """
    hidden = PERSONAL if request.anonymize else ()
    analyses = partial(open_existing_analyses, None, folder)
    with open_stored_sums(folder, players, rule_book, hidden) as (sums, its_rule_book):
        return compose_answer(
            sums, request, store_sections, rule_book=its_rule_book, analyses=analyses
        )


def store_sections(sections: Iterable[Section]) -> Sequence[Section]:
    """Write the tables of a report to a temporary file; return a sequence that reads them."""
    from bganalyze.statistics.reports import stored

    return stored.store_sections(sections)
