"""Pages that the user sees of some samples: reports, boards, and match files in other formats."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import chdir

import bganalyze
from bganalyze.analysis.match import analyze_match
from bganalyze.app.jobs.tabulate import tabulate_files
from bganalyze.app.render import get_answer_renderer, render_reports
from bganalyze.app.render.board import draw_board_text, draw_narrow_board, make_scene
from bganalyze.app.render.board_picture import board_svg, describe_board
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.board.ids import parse_xgid
from bganalyze.record.reader import read_bytes
from bganalyze.statistics.match_report import make_match_reports, select_reported
from bganalyze.statistics.reports.answer import answer_from_tables
from bganalyze.statistics.reports.question import Question
from bganalyze.validation.replaying import replay
from bganalyze.writing import write
from tests.statistics.reports.analyzed import Guesser
from tests.stored.findings import SAMPLES

REPORTED = ("clean/short-match.mat", "faulty/P404-corrected.mat")
CONVERTED = (
    *("clean/short-match.mat", "clean/xg-mobile.txt", "faulty/P499-recorded-illegal.mat"),
    *("faulty/R609-resignation-size.mat", "faulty/U204-set-up-mismatch.mat"),
)
FORMATS = ("mat", "xg-text", "sgf", "bgm")
BOARDS = (
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:21:0:0:0:5:10",
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:54:0:0:0:5:10",
    "XGID=aBaB--C-A---eE---c-d---b-B:2:-1:-1:63:2:4:0:7:10",
    "XGID=--A---F-----------------f-:1:1:1:D:4:4:1:5:10",
)
ARROWS = ((24, 18), (13, 13), (6, 0))
MARKED = frozenset((4, 20))


def match_report() -> str:
    """Return the reports of matches, as text, with the analyses of an engine on the first."""
    texts = []
    for name in REPORTED:
        matches = read_bytes((SAMPLES / name).read_bytes(), name)
        analyzed = (
            [analyze_match(match, Guesser()) for match in matches] if name in REPORTED[:1] else []
        )
        texts += render_reports(
            make_match_reports(select_reported(matches), analyzed=analyzed), "text", OutputOptions()
        )
    return "".join(texts)


def statistics() -> str:
    """Return some reports on clean samples, as a terminal shows them and in Markdown."""
    names = (
        "samples/clean/gnubg.mat",
        "samples/clean/eleven-point.mat",
        "samples/clean/studio.txt",
    )
    with chdir(SAMPLES.parent):
        tables = tabulate_files(names)
    asked = Question(by=("player", "stage"), min_games=2)
    return "\n".join(
        "".join(
            get_answer_renderer(form)(
                answer_from_tables(tables, reports, question), OutputOptions(width=110)
            )
        )
        for form, reports, question in (
            ("table", ("points", "cube"), Question()),
            ("markdown", ("points",), asked),
        )
    )


def conversions() -> str:
    """Return some samples in other formats, each with what that loses."""
    return "\n".join(
        "".join(f"{line}\n" for line in _convert(name, known_as))
        for name in CONVERTED
        for known_as in FORMATS
    )


def _convert(name: str, known_as: str) -> Iterator[str]:
    matches = read_bytes((SAMPLES / name).read_bytes(), name)
    written = write([replay(match) for match in matches], known_as)
    yield f"== {name} as {known_as}"
    yield from (f"lost: {loss.what} ({loss.span.line})" for loss in written.losses)
    text = written.data.decode("utf-8-sig").replace(bganalyze.__version__, "VERSION")
    yield from (line.rstrip() for line in text.splitlines())


def boards() -> str:
    """Return some boards as text, wide and narrow, in words, and as pictures."""
    scenes = [make_scene(parse_xgid(xgid), ("Ada Quill", "Bruno Vale")) for xgid in BOARDS]
    texts = [
        [*draw_board_text(one), "", *draw_narrow_board(one), "", describe_board(one), ""]
        for one in scenes
    ]
    drawn = [
        scene._replace(arrows=ARROWS[:place], marked=MARKED) for place, scene in enumerate(scenes)
    ]
    pictures = [board_svg(one).replace("><", ">\n<") for one in drawn]
    return "\n".join([*(line.rstrip() for text in texts for line in text), *pictures, ""])
