"""Reports of matches as text, Markdown, JSON and HTML, whatever the players are called."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

from bganalyze.app.render import REPORT_FORMATS, render_reports
from bganalyze.app.render.match_report import (
    _describe_lead,
    _describe_points,
    match_document,
    match_page,
)
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.app.render.playback import Frame, make_playback
from bganalyze.record.own_files import MARK
from bganalyze.record.reader import read as read_file
from bganalyze.record.reader import read_bytes
from bganalyze.statistics.match_report import MatchReport, make_match_reports, select_reported
from bganalyze.validation.replaying import replay
from tests.app.render.pages import Page
from tests.app.render.test_playback import MATCH as FIRST_GAME
from tests.nasty import NAMES

SAMPLES = Path(__file__).parents[3] / "samples"
MATCH = f"""\
{FIRST_GAME}
 Game 2
 Ann : 2                         Bob : 0
  1)                             21: 13/11 6/5
  2) 44: 24/20*(2) 13/9(2)       51: bar/20
      Wins 1 point and the match
"""


def reports_of(text: str, names: tuple[str, str] = ("Ann", "Bob")) -> list[MatchReport]:
    """Return the reports of a match text whose players are called so."""
    (match,) = read_bytes(text.encode(), "games/test.mat")
    games = tuple(
        game._replace(score=game.score and game.score._replace(names=names)) for game in match.games
    )
    return make_match_reports(select_reported([match._replace(games=games)]))


SESSION = """\
 0 point match

 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                 52: 13/8 24/22
      Wins 1 point

 Game 2
 Ann : {}                         Bob : 0
  1)                             53: 8/3 6/3
"""


@pytest.mark.parametrize(
    ("score", "note"),
    [
        (0, "The score lines stay at 0:0 (session not scored)."),
        (1, "The points add up (score before, points won, score after)."),
    ],
)
def test_a_session_that_keeps_no_score_is_said_to(score: int, note: str) -> None:
    (report,) = reports_of(SESSION.format(score))
    text = "".join(render_reports([report], "text", OutputOptions()))
    assert note in text
    assert "do not add up" not in text


RACE = """\
; [Position "both bear off"]
 5 point match
 Game 1
 Ann : 0                         Bob : 0
; Set Pos=-{}------------acdcbb-/0
  1) 61: 6/off 1/off                Doubles => 2
  2)  Takes                    65: 6/off 5/off
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bob", "keith", "trice"),
    [
        ("CCCDB-", "no double, take", "no double, take"),  # 44 against 45 pips
        ("CCCCB-", "no double, take", "double, take"),  # 40; 40 + 4 + 1 + 1 and a seventh: 52 to 47
        ("FECA--", "double, take", "double, pass"),  # 29; 29 + 10 + 4 + 2 and a seventh: 51 to 47
        ("BBBB--", "double, pass", "double, pass"),  # 20
    ],
)
def test_a_double_in_a_race_is_shown_with_the_advice_of_formulas(
    bob: str, keith: str, trice: str
) -> None:
    (report,) = reports_of(RACE.format(bob))
    lines = "\n".join(render_reports([report], "text", OutputOptions())).splitlines()
    said = dict(line.strip().split(": ") for line in lines if line.count(": ") == 1)
    assert (said["keith"], said["trice"]) == (keith, trice)


def frames_of(text: str) -> list[Frame]:
    """Return the positions of a match text."""
    (match,) = read_bytes(text.encode(), "games/test.mat")
    return [frame for game in make_playback(replay(match)).games for frame in game.frames]


def write_reports(reports: list[MatchReport], name: str, **setting: object) -> str:
    return "".join(render_reports(reports, name, OutputOptions(**setting)))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def reports() -> list[MatchReport]:
    return reports_of(MATCH)


@pytest.fixture(scope="module")
def page(reports: list[MatchReport]) -> str:
    return match_page(reports)


@pytest.mark.slow
def test_the_sections_stand_in_the_order_of_their_interest(reports: list[MatchReport]) -> None:
    titles = [part.title for part in match_document(reports).chapters[0].parts]
    assert titles == ["Findings", "Points", "Games", "Cube", "Checker play", "Race", "Dice"]


def test_a_wide_table_shows_that_it_scrolls(page: str) -> None:
    (rule,) = re.findall(r"^\.wide\{overflow-x:auto;(.*)\}$", page, re.MULTILINE)
    assert rule.count("linear-gradient") == 4
    assert ".wide::-webkit-scrollbar{" in page


class TestText:
    def test_everything_is_there(self, reports: list[MatchReport]) -> None:
        text = write_reports(reports, "text")
        assert text.startswith("Ann  3 : 0  Bob\nAnn won the match\n")
        for part in ("Points", "Games", "Race", "Checker play", "Cube", "Dice", "Findings"):
            assert f"\n{part}\n" in text
        assert "Game 1, row 3: Ann doubles to 2, Bob takes" in text
        assert "The points add up" in text
        assert "P401 empty-point" in text
        assert text.endswith("Rule book: basic (base rules, player-error rule of 1931).\n")

    @pytest.mark.parametrize("width", [60, 80, 120])
    def test_tables_and_boards_keep_to_the_width(
        self, reports: list[MatchReport], width: int
    ) -> None:
        lines = write_reports(reports, "text", full=True, width=width).splitlines()
        pictures = [line for line in lines if re.search(r"[│┌└▁-█]", line)]
        assert pictures
        assert max(map(len, pictures)) <= width

    def test_narrow_terminals_have_no_boards(self, reports: list[MatchReport]) -> None:
        assert "┌" not in write_reports(reports, "text", full=True, width=40)

    @pytest.mark.slow
    def test_what_the_terminal_cannot_show_is_spelled_out(self, reports: list[MatchReport]) -> None:
        text = write_reports(reports_of(MATCH, ("Zoë", "Bob")), "text", encoding="ascii")
        assert "Zo\\xeb" in text


class TestJson:
    def test_pairs_and_boards(self, reports: list[MatchReport]) -> None:
        read = json.loads(write_reports(reports, "json"))
        assert read["rule_book"] == "basic (base rules, player-error rule of 1931)"
        (match,) = read["matches"]
        assert match["heading"]["names"] == ["Ann", "Bob"]
        assert match["games"][0]["after"] == [2, 0]
        assert match["decisions"][0]["shown"].startswith("XGID=")
        assert match["findings"][0]["finding"]["severity"] == "error"
        assert set(match) == set(MatchReport._fields) - {
            "rule_book",
            "left_out",
            "replayed",
            "analyzed",
        }


class TestMarkdown:
    @pytest.mark.slow
    def test_every_row_of_a_table_has_its_cells(self, reports: list[MatchReport]) -> None:
        text = write_reports(reports_of(MATCH, ("A|B", "`C`\\|")), "markdown")
        counts = {}
        for line in text.splitlines():
            if line.startswith("|"):
                counts.setdefault(line.count("|") - line.count("\\|"), []).append(line)
        assert set(counts) <= {4, 8}

    def test_a_board_stands_between_fences(self, reports: list[MatchReport]) -> None:
        text = write_reports(reports, "markdown")
        assert text.count("```text\n") == text.count("```\n")
        assert "# Ann 3 : 0 Bob\n" in text


class TestPage:
    def test_it_is_well_formed_and_says_who_made_it(self, page: str) -> None:
        read = Page(page)
        assert {"name": "generator", "content": MARK} in read.of("meta")
        assert MARK in page[:2000]
        assert read.count()["h1"] == 1
        assert read.of("html") == [{"lang": "en"}]

    def test_nothing_leaves_it(self, page: str) -> None:
        read = Page(page)
        targets = {f"#{attributes['id']}" for _, attributes in read.elements if "id" in attributes}
        positions = {f"#{frame.place}" for frame in frames_of(MATCH)}
        assert set(read.addresses()) <= targets | positions
        assert page.count("http:") == page.count('"http://www.w3.org/2000/svg"') == 1
        assert "https:" not in page
        assert "url(" not in page
        assert "@import" not in page

    def test_its_policy_allows_its_own_style_and_script_alone(self, page: str) -> None:
        (policy,) = (meta["content"] for meta in Page(page).of("meta") if "http-equiv" in meta)
        rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
        assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
        for tag in ("style", "script"):
            (text,) = re.findall(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
            digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            assert rules[f"{tag}-src"] == f"'sha256-{digest}'"
        assert not any("style" in attributes for _, attributes in Page(page).elements)
        assert not any(name.startswith("on") for _, a in Page(page).elements for name in a)

    def test_tables_have_captions_and_scopes(self, page: str) -> None:
        read = Page(page)
        count = read.count()
        assert count["table"] == count["caption"] == count["thead"]
        assert {cell.get("scope") for cell in read.of("th")} == {"col", "row"}

    def test_pictures_are_told_in_words(self, page: str) -> None:
        pictures = [a for a in Page(page).of("svg") if a.get("aria-hidden") != "true"]
        assert len(pictures) >= 4
        assert all(a["role"] == "img" and a["aria-label"] for a in pictures)
        assert any(a["aria-label"].startswith("Ann, on roll, has ") for a in pictures)

    def test_identifiers_are_unique_and_labels_exist(self, page: str) -> None:
        read = Page(page)
        ids = [a["id"] for _, a in read.elements if "id" in a]
        assert len(ids) == len(set(ids))
        assert {a["aria-labelledby"] for _, a in read.elements if "aria-labelledby" in a} <= {*ids}

    def test_headings_go_down_one_level_at_a_time(self, page: str) -> None:
        levels = [int(tag[1]) for tag, _ in Page(page).elements if re.fullmatch("h[1-6]", tag)]
        assert levels[0] == 1
        assert all(now - before <= 1 for before, now in pairwise(levels))

    @pytest.mark.slow
    def test_several_matches_have_a_section_each(self) -> None:
        reports = make_match_reports(
            select_reported(read_file(str(SAMPLES / "clean" / "several-matches.mat")))
        )
        page = match_page(reports)
        assert [a["class"] for a in Page(page).of("section")].count("chapter") == 2
        assert [a["id"] for a in Page(page).of("h1")] == ["c1", "c2"]
        assert re.findall(r'<script type="application/json">{"number":(\d)', page) == ["1", "2"]


@pytest.fixture(scope="module")
def usual_page() -> Page:
    return Page(match_page(reports_of(MATCH, ("Ann", "Bob"))))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
class TestNames:
    def test_no_name_breaks_a_page(self, name: str, usual_page: Page) -> None:
        odd = Page(match_page(reports_of(MATCH, (name, "Bob"))))
        assert odd.count() == usual_page.count()
        assert set(odd.addresses()) == set(usual_page.addresses())

    def test_no_name_breaks_a_format(self, name: str) -> None:
        """Nor are two who bear it taken for one."""
        reports = reports_of(MATCH, (name, name))
        assert (
            json.loads(write_reports(reports, "json"))["matches"][0]["heading"]["names"][0] == name
        )
        text = write_reports(reports, "text", width=100)
        assert not re.search(r"[\x00-\x09\x0b-\x1f\u202a-\u202e\u2066-\u2069]", text)
        text.encode()
        output = write_reports(reports, "markdown")
        outside = re.sub(r"```text\n.*?```\n", "", output, flags=re.DOTALL)
        assert not re.search(r"(?<!\\)<", outside)
        rows = [line for line in output.splitlines() if line.startswith("|")]
        assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {4, 8}
        document = match_document(reports)
        assert "(left)" in document.title
        assert "(right)" in document.title


@pytest.mark.slow
def test_samples_can_be_reported_in_every_format() -> None:
    paths = sorted(path for path in SAMPLES.rglob("*") if path.suffix in (".mat", ".txt"))
    for path in paths[::12]:
        reports = make_match_reports(select_reported(read_file(path)))
        Page(match_page(reports))
        assert all(write_reports(reports, name) for name in REPORT_FORMATS)


@pytest.mark.slow
@pytest.mark.corpus
def test_every_real_file_makes_a_page(corpus: Path) -> None:
    for path in sorted((corpus / "mat").iterdir())[::100]:
        Page(match_page(make_match_reports(select_reported(read_file(str(path))))))


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        " 5 point match\n",
        " 5 point match\n\n Game 1\n Ann : 0     Bob : 0\n",
        " Game 1\n Ann : 0     Bob : 0\n  1) 31: 8/5 6/5\n",
        " 0 point match\n\n Game 1\n  : 0     : 0\n  1) 31: 8/5 6/5\n",
        " 5 point match\n\n Game 1\n Ann : 4     Bob : 2\n  1) 3x: 8/5 6/5\n",
        " 0 point match\n\n Game 1\n Ann : 999999     Bob : 0\n  1) 31: 8/5 6/4     64: 24/14\n",
    ],
)
def test_little_is_enough_and_much_not_too_much(text: str) -> None:
    reports = make_match_reports(select_reported(read_bytes(text.encode(), "test.mat")))
    Page(match_page(reports))
    for name in REPORT_FORMATS:
        assert write_reports(reports, name)


def test_unknown_points_and_a_deficit_are_in_words() -> None:
    assert (_describe_points((5, 3)), _describe_points(None)) == (("5", "3"), ("?", "?"))
    assert _describe_lead(110, 100) == "10 pips behind (9 %)"
