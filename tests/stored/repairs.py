"""What a repair proposes for each slip in a small match, with its likelihood to four digits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from bganalyze.record.reader import read_bytes
from bganalyze.repairing.search import find_repairs_in_file
from bganalyze.validation.checking import check
from bganalyze.validation.findings import Finding, Proposal
from tests.faults.catalog import FAULTS, IN_BGM_TEXT, Fault
from tests.faults.record import Record, open_record
from tests.repairing.clean import MATCH, clean

MOST_EDITS = 3
"""Most edits of a proposal that are shown."""

ODD = {
    "a take with two letters exchanged": ("Takes", "Tkaes"),
    "a pass with two letters exchanged": ("Drops", "Dorps"),
    "a pass that cannot be read": ("Drops", "smear"),
    "a double with two letters exchanged": (
        "13/9              Doubles",
        "13/9              Duobles",
    ),
    "a double to too much": ("13/9              Doubles => 2", "13/9              Doubles => 8"),
    "a double without a number": ("13/9              Doubles => 2", "13/9              Dobles"),
    "a take in two rows": ("  5)  Takes   ", "  5)  Takes\n  5)  Takes   "),
    "a beaver instead of a take": ("Takes       ", "Beavers => 4"),
    "a result with two letters exchanged": ("Wins 2 points", "Wnis 2 points"),
    "a score that cannot be read": ("Ann : 2      ", "Ann : ?      "),
    "a game line that cannot be read": (" Game 2", " Gmae 2"),
    "a dance with a play": ("66:            ", "66: bar/19(2)  "),
    "a roll of one die": ("63: 24/15\n  7)", "6: 24/15\n  7)"),
}
"""Changes of the match, each by hand: what was written, and what is written now."""


GAMES = {
    "a score too high": (" Ann : 2  ", " Ann : 3  "),
    "a score of the other side": (
        "Ann : 2                         Bob : 0",
        "Ann : 0                         Bob : 2",
    ),
    "no score line": (" Ann : 2                         Bob : 0\n", ""),
    "no game line": (" Game 2\n", ""),
    "neither game line nor score line": (
        "\n Game 2\n Ann : 2                         Bob : 0\n",
        "",
    ),
    "a game with a later number": (" Game 2", " Game 5"),
    "a game with the number before": (" Game 3", " Game 2"),
    "names exchanged": (
        "Ann : 3                         Bob : 0",
        "Bob : 3                         Ann : 0",
    ),
    "a name misspelled": (" Ann : 3 ", " Amn : 3 "),
    "too few points": ("Wins 2 points", "Wins 1 point"),
    "too many points at the end": (f"{34 * ' '}Wins 1 point", f"{34 * ' '}Wins 3 points"),
    "a result of the other side": ("      Wins 1 point", f"{34 * ' '}Wins 1 point"),
    "the last result of the other side": (f"{34 * ' '}Wins 1 point", "      Wins 1 point"),
    "no result": ("      Wins 2 points\n", ""),
    "a result twice": ("      Wins 2 points\n", "      Wins 2 points\n      Wins 2 points\n"),
    "no end": ("  7) 21: bar/23 6/5              54: 13/4\n      Wins 2 points\n", ""),
    "a length too short": (" 5 point", " 3 point"),
    "no length": (" 5 point match\n", ""),
    "a game lost": (MATCH[MATCH.index(" Game 2") : MATCH.index(" Game 3")], ""),
}
"""Changes of what is written about the games, by hand."""

IN_SGF = """\
(;FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon:1.06]MI[length:5][game:0][ws:0][bs:0]PW[Ann]PB[Bob]RE[W+2R]
;W[31hefe];B[42qusu]
;W[65xrrm];B[61lrqr]
;W[64xttn];B[52lnlq]
;W[43yvmi];B[double]
;W[take];B[31svuv]
;W[66];B[63aggj]
;W[21ywfe];B[54lqqu])
"""
ODD_IN_SGF = (
    *(("52lnlq", "52lnlz"), ("64xttn", "64xttx"), ("64xttn", "64x#tn"), ("21ywfe", "21yw")),
    *(("43yvmi", "43vymi"), ("61lrqr", "51lrqr"), ("W[66]", "W[6]"), ("63aggj", "63")),
    *(("63aggj", "63ag?j"), ("B[double]", "B[31svuv]"), ("W[65xrrm];", "")),
)
"""Changes of the game in Smart Game Format, which writes points as letters."""

IN_BGM = """\
bganalyze match 1
left: Ann
right: Bob
length: 5
conventions: hits

game
score 0-0
1. L 31 8/5 6/5 | R 42 8/4 6/4
2. L 65 24/13 | R 61 13/7 8/7
3. L 64 24/14 | R 52 13/11* 13/8
4. L 43 bar/22 13/9 | R double 2
5. L take | R 31 6/3* 4/3
6. L 66 | R 63 24/15
7. L 21 bar/23 6/5 | R 54 13/4
L wins 2

game
score 2-0
1. R 21 13/11 6/5
2. L 41 24/23 13/9 | R 63 24/15
3. L 32 13/11 13/10* | R 51 bar/20 6/5
4. L double 2 | R pass
L wins 1

game
score 3-0
1. L 61 13/7 8/7 | R 41 24/23 13/9
2. L 52 13/8 13/11 | R 62 24/22 13/7
3. L 31 8/5 6/5 | R 32 13/11 13/10
R wins 1
"""


def repair_slips(seed: int) -> str:
    """Return a slip of each kind: the lines it changes, the findings, and the edits proposed."""
    return _write(_repair(fault, clean(), seed) for fault in FAULTS)


def repair_slips_in_bgm() -> str:
    """Return slips in `.bgm` text without numbers of games: the lines, the findings and the edits."""
    record = open_record("match.bgm", IN_BGM.encode())
    assert record is not None
    faults = (fault for fault in FAULTS if fault.name in IN_BGM_TEXT)
    return _write(_repair(fault, record, 1) for fault in faults)


def _repair(fault: Fault, record: Record, seed: int) -> Iterator[str]:
    slip = fault.make(record, Random(seed))
    if slip is not None:
        yield f"== {fault.name}"
        for part in slip.parts:
            yield from (f"- {line}" for line in part.was)
            yield from (f"+ {line}" for line in part.now)
        yield from _describe("\n".join(slip.lines))


def repair_odd_slips() -> str:
    """Return slips that were made by hand: the findings, and the edits proposed."""
    changes = [(MATCH, name, *change) for name, change in (ODD | GAMES).items()]
    changes += [(IN_SGF, f"{old} → {new}", old, new) for old, new in ODD_IN_SGF]
    return _write(_repair_by_hand(*change) for change in changes)


def _repair_by_hand(text: str, name: str, old: str, new: str) -> Iterator[str]:
    assert old in text
    yield f"== {name}"
    yield from _describe(text.replace(old, new, 1))


def _write(described: Iterable[Iterable[str]]) -> str:
    text = "\n".join("".join(f"{line}\n" for line in lines) for lines in described)
    return text.encode(errors="backslashreplace").decode()


def _describe(text: str) -> Iterator[str]:
    data = text.encode(errors="surrogateescape")
    yield from (
        f"{_place(one)} {one.severity}: {one.message}"
        for one in check(read_bytes(data, "match.mat"))
    )
    for found in find_repairs_in_file(data, "match.mat"):
        yield f"repair of {_place(found.finding)}"
        for proposal in found.proposals:
            yield from _describe_proposal(proposal)


def _place(finding: Finding) -> str:
    return f"{finding.line}:{finding.column} {finding.code}"


def _describe_proposal(proposal: Proposal) -> Iterator[str]:
    why = "proved" if proposal.proved else proposal.doubt or "not proved"
    errors = f"{proposal.errors_before} → {proposal.errors_after}"
    yield f"  {proposal.probability:.4f} {proposal.kind}, {why}, {errors}: {proposal.message}"
    for edit in proposal.edits[:MOST_EDITS]:
        yield f"    {edit.line} {edit.old!r} → {edit.new!r}"
    yield from (f"    or {', '.join(rolls)}" for rolls in proposal.other_rolls)
