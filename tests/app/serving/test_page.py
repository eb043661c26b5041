"""The page in Chromium, with the server behind it and, where Pyodide is there, with the program in it."""

from __future__ import annotations

import hashlib
import json
import os
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bganalyze.app.serving.requests import ServerContext
from bganalyze.app.serving.server import PageServer
from bganalyze.app.serving.site import COUNTING, LOCK, MOST_SENT, RUNTIME, site_files, write_site
from tests.app.render.browsers import SOON, axe_script, expect, resize, tab, violations
from tests.app.serving.asking import SAMPLES, ask_page
from tests.nasty import NAMES

pytestmark = pytest.mark.slow

FAULTY = SAMPLES / "faulty" / "P410-larger-die.mat"
by_the_server = pytest.mark.parametrize("served", ["by_server"], indirect=True)
"""For what does not depend on who runs the program: Pyodide takes longer."""


class Served(NamedTuple):
    """A page that can be opened, and who hands it out."""

    address: str
    server: ThreadingHTTPServer


_TYPES = {".mjs": "text/javascript", ".wasm": "application/wasm"}


class AnyWebServer(SimpleHTTPRequestHandler):
    """Any web server."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | _TYPES

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def running(server: ThreadingHTTPServer) -> Iterator[ThreadingHTTPServer]:
    """Let a server run while it is needed."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def by_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The page of `bganalyze serve`."""
    database = str(tmp_path_factory.mktemp("kept") / "analyzed.db")
    server = PageServer(ServerContext(database))
    for _ in running(server):
        yield Served(server.address, server)


@pytest.fixture(scope="module")
def by_pyodide(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The page of `bganalyze serve --out`."""
    distribution = os.environ.get("BGANALYZE_PYODIDE")
    if not distribution:
        pytest.skip("BGANALYZE_PYODIDE names no folder of Pyodide")
    yield from host_page(Path(distribution), tmp_path_factory.mktemp("site"))


def host_page(pyodide: Path, folder: Path) -> Iterator[Served]:
    """Let any web server show the page, which is written to a folder."""
    write_site(folder, site_files(pyodide), force=False)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(AnyWebServer, directory=str(folder)))
    for _ in running(server):
        yield Served(f"http://127.0.0.1:{server.server_port}/", server)


@pytest.fixture(scope="module", params=["by_server", "by_pyodide"])
def served(request: pytest.FixtureRequest) -> Served:
    """The page, with either behind it."""
    server: Served = request.getfixturevalue(request.param)
    return server


@pytest.fixture(scope="module")
def loaded(browser: Any, served: Served) -> Iterator[Any]:
    """A page that is ready; Pyodide takes its time, so the tests share it."""
    with tab(browser, reduced_motion="reduce") as page:
        page.messages = []
        page.on("console", lambda message: page.messages.append(message.text))
        page.on("pageerror", lambda error: page.messages.append(str(error)))
        page.on("dialog", lambda dialog: page.messages.append(dialog.message))
        page.goto(served.address)
        page.wait_for_selector("html[data-ready]")
        yield page


@pytest.fixture
def page(loaded: Any) -> Iterator[Any]:
    """The page as it is before anything is dropped; afterwards nothing may have been complained of."""
    loaded.emulate_media(color_scheme="light")
    resize(loaded, 1280)
    yield loaded
    if loaded.locator("dialog[open]").count():
        press(loaded, "Close")
    if loaded.locator("#clear").is_visible():
        press(loaded, "Start over")
    assert loaded.messages == []


def until_memory_is_kept(page: Any) -> None:
    """Wait until the next visit can go on from where the program has started."""
    page.evaluate(
        """async (most) => {
            const kept = async () => (await caches.open("started-bganalyze")).keys();
            const isKept = async () => (await kept()).length;
            const end = performance.now() + most;
            while (!(await isKept())) {
                if (performance.now() > end) throw new Error("no memory is kept");
                await new Promise((resolve) => setTimeout(resolve, 50));
            }
        }""",
        SOON,
    )


def press(page: Any, name: str) -> None:
    """Press the first button of that name."""
    page.get_by_role("button", name=name, exact=True).first.click()


def drop(page: Any, *files: Path | tuple[str, bytes]) -> str:
    """Choose files, wait until they are checked, and return the summary."""
    page.set_input_files("#files", list(map(payload, files)))
    return finish(page)


def payload(file: Path | tuple[str, bytes]) -> dict[str, object]:
    """Return a file as a dialog of the browser would hand it over."""
    name, data = (file.name, file.read_bytes()) if isinstance(file, Path) else file
    return {"name": name, "mimeType": "", "buffer": data}


def finish(page: Any) -> str:
    page.wait_for_selector("#results")
    page.wait_for_selector("#run", state="hidden")
    return str(page.inner_text("#sum"))


def shown_page(page: Any) -> Any:
    """Wait until a page about all files is shown, and return its frame; fail if there is a problem."""
    problem = page.locator("#all-work [role=alert]")
    page.locator("dialog[open]").or_(problem).wait_for()
    assert problem.all_inner_texts() == []
    return page.frame_locator("#frame-page")


def save_file(page: Any, name: str) -> tuple[str, bytes]:
    """Press a button that hands a file over; return its name and what it holds."""
    with page.expect_download() as download:
        press(page, name)
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def test_a_dropped_file_is_checked_and_shown_on_the_board(page: Any) -> None:
    assert drop(page, FAULTY) == "1 file checked, 1 error"
    expect(page.locator(".diagram .board")).to_have_count(2)
    expect(page.locator(".diagram")).to_contain_text("only one die of 5-4 can be played")
    expect(page.locator("summary")).to_contain_text("game 1, row 20, right: Bruno Vale")


def test_an_example_is_at_hand(page: Any) -> None:
    press(page, "Try an example")
    assert finish(page) == "1 file checked, 1 error"
    expect(page.locator("#groups")).to_contain_text("Ada Quill has a checker on the bar")


def test_the_findings_are_those_of_the_command(page: Any) -> None:
    files = sorted((SAMPLES / "faulty").glob("*.mat"))[::12]
    files += sorted((SAMPLES / "clean").iterdir())[::6]
    drop(page, *files)
    _, saved_findings = save_file(page, "Save the findings as data (JSONL)")
    events = {path.name: ask_page("check", {path.name: path.read_bytes()}) for path in files}
    expected = "".join(event["jsonl"] for name in sorted(events) for event in events[name])
    assert saved_findings.decode() == expected


def test_what_may_have_been_meant_is_taken_and_handed_back(page: Any) -> None:
    drop(page, FAULTY)
    press(page, "Find repairs")
    page.wait_for_selector("fieldset")
    page.get_by_label("44: 6/2").check()
    press(page, "Apply the chosen repairs")
    page.wait_for_selector(".diff")
    expect(page.locator(".causes")).to_contain_text("0 errors left, 1 before.")
    name, repaired = save_file(page, "Save P410-larger-die-repaired.mat")
    assert name == "P410-larger-die-repaired.mat"
    assert b"44: 6/2" in repaired
    expect(page.locator(".version")).to_contain_text("now use the repaired match")
    name, converted = save_file(page, "Save as")
    assert name == "P410-larger-die-repaired-mat.mat"
    assert b"44: 6/2" in converted
    press(page, "Use the file as it was")
    expect(page.locator(".version")).to_be_hidden()
    name, converted = save_file(page, "Save as")
    assert name == "P410-larger-die-mat.mat"
    assert b"44: 6/2" not in converted
    press(page, "Check the repaired file")
    page.wait_for_selector(".group.none li")
    assert finish(page) == "2 files checked, 1 error"


def test_the_match_is_played_through_in_a_frame(page: Any) -> None:
    drop(page, FAULTY)
    press(page, "Report: play through, save, send")
    page.wait_for_selector("dialog[open]")
    frame = page.frame_locator("#frame-page")
    frame.locator(".stage > .board[role=img]").wait_for()
    frame.locator("a.to-board").first.click()
    expect(frame.locator(".action").first).to_contain_text("54: 6/2", use_inner_text=True)
    _, report = save_file(page, "Save this page")
    assert report.startswith(b"<!DOCTYPE html>")


@by_the_server
def test_a_finding_opens_the_match_at_its_play(page: Any) -> None:
    drop(page, SAMPLES / "faulty" / "P404-two-in-a-row.mat")
    show = page.get_by_role("button", name="Play through from here")
    expect(show).to_have_count(3)
    frame = page.frame_locator("#frame-page")
    for number, play in ((0, "41: 24/22 13/9"), (2, "32: 13/11 8/4"), (0, "41: 24/22 13/9")):
        show.nth(number).click()
        expect(frame.locator(".action")).to_contain_text(play, use_inner_text=True)
        press(page, "Close")


@by_the_server
def test_a_report_is_shown_whatever_was_closed_before(page: Any) -> None:
    drop(page, FAULTY)
    action = page.frame_locator("#frame-page").locator(".action")
    for _ in range(2):
        press(page, "Report: play through, save, send")
        expect(action).to_be_visible()
        press(page, "Close")
    steps = page.evaluate("history.length")
    press(page, "Report: play through, save, send")
    expect(action).to_be_visible()
    assert page.evaluate("history.length") == steps  # "Back" would lead to an empty frame.
    # Another page may be shown before the browser has told that one was closed.
    page.evaluate(
        """() => new Promise((resolve) => {
            const dialog = document.querySelector("#frame");
            dialog.addEventListener("close", resolve, { once: true });
            dialog.close();
            dialog.showModal();
        })"""
    )
    expect(action).to_be_visible()


@by_the_server
def test_boards_are_side_by_side_where_there_is_room(page: Any) -> None:
    drop(page, FAULTY)
    boards = page.locator(".diagram .board")
    expect(boards).to_have_count(2)
    for width, is_beside in ((1366, True), (390, False)):
        resize(page, width)
        first, second = (board.bounding_box() for board in boards.all())
        assert (second["y"] == pytest.approx(first["y"], abs=1)) == is_beside
        assert (second["x"] >= first["x"] + first["width"]) == is_beside


@by_the_server
def test_the_frame_cannot_reach_the_page(page: Any) -> None:
    drop(page, FAULTY)
    press(page, "Report: play through, save, send")
    page.wait_for_selector("dialog[open]")
    page.frame_locator("#frame-page").locator(".match-player").wait_for()
    script = "try { parent.document.title } catch (error) { error.name }"
    assert page.frames[-1].evaluate(script) == "SecurityError"


def test_a_file_is_converted(page: Any) -> None:
    drop(page, SAMPLES / "clean" / "one-point.mat")
    page.locator("summary", has_text="one-point.mat").click()
    page.get_by_label("Format").select_option("sgf")
    name, data = save_file(page, "Save as")
    assert name == "one-point.sgf"
    assert data.startswith(b"(;FF[4]GM[6]")


@by_the_server
def test_another_rule_book_checks_anew(page: Any) -> None:
    drop(page, SAMPLES / "faulty" / "C504-dead-cube.mat")
    page.get_by_label("Rule book").select_option("usbgf")
    page.wait_for_selector("#run", state="hidden")
    _, saved_findings = save_file(page, "Save the findings as data (JSONL)")
    [rule_book] = {json.loads(line)["rule_book"] for line in saved_findings.splitlines()}
    assert rule_book.startswith("usbgf-2024 (")
    page.get_by_label("Rule book").select_option("basic")
    finish(page)


def copies(count: int) -> list[dict[str, object]]:
    """Return `count` files, each with an error."""
    return [payload((f"{number:04}.mat", FAULTY.read_bytes())) for number in range(count)]


def archive_of(count: int) -> tuple[str, bytes]:
    """Return an archive of `count` files without a match."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for number in range(count):
            archive.writestr(f"{number}.dat", b"")
    return "many.zip", packed.getvalue()


@by_the_server
def test_another_rule_book_in_the_middle_checks_all_anew(page: Any) -> None:
    page.set_input_files("#files", copies(12))
    page.wait_for_selector(".group.error li")
    page.get_by_label("Rule book").select_option("usbgf")
    assert finish(page) == "12 files checked, 12 errors"
    page.get_by_label("Rule book").select_option("basic")
    assert finish(page) == "12 files checked, 12 errors"


@by_the_server
def test_what_is_begun_again_in_the_middle_is_checked_alone(page: Any) -> None:
    page.set_input_files("#files", [payload(archive_of(3000))])
    page.wait_for_selector(".group.skipped li")
    press(page, "Start over")
    page.set_input_files("#files", copies(3))
    page.wait_for_selector(".group.error li >> nth=2")
    assert finish(page) == "3 files checked, 3 errors"
    expect(page.locator("#groups li")).to_have_count(3)


@by_the_server
def test_to_begin_again_ends_all_work(page: Any) -> None:
    drop(page, FAULTY)
    page.route("**/ask", lambda _: None, times=1)  # Unanswered, it goes on until it is ended.
    with page.expect_request("**/ask") as asked_for:
        press(page, "Statistics of all files")
    with page.expect_event("requestfailed", lambda request: request == asked_for.value):
        press(page, "Start over")
    expect(page.locator("#all-work > *")).to_have_count(0)


@pytest.mark.parametrize("served", ["by_pyodide"], indirect=True)
def test_one_thing_is_cancelled_and_the_others_go_on(page: Any) -> None:
    drop(page, FAULTY)
    # As soon as the program has been asked: it may answer before a test can press anything.
    page.evaluate(
        """() => {
            const post = Worker.prototype.postMessage;
            Worker.prototype.postMessage = function (message) {
                post.call(this, message);
                if (message.ask !== "propose") return;
                Worker.prototype.postMessage = post;
                document.querySelector(".work .working button").click();
            };
        }"""
    )
    page.set_input_files("#files", copies(8))
    press(page, "Find repairs")
    page.wait_for_selector(".work >> text=Cancelled.")
    page.wait_for_selector(".group.error > .cards > li >> nth=8", state="attached")
    assert finish(page) == "9 files checked, 9 errors"


@by_the_server
def test_a_file_that_is_gone_is_told(page: Any, tmp_path: Path) -> None:
    for name in ("gone.mat", "kept.mat"):
        (tmp_path / name).write_bytes(FAULTY.read_bytes())
    page.set_input_files("#files", [str(tmp_path / "gone.mat"), str(tmp_path / "kept.mat")])
    finish(page)
    (tmp_path / "gone.mat").unlink()
    page.get_by_label("Rule book").select_option("usbgf")
    page.wait_for_selector(".card.unread")
    assert finish(page) == "1 file checked, 1 could not be read, 1 error"
    expect(page.locator(".card.unread")).to_contain_text("gone.mat cannot be read")
    page.get_by_label("Rule book").select_option("basic")
    finish(page)


def test_a_bad_file_costs_only_itself(page: Any) -> None:
    bomb = BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(80):
            archive.writestr(f"{number}.mat", b"\x00" * 2**20)
    noise = ("noise.mat", bytes(range(256)) * 40)
    summary = drop(page, FAULTY, ("bomb.zip", bomb.getvalue()), noise, ("empty.mat", b""))
    assert summary == "1 file checked, 3 could not be read, 1 error"
    bomb_card = page.locator(".card.unread", has_text="bomb.zip")
    expect(bomb_card).to_contain_text("unpacks to more than")


@by_the_server
def test_so_many_files_are_shown_at_a_time(page: Any) -> None:
    assert drop(page, archive_of(1200)) == "0 files checked, 1,200 skipped"
    expect(page.locator(".group.skipped li")).to_have_count(500)
    press(page, "Show 500 of 700 more")
    press(page, "Show 200 of 200 more")
    expect(page.locator(".group.skipped li")).to_have_count(1200)
    expect(page.locator(".more:visible")).to_have_count(0)


@by_the_server
def test_what_is_too_large_is_not_even_read(page: Any) -> None:
    script = """(size) => {
        const list = new DataTransfer();
        const file = new File(["x"], "large.mat");
        Object.defineProperty(file, "size", { value: size });
        const event = new Event("drop");
        event.dataTransfer = { items: [{ webkitGetAsEntry: () => ({
            isDirectory: false, fullPath: "/large.mat", file: (found) => found(file) }) }] };
        dispatchEvent(event);
    }"""
    page.evaluate(script, MOST_SENT + 1)
    page.wait_for_selector(".card.unread")
    assert finish(page) == "0 files checked, 1 could not be read"
    expect(page.locator(".card.unread")).to_contain_text("128 MiB")


@by_the_server
def test_what_the_browser_does_not_hand_over_is_told(page: Any) -> None:
    script = """() => {
        const event = new Event("drop");
        const entry = { isDirectory: false, fullPath: "/locked.mat", file: (found, lost) => lost() };
        event.dataTransfer = { items: [{ webkitGetAsEntry: () => entry }] };
        dispatchEvent(event);
    }"""
    page.evaluate(script)
    page.wait_for_selector(".card.unread")
    assert finish(page) == "0 files checked, 1 could not be read"
    expect(page.locator(".card.unread")).to_contain_text("locked.mat cannot be read")


@by_the_server
def test_nasty_names_are_text(page: Any) -> None:
    text = FAULTY.read_text(encoding="utf-8").replace("Ada Quill", NAMES[0])
    names = [name.replace("/", "_") + ".mat" for name in NAMES if "\x00" not in name]
    drop(page, *((name, text.encode()) for name in names))
    page.wait_for_selector(".card")
    page.locator("summary").first.click()
    page.wait_for_selector(".diagram .board")
    expect(page.locator(".diagram").first).to_contain_text("<script>alert(1)")
    assert page.locator("#results script").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_work_is_cancelled_and_the_next_is_done(page: Any) -> None:
    # At once: the others may be checked before a test can press anything.
    page.evaluate(
        """() => {
            const cancel = () => {
                observer.disconnect();
                document.querySelector("#cancel:not([hidden])").click();
            };
            const observer = new MutationObserver(cancel);
            observer.observe(document.querySelector(".group.error .cards"), { childList: true });
        }"""
    )
    page.set_input_files("#files", copies(12))
    assert finish(page) == "1 file checked, 1 error, cancelled: 11 not checked"
    press(page, "Start over")
    assert drop(page, FAULTY) == "1 file checked, 1 error"


@by_the_server
def test_a_folder_is_dropped_with_what_is_not_hidden(page: Any, tmp_path: Path) -> None:
    (tmp_path / "club" / "june").mkdir(parents=True)
    for place in ("a.mat", "june/b.mat", ".hidden.mat"):
        (tmp_path / "club" / place).write_bytes(FAULTY.read_bytes())
    (tmp_path / "club" / "notes.txt").write_text("hello")
    page.set_input_files("#folder", str(tmp_path / "club"))
    assert finish(page) == "2 files checked, 1 skipped, 2 errors"
    names = page.locator(".group.error summary .name")
    expect(names).to_have_text(["club/a.mat", "club/june/b.mat"])


@by_the_server
@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (390, "dark"), (1366, "light")])
def test_it_is_no_wider_than_the_screen(page: Any, width: int, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    resize(page, width)
    drop(page, FAULTY)
    press(page, "Find repairs")
    page.wait_for_selector("fieldset")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@by_the_server
def test_it_goes_by_keys_alone(page: Any) -> None:
    drop(page, SAMPLES / "clean" / "one-point.mat")
    page.locator("summary").first.focus()
    page.keyboard.press("Enter")
    play = page.get_by_role("button", name="Report: play through, save, send")
    play.wait_for()
    page.keyboard.press("Tab")
    expect(play).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog[open]", state="detached")
    expect(play).to_be_focused()


def test_the_server_analyzes_and_keeps_what_was_said(browser: Any, by_server: Served) -> None:
    pytest.importorskip("bgsage", reason="Open Sage is not installed")
    with tab(browser) as page:
        page.goto(by_server.address)
        drop(page, FAULTY)
        press(page, "Analyze with an engine")
        page.wait_for_selector(".work pre")
        expect(page.locator(".work pre").first).to_contain_text("analyzed by sage")
        press(page, "Report: play through, save, send")
        frame = page.frame_locator("#frame-page")
        frame.get_by_role("heading", name="Analyses").wait_for()


def test_statistics_come_from_the_server(browser: Any, by_server: Served) -> None:
    with tab(browser) as page:
        page.goto(by_server.address)
        drop(page, SAMPLES / "clean" / "several-matches.mat")
        press(page, "Statistics of all files")
        shown_page(page).locator("table").first.wait_for()


def test_a_page_without_the_packages_for_statistics_offers_none(
    browser: Any, by_pyodide: Served
) -> None:
    with tab(browser) as page:
        page.goto(by_pyodide.address)
        drop(page, SAMPLES / "clean" / "one-point.mat")
        page.locator("#save-findings").wait_for()
        expect(page.locator("#statistics")).to_be_hidden()
        expect(page.locator("#runs-here")).to_contain_text(
            "It has no statistics and no tables in reports"
        )


def test_a_profile_is_of_a_player_who_is_chosen(browser: Any, by_server: Served) -> None:
    pytest.importorskip("bgsage", reason="Open Sage is not installed")
    with tab(browser) as page:
        page.goto(by_server.address)
        drop(page, SAMPLES / "clean" / "one-point.mat")
        press(page, "Profile of a player")
        page.get_by_role("combobox", name="Player").select_option("Bruno Vale")
        press(page, "Write the profile")
        frame = shown_page(page)
        frame.get_by_role("heading", name="Profile of Bruno Vale").wait_for()
        frame.get_by_role("heading", name="Where points are lost").wait_for()


def test_without_the_key_the_page_says_what_to_do(browser: Any, by_server: Served) -> None:
    with tab(browser) as page:
        page.goto(by_server.address.partition("#")[0])
        drop(page, FAULTY)
        advice = "open the whole address that bganalyze serve printed"
        expect(page.locator(".card.unread")).to_contain_text(advice)


@pytest.fixture
def with_wheels(tmp_path: Path) -> Iterator[Served]:
    """The page with packages that load as those of Pyodide's distribution, but hold nothing."""
    distribution = os.environ.get("BGANALYZE_PYODIDE")
    if not distribution:
        pytest.skip("BGANALYZE_PYODIDE names no folder of Pyodide")
    folder = tmp_path / "pyodide"
    folder.mkdir()
    for file in RUNTIME:
        (folder / file).symlink_to(Path(distribution, file).absolute())
    lock = json.loads(Path(distribution, LOCK).read_bytes())
    for name in COUNTING:
        entry = lock["packages"][name]
        wheel = folder / str(entry["file_name"])
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr(f"{name}/__init__.py", f"raise ImportError('{name} is empty')")
            archive.writestr(f"{name}-{entry['version']}.dist-info/WHEEL", "")
        entry |= {"depends": [], "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest()}
    (folder / LOCK).write_text(json.dumps(lock))
    yield from host_page(folder, tmp_path / "site")


def test_what_statistics_need_is_loaded_when_they_are_asked_for(
    browser: Any, with_wheels: Served
) -> None:
    with tab(browser, service_workers="block") as page:
        wheels: list[str] = []
        page.on("request", lambda request: ".whl" in request.url and wheels.append(request.url))
        page.goto(with_wheels.address)
        drop(page, FAULTY)
        assert wheels == []
        page.route("**/*.whl", lambda route: route.abort())
        press(page, "Statistics of all files")
        alert = page.locator("#all-work [role=alert]")
        expect(alert).to_contain_text("Try again with a network connection")
        page.unroute("**/*.whl")
        press(page, "Statistics of all files")
        expect(alert).to_contain_text("is empty")
        assert {name for name in COUNTING if any(f"/{name}-" in url for url in wheels)} == {
            *COUNTING
        }


def test_it_works_without_a_network_after_the_first_visit(browser: Any, by_pyodide: Served) -> None:
    with tab(browser) as page:
        asked_for: list[str] = []
        page.on("request", lambda request: asked_for.append(request.url))
        page.goto(by_pyodide.address)
        page.wait_for_selector("html[data-ready]")
        kept = "document.documentElement.dataset.kept = true"
        page.evaluate(f"void navigator.serviceWorker.ready.then(() => {{ {kept} }})")
        page.wait_for_selector("html[data-kept]")
        assert {url.partition("/")[0] for url in asked_for} == {"http:"}
        assert all(url.startswith(by_pyodide.address) for url in asked_for)
        page.context.set_offline(True)
        page.reload()
        page.wait_for_selector("html[data-ready]")
        press(page, "Try an example")
        assert finish(page) == "1 file checked, 1 error"


def test_the_next_visit_goes_on_from_where_the_program_had_started(
    browser: Any, by_pyodide: Served
) -> None:
    with tab(browser) as page:
        page.goto(by_pyodide.address)
        page.wait_for_selector("html[data-ready=started]")
        until_memory_is_kept(page)
        page.reload()
        page.wait_for_selector("html[data-ready=restored]")
        assert drop(page, FAULTY, SAMPLES / "clean" / "redoubles.sgf") == "2 files checked, 1 error"
        spoil = """async () => {
            const cache = await caches.open("started-bganalyze");
            const [name] = await cache.keys();
            await cache.put(name, new Response(new Uint8Array(1000)));
        }"""
        page.evaluate(spoil)
        page.reload()
        page.wait_for_selector("html[data-ready=started]")
        assert drop(page, FAULTY) == "1 file checked, 1 error"


@by_the_server
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_in_the_way_of_anybody(page: Any, scheme: str) -> None:
    script = axe_script()
    page.emulate_media(color_scheme=scheme)
    drop(page, FAULTY, ("noise.mat", b"nothing"), SAMPLES / "clean" / "one-point.mat")
    page.wait_for_selector(".diagram .board")
    press(page, "Find repairs")
    page.wait_for_selector("fieldset")
    assert violations(page, script, iframes=False) == []
