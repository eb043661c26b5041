"""A league of simulated matches, and a table of its results in which contradictions are planted.

`python -m tests.claims --matches 1000 --planted 100 --seed 1` verifies such a league, and counts of each
kind how many were found, and what was found besides.
"""

from __future__ import annotations

import argparse
import datetime as dt
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NamedTuple

import bganalyze
from bganalyze.board.position import start_position, swap_sides
from bganalyze.statistics.claimed_results.verdicts import Verdict, Verification
from tests.player_errors import choose_play, count_points, write_turn

FIRST_NAMES = ("Ada", "Bruno", "Cleo", "Søren", "Zoë", "Jürgen", "Łucja", "Émile", "Ines", "Tam")
LAST_NAMES = ("Quill", "Vale", "Hart", "Fenn", "Ardal", "Müller", "O'Dell", "Nagy-Kis")
START = dt.date(2024, 1, 16)
EVENT = "Lantern League"


class Played(NamedTuple):
    """A simulated match."""

    players: tuple[str, str]
    score: tuple[int, int]
    length: int
    round: int
    date: dt.date
    text: str


class Line(NamedTuple):
    """A line of the table of results."""

    round: str
    date: str
    players: tuple[str, str]
    score: tuple[int, int]
    length: str

    def __str__(self) -> str:
        cells = ('"' + name + '"' for name in self.players)
        return ";".join((EVENT, self.round, self.date, *cells, *map(str, self.score), self.length))


class Case(NamedTuple):
    """A match of the league: the files that there are of it, and the lines of the table."""

    played: Played
    files: list[str]
    lines: list[Line]


class Planted(NamedTuple):
    """Statuses of lines and files that a planted contradiction must lead to."""

    kind: str
    statuses: tuple[str, ...]
    differs: tuple[str, ...] = ()


# Simulated matches.


def play_match(rng: Random, players: tuple[str, str], length: int, number: int) -> Played:
    """Return a simulated match to `length`, in round `number`; most of its games end with a pass."""
    date = START + dt.timedelta(7 * number)
    tags = {"Event": EVENT, "Round": f"Round {number}", "EventDate": f"{date:%Y.%m.%d}"}
    lines = [f'; [{key} "{value}"]' for key, value in tags.items()] + [f" {length} point match"]
    score, game, crawford = [0, 0], 0, "before"
    while max(score) < length:
        game += 1
        if crawford == "before" and length - 1 in score:
            crawford = "now"
        lines += ["", f" Game {game}"]
        left, right = (f"{name} : {won}" for name, won in zip(players, score, strict=True))
        lines.append(f" {left:31} {right}")
        rows, winner, points = play_random_game(rng, may_double=crawford != "now")
        score[winner] = min(score[winner] + points, length)
        ending = " and the match" if score[winner] == length else ""
        word = f"Wins {points} point{'s' * (points > 1)}{ending}"
        lines += [*rows, f"{' ' * (6 if winner == 0 else 34)}{word}"]
        crawford = "after" if crawford == "now" else crawford
    text = "\n".join([*lines, ""])
    return Played(players, (score[0], score[1]), length, number, date, text)


def play_random_game(rng: Random, *, may_double: bool) -> tuple[list[str], int, int]:
    """Return the rows of a simulated game, its winner and the points won."""
    board, side, cells = start_position("standard"), rng.randrange(2), list[str]()
    cells += [""] * side
    ends_after = rng.randint(3, 14) if may_double and rng.random() < 0.85 else None
    dice = 1, 1
    while dice[0] == dice[1]:
        dice = rng.randint(1, 6), rng.randint(1, 6)
    while True:
        board, steps = choose_play(board, dice)
        cells.append(write_turn(dice, steps))
        if not any(board.own[1:]):
            return _write_rows(cells), side, count_points(board.other)
        board, side = swap_sides(board), 1 - side
        if len(cells) == ends_after:
            cells += ["Doubles => 2", "Drops"]
            return _write_rows(cells), side, 1
        dice = rng.randint(1, 6), rng.randint(1, 6)


def _write_rows(cells: list[str]) -> list[str]:
    """Return the rows of match text that show these cells, two in a row."""
    pairs = [(*cells[at : at + 2], "")[:2] for at in range(0, len(cells), 2)]
    rows = enumerate(pairs, start=1)
    return [f"{number:3}) {left:27} {right}".rstrip() for number, (left, right) in rows]


def play_league(rng: Random, matches: int, players: int = 24) -> list[Played]:
    """Return the simulated matches of a league, in which each player plays once a round."""
    names = [f"{first} {last}" for last in LAST_NAMES for first in FIRST_NAMES][
        :: len(FIRST_NAMES) // 3
    ]
    names = names[:players]
    found, number = list[Played](), 0
    while len(found) < matches:
        number += 1
        rng.shuffle(names)
        for at in range(0, len(names) - 1, 2):
            pair = names[at], names[at + 1]
            found.append(play_match(rng, pair, rng.choice((3, 5, 7)), number))
    return found[:matches]


# Lines of the table, and what is planted.


def make_line(played: Played, rng: Random) -> Line:
    """Return a true line of the table for a match.

    Its date, round or length may be empty, and its players may be in either order.
    """
    empty = rng.randrange(4)
    line = Line(
        "" if empty == 0 else str(played.round),
        "" if empty == 1 else f"{played.date:%d/%m/%Y}",
        *(played.players, played.score),
        "" if empty == 2 else str(played.length),
    )
    return (
        line._replace(players=line.players[::-1], score=line.score[::-1])
        if rng.random() < 0.5
        else line
    )


def respell(name: str, rng: Random) -> str:
    """Return a name in another spelling, such as `VALE,Bruno` for `Bruno Vale`."""
    first, last = name.split(" ")
    plain = name.replace("ü", "ue").replace("ø", "o").replace("ë", "e").replace("Ł", "L")
    ways = (f"{last}, {first}", f"{last.upper()},{first}", name.upper(), f"{first}_{last}", plain)
    return rng.choice(ways).replace("'", rng.choice(("'", "")))


Plant = Callable[[Case, Random, list[Played]], Planted | None]


def exchange_winner(case: Case, rng: Random, _: list[Played]) -> Planted:
    """Write the score for the wrong winner into the table."""
    case.lines[0] = case.lines[0]._replace(score=case.lines[0].score[::-1])
    return Planted("winner exchanged", ("contradicted",), ("winner",))


def miscount(case: Case, rng: Random, _: list[Played]) -> Planted:
    """Write the loser's points into the table with one too many or too few."""
    low, high = sorted(case.played.score)
    wrong = rng.choice([points for points in (low - 1, low + 1) if 0 <= points < high])
    score = tuple(wrong if points == low else high for points in case.lines[0].score)
    case.lines[0] = case.lines[0]._replace(score=score)
    return Planted("score off by one", ("contradicted",), ("score",))


def copy_score(case: Case, rng: Random, league: list[Played]) -> Planted | None:
    """Write the score of another match into the table, preferably one of the same players."""
    others = [one for one in league if sorted(one.score) != sorted(case.played.score)]
    same = [one for one in others if set(one.players) == set(case.played.players)]
    score = rng.choice(same or others).score
    case.lines[0] = case.lines[0]._replace(score=score)
    return Planted("score of another match", ("contradicted",))


def leave_out_file(case: Case, rng: Random, _: list[Played]) -> Planted:
    """Remove the match file."""
    case.files.clear()
    return Planted("file missing", ("missing",))


def leave_out_line(case: Case, rng: Random, _: list[Played]) -> Planted:
    """Remove the line of the table."""
    case.lines.clear()
    return Planted("line missing", ("extra",))


def copy_file(case: Case, rng: Random, _: list[Played]) -> Planted:
    """Add a second match file of the match, with a name spelled differently."""
    left = case.played.players[0]
    case.files.append(case.files[0].replace(left, respell(left, rng)).replace("EventDate", "Noted"))
    return Planted("two files", ("confirmed", "duplicate"))


def copy_line(case: Case, rng: Random, _: list[Played]) -> Planted:
    """Add a second line of the match to the table, with the players in the other order."""
    line = case.lines[0]
    case.lines.append(line._replace(players=line.players[::-1], score=line.score[::-1]))
    return Planted("two lines", ("confirmed", "duplicate"))


def cut_file(case: Case, rng: Random, _: list[Played]) -> Planted:
    """Cut the match file off in its last game."""
    lines = case.files[0].splitlines()
    last = max(at for at, line in enumerate(lines) if " Game " in line)
    case.files[0] = "\n".join([*lines[: last + 4], ""])
    return Planted("file cut", ("unfinished",))


def change_length(case: Case, rng: Random, _: list[Played]) -> Planted:
    """Write a match length that is 2 too great into the table."""
    case.lines[0] = case.lines[0]._replace(length=str(case.played.length + 2))
    return Planted("length wrong", ("contradicted",), ("length",))


def change_result(case: Case, rng: Random, _: list[Played]) -> Planted:
    """Give the last game of the match file to the loser; the board still shows who won."""
    *lines, last = case.files[0].splitlines()
    moved = (
        last.strip().rjust(34 + len(last.strip()))
        if last[:34].strip()
        else last.strip().rjust(6 + len(last.strip()))
    )
    case.files[0] = "\n".join([*lines, moved, ""])
    return Planted("result line exchanged", ("disputed",))


def respell_names(case: Case, rng: Random, _: list[Played]) -> Planted:
    """Spell both names in the table differently."""
    line = case.lines[0]
    left, right = (respell(name, rng) for name in line.players)
    case.lines[0] = line._replace(players=(left, right))
    return Planted("name respelled", ("confirmed",))


PLANTS: tuple[Plant, ...] = (
    *(exchange_winner, miscount, copy_score, leave_out_file, leave_out_line, copy_file, copy_line),
    *(cut_file, change_length, change_result, respell_names),
)


# The verification.


class Outcome(NamedTuple):
    """Planted contradictions, those found of them, and other findings."""

    planted: Counter[str]
    found: Counter[str]
    besides: list[Verdict]
    missed: list[tuple[Planted, list[Verdict]]]


def verify_league(folder: Path, matches: int, planted: int, seed: int) -> Outcome:
    """Verify a simulated league, after `planted` contradictions were put into its table and files.

    `matches` is the number of matches. The same `seed` makes the same league.
    """
    rng = Random(seed)
    league = play_league(rng, matches)
    cases = [Case(played, [played.text], [make_line(played, rng)]) for played in league]
    plants = {
        at: PLANTS[number % len(PLANTS)](cases[at], rng, league)
        for number, at in enumerate(rng.sample(range(matches), planted))
    }
    lines = [(at, line) for at, case in enumerate(cases) for line in case.lines]
    rng.shuffle(lines)
    heading = "event;round;date;player1;player2;score1;score2;length"
    table = "\r\n".join([heading, *(str(line) for _, line in lines), ""])
    owners = {f"line {number}": at for number, (at, _) in enumerate(lines, start=2)}
    (folder / "files").mkdir()
    for at, case in enumerate(cases):
        for copy, text in enumerate(case.files):
            name = folder / "files" / f"{at:04}{'abc'[copy]}.mat"
            name.write_text(text, encoding="utf-8")
            owners[str(name)] = at
    (folder / "results.csv").write_text(table, encoding="utf-8-sig")
    found = bganalyze.verify(folder / "results.csv", folder / "files")
    return count_found(found.verification, owners, plants)


def count_found(
    found: Verification, owners: dict[str, int], plants: dict[int, Planted | None]
) -> Outcome:
    """Count the planted contradictions that were found, and collect what was found besides.

    `owners` has the index of the match for each line and file, `plants` what was planted in it.
    """
    of_cases: dict[int, list[Verdict]] = {}
    for verdict in found.verdicts:
        of_cases.setdefault(owners[_locate(verdict)], []).append(verdict)
    outcome = Outcome(Counter(), Counter(), [], [])
    for at, verdicts in of_cases.items():
        plant = plants.get(at)
        if plant is None:
            outcome.besides.extend(
                one for one in verdicts if one.status != "confirmed" or one.words
            )
            continue
        outcome.planted[plant.kind] += 1
        statuses = sorted(verdict.status for verdict in verdicts)
        differs = {what for verdict in verdicts for what in verdict.differs}
        is_found = statuses == sorted(plant.statuses) and differs >= set(plant.differs)
        outcome.found[plant.kind] += is_found
        if not is_found:
            outcome.missed.append((plant, verdicts))
    return outcome


def _locate(verdict: Verdict) -> str:
    """Return the line of the table, or else the file, that a verdict concerns."""
    return f"line {verdict.claim.line}" if verdict.claim else verdict.match.path


def main(words: list[str] | None = None) -> None:
    """Verify a league and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, usual in (("matches", 1000), ("planted", 100), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    chosen = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        outcome = verify_league(Path(folder), chosen.matches, chosen.planted, chosen.seed)
    for kind, count in outcome.planted.items():
        print(f"{kind:25} {outcome.found[kind]:4} of {count:4} found")
    print(f"{'besides':25} {len(outcome.besides):4}")
    for plant, verdicts in outcome.missed:
        print(plant, verdicts)
    for verdict in outcome.besides:
        print(verdict)


if __name__ == "__main__":
    main()
