"""Noise: bytes that never were a transcript, and texts that merely use its words."""

from __future__ import annotations

from random import Random

MOST_BYTES = 4_000
MOST_WORDS = 400

WORDS = (
    *(" 7 point match", " 0 point match", "Match to 5", "\n\n Game 1\n", "\n Game 2\n", "Game 3"),
    *(" Ann : 0                 Bob : 0\n", " Ann : 3    Bob : 5\n", "Ann:1", ": 0 : 0"),
    *("\n  1) ", "\n  2) ", "\n 10)", "  3)", "\n1.", "\n*)", "31: ", "66: ", "00: ", "78:", "5:"),
    *("8/5 6/5", "24/18*", "bar/20", "6/off", "6/off(2)", "13/7*/1*", "8/5(5)", "25/0", "0/0"),
    *("6/8", "bar/off", "26/1", "8/", "/5", "8//5", "24/20/16/12/8", "1/off", "13/13", "Bar/24(4)"),
    *("Cannot Move", "????", "Illegal play", "Illegal play (1;2;3)", "illegal", "?"),
    *(
        "Doubles => 2",
        "Doubles",
        "Doubles => 99999999",
        "Redoubles to 8",
        "Beavers => 4",
        "Raccoon",
    ),
    *(
        "Takes",
        "Drops",
        "Pass",
        "Accepts",
        "Rejects",
        "Wins 1 point",
        "Wins 2 points and the match",
    ),
    *(
        "Wins 4016 point",
        "Wins 0 points",
        "Losses 2 points",
        "Resigns",
        "Concedes match",
        "Forfeits",
    ),
    *("loses on time", "; comment", '\n; [Site "x"]', "\n; [", "\n# ", "; Set Pos=", "\n"),
    *(
        "\n; Set Pos=-b----E-C---eE---c-e----B-/0\n",
        "\n; Set Pos=zzzzzzzzzzzzzzzzzzzzzzzzzz/9999\n",
    ),
    *("   ", "          ", "\t", "                              ", "(", ")", "[", "]", ":", "=>"),
    *('; [Variation "Hypergammon"]\n', '; [Variation "Nackgammon"]\n', '; [Crawford "Off"]\n'),
    *('; [Jacoby "On"]\n', '; [CubeLimit "1"]\n', '; [CubeLimit "x"]\n', '; [Beaver "Off"]\n'),
    *('; [Position "x"]\n', '; [Player 1 Elo "9,00/0"]\n', '; [Site "BackgammonGalaxy"]\n'),
)
"""Pieces of match text, good and bad."""


def noise(rng: Random) -> bytes:
    """Return a file of noise of one kind or another."""
    kind = rng.randrange(6)
    if kind == 0:
        return rng.randbytes(rng.randrange(MOST_BYTES))
    if kind == 1:
        return bytes(rng.choice(b" \n\t0123456789/:*()abz;=>") for _ in range(rng.randrange(2_000)))
    if kind == 2:
        return unicode_text(rng, rng.randrange(1_000)).encode("utf-8", "surrogatepass")
    header = rng.choice(
        ("", " 7 point match\n\n Game 1\n Ann : 0          Bob : 0\n", "5 point match\n")
    )
    text = header + (vocabulary(rng, rng.randrange(MOST_WORDS)) if kind < 5 else rows(rng))
    return text.encode(rng.choice(("utf-8", "utf-8", "utf-8-sig", "utf-16")))


def vocabulary(rng: Random, words: int) -> str:
    """Return a text of the format's words in any order."""
    return "".join(rng.choice(WORDS) + rng.choice(("", " ", " ", "\n")) for _ in range(words))


def rows(rng: Random) -> str:
    """Return rows of the right shape with anything in their cells."""
    lines = []
    for number in range(1, rng.randrange(2, 60)):
        label = number if rng.random() < 0.9 else rng.randrange(200)
        lines.append(f"{label:3}) {_cell(rng):28} {_cell(rng)}")
    return "\n".join(lines) + "\n"


def _cell(rng: Random) -> str:
    if rng.random() < 0.15:
        return rng.choice(
            ("Takes", "Drops", "Doubles => 2", "Doubles => 4", "Wins 1 point", "", "??")
        )
    steps = [f"{rng.randrange(27)}/{rng.randrange(26)}" for _ in range(rng.randrange(5))]
    return f"{rng.randrange(1, 7)}{rng.randrange(1, 7)}: {' '.join(steps)}"


def unicode_text(rng: Random, length: int) -> str:
    """Return characters from everywhere, half of them from a few troublesome places."""
    odd = "\u0000\u200b\u2028\u2029\u0085\ufeff\ufffd\u0301\u202e\u00a0\u3000\u0660\u00b2\u2460"
    return "".join(
        rng.choice(odd) if rng.random() < 0.3 else chr(rng.choice(_PLANES) + rng.randrange(128))
        for _ in range(length)
    )


_PLANES = (0x20, 0xA0, 0x370, 0x400, 0x5D0, 0x660, 0x3040, 0x4E00, 0xFF00, 0x1F600, 0xE000, 0x20000)
