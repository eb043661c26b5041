"""Makes the samples: `python samples/make` from the root of the repository.

GNU Backgammon plays the matches (see `selfplay.py`); everything else is spelled here.
"""

from __future__ import annotations

import itertools
import zipfile
from dataclasses import replace
from pathlib import Path

import faults
import faults_plays
import faults_record
import faults_score
import hyper
from dialects import SAMPLES
from exports import exports
from record import read_export
from rooms import spelled
from selfplay import Spec, play
from spell import GNUBG, encode, put

ROOT = Path(__file__).resolve().parent.parent
ADA, BRUNO, CLEO, DARIO = "Ada Quill", "Bruno Vale", "Cleo Hart", "Dario Fenn"

EXPORTS = {
    "gnubg.mat": Spec((ADA, BRUNO), 7, 1, "2031-05-17", "Harbour Open", "Port Linden", "Final"),
    "one-point.mat": Spec((ADA, BRUNO), 1, 213, "2031-05-17"),
    "three-point.mat": Spec((CLEO, DARIO), 3, 18, "2031-05-17"),
    "short-match.mat": Spec((ADA, CLEO), 3, 28, "2031-05-17"),
    "redoubles.mat": Spec((BRUNO, DARIO), 3, 59, "2031-05-17"),
    "eleven-point.mat": Spec((DARIO, ADA), 11, 2, "2031-05-18", "Harbour Open"),
    "nackgammon.mat": Spec((ADA, BRUNO), 1, 11, "2031-05-17", variation="nackgammon"),
    "money-jacoby-beavers.mat": Spec(
        (CLEO, BRUNO), 0, 3, "2031-05-17", games=3, jacoby=True, beavers=1, noise=0.05
    ),
}
"""Files that stay as GNU Backgammon exports them."""


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


def clean(folder: Path) -> None:
    """The clean samples."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = dict(zip(EXPORTS, play([*EXPORTS.values()]), strict=True))
    rules = '; [Jacoby "On"]\n; [Beaver "On"]\n'
    texts["money-jacoby-beavers.mat"] = rules + texts["money-jacoby-beavers.mat"]
    for name, text in texts.items():
        (folder / name).write_bytes(text.encode())
    for sample, text in zip(SAMPLES, play([item.spec for item in SAMPLES]), strict=True):
        match = sample.change(read_export(text))
        lines = put(match, sample.style, sample.head).lines
        (folder / sample.file).write_bytes(encode([*lines, *sample.tail], sample.style))
    match = hyper.play_match((BRUNO, CLEO), 3, 4)
    head = tuple(f'; [{key} "{value}"]' for key, value in match.tags.items())
    (folder / "hypergammon.mat").write_bytes(encode(put(match, GNUBG, (*head, "")).lines))
    variations(folder, texts)
    for name, data in (*exports(texts).items(), *spelled(read_export(texts["redoubles.mat"]))):
        (folder / name).write_bytes(data)


def variations(folder: Path, texts: dict[str, str]) -> None:
    """The clean samples whose point is the file, not the match."""
    one, short = texts["one-point.mat"], texts["short-match.mat"]
    (folder / "several-matches.mat").write_bytes((short.rstrip("\n") + "\n\n" + one).encode())
    (folder / "utf16.mat").write_bytes(b"\xff\xfe" + short.encode("utf-16-le"))
    (folder / "no-match-line.mat").write_bytes(short.replace(" 3 point match\n\n", "").encode())
    match = read_export(short)
    last = match.games[-1]
    half = replace(last, actions=last.actions[:30], winner=None, points=0)
    unfinished = replace(match, games=(*match.games[:-1], half))
    lines = put(unfinished, GNUBG, ('; [EventDate "2031.05.17"]', "")).lines
    (folder / "unfinished.mat").write_bytes(encode(lines, replace(GNUBG, tail="\n")))
    (folder / "positions.txt").write_text(POSITIONS, encoding="utf-8")
    with zipfile.ZipFile(folder / "archive.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("one-point.mat", "galaxy.txt", "studio.txt"):
            member = zipfile.ZipInfo(name, (2031, 5, 17, 12, 0, 0))
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, (folder / name).read_bytes())


def faulty(folder: Path) -> None:
    """The faulty samples."""
    families = (
        faults_record.transcript(),
        faults_record.set_up(),
        faults_record.dice(),
        faults_plays.plays(),
        faults_plays.standings(),
        faults_score.cube(),
        faults_score.results(),
        faults_score.remarks(),
    )
    faults.write(folder, itertools.chain(*families))


if __name__ == "__main__":
    clean(ROOT / "clean")
    faulty(ROOT / "faulty")
