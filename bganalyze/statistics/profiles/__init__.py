"""The profile of a player: results, error rate, where points are lost, luck, and what to study."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

import pandas as pd

from bganalyze.statistics.norms import NormTable
from bganalyze.statistics.profiles.costliest import Costliest, find_costliest
from bganalyze.statistics.profiles.kinds import (
    ChanceLost,
    Cost,
    KindLoss,
    Resignations,
    compare_kinds,
    split_decisions,
    sum_chances,
    sum_costs_of_all,
    sum_resignations,
)
from bganalyze.statistics.profiles.left_out import LeftOutOfFigures, find_left_out
from bganalyze.statistics.profiles.match_rates import MatchRate, Winners, rate_matches
from bganalyze.statistics.profiles.other_files import OtherFiles
from bganalyze.statistics.profiles.player_pr import ErrorRate, estimate_error_rate
from bganalyze.statistics.profiles.recurring import Study, find_study
from bganalyze.statistics.profiles.situations import rate_situations
from bganalyze.statistics.reports.analyzed_counts import name_engines
from bganalyze.statistics.reports.answer import (
    ReportAnswer,
    answer_from_analyses,
    note_mixed_analyses,
)
from bganalyze.statistics.reports.figures import Section
from bganalyze.statistics.reports.overview import OF_ANALYSES, AskReport, Overview, make_overview
from bganalyze.statistics.reports.question import Question, restrict_tables
from bganalyze.statistics.reports.whole_matches import count_files
from bganalyze.statistics.tables.frames import AnalyzedTables

RECORDED_REPORTS = ("points", "head-to-head", "dice")
"""The reports on what the records alone show that a profile has."""


class PlayerProfile(NamedTuple):
    """The profile of a player over many matches."""

    player: str
    recorded: ReportAnswer
    """Results and other figures that need no engine."""
    analyzed: ReportAnswer | None
    """The reports on analyses: `errors`, `cube-habits` and `luck`; None if no match is analyzed."""
    error_rate: ErrorRate | None
    """The PR; None without analyses."""
    kinds: tuple[KindLoss, ...]
    """Where points are lost, the costliest kind of decision first."""
    cost: Cost | None
    """The cost of all decisions; None without analyses."""
    situations: tuple[Section, ...]
    """The PR by score, cube, length and others."""
    study: Study | None
    """The costs of all subjects, and the lessons of the costliest; None without analyses."""
    form: Overview | None
    """Figures over time and beside the opponents'; None without analyses."""
    matches: tuple[MatchRate, ...]
    """The matches one by one, as `rate_matches` sorts them."""
    costliest: Costliest | None
    """The costliest decisions; None without analyses."""
    norms: NormTable
    """The norms beside the costs of kinds."""
    engines: tuple[str, ...] = ()
    """The engines, versions and levels of the analyses, that of the most matches first."""
    left_out: tuple[LeftOutOfFigures, ...] = ()
    """What figures leave out, with places; see `find_left_out`."""
    resignations: Resignations = Resignations()
    """The resignations, which are in no cost and in no PR."""
    opponents_habits: ReportAnswer | None = None
    """The report `cube-habits` on all opponents in the same matches together; None without analyses."""
    opponents_rate: ErrorRate | None = None
    """The PR of all opponents in the same matches together; None without a decision that counts."""
    mixed: tuple[str, ...] = ()
    """Notes on engines, levels and depths that the PR combines."""
    files: int | None = None
    """Number of analyzed files if some hold single games of a match; else None."""
    names: tuple[str, ...] = ()
    """The names in the match files that were counted as the player, if they are several."""
    other_files: OtherFiles = OtherFiles()
    """The files read without a match of the player."""
    ending: tuple[str, ...] = ()
    """Closing notes: commands that show more."""
    chance_lost: ChanceLost | None = None
    """The match-winning chance that the errors cost; None without a match to a length."""
    stats_call: tuple[str, ...] = ()
    """The words of a command that asks for reports on the player; empty if commands are not named."""


def make_profile(
    run_reports: AskReport,
    tables: AnalyzedTables,
    player: str,
    norms: NormTable | None = None,
    winners: Winners = MappingProxyType({}),
) -> PlayerProfile:
    """Return a player's profile: results, costs and costly mistakes.

    `norms` are usual losses to compare with. `winners` has the winner of each match by the match's
    number in `tables`.
    """
    question = Question(by=(), player=player, own_norms=norms)
    recorded = run_reports(RECORDED_REPORTS, question)
    own, _ = restrict_tables(tables, question)
    if own.decisions.empty:
        return PlayerProfile(
            player, recorded, None, None, (), None, (), None, None, (), None, question.norms
        )
    files = count_files(own)
    ask_analyzed, decisions = partial(answer_from_analyses, own), split_decisions(own, question)
    analyzed = ask_analyzed(("errors", "cube-habits", "luck"), question)
    matches = rate_matches(own, question, winners)
    kinds = compare_kinds(decisions, question.norms)
    of_opponents = Question(by=(), opponent=player)
    return PlayerProfile(
        player,
        recorded,
        analyzed,
        estimate_error_rate(own, question),
        kinds,
        sum_costs_of_all(decisions, question.norms),
        tuple(rate_situations(own, question)),
        find_study(own, question, kinds),
        make_overview(ask_analyzed, question, OF_ANALYSES),
        matches,
        find_costliest(own, question),
        question.norms,
        tuple(map(str, name_engines(own.matches).value_counts().index)),
        tuple(find_left_out(own, question, matches)),
        sum_resignations(own, question),
        ask_analyzed(("cube-habits",), of_opponents),
        estimate_error_rate(own, of_opponents),
        note_mixed_analyses(own, question),
        files if files > len(own.matches) else None,
        chance_lost=sum_chances(decisions.own),
    )


def find_section(answer: ReportAnswer, report: str, title: str) -> pd.DataFrame:
    """Return the data frame of the table `title` in a report, such as `points`."""
    sections: Sequence[Section] = answer.reports[report]
    return next(section.frame for section in sections if section.title == title)
