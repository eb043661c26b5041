"""Write match files in every format, and read them back: are the games and the findings the same?

    BGANALYZE_CORPUS=… python -m tests.benchmarks.round_trips [--each N] [--show 10]

Every readable file of the corpus (or every Nth) and every sample is written by each writer whose format
can be read, and read back. Counted for each format: files of which all games come back equal (scores,
rolls, boards, cube actions, winners, points), files whose findings do too, files that differ though no
loss was reported, and files that the format cannot hold, which the writer says. Rolls that move no
checker are left out: whether a dance or an unknown play is meant is compared by the findings.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import bganalyze
from bganalyze.record.model import Match
from bganalyze.record.reader import read, read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.replaying import replay
from bganalyze.writing import WRITERS, UnwritableError, write
from tests import same
from tests.test_samples import CLEAN, FAULTY, transcripts

Code = tuple[str, int | None, int | None, str | None]


def find_codes(matches: list[Match]) -> Counter[Code]:
    """Count the errors and warnings by rule and place; those of spelling belong to one format."""
    return Counter(
        (finding.code, finding.game, finding.side, finding.standing)
        for finding in check(matches)
        if finding.severity != "info" and not finding.code.startswith("T1")
    )


def list_games(matches: list[Match]) -> list[list[same.Game]]:
    """Return the games of matches, without rolls that move no checker."""
    return [
        [(score, tuple(_drop_still_rolls(actions)), *result) for score, actions, *result in games]
        for games in map(same.games, matches)
    ]


def _drop_still_rolls(actions: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Yield the cube actions, and the rolls after which the board is another than before."""
    board = None
    for action in actions:
        if len(action) == 2:
            yield action
        elif action[2] != board:
            board = action[2]
            yield action


def compare(matches: list[Match], known_as: str) -> str:
    """Return what became of matches that were written in a format and read back."""
    try:
        written = write([replay(match) for match in matches], known_as)
    except UnwritableError:
        return "refused"
    back = read_bytes(written.data, "again")
    if list_games(back) != list_games(matches):
        return "reported" if written.losses else "games differ"
    if find_codes(back) != find_codes(matches):
        return "findings reported" if written.losses else "findings differ"
    return "equal"


def list_files(corpus: Path, each: int) -> Iterator[Path]:
    """Yield the files of the corpus, or every Nth, and the samples."""
    files = [path for path in sorted(corpus.rglob("*")) if path.is_file()]
    yield from files[::each]
    yield from transcripts(CLEAN)
    yield from transcripts(FAULTY)


def main() -> None:
    """Print a row for each format."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    corpus = os.environ.get("BGANALYZE_CORPUS")
    parser.add_argument("--corpus", type=Path, default=corpus, required=corpus is None)
    parser.add_argument("--each", type=int, default=1)
    parser.add_argument("--show", type=int, default=10)
    options = parser.parse_args()
    counts = {known_as: Counter[str]() for known_as in WRITERS}
    files = 0
    for path in list_files(Path(options.corpus), options.each):
        try:
            matches = read(path)
        except bganalyze.BganalyzeError:
            continue
        files += 1
        for known_as, outcomes in counts.items():
            outcome = compare(matches, known_as)
            outcomes[outcome] += 1
            if outcome in ("games differ", "findings differ") and outcomes[outcome] <= options.show:
                print(f"  {known_as}: {outcome}: {path}")
    print(f"{files} files")
    for known_as, outcomes in counts.items():
        print(f"{known_as:12} " + ", ".join(f"{n} {what}" for what, n in outcomes.most_common()))


if __name__ == "__main__":
    main()
