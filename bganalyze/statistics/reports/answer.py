"""Answers to questions: the sections of the chosen reports, with notes on matches left out."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import Any, NamedTuple, TypeAlias
from weakref import finalize

from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.position_classes import PositionClass
from bganalyze.analysis.select import RECORDED
from bganalyze.statistics.reports import ANALYZED_REPORTS, list_summed_tables, load_report
from bganalyze.statistics.reports.analyzed_counts import (
    group_by_engine,
    name_engines,
    note_several_levels,
)
from bganalyze.statistics.reports.figures import Section, has_figures, make_count_note
from bganalyze.statistics.reports.findings import FAULTS, count_without_players
from bganalyze.statistics.reports.question import (
    Question,
    is_disputed,
    restrict_tables,
    restrict_to_player,
)
from bganalyze.statistics.reports.recorded_rolls import TURNS
from bganalyze.statistics.reports.selection import ChosenSums, select_sums
from bganalyze.statistics.reports.sums import Sums, sum_in_memory
from bganalyze.statistics.reports.whole_matches import count_continuing_files
from bganalyze.statistics.tables.frames import AnalyzedTables, Tables
from bganalyze.text import Files, number_of


class ReportAnswer(NamedTuple):
    """The tables of the reports that a question asks for."""

    question: Question
    counted: tuple[str, ...]
    """The numbers of matches, games and rolls counted, in words."""
    left_out: tuple[str, ...]
    """The numbers left out, with reasons."""
    reports: Mapping[str, Sequence[Section]]
    files: Files | None = None
    """The outcome for each file; None for a database."""
    rule_book: str | None = None
    """The rule book by which the store was collected; without a store, the run's."""

    @property
    def is_of_analyses(self) -> bool:
        """Whether all reports in this answer are about analyzed matches."""
        return all(name in ANALYZED_REPORTS for name in self.reports)


KeepSections: TypeAlias = Callable[[Iterable[Section]], Sequence[Section]]
"""Container for the sections of a report as they are made: `list`, or `SectionsOnDisk` for large ones."""


class SectionsOnDisk(Sequence[Section]):
    """Sections kept in an unnamed file, so that memory holds only one of them at a time."""

    _IN_MEMORY = 1 << 20
    """Bytes up to which no file is used."""

    def __init__(self, sections: Iterable[Section]) -> None:
        """Store sections as they are made."""
        self._file = SpooledTemporaryFile(self._IN_MEMORY)  # noqa: SIM115 -- closed with this
        finalize(self, self._file.close)
        self._places = list[int]()
        for section in sections:
            self._places.append(self._file.tell())
            pickle.dump(section, self._file, pickle.HIGHEST_PROTOCOL)
            del section  # Otherwise it would stay in memory until the next one is made.

    def __len__(self) -> int:
        """Return the number of sections."""
        return len(self._places)

    def __getitem__(self, place: Any) -> Any:
        """Return a section by index."""
        self._file.seek(self._places[place])
        return pickle.load(self._file)  # noqa: S301 -- only this process can write the file


def answer_from_tables(
    tables: Tables, report_names: Iterable[str], question: Question
) -> ReportAnswer:
    """Run the named reports on the matches in `tables` that a question selects."""
    report_names = tuple(report_names)
    return answer_from_sums(
        sum_in_memory(tables, list_summed_tables(report_names)), report_names, question
    )


def answer_from_sums(
    sums: Sums, report_names: Iterable[str], question: Question, keep: KeepSections = list
) -> ReportAnswer:
    """Run the named reports on sums over the matches that a question selects.

    `keep` stores the tables of each report, in memory or on disk.
    """
    chosen, excluded = select_sums(sums, question)
    (rolls,) = chosen.total(TURNS, "turns")
    counted = (
        number_of(len(chosen.matches), "match"),
        number_of(len(chosen.games), "game"),
        number_of(rolls, "roll"),
    )
    left_out = (
        *excluded.words(),
        *_note_continuing_files(chosen),
        *_note_copied_games(chosen),
        *_note_disputed_games(chosen),
        *_note_games_as_money(chosen),
        *_note_other_header_names(chosen),
    )
    reports = {name: keep(_make_sections(name, chosen, question)) for name in report_names}
    return ReportAnswer(question, counted, left_out, reports)


def _make_sections(
    name: str, chosen: ChosenSums | AnalyzedTables, question: Question
) -> Iterator[Section]:
    """Run the report called `name`, and yield its tables one by one to save memory."""
    return map(
        partial(_note_missing_dimensions, question=question),
        load_report(name).report(chosen, question),
    )


def _note_missing_dimensions(section: Section, question: Question) -> Section:
    """Add a note such as `not grouped by length` to a table that lacks a dimension asked for."""
    lacking = [name for name in question.by if name not in section.frame]
    if not lacking or not has_figures(section.frame):
        return section
    return section._replace(notes=(*section.notes, f"not grouped by {' and '.join(lacking)}"))


def _note_continuing_files(chosen: ChosenSums | AnalyzedTables) -> tuple[str, ...]:
    """Return a note on the number of files that continue another file's match, or () for none."""
    number = count_continuing_files(chosen.matches, chosen.games)
    whole = number_of(len(chosen.matches) - number, "whole match")
    return make_count_note(
        number,
        "match",
        "from files that continue another file's match, counted apart: by names, scores and players these are"
        f" {whole}, as bganalyze profile counts them",
    )


DISPUTED_COUNT = "by the next score if the board or the result line agrees, else by the board, else by the result line unless its points are impossible"
"""The rule by which a disputed game counts."""


def _note_disputed_games(chosen: ChosenSums) -> tuple[str, ...]:
    """Return a note such as `2 games with a disputed result, counted …`, or () without any."""
    return make_count_note(
        is_disputed(chosen.games),
        "game",
        f"with a disputed result, counted {DISPUTED_COUNT}; --strict leaves them out",
    )


def _note_copied_games(chosen: ChosenSums) -> tuple[str, ...]:
    """Return notes on games recorded twice, such as `3 games recorded twice, counted once`."""
    return (
        *make_count_note(chosen.matches["repeats"].sum(), "game", "recorded twice, counted once"),
        *make_count_note(
            chosen.matches["copied"].sum(),
            "game",
            "with every play of another counted, because a score or a result shows a second game",
        ),
    )


def _note_games_as_money(chosen: ChosenSums) -> tuple[str, ...]:
    """Return a note such as `3 matches of one game … counted as money play`, or () without any."""
    stated = chosen.matches["length_of_money"]
    return make_count_note(
        stated.notna(),
        "match",
        "of one game to 2, 4, 8 or 16 points counted as money play: Backgammon Galaxy writes unlimited games this way",
    )


def _note_other_header_names(chosen: ChosenSums) -> tuple[str, ...]:
    """Return a note on matches whose header and columns name different players, or () for none."""
    findings = count_without_players(chosen).sum_by(FAULTS, ["found"], ["match", "name"])
    return make_count_note(
        findings["name"] == "header-mismatch",
        "match",
        "with different players in the header and above the columns; the names above the columns count (an alias file can map the names to players)",
    )


# The answer to a question about analyzed matches.


def answer_from_analyses(
    tables: AnalyzedTables, report_names: Iterable[str], question: Question
) -> ReportAnswer:
    """Run the named reports on the analyzed matches that a question selects.

    If several engines analyzed them, each engine has its own statistics.
    """
    chosen, excluded = restrict_tables(tables, question)
    question = group_by_engine(chosen, question)
    rate_plays_by_engine = name_engines(chosen.matches).value_counts()
    counted = (
        number_of(len(chosen.matches), "match"),
        number_of(len(chosen.games), "game"),
        number_of(len(restrict_to_player(chosen, question).decisions), "decision"),
        *(
            f"{number_of(count, 'match')} analyzed by {name}"
            for name, count in rate_plays_by_engine.items()
        ),
    )
    left_out = (
        *excluded.words(),
        *_note_continuing_files(chosen),
        *_note_impossible_openings(restrict_to_player(chosen, question)),
        *note_mixed_analyses(chosen, question),
    )
    reports = {name: list(_make_sections(name, chosen, question)) for name in report_names}
    return ReportAnswer(question, counted, left_out, reports)


def _note_impossible_openings(tables: AnalyzedTables) -> tuple[str, ...]:
    """Return a note on games with an impossible opening roll (doubles), or () for none."""
    first = tables.decisions.drop_duplicates(["match", "game"])
    is_opening = (first["kind"] == Kind.PLAY) & (
        first["phase"].astype(object) == PositionClass.OPENING
    )
    is_double = first["dice"].str[:1] == first["dice"].str[-1:]
    return make_count_note(
        (is_opening & is_double).fillna(False),
        "play",
        "of an impossible opening roll (doubles), counted: the roll is an error of the file (D302), but the play was"
        " chosen for it",
    )


def note_mixed_analyses(tables: AnalyzedTables, question: Question) -> tuple[str, ...]:
    """Return notes on analyses that differ in engine, version, level or search depth."""
    return (*note_several_levels(tables, question), *_note_several_depths(tables, question))


def _note_several_depths(tables: AnalyzedTables, question: Question) -> tuple[str, ...]:
    """Return a note if analyses stored in files have different search depths, else ()."""
    matches = tables.matches
    recorded = matches.loc[matches["engine"].astype(object) == RECORDED, "match"]
    rows = restrict_to_player(tables, question).decisions
    rows = rows[rows["match"].isin(recorded) & rows["loss"].notna() & ~rows["forced"]]
    depths = rows["depth"].astype(object).fillna("unknown depth").value_counts()
    if len(depths) < 2 or "depth" in question.by:
        return ()
    words = ", ".join(f"{count:,} at {depth}" for depth, count in depths.items())
    return (
        f"figures combine analyses of several depths stored in files: {words}; --by depth separates them, but programs search deeper where a play seems wrong, so a rate at one depth says little about a player",
    )
