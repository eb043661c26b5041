"""`python -m tests.comparison`: what other readers say about the samples with one error each.

It imports each faulty sample in match text into GNU Backgammon, and reads it with GammonView's
library. docs/comparison.md quotes the counts. A program notices an error if it prints a warning or
gives the file up; whether it names the right error is not asked.
"""

from __future__ import annotations

import csv
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from gvformat import mat_to_ogxm

import bganalyze
from bganalyze.analysis.engines import Limits, gnubg

SAMPLES = Path(__file__).parent.parent / "samples"
SETTINGS = (
    "set display off\nset automatic game off\nset automatic roll off\nset automatic move off\n"
)
COMPLAINT = re.compile(r"warning|invalid|unrecogni[sz]ed|illegal|error|corrupt", re.IGNORECASE)


def faulty_samples() -> list[Path]:
    """Return the samples of match text with an error that the file itself does not correct."""
    with (SAMPLES / "faulty" / "EXPECTED.tsv").open(encoding="utf-8") as file:
        rows = csv.DictReader(file, delimiter="\t")
        names = {
            row["file"]
            for row in rows
            if row["severity"] == "error" and row["standing"] != "corrected"
        }
    paths = [SAMPLES / "faulty" / name for name in sorted(names)]
    return list(filter(is_match_text, paths))


def clean_samples() -> list[Path]:
    """Return the samples of match text without an error."""
    return list(filter(is_match_text, sorted((SAMPLES / "clean").glob("*.mat"))))


def is_match_text(path: Path) -> bool:
    """Whether a file is match text (`.mat`), in any of its dialects."""
    return bganalyze.read(path)[0].format == "mat"


def gnubg_notices(path: Path, program: str) -> bool:
    """Whether GNU Backgammon prints a complaint when it imports a file."""
    with tempfile.NamedTemporaryFile("w", suffix=".gnubg") as commands:
        commands.write(f"{SETTINGS}import mat {path}\n")
        commands.flush()
        call = [program, "-t", "-q", "-r", "-c", commands.name]
        process = subprocess.run(
            call, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=60
        )
    lines = (process.stdout + process.stderr).decode("utf-8", "replace").splitlines()
    return any(COMPLAINT.search(line) for line in lines if str(path) not in line)


def gammonview_notices(path: Path) -> bool:
    """Whether GammonView's library refuses a file."""
    try:
        mat_to_ogxm(path.read_text(encoding="utf-8", errors="replace"))
    except Exception:  # noqa: BLE001 - any error is a notice
        return True
    return False


def compare() -> Iterator[str]:
    """Yield a line for each program: errors noticed in faulty samples, complaints about clean ones."""
    faulty, clean = faulty_samples(), clean_samples()
    program = gnubg.start("0ply", Limits()).program
    readers = {
        f"bganalyze {bganalyze.__version__}": lambda path: not bganalyze.check(path).ok,
        "GNU Backgammon": lambda path: gnubg_notices(path, program),
        f"GammonView {version('gammonview')}": gammonview_notices,
    }
    for name, notices in readers.items():
        noticed = sum(map(notices, faulty))
        false = sum(map(notices, clean))
        yield f"{name}: {noticed} of {len(faulty)} errors, {false} complaints about {len(clean)} clean files"


if __name__ == "__main__":
    for line in compare():
        sys.stdout.write(f"{line}\n")
