"""Tables as files: CSV, and Parquet where pyarrow is installed."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pandas as pd

from bganalyze.outputs import beside
from bganalyze.render.answer_csv import spelled
from bganalyze.reports.answer import Answer
from bganalyze.tables.frames import Tables
from bganalyze.tables.judged_frames import JudgedTables


def write_tables(folder: Path, tables: Tables | JudgedTables, answer: Answer) -> Iterator[Path]:
    """Write every table and every section of the answer to the folder; yield the files."""
    folder.mkdir(parents=True, exist_ok=True)
    frames = {**tables._asdict()}
    for name, sections in answer.reports.items():
        frames |= {f"{name}-{_word(section.title)}": section.frame for section in sections}
    for name, frame in frames.items():
        yield _csv(folder / f"{name}.csv", frame)
        if find_spec("pyarrow"):
            yield _parquet(folder / f"{name}.parquet", frame)


def _word(title: str) -> str:
    return title.lower().replace(" ", "-").replace(",", "")


def _csv(path: Path, frame: pd.DataFrame) -> Path:
    with beside(path) as written:
        spelled(frame).to_csv(written, index=False, lineterminator="\n")
    return path


def _parquet(path: Path, frame: pd.DataFrame) -> Path:
    with beside(path) as written:
        frame.to_parquet(written, index=False)
    return path
