"""Reports of matches as a document: which tables, graphs and boards, in which order and words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath

from bganalyze.board.ids import xgid
from bganalyze.config import title
from bganalyze.equities import TABLE
from bganalyze.judging.decisions import Kind
from bganalyze.match_report.boards import EngineVerdicts, Error, ExplainedFinding, Luck, Offer, Rate
from bganalyze.match_report.figures import Contrast, FigureGroup, RollCount, Throws, Value
from bganalyze.match_report.games import TOTAL, Books, Entry, GameReport, Heading, Turned
from bganalyze.match_report.report import MatchReport
from bganalyze.render import document_markdown, document_text
from bganalyze.render.answers import number
from bganalyze.render.board import scene, short_name
from bganalyze.render.document import (
    Block,
    Cell,
    Chapter,
    Curve,
    Diagram,
    Diagrams,
    Document,
    Graph,
    Grid,
    Mark,
    Note,
    Part,
    Steps,
    Tone,
    Versus,
)
from bganalyze.render.setting import OutputOptions
from bganalyze.render.verdicts import chance, cost_of, judged_by
from bganalyze.reports.figures import SHARES
from bganalyze.text import number_of

# What an engine says of a match, as blocks of a document, and the words for it.

TONES: dict[str, Tone] = {"very bad": "error", "bad": "warning", "doubtful": "info"}
"""The tone of a mark."""


def blocks(said: EngineVerdicts, names: tuple[str, str]) -> Iterator[Block]:
    """Yield the error rates, the luck, and the errors by their size."""
    yield Note(f"{judged_by(said.engine, said.version, said.level)}.")
    yield Grid("Error rates", ("", *names), tuple(_rate(rate, said) for rate in said.rates))
    if said.luck is not None:
        yield Grid("Luck", ("", *names), tuple(_luck(said.luck, money=said.money)))
    if said.unknown:
        yield Note(f"It says nothing of {number_of(said.unknown, 'decision')}.")
    if said.errors:
        diagrams = (
            _error(place, error, names, money=said.money)
            for place, error in enumerate(said.errors, 1)
        )
        title = f"{number_of(len(said.errors), 'error')}, the dearest first"
        yield Steps(title, tuple(diagrams), tuple(names[error.seat] for error in said.errors))
    else:
        yield Note("No decision cost anything.")


def _rate(rate: Rate, said: EngineVerdicts) -> tuple[Cell, ...]:
    unit = "points" if said.money and rate.unit == "% MWC" else rate.unit
    figures = zip(rate.values, rate.counted, strict=True)
    return (
        Cell(f"{rate.metric} ({unit})", about=rate.meaning),
        *(_figure(value, counted) for value, counted in figures),
    )


def _figure(value: float | None, counted: int) -> Cell:
    if value is None:
        return Cell("–")
    return Cell(f"{value:.2f}", f"over {counted:,}" if counted > 1 else "")


def _luck(luck: Luck, *, money: bool) -> Iterator[tuple[Cell, ...]]:
    thrown = (
        Cell(f"{equity:+.3f} EMG", chance(share, money=money, sign="+"))
        for equity, share in zip(luck.equity, luck.chance, strict=True)
    )
    yield (Cell("Luck", about="What the throws gave, over what was to be expected."), *thrown)
    for name, meaning, pair in (
        ("Result", "What was won.", luck.result),
        ("Without luck", "What was won, less one's own luck, plus the other's.", luck.adjusted),
    ):
        won = (Cell(chance(value, money=money, sign="+")) for value in pair)
        yield (Cell(name, about=meaning), *won)


def _error(place: int, error: Error, names: tuple[str, str], *, money: bool) -> Diagram:
    told = error.problem
    return Diagram(
        f"{place:,}. {names[error.seat]}, {told.question}",
        None if error.shown is None else scene(*error.shown),
        tuple(_facts_of_error(error, money=money)),
        tone=TONES.get(told.mark, ""),
    )


def _facts_of_error(error: Error, *, money: bool) -> Iterator[tuple[str, str]]:
    told = error.problem
    yield "Played" if error.kind is Kind.PLAY else "Decided", told.made
    yield "Better", told.best
    yield "Cost", cost_of(told, money=money)
    if told.error or told.mark:
        yield "Error", ", ".join(filter(None, (told.error, told.mark)))
    row = f", row {error.row.strip()}" if error.row.strip() else ""
    yield "Place", f"game {error.game}{row}"
    if error.legal is False:
        yield "Rules", "against them: judged by the position it left, and in no rate"
    if not error.verified:
        yield "Board", "in doubt"
    yield "Position", error.position


_SIZES = {1: "plain", 2: "gammon", 3: "backgammon"}
_RESIGNED = {1: "resigned", 2: "resigned a gammon", 3: "resigned a backgammon"}
_STAGES = {
    "crawford": "Crawford game",
    "post-crawford": "post-Crawford",
    "double-match-point": "double match point",
}
_ANSWERS = {"take": "takes", "drop": "drops", "beaver": "beavers", "none": "no answer recorded"}
_KINDS = {"double": "doubles", "redouble": "redoubles", "beaver": "beavers", "raccoon": "raccoons"}
_GRAVITY = ("error", "warning", "info")

NO_ENGINE = "Counted from the record and the rules alone: without an engine nothing says how good a play was."
WITH_ENGINE = (
    "The verdicts are an engine's; all else is counted from the record and the rules alone."
)


def render_text(reports: Sequence[MatchReport], setting: OutputOptions) -> Iterator[str]:
    """Yield the reports of the matches of a file as text."""
    return document_text.render(match_document(reports), setting)


def render_markdown(reports: Sequence[MatchReport], setting: OutputOptions) -> Iterator[str]:
    """Yield the reports of the matches of a file as Markdown."""
    return document_markdown.render(match_document(reports), setting)


def match_page(reports: Sequence[MatchReport]) -> str:
    """Return the reports of the matches of a file as one page of HTML."""
    from bganalyze.render.document_html import page  # jinja2 is needed by pages only

    return page(match_document(reports))


def match_document(reports: Iterable[MatchReport]) -> Document:
    """Return the document of the matches of a file."""
    made = list(reports)
    names = [" – ".join(_called(each.heading)) for each in made]
    about = names[0] if len(names) == 1 else f"{len(names)} matches of {_file(made[0].heading)}"
    law = title(made[0].law)
    ending = (*_engines(made), f"Judged by the law: {law}.")
    return Document(about, tuple(map(_chapter, made)), ending)


def _engines(reports: Iterable[MatchReport]) -> Iterator[str]:
    """What the figures rest on."""
    if any(report.verdicts for report in reports):
        yield f"Chances to win a match (MWC) are those of the table {TABLE}."
        yield WITH_ENGINE
    else:
        yield NO_ENGINE


def _verdicts(report: MatchReport, names: tuple[str, str]) -> Iterator[Block]:
    if report.verdicts is not None:
        yield from blocks(report.verdicts, names)


def _chapter(report: MatchReport) -> Chapter:
    names = _called(report.heading)
    parts = (
        Part("Points", tuple(_points(report, names))),
        Part("Games", tuple(_games(report, names))),
        Part("Verdicts", tuple(_verdicts(report, names))),
        Part("Race", tuple(_races(report.games, names))),
        Part("Checker play", tuple(_groups(report.checker, names))),
        Part("Cube", (*_groups(report.cube, names), *_decisions(report.decisions, names))),
        Part("Dice", (*_groups(report.dice, names), *_throws(report.throws, names))),
        Part("Findings", tuple(_faults(report.faults))),
    )
    return Chapter(
        " – ".join(names),
        tuple(part for part in parts if part.blocks),
        _versus(report.heading),
        tuple(_about(report.heading)),
    )


def _called(heading: Heading) -> tuple[str, str]:
    """The players as tables and graphs name them."""
    left, right = (short_name(name) for name in heading.names)
    return (f"{left} (left)", f"{right} (right)") if left == right else (left, right)


def _versus(heading: Heading) -> Versus:
    after = heading.after
    points = ("?", "?") if after is None else (str(after[0]), str(after[1]))
    return Versus(heading.names, points, _outcome(heading, _called(heading)), heading.winner)


def _outcome(heading: Heading, names: tuple[str, str]) -> str:
    if heading.winner is not None:
        return f"{names[heading.winner]} won the match"
    if heading.length == 0 and heading.after is not None:
        left, right = heading.after
        ahead = f"{names[left < right]} is {_points_of(abs(left - right))} ahead"
        return "level" if left == right else ahead
    return "the record ends before the match is decided"


def _points_of(count: int) -> str:
    return f"{count:,} point{'s' * (count != 1)}"


def _about(heading: Heading) -> Iterator[tuple[str, str]]:
    """What is stated about the match, as far as it is."""
    lengths = {None: "length not recorded", 0: "money play"}
    yield "Played", lengths.get(heading.length, f"to {_points_of(heading.length or 0)}")
    if heading.variant not in ("", "standard"):
        yield "Variant", heading.variant
    for label in ("date", "event", "round", "site", "transcriber"):
        if getattr(heading, label):
            yield label.capitalize(), getattr(heading, label)
    if heading.before not in (None, (0, 0)):
        yield "Begins at", "{}–{}".format(*heading.before or ())
    yield "Recorded", f"{number_of(heading.games, 'game')}, {number_of(heading.throws, 'throw')}"
    yield (
        "File",
        _file(heading) if heading.number == 1 else f"match {heading.number} of {_file(heading)}",
    )


def _file(heading: Heading) -> str:
    """The name of the file, without where it lies."""
    return PurePath(heading.path).name


# Points and games


def _points(report: MatchReport, names: tuple[str, str]) -> Iterator[Block]:
    books = report.books
    if not any(books.total.games):
        yield Note("No game has a winner.")
        return
    rows = tuple(_entry(entry) for entry in books.entries)
    yield Grid("Points won", ("Ended by", *names), rows, total=_entry(books.total))
    yield _scores(report, names)
    if any(books.total.cut):
        yield Note("Cut are points beyond those that the winner needed.")
    yield _balance(books, names)
    said = "The books balance" if books.balances else "The books do not balance"
    yield Note(
        f"{said} (score before, points won, score after).", "" if books.balances else "warning"
    )


def _entry(entry: Entry) -> tuple[Cell, ...]:
    won = (
        Cell(str(points), f"{number_of(games, 'game')}{f', {cut} cut' if cut else ''}")
        for games, points, cut in zip(entry.games, entry.points, entry.cut, strict=True)
    )
    return (Cell("all" if entry.ending == TOTAL else entry.ending), *won)


def _balance(books: Books, names: tuple[str, str]) -> Grid:
    rows = (("before", books.before), ("won", books.won), ("after", books.after))
    cells = tuple((Cell(word), *(Cell(_known(each)) for each in pair)) for word, pair in rows)
    return Grid("Balance", ("Score", *names), cells)


def _known(points: int | None) -> str:
    return "?" if points is None else str(points)


def _games(report: MatchReport, names: tuple[str, str]) -> Iterator[Block]:
    if not report.games:
        return
    headings = ("Game", "Winner", "Result", "Score", "Cube", "Points", "Throws")
    yield Grid(
        "Result of each game, with the score before it",
        headings,
        tuple(_game(game, names) for game in report.games),
        words=3,
    )
    provisional = [game.number for game in report.games if game.provisional]
    if provisional:
        listed = ", ".join(map(str, provisional))
        yield Note(f"Won by an illegal play that may still be called: game {listed}.", "warning")


def _game(game: GameReport, names: tuple[str, str]) -> tuple[Cell, ...]:
    points = Cell("–" if game.counting is None else str(game.counting))
    if game.on_board is not None and game.on_board != game.counting:
        points = Cell(points.text, f"{game.on_board} on the board")
    return (
        Cell(str(game.number)),
        Cell("nobody" if game.winner is None else names[game.winner]),
        Cell(_result(game)),
        Cell(f"{game.score[0]}–{game.score[1]}", _STAGES.get(game.stage, "")),
        Cell(str(game.cube)),
        points,
        Cell(str(game.throws)),
    )


def _result(game: GameReport) -> str:
    if game.kind == "borne-off" and game.size is not None:
        return _SIZES[game.size]
    if game.kind == "resigned":
        return _RESIGNED.get(game.resigned_size or 1, "resigned")
    return {"resigned-match": "resigned the match"}.get(game.kind, game.kind)


def _scores(report: MatchReport, names: tuple[str, str]) -> Graph:
    """The score over the games, from before the first to after the last."""
    games = report.games
    reached = [games[0].score, *(game.after for game in games)]
    curves = tuple(
        Curve(name, seat, tuple((n, score[seat]) for n, score in enumerate(reached)))
        for seat, name in enumerate(names)
    )
    told = ", ".join(f"{left}–{right}" for left, right in reached)
    goal = report.heading.length or None
    return Graph(
        "Score over the games",
        f"Score from game to game: {told}.",
        "games",
        "points",
        curves,
        (),
        goal,
    )


def _races(games: Iterable[GameReport], names: tuple[str, str]) -> Iterator[Block]:
    for game in games:
        if len(game.race) > 1:
            yield _race(game, names)


def _race(game: GameReport, names: tuple[str, str]) -> Graph:
    curves = tuple(
        Curve(name, seat, tuple((count.throw, count.pips[seat]) for count in game.race))
        for seat, name in enumerate(names)
    )
    marks = tuple(
        Mark(
            turned.throw,
            turned.seat,
            str(turned.offer),
            _offered(turned, names),
        )
        for turned in game.doubles
    )
    first, last = game.race[0].pips, game.race[-1].pips
    told = "; ".join(mark.about for mark in marks)
    about = (
        f"Pip counts: {names[0]} from {first[0]} to {last[0]}, {names[1]} from {first[1]} to "
        f"{last[1]}, in {number_of(game.throws, 'throw')}.{f' {told}.' if told else ''}"
    )
    score = f"{game.score[0]}–{game.score[1]}"
    return Graph(f"Game {game.number} at {score}", about, "throws", "pips", curves, marks)


# Figures of both players


def _groups(groups: Iterable[FigureGroup], names: tuple[str, str]) -> Iterator[Block]:
    for group in groups:
        if not group.contrasts:
            continue
        rows = tuple(_contrast(each) for each in group.contrasts)
        yield Grid(group.title, ("", *names), rows)
        if group.notes:
            yield Note(" ".join(f"{note[:1].upper()}{note[1:]}." for note in group.notes))


def _contrast(contrast: Contrast) -> tuple[Cell, ...]:
    share = contrast.kind in SHARES
    values = [_value(value, contrast.kind, share=share) for value in contrast.values]
    return (Cell(contrast.figure, about=contrast.meaning), *values)


def _value(value: Value | None, kind: str, *, share: bool) -> Cell:
    if value is None:
        return Cell("0" if kind == "count" else "–")
    if kind == "count":
        return Cell(number(value.value, share=False))
    detail = f"{value.counted:,.0f} of {value.of:,.0f}"
    if value.expected is not None:
        detail += f", expected {number(value.expected, share)}"
    return Cell(number(value.value, share), detail)


def _throws(throws: Throws, names: tuple[str, str]) -> Iterator[Block]:
    if not any(throws.throws):
        return
    faces, values = (tuple(map(_fallen, each)) for each in (throws.faces, throws.values))
    yield Grid("Faces, of both dice of each throw", ("Face", *names), faces)
    yield Grid("Throws by value", ("Throw", *names), values)
    yield Note(
        "Throws that open a game are apart: they are no doubles; those against a closed board are "
        "left out: many are never thrown. A single match is far too short to "
        "say anything about the dice."
    )


def _fallen(fallen: RollCount) -> tuple[Cell, ...]:
    pairs = zip(fallen.counts, fallen.expected, strict=True)
    cells = (Cell(str(count), f"expected {due:.1f}") for count, due in pairs)
    return (Cell(fallen.name), *cells)


# Boards


def _decisions(decisions: Iterable[Offer], names: tuple[str, str]) -> Iterator[Block]:
    diagrams = tuple(_decision(each, names) for each in decisions)
    if diagrams:
        yield Diagrams(diagrams)
    else:
        yield Note("Nobody doubled.")


def _decision(decision: Offer, names: tuple[str, str]) -> Diagram:
    return Diagram(
        f"{_place(decision)}: {_offered(decision, names)}",
        scene(*decision.shown),
        tuple(_said_of(decision, names)),
        tone="" if decision.legal else "error",
    )


def _offered(offer: Offer | Turned, names: tuple[str, str]) -> str:
    """Who doubled to what, and what the other did."""
    doubler, other = names[offer.seat], names[1 - offer.seat]
    answer = _ANSWERS[offer.answer]
    replied = answer if offer.answer == "none" else f"{other} {answer}"
    return f"{doubler} {_KINDS[offer.kind]} to {offer.offer}, {replied}"


def _place(decision: Offer) -> str:
    row = f", row {decision.row.strip()}" if decision.row.strip() else ""
    return f"Game {decision.game}{row}"


def _said_of(decision: Offer, names: tuple[str, str]) -> Iterator[tuple[str, str]]:
    own, other = decision.pips
    yield "Race", f"{names[decision.seat]} {_lead(own, other)}"
    for name, doubles, takes in decision.formulas:
        yield name, f"{'double' if doubles else 'no double'}, {'take' if takes else 'drop'}"
    if not decision.legal:
        yield "Rules", "against them: see the findings"
    if not decision.verified:
        yield "Board", "in doubt"
    yield "Position", xgid(decision.shown.situation)


def _lead(own: int, other: int) -> str:
    if own == other:
        return f"level at {own}"
    share = f" ({100 * abs(other - own) / own:.0f} %)" if own else ""
    return f"{number_of(abs(other - own), 'pip')} {'ahead' if own < other else 'behind'}{share}"


def _faults(faults: tuple[ExplainedFinding, ...]) -> Iterator[Block]:
    if not faults:
        yield Note("Nothing was found: the record keeps to the rules.")
        return
    counts = [(word, sum(f.finding.severity == word for f in faults)) for word in _GRAVITY]
    counts = [(word, count) for word, count in counts if count]
    yield Note(
        ", ".join(
            number_of(count, word) if word != "info" else f"{count:,} info"
            for word, count in counts
        )
        + "."
    )
    for has_board in (True, False):
        listed = tuple(_fault(each) for each in faults if (each.shown is not None) == has_board)
        if listed:
            yield Diagrams(listed)


def _fault(fault: ExplainedFinding) -> Diagram:
    found = fault.finding
    return Diagram(
        f"{found.code} {found.name}",
        None if fault.shown is None else scene(*fault.shown),
        tuple(_said_of_fault(fault)),
        fault.excerpt,
        tone=found.severity.value,
    )


def _said_of_fault(fault: ExplainedFinding) -> Iterator[tuple[str, str]]:
    found = fault.finding
    yield found.severity.value.capitalize(), found.message
    game = "" if found.game is None else f"game {found.game}, "
    row = "" if found.row is None else f"row {found.row.strip()}, "
    yield "Place", f"{game}{row}line {found.line}, column {found.column}"
    if found.player:
        yield "Player", found.player
    if found.legal is not None:
        yield "Legal", ", ".join(found.legal) or "none"
    if found.standing is not None:
        yield found.standing.value.capitalize(), fault.remedy
    if fault.reading:
        yield "Read as", fault.reading
    if found.consequences:
        yield "Follows", f"{number_of(found.consequences, 'later fault')}, not listed"
    if found.position is not None:
        yield "Position", found.position
