"""Cards for programs of spaced repetition: a decision that went wrong as question and answer.

A line for each card: question, answer and tags between tabs, the first two in HTML. The lines above
are those that Anki reads (its manual, "Text Files", "File Headers"); others pass over them, or take
them off. The board is an SVG inside the question, so that nothing but this file need be imported.
Its side to decide is `you` and has one colour throughout. Illegal plays make no cards.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from html import escape
from itertools import islice

from bganalyze.board.ids import Situation, parse_xgid
from bganalyze.files.outputs import MARK
from bganalyze.judging.decisions import GIVING_UP, TO_DOUBLER, Kind
from bganalyze.judging.describe import LEAST, Problem, problem
from bganalyze.judging.select import SelectedDecision
from bganalyze.judging.verdict import JudgedDecision
from bganalyze.render.board import Scene, scene
from bganalyze.render.board_picture import LIGHT, board_svg, described
from bganalyze.render.data import formula_safe
from bganalyze.render.verdicts import cost_of, judged_by
from bganalyze.tables.frames import frame
from bganalyze.text import printable

HEAD = f"#separator:tab\n#html:true\n#tags column:3\n# {MARK}\n"


def render_cards(picks: Iterable[SelectedDecision]) -> Iterator[str]:
    """Yield the lines of the file: a card for each decision that lost something."""
    yield HEAD
    for each in picks:
        told, situation = problem(each.row), _situation(each.row)
        if told is None or situation is None or each.row.legal is False:
            continue
        if told.loss >= LEAST:
            question = _question(each.row, told, situation)
            yield "\t".join((question, _answer(each, told), _tags(each.row, told))) + "\n"


def _situation(row: JudgedDecision) -> Situation | None:
    """The position; None where the record has more of something than an XGID can say."""
    try:
        return parse_xgid(row.xgid)
    except ValueError:
        return None


def _question(row: JudgedDecision, told: Problem, situation: Situation) -> str:
    shown = _scene(row, situation)
    picture = base64.b64encode(board_svg(shown).encode()).decode()
    image = (
        f'<img alt="{_text(described(shown))}" style="background:{LIGHT["page"]}" '
        f'src="data:image/svg+xml;base64,{picture}">'
    )
    asked = f"{told.question[:1].upper()}{told.question[1:]}?"
    return (
        f"<p><b>{_text(asked)}</b> {_text(_standing(row, situation))}</p>"
        f"{image}<p><small>{_text(row.xgid)}</small></p>"
    )


def _scene(row: JudgedDecision, situation: Situation) -> Scene:
    """The board, with the side that decides called `you` and in the colours of the left."""
    names = ("you", "opponent") if row.side == 0 else ("opponent", "you")
    return scene(situation, names, flipped=row.side == 1)


def _standing(row: JudgedDecision, situation: Situation) -> str:
    """Score and cube, as the side that decides sees them."""
    own, other = situation.scores[row.side], situation.scores[1 - row.side]
    if not row.length:
        score = f"Money game{', Jacoby rule' if situation.jacoby else ''}."
    elif row.crawford:
        score = f"Crawford game, you {own}, opponent {other}, to {row.length}."
    else:
        score = f"You {own}, opponent {other}, to {row.length}."
    owners = {None: "in the middle", row.side: "yours", 1 - row.side: "your opponent's"}
    return f"{score} Cube {row.cube}, {owners[row.owner]}."


def _answer(each: SelectedDecision, told: Problem) -> str:
    row, key = each.row, each.match.key
    degree = ", ".join(filter(None, (told.error, told.mark)))
    lines = (
        f"<b>{_text(told.best)}</b>",
        f"Played: {_text(told.made)}, which cost {cost_of(told, money=not row.length)}"
        + (f" ({degree})" if degree else ""),
        _text(_equities(row)),
        _text(judged_by(key.engine, key.version, key.level)),
        f"<small>{_text(_source(each))}</small>",
    )
    return "".join(f"<p>{line}</p>" for line in lines)


def _equities(row: JudgedDecision) -> str:
    if row.kind is Kind.PLAY or row.kind in GIVING_UP:
        return f"Equity: {row.best:+.3f}; as played {row.reached:+.3f}"
    seen = " (the doubler's)" if row.kind in TO_DOUBLER else ""
    return (
        f"Equity{seen}: no double {row.no_double:+.3f}, take {row.take:+.3f}, drop {row.drop:+.3f}"
    )


def _source(each: SelectedDecision) -> str:
    """Where it happened."""
    left, right = each.names
    row = f", row {each.row.row.strip()}" if each.row.row and each.row.row.strip() else ""
    day = f"{each.match.date:%Y-%m-%d}, " if each.match.date else ""
    return f"{left} – {right}, {day}game {each.row.game}{row}; played by {each.player}"


def _tags(row: JudgedDecision, told: Problem) -> str:
    words = ("bganalyze", row.kind.value, told.error, told.mark)
    return " ".join(word.replace(" ", "-") for word in words if word)


def _text(text: str) -> str:
    """Text that is no markup, and of one line."""
    return escape(printable(text))


# CSV of decisions: one in each row, for spreadsheets.

BATCH = 10_000
"""So many rows are held at once."""


def render_csv(picks: Iterable[SelectedDecision]) -> Iterator[str]:
    """Yield the header and the rows; no text is taken for a formula."""
    rest = iter(picks)
    held, heading = frame(islice(rest, BATCH)), True
    while heading or len(held):
        yield str(formula_safe(held).to_csv(index=False, header=heading, lineterminator="\n"))
        held, heading = frame(islice(rest, BATCH)), False


# Parquet of decisions, which keeps their types; pyarrow writes it.


def render_parquet(picks: Iterable[SelectedDecision]) -> Iterator[bytes]:
    """Yield the file."""
    yield frame(picks).to_parquet(index=False, engine="pyarrow")


# Positions as a list of XGIDs, each once: what analysis programs take by the line.


def render_xgids(picks: Iterable[SelectedDecision]) -> Iterator[str]:
    """Yield a line for each position."""
    for each in dict.fromkeys(pick.row.xgid for pick in picks):
        yield f"{each}\n"
