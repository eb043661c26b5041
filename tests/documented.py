"""The commands in the documentation, run as a reader would, in a folder like a reader's.

    python -m tests.documented --program PATH [--engine gnubg] [--page NAME]

runs them with an installed program, a wheel's or one in a single file, and prints each that fails.
The commands of a page run one after another, and each page begins with the folder as it was.
"""

from __future__ import annotations

import argparse
import gzip
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import chdir
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from tests.record.test_xg import END, GAME, HEADED, make_roll, xg_file
from tests.refresh_docs import PAGES, README, ROOT

SAMPLES = ROOT / "samples"

ELSEWHERE = {
    "pip": "installs packages",
    "pipx": "installs packages",
    "uv": "installs packages",
    "uvx": "installs packages",
    "npm": "installs packages",
    "python3": "makes an environment",
    "dask": "waits for work until it is stopped",
    ".": "changes the shell",
    "cd": "changes the shell",
    "serve": "waits for a browser until it is stopped",
    "tcp:": "needs a cluster",
    "https:": "needs the network",
    "--interactive": "asks for answers in a terminal",
}
"""Words that begin what cannot be run here, and why. Other tests run most of it."""

REPLACED = {
    "Ada Quill": "Nora Nordby",
    "Cleo Hart": "Ann",
    "Dario Fenn": "Bob",
    '; [EventDate "2031.05.17"]\n': '; [EventDate "2024.05.17"]\n; [Site "Club night"]',
}
"""The players and the header of a sample, and what the documentation calls them."""

SLIPS = (
    ("55: 15/10 15/10 13/8 11/6", "55: 15/10 15/10 13/8"),
    ("43: 8/5 8/4 ", "43: 8/5 8/3 "),
    ("54: 4/0 6/1 ", "54: 4/0 6/2 "),
    (" Cleo Hart : 2                  Dario Fenn : 1\n", ""),
)
"""Parts of the sample, and the slips that replace them: plays in line 41, right, and in 2.14R, and
one of the last; a line of the score that is missing."""

CLAIMS = """\
event,round,date,player1,player2,score1,score2,length
Spring Cup,1,2024-05-17,Ann,Bob,2,4,3
Spring Cup,2,2024-05-18,Nora Nordby,Ann,3,1,3
"""

ALIASES = '[players]\n"Ann" = ["Annie", "ann_e"]\n'


class Output(NamedTuple):
    """What one program left: its exit status and what it wrote."""

    status: int
    stdout: bytes
    stderr: bytes


Program = Callable[[Sequence[str], bytes], Output]
"""A way to call bganalyze: takes the words behind its name and the standard input."""


class Failed(NamedTuple):
    """A command of a page that did not do what the page says."""

    page: str
    line: str
    output: Output


# The commands.

_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_GOAL = re.compile(r"`(bganalyze [a-z]+ [^`A-Z]*)`")
_COMMAND = re.compile(r"(?:^|[\s/;|&])bganalyze ")


def list_pages() -> dict[str, list[str]]:
    """Return the lines of each page that call bganalyze, by the path of the page.

    They are those of its `sh` blocks, without blocks that contain a script (`#!`).
    """
    pages = {str(page.relative_to(ROOT)): list(_find_command_lines(page)) for page in PAGES}
    return {name: lines for name, lines in pages.items() if lines}


def _find_command_lines(page: Path) -> Iterator[str]:
    """Yield the lines of a page that call bganalyze."""
    text = page.read_text(encoding="utf-8")
    if page == README:
        yield from (goal.replace("My Name", "Ann") for goal in _GOAL.findall(text))
    for block in _BLOCK.findall(text):
        if not block.startswith("#!"):
            lines = (re.split(r"\s+# ", line)[0].strip() for line in block.splitlines())
            yield from (line for line in lines if _COMMAND.search(line))


def find_hindrance(line: str) -> str | None:
    """Return the reason why a line cannot be run here, or None if it can.

    >>> find_hindrance("bganalyze check https://club.example/a.mat")
    'needs the network'
    """
    for word in shlex.split(line):
        for start, reason in ELSEWHERE.items():
            if word == start or (start.endswith(":") and word.startswith(start)):
                return reason
    return None


# The folder.


def make_match() -> str:
    """Return a match of Ann and Bob with three illegal plays, the first in line 41."""
    text = (SAMPLES / "clean" / "three-point.mat").read_text(encoding="utf-8")
    for old, new in SLIPS:
        assert old in text, old
        text = text.replace(old, new, 1)
    return _replace_names(text)


def prepare_folder(place: Path) -> None:
    """Write the files that the documentation assumes: matches, archives, tables, settings."""
    faulty = make_match()
    clean = _replace_names((SAMPLES / "clean" / "three-point.mat").read_text(encoding="utf-8"))
    other = _replace_names((SAMPLES / "clean" / "short-match.mat").read_text(encoding="utf-8"))
    for path, text in {
        "match.mat": faulty,
        "final.mat": faulty,
        "league.txt": "\n".join([other] * 3 + [clean]),
        "matches/one.mat": clean,
        "matches/two.mat": other.replace("2024", "2023"),
        "matches/2024/three.mat": faulty,
        "tournament/final.mat": faulty,
        "results.csv": CLAIMS,
        "aliases.toml": ALIASES,
    }.items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_text(text, encoding="utf-8")
    (place / "other.xg").write_bytes(
        xg_file([HEADED, GAME, make_roll(1, 0), make_roll(-1, -1), END])
    )
    (place / "final.mat.gz").write_bytes(gzip.compress(faulty.encode()))
    for name in ("archive", "tournament", "matches"):
        with zipfile.ZipFile(place / f"{name}.zip", "w") as archive:
            archive.writestr("final.mat", faulty)
    (place / "season.tar.zst").write_bytes(_compress_zstd(_pack_tar({"final.mat": faulty})))
    shutil.copytree(SAMPLES, place / "samples")


def prepare_analyses(program: Program, engine: str) -> None:
    """Make the database, store and analyzed files that the documentation assumes.

    `engine` analyzes the matches.
    """
    for words in (
        f"analyze matches/ match.mat --engine {engine} --level 2ply --db club.db --quiet",
        f"analyze matches/ --engine {engine} --quiet",
        "collect matches/ --store club --quiet",
        f"analyze --store club --engine {engine} --level 2ply --quiet",
        "export matches/ --db club.db --format gvab --out analyzed/",
        "norms build matches/ --out club.toml",
    ):
        program(words.split(), b"")


def save_prepared_folder(place: Path, saved: Path, program: Program, engine: str) -> None:
    """Prepare a new folder with its analyses, and save a copy of it."""
    place.mkdir()
    with chdir(place):
        prepare_folder(Path())
        prepare_analyses(program, engine)
    shutil.copytree(place, saved)


def restore_folder(place: Path, saved: Path, program: Program) -> None:
    """Make a folder equal to the saved one, and collect its store again."""
    shutil.rmtree(place)
    shutil.copytree(saved, place)
    # A copied store belongs to the folder that it was copied from.
    with chdir(place):
        program(["collect", "matches/", "--store", "club", "--quiet"], b"")


def _replace_names(text: str) -> str:
    """Return a sample with the names that the documentation uses, and its header."""
    for old, new in REPLACED.items():
        text = text.replace(old, new)
    return text


def _pack_tar(files: dict[str, str]) -> bytes:
    """Return a tar archive of these files, given as texts by name."""
    packed = BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            archive.addfile(member, BytesIO(text.encode()))
    return packed.getvalue()


def _compress_zstd(data: bytes) -> bytes:
    """Return data compressed by Zstandard."""
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd.compress(data)


# Running them.


def run_pages(pages: dict[str, list[str]], program: Program, engine: str) -> Iterator[Failed]:
    """Run the lines of all pages, each page in a freshly prepared folder; yield the lines that fail.

    `program` is how bganalyze is called, and `engine` analyzes the matches.
    """
    with tempfile.TemporaryDirectory() as scratch:
        place, saved = Path(scratch, "reader"), Path(scratch, "saved")
        os.environ["BGANALYZE_CACHE_DIR"] = f"{place}/cache"
        save_prepared_folder(place, saved, program, engine)
        for page, lines in pages.items():
            restore_folder(place, saved, program)
            with chdir(place):
                yield from run_page(page, lines, program)


def run_page(page: str, lines: Iterable[str], program: Program) -> Iterator[Failed]:
    """Run the lines of a page in the current folder; yield those that fail.

    A line fails if one of its programs ends with status 2 or more, or reports a fault of its own.
    Status 1, as for a match with errors, is an answer.
    """
    for line in lines:
        if find_hindrance(line) is None:
            output = run_line(line, program)
            if output.status > 1 or b"fault of bganalyze" in output.stderr + output.stdout:
                yield Failed(page, line, output)


def run_line(line: str, program: Program) -> Output:
    """Run a shell line with pipes, redirections and `&&`, and return the output of its last program."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&<>")
    lexer.whitespace_split = True
    words = list(lexer)
    output = Output(0, b"", b"")
    for pipeline in _split_words(words, "&&"):
        given = b""
        for part in _split_words(pipeline, "|"):
            output = _run_part(part, given, program)
            given = output.stdout
            if output.status > 1:
                return output
    return output


def _split_words(words: Sequence[str], separator: str) -> Iterator[list[str]]:
    """Yield the parts of a line between the words that are equal to `separator`."""
    part: list[str] = []
    for word in words:
        if word == separator:
            yield part
            part = []
        else:
            part.append(word)
    yield part


def _run_part(words: Sequence[str], given: bytes, program: Program) -> Output:
    """Run one program of a pipeline with the input `given`, and return its output.

    Redirections by `<`, `>` and `>>` are followed.
    """
    rest, target, mode = list(words), None, "wb"
    for sign in ("<", ">", ">>"):
        if sign in rest:
            at = rest.index(sign)
            name = rest[at + 1]
            del rest[at : at + 2]
            if sign == "<":
                given = Path(name).read_bytes()
            else:
                target, mode = name, "ab" if sign == ">>" else "wb"
    name, *arguments = rest
    output = (
        program(arguments, given) if Path(name).name == "bganalyze" else _call_program(rest, given)
    )
    if target is not None:
        with open(target, mode) as file:
            file.write(output.stdout)
    return output


def _call_program(words: Sequence[str], given: bytes) -> Output:
    """Run a program with the input `given`, and return its output, as a shell does."""
    try:
        done = subprocess.run(words, input=given, capture_output=True, check=False)
    except FileNotFoundError as error:  # as for a shell
        return Output(127, b"", str(error).encode())
    return Output(done.returncode, done.stdout, done.stderr)


def main() -> None:
    """Run the commands of all pages with a program, and end with status 1 if one fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="the program, as for a shell")
    parser.add_argument("--page", help="only this page, such as docs/player.md")
    parser.add_argument("--engine", default="sage", help="makes the analyses that are supposed")
    options = parser.parse_args()
    call = shlex.split(options.program)
    os.environ.pop("PYTHONPATH", None)  # an installed program runs its own modules

    def program(words: Sequence[str], given: bytes) -> Output:
        return _call_program([*call, *words], given)

    pages = {page: lines for page, lines in list_pages().items() if options.page in (None, page)}
    count = sum(find_hindrance(line) is None for lines in pages.values() for line in lines)
    failed = 0
    for each in run_pages(pages, program, options.engine):
        failed += 1
        said = (each.output.stderr or each.output.stdout).decode(errors="replace")
        print(f"{each.page}: {each.line}\n    {each.output.status}: {said.strip()}", flush=True)
    print(f"{count} commands, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
