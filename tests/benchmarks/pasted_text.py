"""Compare real files before and after mail, web pages, word processors and editors had them.

    BGANALYZE_CORPUS=… python -m tests.benchmarks.pasted_text [--files 150] [--seed 1] [--forms NAMES]
        [--pairs 12] [--mutants 2000]

For each form: the files that it changes; those of them with an error or a warning that the clean file
does not have; with an info besides that of the cleaning; with another match (rolls, plays, cube,
results, players); with a place outside of the damaged file; and with a proved proposal.
"""

from __future__ import annotations

import argparse
import os
import re
import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple

from bganalyze.record.decoding import decode
from bganalyze.record.model import Match
from bganalyze.record.not_a_transcript import NotATranscript
from bganalyze.record.reader import read_bytes
from bganalyze.repairing.search import find_repairs_in_file
from bganalyze.validation.checking import check
from bganalyze.validation.findings import Finding
from tests import same
from tests.faults.record import clean_files
from tests.fuzzing.mutants import MUTATORS
from tests.fuzzing.totality import troubles
from tests.pasting import FORMS, HARDER, PAIRS, paste

_SECOND_GAME = re.compile(r"(?m)^ *Game 2\b")


class Reading(NamedTuple):
    """Facts of a file that are compared."""

    matches: list[Match]
    findings: list[Finding]

    @property
    def said(self) -> list[tuple[tuple[str, str], list[same.Game]]]:
        """The players and games."""
        return [(match.names, same.games(match)) for match in self.matches]

    def codes(self, *severities: str) -> Counter[str]:
        """Return the codes of findings of these severities."""
        return Counter(
            finding.code
            for finding in self.findings
            if finding.severity in severities and finding.code not in ("T121", "T108")
        )


def reading(text: str, path: str) -> Reading:
    """Read and check a text."""
    matches = read_bytes(text.encode(), path)
    return Reading(matches, check(matches))


def faults(clean: Reading, text: str, path: str) -> Iterator[str]:
    """Yield what is wrong with a damaged text."""
    try:
        now = reading(text, path)
    except NotATranscript as error:
        yield f"error refused: {error}"
        return
    more = now.codes("error", "warning") - clean.codes("error", "warning")
    if more:
        yield f"error {' '.join(sorted(more))}"
    if now.codes("info") - clean.codes("info"):
        yield f"info {' '.join(sorted(now.codes('info') - clean.codes('info')))}"
    if now.said != clean.said:
        yield "match"
    lines = decode(text.encode()).text.split("\n")
    for finding in now.findings:
        if (
            not (0 < finding.line <= len(lines))
            or finding.end_column > len(lines[finding.line - 1]) + 1
        ):
            yield "place"
            break
    if more and any(
        proposal.proved
        for cause in find_repairs_in_file(text.encode(), path)
        for proposal in cause.proposals
    ):
        yield "proved"


def first_games(texts: list[tuple[Path, str]]) -> list[tuple[Path, str]]:
    """Cut each text before its second game; the shortest first."""
    games = [(path, _SECOND_GAME.split(text, maxsplit=1)[0]) for path, text in texts]
    return sorted(games, key=lambda game: len(game[1]))


def draw_pairs(count: int, seed: int) -> list[str]:
    """Return names of `count` pairs of forms drawn at random."""
    random = Random(seed)
    return [" + ".join(random.sample(tuple(FORMS), 2)) for _ in range(count)]


def fuzz(
    texts: list[tuple[Path, str]], names: list[str], files: int, count: int, seed: int
) -> None:
    """Read and check `count` mutants of each form, made of the `files` shortest texts it changes."""
    for name in names:
        changed = ((path, paste(text, name)) for path, text in texts if paste(text, name) != text)
        bases = list(islice(changed, files))
        if not bases:
            print(f"{name:46}changes no text")
            continue
        slowest, bad = 0.0, 0
        for number in range(count):
            random = Random(f"{seed}:{name}:{number}")
            path, pasted = random.choice(bases)
            data = random.choice(MUTATORS)(pasted.encode(), random)
            start = time.process_time()
            for trouble in troubles(data):
                bad += 1
                print(f"{name} {number} of {path.name}: {trouble.what}: {trouble.detail}")
            slowest = max(slowest, time.process_time() - start)
        print(f"{name:46}{count:6} mutants, {bad} bad, at most {slowest:.2f} s", flush=True)


def main() -> None:
    """Print a row for each form."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--corpus", type=Path, default=os.environ.get("BGANALYZE_CORPUS"))
    parser.add_argument("--files", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--forms", default="", help="parts of names of forms, by commas")
    parser.add_argument("--pairs", type=int, default=0, help="pairs of forms to draw instead")
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument(
        "--mutants", type=int, default=0, help="mutants to read of each form instead"
    )
    options = parser.parse_args()
    names = [
        name
        for name in (*FORMS, *HARDER, *PAIRS)
        if any(part in name for part in options.forms.split(","))
    ]
    if options.pairs:
        names = draw_pairs(options.pairs, options.seed)
    files = clean_files(options.corpus)
    Random(options.seed).shuffle(files)
    if options.mutants:  # Many mutants of short texts find more than few of long ones.
        games = first_games([(path, decode(path.read_bytes()).text) for path in files])
        fuzz(games, names, options.files, options.mutants, options.seed)
        return
    texts = [(path, decode(path.read_bytes()).text) for path in files[: options.files]]
    cleans = {path: reading(text, path.name) for path, text in texts}
    print(f"{'form':46}{'files':>6}{'error':>7}{'info':>6}{'match':>7}{'place':>7}{'proved':>7}")
    for name in names:
        counts = Counter[str]()
        shown = 0
        for path, text in texts:
            damaged = paste(text, name)
            if damaged == text:
                continue
            counts["files"] += 1
            for fault in faults(cleans[path], damaged, path.name):
                counts[fault.partition(" ")[0]] += 1
                if shown < options.show:
                    shown += 1
                    print(f"    {path.name}: {fault}")
        print(
            f"{name:46}{counts['files']:6}{counts['error']:7}{counts['info']:6}"
            f"{counts['match']:7}{counts['place']:7}{counts['proved']:7}"
        )


if __name__ == "__main__":
    main()
