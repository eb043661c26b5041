"""The answers that are stored, each a text."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.stored.codes import codes
from tests.stored.constructs import read_constructs
from tests.stored.damaged import read_damaged, read_damaged_constructs, read_pasted
from tests.stored.figures import figures, write_analyzed_figures
from tests.stored.findings import findings
from tests.stored.page_answers import answer_page
from tests.stored.pages import boards, conversions, match_report, statistics
from tests.stored.playbacks import show_playbacks
from tests.stored.plots import describe_plots
from tests.stored.random_matches import check_random_matches
from tests.stored.records import describe_records
from tests.stored.repairs import repair_odd_slips, repair_slips, repair_slips_in_bgm
from tests.stored.screens import (
    show_analyses,
    show_many,
    show_options,
    show_records,
    show_statistics,
    show_stores,
)
from tests.stored.sessions import show_sessions
from tests.stored.tables import tables, write_analyzed_tables
from tests.stored.written import write_analyses, write_odd_matches

FOLDER = Path(__file__).parent

ANSWERS: dict[str, Callable[[], str]] = {
    "codes.txt": codes,
    "findings.txt": findings,
    "constructs.txt": read_constructs,
    "records-of-samples.txt": describe_records,
    "random-matches.txt": check_random_matches,
    "repairs.txt": partial(repair_slips, 1),
    "repairs-further.txt": partial(repair_slips, 2),
    "repairs-in-bgm.txt": repair_slips_in_bgm,
    "repairs-by-hand.txt": repair_odd_slips,
    "damaged-clean.txt": partial(read_damaged, "clean", range(2)),
    "damaged-further.txt": partial(read_damaged, "clean", range(2, 4)),
    "damaged-faulty.txt": partial(read_damaged, "faulty", range(1)),
    "damaged-constructs.txt": read_damaged_constructs,
    "pasted.txt": read_pasted,
    "tables.txt": tables,
    "analyzed-tables.txt": write_analyzed_tables,
    "figures.txt": figures,
    "analyzed-figures.txt": write_analyzed_figures,
    "statistics.txt": statistics,
    "match-report.txt": match_report,
    "conversions.txt": conversions,
    "written.txt": write_odd_matches,
    "written-analyses.txt": write_analyses,
    "boards.txt": boards,
    "answers-to-page.txt": answer_page,
    "playbacks.txt": show_playbacks,
    "screens-of-many-files.txt": show_many,
    "screens-of-options.txt": show_options,
    "screens-of-records.txt": show_records,
    "screens-of-statistics.txt": show_statistics,
    "screens-of-analyses.txt": show_analyses,
    "screens-of-stores.txt": show_stores,
    "screens-of-sessions.txt": show_sessions,
    "plots.txt": describe_plots,
}

SLOW = (
    *("damaged-clean.txt", "damaged-further.txt", "damaged-faulty.txt", "repairs-further.txt"),
    *("repairs.txt", "repairs-in-bgm.txt", "random-matches.txt", "pasted.txt"),
    *("figures.txt", "analyzed-figures.txt", "statistics.txt", "screens-of-statistics.txt"),
    *("screens-of-analyses.txt", "screens-of-stores.txt", "plots.txt"),
)
"""Answers that take seconds, or that reports, a store or plots give."""
