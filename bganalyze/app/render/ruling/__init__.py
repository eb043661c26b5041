"""The sheet of a case, from which a director can rule: text, Markdown, HTML or JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator

from bganalyze.analysis.gain_of_illegal import PlayGain
from bganalyze.app.config import rule_book_title
from bganalyze.app.render import document_markdown, document_text
from bganalyze.app.render.document import (
    Cell,
    Chapter,
    Document,
    Grid,
    Note,
    Part,
)
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.app.render.ruling.books import MOST_IN_FULL, list_rulings
from bganalyze.app.render.ruling.fault import describe_error
from bganalyze.app.render.ruling.points import tabulate_points
from bganalyze.app.render.ruling.record import ruling_object
from bganalyze.app.render.ruling.time_line import draw_time_line
from bganalyze.app.render.ruling.unknowns import list_unknowns
from bganalyze.app.render.ruling.verdict import list_verdict, name_subject
from bganalyze.text import number_of
from bganalyze.validation.cases import Case
from bganalyze.validation.replaying.outcomes import OF_RESULTS, SCORE
from bganalyze.validation.replaying.terms import length_of

_BLANK = "_" * 24


def render_text(
    case: Case, gain_over_best_legal: PlayGain | None, setting: OutputOptions
) -> Iterator[str]:
    """Yield a director's sheet on one error as text."""
    return document_text.render(make_ruling_sheet(case, gain_over_best_legal), setting)


def render_markdown(
    case: Case, gain_over_best_legal: PlayGain | None, setting: OutputOptions
) -> Iterator[str]:
    """Yield a director's sheet on one error as Markdown."""
    return document_markdown.render(make_ruling_sheet(case, gain_over_best_legal), setting)


def render_json(
    case: Case, gain_over_best_legal: PlayGain | None, _: OutputOptions
) -> Iterator[str]:
    """Yield a director's sheet on one error as JSON."""
    yield json.dumps(ruling_object(case, gain_over_best_legal), ensure_ascii=False, indent=2) + "\n"


def sheet_page(case: Case, gain_over_best_legal: PlayGain | None = None) -> str:
    """Return a director's sheet on one error as a page of HTML."""
    from bganalyze.app.render.document_html import render_page  # jinja2 is needed by pages only

    return render_page(make_ruling_sheet(case, gain_over_best_legal))


def make_ruling_sheet(case: Case, gain_over_best_legal: PlayGain | None = None) -> Document:
    """Return a director's sheet on one error as a document.

    `case` has the error and the ruling of each rule book.
    """
    match, finding = case.replayed.match, case.finding
    names = _find_player_names(case)
    parts = (
        Part("What happened", tuple(describe_error(case, gain_over_best_legal, names))),
        Part("Time line", (draw_time_line(case, names),)),
        Part("By the rule books", tuple(list_rulings(case))),
        Part("The points", tuple(tabulate_points(case))),
        Part("What the record cannot show", tuple(map(Note, list_unknowns(case)))),
        Part("Decision", (_make_decision_form(names),)),
    )
    facts = tuple(_list_facts(case, names))
    chapter = Chapter(_make_title(case), parts, facts=facts)
    return Document(f"Ruling on {match.source.path}:{finding.line}", (chapter,), layout="sheet")


def _make_title(case: Case) -> str:
    """Return the title of a sheet, such as `Ruling: illegal play, 5-5, game 2 (P410)`."""
    finding = case.finding
    if finding.name in OF_RESULTS:
        return f"Disputed result of game {case.turn.context.game} ({finding.code})"
    if finding.name == SCORE:
        return f"Disputed score before game {case.turn.context.game} ({finding.code})"
    return f"Ruling: {name_subject(case)}, game {case.turn.context.game} ({finding.code})"


def _find_player_names(case: Case) -> tuple[str, str]:
    """Return the names of the left and the right player in the game with the error."""
    game = case.replayed.games[case.turn.context.game - 1].game
    return game.names_or(case.replayed.match.names)


def _list_facts(case: Case, names: tuple[str, str]) -> Iterator[tuple[str, str]]:
    """Yield labeled facts for the top of the sheet, such as the verdict and the players."""
    yield from list_verdict(case, names)
    context, finding = case.turn.context, case.finding
    if len(case.rulings) <= MOST_IN_FULL:
        yield "Rule books", "; ".join(rule_book_title(each.rule_book) for each in case.rulings)
    yield "Players", " – ".join(names)
    terms, (left, right) = context.terms, context.score
    crawford = ""
    if context.crawford:
        crawford = f", {'' if context.crawford_known else 'perhaps the '}Crawford game"
    length = terms.length if terms.length is not None else length_of(case.replayed.match)
    before = f"{left} – {right} ({_describe_length(length)}{crawford})"
    yield f"Score before game {context.game}", before
    row = "" if finding.row is None else f", row {finding.row.strip()}"
    yield "Place", f"{finding.path}, line {finding.line}, game {context.game}{row}"


def _describe_length(length: int | None) -> str:
    """Return the length of a match in words.

    >>> _describe_length(7), _describe_length(0), _describe_length(None)
    ('match to 7 points', 'money play', 'match length not recorded')
    """
    if length is None:
        return "match length not recorded"
    return f"match to {number_of(length, 'point')}" if length else "money play"


def _make_decision_form(names: tuple[str, str]) -> Grid:
    """Return an empty form for the director's decision, with lines for date and signatures."""
    labels = ("Decision", "Director", "Date, signature", *names)
    rows = tuple((Cell(label), Cell(_BLANK)) for label in labels)
    return Grid("", ("", ""), rows, words=2)
