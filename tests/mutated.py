"""Matches with one thing or more changed that statistics rest on, added to a collection one at a time.

python -m tests.mutated --count 3000
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import lru_cache, partial
from itertools import chain, pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bganalyze.app.config import rule_book_title
from bganalyze.app.jobs.collect import collect
from bganalyze.app.jobs.collect_counts import CollectCounts
from bganalyze.app.jobs.failing_matches import compute_without_failing
from bganalyze.app.jobs.tabulate import sum_files_here
from bganalyze.app.jobs.workers import Processes
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.app.render.statistics_page import statistics_page
from bganalyze.board.rule_book import BASIC
from bganalyze.files.reading import FileToRead
from bganalyze.record.decoding import decode
from bganalyze.record.players import Players
from bganalyze.statistics.reports import REPORTS, list_summed_tables
from bganalyze.statistics.reports.answer import answer_from_sums
from bganalyze.statistics.reports.overview import OF_FILES, make_overview
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.reports.stored import StoredSums
from bganalyze.statistics.reports.sums import Sums, TransferredSums, join_sums
from bganalyze.statistics.store.manifest import open_or_create
from bganalyze.statistics.store.program_version import identify_program
from bganalyze.statistics.store.views import connect_to_store
from bganalyze.text import Unreadable
from tests.app.serving.asking import ask_page
from tests.faults.games import Games, exchange_games, twice, without

SAMPLES = Path(__file__).parent.parent / "samples" / "clean"
NAMES = tuple(REPORTS)

LENGTHS = ("0", "1", "2", "3", "4", "24", "99", "1000000")
NUMBERS = ("0", "1", "2", "3", "7", "64", "65", "96", "1004", "4016", "99999999999")

Mutator = Callable[[list[str], Random], None]


def _find_lines_with(lines: Sequence[str], pattern: str) -> list[int]:
    """Return the indexes of the lines that contain a pattern."""
    return [place for place, line in enumerate(lines) if re.search(pattern, line)]


def _replace_number(pattern: str, numbers: Sequence[str], lines: list[str], rng: Random) -> None:
    """In a random line with this pattern, replace the number in it by one of `numbers`."""
    places = _find_lines_with(lines, pattern)
    if places:
        place = rng.choice(places)
        lines[place] = re.sub(
            pattern, lambda found: found[1] + rng.choice(numbers), lines[place], count=1
        )


def _change_games(
    change: Callable[[Games, int], Games], games_after: int, lines: list[str], rng: Random
) -> None:
    """Apply `change` to the games and the index of a random one that `games_after` games follow."""
    starts = [*_find_lines_with(lines, r"^ ?Game \d"), len(lines)]
    games = [tuple(lines[start:end]) for start, end in pairwise(starts)]
    if len(games) > games_after:
        changed = change(games, rng.randrange(len(games) - games_after))
        lines[starts[0] :] = chain.from_iterable(changed)


def _delete_lines(lines: list[str], rng: Random) -> None:
    """Delete one to three random lines."""
    for _ in range(rng.randint(1, 3)):
        if lines:
            del lines[rng.randrange(len(lines))]


def _move_result(lines: list[str], rng: Random) -> None:
    """Move a random result line to another column."""
    places = _find_lines_with(lines, r"Wins \d")
    if places:
        place = rng.choice(places)
        result = lines[place].strip()
        lines[place] = " " * rng.choice((1, 6, 35)) + result


def _end_match(lines: list[str], rng: Random) -> None:
    """Write at a random result that it ends the match."""
    places = _find_lines_with(lines, r"Wins \d+ points?\s*$")
    if places:
        lines[rng.choice(places)] += " and the match"


def _rename_player(lines: list[str], rng: Random) -> None:
    """Give the left player of a random score line an odd name."""
    places = _find_lines_with(lines, r" : \d")
    if places:
        names = ("", "nan", "None", "Ann" * 200, "\u202eeve", "a\u0301", "=1+1", "left", "0")
        place = rng.choice(places)
        lines[place] = re.sub(r"^ ?[^:]*? : ", f" {rng.choice(names)} : ", lines[place], count=1)


def _insert_date(lines: list[str], rng: Random) -> None:
    """Insert a line with an odd date at the beginning."""
    dates = ("0000.00.00", "9999.12.31", "1.2.3", "04/01/2023", "2024.02.30", "-1", "")
    lines.insert(0, f'; [EventDate "{rng.choice(dates)}"]')


MUTATORS: tuple[Mutator, ...] = (
    partial(_replace_number, r"(^ ?)\d+(?= point match)", LENGTHS),
    partial(_replace_number, r"( : )\d+", NUMBERS),
    partial(_replace_number, r"(Wins )\d+", NUMBERS),
    partial(_replace_number, r"(=> ?)\d+", NUMBERS),
    partial(_replace_number, r"(Game )\d+", NUMBERS),
    partial(_change_games, exchange_games, 1),
    partial(_change_games, twice, 0),
    partial(_change_games, without, 0),
    _delete_lines,
    _move_result,
    _end_match,
    _rename_player,
    _insert_date,
)


def mutate_sample(seed: int) -> str:
    """Return the text of a random sample with one to four random changes."""
    rng = Random(seed)
    originals = sorted(SAMPLES.glob("*.mat"))
    lines = decode(rng.choice(originals).read_bytes()).text.splitlines()
    for _ in range(rng.randint(1, 4)):
        rng.choice(MUTATORS)(lines, rng)
    return "\n".join(lines) + "\n"


def make_file_to_read(seed: int) -> FileToRead:
    """Return the mutated sample of a seed as a file."""
    return FileToRead(f"{seed}.mat", f"{seed}.mat", held=mutate_sample(seed).encode())


class Made(NamedTuple):
    """Numbers of matches, counted and failed, of a set of files."""

    unreadable: list[str]
    """Those that could not be read, or were left out, and why."""
    matches: int
    """Number of matches that count."""


def sum_files(items: Sequence[FileToRead]) -> tuple[list[TransferredSums], list[str]]:
    """Return the sums that statistics need of files, and a message for each unreadable file."""
    files, lots = sum_files_here(items, BASIC, NAMES)
    return lots, [f"{file.path}: {file.error}" for file in files if not file.is_read]


@lru_cache(maxsize=4)
def sum_seeds(seeds: range) -> tuple[list[TransferredSums], list[str]]:
    """Return the same as `sum_files` for the mutated samples of these seeds."""
    return sum_files([make_file_to_read(seed) for seed in seeds])


@lru_cache
def _sum_clean_samples() -> list[TransferredSums]:
    """Return the sums of two samples without changes."""
    paths = sorted(SAMPLES.glob("*.mat"))[:2]
    lots, _ = sum_files(
        [FileToRead(path.name, path.name, held=path.read_bytes()) for path in paths]
    )
    return lots


def report_sums(lots: Sequence[TransferredSums], failed: list[str], *, page: bool = False) -> Made:
    """Make all reports of sums, with `page` also their HTML page, and count the matches in them.

    `failed` has messages about files that were left out before; they are part of the result.
    """
    return _make_all_reports(
        join_sums(lots, list_summed_tables(NAMES), Players()), failed, page=page
    )


def _make_all_reports(sums: Sums, failed: list[str], *, page: bool) -> Made:
    """Make all reports of sums; see `report_sums`."""

    def work(chosen: Sums, _: tuple[Unreadable, ...]) -> int:
        ask = partial(answer_from_sums, chosen)
        told = ask(NAMES, Question())
        glance = make_overview(ask, Question(), OF_FILES)
        if page:
            statistics_page(told, OutputOptions(BASIC), glance)
        return len(chosen.recorded.matches)

    matches, left_out = compute_without_failing(work, sums)
    return Made([*failed, *(f"{file.path}: {file.reason}" for file in left_out)], matches)


def report_from_store(folder: Path) -> Made:
    """Collect a folder of files in a store, make all reports of it, and count the matches in them."""
    with TemporaryDirectory() as place:
        store = Path(place) / "store"
        with closing(open_or_create(store, identify_program(), rule_book_title(BASIC))) as manifest:
            outcomes = list(collect([str(folder)], manifest, BASIC, Processes(1), CollectCounts()))
        failed = [f"{file.path}: {file.error}" for file in outcomes if not file.is_read]
        with connect_to_store(store) as connection:
            return _make_all_reports(StoredSums(connection, Players()), failed, page=False)


def show_on_page(seeds: range) -> str:
    """Return the statistics of the mutated samples of these seeds as HTML, as the page shows them."""
    files = {f"{seed}.mat": mutate_sample(seed).encode() for seed in seeds}
    *_, last = ask_page("statistics", files)
    return str(last["html"])


def add_matches(seeds: range, together: int = 1) -> Iterator[tuple[int, Made]]:
    """Add mutated samples to two clean ones, `together` at a time, and make all reports of each lot.

    Yield the first seed of each lot, with the outcome.
    """
    for first in range(seeds.start, seeds.stop, together):
        few = range(first, min(first + together, seeds.stop))
        own, failed = sum_seeds(few)
        yield first, report_sums([*_sum_clean_samples(), *own], failed)


def main() -> int:
    """Add matches to a collection one at a time, and say what failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutated", description=__doc__)
    parser.add_argument("--count", type=int, default=3_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--together", type=int, default=1, help="how many are added at a time")
    options = parser.parse_args()
    reasons: Counter[str] = Counter()
    seeds = range(options.first, options.first + options.count)
    for seed, result in add_matches(seeds, options.together):
        for problem in result.unreadable:
            reasons[problem.partition(": ")[2][:100]] += 1
            print(f"{seed}: {problem}", flush=True)
    print(f"{options.count} mutated matches, {reasons.total()} left out: {dict(reasons)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
