"""The files of the page: those of `web/` and, for Pyodide, the program itself."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import distribution
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from jinja2 import DictLoader, Environment, StrictUndefined

from bganalyze import NAME, __version__
from bganalyze.app.config import rule_book_title
from bganalyze.app.render import board_picture
from bganalyze.app.render.document_html import make_asset_hashes, page_style
from bganalyze.app.serving.rules_page import explain_rules
from bganalyze.board.rule_book import BASIC, RULE_BOOKS
from bganalyze.files.limits import open_regular
from bganalyze.files.outputs import NotOursError, write_atomically
from bganalyze.record.own_files import MARK
from bganalyze.validation.rules.ruling import describe_rule
from bganalyze.writing import WRITERS

MIB = 2**20
MOST_SENT = 128 * MIB
"""Bytes of files a page sends with one request at most, such as all files of statistics."""

WRITER_TITLES = {
    "mat": "Match text",
    "xg-text": "eXtreme Gammon text",
    "sgf": "GNU Backgammon SGF",
    "bgm": "Own text format",
    "json": "JSON",
    "gvab": "GammonView, OGXM",
}
"""The formats that are written, as the page lists them."""

RUNTIME = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
)
"""The files of the npm package of Pyodide that a check needs."""

LOCK = "pyodide-lock.json"
"""Pyodide's list of its packages and their dependencies."""

LIBRARIES = {
    "lark": "lark",
    "rich": "rich",
    "jinja2": "jinja2",
    "markupsafe": "markupsafe",
    "gammonview": "gvformat",
    "defusedxml": "defusedxml",
    "striprtf": "striprtf",
}
"""The import name of each library packed with the program, by its project name. All are pure Python;
the C part of markupsafe is left out."""

COUNTING = ("numpy", "pandas", "scipy", "matplotlib")
"""Further packages for statistics, taken from Pyodide's distribution if it has them."""

PROGRAM = "program.zip"
_EPOCH = (1980, 1, 1, 0, 0, 0)
_COMPILED = (".so", ".pyd", ".pyc", ".c", ".pyi")


class SiteError(ValueError):
    """An unusable folder of Pyodide; the message says what is missing."""


def page_files(server_facts: Mapping[str, Any]) -> dict[str, bytes]:
    """Return the content of each file of the web page, by file name.

    `server_facts` are facts that the server tells the page.
    """
    page = _read_sources()
    templates = {name: page.pop(name).decode() for name in [*page] if name.endswith(".html")}
    environment = Environment(
        loader=DictLoader(templates), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    shown = {
        "index.html": {
            "about": _write_page_facts(server_facts),
            "empty_board": board_picture.empty_board_svg(),
            "version": __version__,
        },
        "help.html": {},
        "rules.html": {"rules": explain_rules()},
    }
    for name, values in shown.items():
        template = environment.get_template(name)
        page[name] = template.render(values, policy=security_policy(), mark=MARK).encode()
    page["look.css"] = page_style().encode()
    return page


def security_policy() -> str:
    """Return the page's Content Security Policy, which allows its own files only."""
    # The frame of a report has this policy too.
    styles, scripts = (" ".join(map("'{}'".format, hashes)) for hashes in make_asset_hashes())
    return (
        f"default-src 'none'; script-src 'self' 'wasm-unsafe-eval' {scripts}; "
        f"style-src 'self' {styles}; connect-src 'self'; img-src 'self' data:; "
        "worker-src 'self'; manifest-src 'self'; "
        "base-uri 'none'; form-action 'none'"
    )


def site_files(pyodide: Path) -> dict[str, bytes]:
    """Return the content of each file of a page that needs no server, by file name.

    The program runs in the browser, by Pyodide, whose files are in the folder `pyodide`. Raises
    SiteError or OSError.
    """
    runtime = {f"pyodide/{name}": data for name, data in _read_runtime(pyodide).items()}
    counts = any(name.endswith(".whl") for name in runtime)
    archive = zip_program()
    about = {"backend": "pyodide", "statistics": counts, "analyze": False}
    page = page_files({**about, "megabytes": _estimate_download([archive, *runtime.values()])})
    site = {**page, **runtime, PROGRAM: archive}
    started = _make_digest({"worker.js": page["worker.js"], **runtime, PROGRAM: archive})
    site["worker.js"] = f'const MEMORY = "started-{started}";\n'.encode() + page["worker.js"]
    site["sw.js"] = _write_service_worker(site)
    return site


def _estimate_download(parts: Iterable[bytes]) -> int:
    """Return how many megabytes a browser loads for these contents, which are sent compressed."""
    return round(sum(len(zlib.compress(part, 1)) for part in parts) / 10**6)


def write_site(folder: Path, site: Mapping[str, bytes], *, force: bool) -> None:
    """Write the files of a site to a folder; raise OSError if this fails.

    A page of another program is replaced only with `force`.
    """
    page = folder / "index.html"
    if page.exists() and not force:
        with open_regular(page) as file:
            if MARK.encode() not in file.read():
                raise NotOursError(
                    f"{page.name} exists and was not created by {NAME}; --force overwrites it"
                )
    # Browsers ask for these two files first, so an incomplete site is never shown.
    for name in sorted(site, key=lambda name: (name in ("sw.js", "index.html"), name)):
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(place, site[name])


def _write_service_worker(site: Mapping[str, bytes]) -> bytes:
    """Return the service worker's script (`sw.js`), with the list of the site's files."""
    first = [name for name in sorted(site) if name != "sw.js" and not name.endswith(".whl")]
    listing = {"version": _make_digest(site), "files": ["./", *first]}
    return f"const SITE = {json.dumps(listing)};\n".encode() + site["sw.js"]


def _make_digest(files: Mapping[str, bytes]) -> str:
    """Return one hash of the names and contents of several files."""
    digest = hashlib.sha256()
    for name, data in sorted(files.items()):
        digest.update(f"{name} {len(data)}\n".encode() + data)
    return digest.hexdigest()[:16]


def _write_page_facts(server_facts: Mapping[str, Any]) -> str:
    """Return facts for the page, such as formats and rule books, as JSON."""
    writers = [
        {
            "name": name,
            "title": f"{WRITER_TITLES[name]} ({writer.extension})",
            "about": writer.description,
        }
        for name, writer in WRITERS.items()
    ]
    facts = {
        "name": NAME,
        "version": __version__,
        "ruleBooks": list(map(_make_rule_book_entry, _list_book_names())),
        "rules": BASIC.name,
        "writers": writers,
        "mostSent": MOST_SENT,
        "tooMuch": f"these files have more than {MOST_SENT // MIB} MiB, the most that can be sent at once",
        **server_facts,
    }
    return json.dumps(facts).replace("<", "\\u003c")


def _list_book_names() -> list[str]:
    """Return a short name for each rule book. A book with several names is listed once."""
    names: dict[str, str] = {}
    for name, book in RULE_BOOKS.items():
        names.setdefault(book.label, name)
    return list(names.values())


def _make_rule_book_entry(name: str) -> dict[str, str]:
    """Return a rule book's name, title and explanation for a list on the page."""
    title = rule_book_title(RULE_BOOKS[name])
    full = title.partition("(")[2].removesuffix(")")
    return {
        "name": name,
        "title": f"{full} ({RULE_BOOKS[name].name})",
        "about": _explain_rule_book(name),
    }


def _explain_rule_book(name: str) -> str:
    """Return a rule book's title, and how long it allows to correct an illegal play."""
    rule_book = RULE_BOOKS[name]
    treatment = describe_rule("P410", "larger-die", rule_book).verdict
    return f"{rule_book_title(rule_book)}. If a play was illegal, {treatment}."


def _read_sources() -> dict[str, bytes]:
    """Return the content of the page's own files (HTML, scripts, styles), by file name."""
    return {
        path.name: path.read_bytes()
        for path in _find_folder("web").iterdir()
        if path.is_file() and path.suffix != ".py"
    }


def _find_folder(name: str) -> Path:
    """Return the folder `name` of the project, which is inside the package or beside it."""
    package = Path(__file__).parent.parent.parent
    return package / name if (package / name).is_dir() else package.parent / name


# Pyodide: the files of the npm package, or of the whole distribution.


def _read_runtime(folder: Path) -> dict[str, bytes]:
    """Return the content of the Pyodide files that the page needs, by file name.

    Raises SiteError if some are missing.
    """
    missing = [name for name in (*RUNTIME, LOCK) if not (folder / name).is_file()]
    if missing:
        raise SiteError(
            f"{folder} has no {missing[0]}; `npm install --no-save pyodide@314` installs Pyodide to"
            " node_modules/pyodide, and --pyodide names another folder"
        )
    lock = json.loads((folder / LOCK).read_bytes())
    packages = lock["packages"]
    names = sorted(_add_dependencies(COUNTING, packages))
    wheels = [packages[name]["file_name"] for name in names if name in packages]
    there = len(wheels) == len(names) and all((folder / wheel).is_file() for wheel in wheels)
    kept = {name: packages[name] for name in names} if there else {}
    return {
        **{name: (folder / name).read_bytes() for name in RUNTIME},
        **{wheel: (folder / wheel).read_bytes() for wheel in wheels if there},
        LOCK: json.dumps({**lock, "packages": kept}).encode(),
    }


def _add_dependencies(names: Iterable[str], pyodide_packages: Mapping[str, Any]) -> set[str]:
    """Return the names of some packages and of all packages that these need."""
    needed, pending = set[str](), list(names)
    while pending:
        name = pending.pop()
        if name not in needed:
            needed.add(name)
            pending += pyodide_packages[name]["depends"] if name in pyodide_packages else []
    return needed


# The program and its libraries as a reproducible archive.


def zip_program() -> bytes:
    """Return the program and its libraries as a zip archive."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in sorted(_list_program_files()):
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), data, zipfile.ZIP_DEFLATED, 9)
    return written.getvalue()


def _list_program_files() -> Iterator[tuple[str, bytes]]:
    """Yield the path and content of each file of the program and its libraries."""
    yield from _list_package_files("bganalyze")
    yield from _list_files_below(_find_folder("grammars"), "bganalyze/grammars")
    for project, package in LIBRARIES.items():
        yield from _list_package_files(package)
        yield from _list_license_files(project)


def _list_package_files(name: str) -> Iterator[tuple[str, bytes]]:
    """Yield the path and content of each file of a package that the browser needs."""
    for place, data in _list_files_below(files(name), name):
        if not place.startswith(("bganalyze/grammars/", "bganalyze/web/", "bganalyze/app/cli/")):
            yield place, data


def _list_files_below(folder: Traversable, path_in_archive: str) -> Iterator[tuple[str, bytes]]:
    """Yield the path and content of each file in a folder and below."""
    for entry in folder.iterdir():
        if entry.is_dir():
            if not entry.name.startswith("__"):
                yield from _list_files_below(entry, f"{path_in_archive}/{entry.name}")
        elif not entry.name.endswith(_COMPILED):
            yield f"{path_in_archive}/{entry.name}", entry.read_bytes()


def _list_license_files(project: str) -> Iterator[tuple[str, bytes]]:
    """Yield the path and content of each license file of an installed library."""
    for path in distribution(project).files or ():
        if "licen" in path.as_posix().lower() and ".dist-info/" in path.as_posix():
            yield path.as_posix(), path.read_binary()
