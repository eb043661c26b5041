"""Decisions for other programs: CSV, Parquet, XGIDs, and flash cards."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from html import escape
from itertools import islice

from bganalyze.analysis.analyzed import AnalyzedDecision
from bganalyze.analysis.decisions import GIVING_UP, TO_DOUBLER, Kind
from bganalyze.analysis.describe import LEAST, Problem, describe_problem
from bganalyze.analysis.select import SelectedDecision
from bganalyze.app.render.analyses import engine_in_words, format_cost
from bganalyze.app.render.board import make_scene
from bganalyze.app.render.board_picture import LIGHT, board_svg, describe_board
from bganalyze.app.render.data import escape_formulas
from bganalyze.record.own_files import MARK
from bganalyze.statistics.tables.frames import tabulate_decisions
from bganalyze.text import printable

BATCH = 10_000
"""Rows of CSV held in memory at once."""


def render_csv(selected: Iterable[SelectedDecision]) -> Iterator[str]:
    """Yield a CSV header and a row for each decision, with formulas escaped."""
    decisions = iter(selected)
    batch, is_first = tabulate_decisions(islice(decisions, BATCH)), True
    while is_first or len(batch):
        yield str(escape_formulas(batch).to_csv(index=False, header=is_first, lineterminator="\n"))
        batch, is_first = tabulate_decisions(islice(decisions, BATCH)), False


def render_parquet(selected: Iterable[SelectedDecision]) -> Iterator[bytes]:
    """Yield a Parquet file of the decisions, with typed columns."""
    yield tabulate_decisions(selected).to_parquet(index=False, engine="pyarrow")


def render_xgids(selected: Iterable[SelectedDecision]) -> Iterator[str]:
    """Yield the XGID of each distinct position, one per line."""
    for xgid in dict.fromkeys(decision.row.xgid for decision in selected):
        yield f"{xgid}\n"


# Cards: each error as a question with its answer.
#
# A card is a line with question, answer and tags between tabs; question and answer are HTML. The
# header lines are for Anki (its manual, "Text Files", "File Headers"); for other programs, remove
# them if they are not skipped. The board is an SVG inside the question, so only this file needs to
# be imported. The side to decide is `you`, always in the same color.

HEAD = f"#separator:tab\n#html:true\n#tags column:3\n# {MARK}\n"


def render_cards(selected: Iterable[SelectedDecision]) -> Iterator[str]:
    """Yield a card for each legal decision that lost equity."""
    yield HEAD
    for decision in selected:
        row = decision.row
        error = describe_problem(row)
        if error is None or row.legal is False or error.loss < LEAST:
            continue
        question = _card_question(row, error)
        yield "\t".join((question, _card_answer(decision, error), _card_tags(row, error))) + "\n"


def _card_question(row: AnalyzedDecision, error: Problem) -> str:
    """Return the front of a card: the board, the score and the question."""
    names = ("you", "opponent") if row.side == 0 else ("opponent", "you")
    board = make_scene(
        row.situation, names, flipped=row.side == 1
    )  # `you` in the color of the left
    picture = base64.b64encode(board_svg(board).encode()).decode()
    image = (
        f'<img alt="{_escape_line(describe_board(board))}" style="background:{LIGHT["page"]}" '
        f'src="data:image/svg+xml;base64,{picture}">'
    )
    question = f"{error.question[:1].upper()}{error.question[1:]}?"
    return (
        f"<p><b>{_escape_line(question)}</b> {_escape_line(_score_and_cube(row))}</p>"
        f"{image}<p><small>{_escape_line(row.xgid)}</small></p>"
    )


def _score_and_cube(row: AnalyzedDecision) -> str:
    """Return the score and the cube in words, as seen by the side that decides."""
    yours, theirs = row.situation.scores[row.side], row.situation.scores[1 - row.side]
    if not row.length:
        score = f"Money game{', Jacoby rule' if row.situation.jacoby else ''}."
    elif row.crawford:
        score = f"Crawford game, you {yours}, opponent {theirs}, to {row.length}."
    else:
        score = f"You {yours}, opponent {theirs}, to {row.length}."
    owners = {None: "in the middle", row.side: "yours", 1 - row.side: "your opponent's"}
    return f"{score} Cube {row.cube}, {owners[row.owner]}."


def _card_answer(decision: SelectedDecision, error: Problem) -> str:
    """Return the back of a card: the best decision, its cost, and the source."""
    row, key = decision.row, decision.match.key
    degree = ", ".join(filter(None, (error.error, error.mark)))
    lines = (
        f"<b>{_escape_line(error.best)}</b>",
        f"Played: {_escape_line(error.made)}, which cost {format_cost(error, money=not row.length)}"
        + (f" ({degree})" if degree else ""),
        _escape_line(_describe_equities(row)),
        _escape_line(engine_in_words(key.engine, key.version, key.level)),
        f"<small>{_escape_line(_describe_source(decision))}</small>",
    )
    return "".join(f"<p>{line}</p>" for line in lines)


def _describe_equities(row: AnalyzedDecision) -> str:
    """Return the equities of a decision in words."""
    if row.kind is Kind.PLAY or row.kind in GIVING_UP:
        return f"Equity: {row.best:+.3f}; as played {row.reached:+.3f}"
    whose = " (the doubler's)" if row.kind in TO_DOUBLER else ""
    return f"Equity{whose}: no double {row.no_double:+.3f}, take {row.take:+.3f}, pass {row.passed:+.3f}"


def _describe_source(decision: SelectedDecision) -> str:
    """Return the source of a decision: players, date, place in the match."""
    left, right = decision.names
    match, label = decision.match, (decision.row.row or "").strip()
    day = f"{match.date:%Y-%m-%d}, " if match.date else ""
    row = f", row {label}" if label else ""
    return f"{left} – {right}, {day}game {decision.row.game}{row}; played by {decision.player}"


def _card_tags(row: AnalyzedDecision, error: Problem) -> str:
    words = ("bganalyze", row.kind.value, error.error, error.mark)
    return " ".join(word.replace(" ", "-") for word in words if word)


def _escape_line(text: str) -> str:
    """Return text on one line with HTML escaped."""
    return escape(printable(text))
