"""What mutants are made from: the project's samples, real files where there are any, and this."""

from __future__ import annotations

from pathlib import Path

from bganalyze.transcript.formats import FORMATS

PLAIN = b"""\
; [Site "Example"]
; [Player 1 "Ann"]
; [Player 2 "Bob"]

 3 point match

 Game 1
 Ann : 0                         Bob : 0
  1)                             31: 8/5 6/5
  2) 64: 24/14                   52: 13/8 24/22
  3) 55: 8/3*(2) 13/8(2)         66: Cannot Move
  4)  Doubles => 2                Drops
      Wins 1 point

 Game 2
 Ann : 1                         Bob : 0
  1) 21: 13/11 6/5               Doubles => 2
  2)  Takes                      44: 24/20*(2) 13/9(2)
  3) 63: bar/22 24/18            55: 8/3(2) 6/1*(2)
  4) 41: ????
                                  Wins 2 points

 Game 3
 Ann : 1                         Bob : 2
  1) 65: 24/13                   32: 24/21 13/11
"""

FOLDER = Path(__file__).parent.parent.parent / "samples"

TEXTS = {suffix for known in FORMATS for suffix in known.extensions}
"""The suffixes of what is read."""

LARGEST = 100_000
"""Larger real files only make mutants slow."""


def bases(corpus: Path | None = None) -> list[bytes]:
    """Return the contents of every file that mutants are made from, in a fixed order."""
    paths = [path for path in FOLDER.rglob("*") if path.suffix in TEXTS]
    if corpus is not None:
        real = (path for path in corpus.glob("*/*") if path.suffix in TEXTS)
        paths += [path for path in real if path.stat().st_size <= LARGEST]
    return [PLAIN, *(path.read_bytes() for path in sorted(paths))]
