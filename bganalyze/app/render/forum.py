"""Mistakes as Markdown to paste into a forum: board, XGID, candidates, and the action played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bganalyze.analysis.select import SelectedDecision
from bganalyze.app.render.board import draw_board_text
from bganalyze.app.render.document_markdown import escape_markdown
from bganalyze.app.render.mistakes import HEADINGS, CandidateRow, StudiedMistake, describe_mistake
from bganalyze.record.own_files import MARK

BOARD = "ascii"
"""Characters of boards: forums draw others too wide in some fonts."""


def render_posts(selected: Iterable[SelectedDecision]) -> Iterator[str]:
    """Yield a forum post in Markdown for each mistake among the decisions."""
    yield f"<!-- {MARK} -->\n"
    for decision in selected:
        mistake = describe_mistake(decision)
        if mistake is not None:
            yield "\n" + "\n\n".join(filter(None, _list_paragraphs(mistake))) + "\n"


def _list_paragraphs(mistake: StudiedMistake) -> Iterator[str]:
    """Yield the paragraphs of a forum post about a mistake, in Markdown."""
    yield f"## {escape_markdown(mistake.question)}"
    yield escape_markdown(mistake.state)
    yield "\n".join(("```text", *draw_board_text(mistake.scene, BOARD), "```"))
    yield f"`{mistake.xgid}`"
    yield f"**{escape_markdown(mistake.best)}**. Played: {escape_markdown(mistake.played)}."
    yield escape_markdown(mistake.equities)
    yield "\n".join(_tabulate_candidates(mistake.candidates))
    yield escape_markdown(mistake.study)
    yield "\n".join(f"> {escape_markdown(line)}" for line in mistake.comment.splitlines())
    yield escape_markdown(f"{mistake.source}. {mistake.engine}.")


def _tabulate_candidates(rows: tuple[CandidateRow, ...]) -> Iterator[str]:
    """Yield the lines of a Markdown table of candidate plays; the play made is in bold."""
    if rows:
        yield _format_table_row(HEADINGS)
        yield "|---" + "|---:" * (len(HEADINGS) - 1) + "|"
    for row in rows:
        name = escape_markdown(row.name)
        yield _format_table_row((f"**{name}**" if row.is_played else name, *row.numbers))


def _format_table_row(cells: Iterable[str]) -> str:
    """Return cells as a row of a Markdown table: `| cell | cell |`."""
    return f"| {' | '.join(cells)} |"
