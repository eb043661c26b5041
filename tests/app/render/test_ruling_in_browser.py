"""The sheet of a ruling on paper."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from bganalyze.app.render.ruling import sheet_page
from tests.app.render.browsers import open_page
from tests.validation.test_disputes_of_directors import DISPUTES, case_of

pytestmark = pytest.mark.slow

LONGEST = "Maximiliana-Konstantina von Hohenzollern-Sigmaringen und Alt"


@pytest.mark.parametrize(
    "about",
    [
        "an own checker put on the bar instead of the opponent's",
        "a roll misread as a double, the opponent has rolled and not played",
        "a start position forgotten",
    ],
)
def test_a_sheet_by_all_books_prints_on_one_page(
    browser: Any, tmp_path: Path, messages: list[str], about: str
) -> None:
    dispute = DISPUTES[about]
    for name in ("Ann", LONGEST):
        page_file = tmp_path / f"{len(name)}.html"
        page_file.write_text(sheet_page(case_of(dispute, left=name)), encoding="utf-8")
        with open_page(browser, page_file, messages) as page:
            for paper in ("A4", "Letter"):
                printed = page.pdf(format=paper)
                assert len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) == 1, (name, paper)
        messages.clear()
