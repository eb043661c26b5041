"""The page as files to be hosted: what is in them, and where they are written."""

from __future__ import annotations

import json
import os
import re
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from bganalyze.app.serving.site import (
    LOCK,
    RUNTIME,
    SiteError,
    security_policy,
    site_files,
    write_site,
    zip_program,
)
from bganalyze.board.rule_book import RULE_BOOKS
from bganalyze.files.outputs import NotOursError
from bganalyze.validation.rules import BY_NAME

ROOT = Path(__file__).parents[3]
OURS = (
    "index.html",
    "app.js",
    "backends.js",
    "cards.js",
    "dom.js",
    "files.js",
    "sw.js",
    "worker.js",
)


@pytest.fixture(scope="module")
def pyodide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with files that are called as those of the npm package."""
    folder = tmp_path_factory.mktemp("pyodide")
    for name in RUNTIME:
        (folder / name).write_bytes(name.encode() * 100)
    needs = {"pandas": ["numpy", "pytz"], "matplotlib": ["numpy"], "scipy": ["numpy"]}
    packages = {
        name: {"file_name": f"{name}-1-py3-none-any.whl", "depends": needs.get(name, [])}
        for name in ("numpy", "pandas", "scipy", "matplotlib", "pytz", "other")
    }
    (folder / LOCK).write_text(json.dumps({"info": {"python": "3.14.2"}, "packages": packages}))
    return folder


@pytest.fixture(scope="module")
def site(pyodide: Path) -> dict[str, bytes]:
    """The files of the page."""
    return site_files(pyodide)


def about(site: dict[str, bytes]) -> dict[str, Any]:
    """Return the description of the program that the page receives."""
    match = re.search(rb'id="about">(.*?)</script>', site["index.html"])
    assert match is not None
    data: dict[str, Any] = json.loads(match[1])
    return data


@pytest.mark.slow
def test_everything_that_is_needed_is_there(site: dict[str, bytes]) -> None:
    assert {*OURS, "look.css", "page.css", "icon.svg", "program.zip"} <= set(site)
    assert {f"pyodide/{name}" for name in (*RUNTIME, LOCK)} <= set(site)
    assert not any(name.endswith(".py") for name in site)


LINK = re.compile(r'<a href="https://[^"]+" target="_blank" rel="noopener">')
"""A link that leads to another place if it is pressed; nothing is loaded from there."""


def test_the_page_links_documents_that_exist(site: dict[str, bytes]) -> None:
    homes = re.findall(r'^Repository = "(.+)"', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    links = re.findall(r'<a href="([^"]+)"', (site["index.html"] + site["help.html"]).decode())
    own = {link for link in links if "//" not in link}
    assert own == {"./", "help.html", "rules.html"}
    assert len(links) >= 8
    for link in {*links} - own:
        home, _, path = re.split(r"/(blob|tree)/HEAD/", link)
        assert [home] == homes
        assert (ROOT / path).exists()


def test_each_rule_has_a_place_to_which_its_findings_link(site: dict[str, bytes]) -> None:
    page = site["rules.html"].decode()
    for rule in BY_NAME.values():
        assert page.count(f'<section id="{rule.code}">') == page.count(f'href="#{rule.code}"') == 1
    assert "for whom the point was entered on the score sheet." in page


def test_each_rule_book_is_explained_where_it_is_chosen(site: dict[str, bytes]) -> None:
    listed = about(site)["ruleBooks"]
    books = {book["name"]: book["about"] for book in listed}
    labels = [RULE_BOOKS[name].label for name in books]
    assert sorted(labels) == sorted({book.label for book in RULE_BOOKS.values()})
    titles = {book["name"]: book["title"] for book in listed}
    assert titles["wbf"].startswith("World Backgammon Federation, Tournament Rules 2.1")
    assert books["basic"].startswith("basic (base rules, player-error rule of 1931). If a play was")
    assert all(RULE_BOOKS[name].edition in words for name, words in books.items())


def test_no_file_of_ours_names_a_place_elsewhere(site: dict[str, bytes]) -> None:
    texts = {
        name: data.decode()
        for name, data in site.items()
        if "/" not in name and name != "program.zip"
    }
    for name, text in texts.items():
        own = LINK.sub("", text)
        addresses = set(re.findall(r"(?:https?:)?//[\w.-]+\.\w+[^\s\"'<>)]*", own))
        assert addresses <= {"http://www.w3.org/2000/svg"}, name
    linked = set(re.findall(r'(?:src|href)="([^"#]+)"', LINK.sub("", texts["index.html"])))
    assert linked <= set(site)
    imported = {name for text in texts.values() for name in re.findall(r'from "\./([^"]+)"', text)}
    assert imported <= set(site)


def test_the_page_may_reach_its_own_files_only(site: dict[str, bytes]) -> None:
    rules = dict(rule.split(" ", 1) for rule in security_policy().split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["connect-src"] == rules["worker-src"] == "'self'"
    assert {"'unsafe-inline'", "'unsafe-eval'", "*"}.isdisjoint(" ".join(rules.values()).split())
    sources = set(" ".join(rules.values()).split()) - {
        "'none'",
        "'self'",
        "'wasm-unsafe-eval'",
        "data:",
    }
    assert all(source.startswith("'sha256-") for source in sources)
    page = site["index.html"].decode().replace("&#39;", "'")
    assert f'http-equiv="Content-Security-Policy" content="{security_policy()}"' in page
    assert not re.search(r"<script(?![^>]*(src=|application/json))|<style|\son\w+=|\sstyle=", page)


def test_the_service_worker_knows_all_that_a_check_needs(site: dict[str, bytes]) -> None:
    first = site["sw.js"].decode().splitlines()[0]
    data = json.loads(first.removeprefix("const SITE = ").removesuffix(";"))
    assert set(data["files"]) == {"./"} | set(site) - {"sw.js"}
    assert re.fullmatch("[0-9a-f]{16}", data["version"])


@pytest.mark.slow
def test_the_same_sources_make_the_same_site(site: dict[str, bytes], pyodide: Path) -> None:
    assert site_files(pyodide) == site


@pytest.mark.slow
def test_another_runtime_is_another_version(
    site: dict[str, bytes], pyodide: Path, tmp_path: Path
) -> None:
    for path in pyodide.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / RUNTIME[0]).write_bytes(b"newer")
    other = site_files(tmp_path)
    for script in ("sw.js", "worker.js"):
        assert other[script].splitlines()[0] != site[script].splitlines()[0]


def test_the_program_is_whole_and_goes_with_its_licenses() -> None:
    names = set(zipfile.ZipFile(BytesIO(zip_program())).namelist())
    assert {"bganalyze/app/serving/answers.py", "bganalyze/grammars/mat.lark"} <= names
    assert {
        "bganalyze/app/render/pages/page.html",
        "lark/__init__.py",
        "gvformat/__init__.py",
    } <= names
    assert {"lark", "rich", "jinja2", "markupsafe", "gammonview"} <= {
        re.split(r"-\d", name)[0].lower() for name in names if ".dist-info/" in name
    }
    assert not [name for name in names if name.endswith((".so", ".pyc", ".pyd"))]


@pytest.mark.slow
def test_statistics_need_the_whole_distribution(
    site: dict[str, bytes], pyodide: Path, tmp_path: Path
) -> None:
    assert about(site)["statistics"] is False
    assert json.loads(site[f"pyodide/{LOCK}"])["packages"] == {}
    for path in pyodide.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    for name in ("numpy", "pandas", "scipy", "matplotlib", "pytz", "other"):
        (tmp_path / f"{name}-1-py3-none-any.whl").write_bytes(b"wheel")
    complete = site_files(tmp_path)
    assert about(complete)["statistics"] is True
    assert "pyodide/pytz-1-py3-none-any.whl" in complete
    assert "pyodide/other-1-py3-none-any.whl" not in complete
    assert "other" not in json.loads(complete[f"pyodide/{LOCK}"])["packages"]


def test_a_folder_without_pyodide_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        SiteError, match=r"has no pyodide\.mjs; `npm install --no-save pyodide@314`"
    ):
        site_files(tmp_path)


def test_a_site_is_written_over_a_site_only(site: dict[str, bytes], tmp_path: Path) -> None:
    folder = tmp_path / "new" / "site"
    write_site(folder, site, force=False)
    write_site(folder, site, force=False)
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert files == set(site)
    (folder / "index.html").write_text("a page of mine")
    with pytest.raises(NotOursError, match="--force"):
        write_site(folder, site, force=False)
    assert (folder / "index.html").read_text() == "a page of mine"
    write_site(folder, site, force=True)
    assert (folder / "index.html").read_bytes() == site["index.html"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_in_the_place_of_the_page_is_not_waited_for(
    site: dict[str, bytes], tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "index.html")
    with pytest.raises(OSError, match="not a regular file"):
        write_site(tmp_path, site, force=False)
