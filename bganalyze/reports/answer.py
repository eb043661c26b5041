"""The answer to a question: the sections of the reports that were asked, and what was left out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from bganalyze.judging.select import RECORDED
from bganalyze.reports import JUDGED_REPORTS, bases, report
from bganalyze.reports.figures import Section, count_note, is_of_figures
from bganalyze.reports.findings import FAULTS, of_records
from bganalyze.reports.judged import apart, engines
from bganalyze.reports.question import Question, of_player, selected
from bganalyze.reports.recorded import TURNS
from bganalyze.reports.selection import ChosenSums, chosen_sums
from bganalyze.reports.sums import Sums, kept
from bganalyze.tables.frames import JudgedTables, Tables
from bganalyze.text import Files, number_of


class ReportAnswer(NamedTuple):
    """What the reports say."""

    question: Question
    counted: tuple[str, ...]
    """What was counted."""
    left_out: tuple[str, ...]
    """What was not, and why."""
    reports: dict[str, list[Section]]
    files: Files | None = None
    """What became of the files, where files were counted and not a database."""
    law: str | None = None
    """The law that a store was collected by; where none is asked, that of the run."""

    @property
    def is_of_verdicts(self) -> bool:
        """Whether it tells what engines have judged, and not what the law says of records."""
        return all(name in JUDGED_REPORTS for name in self.reports)


def answered(tables: Tables, names: Iterable[str], question: Question) -> ReportAnswer:
    """Return what the named reports say of the tables."""
    names = tuple(names)
    return answered_by(kept(tables, bases(names)), names, question)


def answered_by(sums: Sums, names: Iterable[str], question: Question) -> ReportAnswer:
    """Return what the named reports say of matches, from their sums."""
    chosen, excluded = chosen_sums(sums, question)
    (throws,) = chosen.total(TURNS, "turns")
    counted = (
        number_of(len(chosen.matches), "match"),
        number_of(len(chosen.games), "game"),
        number_of(throws, "throw"),
    )
    left_out = (*excluded.words(), *_as_money(chosen), *_named_otherwise(chosen))
    return ReportAnswer(question, counted, left_out, _sections(names, chosen, question))


def _sections(
    names: Iterable[str], chosen: ChosenSums | JudgedTables, question: Question
) -> dict[str, list[Section]]:
    """The sections of each report."""
    return {
        name: [
            _not_told_apart(section, question) for section in report(name).report(chosen, question)
        ]
        for name in names
    }


def _not_told_apart(section: Section, question: Question) -> Section:
    """Tell of the dimensions that figures were asked by and that these have not."""
    lacking = [name for name in question.by if name not in section.frame]
    if not lacking or not is_of_figures(section.frame):
        return section
    return section._replace(notes=(*section.notes, f"not told apart by {' and '.join(lacking)}"))


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


# The answer to a question about judged matches.


def judged_answered(tables: JudgedTables, names: Iterable[str], question: Question) -> ReportAnswer:
    """Return what the named reports say of judged matches: of each engine apart."""
    chosen, excluded = selected(tables, question)
    question = apart(chosen, question)
    judges = engines(chosen.matches).value_counts()
    counted = (
        number_of(len(chosen.matches), "match"),
        number_of(len(chosen.games), "game"),
        number_of(len(of_player(chosen, question).decisions), "decision"),
        *(f"{number_of(count, 'match')} judged by {name}" for name, count in judges.items()),
    )
    left_out = (*excluded.words(), *_of_several_depths(chosen, question))
    return ReportAnswer(question, counted, left_out, _sections(names, chosen, question))


def _of_several_depths(tables: JudgedTables, question: Question) -> tuple[str, ...]:
    """Tell of what depths the verdicts are that files store, where they are put together."""
    matches = tables.matches
    recorded = matches.loc[matches["engine"].astype(object) == RECORDED, "match"]
    rows = of_player(tables, question).decisions
    rows = rows[rows["match"].isin(recorded) & rows["loss"].notna() & ~rows["forced"]]
    depths = rows["depth"].astype(object).fillna("unknown depth").value_counts()
    if len(depths) < 2 or "depth" in question.by:
        return ()
    words = ", ".join(f"{count:,} at {depth}" for depth, count in depths.items())
    return (
        f"verdicts stored in files are of several depths, which figures put together: {words}; --by depth tells them apart, but programs look deeper at what seems wrong, so that a rate at one depth says little of a player",
    )
