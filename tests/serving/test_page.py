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

from bganalyze.serving.requests import Desk
from bganalyze.serving.server import PageServer
from bganalyze.serving.site import COUNTING, LOCK, MOST_SENT, RUNTIME, site_files, write_site
from tests.nasty import NAMES
from tests.render.browsers import SOON, axe_script, expect, violations
from tests.serving.asking import SAMPLES, asked

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
    database = str(tmp_path_factory.mktemp("kept") / "judged.db")
    server = PageServer(Desk(database))
    for _ in running(server):
        yield Served(server.address, server)


@pytest.fixture(scope="module")
def by_pyodide(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The page of `bganalyze serve --out`."""
    distribution = os.environ.get("BGANALYZE_PYODIDE")
    if not distribution:
        pytest.skip("BGANALYZE_PYODIDE names no folder of Pyodide")
    yield from hosted(Path(distribution), tmp_path_factory.mktemp("site"))


def hosted(pyodide: Path, folder: Path) -> Iterator[Served]:
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
    context = browser.new_context()
    page = context.new_page()
    page.messages = []
    page.on("console", lambda message: page.messages.append(message.text))
    page.on("pageerror", lambda error: page.messages.append(str(error)))
    page.on("dialog", lambda dialog: page.messages.append(dialog.message))
    page.goto(served.address)
    page.wait_for_selector("html[data-ready]", timeout=SOON)
    yield page
    context.close()


@pytest.fixture
def page(loaded: Any) -> Iterator[Any]:
    """The page as it is before anything is dropped; afterwards nothing may have been complained of."""
    yield loaded
    if loaded.locator("dialog[open]").count():
        press(loaded, "Close")
    if loaded.locator("#clear").is_visible():
        press(loaded, "Begin again")
    assert loaded.messages == []


def until_memory_is_kept(page: Any) -> None:
    """Wait until the next visit can go on from where the program has started."""
    page.evaluate(
        """async () => {
            const kept = async () => (await caches.open("started-bganalyze")).keys();
            const isKept = async () => (await kept()).length;
            while (!(await isKept())) await new Promise((resolve) => setTimeout(resolve, 50));
        }"""
    )


def press(page: Any, name: str) -> None:
    """Press the first button of that name."""
    page.get_by_role("button", name=name, exact=True).first.click()


def drop(page: Any, *files: Path | tuple[str, bytes]) -> str:
    """Choose files, wait until they are checked, and return the summary."""
    page.set_input_files("#files", list(map(payload, files)))
    return finished(page)


def payload(file: Path | tuple[str, bytes]) -> dict[str, object]:
    """Return a file as a dialog of the browser would hand it over."""
    name, data = (file.name, file.read_bytes()) if isinstance(file, Path) else file
    return {"name": name, "mimeType": "", "buffer": data}


def finished(page: Any) -> str:
    page.wait_for_selector("#results", timeout=SOON)
    page.wait_for_selector("#run", state="hidden", timeout=SOON)
    return str(page.inner_text("#sum"))


def saved(page: Any, name: str) -> tuple[str, bytes]:
    """Press a button that hands a file over; return its name and what it holds."""
    with page.expect_download(timeout=SOON) as download:
        press(page, name)
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def test_a_dropped_file_is_checked_and_shown_on_the_board(page: Any) -> None:
    assert drop(page, FAULTY) == "1 file checked, 1 error"
    page.wait_for_selector(".diagram .board", timeout=SOON)
    assert page.locator(".diagram .board").count() == 2
    assert "only one die of 5-4 can be played" in page.inner_text(".diagram")
    assert "game 1, row 20, right: Bruno Vale" in page.inner_text("summary")


def test_the_findings_are_those_of_the_command(page: Any) -> None:
    files = sorted((SAMPLES / "faulty").glob("*.mat"))[::6] + sorted((SAMPLES / "clean").iterdir())
    drop(page, *files)
    _, saved_findings = saved(page, "Save the findings")
    events = {path.name: asked("check", {path.name: path.read_bytes()}) for path in files}
    expected = "".join(event["jsonl"] for name in sorted(events) for event in events[name])
    assert saved_findings.decode() == expected


def test_what_may_have_been_meant_is_taken_and_handed_back(page: Any) -> None:
    drop(page, FAULTY)
    press(page, "What may have been meant")
    page.wait_for_selector("fieldset", timeout=SOON)
    page.get_by_label("44: 6/2").check()
    press(page, "Mend what is chosen")
    page.wait_for_selector(".diff", timeout=SOON)
    assert "0 errors left, 1 before." in page.inner_text(".causes")
    name, mended = saved(page, "Save P410-larger-die.mat")
    assert name == "P410-larger-die.mat"
    assert b"44: 6/2" in mended
    press(page, "Check the mended file")
    page.wait_for_selector(".group.none li", timeout=SOON)
    assert finished(page) == "2 files checked, 1 error"


def test_the_match_is_played_through_in_a_frame(page: Any) -> None:
    drop(page, FAULTY)
    press(page, "Play through and report")
    page.wait_for_selector("dialog[open]", timeout=SOON)
    frame = page.frame_locator("#frame-page")
    frame.locator(".stage > .board[role=img]").wait_for(timeout=SOON)
    frame.locator("a.to-board").first.click()
    expect(frame.locator(".action").first).to_contain_text("54: 6/2", use_inner_text=True)
    _, report = saved(page, "Save")
    assert report.startswith(b"<!DOCTYPE html>")


@by_the_server
def test_the_frame_cannot_reach_the_page(page: Any) -> None:
    drop(page, FAULTY)
    press(page, "Play through and report")
    page.wait_for_selector("dialog[open]", timeout=SOON)
    page.frame_locator("#frame-page").locator(".match-player").wait_for(timeout=SOON)
    script = "try { parent.document.title } catch (error) { error.name }"
    assert page.frames[-1].evaluate(script) == "SecurityError"


def test_a_file_is_converted(page: Any) -> None:
    drop(page, SAMPLES / "clean" / "one-point.mat")
    page.locator("summary", has_text="one-point.mat").click()
    page.get_by_label("Format").select_option("sgf")
    name, data = saved(page, "Save as")
    assert name == "one-point.sgf"
    assert data.startswith(b"(;FF[4]GM[6]")


@by_the_server
def test_another_law_checks_anew(page: Any) -> None:
    drop(page, SAMPLES / "faulty" / "C504-dead-cube.mat")
    page.get_by_label("Rules").select_option("usbgf")
    page.wait_for_selector("#run", state="hidden", timeout=SOON)
    _, saved_findings = saved(page, "Save the findings")
    assert {json.loads(line)["law"] for line in saved_findings.splitlines()} == {"usbgf"}
    page.get_by_label("Rules").select_option("basic")
    finished(page)


def copies(count: int) -> list[dict[str, object]]:
    """Return so many files, each with an error."""
    return [payload((f"{number:04}.mat", FAULTY.read_bytes())) for number in range(count)]


def archive_of(count: int) -> tuple[str, bytes]:
    """Return an archive of so many files without a match."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for number in range(count):
            archive.writestr(f"{number}.mat", b"")
    return "many.zip", packed.getvalue()


@by_the_server
def test_another_law_in_the_middle_checks_all_anew(page: Any) -> None:
    page.set_input_files("#files", copies(12))
    page.wait_for_selector(".group.error li", timeout=SOON)
    page.get_by_label("Rules").select_option("usbgf")
    assert finished(page) == "12 files checked, 12 errors"
    page.get_by_label("Rules").select_option("basic")
    assert finished(page) == "12 files checked, 12 errors"


@by_the_server
def test_what_is_begun_again_in_the_middle_is_checked_alone(page: Any) -> None:
    page.set_input_files("#files", [payload(archive_of(3000))])
    page.wait_for_selector(".group.skipped li", timeout=SOON)
    press(page, "Begin again")
    page.set_input_files("#files", copies(3))
    page.wait_for_selector(".group.error li >> nth=2", timeout=SOON)
    assert finished(page) == "3 files checked, 3 errors"
    assert page.locator("#groups li").count() == 3


@by_the_server
def test_to_begin_again_ends_all_work(page: Any) -> None:
    drop(page, FAULTY)
    with page.expect_event("requestfailed", timeout=SOON):
        press(page, "Statistics of all files")
        press(page, "Begin again")
    assert page.locator("#all-work").inner_html() == ""


@pytest.mark.parametrize("served", ["by_pyodide"], indirect=True)
def test_one_thing_is_cancelled_and_the_others_go_on(page: Any) -> None:
    drop(page, FAULTY)
    page.set_input_files("#files", copies(8))
    page.evaluate(
        """async () => {
            const buttons = [...document.querySelectorAll(".inside button")];
            buttons.find(({ textContent }) => textContent === "What may have been meant").click();
            const cancel = () => document.querySelector(".work .working button");
            for (let times = 0; times < 1000 && !cancel(); times += 1)
                await new Promise((resolve) => setTimeout(resolve, 5));
            cancel().click();
        }"""
    )
    page.wait_for_selector(".work >> text=Cancelled.", timeout=SOON)
    page.wait_for_selector(".group.error > .cards > li >> nth=8", timeout=SOON, state="attached")
    assert finished(page) == "9 files checked, 9 errors"


@by_the_server
def test_a_file_that_is_gone_is_told(page: Any, tmp_path: Path) -> None:
    for name in ("gone.mat", "kept.mat"):
        (tmp_path / name).write_bytes(FAULTY.read_bytes())
    page.set_input_files("#files", [str(tmp_path / "gone.mat"), str(tmp_path / "kept.mat")])
    finished(page)
    (tmp_path / "gone.mat").unlink()
    page.get_by_label("Rules").select_option("usbgf")
    page.wait_for_selector(".card.unread", timeout=SOON)
    assert finished(page) == "1 file checked, 1 not read, 1 error"
    # The text of a card below the window is not laid out.
    assert "gone.mat cannot be read" in page.text_content(".card.unread")
    page.get_by_label("Rules").select_option("basic")
    finished(page)


def test_a_bad_file_costs_only_itself(page: Any) -> None:
    bomb = BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(80):
            archive.writestr(f"{number}.mat", b"\x00" * 2**20)
    noise = ("noise.mat", bytes(range(256)) * 40)
    summary = drop(page, FAULTY, ("bomb.zip", bomb.getvalue()), noise, ("empty.mat", b""))
    assert summary == "1 file checked, 3 not read, 1 error"
    assert (
        "unpacks to more than" in page.locator(".card.unread", has_text="bomb.zip").text_content()
    )


@by_the_server
def test_so_many_files_are_shown_at_a_time(page: Any) -> None:
    assert drop(page, archive_of(1200)) == "0 files checked, 1,200 skipped"
    assert page.locator(".group.skipped li").count() == 500
    press(page, "Show 500 of 700 more")
    press(page, "Show 200 of 200 more")
    assert page.locator(".group.skipped li").count() == 1200
    assert not page.locator(".more:visible").count()


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
    page.wait_for_selector(".card.unread", timeout=SOON)
    assert finished(page) == "0 files checked, 1 not read"
    assert "128 MiB" in page.text_content(".card.unread")


@by_the_server
def test_what_the_browser_does_not_hand_over_is_told(page: Any) -> None:
    script = """() => {
        const event = new Event("drop");
        const entry = { isDirectory: false, fullPath: "/locked.mat", file: (found, lost) => lost() };
        event.dataTransfer = { items: [{ webkitGetAsEntry: () => entry }] };
        dispatchEvent(event);
    }"""
    page.evaluate(script)
    page.wait_for_selector(".card.unread", timeout=SOON)
    assert finished(page) == "0 files checked, 1 not read"
    assert "locked.mat cannot be read" in page.text_content(".card.unread")


@by_the_server
def test_nasty_names_are_text(page: Any) -> None:
    text = FAULTY.read_text(encoding="utf-8").replace("Ada Quill", NAMES[0])
    names = [name.replace("/", "_") + ".mat" for name in NAMES if "\x00" not in name]
    drop(page, *((name, text.encode()) for name in names))
    page.wait_for_selector(".card", timeout=SOON)
    page.locator("summary").first.click()
    page.wait_for_selector(".diagram .board", timeout=SOON)
    assert page.locator("#results script").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert "<script>alert(1)" in page.inner_text(".diagram")


def test_work_is_cancelled_and_the_next_is_done(page: Any) -> None:
    files = [(f"{number:04}.mat", FAULTY.read_bytes()) for number in range(400)]
    page.set_input_files("#files", list(map(payload, files)))
    page.wait_for_selector(".group.error li", timeout=SOON)
    page.locator("#cancel").click()
    assert "cancelled: " in finished(page)
    press(page, "Begin again")
    assert drop(page, FAULTY) == "1 file checked, 1 error"


@by_the_server
def test_a_folder_is_dropped_with_what_is_not_hidden(page: Any, tmp_path: Path) -> None:
    (tmp_path / "club" / "june").mkdir(parents=True)
    for place in ("a.mat", "june/b.mat", ".hidden.mat"):
        (tmp_path / "club" / place).write_bytes(FAULTY.read_bytes())
    (tmp_path / "club" / "notes.txt").write_text("hello")
    page.set_input_files("#folder", str(tmp_path / "club"))
    assert finished(page) == "2 files checked, 1 skipped, 2 errors"
    assert page.locator(".group.error summary .name").all_text_contents() == [
        "club/a.mat",
        "club/june/b.mat",
    ]


@by_the_server
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 1366])
def test_it_is_no_wider_than_the_screen(page: Any, width: int, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    drop(page, FAULTY)
    press(page, "What may have been meant")
    page.wait_for_selector("fieldset", timeout=SOON)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@by_the_server
def test_it_goes_by_keys_alone(page: Any) -> None:
    drop(page, SAMPLES / "clean" / "one-point.mat")
    page.locator("summary").first.focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Play through and report").wait_for(timeout=SOON)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open]", timeout=SOON)
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog[open]", state="detached", timeout=SOON)
    assert page.evaluate("document.activeElement.textContent") == "Play through and report"


def test_the_server_judges_and_keeps_what_was_said(browser: Any, by_server: Served) -> None:
    pytest.importorskip("bgsage", reason="Open Sage is not installed")
    page = browser.new_page()
    page.goto(by_server.address)
    drop(page, FAULTY)
    press(page, "Judge by an engine")
    page.wait_for_selector(".work pre", timeout=SOON)
    assert "judged by sage" in page.inner_text(".work pre")
    press(page, "Play through and report")
    frame = page.frame_locator("#frame-page")
    frame.get_by_role("heading", name="Verdicts").wait_for(timeout=SOON)
    page.close()


def test_statistics_come_from_the_server(browser: Any, by_server: Served) -> None:
    page = browser.new_page()
    page.goto(by_server.address)
    drop(page, SAMPLES / "clean" / "several-matches.mat")
    press(page, "Statistics of all files")
    page.frame_locator("#frame-page").locator("table").first.wait_for(timeout=SOON)
    page.close()


def test_without_the_key_the_page_says_what_to_do(browser: Any, by_server: Served) -> None:
    page = browser.new_page()
    page.goto(by_server.address.partition("#")[0])
    drop(page, FAULTY)
    assert "open the address that bganalyze serve has printed" in page.text_content(".card.unread")
    page.close()


def test_without_tables_the_page_says_so(browser: Any, by_pyodide: Served) -> None:
    page = browser.new_page()
    page.goto(by_pyodide.address)
    drop(page, FAULTY)
    press(page, "Statistics of all files")
    assert "bganalyze stats" in page.inner_text("#all-work")
    page.close()


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
    yield from hosted(folder, tmp_path / "site")


def test_what_statistics_need_is_loaded_when_they_are_asked_for(
    browser: Any, with_wheels: Served
) -> None:
    page = browser.new_context(service_workers="block").new_page()
    wheels: list[str] = []
    page.on("request", lambda request: ".whl" in request.url and wheels.append(request.url))
    page.goto(with_wheels.address)
    drop(page, FAULTY)
    assert wheels == []
    page.route("**/*.whl", lambda route: route.abort())
    press(page, "Statistics of all files")
    assert "try again where there is a network" in page.inner_text("#all-work [role=alert]")
    page.unroute("**/*.whl")
    press(page, "Statistics of all files")
    page.wait_for_selector("#all-work >> text=is empty", timeout=SOON)
    assert {name for name in COUNTING if any(f"/{name}-" in url for url in wheels)} == {*COUNTING}
    page.context.close()


def test_it_works_without_a_network_after_the_first_visit(browser: Any, by_pyodide: Served) -> None:
    context = browser.new_context()
    page = context.new_page()
    asked_for: list[str] = []
    page.on("request", lambda request: asked_for.append(request.url))
    page.goto(by_pyodide.address)
    page.wait_for_selector("html[data-ready]", timeout=SOON)
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    assert {url.partition("/")[0] for url in asked_for} == {"http:"}
    assert all(url.startswith(by_pyodide.address) for url in asked_for)
    context.set_offline(True)
    page.reload()
    page.wait_for_selector("html[data-ready]", timeout=SOON)
    assert drop(page, FAULTY) == "1 file checked, 1 error"
    context.close()


def test_the_next_visit_goes_on_from_where_the_program_had_started(
    browser: Any, by_pyodide: Served
) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(by_pyodide.address)
    page.wait_for_selector("html[data-ready=started]", timeout=SOON)
    until_memory_is_kept(page)
    page.reload()
    page.wait_for_selector("html[data-ready=restored]", timeout=SOON)
    assert drop(page, FAULTY, SAMPLES / "clean" / "redoubles.sgf") == "2 files checked, 1 error"
    spoil = """async () => {
        const cache = await caches.open("started-bganalyze");
        const [name] = await cache.keys();
        await cache.put(name, new Response(new Uint8Array(1000)));
    }"""
    page.evaluate(spoil)
    page.reload()
    page.wait_for_selector("html[data-ready=started]", timeout=SOON)
    assert drop(page, FAULTY) == "1 file checked, 1 error"
    context.close()


@by_the_server
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_in_the_way_of_anybody(page: Any, scheme: str) -> None:
    script = axe_script()
    page.emulate_media(color_scheme=scheme)
    drop(page, FAULTY, ("noise.mat", b"nothing"), SAMPLES / "clean" / "one-point.mat")
    page.wait_for_selector(".diagram .board", timeout=SOON)
    press(page, "What may have been meant")
    page.wait_for_selector("fieldset", timeout=SOON)
    assert violations(page, script, iframes=False) == []
