"""JSON: the question, what was counted and left out, and the sections of every report."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from bganalyze.config import title
from bganalyze.render.findings.records import files_record
from bganalyze.render.setting import Setting
from bganalyze.reports.answer import Answer
from bganalyze.reports.figures import Section


def render(answer: Answer, setting: Setting) -> Iterator[str]:
    """Yield one object."""
    whole = {
        "law": None if answer.is_of_verdicts else title(setting.law),
        "question": {name: _value(value) for name, value in answer.question._asdict().items()},
        "counted": answer.counted,
        "left_out": answer.left_out,
        "files": None if answer.files is None else files_record(answer.files),
        "reports": {
            name: [_section(section) for section in sections]
            for name, sections in answer.reports.items()
        },
    }
    yield json.dumps(whole, indent=2) + "\n"


def _section(section: Section) -> dict[str, Any]:
    rows = json.loads(
        section.frame.to_json(orient="records", date_format="iso", double_precision=12)
    )
    return {"title": section.title, "notes": section.notes, "rows": rows}


def _value(value: object) -> object:
    return value if value is None or isinstance(value, bool | int | tuple) else str(value)
