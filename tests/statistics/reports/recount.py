"""A second count of GNU Backgammon's text reports, which uses nothing of the program.

`python -m tests.statistics.reports.recount FOLDER PLAYER` prints the decisions and the rate of each kind
of decision for the player and for all opponents, to be compared with the norms that come with the program.
"""

from __future__ import annotations

import base64
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

NUMBER = r"([+-]\d+\.\d+)"
CANDIDATE = re.compile(r"^(\*?) +\d+\. Cubeful.*Eq\.: +" + NUMBER, re.MULTILINE)
CUBE = {
    "no": re.compile(r"^\d\. No (?:re)?double +" + NUMBER, re.MULTILINE),
    "take": re.compile(r"^\d\. (?:Double|Redouble), take +" + NUMBER, re.MULTILINE),
    "pass": re.compile(r"^\d\. (?:Double|Redouble), pass +" + NUMBER, re.MULTILINE),
}
TURN = re.compile(
    r"^Move number \d+:  (.+?) (to play|doubles to|on roll, cube decision)", re.MULTILINE
)


def sides(position_id: str) -> tuple[list[int], list[int]]:
    """Return the checkers on points 1 to 25 (bar) of the player not on roll and of the player on roll."""
    bits = [
        byte >> shift & 1 for byte in base64.b64decode(position_id + "==") for shift in range(8)
    ]
    both: list[int] = []
    while len(both) < 50:
        count = bits.index(0)
        both.append(count)
        bits = bits[count + 1 :]
    return both[:25], both[25:]


def phase(position_id: str, turns: int) -> str:
    """Return the phase for a side that had `turns` turns before."""
    back = [
        max((point for point, count in enumerate(side, 1) if count), default=0)
        for side in sides(position_id)
    ]
    if sum(back) > 25:
        return "opening" if turns < 3 else "contact"
    return "bear-off" if max(back) < 7 else "race"


def cube(block: str, sign: int) -> tuple[float, float, float] | None:
    """Return the doubler's equities: no double, take, pass."""
    found = [pattern.search(block) for pattern in CUBE.values()]
    if not all(found):
        return None
    no, take, passed = (sign * float(one[1]) for one in found if one)
    return no, take, passed


def decisions(text: str) -> Iterator[tuple[str, str, float]]:
    """Yield every counted decision of one game: player, kind and loss."""
    turns: dict[str, int] = defaultdict(int)
    starts = [*TURN.finditer(text)]
    ends = [*(start.start() for start in starts[1:]), len(text)][: len(starts)]
    for start, end in zip(starts, ends, strict=True):
        who, what = start[1].lower(), start[2]
        block = text[start.start() : end].partition("Game statistics")[0]
        if what == "doubles to":
            equities, answer = (
                cube(block, -1),
                re.search(r"^\* (.+) (accepts|rejects)", block, re.MULTILINE),
            )
            if equities and answer:
                took = answer[2] == "accepts"
                gain = (equities[1] - equities[2]) * (1 if took else -1)
                yield answer[1].lower(), "take" if took else "pass", max(gain, 0.0)
            continue
        equities = cube(block.partition("\nRolled")[0], 1)
        doubled = re.search(r"^\* .+ (?:re)?doubles", block, re.MULTILINE)
        if equities:
            no, take, passed = equities
            best = max(no, min(take, passed))
            if doubled:
                yield who, "double", best - min(take, passed)
            elif what == "to play" and best - min(take, 1.0) < 0.16:
                yield who, f"no double {'above' if take > 1 else 'below'} cash", best - no
        if what == "to play":
            plays = CANDIDATE.findall(block)
            played = [float(equity) for mark, equity in plays if mark]
            if len(plays) > 1 and played:
                found = re.search(r"Position ID: (\S+)", block)
                assert found
                kind = phase(found[1], turns[who])
                yield who, f"{kind} play", float(plays[0][1]) - played[0]
            turns[who] += 1


def main(folder: str, player: str) -> None:
    sums: dict[tuple[bool, str], list[float]] = defaultdict(lambda: [0, 0.0])
    for path in sorted(Path(folder).rglob("*.txt")):
        for who, kind, lost in decisions(path.read_text("utf-8", "replace")):
            for name in (kind, "all kinds"):
                sums[who == player.lower(), name][0] += 1
                sums[who == player.lower(), name][1] += lost
    for (is_player, kind), (number, lost) in sorted(sums.items()):
        group = "one player" if is_player else "opponents"
        print(f"{group}\t{kind}\t{number:.0f}\t{500 * lost / number:.3f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
