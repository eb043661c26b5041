"""Flash cards: each mistake as a question with its answer.

A card is a line with question, answer, tags and priority between tabs; question and answer are HTML. The
header lines are for Anki (its manual, "Text Files", "File Headers"); for other programs, remove them if
they are not skipped. The board is an SVG inside the question, so only this file needs to be imported. The
side to decide is `you`, always in the same color. The priority is what the mistake cost times the number of
mistakes of its kind.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from html import escape

from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.position_classes import Role
from bganalyze.analysis.select import SelectedDecision
from bganalyze.app.render.board_picture import LIGHT, board_svg, describe_board
from bganalyze.app.render.mistakes import HEADINGS, CandidateRow, StudiedMistake, describe_mistake
from bganalyze.record.own_files import MARK
from bganalyze.text import printable

HEAD = (
    f"#separator:tab\n#html:true\n#tags column:3\n#columns:Front\tBack\tTags\tPriority\n# {MARK}\n"
)

_ROLES = {Role.OWN: "own", Role.OPPONENT: "opponent's"}


def render_cards(selected: Iterable[SelectedDecision]) -> Iterator[str]:
    """Yield a file for Anki: a header, then a flash card for each mistake."""
    yield HEAD
    for decision in selected:
        mistake = describe_mistake(decision)
        if mistake is not None:
            tags = _list_tags(decision.row.kind, mistake)
            fields = (
                _write_front(mistake),
                _write_back(mistake),
                tags,
                f"{decision.priority:.3f}",
            )
            yield "\t".join(fields) + "\n"


def _write_front(mistake: StudiedMistake) -> str:
    """Return the front of a flash card as HTML: board, score and question."""
    picture = base64.b64encode(board_svg(mistake.scene).encode()).decode()
    image = (
        f'<img alt="{_escape_line(describe_board(mistake.scene))}" '
        f'style="background:{LIGHT["page"]}" src="data:image/svg+xml;base64,{picture}">'
    )
    return (
        f"<p><b>{_escape_line(mistake.question)}</b> {_escape_line(mistake.state)}</p>"
        f"{image}<p><small>{_escape_line(mistake.xgid)}</small></p>"
    )


def _write_back(mistake: StudiedMistake) -> str:
    """Return the back of a flash card as HTML: best decision, candidate plays and cost."""
    lines = (
        f"<b>{_escape_line(mistake.best)}</b>",
        f"Played: {_escape_line(mistake.played)}",
        _escape_line(mistake.equities),
    )
    after = (
        _escape_line(mistake.study),
        _escape_line(mistake.recurs),
        "<br>".join(map(_escape_line, mistake.comment.splitlines())),
        _escape_line(mistake.engine),
        f"<small>{_escape_line(mistake.source)}</small>",
    )
    table = _tabulate_candidates(mistake.candidates)
    return _join_paragraphs(lines) + table + _join_paragraphs(after)


def _join_paragraphs(lines: Iterable[str]) -> str:
    """Return lines as paragraphs of HTML, without empty ones.

    >>> _join_paragraphs(["one", "", "two"])
    '<p>one</p><p>two</p>'
    """
    return "".join(f"<p>{line}</p>" for line in lines if line)


def _tabulate_candidates(rows: tuple[CandidateRow, ...]) -> str:
    """Return candidate plays as an HTML table; "" if there are none."""
    if not rows:
        return ""
    head = "".join(f"<th>{_escape_line(word)}</th>" for word in HEADINGS)
    return f"<table><tr>{head}</tr>{''.join(map(_make_table_row, rows))}</table>"


def _make_table_row(row: CandidateRow) -> str:
    """Return a candidate play as a row of an HTML table; the play that was made is in bold."""
    name = _escape_line(row.name)
    cells = (f"<b>{name}</b>" if row.is_played else name, *map(_escape_line, row.numbers))
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _list_tags(kind: Kind, mistake: StudiedMistake) -> str:
    """Return the tags of a flash card, such as `bganalyze play bad position::blitz`."""
    words = ["bganalyze", kind.value, mistake.problem.error, mistake.problem.mark]
    if mistake.mistake is not None:
        named = f"position::{mistake.mistake.position}"
        role = _ROLES.get(mistake.mistake.role)
        words += [f"decision::{mistake.mistake.kind}", f"{named}::{role}" if role else named]
    return " ".join(word.replace(" ", "-") for word in words if word)


def _escape_line(text: str) -> str:
    """Return text with HTML and control characters escaped.

    >>> _escape_line("a < b")
    'a &lt; b'
    """
    return escape(printable(text))
