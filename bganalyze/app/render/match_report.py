"""Match reports as documents: their tables, graphs and boards, and the text of these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from types import MappingProxyType

from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.error_rates import PR, PR_SHOWN, grade_if_certain, pr_class, rate_name
from bganalyze.app.config import rule_book_title
from bganalyze.app.render import document_markdown, document_text
from bganalyze.app.render.analyses import (
    INTERVAL_OF_DECISIONS,
    engine_in_words,
    error_in_words,
    format_chance,
    format_cost,
    format_pr_interval,
)
from bganalyze.app.render.answers import format_count_of, format_number
from bganalyze.app.render.board import make_scene, shorten_name
from bganalyze.app.render.disputes import find_disputed_part
from bganalyze.app.render.document import (
    Block,
    Cell,
    Chapter,
    Curve,
    Diagram,
    Diagrams,
    DiagramSteps,
    Document,
    Graph,
    Grid,
    Mark,
    Note,
    Part,
    PlayersAndScore,
    Tone,
    add_first_section,
)
from bganalyze.app.render.findings.page import finding_diagram
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.app.render.playback import make_playback
from bganalyze.app.render.terms import explain_terms
from bganalyze.board.equities import TABLE
from bganalyze.board.ids import xgid
from bganalyze.record.conventions import PlacedComment
from bganalyze.record.dates import FILE_NAME
from bganalyze.record.model import RulingMade
from bganalyze.statistics.match_report import MatchReport
from bganalyze.statistics.match_report.boards import (
    EngineAnalyses,
    Error,
    Interval,
    Luck,
    Offer,
    Rate,
)
from bganalyze.statistics.match_report.figures import (
    FigureGroup,
    FigurePair,
    RollCount,
    Rolls,
    Value,
)
from bganalyze.statistics.match_report.games import (
    TOTAL,
    DoubleMade,
    GameReport,
    LedgerEntry,
    ReportHeading,
)
from bganalyze.statistics.reports.figures import SHARES
from bganalyze.text import capitalize_first, number_of
from bganalyze.validation.findings import Severity
from bganalyze.validation.replaying.terms import length_of
from bganalyze.validation.rules.explained import ExplainedFinding
from bganalyze.writing.bgm import write_ruling

_SIZES = {1: "plain", 2: "gammon", 3: "backgammon"}
_RESIGNED = {1: "resigned", 2: "resigned a gammon", 3: "resigned a backgammon"}
_STAGES = {
    "crawford": "Crawford game",
    "post-crawford": "post-Crawford",
    "double-match-point": "double match point",
}
_ANSWERS = {"take": "takes", "pass": "passes", "beaver": "beavers", "none": "no answer recorded"}
_KINDS = {"double": "doubles", "redouble": "redoubles", "beaver": "beavers", "raccoon": "raccoons"}
_TONES: dict[str, Tone] = {"very bad": "error", "bad": "warning", "doubtful": "info"}
"""Tone of each mark of an error."""

NO_ENGINE = (
    "Counted from the match file and the rules alone. To find errors of play, analyze the file with"
    " an engine: bganalyze analyze."
)
WITH_ENGINE = (
    "The analyses come from an engine; all other figures are counted from the match file and the"
    " rules alone."
)


def render_text(reports: Sequence[MatchReport], setting: OutputOptions) -> Iterator[str]:
    """Yield the reports of the matches of a file as text."""
    return document_text.render(match_document(reports), setting)


def render_markdown(reports: Sequence[MatchReport], setting: OutputOptions) -> Iterator[str]:
    """Yield the reports of the matches of a file as Markdown."""
    return document_markdown.render(match_document(reports), setting)


def match_page(
    reports: Sequence[MatchReport],
    repair_sections_by_match: Mapping[int, Part] = MappingProxyType({}),
) -> str:
    """Return the reports on a file's matches as one page of HTML.

    `repair_sections_by_match` maps a match's number to the section on its repairs.
    """
    from bganalyze.app.render.document_html import render_page  # jinja2 is needed by pages only

    document = explain_terms(match_document(reports))
    chapters = (
        add_first_section(
            _add_playback(chapter, report), repair_sections_by_match.get(report.heading.number)
        )
        for chapter, report in zip(document.chapters, reports, strict=True)
    )
    return render_page(document._replace(chapters=tuple(chapters)))


def _add_playback(chapter: Chapter, report: MatchReport) -> Chapter:
    """Return a chapter with a board to step through the match."""
    findings = [explained.finding for explained in report.findings]
    match = make_playback(
        report.replayed, findings, report.rule_book, report.analyzed, report.heading.names
    )
    return chapter._replace(playback=match if match.games else None)


def match_document(reports: Iterable[MatchReport]) -> Document:
    """Return the reports on a file's matches as a document."""
    reports = tuple(reports)
    if not reports:
        return Document("No match", ())
    chapters = tuple(map(_make_match_chapter, reports))
    first = reports[0]
    several = f"{len(reports)} matches of {_get_file_name(first.heading)}"
    about = chapters[0].title if len(chapters) == 1 else several
    ending = (
        *_note_left_out(first),
        *_note_sources_of_analyses(reports),
        f"Rule book: {rule_book_title(first.rule_book)}.",
    )
    return Document(about, chapters, ending)


def _note_left_out(report: MatchReport) -> Iterator[str]:
    """Yield a note if the file has further matches that are not reported."""
    if report.left_out:
        others = number_of(report.left_out, "more match")
        yield f"The file has {others}; for match N, run bganalyze report --match N."


def _note_sources_of_analyses(reports: Iterable[MatchReport]) -> Iterator[str]:
    """Yield notes on where the analyses come from; without analyses, on how to make them."""
    if any(report.analyses for report in reports):
        yield f"Match winning chances (MWC) come from the table {TABLE}."
        yield WITH_ENGINE
    else:
        yield NO_ENGINE


def _make_match_chapter(report: MatchReport) -> Chapter:
    """Return the chapter of a match report."""
    names = _make_short_names(report.heading)
    parts = (
        Part("Findings", tuple(_show_findings(report.findings))),
        Part("Analyses", tuple(_show_analysis(report.analyses, names, report.heading.path))),
        Part("Points", tuple(_tabulate_points(report, names))),
        Part("Games", tuple(_tabulate_games(report, names))),
        Part(
            "Cube",
            (*_tabulate_statistics(report.cube, names), *_draw_offers(report.decisions, names)),
        ),
        Part("Checker play", tuple(_tabulate_statistics(report.checker, names))),
        Part("Race", tuple(_draw_race_graphs(report.games, names))),
        Part(
            "Dice",
            (*_tabulate_statistics(report.dice, names), *_tabulate_rolls(report.rolls, names)),
        ),
        Part("Rulings", tuple(_tabulate_rulings(report))),
        Part("Comments", tuple(_tabulate_comments(report.remarks))),
    )
    return Chapter(
        " – ".join(names),
        tuple(part for part in parts if part.blocks),
        _describe_final_score(report),
        tuple(_list_match_facts(report)),
        opening=tuple(find_disputed_part(report.replayed, report.rule_book)),
    )


def _make_short_names(heading: ReportHeading) -> tuple[str, str]:
    """Return short names of the left and the right player that differ from each other."""
    left, right = (shorten_name(name) for name in heading.names)
    return (f"{left} (left)", f"{right} (right)") if left == right else (left, right)


def _describe_final_score(report: MatchReport) -> PlayersAndScore:
    """Return the players, the final score and the outcome of a match.

    If the result is disputed, a second score is included.
    """
    heading = report.heading
    points, other_points = _describe_points(heading.after), None
    words = _describe_outcome(heading, _make_short_names(heading))
    if report.recorded != report.by_board:
        points, by_board = (
            _describe_points(one.after) for one in (report.recorded, report.by_board)
        )
        other_points = None if by_board == points else by_board
        words = f"disputed ({', '.join(report.disputed)})"
        if report.recorded.winner != report.by_board.winner:
            words += ": the winner is not settled"
    return PlayersAndScore(heading.names, points, words, heading.winner, other_points)


def _describe_points(score: tuple[int, int] | None) -> tuple[str, str]:
    """Return both players' points as text; for an unknown score, `?` twice."""
    return ("?", "?") if score is None else (str(score[0]), str(score[1]))


def _describe_outcome(heading: ReportHeading, names: tuple[str, str]) -> str:
    """Return the outcome of a match, such as `Ann won the match`."""
    if heading.winner is not None:
        return f"{names[heading.winner]} won the match"
    if heading.length == 0 and heading.after is not None:
        left, right = heading.after
        ahead = f"{names[left < right]} is {number_of(abs(left - right), 'point')} ahead"
        return "level" if left == right else ahead
    if heading.length is None:
        return "the length is unknown, so it is unknown whether the match is decided"
    return "the file ends before the match is decided"


def _list_match_facts(report: MatchReport) -> Iterator[tuple[str, str]]:
    """Yield labeled facts about a match, such as its length and date."""
    heading, stated = report.heading, length_of(report.replayed.match)
    lengths = {None: "length not recorded", 0: "money play"}
    if heading.length is None and stated:
        lengths[None] = f"to {number_of(stated, 'point')} as recorded, but the scores go on"
    yield "Played", lengths.get(heading.length, f"to {number_of(heading.length or 0, 'point')}")
    if heading.variant not in ("", "standard"):
        yield "Variant", heading.variant
    if heading.date or heading.date_written:
        yield "Date", _describe_date(heading)
    for label in ("event", "round", "site", "transcriber"):
        if getattr(heading, label):
            yield label.capitalize(), getattr(heading, label)
    if any(heading.ratings):
        yield "Ratings", " and ".join("none" if r is None else f"{r:g}" for r in heading.ratings)
    if heading.before not in (None, (0, 0)):
        yield "Begins at", "{}–{}".format(*heading.before or ())
    yield "Recorded", f"{number_of(heading.games, 'game')}, {number_of(heading.rolls, 'roll')}"
    number = "" if heading.number == 1 else f"match {heading.number} of "
    yield "File", f"{number}{_get_file_name(heading)}"


def _describe_date(heading: ReportHeading) -> str:
    """Return the date of a match, such as `2024-05-01 (from the file name)`."""
    if not heading.date:
        return f"{heading.date_written} (unclear which is the day and which the month)"
    return heading.date + " (from the file name)" * (heading.date_from == FILE_NAME)


def _get_file_name(heading: ReportHeading) -> str:
    """Return the file name without its folder."""
    return PurePath(heading.path).name


def _tabulate_rulings(report: MatchReport) -> Iterator[Block]:
    """Yield a table of the director's rulings, if there are any."""
    match = report.replayed.match
    rows = tuple(
        (
            Cell(str(number)),
            Cell(str(ruling.span.line)),
            Cell(write_ruling(ruling, game.names_or(match.names))),
        )
        for number, game in enumerate(match.games, start=1)
        for ruling in game.actions_besides_plays()
        if isinstance(ruling, RulingMade)
    )
    if rows:
        yield Grid("Rulings of the director", ("Game", "Line", "Ruling"), rows, words=3)


def _tabulate_comments(remarks: Sequence[PlacedComment]) -> Iterator[Block]:
    """Yield a table of the comments in the file, if there are any."""
    rows = tuple(
        (Cell("" if game is None else str(game)), Cell(str(line)), Cell(" ".join(text.split())))
        for game, line, text in remarks
    )
    if rows:
        yield Grid("Comments in the file", ("Game", "Line", "Comment"), rows, words=3)


# Points and games


def _tabulate_points(report: MatchReport, names: tuple[str, str]) -> Iterator[Block]:
    """Yield tables and a graph of the points won, or a note if none were."""
    books = report.books
    for dispute in report.disputes:
        if dispute.game is not None:
            counting = f"Game {dispute.game} is disputed; the tables count it {dispute.counting}."
            yield Note(counting, tone="warning")
    if not any(books.total.games):
        yield Note("No game has a winner.")
        return
    rows = tuple(_make_ending_row(entry) for entry in books.entries)
    yield Grid("Points won", ("Ended by", *names), rows, total=_make_ending_row(books.total))
    yield _draw_score_graph(report, names)
    if any(books.total.cut):
        yield Note("Cut: points beyond those the winner needed.")
    yield _make_balance_grid(report, names)
    yield _say_whether_points_add_up(report)


def _say_whether_points_add_up(report: MatchReport) -> Note:
    """Return a note that says whether the points won add up to the score."""
    books = report.books
    if not (books.balances or report.disputed) and _is_unscored_session(report):
        return Note("The score lines stay at 0:0 (session not scored).")
    outcome = "add up" if books.balances else "do not add up"
    why = f"score before, points won{', points given' * any(books.given)}, score after"
    if report.disputed:
        why = f"disputed: {', '.join(report.disputed)}"
    return Note(f"The points {outcome} ({why}).", tone="" if books.balances else "warning")


def _is_unscored_session(report: MatchReport) -> bool:
    """Whether the report is on money play of several games that all begin at 0:0."""
    scores = [game.score for game in report.games]
    return report.heading.length == 0 and len(scores) > 1 and set(scores) == {(0, 0)}


def _make_ending_row(entry: LedgerEntry) -> tuple[Cell, ...]:
    """Return the table row of one kind of ending, such as `passed`, with the points won by it."""
    points_won = (
        Cell(str(points), f"{number_of(games, 'game')}{f', {cut} cut' if cut else ''}")
        for games, points, cut in zip(entry.games, entry.points, entry.cut, strict=True)
    )
    return (Cell("all" if entry.ending == TOTAL else entry.ending), *points_won)


def _make_balance_grid(report: MatchReport, names: tuple[str, str]) -> Grid:
    """Return a table of both players' points before, in and after the match."""
    books = report.books
    given = [("given by a director", books.given)] if any(books.given) else []
    rows = [("before", books.before), ("won", books.won), *given, ("after", books.after)]
    if report.recorded.after != report.by_board.after:
        rows += [
            ("after, as recorded", report.recorded.after or (None, None)),
            ("after, by the games", report.by_board.after or (None, None)),
        ]
    cells = tuple((Cell(word), *map(_make_points_cell, points)) for word, points in rows)
    return Grid("Balance", ("Score", *names), cells)


def _make_points_cell(points: int | None) -> Cell:
    """Return a table cell with a number of points, or with `?` if they are unknown."""
    return Cell("?" if points is None else str(points))


def _tabulate_games(report: MatchReport, names: tuple[str, str]) -> Iterator[Block]:
    """Yield a table of the games, and a note on provisional wins.

    A win is provisional as long as its last play can still be corrected.
    """
    if not report.games:
        return
    headings = ("Game", "Winner", "Result", "Score", "Cube", "Points", "Rolls")
    yield Grid(
        "Result of each game, with the score before it",
        headings,
        tuple(_make_game_row(game, names) for game in report.games),
        words=3,
    )
    provisional = [game.number for game in report.games if game.provisional]
    if provisional:
        listed = ", ".join(map(str, provisional))
        yield Note(f"Won by an illegal play that can still be corrected: game {listed}.", "warning")


def _make_game_row(game: GameReport, names: tuple[str, str]) -> tuple[Cell, ...]:
    """Return the table cells of a game."""
    points = Cell("–" if game.counting is None else str(game.counting))
    if game.on_board is not None and game.on_board != game.counting:
        points = Cell(points.text, f"{game.on_board} on the board")
    if game.disputed is not None:
        points = Cell(points.text, game.disputed)
    return (
        Cell(str(game.number)),
        Cell("–" if game.winner is None else names[game.winner]),
        Cell(_describe_result(game)),
        Cell(f"{game.score[0]}–{game.score[1]}", _STAGES.get(game.stage, "")),
        Cell(str(game.cube)),
        points,
        Cell(str(game.rolls)),
    )


def _describe_result(game: GameReport) -> str:
    """Return how a game ended, such as `gammon`, `resigned a gammon` or `passed`."""
    if game.kind == "borne-off" and game.size is not None:
        return _SIZES[game.size]
    if game.kind == "resigned":
        return _RESIGNED.get(game.resigned_size or 1, "resigned")
    words = {"resigned-match": "resigned the match", "replayed": "played again, by a ruling"}
    return words.get(game.kind, game.kind)


def _add_awarded_points(game: GameReport) -> tuple[int, int]:
    """Return the score after a game, including points that a director awarded."""
    (left, right), (left_given, right_given) = game.after, game.given
    return left + left_given, right + right_given


def _draw_score_graph(report: MatchReport, names: tuple[str, str]) -> Graph:
    """Return a graph of the score, from before the first game to after the last."""
    games = report.games
    scores = [games[0].score, *map(_add_awarded_points, games)]
    curves = tuple(
        Curve(name, seat, tuple((n, score[seat]) for n, score in enumerate(scores)))
        for seat, name in enumerate(names)
    )
    listed = ", ".join(f"{left}–{right}" for left, right in scores)
    return Graph(
        title="Score over the games",
        about=f"Score from game to game: {listed}.",
        across="games",
        up="points",
        curves=curves,
        goal=report.heading.length or None,
    )


def _draw_race_graphs(games: Iterable[GameReport], names: tuple[str, str]) -> Iterator[Block]:
    """Yield a graph of the pip counts for each game."""
    for game in games:
        if len(game.race) > 1:
            yield _draw_race_graph(game, names)


def _draw_race_graph(game: GameReport, names: tuple[str, str]) -> Graph:
    """Return a graph of both players' pip counts during a game, with doubles marked."""
    curves = tuple(
        Curve(name, seat, tuple((count.roll, count.pips[seat]) for count in game.race))
        for seat, name in enumerate(names)
    )
    marks = tuple(
        Mark(turned.roll, turned.seat, str(turned.offer), _describe_offer(turned, names))
        for turned in game.doubles
    )
    first, last = game.race[0].pips, game.race[-1].pips
    doubles = "; ".join(mark.about for mark in marks)
    about = (
        f"Pip counts: {names[0]} from {first[0]} to {last[0]}, {names[1]} from {first[1]} to "
        f"{last[1]}, in {number_of(game.rolls, 'roll')}.{f' {doubles}.' if doubles else ''}"
    )
    score = f"{game.score[0]}–{game.score[1]}"
    return Graph(f"Game {game.number} at {score}", about, "rolls", "pips", curves, marks)


# Analyses by an engine


def _show_analysis(
    analyses: EngineAnalyses | None, names: tuple[str, str], path: str
) -> Iterator[Block]:
    """Yield what an engine found: error rates, luck, and boards of errors, the costliest first."""
    if analyses is None:
        return
    is_money, errors = analyses.money, analyses.errors
    yield Note(f"{engine_in_words(analyses.engine, analyses.version, analyses.level)}.")
    rates = tuple(_make_rate_row(rate) for rate in analyses.rates)
    yield Grid("Error rates", ("", *names), rates)
    if any(interval for rate in analyses.rates for interval in rate.intervals):
        yield Note(INTERVAL_OF_DECISIONS)
    if analyses.luck is not None:
        yield Grid("Luck", ("", *names), tuple(_make_luck_rows(analyses.luck, is_money)))
    for note in analyses.left_out:
        yield Note(f"{note}.")
    if not errors:
        yield Note("No errors: no decision cost anything.")
        return
    title = f"{number_of(len(errors), 'error')}, the costliest first"
    diagrams = (
        _draw_error(rank, error, names, path, is_money=is_money)
        for rank, error in enumerate(errors, 1)
    )
    yield DiagramSteps(
        title,
        tuple(diagrams),
        whose=tuple(names[error.seat] for error in errors),
        asked=tuple(error.problem.question for error in errors),
    )


def _make_rate_row(rate: Rate) -> tuple[Cell, ...]:
    """Return the table row of an error rate, with both players' values."""
    figures = zip(rate.values, rate.counted, rate.intervals, strict=True)
    return (
        Cell(rate_name(rate.metric, rate.unit), about=rate.meaning),
        *(_make_rate_cell(rate, *figure) for figure in figures),
    )


def _make_rate_cell(rate: Rate, value: float | None, counted: int, interval: Interval) -> Cell:
    """Return the table cell of a player's error rate.

    Its small print has the interval and the number of decisions.
    """
    if value is None:
        return Cell("–")
    over = f"over {counted:,}" * (counted > 1 or interval is not None)
    if rate.unit != PR:
        return Cell(f"{value:.2f}", over)
    called = grade_if_certain(pr_class, interval, counted) if rate.metric == PR_SHOWN else ""
    details = filter(None, (format_pr_interval(interval), over, called))
    return Cell(f"{value:.1f}", ", ".join(details))


def _make_luck_rows(luck: Luck, is_money: bool) -> Iterator[tuple[Cell, ...]]:
    """Yield table rows with both players' luck, results, and results with the luck taken out."""
    lucks = (
        Cell(f"{equity:+.3f} EMG", format_chance(share, money=is_money, sign="+"))
        for equity, share in zip(luck.equity, luck.chance, strict=True)
    )
    yield (Cell("Luck", about="Gain from the rolls, beyond the expected gain."), *lucks)
    for name, meaning, pair in (
        ("Result", "Gain from the match.", luck.result),
        ("Without luck", "Result minus one's own luck, plus the opponent's.", luck.adjusted),
    ):
        if pair is None:
            yield (Cell(name, about=meaning), Cell("disputed"), Cell("disputed"))
            continue
        results = (Cell(format_chance(value, money=is_money, sign="+")) for value in pair)
        yield (Cell(name, about=meaning), *results)


def _draw_error(
    rank: int, error: Error, names: tuple[str, str], path: str, *, is_money: bool
) -> Diagram:
    """Return a wrong decision as a diagram. Its `rank` is 1 if it is the costliest."""
    problem = error.problem
    return Diagram(
        f"{rank:,}. {names[error.seat]}, {error_in_words(problem)}",
        make_scene(*error.shown),
        tuple(_list_facts_of_error(error, path, is_money)),
        tone=_TONES.get(problem.mark, ""),
        spot=error.spot,
    )


def _list_facts_of_error(error: Error, path: str, is_money: bool) -> Iterator[tuple[str, str]]:
    """Yield labeled facts about a wrong decision, such as its cost and place."""
    problem = error.problem
    yield "Played" if error.kind is Kind.PLAY else "Decided", problem.made
    yield "Better", problem.best
    yield "Cost", format_cost(problem, money=is_money)
    if problem.error or problem.mark:
        yield "Error", ", ".join(filter(None, (problem.error, problem.mark)))
    game, line, column = error.spot
    yield "Place", f"{path}:{line}:{column}, game {game}{_describe_row(error.row)}"
    if error.legal is False:
        by_result = "; analyzed by the position it left" * (error.kind is Kind.PLAY)
        yield "Rules", f"illegal, in no error rate{by_result}"
    if not error.verified:
        yield "Board", "in doubt"
    yield "Position", error.position


# Figures of both players


def _tabulate_statistics(groups: Iterable[FigureGroup], names: tuple[str, str]) -> Iterator[Block]:
    """Yield a table for each group of statistics, with both players' values."""
    for group in groups:
        if not group.contrasts:
            continue
        yield Grid(group.title, ("", *names), tuple(map(_make_statistic_row, group.contrasts)))
        if group.notes:
            yield Note(" ".join(f"{capitalize_first(note)}." for note in group.notes))


def _make_statistic_row(figures: FigurePair) -> tuple[Cell, ...]:
    """Return the table row of a statistic, with both players' values."""
    values = [_make_value_cell(value, figures.kind) for value in figures.values]
    return (Cell(figures.figure, about=figures.meaning), *values)


def _make_value_cell(value: Value | None, kind: str) -> Cell:
    """Return the table cell of a player's statistic, with its counts in small print.

    `kind` is the kind of statistic, such as `share`.
    """
    if value is None:
        return Cell("0" if kind == "count" else "–")
    if kind == "count":
        return Cell(format_number(value.value, share=False))
    share = kind in SHARES
    detail = "over " * (kind == "chance") + format_count_of(kind, value.counted, value.of)
    if value.expected is not None:
        detail += f", expected {format_number(value.expected, share)}"
    return Cell(format_number(value.value, share), detail)


def _tabulate_rolls(rolls: Rolls, names: tuple[str, str]) -> Iterator[Block]:
    """Yield tables of how often each player rolled each number and each roll."""
    if not any(rolls.rolls):
        return
    faces, values = (
        tuple(map(_make_roll_cells, rolls.faces)),
        tuple(map(_make_roll_cells, rolls.values)),
    )
    yield Grid("Faces of the dice", ("Face", *names), faces)
    yield Grid("Rolls by value", ("Roll", *names), values)
    yield Note(
        "Opening rolls are counted separately, because they cannot be doubles. Rolls against a closed "
        "board are left out, because many are never rolled. A single match is far too short to say "
        "anything about the dice."
    )


def _make_roll_cells(roll_count: RollCount) -> tuple[Cell, ...]:
    """Return the table cells of a roll: each player's count, and the expected count."""
    pairs = zip(roll_count.counts, roll_count.expected, strict=True)
    cells = (Cell(str(count), f"expected {expected:.1f}") for count, expected in pairs)
    return (Cell(roll_count.name), *cells)


# Boards


def _draw_offers(offers: Iterable[Offer], names: tuple[str, str]) -> Iterator[Block]:
    """Yield a diagram for each double, or a note that there are none."""
    diagrams = tuple(_draw_offer(offer, names) for offer in offers)
    if diagrams:
        yield Diagrams(diagrams)
    else:
        yield Note("No doubles.")


def _draw_offer(offer: Offer, names: tuple[str, str]) -> Diagram:
    """Return a double as a diagram of its board."""
    return Diagram(
        f"Game {offer.game}{_describe_row(offer.row)}: {_describe_offer(offer, names)}",
        make_scene(*offer.shown),
        tuple(_list_facts_of_offer(offer, names)),
        tone="" if offer.legal else "error",
        spot=offer.spot,
    )


def _describe_offer(offer: Offer | DoubleMade, names: tuple[str, str]) -> str:
    """Return a double and its answer, such as `Ann doubles to 2, Bob takes`."""
    doubler, opponent = names[offer.seat], names[1 - offer.seat]
    answer = _ANSWERS[offer.answer]
    reply = answer if offer.answer == "none" else f"{opponent} {answer}"
    return f"{doubler} {_KINDS[offer.kind]} to {offer.offer}, {reply}"


def _describe_row(label: str) -> str:
    """Return words on a row number to put after a game, or "" without one.

    >>> _describe_row(" 12"), _describe_row("")
    (', row 12', '')
    """
    return f", row {label.strip()}" if label.strip() else ""


def _list_facts_of_offer(offer: Offer, names: tuple[str, str]) -> Iterator[tuple[str, str]]:
    """Yield labeled facts about a double, such as the lead in the race."""
    yield "Race", f"{names[offer.seat]} {_describe_lead(*offer.pips)}"
    for name, doubles, takes in offer.formulas:
        yield name, f"{'double' if doubles else 'no double'}, {'take' if takes else 'pass'}"
    if not offer.legal:
        yield "Rules", "illegal: see the findings"
    if not offer.verified:
        yield "Board", "in doubt"
    yield "Position", xgid(offer.shown.situation)


def _describe_lead(own: int, other: int) -> str:
    """Return words on who is ahead in the race, with `own` and `other` pips left to go.

    >>> _describe_lead(100, 110), _describe_lead(90, 90)
    ('10 pips ahead (10 %)', 'level at 90')
    """
    if own == other:
        return f"level at {own}"
    share = f" ({100 * abs(other - own) / own:.0f} %)" if own else ""
    return f"{number_of(abs(other - own), 'pip')} {'ahead' if own < other else 'behind'}{share}"


def _show_findings(findings: tuple[ExplainedFinding, ...]) -> Iterator[Block]:
    """Yield the number of findings by severity, then all findings, first those with a board."""
    if not findings:
        yield Note("No findings: the match was recorded and played by the rules.")
        return
    counts = Counter(explained.finding.severity for explained in findings)
    words = (number_of(counts[severity], severity) for severity in Severity if counts[severity])
    yield Note(f"{', '.join(words)}.")
    with_board = tuple(
        finding_diagram(explained) for explained in findings if explained.shown is not None
    )
    without_board = tuple(
        finding_diagram(explained) for explained in findings if explained.shown is None
    )
    yield from (Diagrams(diagrams) for diagrams in (with_board, without_board) if diagrams)
