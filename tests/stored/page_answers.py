"""What the page is answered about small files: each event, with long values cut off."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterator, Mapping
from zlib import crc32

import bganalyze
from bganalyze.record.reader import read_bytes
from bganalyze.validation.replaying import replay
from bganalyze.writing import write
from tests.app.serving.asking import ask_page
from tests.statistics.match_report.analyzed import MATCH
from tests.stored.written import ODD

BEAVER, _, RULINGS, POSITION = (text.encode() for text in ODD.values())
MOST_SHOWN = 160


def answer_page() -> str:
    """Return the answers to each kind of request that needs neither reports nor an engine."""
    return "\n".join(
        "".join(f"{line}\n" for line in _ask(name, files, options))
        for name, files, options in _requests()
    )


def _requests() -> Iterator[tuple[str, Mapping[str, bytes], Mapping[str, object]]]:
    binary = write([replay(match) for match in read_bytes(POSITION, "a.bgm")], "gvab").data
    texts = {"beaver.bgm": BEAVER, "club/rulings.bgm": RULINGS, "tiny.mat": MATCH.encode()}
    position = {"position.bgm": POSITION}
    yield "check", texts, {"rules": "wbf"}
    yield "check", {"note.txt": b"Dear all"}, {}
    for path in ("beaver.bgm", "club/rulings.bgm"):
        yield "explain", {path: texts[path]}, {"path": path}
        yield "propose", {path: texts[path]}, {"path": path}
    for files in (position, {"position.gvab": binary}):
        (path,) = files
        yield "propose", files, {"path": path}
        yield "repair", files, {"path": path, "chosen": [[1, 1]]}
    for to in ("mat", "sgf", "xg-text"):
        yield "convert", {"rulings.bgm": RULINGS}, {"path": "rulings.bgm", "to": to}


def _ask(name: str, files: Mapping[str, bytes], options: Mapping[str, object]) -> Iterator[str]:
    yield f"== {name} {', '.join(files)} {json.dumps(options)}"
    for event in ask_page(name, files, **options):
        event["data"] = b64decode(event.get("data", "")).decode("utf-8-sig")
        yield from (f"{key}: {_cut(value)}" for key, value in event.items() if value != "")
        yield ""


def _cut(value: object) -> str:
    """Return a value as JSON; of a long one the beginning, and a digest of all."""
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    text = written.replace(bganalyze.__version__, "VERSION")
    rest = f"… {crc32(text.encode()):08x}" if len(text) > MOST_SHOWN else ""
    return text[:MOST_SHOWN] + rest


if __name__ == "__main__":
    print(answer_page())
