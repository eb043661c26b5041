"""Small charts of text, and axes."""

from __future__ import annotations

from bganalyze.app.render.document_html import choose_axis_ticks
from bganalyze.app.render.document_text import draw_sparkline


def test_a_sparkline_may_be_drawn_in_ascii() -> None:
    assert draw_sparkline(range(101), 100, 5, unicode=False) == "_-=+#"


def test_an_axis_of_zeros_has_one_tick() -> None:
    assert choose_axis_ticks(0, 5) == [0]
