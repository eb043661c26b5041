"""The answer to a question: the sections of the reports that were asked, and what was left out."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import Any, NamedTuple, TypeAlias
from weakref import finalize

from bganalyze.analysis.select import RECORDED
from bganalyze.statistics.reports import ANALYZED_REPORTS, bases, report
from bganalyze.statistics.reports.analyzed import apart, engines
from bganalyze.statistics.reports.figures import Section, count_note, is_of_figures
from bganalyze.statistics.reports.findings import FAULTS, of_records
from bganalyze.statistics.reports.question import Question, is_disputed, of_player, selected
from bganalyze.statistics.reports.recorded import TURNS
from bganalyze.statistics.reports.selection import ChosenSums, chosen_sums
from bganalyze.statistics.reports.sums import Sums, kept
from bganalyze.statistics.tables.frames import AnalyzedTables, Tables
from bganalyze.text import Files, number_of


class ReportAnswer(NamedTuple):
    """What the reports say."""

    question: Question
    counted: tuple[str, ...]
    """What was counted."""
    left_out: tuple[str, ...]
    """What was not, and why."""
    reports: Mapping[str, Sequence[Section]]
    files: Files | None = None
    """What became of the files, where files were counted and not a database."""
    rule_book: str | None = None
    """The rule book that a store was collected by; where none is asked, that of the run."""

    @property
    def is_of_analyses(self) -> bool:
        """Whether it tells what engines have analyzed, and not what the rule book says of records."""
        return all(name in ANALYZED_REPORTS for name in self.reports)


Keep: TypeAlias = Callable[[Iterable[Section]], Sequence[Section]]
"""What keeps the sections of a report, as they are made: `list`, or `SetAside` where they are large."""


class SetAside(Sequence[Section]):
    """Sections in a file without a name: however many groups they have, memory holds one of them."""

    _IN_MEMORY = 1 << 20
    """So many bytes are not worth a file."""

    def __init__(self, sections: Iterable[Section]) -> None:
        """Keep sections as they are made."""
        self._file = SpooledTemporaryFile(self._IN_MEMORY)  # noqa: SIM115 -- it ends with this
        finalize(self, self._file.close)
        self._places = list[int]()
        for section in sections:
            self._places.append(self._file.tell())
            pickle.dump(section, self._file, pickle.HIGHEST_PROTOCOL)
            del section  # It would be there until the next one is made.

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._places)

    def __getitem__(self, place: Any) -> Any:
        """Return a section."""
        self._file.seek(self._places[place])
        return pickle.load(self._file)  # noqa: S301 -- nobody else can write to it


def answered(tables: Tables, names: Iterable[str], question: Question) -> ReportAnswer:
    """Return what the named reports say of the tables."""
    names = tuple(names)
    return answered_by(kept(tables, bases(names)), names, question)


def answered_by(
    sums: Sums, names: Iterable[str], question: Question, keep: Keep = list
) -> ReportAnswer:
    """Return what the named reports say of matches, from their sums."""
    chosen, excluded = chosen_sums(sums, question)
    (rolls,) = chosen.total(TURNS, "turns")
    counted = (
        number_of(len(chosen.matches), "match"),
        number_of(len(chosen.games), "game"),
        number_of(rolls, "roll"),
    )
    left_out = (
        *excluded.words(),
        *_of_copies(chosen),
        *_of_disputed(chosen),
        *_as_money(chosen),
        *_named_otherwise(chosen),
    )
    reports = {name: keep(_sections(name, chosen, question)) for name in names}
    return ReportAnswer(question, counted, left_out, reports)


def _sections(
    name: str, chosen: ChosenSums | AnalyzedTables, question: Question
) -> Iterator[Section]:
    """The sections of a report, none of which is there any more when the next one is made."""
    return map(partial(_not_told_apart, question=question), report(name).report(chosen, question))


def _not_told_apart(section: Section, question: Question) -> Section:
    """Tell of the dimensions that figures were asked by and that these have not."""
    lacking = [name for name in question.by if name not in section.frame]
    if not lacking or not is_of_figures(section.frame):
        return section
    return section._replace(notes=(*section.notes, f"not told apart by {' and '.join(lacking)}"))


DISPUTED_COUNT = "as the next score has it if the board or the result line does too, else as the board has it, else as the result line has it, unless its points are impossible"
"""The rule by which a disputed game counts."""


def _of_disputed(chosen: ChosenSums) -> tuple[str, ...]:
    """Tell how games count whose result is disputed."""
    return count_note(
        is_disputed(chosen.games),
        "game",
        f"whose result is disputed, each counted {DISPUTED_COUNT}; --strict leaves them out",
    )


def _of_copies(chosen: ChosenSums) -> tuple[str, ...]:
    """Return notes on games that are copies of others: those left out, and those counted."""
    return (
        *count_note(chosen.matches["repeats"].sum(), "game", "that stands twice counted once"),
        *count_note(
            chosen.matches["copied"].sum(),
            "game",
            "with every play of another counted, as a score or a result tells of a second game",
        ),
    )


def _as_money(chosen: ChosenSums) -> tuple[str, ...]:
    """Tell of matches of one game that count as money."""
    stated = chosen.matches["length_of_money"]
    return count_note(
        stated.notna(),
        "record",
        "of one game to 16 points, or 2, 4 or 8, counted as money: Backgammon Galaxy writes unlimited games so",
    )


def _named_otherwise(chosen: ChosenSums) -> tuple[str, ...]:
    """Tell of headers with other names than the columns: a record does not say whose they are."""
    findings = of_records(chosen).counts(FAULTS, ["found"], ["match", "name"])
    return count_note(
        findings["name"] == "header-mismatch",
        "match",
        "with other players in the header than over the columns, whose names count; an alias file can say who is who",
    )


# The answer to a question about analyzed matches.


def analyzed_answered(
    tables: AnalyzedTables, names: Iterable[str], question: Question
) -> ReportAnswer:
    """Return what the named reports say of analyzed matches: of each engine apart."""
    chosen, excluded = selected(tables, question)
    question = apart(chosen, question)
    analyzes = engines(chosen.matches).value_counts()
    counted = (
        number_of(len(chosen.matches), "match"),
        number_of(len(chosen.games), "game"),
        number_of(len(of_player(chosen, question).decisions), "decision"),
        *(f"{number_of(count, 'match')} analyzed by {name}" for name, count in analyzes.items()),
    )
    left_out = (*excluded.words(), *_of_several_depths(chosen, question))
    reports = {name: list(_sections(name, chosen, question)) for name in names}
    return ReportAnswer(question, counted, left_out, reports)


def _of_several_depths(tables: AnalyzedTables, question: Question) -> tuple[str, ...]:
    """Tell of what depths the analyses are that files store, where they are put together."""
    matches = tables.matches
    recorded = matches.loc[matches["engine"].astype(object) == RECORDED, "match"]
    rows = of_player(tables, question).decisions
    rows = rows[rows["match"].isin(recorded) & rows["loss"].notna() & ~rows["forced"]]
    depths = rows["depth"].astype(object).fillna("unknown depth").value_counts()
    if len(depths) < 2 or "depth" in question.by:
        return ()
    words = ", ".join(f"{count:,} at {depth}" for depth, count in depths.items())
    return (
        f"analyses stored in files are of several depths, which figures put together: {words}; --by depth tells them apart, but programs look deeper at what seems wrong, so that a rate at one depth says little of a player",
    )
