"""The page as files: those of `web/`, and with them the program itself, to be run by Pyodide."""

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

from jinja2 import Environment, StrictUndefined

from bganalyze import NAME, __version__
from bganalyze.app.render import board_picture
from bganalyze.app.render.document_html import digests, page_style
from bganalyze.board.rule_book import BASIC, RULE_BOOKS
from bganalyze.files.limits import open_regular
from bganalyze.files.outputs import MARK, NotOursError, put
from bganalyze.writing import WRITERS

MIB = 2**20
MOST_SENT = 128 * MIB
"""The most that a page sends with one request, in bytes: all the files that are counted together."""

RUNTIME = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
)
"""The files of Pyodide that a check needs, of the npm package."""

LOCK = "pyodide-lock.json"
"""Where Pyodide says which packages it has, and what each needs."""

LIBRARIES = {
    "lark": "lark",
    "rich": "rich",
    "jinja2": "jinja2",
    "markupsafe": "markupsafe",
    "gammonview": "gvformat",
}
"""The libraries that go with the program, by the name of the package that brings each. All are
Python alone: of markupsafe, which has a faster part in C, that is left behind."""

COUNTING = ("numpy", "pandas", "scipy", "matplotlib")
"""The packages that statistics need besides; of Pyodide's distribution, where they are there."""

WITHOUT_STATISTICS = (
    "Statistics need numpy, pandas and scipy, which this copy of the page is without. "
    "The installed program has them: bganalyze stats, or bganalyze serve."
)

PROGRAM = "program.zip"
_EPOCH = (1980, 1, 1, 0, 0, 0)
_COMPILED = (".so", ".pyd", ".pyc", ".c", ".pyi")


class SiteError(ValueError):
    """The folder of Pyodide is not what is needed; the message says what is."""


def page_files(about: Mapping[str, Any]) -> dict[str, bytes]:
    """Return the files of the page by name; `about` says what stands behind it."""
    page = _sources()
    template = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    page["index.html"] = (
        template.from_string(page["index.html"].decode())
        .render(
            policy=policy(),
            about=_about(about),
            empty_board=board_picture.empty_board_part(),
            version=__version__,
            mark=MARK,
        )
        .encode()
    )
    page["look.css"] = page_style().encode()
    return page


def policy() -> str:
    """Return what the page may do, as a Content Security Policy: it reaches nothing but its own files.

    A report stands in a frame that has this policy too, so its script and style are allowed.
    """
    styles, scripts = (" ".join(map("'{}'".format, group_digests)) for group_digests in digests())
    return (
        f"default-src 'none'; script-src 'self' 'wasm-unsafe-eval' {scripts}; "
        f"style-src 'self' {styles}; connect-src 'self'; img-src 'self' data:; "
        "worker-src 'self'; manifest-src 'self'; "
        "base-uri 'none'; form-action 'none'"
    )


def site_files(pyodide: Path) -> dict[str, bytes]:
    """Return all files of a page that runs the program by Pyodide, of which a folder is given.

    Raises SiteError and OSError.
    """
    runtime = {f"pyodide/{name}": data for name, data in _runtime(pyodide).items()}
    counts = any(name.endswith(".whl") for name in runtime)
    archive = program()
    about = {"backend": "pyodide", "statistics": counts, "analyze": False}
    page = page_files({**about, "megabytes": _megabytes([archive, *runtime.values()])})
    site = {**page, **runtime, PROGRAM: archive}
    started = _digest({"worker.js": page["worker.js"], **runtime, PROGRAM: archive})
    site["worker.js"] = f'const MEMORY = "started-{started}";\n'.encode() + page["worker.js"]
    site["sw.js"] = _with_list(site)
    return site


def _megabytes(parts: Iterable[bytes]) -> int:
    """About how much is loaded before the first check, as it is packed on its way."""
    return round(sum(len(zlib.compress(part, 1)) for part in parts) / 10**6)


def write_site(folder: Path, site: Mapping[str, bytes], *, force: bool) -> None:
    """Write a site to a folder, over another site only, or by `force`; raise OSError.

    What a browser asks for first is written last, so that no half of a site is ever shown.
    """
    page = folder / "index.html"
    if page.exists() and not force:
        with open_regular(page) as file:
            if MARK.encode() not in file.read():
                raise NotOursError(
                    f"{page.name} is there and was not made by {NAME}; --force overwrites it"
                )
    for name in sorted(site, key=lambda name: (name in ("sw.js", "index.html"), name)):
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        put(place, site[name])


def _with_list(site: Mapping[str, bytes]) -> bytes:
    """The service worker, told which files there are; a digest of all names the version."""
    first = [name for name in sorted(site) if name != "sw.js" and not name.endswith(".whl")]
    listing = {"version": _digest(site), "files": ["./", *first]}
    return f"const SITE = {json.dumps(listing)};\n".encode() + site["sw.js"]


def _digest(files: Mapping[str, bytes]) -> str:
    """What tells files from any others."""
    digest = hashlib.sha256()
    for name, data in sorted(files.items()):
        digest.update(f"{name} {len(data)}\n".encode() + data)
    return digest.hexdigest()[:16]


def _about(about: Mapping[str, Any]) -> str:
    """What the page is told of the program."""
    writers = [
        {"name": name, "extension": writer.extension, "about": writer.description}
        for name, writer in WRITERS.items()
    ]
    facts = {
        "name": NAME,
        "version": __version__,
        "ruleBooks": list(RULE_BOOKS),
        "rules": BASIC.name,
        "writers": writers,
        "mostSent": MOST_SENT,
        "tooMuch": f"more than {MOST_SENT // MIB} MiB, the most that is taken at once",
        "withoutStatistics": WITHOUT_STATISTICS,
        **about,
    }
    return json.dumps(facts).replace("<", "\\u003c")


def _sources() -> dict[str, bytes]:
    return {
        path.name: path.read_bytes()
        for path in _folder("web").iterdir()
        if path.is_file() and path.suffix != ".py"
    }


def _folder(name: str) -> Path:
    """A folder of the project that goes into the package; of a checkout it stands beside it."""
    package = Path(__file__).parent.parent.parent
    return package / name if (package / name).is_dir() else package.parent / name


# Pyodide: the files of the npm package, or of the whole distribution.


def _runtime(folder: Path) -> dict[str, bytes]:
    missing = [name for name in (*RUNTIME, LOCK) if not (folder / name).is_file()]
    if missing:
        raise SiteError(
            f"{folder}: there is no {missing[0]} in it; `npm install --no-save pyodide@314` fetches"
            " Pyodide to node_modules/pyodide, and --pyodide says where else it is"
        )
    lock = json.loads((folder / LOCK).read_bytes())
    packages = lock["packages"]
    names = sorted(_needed(COUNTING, packages))
    wheels = [packages[name]["file_name"] for name in names if name in packages]
    there = len(wheels) == len(names) and all((folder / wheel).is_file() for wheel in wheels)
    kept = {name: packages[name] for name in names} if there else {}
    return {
        **{name: (folder / name).read_bytes() for name in RUNTIME},
        **{wheel: (folder / wheel).read_bytes() for wheel in wheels if there},
        LOCK: json.dumps({**lock, "packages": kept}).encode(),
    }


def _needed(names: Iterable[str], packages: Mapping[str, Any]) -> set[str]:
    """The packages of these names, and all that they need."""
    needed, pending = set[str](), list(names)
    while pending:
        name = pending.pop()
        if name not in needed:
            needed.add(name)
            pending += packages[name]["depends"] if name in packages else []
    return needed


# The program and its libraries as one archive, the same from the same sources.


def program() -> bytes:
    """Return the program and the libraries that it needs as a zip archive."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in sorted(_members()):
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), data, zipfile.ZIP_DEFLATED, 9)
    return written.getvalue()


def _members() -> Iterator[tuple[str, bytes]]:
    yield from _package("bganalyze")
    yield from _below(_folder("grammars"), "bganalyze/grammars")
    for project, package in LIBRARIES.items():
        yield from _package(package)
        yield from _licenses(project)


def _package(name: str) -> Iterator[tuple[str, bytes]]:
    for place, data in _below(files(name), name):
        if not place.startswith(("bganalyze/grammars/", "bganalyze/web/", "bganalyze/app/cli/")):
            yield place, data


def _below(folder: Traversable, place: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            if not entry.name.startswith("__"):
                yield from _below(entry, f"{place}/{entry.name}")
        elif not entry.name.endswith(_COMPILED):
            yield f"{place}/{entry.name}", entry.read_bytes()


def _licenses(project: str) -> Iterator[tuple[str, bytes]]:
    """The licenses of a library, which go where it goes."""
    for path in distribution(project).files or ():
        if "licen" in path.as_posix().lower() and ".dist-info/" in path.as_posix():
            yield path.as_posix(), path.read_binary()
