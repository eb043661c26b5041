"""Making of the samples: `python samples/make` from the root of the repository.

The plays are those stored in `plays/`, so no engine is needed, and the files are the same
everywhere. GNU Backgammon's own exports are not made here: see `play.py`.
"""

from __future__ import annotations

import itertools
import zipfile
from dataclasses import replace
from pathlib import Path

import faults
import faults_examples
import faults_plays
import faults_record
import faults_score
from dialects import SAMPLES
from matches import EXPORTED, load_match
from record import read_export
from rooms import spell_for_sites
from spell import GNUBG, encode, export_match, spell_match

ROOT = Path(__file__).resolve().parent.parent
POSITIONS = """\
XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:3:10

X:Ada Quill   O:Bruno Vale
Score is X:0 O:0 3 pt.(s) match.
X to play 31

    1. 3-ply       8/5 6/5                      eq:+0.159

XGID=aBa---D-B-ABbB--ccAe----A-:0:0:1:D:2:4:0:9:10

X:Cleo Hart   O:Dario Fenn
Score is X:2 O:4 9 pt.(s) match.
X doubles, O to take or pass
"""
"""Two positions as eXtreme Gammon copies them."""


def write_clean(folder: Path) -> None:
    """Write the clean samples."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {f"{spec.name}.mat": export_match(load_match(spec)) for spec in EXPORTED}
    for name, text in texts.items():
        (folder / name).write_bytes(text.encode())
    for sample in SAMPLES:
        match = sample.change(load_match(sample.spec))
        lines = spell_match(match, sample.style, sample.head).lines
        (folder / sample.file).write_bytes(encode([*lines, *sample.tail], sample.style))
    for name, data in spell_for_sites(read_export(texts["redoubles.mat"])):
        (folder / name).write_bytes(data)
    write_variations(folder, texts)


def write_variations(folder: Path, texts: dict[str, str]) -> None:
    """Write the clean samples that show a property of the file, not of the match."""
    one, short = texts["one-point.mat"], texts["short-match.mat"]
    (folder / "several-matches.mat").write_bytes((short.rstrip("\n") + "\n\n" + one).encode())
    (folder / "utf16.mat").write_bytes(b"\xff\xfe" + short.encode("utf-16-le"))
    (folder / "no-match-line.mat").write_bytes(short.replace(" 3 point match\n\n", "").encode())
    match = read_export(short)
    last = match.games[-1]
    half = replace(last, actions=last.actions[:30], winner=None, points=0)
    unfinished = replace(match, games=(*match.games[:-1], half))
    lines = spell_match(unfinished, GNUBG, ('; [EventDate "2031.05.17"]', "")).lines
    (folder / "unfinished.mat").write_bytes(encode(lines, replace(GNUBG, tail="\n")))
    (folder / "positions.txt").write_bytes(POSITIONS.encode())
    with zipfile.ZipFile(folder / "archive.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("one-point.mat", "galaxy.txt", "studio.txt"):
            member = zipfile.ZipInfo(name, (2031, 5, 17, 12, 0, 0))
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, (folder / name).read_bytes())


def write_faulty(folder: Path) -> None:
    """Write the faulty samples."""
    families = (
        faults_record.transcript(),
        faults_record.set_up(),
        faults_record.dice(),
        faults_record.signature(),
        faults_plays.plays(),
        faults_plays.standings(),
        faults_score.cube(),
        faults_score.results(),
        faults_score.remarks(),
    )
    shown = list(itertools.chain(*families))
    codes = {row.code for item in shown for row in item.rows}
    faults.write(folder, [*shown, *faults_examples.examples(codes)])


if __name__ == "__main__":
    write_clean(ROOT / "clean")
    write_faulty(ROOT / "faulty")
