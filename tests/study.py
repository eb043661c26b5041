"""`python -m tests.study FOLDER`: write docs/study.md and its discrepancy files from public records.

The folder holds match files; an `INDEX.tsv` in it, with the columns `path` and `producer`, may mark
files as synthetic, which are left out. Every figure of the page is computed here.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import bganalyze

DOCS = Path(__file__).parent.parent / "docs"
UNKNOWN = "unknown"
MARK = "SYNTHETIC"
EVIDENCE = ("consistent", "unknown", "contradicted")
COLUMNS = (
    "record",
    "match",
    "game",
    "line",
    "code",
    "name",
    "standing",
    "evidence",
    "proposals",
    "proved",
)


class Discrepancy(NamedTuple):
    """An error of a record that is not corrected in it, without the names of players."""

    producer: str
    record: str
    """The first 12 digits of the SHA-256 of the file."""
    match: int
    game: int | None
    line: int
    code: str
    standing: str
    evidence: str
    proposals: int
    proved: int

    def row(self) -> tuple[object, ...]:
        """Return the values of the columns `COLUMNS`."""
        before = (self.record, self.match, self.game or "", self.line, self.code)
        return (*before, bganalyze.find_rule(self.code).name, *self[6:])


def list_match_files(folder: Path) -> list[str]:
    """Return the match files in a folder, without single positions and synthetic files."""
    synthetic = set()
    index = folder / "INDEX.tsv"
    if index.exists():
        with index.open(encoding="utf-8") as file:
            rows = list(csv.DictReader(file, delimiter="\t"))
        synthetic = {row["path"] for row in rows if MARK in row["producer"]}
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix != ".tsv")
    chosen = (path for path in paths if path.relative_to(folder).as_posix() not in synthetic)
    return [str(path) for path in chosen if bganalyze.read(path)[0].format != "position"]


def find_discrepancies(paths: Iterable[str]) -> Iterator[Discrepancy]:
    """Yield the errors of each file that it does not correct, with what repair proposes for each."""
    for path in paths:
        found = bganalyze.repair(path)
        if not found.errors:
            continue
        producers = [match.conventions.producer for match in bganalyze.read(path)]
        digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()[:12]
        causes = {(cause.finding.line, cause.finding.code): cause for cause in found.causes}
        for error in found.errors:
            cause = causes.get((error.line, error.code))
            proposals = cause.proposals if cause else ()
            yield Discrepancy(
                producers[error.match - 1] or UNKNOWN,
                digest,
                error.match,
                error.game,
                error.line,
                error.code,
                error.standing or "",
                error.evidence.kind if error.evidence else "",
                len(proposals),
                sum(proposal.proved for proposal in proposals),
            )


def write_discrepancies(found: Iterable[Discrepancy]) -> str:
    """Return discrepancies as a CSV file."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(one.row() for one in found)
    return text.getvalue()


def name_discrepancy_file(producer: str) -> str:
    """Return the name of the CSV file for a program's discrepancies."""
    return re.sub(r"[^a-z0-9]+", "-", producer.lower()) + ".csv"


def write_table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table with these heads and rows."""
    lines = [f"| {' | '.join(map(str, line))} |\n" for line in (heads, *rows)]
    return "".join([lines[0], "|---" * len(heads) + "|\n", *lines[1:]])


def write_interval(figure: Any, scale: float = 1.0, digits: int = 2) -> str:
    """Return a figure times `scale`, with its 95 % interval, as text."""
    value, low, high = (f"{scale * figure[key]:.{digits}f}" for key in ("value", "low", "high"))
    return value if low == "nan" else f"{value} ({low} to {high})"


def index_figures(frame: Any) -> dict[str, Any]:
    """Return the rows of a table of figures, by the name of the figure."""
    return {row["figure"]: row for row in frame.to_dict("records")}


def list_producers(conformance: dict[str, Any]) -> Iterator[tuple[object, ...]]:
    """Yield a row for each program and format: matches, games, rolls, errors and error rate."""
    keys = ["producer", "format"]
    frames = [conformance[name] for name in ("What is recorded", "Findings")]
    groups = [dict(list(frame.groupby(keys, observed=True, sort=False))) for frame in frames]
    for (producer, form), recorded in groups[0].items():
        # A program is one row, whatever versions of it are stated.
        counts = recorded.groupby("figure")["count"].sum()
        found = groups[1].get((producer, form))
        if found is None:
            continue
        sums = found.groupby("figure")["count"].sum()
        rate = index_figures(found)["errors"] if found["figure"].is_unique else None
        name = UNKNOWN if producer == "unknown" else producer
        yield (
            f"{name}, `{form}`",
            f"{counts['matches']:,.0f}",
            f"{counts['games']:,.0f}",
            f"{sums['rolls']:,.0f}",
            f"{sums['errors']:.0f}",
            write_interval(rate)
            if rate is not None
            else f"{1000 * sums['errors'] / sums['rolls']:.2f}",
        )


def list_rules(found: Sequence[Discrepancy]) -> Iterator[tuple[object, ...]]:
    """Yield a row for each rule: its errors, and how many of them the rest of the match fits or contradicts."""
    for code, count in Counter(one.code for one in found).most_common():
        kinds = Counter(one.evidence for one in found if one.code == code)
        rule = bganalyze.find_rule(code)
        anchor = f"{rule.code.lower()}-{rule.name}-{rule.severity}"
        name = f"[{code}](rules.md#{anchor}) {rule.name}"
        yield (name, count, *(kinds[kind] for kind in EVIDENCE))


def write_page(paths: Sequence[str], found: Sequence[Discrepancy]) -> str:
    """Return the text of docs/study.md."""
    asked = bganalyze.stats(list(paths), report=["conformance", "dice", "cube"], by="all")
    rolls = index_figures(asked.sections("dice")["Rolls"])
    tests = asked.sections("dice")["Tests"].to_dict("records")
    invented = asked.sections("dice").get("Invented dances")
    doubles = index_figures(asked.sections("cube")["Doubles"])
    answers = index_figures(asked.sections("cube")["Answers"])
    kinds = Counter(one.evidence for one in found)
    with_proposal = [one for one in found if one.proposals]
    proved = [one for one in found if one.proved]
    records = len({one.record for one in found})
    programs = Counter(one.producer for one in found)
    return TEXT.format(
        version=bganalyze.__version__,
        files=f"{len(paths):,}",
        counted=", ".join(asked.notes[:3]),
        programs=write_table(
            (
                "program, format",
                "matches",
                "games",
                "rolls",
                "errors",
                "errors in 1,000 rolls (95 %)",
            ),
            list_producers(asked.sections("conformance")),
        ),
        errors=len(found),
        records=records,
        record_share=f"{100 * records / len(paths):.1f}",
        rules=write_table(("rule", "errors", *EVIDENCE), list_rules(found)),
        consistent=kinds["consistent"],
        contradicted=kinds["contradicted"],
        unknown=kinds["unknown"],
        proposals=len(with_proposal),
        proved=len(proved),
        discrepancies="".join(
            f"- [{producer}](study/{name_discrepancy_file(producer)}): {count}\n"
            for producer, count in programs.most_common()
        ),
        dice=write_table(
            ("figure", "records (95 %)", "fair dice"),
            (
                ("doubles, of 100 rolls", write_interval(rolls["doubles"], 100), "16.67"),
                ("pips a roll", write_interval(rolls["pips a roll"], digits=3), "8.167"),
                (
                    "pips an opening roll",
                    write_interval(rolls["pips an opening roll"], digits=3),
                    "7.000",
                ),
            ),
        ),
        roll_count=f"{rolls['rolls']['count']:,.0f}",
        tests=write_table(
            ("test", "rolls", "p", "p, corrected for the number of tests"),
            (
                (test["test"], f"{test['rolls']:,}", f"{test['p']:.2g}", f"{test['corrected']:.2g}")
                for test in tests
            ),
        ),
        invented=0 if invented is None else len(invented),
        cube=write_table(
            ("figure", "records (95 %)", "cases"),
            (
                (
                    name,
                    write_interval(figure, scale),
                    f"{figure['of']:,.0f}",
                )
                for name, figure, scale in (
                    ("doubled, of 100 chances", doubles["doubled"], 100),
                    ("redoubled, of 100 chances", doubles["redoubled"], 100),
                    ("taken, of 100 doubles", answers["taken"], 100),
                    ("won, of 100 takes", answers["takes won"], 100),
                    (
                        "points a take, the cube before the double being 1",
                        answers["points a take"],
                        1,
                    ),
                )
            ),
        ),
        needed=write_interval(answers["needed to take"], 100),
    )


TEXT = """\
# A study of public records

How often do public records of backgammon matches break the rules, and which errors are the players' own? This page answers for a collection of about 1,160 files from public repositories. They belong to others and are not included. {files} of them are records of matches; test data of programs and single positions are left out. Every figure is computed by `python -m tests.study FOLDER` with bganalyze {version}, under the base rules; 95 % intervals are in brackets.

Counted: {counted}. Matches recorded twice count once in the tables of rolls.

## Errors, by the program that wrote the record

{programs}
An error breaks a rule of the game or of the accounting, and is not corrected in the record. Errors of one match are not independent; the intervals allow for that, and stay wide where few matches are behind them.

## Which errors, and whose

{errors} errors are in {records} records, {record_share} % of all.

{rules}
*Consistent*: everything that follows in the match fits the play as recorded, so a player may have made it. *Contradicted*: something else in the record does not fit it, so it was probably written down wrong. *Unknown*: the rest does not tell. Consistent with a player's error: {consistent} of {errors}; contradicted: {contradicted}; unknown: {unknown}.

## What `repair` proposes

Errors: {errors}. With at least one proposal: {proposals}. With a proved one, that is, plausible in itself and the only one of comparable likelihood that lets the game be replayed to its end: {proved}.

## Discrepancy files

One line for each error, as [Retrosheet](https://www.retrosheet.org/) publishes where its sources disagree. `record` is the beginning of the SHA-256 of the file: who has the record can find it, and no player is named.

{discrepancies}
## Dice

{dice}
{roll_count} rolls were counted. Tests of independence and fairness over all records:

{tests}
Matches with far more dances recorded as 6-6 than dice give, after correction for the number of matches: {invented}. That fits writers that note a dance without its roll, and fill in 6-6. These matches are left out of the other figures on dice.

## Doubles and takes

{cube}
With a dead cube and no gammons, the takers needed to win {needed} of 100, on average over the scores (Kazaross-XG2).

## What cannot be concluded

- **About backgammon as such.** The collection is what people put into public repositories: most of it is one player's matches on one site. It is no sample of all matches.
- **That sites without errors record perfectly.** A site's program refuses illegal plays, so its records have none to find. A legal play that was not made leaves no trace.
- **Who erred.** Consistent with a player's error is not proof of one: a slip that leads to a fitting game looks the same. Names are not judged here.
- **That the dice of a site are fair or unfair** for a player: the tests see rolls, not who profits from them, and have little power for single matches. p values near the limits are expected among that many tests.
- **That a rate of takes is right or wrong.** Without an engine's evaluation of each position, a rate says how players act, not how well.
- **Anything about programs with few matches.** Their intervals say so.
"""


def write_study(folder: Path, docs: Path) -> None:
    """Write the page and its CSV files of discrepancies into the folder `docs`."""
    paths = list_match_files(folder)
    found = list(find_discrepancies(paths))
    (docs / "study.md").write_text(write_page(paths, found), encoding="utf-8")
    (docs / "study").mkdir(exist_ok=True)
    for old in (docs / "study").glob("*.csv"):
        old.unlink()
    for producer in sorted({one.producer for one in found}):
        own = [one for one in found if one.producer == producer]
        (docs / "study" / name_discrepancy_file(producer)).write_text(
            write_discrepancies(own), encoding="utf-8"
        )


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tests.study FOLDER")
    write_study(Path(sys.argv[1]), DOCS)
