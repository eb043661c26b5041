"""Binary files with something done to what is packed in them, each used under limits.

python -m tests.fuzzing.binary --format bgf --mutants 3000
"""

from __future__ import annotations

import argparse
import copy
import gzip
import json
import os
import struct
import sys
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

try:
    import resource
except ImportError:  # Not on Windows.
    resource = None  # type: ignore[assignment]

import gvformat
from gvformat.bgf import decode_smile, read_bgf

import bganalyze
from bganalyze.analysis.engines import EngineError
from bganalyze.analysis.match import analyze_matches
from bganalyze.record.reader import read_bytes
from bganalyze.record.xg import RECORD, extract_archive
from bganalyze.statistics.tables.frames import tabulate, tabulate_analyzed
from bganalyze.validation.checking import check
from bganalyze.validation.replaying import replay
from bganalyze.writing import WRITERS, UnwritableError, write
from tests.fuzzing.mutants import flip_bytes, spliced
from tests.fuzzing.smile import bgf
from tests.record.test_xg import PLAYED, xg_file

MEMORY = 1536 * 2**20
"""Bytes of address space."""

SECONDS = 10
"""Processor time that a small file may take, and one more for each of its megabytes."""

MOST_RESIDENT = 300 * 2**20
"""Bytes of memory that a small file may take, and 50 more for each of its bytes."""

NUMBERS: tuple[Any, ...] = (
    *(-1, 0, 1, 7, 15, 16, 24, 25, 26, 31, 64, 99, 127, 128, 255, 1000, 99_999, 10**8),
    *(2**16, 2**31 - 1, 2**31, 2**32, 2**63, 2**64, 2**70, 10**30, -(2**31), -(2**63)),
    *(0.5, -0.0, 1.5, 1e-300, 1e300, -1e300, float("inf"), float("-inf"), float("nan")),
)
OTHERS: tuple[Any, ...] = (
    *(None, True, False, "", "x", "1", "1e999", "NaN", "9" * 5_000, "\ud800", "\0\x1b[2J", "a\nb"),
    *([], {}, [1], {"a": 1}, [[]], "\u202e" * 50),
)

MATCH = 3
"""The status of a process that has used a match."""

Mutator = Callable[[bytes, Random], bytes]


# -- trees: .gva as it is, .bgf unpacked ---------------------------------------------------------------


def alter_values(tree: Any, rng: Random) -> Any:
    """Return a tree of values with one to four of them other ones."""
    tree = copy.deepcopy(tree)
    for _ in range(rng.randint(1, 4)):
        places = list(_places(tree))
        if places:
            _alter(*rng.choice(places), rng)
    return tree


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every place of a tree: what holds it, and its key there."""
    waiting = [tree]
    while waiting:
        holder = waiting.pop()
        keys: Sequence[Any] = list(holder) if isinstance(holder, dict) else range(len(holder))
        for key in keys:
            yield holder, key
            if isinstance(holder[key], dict | list):
                waiting.append(holder[key])


def _alter(holder: Any, key: Any, rng: Random) -> None:
    held = holder[key]
    chance = rng.random()
    if chance < 0.1:
        del holder[key]
    elif chance < 0.25 and isinstance(held, list):
        holder[key] = held * rng.choice((2, 10, 1_000))
    elif chance < 0.3 and isinstance(held, list | dict):
        for _ in range(rng.choice((3, 100, 300))):
            holder[key] = [holder[key]]
    elif chance < 0.35 and isinstance(held, str):
        holder[key] = held * rng.choice((50, 5_000)) + "x"
    else:
        holder[key] = rng.choice(NUMBERS if rng.random() < 0.7 else OTHERS)


def gva(data: bytes, rng: Random) -> bytes:
    """Change values in a document of GammonView."""
    text = json.dumps(alter_values(json.loads(data), rng))
    if rng.random() < 0.05:
        text = rng.choice(
            ('{"games": [], "plies": ' + "[" * 100_000, text.replace("[", "[" * 5_000, 1))
        )
    return text.encode()


def bgblitz(data: bytes, rng: Random) -> bytes:
    """Change values or bytes in a file of BGBlitz, packed in one way or another."""
    pack = rng.choice((gzip.compress, gzip.compress, zlib.compress, bytes, _members, _twice))
    if rng.random() < 0.7:
        return bgf(alter_values(decode_smile(read_bgf(data)[1]), rng), pack)
    head, _, content = data.partition(b"\n")
    with suppress(OSError, EOFError, zlib.error):
        content = gzip.decompress(content)
    for _ in range(rng.randint(1, 3)):
        content = rng.choice(BYTES)(content, rng)
    return head + b"\n" + pack(content)


def _members(content: bytes) -> bytes:
    """Several gzip members, the last one of zeros."""
    half = len(content) // 2
    return b"".join(map(gzip.compress, (content[:half], content[half:], bytes(50_000_000))))


def _twice(content: bytes) -> bytes:
    return gzip.compress(gzip.compress(content))


# -- bytes ---------------------------------------------------------------------------------------------


def other_number(data: bytes, rng: Random) -> bytes:
    """Change a number of 1 to 8 bytes."""
    width, number = rng.choice((1, 2, 4, 4, 8)), rng.choice(NUMBERS)
    if isinstance(number, float):
        form = "<d" if width == 8 else "<f"
        with suppress(OverflowError):
            return _put(data, struct.pack(form, number), rng)
        return data
    return _put(data, (number % (1 << 8 * width)).to_bytes(width, "little"), rng)


def _put(data: bytes, piece: bytes, rng: Random) -> bytes:
    at = rng.randrange(max(len(data), 1))
    return data[:at] + piece + data[at + len(piece) :]


def long_number(data: bytes, rng: Random) -> bytes:
    """Make a number very long."""
    at = rng.randrange(len(data) + 1)
    piece = rng.choice((b"\x24\x00", b"\x24\x3f", b"\xff", b"\x80", b"\x7f"))
    return data[:at] + piece * rng.choice((3, 20, 5_000, 200_000)) + data[at:]


def repeated_stretch(data: bytes, rng: Random) -> bytes:
    """Repeat a stretch many times."""
    at = rng.randrange(len(data) + 1)
    stretch = data[at : at + rng.choice((1, 2, 5, 30, RECORD))]
    times = rng.choice((2, 20, 2_000, 100_000 // max(len(stretch), 1)))
    return data[:at] + stretch * times + data[at:]


def cut(data: bytes, rng: Random) -> bytes:
    """Delete some bytes."""
    at = rng.randrange(len(data) + 1)
    return data[:at] + data[at + rng.choice((1, 3, 50, len(data))) :]


BYTES: tuple[Mutator, ...] = (
    flip_bytes,
    flip_bytes,
    other_number,
    other_number,
    long_number,
    repeated_stretch,
    cut,
)


def extreme_gammon(data: bytes, rng: Random) -> bytes:
    """Change records in a file of eXtreme Gammon and pack it again, or damage its archive."""
    if rng.random() < 0.15:
        return rng.choice(BYTES)(data, rng)
    packed = extract_archive(data)
    content = bytearray(zlib.decompress(packed))
    for _ in range(rng.choice((1, 1, 2, 5, 30))):
        start = rng.randrange(0, len(content), RECORD)
        at = start + 4 * rng.randrange(RECORD // 4)
        content[at : at + 8] = other_number(bytes(content[at : at + 8]), rng)[:8].ljust(8, b"\0")
    changed = bytes(content)
    if rng.random() < 0.2:
        changed = rng.choice(BYTES)(changed, rng)
    if rng.random() < 0.2:
        changed *= rng.choice((2, 30))
    comments = [
        rng.choice((b"{\\rtf1 ", b"\\u-1?", b"{", b"}", b"\\f9", b"\\'ff"))
        * rng.choice((1, 1, 1, 50, 90_000))
    ] * rng.choice((0, 1, 1, 3))
    return xg_file([changed], comments)


def ogxm(data: bytes, rng: Random) -> bytes:
    """Change bytes of an OGXM file and drop its checksum, or make it of another document."""
    if rng.random() < 0.3:
        with suppress(Exception):  # whatever the writer does not take
            return bytes(gvformat.write_gvab(alter_values(gvformat.read_gvab(data), rng)))
    body = _without_checksum(data)
    for _ in range(rng.choice((1, 1, 2, 4))):
        body = rng.choice(BYTES)(body, rng)
    if body[4:5] == b"\x02":
        return body[:12] + struct.pack("<I", len(body)) + body[16:]
    return body[:12] + bytes(4) + body[16:]


def _without_checksum(data: bytes) -> bytes:
    at = data.rfind(b"CSUM")
    return data if at < 0 else data[:at] + data[-4 if data[4] == 2 else -8 :]


# -- what they are made of -----------------------------------------------------------------------------

EVAL = {"win": 0.5, "gammon_win": 0.1, "bg_win": 0.01, "gammon_loss": 0.1, "bg_loss": 0.01}
DOCUMENT: dict[str, Any] = {
    "match_length": 3,
    "player_white": "Ann",
    "player_black": "Bob",
    "event": "Club night",
    "timestamp": 1_700_991_000,
    "analysis_info": {"model_id": "xg", "ply": 2, "eval_level": "2ply"},
    "clock_info": {"reserve_ms": 1000, "delay_ms": 8},
    "games": [
        {
            "winner": 0,
            "points_won": 2,
            "is_crawford": False,
            "auto_doubles": 0,
            "plies": [
                {
                    "color": 1,
                    "action_id": 2,
                    "d1": 3,
                    "d2": 1,
                    "timestamp_ms": 100,
                    "moves": [{"from": 17, "pips": 3}, {"from": 19, "pips": 1}],
                    "analysis": {
                        "best_equity": 0.15,
                        "played_equity": 0.15,
                        "luck": 0.1,
                        "decision": True,
                        "eval": EVAL,
                        "alternatives": [
                            {
                                "equity": 0.15,
                                "move": [{"from": 17, "pips": 3}, {"from": 19, "pips": 1}],
                                "eval": EVAL,
                                "eval_level": "3ply",
                                "is_played": True,
                            },
                            {"equity": 0.1, "move": [{"from": 12, "pips": 4}], "eval": EVAL},
                        ],
                        "cube_decision": {
                            "no_double_equity": 0.1,
                            "double_take_equity": -0.2,
                            "double_pass_equity": 1.0,
                            "eval": EVAL,
                        },
                    },
                },
                {"color": 0, "action_id": 21},
                {"color": 1, "action_id": 22},
                {"color": 0, "action_id": 20, "d1": 6, "d2": 6, "moves": [{"from": 24, "pips": 6}]},
                {"color": 1, "action_id": 1, "d1": 2, "d2": 1, "set_position": [0] * 26},
                {"color": 1, "action_id": 27},
            ],
        },
        {"winner": 1, "points_won": 1, "initial_board": [0] * 12 + [5, -5] + [0] * 12, "plies": []},
    ],
}

_START = [2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2, 0, 0, 0, 0]
_CUBE = {
    "hasDoubled": None,
    "hasAccepted": None,
    "eqNoDouble": "0.50818278",
    "eqDoubleTake": "0.49196678",
    "eqDoublePass": "0.55954434",
    "eqCubeFul": "0.50818278",
    "stateOnMove": "NO_DOUBLE",
    "stateOther": "ACCEPT",
}
_EQUITY = {
    "myWins": "0.53",
    "myGammon": "0.15",
    "myBackGammon": "0.00",
    "oppGammon": "0.12",
    "oppBackGammon": "0.00",
    "matchEquity": "0.50588337",
    "emg": "0.13742325",
    "hasEMG": True,
    "cubeDecision": _CUBE,
}
_PLAY = {"from": [8, 6, -1, -1], "to": [5, 5, -1, -1], "player": -1}
BGBLITZ: dict[str, Any] = {
    "matchlen": 3,
    "finalGreen": 1,
    "finalRed": 0,
    "useCrawford": True,
    "date": "2026.01.13",
    "nameGreen": "Ann",
    "nameRed": "Bob",
    "cubeLimit": -1,
    "games": [
        {
            "isCrawford": False,
            "wonPoints": 1,
            "wasResignation": True,
            "scoreGreen": 0,
            "scoreRed": 0,
            "initial": {"cube": 1, "points": _START, "cubeOwner": 0},
            "moves": [
                {
                    **_PLAY,
                    "red": 3,
                    "green": 1,
                    "ply": 2,
                    "equity": _EQUITY,
                    "dancingEquity": None,
                    "luck": {"luckPlain": "0.1", "luckWeighted": "0.2", "mode": "Match"},
                    "pr": {"cubeError": "-99", "checkerError": "-0.1"},
                    "moveAnalysis": [{"move": _PLAY, "eq": _EQUITY, "ply": 3, "played": True}],
                },
                {
                    "from": [-1],
                    "to": [-1],
                    "player": 1,
                    "equity": {**_EQUITY, "cubeDecision": {**_CUBE, "hasDoubled": True, "hasAccepted": True}},
                },
                {"from": [-1], "to": [-1], "player": -1},
            ],
        }
    ],
}  # fmt: skip

BASES: dict[str, list[bytes]] = {
    "xg": [PLAYED],
    "bgf": [bgf(BGBLITZ)],
    "ogxm": [gvformat.write_gvab(DOCUMENT), gvformat.write_gvab_v1(DOCUMENT)],
    "gva": [json.dumps(DOCUMENT).encode()],
}
MUTATORS: dict[str, Mutator] = {"xg": extreme_gammon, "bgf": bgblitz, "ogxm": ogxm, "gva": gva}


def mutant(known_as: str, rng: Random, more: Sequence[bytes] = ()) -> bytes:
    """Return a mutant of a file of that format."""
    base = rng.choice([*BASES[known_as], *more])
    if rng.random() < 0.05:
        return spliced(base, rng.choice(BASES[known_as]), rng)
    return MUTATORS[known_as](base, rng)


# -- their use -----------------------------------------------------------------------------------------


def use(data: bytes) -> bool:
    """Do what the commands do with a file, and return whether it is a match.

    Raises nothing that the commands do not expect.
    """
    try:
        matches = read_bytes(data, "mutant")
    except bganalyze.NotATranscript:
        return False
    check(matches)
    replays = [replay(match) for match in matches]
    for name in WRITERS:
        with suppress(UnwritableError):
            write(replays, name)
    tables = tabulate(replays)
    assert len(tables.matches) == len(matches)
    with suppress(EngineError):
        for analyzed in analyze_matches(matches, "recorded"):
            json.dumps([analyzed.rows, analyzed.results], allow_nan=False)
            tabulate_analyzed([analyzed])
    return True


class Spent(NamedTuple):
    """Time and memory that a file took, and the failures."""

    seconds: float
    resident: int
    """Bytes of memory beyond those of the process that it was started from."""
    trouble: str | None
    is_match: bool = False


def use_file(data: bytes) -> Spent:
    """Use a file in a process of its own, with limits."""
    reader, writer = os.pipe()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    child = os.fork()
    if child == 0:
        os.close(reader)
        _use_in_limits(data, writer)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        trouble = pipe.read().decode()
    _, status, usage = os.wait4(child, 0)
    if os.WIFSIGNALED(status):
        trouble = f"ended by signal {os.WTERMSIG(status)}"
    seconds, resident = usage.ru_utime + usage.ru_stime, max(usage.ru_maxrss - before, 0) * 1024
    trouble = trouble or _too_much(seconds, resident, len(data))
    return Spent(seconds, resident, trouble, is_match=os.waitstatus_to_exitcode(status) == MATCH)


def _use_in_limits(data: bytes, writer: int) -> None:
    limit = int(SECONDS + len(data) / 2**20) + 1
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY + 2**30, MEMORY + 2**30))
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    try:
        status = MATCH if use(data) else 0
    except BaseException as error:  # noqa: BLE001 - any at all is what is looked for
        trace = error.__traceback__
        where = ""
        while trace is not None:
            code = trace.tb_frame.f_code
            if "site-packages" not in code.co_filename and "fuzzing" not in code.co_filename:
                where = f"{Path(code.co_filename).name}:{trace.tb_lineno}"
            trace = trace.tb_next
        words = f"{type(error).__name__} in {where}: {str(error)[:150]!r}"
        os.write(writer, words.encode("utf-8", "replace"))
        status = 1
    os._exit(status)


def _too_much(seconds: float, resident: int, size: int) -> str | None:
    if seconds > SECONDS + size / 2**20:
        return f"took {seconds:.1f} s"
    if resident > MOST_RESIDENT + 50 * size:
        return f"took {resident >> 20} MiB"
    return None


@cache
def _more(paths: tuple[Path, ...]) -> list[bytes]:
    return [path.read_bytes() for path in paths]


def main() -> int:
    """Use mutants, and show what goes wrong; the status is 1 if anything does."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing.binary", description=__doc__)
    parser.add_argument("--format", choices=list(BASES), required=True)
    parser.add_argument("--mutants", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--base", type=Path, nargs="*", default=[], help="more files to start from")
    parser.add_argument("--keep", type=Path, help="a folder for the files that went wrong")
    options = parser.parse_args()
    use(BASES["gva"][0])  # Its imports are not counted.
    counts, worst, began = Counter[str](), Spent(0, 0, None), time.monotonic()
    matches = 0
    for number in range(options.mutants):
        rng = Random(f"{options.seed}:{number}")
        data = mutant(options.format, rng, _more(tuple(options.base)))
        took = use_file(data)
        worst = Spent(max(worst.seconds, took.seconds), max(worst.resident, took.resident), None)
        matches += took.is_match
        if took.trouble:
            kind = took.trouble.partition(":")[0] + took.trouble.partition(":")[2][:12]
            counts[kind] += 1
            if counts[kind] <= 2:
                print(f"{options.format} {number} ({len(data)} bytes): {took.trouble}", flush=True)
                if options.keep:
                    options.keep.mkdir(parents=True, exist_ok=True)
                    (options.keep / f"{number}.{options.format}").write_bytes(data)
    print(
        f"{options.mutants} mutants of {options.format} in {time.monotonic() - began:.0f} s, {matches} matches"
    )
    print(f"at most {worst.seconds:.1f} s and {worst.resident >> 20} MiB; wrong: {dict(counts)}")
    return int(bool(counts))


if __name__ == "__main__":
    sys.exit(main())
