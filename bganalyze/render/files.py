"""Tables as files: CSV, and Parquet where pyarrow is installed."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pandas as pd

from bganalyze.files.outputs import NotOursError, beside, inside, named
from bganalyze.render.answer_csv import spelled
from bganalyze.reports.answer import Answer
from bganalyze.tables.frames import Tables
from bganalyze.tables.judged_frames import JudgedTables


def write_tables(
    folder: Path, tables: Tables | JudgedTables, answer: Answer, *, force: bool
) -> Iterator[Path]:
    """Write every table and every section of the answer to the folder; yield the files.

    A file that is there already is replaced if it has the same columns, else only by `force`.
    Raises OSError, which names the file.
    """
    with named(folder):
        folder.mkdir(parents=True, exist_ok=True)
    frames = {**tables._asdict()}
    for name, sections in answer.reports.items():
        frames |= {f"{name}-{_word(section.title)}": section.frame for section in sections}
    for name, frame in frames.items():
        for kind in ("csv", "parquet") if find_spec("pyarrow") else ("csv",):
            path = inside(folder, name, f".{kind}")
            with named(path):
                if path.is_file() and not force and _columns(path) != list(frame.columns):
                    raise NotOursError(
                        "it is there already, with other columns; --force writes over it"
                    )
                _WRITERS[kind](path, frame)
            yield path


def _columns(path: Path) -> list[str] | None:
    """The columns of a table that was written before; None where the file is no table."""
    try:
        read = pd.read_parquet if path.suffix == ".parquet" else _first_row
        return list(read(path).columns)
    except (ValueError, OSError):
        return None


def _first_row(path: Path) -> pd.DataFrame:
    return pd.read_csv(path, nrows=0)


def _word(title: str) -> str:
    return title.lower().replace(" ", "-").replace(",", "")


def _csv(path: Path, frame: pd.DataFrame) -> None:
    with beside(path) as written:
        spelled(frame).to_csv(written, index=False, lineterminator="\n")


def _parquet(path: Path, frame: pd.DataFrame) -> None:
    with beside(path) as written:
        frame.to_parquet(written, index=False)


_WRITERS = {"csv": _csv, "parquet": _parquet}
