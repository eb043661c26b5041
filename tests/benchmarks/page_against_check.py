"""Compare the findings of the page in Chromium with those of `check`, and the time of both.

    python -m tests.benchmarks.page_against_check FOLDER --pyodide node_modules/pyodide

The folder is dropped as it is, on the page that `serve --out` writes. What the page then saves as
its findings must be what `check --format jsonl` writes, byte for byte, file by file. Measured: what
is loaded, compressed as a web server would; the time until the page is ready, on the first visit
and on the second, with the service worker and the memory that is kept; until the first finding
is shown, on both; and for all files.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import tempfile
import threading
import time
import zlib
from collections import defaultdict
from collections.abc import Iterable
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from bganalyze.app.jobs.check import check_file
from bganalyze.app.render import get_finding_renderer
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.app.serving.site import site_files, write_site
from bganalyze.board.rule_book import BASIC
from bganalyze.files.reading import find_files
from bganalyze.validation.findings import Selection
from tests.app.serving.asking import SAMPLES
from tests.app.serving.test_page import AnyWebServer, until_memory_is_kept

PATIENCE = 3_600_000
FIRST = SAMPLES / "faulty" / "P410-larger-die.mat"


def main() -> None:
    """Compare, and print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pyodide", type=Path, default=Path("node_modules", "pyodide"))
    options = parser.parse_args()
    folder = options.folder.resolve()
    site = site_files(options.pyodide.resolve())
    packed = sum(min(len(zlib.compress(data, 9)), len(data)) for data in site.values())
    print(f"loaded before the first check: {packed / 1e6:.2f} MB compressed")
    with tempfile.TemporaryDirectory() as place:
        write_site(Path(place), site, force=False)
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(AnyWebServer, directory=place))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        shown = in_the_page(f"http://127.0.0.1:{server.server_port}/", folder)
        server.shutdown()
    os.chdir(folder.parent)
    start = time.perf_counter()
    expected = by_file(by_command(folder.name))
    print(f"the command, one process: {time.perf_counter() - start:.1f} s")
    different = {path for path in expected.keys() | shown.keys() if expected[path] != shown[path]}
    print(f"{len(expected)} files with findings, {len(different)} of them otherwise in the page")
    for path in sorted(different)[:10]:
        print(f"  {path}")


def in_the_page(address: str, folder: Path) -> dict[str, list[str]]:
    """Return what the page finds, and print how long it takes."""
    with sync_playwright() as running:
        chromium = shutil.which("chromium")
        browser = running.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        measure("ready on the first visit", lambda: open_page(page, address))
        measure("the first finding of it", lambda: first(page))
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        until_memory_is_kept(page)
        measure("ready on the second visit", lambda: open_page(page, address))
        measure("the first finding of it", lambda: first(page))
        page.get_by_role("button", name="Start over").click()
        measure("all files", lambda: everything(page, folder))
        print(page.inner_text("#sum"))
        with page.expect_download() as download:
            page.get_by_role("button", name="Save the findings as data (JSONL)").click()
        lines = Path(download.value.path()).read_text(encoding="utf-8")
        browser.close()
    return by_file(lines)


def open_page(page: Any, address: str) -> None:
    """Open the page, and wait until a file can be checked."""
    page.goto(address)
    page.wait_for_selector("html[data-ready]", timeout=PATIENCE)


def first(page: Any) -> None:
    """Drop a file, and wait until a finding appears."""
    page.set_input_files("#files", str(FIRST))
    page.wait_for_selector("summary .first", timeout=PATIENCE)


def everything(page: Any, folder: Path) -> None:
    """Drop a folder, and wait until all of it is checked."""
    page.set_input_files("#folder", str(folder))
    page.wait_for_selector("#groups li", timeout=PATIENCE)
    page.wait_for_selector("#run", state="hidden", timeout=PATIENCE)


def measure(what: str, action: Any) -> None:
    """Do something, and print how long it took."""
    start = time.perf_counter()
    action()
    print(f"{what}: {time.perf_counter() - start:.2f} s")


def by_command(name: str) -> str:
    """Return what `check --format jsonl` writes of a folder below the present one."""
    results: Iterable[Any] = (check_file(item, BASIC, Selection()) for item in find_files([name]))
    return "".join(get_finding_renderer("jsonl")(results, OutputOptions()))


def by_file(lines: str) -> dict[str, list[str]]:
    """Return the findings of each file, as they are written."""
    findings = defaultdict[str, list[str]](list)
    for line in lines.splitlines():
        findings[json.loads(line)["path"]].append(line)
    return findings


if __name__ == "__main__":
    main()
