"""Compare how other programs read the files that `convert` writes.

    BGANALYZE_CORPUS=… python -m tests.benchmarks.other_readers [--files 300] [--seed 1] [--show 10]

Error-free matches of the corpus and of the clean samples are written as `.mat`, `.sgf` and `.gvab`. GNU Backgammon
opens the first two, GammonView's library (gvformat) the first and the last. Both must find the same players, length,
rolls, boards before each roll, winners and points. A difference in a `.mat` that the program also has in the file
it was written from is its own. Matches of other variants, and from positions in the middle of a
game, are left out: the two programs set such games up in their own ways.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from gvformat import mat_to_ogxm, read_gvab

from bganalyze.analysis.engines import Limits, gnubg
from bganalyze.board.ids import parse_ogid, parse_position_id
from bganalyze.board.position import Position
from bganalyze.record.model import LEFT, RIGHT, Match, Play, PlayRecord, SetUp, Side
from bganalyze.record.reader import read
from bganalyze.validation.checking import check
from bganalyze.validation.replaying import replay
from bganalyze.validation.replaying.replayed import GameReplay
from bganalyze.writing import write
from tests.faults.record import clean_files

RATING = re.compile(r",[0-9]{3,4}$")
"""A rating behind a name, which GNU Backgammon leaves out."""
UNNAMED = "Player {}"
"""Names that other programs give to a player without a name."""

SAMPLES = Path(__file__).parents[2] / "samples" / "clean"

SCRIPT = """
import gnubg, json
for command in ("display off", "automatic game off", "automatic roll off", "automatic move off"):
    gnubg.command("set " + command)
for kind, path in {files!r}:
    gnubg.command("new session")
    gnubg.command('import ' + kind + ' "' + path + '"' if kind != "sgf" else 'load match "' + path + '"')
    with open(path + ".json", "w") as output:
        json.dump(gnubg.match(analysis=0, boards=1, statistics=0, verbose=0), output, default=str)
"""
"""Commands for GNU Backgammon: open each file, and write down what was read."""


class Roll(NamedTuple):
    """A roll that was played or danced with."""

    side: Side
    dice: tuple[int, ...]
    board: Position | None
    """The board before it, seen by the side that rolled."""
    is_empty: bool = False
    """Whether no checker was played."""


class Game(NamedTuple):
    """Facts of a game that are compared."""

    rolls: tuple[Roll, ...]
    winner: Side | None
    points: frozenset[int]
    """The points as recorded, as the board and the cube give them, and as they count."""
    needed: int = 0
    """The points that the winner needed for the match; 0 if any number counts or it is unknown."""


class Story(NamedTuple):
    """Facts of a match that are compared."""

    players: tuple[frozenset[str], ...]
    """The names of each player: on score lines, without a rating, and in the header."""
    lengths: frozenset[int]
    """The length as recorded, and as it was meant; 0 for money play."""
    games: tuple[Game, ...]


def tell(match: Match) -> Story:
    """Return what is compared of a match of our own reader."""
    replayed = replay(match)
    lengths = (match.length.points if match.length else 0, replayed.games[0].context.terms.length)
    header = {tag.key: tag.value for tag in match.tags}
    players = tuple(
        frozenset(
            (
                name or UNNAMED.format(number),
                RATING.sub("", name),
                header.get(UNNAMED.format(number), name),
            )
        )
        for number, name in enumerate(match.names, start=1)
    )
    lengths = frozenset(length or 0 for length in lengths)
    return Story(players, lengths, tuple(map(_tell_game, replayed.games)))


def _tell_game(game: GameReplay) -> Game:
    rolls = tuple(
        Roll(
            turn.action.side,
            tuple(sorted(turn.action.dice)),
            turn.position(turn.action.side),
            not turn.action.steps,
        )
        for turn in game.turns
        if isinstance(turn.action, Play)
        and turn.action.how != PlayRecord.UNPLAYED
        and turn.action.dice is not None
        and any(turn.action.dice)
    )
    ending = game.ending
    return Game(
        rolls,
        ending.winner,
        frozenset(filter(None, (ending.recorded, ending.on_board, ending.counting))),
        _count_needed(game),
    )


def _count_needed(game: GameReplay) -> int:
    winner, length = game.ending.winner, game.context.terms.length
    return 0 if winner is None or not length else length - game.context.score[winner]


def tell_by_gnubg(match: Mapping[str, Any]) -> Story:
    """Return what GNU Backgammon read, from its Python function `match`."""
    info = match["match-info"]
    sides: dict[str | None, Side] = {"X": LEFT, "O": RIGHT}
    games = tuple(
        Game(
            tuple(
                Roll(
                    sides[action["player"]],
                    tuple(sorted(action["dice"])),
                    parse_position_id(action["board"]),
                    not action["move"],
                )
                for action in game["game"]
                if action["action"] == "move"
            ),
            sides.get(game["info"].get("winner")),
            frozenset(filter(None, (game["info"].get("points-won"),))),
        )
        for game in match["games"]
    )
    players = tuple(frozenset((info[side]["name"],)) for side in "XO")
    return Story(players, frozenset((info["match-length"],)), games)


def tell_by_gammonview(document: Mapping[str, Any]) -> Story:
    """Return what GammonView's library read. It orders the players by name in its own files."""
    names = document["player_white"], document["player_black"]
    games = tuple(
        Game(
            tuple(
                Roll(
                    LEFT if ply["color"] else RIGHT,
                    tuple(sorted((ply["d1"], ply["d2"]))),
                    parse_ogid(ply["ogid_before"]).position,
                    not ply["moves"],
                )
                for ply in game["plies"]
                if ply.get("d1") and "ogid_before" in ply
            ),
            {0: LEFT, 1: RIGHT}.get(game["winner"]),
            frozenset(filter(None, (game["points_won"],))),
        )
        for game in document["games"]
    )
    players = tuple(frozenset((name,)) for name in names)
    return Story(players, frozenset((document["match_length"],)), games)


def find_differences(ours: Story, theirs: Story) -> Iterator[str]:
    """Yield the aspects in which two readers differ."""
    if not _have_same_players(ours, theirs):
        yield f"players {theirs.players}, ours {ours.players}"
    if not theirs.lengths <= ours.lengths:
        yield f"length {theirs.lengths}"
    if len(ours.games) != len(theirs.games):
        yield f"games {len(theirs.games)} of {len(ours.games)}"
        return
    for number, (our, their) in enumerate(zip(ours.games, theirs.games, strict=True), start=1):
        yield from _compare_games(our, their, number)


def _have_same_players(ours: Story, theirs: Story) -> bool:
    return all(one & other for one, other in zip(ours.players, theirs.players, strict=True))


def _compare_games(our: Game, their: Game, number: int) -> Iterator[str]:
    for at, (one, other) in enumerate(zip(our.rolls, their.rolls, strict=False), start=1):
        if one[:2] != other[:2]:
            yield f"roll {at} of game {number}: {other[:2]}, ours {one[:2]}"
            return
        if one.board != other.board:
            yield f"board before roll {at} of game {number}"
            return
    counts = _count_rolls(their), _count_rolls(our)
    if counts[0] != counts[1]:
        yield f"rolls of game {number}: {counts[0]}, ours {counts[1]}"
    if our.winner != their.winner:
        yield f"winner of game {number}: {their.winner}, ours {our.winner}"
    has_enough = our.needed and min(their.points, default=0) >= our.needed in our.points
    if not (their.points <= our.points or has_enough):
        yield f"points of game {number}: {set(their.points)}, ours {set(our.points)}"


def _count_rolls(game: Game) -> int:
    """Return the number of rolls up to the last play: before a result, a roll may be left out."""
    return max((at for at, roll in enumerate(game.rolls, start=1) if not roll.is_empty), default=0)


def swap_sides(story: Story) -> Story:
    """Return a match with its players exchanged."""

    def other(side: Side | None) -> Side | None:
        return None if side is None else RIGHT if side == LEFT else LEFT

    games = tuple(
        game._replace(
            winner=other(game.winner),
            rolls=tuple(roll._replace(side=RIGHT - roll.side) for roll in game.rolls),
        )
        for game in story.games
    )
    return Story(story.players[::-1], story.lengths, games)


def can_compare(match: Match) -> bool:
    """Whether a match is free of errors and set-ups, and of the usual variant."""
    findings = check([match])
    has_set_up = any(isinstance(action, SetUp) for game in match.games for action in game.actions)
    is_usual = all(game.context.terms.variant == "standard" for game in replay(match).games)
    return (
        bool(match.games)
        and not has_set_up
        and is_usual
        and not any(finding.severity != "info" for finding in findings)
    )


def read_by_gnubg(folder: Path, files: Sequence[tuple[str, Path]]) -> dict[Path, Story]:
    """Return what GNU Backgammon reads of files, each with its kind, by path."""
    script = folder / "read.py"
    script.write_text(SCRIPT.format(files=[(kind, str(path)) for kind, path in files]))
    program = gnubg.start("0ply", Limits()).program
    call = [program, "-t", "-q", "-r", "-p", str(script)]
    subprocess.run(call, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return {
        path: tell_by_gnubg(json.loads(output.read_text(encoding="utf-8", errors="replace")))
        for _, path in files
        if (output := Path(f"{path}.json")).exists() and output.stat().st_size
    }


def main() -> None:
    """Print a row for each format and reader."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--corpus", type=Path, default=os.environ.get("BGANALYZE_CORPUS"))
    parser.add_argument("--files", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=10, help="differences to show of each row")
    options = parser.parse_args()
    paths = clean_files(options.corpus) if options.corpus else []
    Random(options.seed).shuffle(paths)
    paths = [*sorted(SAMPLES.iterdir()), *paths[: options.files]]
    matches = [
        (path, match)
        for path in paths
        if path.suffix != ".zip"
        for match in read(path)
        if can_compare(match)
    ]
    with tempfile.TemporaryDirectory() as folder:
        compare_all(matches, Path(folder), options.show)


def compare_all(matches: Sequence[tuple[Path, Match]], folder: Path, shown: int) -> None:
    """Write the matches, let the other programs read them, and print the differences."""
    opened: dict[tuple[str, str], list[tuple[Path, Story, Story | None]]] = {}
    by_gnubg: list[tuple[str, Path]] = []
    stories = [tell(match) for _, match in matches]
    for number, (path, match) in enumerate(matches):
        for kind in ("mat", "sgf", "gvab"):
            target = folder / f"{number}.{kind}"
            target.write_bytes(write([replay(match)], kind).data)
            if kind != "gvab":
                by_gnubg.append((kind, target))
            if kind != "sgf":
                opened.setdefault((kind, "GammonView"), []).append(
                    (path, stories[number], _read_by_gammonview(target, stories[number]))
                )
    read_files = read_by_gnubg(folder, by_gnubg)
    for kind, target in by_gnubg:
        number = int(target.stem)
        opened.setdefault((kind, "GNU Backgammon"), []).append(
            (matches[number][0], stories[number], read_files.get(target))
        )
    for (kind, reader), rows in opened.items():
        sources = _read_sources(rows, reader, folder) if kind == "mat" else {}
        print_row(f"{kind} by {reader}", rows, sources, shown)


def _read_sources(
    rows: Sequence[tuple[Path, Story, Story | None]], reader: str, folder: Path
) -> dict[Path, Story | None]:
    """Return what a program reads of the match files whose `.mat` it reads in its own way."""
    differing = [
        (path, ours)
        for path, ours, theirs in rows
        if theirs and any(find_differences(ours, theirs))
    ]
    copies = {}
    for number, (path, _) in enumerate(differing):
        copies[path] = folder / f"source{number}.mat"
        copies[path].write_bytes(path.read_bytes())
    if reader == "GNU Backgammon":
        stories = read_by_gnubg(folder, [("mat", copy) for copy in copies.values()])
        return {path: stories.get(copy) for path, copy in copies.items()}
    return {path: _read_by_gammonview(copies[path], ours) for path, ours in differing}


def _read_by_gammonview(path: Path, ours: Story) -> Story | None:
    read_file: Callable[[bytes], Any] = (
        read_gvab if path.suffix == ".gvab" else lambda data: mat_to_ogxm(data.decode())
    )
    try:
        theirs = tell_by_gammonview(read_file(path.read_bytes()))
    except Exception as error:  # noqa: BLE001 - whatever it is, the file was not opened
        sys.stderr.write(f"{path}: {error!r}\n")
        return None
    # The names alone cannot tell which side is which: a header may have them in the other order.
    either = (theirs, swap_sides(theirs))
    return min(either, key=lambda story: len(list(find_differences(ours, story))))


def print_row(
    name: str,
    rows: Sequence[tuple[Path, Story, Story | None]],
    sources: Mapping[Path, Story | None],
    shown: int,
) -> None:
    """Print how many files one program reads as we do, and the first differences of the others.

    `sources` are its readings of files from which others were written.
    """
    differences = [
        (path, ["not opened"] if theirs is None else list(find_differences(ours, theirs)))
        for path, ours, theirs in rows
    ]
    same = sum(not found for _, found in differences)
    print(f"{name:26}{same:5} of {len(rows)} the same ({same / len(rows):.1%})")
    kinds = Counter(found[0].split()[0] for _, found in differences if found)
    alike = sum(
        bool(found) and path in sources and _differs_alike(ours, sources[path], found)
        for (path, ours, _), (_, found) in zip(rows, differences, strict=True)
    )
    print(
        f"    first differences: {dict(kinds)}; {alike} alike in the file written from, or unread"
    )
    for path, found in [row for row in differences if row[1]][:shown]:
        print(f"    {path.name}: {'; '.join(found[:3])}")


def _differs_alike(ours: Story, source: Story | None, found: Sequence[str]) -> bool:
    """Whether a program reads a file differently in the ways `found`, or not at all."""
    return source is None or list(find_differences(ours, source)) == found


if __name__ == "__main__":
    main()
