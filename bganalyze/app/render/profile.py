"""The profile of a player as text, Markdown, a page, or a line of CSV."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import pandas as pd

from bganalyze.analysis.error_rates import BMAB_GRADES, PR_CLASSES, PR_SHOWN, bmab_grade, pr_class
from bganalyze.analysis.position_classes import Role
from bganalyze.app.render import document_markdown, document_text
from bganalyze.app.render.answers import (
    diagram_of_board,
    format_figure,
    format_group,
    table_as_text,
)
from bganalyze.app.render.document import (
    Block,
    Cell,
    Chapter,
    Diagrams,
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
from bganalyze.app.render.overview import sureness_in_words
from bganalyze.statistics.norms import ALL_PLAYERS, OPPONENTS, NormTable
from bganalyze.statistics.precision import describe_precision, margin_of_rate
from bganalyze.statistics.profiles import PlayerProfile, section_of
from bganalyze.statistics.profiles.kinds import Estimate, KindLoss
from bganalyze.statistics.profiles.player_pr import ErrorRate
from bganalyze.statistics.profiles.recurring import MOST_SHOWN, Recurring
from bganalyze.statistics.reports.answer import ReportAnswer
from bganalyze.statistics.reports.figures import CALLED, Section
from bganalyze.statistics.reports.overview import FAIRLY_SURE
from bganalyze.text import number_of

RESULTS = {
    "Games": ("games", "games won", "points a game"),
    "Matches": ("complete matches", "matches won"),
}
"""The figures of the report `points` that begin a profile, by section."""

LUCK = {
    "Rolls": ("luck a roll (mEMG)",),
    "Results of matches": ("result (% MWC a match)", "luck-adjusted result (% MWC a match)"),
    "Results of money games": ("result (points a game)", "luck-adjusted result (points a game)"),
}
"""The figures of the report `luck` in a profile, by section."""

MOST_GROUPS = 12
"""Groups of a situation that are shown: those with the most decisions."""

FEWEST_DECISIONS = 30
"""Fewest decisions of a group that is shown."""

MOST_OPPONENTS = 5


def render_text(profile: PlayerProfile, setting: OutputOptions) -> Iterator[str]:
    """Yield the profile as text: first what fits a screen, then the rest."""
    return document_text.render(profile_document(profile, boards=1), setting)


def render_markdown(profile: PlayerProfile, setting: OutputOptions) -> Iterator[str]:
    """Yield the profile as Markdown."""
    return document_markdown.render(profile_document(profile), setting)


def render_csv(profile: PlayerProfile, _: OutputOptions) -> Iterator[str]:
    """Yield the results, the PR and the cost of each kind of decision as a table of one row."""
    row = flat_row(profile)
    yield csv_line(row)
    yield csv_line(row.values())


def profile_page(profile: PlayerProfile) -> str:
    """Return the profile as a page of HTML."""
    from bganalyze.app.render.document_html import render_page  # jinja2 is needed by pages only
    from bganalyze.app.render.statistics_page import form_picture
    from bganalyze.app.render.terms import explain_terms

    form = None if profile.form is None else form_picture(profile.form)
    return render_page(explain_terms(profile_document(profile, form)))


def profile_document(
    profile: PlayerProfile, form: Picture | None = None, boards: int = MOST_SHOWN
) -> Document:
    """Return a profile as a document of one chapter.

    `form` is the plot over time, `boards` the number of boards of each recurring mistake.
    """
    parts = (
        ("Results", _results(profile)),
        ("Error rate", _describe_error_rate(profile)),
        ("Where points are lost", _tabulate_kinds(profile)),
        ("Recurring mistakes", _list_recurring(profile, boards)),
        ("Do I double too late, do I take too much?", _answer_cube_questions(profile)),
        ("Over time", () if form is None else (form,)),
        ("By situation", _tabulate_situations(profile.situations)),
        ("Luck", _tabulate_luck(profile)),
        ("Opponents", _tabulate_opponents(profile.recorded)),
        ("Are the dice fair here?", _describe_dice(profile.recorded)),
    )
    made = ((title, tuple(blocks)) for title, blocks in parts)
    chapter = Chapter(
        f"Profile of {profile.player}",
        tuple(Part(title, blocks) for title, blocks in made if blocks),
        facts=(("Player", profile.player),),
    )
    sources = tuple(_list_sources(profile))
    return Document(f"Profile of {profile.player}", (chapter,), sources, layout="compact")


# Results and error rate.


def _results(profile: PlayerProfile) -> Iterator[Block]:
    """Yield the results of games and matches as a table; on a page, the most important first."""
    yield Tiles(tuple(_list_tiles(profile)))
    rows = [
        row
        for section, figures in RESULTS.items()
        for row in _rows_of(profile.recorded, "points", section, figures)
    ]
    yield _figures_grid(rows)


def _list_tiles(profile: PlayerProfile) -> Iterator[Tile]:
    """Yield the share of games and matches won, the PR, and the costliest kind of decision."""
    for section in RESULTS:
        for row in _rows_of(profile.recorded, "points", section, ("games won", "matches won")):
            label, value, interval, cases = (cell.text for cell in _figure_cells(row))
            yield Tile(label.capitalize(), value, f"of {cases}" + f", {interval}" * bool(interval))
    rate = profile.error_rate
    if rate is not None:
        interval = "" if rate.reach is None else f", {rate.low:.1f} to {rate.high:.1f}"
        counted = number_of(rate.decisions, "decision")
        yield Tile(f"PR ({PR_SHOWN})", f"{rate.value:.1f}", counted + interval)
    if profile.kinds:
        first, total = profile.kinds[0], sum(loss.share.value for loss in profile.kinds)
        share = f"{100 * first.share.value / total:.0f} % of what is lost"
        yield Tile("Costliest", first.error, share)


def _rows_of(
    answer: ReportAnswer, report: str, section: str, figures: Sequence[str]
) -> list[dict[str, object]]:
    """Return the rows of a report's section that have one of these figures."""
    frame = select_main_engine(section_of(answer, report, section))
    chosen = frame[frame["figure"].isin(figures)]
    return _to_rows(chosen)


def _to_rows(frame: pd.DataFrame) -> list[dict[str, object]]:
    """Return the figures of a table, each by column."""
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]


def select_main_engine(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the figures of the engine with the most cases, if several have analyzed matches."""
    if "engine" not in frame or frame.empty:
        return frame
    cases = frame["of"].astype(float).groupby(frame["engine"].astype(str)).max()
    return frame[frame["engine"].astype(str) == cases.idxmax()]


def _figures_grid(rows: Sequence[dict[str, object]]) -> Grid:
    """Return figures as a table: name, value, interval, and the cases behind it."""
    return Grid("", ("", "value", "95 % interval", "of"), tuple(map(_figure_cells, rows)))


def _figure_cells(row: dict[str, object]) -> tuple[Cell, ...]:
    """Return the cells of a figure: name, value, interval, and the cases behind it."""
    value, low, high, of = (float(str(row[name])) for name in ("value", "low", "high", "of"))
    interval = "" if math.isnan(low) else f"{format_figure(row, low)} to {format_figure(row, high)}"
    cases = "" if row["kind"] == "count" or math.isnan(of) else f"{of:,.0f}"
    return tuple(map(Cell, (str(row["figure"]), format_figure(row, value), interval, cases)))


def _describe_error_rate(profile: PlayerProfile) -> Iterator[Block]:
    """Yield the PR in words, how sure it is, and the classes that it supports."""
    rate = profile.error_rate
    if rate is None:
        yield Note("no analyzed decision: results are all that these files show")
        return
    yield Note(error_rate_in_words(rate))
    if rate.reach is not None:
        yield Note(classes_in_words(rate))


def error_rate_in_words(rate: ErrorRate) -> str:
    """Return a PR with its interval, its decisions, and how many decisions ± 1 needs.

    A narrow interval of few decisions is called so, because a few matches may agree by chance.

    >>> error_rate_in_words(ErrorRate(5.07, 3.56, 6.58, 1519, 86))
    'PR (xg-b) 5.1, 95 % interval 3.6 to 6.6, in 86 matches; after 1,519 decisions ± 1.5; ± 1 needs about 3,400'
    >>> error_rate_in_words(ErrorRate(1.33, 0.7, 2.0, 369, 6)).partition("; ")[0]
    'PR (xg-b) 1.3, 95 % interval 0.7 to 2.0, in 6 matches, which may agree by chance'
    >>> error_rate_in_words(ErrorRate(5.07, float("nan"), float("nan"), 40, 2))
    'PR (xg-b) 5.1 after 40 decisions in 2 matches, too few for an interval'
    """
    stated, matches = f"PR ({PR_SHOWN}) {rate.value:.1f}", number_of(rate.matches, "match")
    if rate.reach is None:
        counted = number_of(rate.decisions, "decision")
        return f"{stated} after {counted} in {matches}, too few for an interval"
    interval = f"95 % interval {rate.low:.1f} to {rate.high:.1f}"
    margin = margin_of_rate(rate.low, rate.high, rate.decisions) or rate.reach
    doubt = ", which may agree by chance" if margin > rate.reach else ""
    precision = describe_precision(rate.low, rate.high, rate.decisions, rate.matches)
    return f"{stated}, {interval}, in {matches}{doubt}; {precision}"


def classes_in_words(rate: ErrorRate) -> str:
    """Return the classes of both scales that the decisions support, or between which they leave open.

    >>> classes_in_words(ErrorRate(5.07, 4.55, 5.59, 5519, 286))
    "by eXtreme Gammon's bands world class or expert; by BMAB's grades, which assume analysis by eXtreme Gammon, Master"
    """
    xg = rate.xg_class or _names_between(rate, [name for _, name in PR_CLASSES], pr_class)
    grade = rate.bmab_grade or _names_between(rate, [name for _, name in BMAB_GRADES], bmab_grade)
    if not xg and not grade:
        return "no class: too few decisions"
    return (
        f"by eXtreme Gammon's bands {xg or _NO_CLASS}; by BMAB's grades, which assume analysis by"
        f" eXtreme Gammon, {grade or _NO_CLASS}"
    )


_NO_CLASS = "none yet"


def _names_between(rate: ErrorRate, names: Sequence[str], name: Callable[[float], str]) -> str:
    """Return `A or B` if exactly these two classes lie in the interval of a rate, else "".

    `names` are all classes in their order, and `name` returns that of a rate.
    """
    first, last = names.index(name(max(rate.low, 0.0))), names.index(name(rate.high))
    between = names[first : last + 1]
    return " or ".join(between) if len(between) == 2 else ""


# Where points are lost.


def _tabulate_kinds(profile: PlayerProfile) -> Iterator[Block]:
    """Yield the cost of each kind of decision as a table, with notes on its columns."""
    if not profile.kinds:
        return
    norms, total = profile.norms, sum(loss.share.value for loss in profile.kinds)
    rows = tuple(_kind_cells(loss, total) for loss in profile.kinds)
    headings = (
        "",
        "lost",
        "share",
        "95 % interval",
        "n",
        "rate",
        "theirs",
        "compared",
        "norm",
    )
    yield Grid("", headings, rows)
    yield Note(
        "lost: equity (EMG) per 500 decisions of all kinds, by GNU Backgammon's counting; rate: per 500"
        " decisions of the kind, n; theirs: the opponents' in the same matches, compared with allowance"
        f" for the number of kinds (too few: not compared); norm: {norm_in_words(norms)}"
    )


def norm_in_words(norms: NormTable) -> str:
    """Return whose rates the norms have, and by which engine.

    >>> from bganalyze.statistics.norms import read_shipped_norms
    >>> norm_in_words(read_shipped_norms()._replace(engine="GNU Backgammon"))
    'the opponents of one player, by GNU Backgammon'
    """
    groups = {OPPONENTS: "the opponents of one player", ALL_PLAYERS: "many players"}
    return f"{groups[norms.usual_group]}, by {norms.engine}"


def _kind_cells(loss: KindLoss, total: float) -> tuple[Cell, ...]:
    """Return the cells of one kind of decision."""
    opponents = "" if loss.opponents is None else f"{loss.opponents.value:.1f}"
    return (
        Cell(loss.error),
        Cell(f"{loss.share.value:.2f}"),
        Cell(f"{100 * loss.share.value / total:.0f} %"),
        Cell(_interval(loss.share)),
        Cell(f"{loss.rate.decisions:,}"),
        Cell(f"{loss.rate.value:.1f}"),
        Cell(opponents),
        Cell(_compare(loss), tone="info" if _is_sure(loss) else ""),
        Cell("" if loss.norm is None else f"{loss.norm.rate:.1f}"),
    )


def _interval(rate: Estimate) -> str:
    return "" if math.isnan(rate.low) else f"{rate.low:.2f} to {rate.high:.2f}"


def _is_sure(loss: KindLoss) -> bool:
    """Whether the difference to the opponents is fairly sure not to be chance."""
    return loss.corrected is not None and loss.corrected < FAIRLY_SURE


def _compare(loss: KindLoss) -> str:
    """Return whether the player does worse or better than the opponents, and how sure that is."""
    if loss.corrected is None or loss.opponents is None:
        return "too few"
    if not _is_sure(loss):
        return sureness_in_words(loss.corrected)
    return f"{'worse' if loss.is_worse else 'better'}, {sureness_in_words(loss.corrected)}"


# Recurring mistakes.


def _list_recurring(profile: PlayerProfile, boards: int) -> Iterator[Block]:
    """Yield each recurring mistake in words, with its first boards."""
    if profile.error_rate is not None and not profile.recurring:
        yield Note("none: no kind of error came three times in positions of one named class")
    for number, mistake in enumerate(profile.recurring, 1):
        yield Note(f"{number}. {recurring_in_words(mistake)}")
        yield Diagrams(tuple(map(diagram_of_board, mistake.boards[:boards])))


def recurring_in_words(mistake: Recurring) -> str:
    """Return a recurring mistake in words: how often it came, what it cost, and what to study.

    >>> from bganalyze.analysis.decision_kinds import DecisionKind
    >>> from bganalyze.analysis.position_classes import PositionClass
    >>> about = (DecisionKind.TAKE, PositionClass.BLITZ, Role.OPPONENT, 4, 3, 0.5, ())
    >>> recurring_in_words(Recurring(*about)).partition("; to study: ")[0]
    "wrong takes, the opponent's blitz: 4 times in 3 matches, 0.500 EMG in all, 0.125 each"
    """
    whose = {Role.OWN: "one's own ", Role.OPPONENT: "the opponent's "}.get(mistake.role, "")
    position = f", {whose}{mistake.position}" if mistake.position not in mistake.error else ""
    return (
        f"{mistake.error}{position}: {mistake.errors:,} times in"
        f" {number_of(mistake.matches, 'match')}, {mistake.lost:.3f} EMG in all,"
        f" {mistake.lost / mistake.errors:.3f} each; to study: {mistake.study}"
    )


# Questions about the cube.


def _answer_cube_questions(profile: PlayerProfile) -> Iterator[Block]:
    """Yield the answers to two questions about the cube, each with the figures behind it."""
    for section in () if profile.analyzed is None else profile.analyzed.reports["cube-habits"]:
        rows = _to_rows(select_main_engine(section.frame))
        called = next((str(row[CALLED]) for row in rows if row.get(CALLED)), "")
        if rows:
            yield Note(f"{section.title.lower()}: {called or 'too little to tell'}")
            yield _figures_grid(rows)
            yield from map(Note, section.notes)


# Situations, luck, opponents and dice.


def _tabulate_situations(sections: Sequence[Section]) -> Iterator[Block]:
    """Yield the PR by each situation that has several groups with enough decisions."""
    enough = [
        section._replace(frame=section.frame[section.frame["of"] >= FEWEST_DECISIONS])
        for section in sections
    ]
    grids = [_situation_grid(section) for section in enough if len(section.frame) > 1]
    if grids:
        yield Note(
            "no difference between these groups is tested: some of this many differ by chance, and"
            " decisions are harder in some situations than in others"
        )
    yield from grids


def _situation_grid(section: Section) -> Grid:
    """Return the PR by a situation as a table, with the groups that have the most decisions."""
    frame = section.frame
    column = str(frame.columns[0])
    shown = frame.sort_values("of", ascending=False, kind="stable").head(MOST_GROUPS).sort_index()
    rows = tuple(
        (
            Cell(_group_in_words(row[column])),
            Cell(f"{row['value']:.1f}"),
            Cell("" if math.isnan(row["low"]) else f"{row['low']:.1f} to {row['high']:.1f}"),
            Cell(f"{row['of']:,.0f}"),
            Cell(f"{row['matches']:,}"),
        )
        for row in shown.to_dict("records")
    )
    notes = f" ({section.notes[0]})" if section.notes else ""
    headings = (column, f"PR ({PR_SHOWN})", "95 % interval", "decisions", "matches")
    return Grid(f"{section.title}{notes}", headings, rows)


def _group_in_words(value: object) -> str:
    """Return the name of a group; a whole number without a decimal point.

    >>> _group_in_words(2.0), _group_in_words("hit")
    ('2', 'hit')
    """
    return f"{value:g}" if isinstance(value, float) else format_group(value)


def _tabulate_luck(profile: PlayerProfile) -> Iterator[Block]:
    """Yield the luck of the dice, and the results with and without it, as a table."""
    if profile.analyzed is None:
        return
    rows = [
        row
        for section, figures in LUCK.items()
        for row in _rows_of(profile.analyzed, "luck", section, figures)
        if row["of"]
    ]
    if not rows:
        yield Note("the analyses do not say how lucky the rolls were")
    else:
        yield _figures_grid(rows)
        yield Note("luck-adjusted: the result minus one's own luck, plus the opponent's")


def _tabulate_opponents(answer: ReportAnswer) -> Iterator[Block]:
    """Yield the results against the opponents with the most games as a table."""
    sections: Sequence[Section] = answer.reports["head-to-head"]
    frame = sections[0].frame if sections else pd.DataFrame()
    if frame.empty or "opponent" not in frame:
        return
    games = frame[frame["figure"] == "games"].astype({"value": float})
    names = games.nlargest(MOST_OPPONENTS, "value")["opponent"].tolist()
    figures = [
        name
        for name in dict.fromkeys(frame["figure"])
        if name in ("games", "games won", "points a game")
    ]
    rows = []
    for name in names:
        of_name = frame[frame["opponent"] == name].set_index("figure")
        cells = (
            format_figure(
                {"figure": figure, **of_name.loc[figure]}, float(of_name.loc[figure, "value"])
            )
            if figure in of_name.index
            else ""
            for figure in figures
        )
        rows.append((Cell(str(name)), *map(Cell, cells)))
    yield Grid("", ("opponent", *figures), tuple(rows))


def _describe_dice(answer: ReportAnswer) -> Iterator[Block]:
    """Yield the test of the dice in these files as a table."""
    for section in answer.reports["dice"]:
        if "p" in section.frame and len(section.frame):
            yield _plain_grid(section)
            yield from map(Note, section.notes)
            return


def _plain_grid(section: Section) -> Grid:
    """Return a table as it is."""
    headings, rows = table_as_text(section.frame)
    return Grid("", tuple(headings), tuple(tuple(map(Cell, row)) for row in rows))


def _list_sources(profile: PlayerProfile) -> Iterator[str]:
    """Yield notes on what was counted and left out."""
    yield f"records: {', '.join(profile.recorded.counted)}"
    yield from profile.recorded.left_out
    if profile.analyzed is not None:
        yield f"analyses: {', '.join(profile.analyzed.counted)}"
        yield from profile.analyzed.left_out


# A row of CSV.


def flat_row(profile: PlayerProfile) -> dict[str, object]:
    """Return the results, the PR and the cost of each kind of decision by column."""
    results = {
        str(row["figure"]): row["value"]
        for section, figures in RESULTS.items()
        for row in _rows_of(profile.recorded, "points", section, figures)
    }
    rate = profile.error_rate
    rates: dict[str, object] = dict.fromkeys(("pr", "pr_low", "pr_high", "decisions"))
    if rate is not None:
        low, high = (None if math.isnan(end) else end for end in (rate.low, rate.high))
        rates = {"pr": rate.value, "pr_low": low, "pr_high": high, "decisions": rate.decisions}
    lost: dict[str, object] = {loss.error: loss.share.value for loss in profile.kinds}
    return {"player": profile.player, **results, **rates, **lost}
