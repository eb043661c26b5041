"""`report`: what the command reports, of files and of matches."""

from __future__ import annotations

from pathlib import Path

import pytest

from bganalyze.app.api.analyze import analyze
from bganalyze.app.api.read import read
from bganalyze.app.api.report import report
from bganalyze.app.render import REPORT_FORMATS
from tests.app.api.conftest import Run
from tests.app.api.records import CLEAN


@pytest.mark.slow
@pytest.mark.parametrize("known_as", [*REPORT_FORMATS, "html"])
def test_it_reports_what_the_command_reports(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, known_as: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.mat").write_bytes(CLEAN)
    if known_as == "html":
        run("report", "a.mat", "--html", "page.html")
        written = Path("page.html").read_text(encoding="utf-8")
    else:
        written = run("report", "a.mat", "--format", known_as).stdout
    assert report("a.mat").render(known_as) == report(read("a.mat")[0]).render(known_as) == written


@pytest.mark.slow
def test_an_analysis_is_shown_with_its_match() -> None:
    pytest.importorskip("bgsage")
    matches = read(CLEAN, name="a.mat")
    (shown,) = report(matches, analysis=analyze(matches))
    assert shown.analyses is not None
    (other,) = report(CLEAN, analysis=analyze(matches), name="b.mat")
    assert other.analyses is None


@pytest.mark.slow
def test_a_notebook_shows_the_page_in_a_frame() -> None:
    shown = report(CLEAN, name="a.mat")._repr_html_()
    assert shown.startswith('<iframe srcdoc="&lt;!DOCTYPE html&gt;')
    with pytest.raises(
        ValueError, match="'pdf' is not a format; choose from text, json, markdown, html"
    ):
        report(CLEAN).render("pdf")
