"""Count true scores, results, doubles and answers that `repair --write` changes.

    BGANALYZE_CORPUS=… python -m tests.benchmarks.writes_of_repair [--files 20] [--seed 1]

Every kind of slip is made in so many clean match texts, and what is proved is written, as `--write`
does. A score, result, double or answer of the clean record that the damaged one still holds is true:
after the repair it has to be there as often as before, in its game. Where whole games are lost, copied
or exchanged, all that the damaged record holds is. Prints how many files were changed, and each loss
with its file.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from random import Random
from typing import NamedTuple

from bganalyze.board.rule_book import BASIC
from bganalyze.record.model import Answer, Double, Match, Result, ScoreLine
from bganalyze.record.reader import read_bytes
from bganalyze.repairing.applying import apply_repairs
from bganalyze.repairing.file_to_repair import read_file_to_repair
from bganalyze.repairing.prior import rate_plays_by_appearance
from bganalyze.repairing.search import find_repairable_findings
from tests.faults.catalog import BY_NAME, REPAIRED
from tests.faults.damage import Damage
from tests.faults.record import Record, clean_files, open_record

Statement = tuple[int, type, tuple[object, ...]]
"""A score, result, double or answer: its game, what it is, and what it says, without its place."""


class Outcome(NamedTuple):
    """Outcome of one damaged file."""

    kind: str
    path: str
    is_changed: bool
    is_restored: bool
    lost: tuple[Statement, ...]
    """True statements that the repair has changed or removed."""


def statements(matches: Iterable[Match]) -> Counter[Statement]:
    """Count what a record states of scores, results, doubles and answers."""
    return Counter(
        (place, type(stated), _extract_facts(stated))
        for match in matches
        for place, game in enumerate(match.games)
        for stated in (game.score, *game.actions)
        if isinstance(stated, Answer | Double | Result | ScoreLine)
    )


def _extract_facts(action: Answer | Double | Result | ScoreLine) -> tuple[object, ...]:
    if isinstance(action, ScoreLine):
        return (action.points,)
    if isinstance(action, Answer):
        return action.side, action.taken
    if isinstance(action, Double):
        return action.side, action.value, action.kind
    return action.side, action.points


def outcome(kind: str, record: Record, slip: Damage) -> Outcome:
    """Repair a damaged record, and compare what was true in it."""
    damaged, clean = record.encoded(slip.lines), record.encoded(record.lines)
    draft = read_file_to_repair(damaged, record.path, BASIC)
    result = apply_repairs(draft, tuple(find_repairable_findings(draft)), rate_plays_by_appearance)
    held = [statements(read_bytes(data, record.path)) for data in (clean, damaged, result.data)]
    is_of_games = BY_NAME[kind].family == "games"
    lost = (held[1] if is_of_games else held[0] & held[1]) - held[2]
    return Outcome(
        kind, record.path, result.data != damaged, result.data == clean, tuple(lost.elements())
    )


def outcomes_of(kind: str, folder: Path, seed: int, count: int) -> list[Outcome]:
    """Make slips of one kind in `count` files, and repair them."""
    files = clean_files(folder)
    Random(seed).shuffle(files)
    return list(_first(count, kind, files, seed))


def _first(count: int, kind: str, files: Iterable[Path], seed: int) -> Iterator[Outcome]:
    for path in files:
        if count == 0:
            return
        record = open_record(path.name, path.read_bytes())
        slip = record and BY_NAME[kind].make(record, Random(f"{seed}:{path.name}:{kind}"))
        if record is not None and slip is not None:
            yield outcome(kind, record, slip)
            count -= 1


def main() -> int:
    """Print what was lost; end with 1 if anything was."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    work = partial(outcomes_of, folder=options.corpus, seed=options.seed, count=options.files)
    with Pool(options.jobs) as pool:
        made = [
            one for several in pool.imap(work, [kind.name for kind in REPAIRED]) for one in several
        ]
    losses = [one for one in made if one.lost]
    for one in losses:
        print(f"{one.kind}: {one.path}: {', '.join(map(str, one.lost))}")
    changed, restored = (
        sum(map(bool, part))
        for part in zip(*((one.is_changed, one.is_restored) for one in made), strict=True)
    )
    print(
        f"{len(made)} damaged files, {changed} changed, {restored} exactly as they were;", end=" "
    )
    print(f"true scores, results, doubles or answers lost in {len(losses)}")
    return int(bool(losses))


if __name__ == "__main__":
    sys.exit(main())
