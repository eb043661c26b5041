"""`python -m tests.injection`: damage clean files and count what the check makes of it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from random import Random

from tests.faults.catalog import INJECTED, REPORTS
from tests.faults.record import CORPUS, clean_files, corpus
from tests.injection.trial import Count, Trial, trials


def main() -> int:
    """Run the injector; the status is 1 where a threshold is missed."""
    options = _options()
    if options.table:
        return _print_table()
    files = _files(options)
    kinds = [k for k in REPORTS if not options.kinds or k in options.kinds]
    counts = {kind: Count() for kind in kinds}
    shown = 0
    for trial in _run(files, kinds, options):
        counts[trial.kind].add(trial)
        if trial.is_miss and options.show in (trial.kind, "all") and shown < options.most:
            shown += 1
            _show(trial)
    return _print_counts(counts, len(files))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.injection", description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path, help=f"files; else those of {CORPUS}")
    parser.add_argument("--files", type=int, default=0, help="a sample of that many; 0: all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kinds", type=lambda text: text.split(","), default=[])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--show", metavar="KIND", help="print misses of that kind, or of all")
    parser.add_argument("--most", type=int, default=20, help="how many misses to print")
    parser.add_argument("--table", action="store_true", help="print what each kind must give")
    options = parser.parse_args()
    unknown = [kind for kind in options.kinds if kind not in REPORTS]
    if unknown:
        parser.error(f"no such kind: {', '.join(unknown)}; {', '.join(REPORTS)}")
    if options.show and options.show != "all":
        options.kinds = [options.show]
    return options


def _files(options: argparse.Namespace) -> list[Path]:
    folder = corpus()
    files = options.paths or (clean_files(folder) if folder else [])
    if not files:
        sys.exit(f"name files, or set {CORPUS}")
    if options.files and options.files < len(files):
        files = Random(options.seed).sample(files, options.files)
    return list(files)


def _run(files: list[Path], kinds: list[str], options: argparse.Namespace) -> Iterator[Trial]:
    work = partial(_try_kinds, kinds=kinds, seed=options.seed)
    if options.jobs <= 1:
        for path in files:
            yield from work(path)
        return
    with Pool(options.jobs) as pool:
        for file_trials in pool.imap(work, files, chunksize=4):
            yield from file_trials


def _try_kinds(path: Path, kinds: list[str], seed: int) -> list[Trial]:
    return list(trials(path, path.read_bytes(), kinds, seed))


def _show(trial: Trial) -> None:
    broken = trial.broken
    print(f"\n{trial.kind}  {Path(trial.path).name}:{broken.line}")
    part = broken.parts[0]
    for name, lines in (("was", part.was), ("now", part.now)):
        print(f"    {name}   {lines[0].strip() if lines else ''}")
    print(f"    must  {_places(broken.exact)}")
    listed = [
        finding
        for finding in trial.found
        if finding.severity == "error" or _is_near(trial, finding.line)
    ]
    for finding in listed:
        mark = "!" if finding in trial.unrelated else " "
        print(
            f"  {mark} found {finding.line}: {finding.code} {finding.severity}: {finding.message}"
        )
        if not _is_near(trial, finding.line):
            print(f"          {broken.lines[finding.line - 1].strip()}")


def _is_near(trial: Trial, line: int) -> bool:
    return line == trial.broken.line or line in {row for row, _ in trial.broken.exact}


def _places(places: frozenset[tuple[int, str]]) -> str:
    return ", ".join(f"{code} at {line}" for line, code in sorted(places))


def _print_counts(counts: dict[str, Count], files: int) -> int:
    total = Count()
    print(f"\n{'kind':18}{'tried':>7}{'faults':>7}{'at row':>9}{'exact':>9}{'unrelated':>11}")
    for kind, count in counts.items():
        total.merge(count)
        print(_line(kind, count))
    print(_line("all", total), f"   {files} files")
    return 0 if passes(total) else 1


def _line(name: str, count: Count) -> str:
    faults = max(count.faults, 1)
    codes = " ".join(f"{code} {n}" for code, n in count.codes.most_common(4))
    rates = (
        f"{count.at_row / faults:9.2%}{count.exact / faults:9.2%}{count.unrelated / faults:11.4f}"
    )
    return f"{name:18}{count.tried:7}{count.faults:7}{rates}   {codes}"


def passes(total: Count) -> bool:
    """Whether the figures meet what the project asks for."""
    return (
        total.at_row >= 0.99 * total.faults
        and total.exact >= 0.95 * total.faults
        and 20 * total.unrelated < total.faults
    )


def _print_table() -> int:
    for fault in INJECTED:
        maker, report = (fault.make.__doc__ or "").strip(), REPORTS[fault.name]
        print(f"{fault.name}: {maker}\n    must give {report.codes} at {report.where}")
        print(f"    also allowed: {report.also or '-'}\n    because {report.why}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
