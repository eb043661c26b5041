"""Tables as files: CSV, and Parquet where pyarrow is installed."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pandas as pd

from bganalyze.render.csv_table import safe
from bganalyze.reports.answer import Answer
from bganalyze.tables.frames import Tables


def write_tables(folder: Path, tables: Tables, answer: Answer) -> Iterator[Path]:
    """Write every table and every section of the answer to the folder; yield the files."""
    folder.mkdir(parents=True, exist_ok=True)
    frames = {**tables._asdict()}
    for name, sections in answer.reports.items():
        frames |= {f"{name}-{_word(section.title)}": section.frame for section in sections}
    for name, frame in frames.items():
        yield _csv(folder / f"{name}.csv", frame)
        if find_spec("pyarrow"):
            path = folder / f"{name}.parquet"
            frame.to_parquet(path, index=False)
            yield path


def _word(title: str) -> str:
    return title.lower().replace(" ", "-").replace(",", "")


def _csv(path: Path, frame: pd.DataFrame) -> Path:
    _spelled(frame).to_csv(path, index=False, lineterminator="\n")
    return path


def _spelled(frame: pd.DataFrame) -> pd.DataFrame:
    """The table with text that no spreadsheet takes for a formula."""
    changed = {}
    for name in frame:
        column = frame[name]
        if isinstance(column.dtype, pd.CategoricalDtype):
            known = [safe(str(each)) for each in column.cat.categories]
            if len(set(known)) == len(known):
                changed[name] = column.cat.rename_categories(known)
        elif column.dtype in ("str", "object"):
            changed[name] = column.map(safe, na_action="ignore")
    return frame.assign(**changed)
