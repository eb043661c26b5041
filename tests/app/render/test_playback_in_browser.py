"""The player of a match in Chromium: it shows what `show` shows, and whoever has only keys, only
fingers, or only ears can go through a match."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bganalyze.app.render.board import Scene, stack_checkers
from bganalyze.app.render.document import Chapter, Document
from bganalyze.app.render.document_html import render_page as page_of
from bganalyze.app.render.match_report import match_page
from bganalyze.app.render.playback import make_playback
from bganalyze.board.ids import xgid
from bganalyze.board.position import BAR, OFF, Position, pips
from bganalyze.record.model import Comment
from bganalyze.record.reader import read, read_bytes
from bganalyze.statistics.match_report import make_match_reports, select_reported
from bganalyze.validation.replaying import MatchReplay, replay
from bganalyze.validation.replaying.places import side_of, situation_before
from bganalyze.validation.replaying.replayed import Turn
from tests.app.render.browsers import expect, open_page, resize
from tests.nasty import NAMES
from tests.statistics.match_report.analyzed import MATCH, analyze_text

pytestmark = pytest.mark.slow

SAMPLES = Path(__file__).parents[3] / "samples"
CORPUS = os.environ.get("BGANALYZE_CORPUS")
COLUMNS = ("left", "right")

GO_THROUGH = """root => {
  const all = (look) => [...root.querySelectorAll(`.stage > .board ${look}`)];
  const next = root.querySelector('[aria-label="Next position"]');
  const box = (shape) => Object.fromEntries(['x', 'y', 'width', 'height'].map((name) => [name, shape[name].baseVal.value]));
  const middle = (shape) => box(shape).y + box(shape).height / 2;
  const shown = () => {
    const numbers = all('.number').map((text) => ({
      number: Number(text.textContent), x: text.x.baseVal[0].value, top: text.y.baseVal[0].value < 100,
    }));
    const board = box(all('.bar')[0]);
    const checkers = {}, stacks = {};
    const add = (circle, side) => {
      if (circle.classList.contains('ghost')) return;
      const [x, y] = [circle.cx.baseVal.value, circle.cy.baseVal.value];
      const top = y < board.y + board.height / 2;
      const under = numbers.find((label) => Math.abs(label.x - x) < 1 && label.top === top);
      const key = `${side} ${under ? under.number : 'bar'}`;
      const label = all(`.${side}-count`).find((text) => text.tagName === 'text' && text.x.baseVal[0].value === x && text.y.baseVal[0].value === y);
      checkers[key] = label ? Number(label.textContent) : (checkers[key] ?? 0) + 1;
      if (under) (stacks[under.number] ??= []).push([top ? y : -y, side]);
    };
    for (const side of ['left', 'right']) all(`circle.${side}`).forEach((circle) => add(circle, side));
    const shared = Object.entries(stacks)
      .map(([point, stack]) => [point, stack.sort((one, other) => one[0] - other[0]).map(([, side]) => side)])
      .filter(([, stack]) => new Set(stack).size > 1);
    const [cube, offer] = all('rect.cube');
    return {
      place: root.querySelector('.ids a').textContent,
      xgid: root.querySelector('.ids code').textContent,
      checkers,
      shared: Object.fromEntries(shared),
      off: all('.note').map((text) => text.textContent),
      dice: all('rect.die').map((die) => all('circle[class$=count]').filter((spot) => {
        const [face, x, y] = [box(die), spot.cx.baseVal.value, spot.cy.baseVal.value];
        return face.x < x && x < face.x + face.width && face.y < y && y < face.y + face.height;
      }).length),
      cube: all('.cube-value')[0].textContent,
      owner: Math.sign(Math.round(middle(cube) - (board.y + board.height / 2))),
      pips: [...root.querySelectorAll('.seat')].map((seat) => [seat.classList[1], seat.querySelector('.pips').textContent]),
      text: root.querySelector('.stage > .board').getAttribute('aria-label'),
      row: root.querySelector('.rows [aria-current]').textContent,
    };
  };
  document.documentElement.style.display = 'none'; // Nothing need be laid out to be read.
  const every = [shown()];
  while (next.getAttribute('aria-disabled') !== 'true') { next.click(); every.push(shown()); }
  document.documentElement.style.display = '';
  return JSON.stringify(every); // Playwright takes long over a tree of values.
}"""
"""Goes through all positions, and reads each off what is drawn."""


def go_through(player: Any) -> list[dict[str, Any]]:
    """Return all positions of a player as they are drawn."""
    positions: list[dict[str, Any]] = json.loads(player.evaluate(GO_THROUGH))
    return positions


def write_page(path: Path, replays: Iterable[MatchReplay]) -> Path:
    """Write a page of players, one for each match."""
    chapters = tuple(
        Chapter(str(number), (), playback=make_playback(replayed))
        for number, replayed in enumerate(replays)
    )
    path.write_text(page_of(Document("Players", chapters)), encoding="utf-8")
    return path


def assert_as_shown(page: Any, replays: Iterable[MatchReplay]) -> int:
    """Compare every position of every player of a page with that of the replay; count them."""
    count = 0
    with_turns = [replayed for replayed in replays if any(game.turns for game in replayed.games)]
    roots = page.locator(".match-player").all()
    for root, replayed in zip(roots, with_turns, strict=True):
        states = [state for state in go_through(root) if state["xgid"]]
        turns = [
            turn
            for game in replayed.games
            for turn in game.turns
            if not isinstance(turn.action, Comment)
        ]
        assert len(states) == len(turns)
        for state, turn in zip(states, turns, strict=True):
            assert_position(state, turn, exchanged=_is_exchanged(replayed, turn))
        count += len(states)
    return count


def _is_exchanged(replayed: MatchReplay, turn: Turn) -> bool:
    """Whether the players sit in each other's column, their names written alike."""
    score = replayed.match.games[turn.context.game - 1].score
    names = replayed.match.names
    return score is not None and names[0] != names[1] and score.names == names[::-1]


def assert_position(state: dict[str, Any], turn: Turn, *, exchanged: bool) -> None:
    """Compare what is drawn with the board that `show` shows."""
    situation, side = situation_before(turn), side_of(turn)
    own, other = (COLUMNS[seat ^ exchanged] for seat in (side, 1 - side))
    sides = situation.position
    if situation.on_roll != side:  # The side that doubled is; the board is that of the answer.
        sides = Position(sides.other, sides.own)
    assert state["xgid"] == xgid(situation)
    assert state["checkers"] == dict(_standing(sides, own, other)), state["place"]
    assert state["shared"] == dict(_shared(sides, side ^ exchanged)), state["place"]
    assert sorted(state["off"]) == sorted(f"{side[OFF]} off" for side in sides if side[OFF])
    assert state["dice"] == list(situation.dice or ())
    assert state["cube"] == str(situation.cube_value)
    owner = None if situation.cube_owner is None else situation.cube_owner ^ exchanged
    assert state["owner"] == {None: 0, 0: 1, 1: -1}[owner]
    counts = {own: sides.own, other: sides.other}
    assert dict(state["pips"]) == {seat: f"{pips(counts[seat])} pips" for seat in COLUMNS}


def _standing(position: Position, own: str, other: str) -> Iterator[tuple[str, int]]:
    """Yield the checkers by side and point, as the acting side numbers points."""
    for point in range(1, BAR):
        if position.other[BAR - point]:
            yield f"{other} {point}", position.other[BAR - point]
        if position.own[point]:
            yield f"{own} {point}", position.own[point]
    for name, points in ((own, position.own), (other, position.other)):
        if points[BAR]:
            yield f"{name} bar", points[BAR]


def _shared(position: Position, column: int) -> Iterator[tuple[str, list[str]]]:
    """Yield the points with checkers of both sides, with the sides' checkers from the edge on."""
    scene = Scene(position, side=column)
    for point in range(1, BAR):
        stacks = stack_checkers(scene, point)
        if stacks[1].checkers:
            drawn = [[COLUMNS[column ^ stack.side]] * stack.shown for stack in stacks]
            yield str(point), [*drawn[0], *drawn[1]]


def replays_of(path: Path) -> list[MatchReplay]:
    return [replay(match) for match in read(str(path))]


def test_every_position_of_samples_is_drawn_as_shown(
    browser: Any, tmp_path: Path, messages: list[str]
) -> None:
    clean, faulty = (
        [path for path in sorted((SAMPLES / name).iterdir()) if path.suffix not in (".tsv", ".zip")]
        for name in ("clean", "faulty")
    )
    both_on_a_point = SAMPLES / "faulty" / "P402-blocked-point.mat"
    paths = [*clean[::14], *faulty[::40], both_on_a_point]  # Most boards of these are the same.
    replays = [replayed for path in paths for replayed in replays_of(path)]
    boards = [turn.before for replayed in replays for game in replayed.games for turn in game.turns]
    assert any(left[point] and right[BAR - point] for left, right in boards for point in range(25))
    with open_page(
        browser, write_page(tmp_path / "page.html", replays), messages, is_alone=True
    ) as page:
        assert assert_as_shown(page, replays) > 300
        assert messages == []


@pytest.mark.corpus
@pytest.mark.skipif(not CORPUS, reason="BGANALYZE_CORPUS names no folder of real files")
def test_every_position_of_real_matches_is_drawn_as_shown(
    browser: Any, tmp_path: Path, messages: list[str]
) -> None:
    files = sorted(Path(CORPUS or "", "mat").iterdir())
    replays = [replayed for path in files[:: len(files) // 4][:3] for replayed in replays_of(path)]
    with open_page(
        browser, write_page(tmp_path / "page.html", replays), messages, is_alone=True
    ) as page:
        assert assert_as_shown(page, replays) > 400
        assert messages == []


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of two matches: one with an illegal play, one that was analyzed."""
    faulty = read(str(SAMPLES / "faulty" / "P410-larger-die.mat"))
    rated, evaluation = analyze_text(MATCH)
    reports = make_match_reports(select_reported(faulty)) + make_match_reports(
        select_reported([rated._replace(number=2)]), analyzed=[evaluation]
    )
    path = tmp_path_factory.mktemp("player") / "page.html"
    path.write_text(match_page(reports), encoding="utf-8")
    return path


@pytest.fixture
def page(browser: Any, page_file: Path, messages: list[str]) -> Iterator[Any]:
    with open_page(browser, page_file, messages) as page:
        yield page
    assert messages == []


def stop_clock(page: Any) -> None:
    """Let time on a page go on only where a test says so."""
    page.clock.install(time=0)
    page.clock.pause_at(1000)


def tells(page: Any, text: str, number: int = 0) -> None:
    """Wait until the position's text has these words: a link is followed after its click."""
    expect(page.locator(".action").nth(number)).to_contain_text(text, use_inner_text=True)


def to_beginning(page: Any) -> None:
    """Go to the beginning of the first match, which is shown at its first finding."""
    page.get_by_label("Beginning of the game, or the game before").first.click()


class TestKeys:
    def test_arrows_move_it_from_anywhere(self, page: Any) -> None:
        tells(page, "row 20")
        to_beginning(page)
        tells(page, "row 1 ")
        action = page.locator(".action").first
        first = action.text_content()
        page.keyboard.press("ArrowRight")
        expect(action).not_to_have_text(first)
        page.keyboard.press("ArrowLeft")
        expect(action).to_have_text(first)
        page.keyboard.press("ArrowLeft")
        expect(action).to_have_text(first)

    def test_within_it_keys_go_to_ends_and_findings(self, page: Any) -> None:
        page.get_by_label("Next position").first.focus()
        page.keyboard.press("End")
        tells(page, "wins 2 points")
        page.keyboard.press("Home")
        tells(page, "row 1")
        page.keyboard.press("n")
        tells(page, "row 20")
        page.keyboard.press("p")
        tells(page, "row 20")

    def test_tab_reaches_every_control_and_the_row(self, page: Any) -> None:
        to_beginning(page)
        page.get_by_label("Position in the game").first.focus()
        for name in (
            "Beginning of the game, or the game before",
            "Previous position",
            "Play",
            "Next position",
            "End of the game, or the next game",
            "Previous finding or error",
            "Next finding or error",
            "After",
            "Flip the board",
            "Mirror the board",
            "Game",
        ):
            page.keyboard.press("Tab")
            expect(page.locator(":focus")).to_have_accessible_name(name)

    def test_a_game_is_chosen_and_left(self, page: Any) -> None:
        second = page.locator(".match-player").nth(1)
        second.get_by_label("Game", exact=True).select_option("1")
        tells(page, "Game 2", 1)
        second.get_by_label("Beginning of the game, or the game before").click()
        tells(page, "Game 1", 1)
        page.keyboard.press("PageDown")
        page.keyboard.press("PageDown")
        tells(page, "Game 2", 1)


class TestSlider:
    def test_it_goes_over_the_game_and_is_told_in_words(self, page: Any) -> None:
        slider = page.get_by_label("Position in the game").first
        slider.focus()
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        expect(slider).to_have_value("2")
        tells(page, "row 2")
        expect(slider).to_have_attribute("aria-valuetext", re.compile("^Bruno Vale: 61: "))

    def test_doubles_findings_and_errors_are_marked(self, page: Any) -> None:
        page.get_by_label("Game", exact=True).nth(1).select_option("0")
        expect(page.locator(".ticks i")).to_have_class(
            [
                "finding error",
                "evaluation info",
                "evaluation error",
                "evaluation warning",
                "evaluation error",
            ]
        )


class TestFinding:
    @pytest.fixture
    def finding(self, page: Any) -> Any:
        return page.locator(".match-player").first  # It is shown first.

    def test_it_is_told_with_what_can_be_done(self, page: Any, finding: Any) -> None:
        remark = finding.locator(".remark")
        expect(remark).to_contain_text("P410 larger-die")
        expect(remark).to_contain_text("Only one die of 5-4 can be played, and it must be the 5")
        expect(page.locator(".action").first).to_contain_text("Finding: P410 larger-die")

    def test_a_legal_play_is_tried(self, finding: Any) -> None:
        tried, legal = finding.locator(".arrow.tried"), finding.get_by_role("button", name="6/1")
        expect(legal).to_have_attribute("aria-pressed", "false")
        expect(tried).to_have_count(0)
        legal.click()
        expect(tried).to_have_count(1)
        expect(legal).to_have_attribute("aria-pressed", "true")
        expect(legal).to_be_focused()
        finding.get_by_role("button", name="After").click()
        expect(finding.locator(".stage > .board")).to_have_attribute(
            "aria-label",
            re.compile("^Bruno Vale has 1 on 22, 2 on 4, 2 on 3, 6 on 2, 4 on 1"),
        )
        expect(finding.locator(".pips").first).to_have_text("52 pips")
        finding.get_by_role("button", name="6/2").click()
        expect(finding.locator(".pips").first).to_have_text("53 pips")

    def test_only_a_search_to_somewhere_is_offered(self, finding: Any) -> None:
        later = finding.get_by_label("Next finding or error")
        expect(later).to_have_attribute("aria-disabled", "true")


class TestPlaces:
    @pytest.mark.parametrize(
        ("place", "number", "text"),
        [
            ("#1.20R", 0, "row 20 . Bruno Vale"),
            ("#1.20r", 0, "row 20"),
            ("#2/2.2L", 1, "Game 2, row 2"),
            ("#1.3", 0, "row 3"),
        ],
    )
    def test_a_link_opens_it(
        self, browser: Any, page_file: Path, messages: list[str], place: str, number: int, text: str
    ) -> None:
        with open_page(browser, page_file, messages, place) as page:
            tells(page, text, number)
            page.wait_for_function(
                "e => Math.abs(e.getBoundingClientRect().top) < 60",
                arg=page.locator(".match-player").nth(number).element_handle(),
            )

    def test_what_leads_nowhere_does_no_harm(
        self, browser: Any, page_file: Path, messages: list[str]
    ) -> None:
        with open_page(browser, page_file, messages, "#9.9%FFX") as page:
            tells(page, "row 20")
            assert messages == []

    def test_the_address_follows(self, page: Any) -> None:
        page.get_by_label("Next position").first.click()
        expect(page).to_have_url(re.compile("#1.21L$"))
        expect(page.locator(".ids a").first).to_have_text("1.21L")

    def test_a_card_of_a_finding_leads_to_it(self, page: Any) -> None:
        card = page.locator(".diagram", has_text="P410").first
        expect(card.locator("svg.board").first).to_be_hidden()
        card.get_by_role("link", name="Show on the board").click()
        tells(page, "row 20")
        page.get_by_role("link", name="5-2 to play").click()
        tells(page, "row 2 . Ann : 52: 24/22 13/8", 1)

    def test_a_row_of_the_list_leads_to_it(self, page: Any) -> None:
        rows = page.locator(".rows").first
        rows.get_by_role("link").nth(7).click()
        tells(page, "row 5")
        expect(rows.locator("[aria-current=step]")).to_have_count(1)

    def test_xgid_and_link_are_copied(
        self, browser: Any, page_file: Path, messages: list[str]
    ) -> None:
        with open_page(browser, page_file, messages, is_alone=True) as page:
            page.context.grant_permissions(["clipboard-read", "clipboard-write"])
            stop_clock(page)
            copied = page.get_by_role("button", name="Copied")
            for count, name, text in ((1, "Copy XGID", "XGID=-"), (2, "Copy link", "file://")):
                page.get_by_role("button", name=name).first.click()
                expect(copied).to_have_count(count)
                assert page.evaluate("navigator.clipboard.readText()").startswith(text)
            page.clock.run_for(1500)
            expect(copied).to_have_count(0)
            assert messages == []


class TestFingers:
    def test_a_swipe_goes_on_and_back(
        self, browser: Any, page_file: Path, messages: list[str]
    ) -> None:
        touch = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
        with open_page(browser, page_file, messages, "#1.2L", **touch) as page:
            place = page.locator(".ids a").first
            expect(place).to_have_text("1.2L")
            swipe(page, -120, 8)
            expect(place).to_have_text("1.2R")
            tells(page, "row 2 . Bruno")
            swipe(page, 120, 0)
            expect(place).to_have_text("1.2L")
            swipe(page, 120, 0)
            expect(place).to_have_text("1.1R")
            swipe(page, 40, 200)
            until_scrolled(page)
            expect(place).to_have_text("1.1R")
            page.get_by_label("Next position").first.tap()
            expect(place).to_have_text("1.2L")
            for control in page.locator(".match-player button:visible").all():
                assert control.bounding_box()["height"] >= 40


def swipe(page: Any, right: int, down: int) -> None:
    """Draw a finger over the board."""
    box = page.locator(".stage > .board").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 3
    session = page.context.new_cdp_session(page)
    steps = [(x + right * part / 5, y + down * part / 5) for part in range(6)]
    for kind, points in (
        ("touchStart", steps[:1]),
        *(("touchMove", [step]) for step in steps[1:]),
        ("touchEnd", []),
    ):
        touches = [{"x": across, "y": height} for across, height in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


def until_scrolled(page: Any) -> None:
    """Wait until the page, which goes on after a finger has left it, has stood still for a while."""
    page.evaluate(
        """() => new Promise(rested => {
            let [top, since, frames] = [scrollY, performance.now(), 0];
            const look = now => {
                if (scrollY !== top) [top, since, frames] = [scrollY, now, 0];
                frames += 1;
                if (frames > 20 && now - since > 500) rested();
                else requestAnimationFrame(look);
            };
            requestAnimationFrame(look);
        })"""
    )


def test_it_plays_by_itself_and_stops(browser: Any, page_file: Path, messages: list[str]) -> None:
    with open_page(browser, page_file, messages, is_alone=True) as page:
        stop_clock(page)
        to_beginning(page)
        player = page.locator(".match-player").first
        player.get_by_role("button", name="Play", exact=True).click()
        page.clock.run_for(3300)
        tells(page, "row 2")
        player.get_by_role("button", name="Pause").click()
        page.clock.run_for(5000)
        tells(page, "row 2")
        assert messages == []


def test_the_board_is_turned_and_mirrored(page: Any) -> None:
    player = page.locator(".match-player").first
    seated = player.locator(".seat .name")
    names = seated.all_text_contents()
    to_beginning(page)
    usual = go_through(player)
    for label in ("Flip the board", "Mirror the board"):
        player.get_by_label(label).click()
        player.get_by_label("Beginning of the game, or the game before").click()
        assert [state["checkers"] for state in go_through(player)] == [
            state["checkers"] for state in usual
        ]
    expect(seated).to_have_text(names[::-1])


def test_it_can_be_taken_away_and_put_into_another_place(page: Any) -> None:
    page.evaluate(
        """() => {
          const [root] = document.querySelectorAll('.match-player');
          const data = JSON.parse(root.querySelector('script').textContent);
          const place = Object.assign(document.createElement('section'), { className: 'match-player' });
          document.body.prepend(place);
          matchPlayer(place, data).close();
          place.className = 'closed';
          place.after(Object.assign(document.createElement('section'), { className: 'match-player' }));
          matchPlayer(place.nextElementSibling, data);
        }"""
    )
    assert page.locator(".closed").inner_html() == ""
    page.get_by_label("Next position").first.click()
    tells(page, "row 21")
    tells(page, "row 20", 1)


def test_it_prints_a_sheet_of_every_game_with_doubles_and_findings(page: Any) -> None:
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    expect(page.locator(".sheet h3")).to_have_text(
        ["Game 1 at 0–0", "Game 1 at 0–0", "Game 2 at 1–0"]
    )
    expect(page.locator(".match-player").first).to_be_hidden()
    figures = page.locator(".sheet figure")
    expect(figures.locator("figcaption")).to_have_text(
        [
            "Row 20, Bruno Vale: 54: 6/2",
            "Row 3, Ann: doubles to 2",
            "Row 2, Bob: 51: bar/20 13/12",
        ]
    )
    expect(figures.first.locator("svg.board")).to_be_visible()
    figures.first.evaluate("(figure) => figure.after(figure.cloneNode(true))")
    tops = [figures.nth(number).bounding_box()["y"] for number in (0, 1)]
    # Two boards of a game share a row, to save paper.
    assert tops[0] == pytest.approx(tops[1], abs=1)
    assert page.pdf(format="A4").startswith(b"%PDF")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator(".sheet")).to_have_count(0)


def test_names_are_text(browser: Any, tmp_path: Path, messages: list[str]) -> None:
    (match,) = read_bytes(MATCH.encode(), "test.mat")
    matches = [
        match._replace(
            games=tuple(
                game._replace(score=game.score and game.score._replace(names=(name, "Bob")))
                for game in match.games
            )
        )
        for name in NAMES
    ]
    path = write_page(tmp_path / "page.html", map(replay, matches))
    with open_page(browser, path, messages) as page:
        bars = page.locator(".seat .name")
        assert bars.count() == 2 * len(NAMES)
        assert page.locator(".match-player script").count() == len(NAMES)
        assert "Bob" not in bars.all_text_contents()[1::2]
        for width in (320, 390, 1366):
            resize(page, width)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert messages == []
