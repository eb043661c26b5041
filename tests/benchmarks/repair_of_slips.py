"""Measure `repair` on slips in real files: the row it names, the record it restores, and its certainty.

    BGANALYZE_CORPUS=… python -m tests.benchmarks.repair_of_slips [--files 40] [--without]
    … --kinds die,turn-lost --show 5    what became of five slips that were not restored at once
    … --clean                           proposals for files in which nothing is wrong; there are none
    … --faults                          the errors of the real files, each with its proposals
    … --worst                           how long the longest match takes with eight slips in a game

Each kind of slip is made in this number of clean match texts; the same seed makes the same slips. A
slip counts if a check then finds an error. Rows and restored records are counted among the first one,
three and ten proposals of each cause. Slips after which nothing shows the original text (`lost`) are
left out of the totals of restored records; for some that no edit repairs, the question is whether a
finding or the first proposal names them. A record is restored if it has the same plays, cube and
results again. Several rolls may have the same steps, as in a dance or a bear-off. A proposal names
them all, and is right if the true one is among them; restored to the roll that it writes is a count
of its own.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from itertools import groupby
from multiprocessing import Pool
from pathlib import Path
from random import Random
from typing import NamedTuple

import bganalyze
from bganalyze.record.reader import read, read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.findings import Finding
from bganalyze.validation.replaying import replay
from bganalyze.writing import bgm
from tests.faults.catalog import BY_NAME, IN_BGM_TEXT, PLAYERS, REPAIRED, Fault
from tests.faults.damage import Damage
from tests.faults.dice import tells_roll
from tests.faults.record import Record, clean_files, open_record
from tests.faults.several import many_steps_lost
from tests.repairing import asked
from tests.repairing.outcome import RANKS, Outcome, Proposal, Proposed, outcome

BINS = 10

Ask = Callable[[Iterable[Path]], dict[str, Proposed]]


class Target(NamedTuple):
    """Least share of rows or records that some kinds must reach, and the number of cases."""

    families: tuple[str, ...]
    of: str
    rank: int
    share: float
    share_without: float | None = None
    """Least share without the engine, where it is lower."""


DICE = "dice"
"""Family of rolls. Nothing in a record shows the roll of a dance, or of a play that other rolls explain as well."""

TURN_LOST = "turn lost"
"""Family of missing turns. Nothing in a record shows the roll of some of them."""

EVERY = tuple(dict.fromkeys(kind.family for kind in REPAIRED if kind.family != PLAYERS))
TARGETS = (
    Target(EVERY, "row", 1, 0.85),
    Target(EVERY, "row", 3, 0.97),
    Target(EVERY, "restored", 1, 0.75),
    Target(EVERY, "restored", 3, 0.90),
    Target(("layout",), "restored", 1, 0.95),
    Target(("unreadable",), "restored", 1, 0.95, 0.80),
    Target(("nearest legal",), "row", 1, 0.75),
    Target(("nearest legal",), "row", 3, 0.99),
    Target(("turn lost",), "restored", 10, 0.94),
    Target(("dice",), "restored", 1, 0.95),
    Target(("score",), "restored", 1, 0.95),
)


def main() -> int:
    """Run what the options ask for; the status is 1 where a clean file is given a proposal."""
    options = _options()
    if not options.engine:
        asked.hide_engine()
    if options.clean:
        return _clean(options)
    if options.faults:
        return _faults(options)
    if options.worst:
        return _worst(options)
    outcomes = list(_outcomes(options))
    slips = [case for case in outcomes if BY_NAME[case.kind].family != PLAYERS]
    _print_kinds(outcomes, slips)
    _print_targets(slips, options.engine)
    _print_contradicted(slips)
    _print_proved(slips)
    _print_players([case for case in outcomes if BY_NAME[case.kind].family == PLAYERS])
    for title, limit in (("the first proposal of a cause", 1), ("all proposals", max(RANKS))):
        _print_calibration(title, slips, limit)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    corpus = os.environ.get("BGANALYZE_CORPUS")
    parser.add_argument("--corpus", type=Path, default=corpus, required=corpus is None)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--files", type=int, default=40, metavar="N", help="files for each kind")
    parser.add_argument("--kinds", help="names of kinds or of families, separated by commas")
    engine = parser.add_mutually_exclusive_group()
    engine.add_argument("--with-engine", dest="engine", action="store_true", default=True)
    engine.add_argument("--without", dest="engine", action="store_false", help="without engine")
    parser.add_argument("--by", choices=("library", "command"), default="library")
    parser.add_argument("--jobs", type=int, default=1, help="kinds at the same time")
    parser.add_argument("--warned", action="store_true", help="count warnings as errors")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="N misses of each kind")
    parser.add_argument("--clean", action="store_true")
    parser.add_argument("--faults", action="store_true")
    parser.add_argument("--worst", action="store_true")
    parser.add_argument("--bgm", action="store_true", help="in the project's own text")
    options = parser.parse_args()
    choices = (*EVERY, PLAYERS, *(kind.name for kind in REPAIRED))
    names = options.kinds.split(",") if options.kinds else choices
    if unknown := [name for name in names if name not in choices]:
        parser.error(f"no such kind: {', '.join(unknown)}; {', '.join(choices)}")
    options.chosen = [kind.name for kind in REPAIRED if {kind.name, kind.family} & {*names}]
    if options.bgm:
        options.chosen = [name for name in options.chosen if name in IN_BGM_TEXT]
    return options


# -- slips -----------------------------------------------------------------------------------------


def _outcomes(options: argparse.Namespace) -> Iterator[Outcome]:
    files = clean_files(options.corpus)
    Random(options.seed).shuffle(files)
    work = partial(_of_kind, files=files, options=options)
    if options.jobs <= 1:
        for name in options.chosen:
            yield from work(name)
        return
    with Pool(options.jobs) as pool:
        for outcomes in pool.imap(work, options.chosen):
            yield from outcomes


def _of_kind(name: str, files: list[Path], options: argparse.Namespace) -> list[Outcome]:
    """Make slips of one kind, ask for their repair, and analyze it."""
    kind = BY_NAME[name]
    with tempfile.TemporaryDirectory() as folder:
        slips = {
            str(_write_slip(folder, record, slip)): (record, slip)
            for record, slip in _slips(kind, files, options)
        }
        answers = _ask(options)(map(Path, slips))
        outcomes = [
            outcome(record, name, slip, answers[path], kind.named_by)._replace(
                is_told=kind.family != DICE or tells_roll(record, slip)
            )
            for path, (record, slip) in slips.items()
        ]
        misses = (case for case in outcomes if case.errors and not case.restored[0])
        for case, _ in zip(misses, range(options.show), strict=False):
            _show(case, *next(pair for pair in slips.values() if pair[0].path == case.path))
    if options.warned:
        return [case._replace(errors=case.errors + case.warnings) for case in outcomes]
    return outcomes


def _slips(
    kind: Fault, files: list[Path], options: argparse.Namespace
) -> Iterator[tuple[Record, Damage]]:
    count = 0
    for path in files:
        record = _open_record(path, options.bgm)
        slip = record and kind.make(record, Random(f"{options.seed}:{path.name}:{kind.name}"))
        if record is not None and slip is not None:
            yield record, slip
            count += 1
        if count == options.files:
            return


@lru_cache(maxsize=400)
def _open_record(path: Path, is_bgm: bool) -> Record | None:
    if not is_bgm:
        return open_record(path.name, path.read_bytes())
    text = bgm.write([replay(match) for match in read(path)])
    return open_record(f"{path.stem}.bgm", text)


def _write_slip(folder: str, record: Record, slip: Damage) -> Path:
    path = Path(folder) / record.path
    path.write_bytes(record.encoded(slip.lines))
    return path


def _ask(options: argparse.Namespace) -> Ask:
    if not asked.can_repair():
        return lambda paths: {str(path): Proposed([], 0.0) for path in paths}
    if options.by == "library":
        return asked.by_library
    return partial(asked.by_command, engine=options.engine)


def _show(case: Outcome, record: Record, slip: Damage) -> None:
    print(f"\n{case.kind}  {case.path}:{case.line}  {case.errors} errors, {case.causes} causes")
    for part in slip.parts:
        for sign, lines in (("-", part.was), ("+", part.now)):
            print(*(f"    {sign} {line}" for line in lines[:3]), sep="\n")
    matches = read_bytes(record.encoded(slip.lines), record.path)
    for finding in check(matches):
        if str(finding.severity) == "error":
            print(f"  {finding.line}: {finding.code} {finding.message}")
    for rank, probability, proved, right in case.proposals:
        print(f"  rank {rank}: {probability:.3f}{' proved' * proved}{' right' * right}")


# -- tables ----------------------------------------------------------------------------------------

HEADINGS = (
    *("n", "broke", "warned", "row 1", "row 3", "rest. 1", "rest. 3", "rest. 10"),
    *("proved", "right", "finds", "causes", "unfit", "worse", "median s", "worst s"),
)


def _print_kinds(outcomes: list[Outcome], slips: list[Outcome]) -> None:
    print(f"{'kind':25}{'family':14}" + "".join(f"{heading:>9}" for heading in HEADINGS))
    for name, of_kind in groupby(outcomes, key=lambda case: case.kind):
        kind = BY_NAME[name]
        mark = "" if kind.restorable else " lost"
        print(_row(name, kind.family + mark, list(of_kind)))
    restorable = [case for case in slips if BY_NAME[case.kind].restorable]
    for family in EVERY:
        of_family = [case for case in restorable if BY_NAME[case.kind].family == family]
        if of_family:
            print(_row("", family, of_family))
    print(_row("restorable", "", restorable))
    print(_row("all", "", slips))


def _row(name: str, family: str, outcomes: list[Outcome]) -> str:
    broke = [case for case in outcomes if case.errors]
    warned = sum(bool(case.warnings) for case in outcomes if not case.errors)
    firsts = [proposal for case in broke for proposal in case.proposals if proposal[0] == 1]
    proved = [is_right for _, _, is_proved, is_right in firsts if is_proved]
    cells = (
        f"{len(outcomes):9}{len(broke):9}{warned:9}",
        *(_percent(case.row[at] for case in broke) for at in (0, 1)),
        *(_percent(case.restored[at] for case in broke) for at in range(3)),
        _percent(is_proved for _, _, is_proved, _ in firsts),
        _percent(proved),
        _mean(case.errors for case in broke),
        _mean(case.causes for case in broke),
        f"{sum(case.unfit for case in outcomes):9}{sum(case.worse for case in outcomes):9}",
        f"{statistics.median([case.seconds for case in broke] or [0]):9.3f}",
        f"{max((case.seconds for case in broke), default=0):9.3f}",
    )
    return f"{name:25}{family:14}" + "".join(cells)


def _percent(truths: Iterable[bool]) -> str:
    share = _share(truths)
    return f"{'-':>9}" if share is None else f"{share:9.1%}"


def _share(truths: Iterable[bool]) -> float | None:
    values = list(truths)
    return sum(values) / len(values) if values else None


def _mean(numbers: Iterable[int]) -> str:
    values = list(numbers)
    return f"{statistics.mean(values):9.2f}" if values else f"{'-':>9}"


def _print_targets(outcomes: list[Outcome], has_engine: bool) -> None:
    """Hold the figures against what is asked for."""
    print("\nwhat is asked for (records restored: of slips that can be told from the rest)")
    for families, of, rank, with_engine, without in TARGETS:
        share = with_engine if has_engine or without is None else without
        relevant = [
            case
            for case in outcomes
            if case.errors and BY_NAME[case.kind].family in families
            if of == "row" or BY_NAME[case.kind].restorable
        ]
        reached = _share(getattr(case, of)[RANKS.index(rank)] for case in relevant)
        if reached is not None:
            name = "all" if families == EVERY else ", ".join(families)
            evaluation = "met" if reached >= share else "MISSED"
            print(f"  {name:14} {of:9} in {rank:2}  >= {share:.0%}  {reached:7.1%}  {evaluation}")
    broke = [case for case in outcomes if case.errors]
    for family, rank in ((TURN_LOST, 10), (DICE, 1)):
        of_family = [case for case in broke if BY_NAME[case.kind].family == family]
        if of_family:
            at = RANKS.index(rank)
            share = _percent(case.restored_to_roll[at] for case in of_family)
            print(f"  {family}: of {len(of_family)} restored in {rank} to the roll {share}")
    recorded = [case for case in broke if BY_NAME[case.kind].family == DICE and case.is_told]
    if recorded:
        share = _percent(case.restored_to_roll[0] for case in recorded)
        print(f"  of {len(recorded)} rolls that the record tells {share}")
    if broke:
        reached = sum(case.errors for case in broke) / sum(case.slips for case in broke)
        evaluation = "met" if reached <= 1.1 else "MISSED"
        print(f"  errors for each slip <= 1.1 {reached:7.2f}  {evaluation}")


def _print_contradicted(outcomes: list[Outcome]) -> None:
    """Print how many slips that the record contradicts are restored by the first proposals."""
    broke = [case for case in outcomes if case.errors and case.is_contradicted]
    restorable = [case for case in broke if BY_NAME[case.kind].restorable]
    for name, cases in (("all", broke), ("that can be told", restorable)):
        if cases:
            share = _percent(case.restored[0] or case.is_named for case in cases)
            print(f"  contradicted slips, {name}: {len(cases)}, right first (>= 92%) {share}")


def _print_proved(outcomes: list[Outcome]) -> None:
    proved = [right for case in outcomes for _, _, is_proved, right in case.proposals if is_proved]
    share = _share(proved)
    if share is not None:
        evaluation = "met" if share >= 0.99 else "MISSED"
        print(f"  proved is right in >= 99% {share:9.1%} of {len(proved)}  {evaluation}")


def _print_players(outcomes: list[Outcome]) -> None:
    """Print what is proposed where a player erred and both went on: the record is right then."""
    if outcomes:
        proposed = sum(bool(case.proposals) for case in outcomes)
        proved = sum(any(is_proved for _, _, is_proved, _ in case.proposals) for case in outcomes)
        faulty = sum(case.errors > 0 for case in outcomes)
        print(
            f"  players' own illegal plays: {len(outcomes)}, a finding in {faulty},"
            f" proposals in {proposed}, proved in {proved} (asked: none)"
        )


def _print_calibration(title: str, outcomes: list[Outcome], limit: int) -> None:
    """Print how often proposals of each probability are right, and the expected error."""
    stated_and_right = [
        (probability, right)
        for case in outcomes
        for rank, probability, _, right in case.proposals
        if rank <= limit
    ]
    if not stated_and_right:
        return
    print(f"\ncalibration of {title}\n{'probability':14}{'n':>7}{'said':>9}{'right':>9}")
    error = 0.0
    for place in range(BINS):
        of_bin = [pair for pair in stated_and_right if min(int(pair[0] * BINS), BINS - 1) == place]
        if of_bin:
            stated = statistics.mean(probability for probability, _ in of_bin)
            right = statistics.mean(is_right for _, is_right in of_bin)
            error += abs(stated - right) * len(of_bin) / len(stated_and_right)
            bounds = f"{place / BINS:.1f}-{(place + 1) / BINS:.1f}"
            print(f"{bounds:14}{len(of_bin):7}{stated:9.1%}{right:9.1%}")
    print(f"expected calibration error {error:.3f} (asked: <= 0.05)")


# -- files as they are -----------------------------------------------------------------------------


def _check_corpus(options: argparse.Namespace) -> Iterator[tuple[Path, list[Finding]]]:
    """Yield the files of the corpus that are records of play and can be read, with their errors."""
    index = (options.corpus / "INDEX.tsv").read_text("utf-8").splitlines()
    made_up = {line.split("\t")[0] for line in index if "SYNTHETIC" in line}
    for path in sorted(options.corpus.rglob("*")):
        name = path.relative_to(options.corpus).as_posix()
        if not path.is_file() or path.suffix == ".tsv" or name in made_up:
            continue
        try:
            findings = check(read(path))
        except bganalyze.NotATranscript:
            continue
        yield path, [finding for finding in findings if str(finding.severity) == "error"]


def _clean(options: argparse.Namespace) -> int:
    """Ask for repairs of files without errors: every proposal is one too many."""
    paths = [path for path, errors in _check_corpus(options) if not errors]
    answers = _ask(options)(paths)
    offered = [(path, case) for path, answer in answers.items() for case in answer.proposals]
    for path, proposal in offered:
        print(path, *_lines_of(proposal), sep="\n")
    print(f"{len(paths)} clean files: {len(offered)} proposals (asked: none)")
    return bool(offered)


def _faults(options: argparse.Namespace) -> int:
    """Print each error of the real files, with its proposals, for a person to analyze."""
    faulty = {path: errors for path, errors in _check_corpus(options) if errors}
    answers = _ask(options)(faulty)
    for path, errors in faulty.items():
        print(f"\n{path.relative_to(options.corpus)}")
        for finding in errors:
            print(f"  {finding.line}: {finding.code} {finding.message}")
        for proposal in answers[str(path)].proposals:
            if proposal.rank <= RANKS[1]:
                print(*_lines_of(proposal), sep="\n")
    causes = {(path, case.cause) for path in answers for case in answers[path].proposals}
    print(
        f"\n{len(faulty)} files, {sum(map(len, faulty.values()))} errors, {len(causes)} with proposals"
    )
    return 0


def _worst(options: argparse.Namespace) -> int:
    """Print how long the match of most games takes to check and to repair, with many slips."""
    records = filter(
        None, (open_record(str(path), path.read_bytes()) for path in clean_files(options.corpus))
    )
    record = max(records, key=lambda record: len(record.games))
    slip = many_steps_lost(record, Random(options.seed))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / Path(record.path).name
        path.write_bytes(record.encoded(slip.lines))
        before = time.process_time()
        findings = check(read(path))
        seconds = time.process_time() - before
        answer = _ask(options)([path])[str(path)]
    causes = len({proposal.cause for proposal in answer.proposals})
    print(
        f"{path.name}: {len(record.games)} games, {len(slip.parts)} slips, {len(findings)} findings"
    )
    print(f"check {seconds:.2f} s, repair {answer.seconds:.2f} s (asked: <= 5 s), {causes} causes")
    return 0


def _lines_of(proposal: Proposal) -> Iterator[str]:
    proved = ", proved" if proposal.proved else ""
    yield (
        f"    cause {proposal.cause}, {proposal.rank}. {proposal.kind}:"
        f" {proposal.probability:.3f}{proved}: {proposal.message}"
        f" ({proposal.errors_before} -> {proposal.errors_after} errors)"
    )
    for edit in proposal.edits:
        for sign, text in (("-", edit.old), ("+", edit.new)):
            if text is not None:
                yield f"      {edit.line:4} {sign} {text}"


if __name__ == "__main__":
    sys.exit(main())
