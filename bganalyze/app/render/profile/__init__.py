"""The profile of a player as text, Markdown, a page, or a line of CSV."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator

from bganalyze.app.render import document_markdown, document_text
from bganalyze.app.render.document import (
    Block,
    Cell,
    Chapter,
    Document,
    Grid,
    Note,
    Part,
    Picture,
    Tile,
    Tiles,
)
from bganalyze.app.render.matches import csv_line
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.app.render.profile.conclusion import conclude
from bganalyze.app.render.profile.costliest import (
    list_costliest,
    list_cube_mistakes,
    name_files_on_paper,
)
from bganalyze.app.render.profile.cube_habits import answer_cube_questions
from bganalyze.app.render.profile.error_rate import describe_error_rate
from bganalyze.app.render.profile.figures import HEADINGS, find_rows, make_statistic_cells
from bganalyze.app.render.profile.kinds import tabulate_kinds
from bganalyze.app.render.profile.match_rates import (
    MATCH_COLUMNS,
    match_row,
    tabulate_matches,
)
from bganalyze.app.render.profile.situations import (
    describe_dice,
    note_matches_without_luck,
    tabulate_luck,
    tabulate_opponents,
    tabulate_situations,
    win_without_luck,
)
from bganalyze.app.render.profile.subjects import (
    define_classes,
    list_lessons,
    note_boards,
    tabulate_subjects,
)
from bganalyze.statistics.profiles import PlayerProfile
from bganalyze.statistics.profiles.left_out import LeftOutOfFigures
from bganalyze.statistics.profiles.match_rates import name_two_periods
from bganalyze.statistics.profiles.other_files import OtherFiles
from bganalyze.statistics.profiles.recurring import MOST_SHOWN
from bganalyze.statistics.reports.overview import Overview
from bganalyze.statistics.sureness import NOT_TESTED
from bganalyze.text import number_of

RESULTS = {"Games": ("games won", "points a game"), "Matches": ("matches won",)}
"""The figures of the report `points` that begin a profile, by section."""

IN_A_ROW = {"Games": ("games", *RESULTS["Games"]), "Matches": ("complete matches", "matches won")}
"""The same figures with their numbers, for a row of CSV."""

MOST_NAMES = 5
"""Names of the player in match files that are listed."""

OF_MONTHS = (
    "months with three matches or more. Whether the error rate changed is " + NOT_TESTED + " here"
)
"""The begin of a note above the plot of results over time."""

NARROW = (
    "Results",
    "Error rate",
    "Classes of positions",
    "Over time",
    "Luck",
    "Opponents",
)
"""Parts that a print has in pairs, side by side."""

BACKGROUND = (
    "How these boards were chosen",
    "Classes of positions",
    "Are the dice fair here?",
)
"""Parts that a page has closed at first, and a print only if they were opened, except those `PRINTED`."""

PRINTED = ("Classes of positions",)
"""Closed parts that a print has nevertheless: other parts refer to them."""


def render_text(profile: PlayerProfile, setting: OutputOptions) -> Iterator[str]:
    """Yield a player's profile as text, the most important part first."""
    return document_text.render(profile_document(profile, None, most_boards=1), setting)


def render_markdown(profile: PlayerProfile, setting: OutputOptions) -> Iterator[str]:
    """Yield a player's profile as Markdown."""
    return document_markdown.render(profile_document(profile, None), setting)


def render_csv(profile: PlayerProfile, _: OutputOptions) -> Iterator[str]:
    """Yield a player's results, PR and costs by kind of decision as one CSV row."""
    row = make_csv_row(profile)
    yield csv_line(row)
    yield csv_line(row.values())


def render_matches(profile: PlayerProfile, _: OutputOptions) -> Iterator[str]:
    """Yield a CSV row for each match: result, PRs and the cost of errors."""
    yield csv_line(MATCH_COLUMNS)
    yield from (csv_line(match_row(match).values()) for match in profile.matches)


def profile_page(profile: PlayerProfile) -> str:
    """Return a player's profile as a page of HTML."""
    from bganalyze.app.render.document_html import render_page  # jinja2 is needed by pages only
    from bganalyze.app.render.statistics_page import draw_plot_over_time
    from bganalyze.app.render.terms import explain_terms

    known = None if profile.form is None else keep_certain_months(profile.form)
    form = None if known is None else draw_plot_over_time(known)
    shown = form or Note("too few months with three dated matches to show how the PR changed")
    return render_page(explain_terms(profile_document(profile, shown)))


def keep_certain_months(form: Overview) -> Overview | None:
    """Return an overview whose plot has only months with an interval; None if too few remain."""
    if form.form is None:
        return None
    section = form.form.section
    known = section.frame[section.frame["low"].notna()]
    if len(known) < 2:
        return None
    return form._replace(form=form.form._replace(section=section._replace(frame=known)))


def profile_document(
    profile: PlayerProfile, plot_over_time: Picture | Note | None, most_boards: int = MOST_SHOWN
) -> Document:
    """Return a player's profile as a document of one chapter.

    `plot_over_time` is the plot of results over time, or a note instead; None leaves it out. A
    lesson shows at most `most_boards` boards.
    """
    on_page = plot_over_time is not None
    short_names_by_path = name_files_on_paper(profile)
    parts = (
        ("In short", conclude(profile, on_page=on_page)),
        ("Results", _show_results(profile, on_page=on_page)),
        ("Error rate", describe_error_rate(profile)),
        ("Where points are lost", tabulate_kinds(profile, on_page=on_page)),
        ("Costliest subjects", tabulate_subjects(profile)),
        ("What to study", list_lessons(profile, most_boards, short_names_by_path)),
        ("How these boards were chosen", note_boards(profile)),
        ("Classes of positions", define_classes(profile)),
        ("Over time", _show_changes(profile, plot_over_time)),
        ("Match by match", tabulate_matches(profile)),
        ("Costliest decisions", list_costliest(profile, short_names_by_path, on_page=on_page)),
        (
            "Other cube errors and resignations",
            list_cube_mistakes(profile, short_names_by_path, on_page=on_page),
        ),
        ("Do I double too late, do I take too much?", answer_cube_questions(profile)),
        ("By situation", tabulate_situations(profile)),
        ("Luck", tabulate_luck(profile)),
        ("Opponents", tabulate_opponents(profile.recorded)),
        ("Are the dice fair here?", describe_dice(profile.recorded)),
    )
    made = ((title, tuple(blocks)) for title, blocks in parts)
    chapter = Chapter(
        f"Profile of {profile.player}",
        tuple(
            Part(title, blocks, title in NARROW, title in BACKGROUND, title in PRINTED)
            for title, blocks in made
            if blocks
        ),
        facts=() if on_page else (("Player", profile.player),),
    )
    sources = tuple(_list_sources(profile))
    return Document(f"Profile of {profile.player}", (chapter,), sources, layout="compact")


def _show_changes(profile: PlayerProfile, plot_over_time: Picture | Note | None) -> Iterator[Block]:
    """Yield the plot of results over time with a note below, or only a note without the plot."""
    if profile.form is None or plot_over_time is None:
        return
    # The note comes first, as a falling line is easily taken for progress.
    if isinstance(plot_over_time, Picture):
        yield Note(f"{OF_MONTHS}{say_how_to_compare(profile)}")
    yield plot_over_time


def say_how_to_compare(profile: PlayerProfile) -> str:
    """Return the command that compares two periods, after a colon; "" if there are not two."""
    periods = name_two_periods([one.date for one in profile.matches if one.date is not None])
    if not periods or not profile.stats_call:
        return ""
    call = shlex.join((*profile.stats_call, "--report", "errors", "--compare", periods))
    return f": bganalyze {call} tests two periods"


def _show_results(profile: PlayerProfile, *, on_page: bool) -> Iterator[Block]:
    """Yield the results of games and matches: with `on_page` as tiles, else as a table."""
    rows = [
        make_statistic_cells(row)
        for section, figures in RESULTS.items()
        for row in find_rows(profile.recorded, "points", section, figures)
    ]
    without_luck = win_without_luck(profile)
    if without_luck is not None:
        rows.append(without_luck)
    yield Tiles(tuple(map(_make_tile, rows))) if on_page else Grid("", HEADINGS, tuple(rows))
    if without_luck is not None:
        yield from note_matches_without_luck(profile)


def _make_tile(cells: tuple[Cell, ...]) -> Tile:
    """Return a row of results as a tile, which is read at a glance.

    `cells` have the name, the value, its interval, and the number of games or matches.

    >>> _make_tile(tuple(map(Cell, ("points a game", "0.309", "0.024 to 0.594", "317")))).detail
    '317 games; 95 %: 0.024 to 0.594'
    """
    label, value, interval, cases = (cell.text for cell in cells)
    units = "games" if "game" in label else "matches"
    return Tile(
        label.capitalize(), value, f"{cases} {units}" + f"; 95 %: {interval}" * bool(interval)
    )


def _list_sources(profile: PlayerProfile) -> Iterator[str]:
    """Yield notes on what a profile counts, and what it leaves out."""
    if len(profile.names) > 1:
        others = len(profile.names) - MOST_NAMES
        more = f" and {others:,} more" if others > 0 else ""
        names = "; ".join(profile.names[:MOST_NAMES])
        yield f"counted as {profile.player}, whatever rating is beside the name: {names}{more}"
    yield f"records: {', '.join(profile.recorded.counted)}"
    yield from (note.partition("; --strict")[0] for note in profile.recorded.left_out)
    if profile.analyzed is not None:
        # The progress of the analysis counts the decisions of both players.
        counted = (
            f"{words} of {profile.player}" if words.endswith(("decision", "decisions")) else words
            for words in profile.analyzed.counted
        )
        yield f"analyses: {', '.join(counted)}"
        if profile.files is not None:
            yield (
                f"by names, scores and players, the {profile.files:,} files are {profile.analyzed.counted[0]}"
            )
        if profile.cost is not None:
            yield (
                f"{profile.cost.rate.decisions:,} of the decisions count (gnubg): neither forced plays nor clear"
                " decisions not to double do"
            )
        said = {*profile.mixed, *profile.recorded.left_out}
        yield from (note for note in profile.analyzed.left_out if note not in said)
    yield from map(_left_out_in_words, profile.left_out)
    if profile.kinds:
        yield f"norms: {profile.norms.source}"
    yield from _list_other_files(profile.other_files, profile.player)
    yield from profile.ending


def _left_out_in_words(left_out: LeftOutOfFigures) -> str:
    """Return words on how many games or matches are left out, and where the first ones are.

    >>> _left_out_in_words(LeftOutOfFigures(3, "game", "without a result", ("a.mat:7", "b.mat:9")))
    '3 games without a result: a.mat:7, b.mat:9 and 1 more'
    """
    others = left_out.number - len(left_out.places)
    more = f" and {others:,} more" if others else ""
    return f"{left_out.words}: {', '.join(left_out.places)}{more}"


def _list_other_files(others: OtherFiles, player: str) -> Iterator[str]:
    """Yield a note on the files in which the player does not occur.

    >>> list(_list_other_files(OtherFiles(7, (("a.mat", "Bob – Kool"),), ()), "Ann"))
    ['7 files without Ann: a.mat (Bob – Kool) and 6 more']
    """
    if not others.number:
        return
    named = ", ".join(f"{path} ({names})" for path, names in others.first)
    hidden = others.number - len(others.first)
    more = f" and {hidden:,} more" if named and hidden else ""
    listed = f": {named}{more}" if named else ""
    yield f"{number_of(others.number, 'file')} without {player}{listed}"


# A row of CSV.


def make_csv_row(profile: PlayerProfile) -> dict[str, object]:
    """Return a player's results, PR and costs by kind of decision, by name of the CSV column."""
    results = {
        str(row["figure"]): row["value"]
        for section, figures in IN_A_ROW.items()
        for row in find_rows(profile.recorded, "points", section, figures)
    }
    rate = profile.error_rate
    rates: dict[str, object] = dict.fromkeys(("pr", "pr_low", "pr_high", "decisions"))
    if rate is not None:
        low, high = (None if math.isnan(end) else end for end in (rate.low, rate.high))
        rates = {"pr": rate.value, "pr_low": low, "pr_high": high, "decisions": rate.decisions}
    theirs = profile.opponents_rate
    rates["opponents_pr"] = None if theirs is None else theirs.value
    lost: dict[str, object] = {loss.error: loss.share.value for loss in profile.kinds}
    return {"player": profile.player, **results, **rates, **lost}
