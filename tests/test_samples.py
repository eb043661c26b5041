"""The samples: nothing above info in the clean ones, and in the faulty ones what is expected.

`samples/README.md` describes them; `samples/faulty/EXPECTED.tsv` lists every finding above
info, `EXPECTED-info.tsv` the remarks that some were made to show.
"""

from __future__ import annotations

import csv
import shutil
import subprocess
import sys
import zipfile
from collections import defaultdict
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

from bganalyze.files.reading import MEMBER_MARK, find_files, load_file
from bganalyze.record.reader import read, read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.findings import Finding, Severity
from bganalyze.validation.rules import CATALOG
from tests import same
from tests.fuzzing.bases import TEXTS

SAMPLES = Path(__file__).parent.parent / "samples"
CLEAN, FAULTY = SAMPLES / "clean", SAMPLES / "faulty"

EXPORTED = {"redoubles.sgf", "redoubles.txt", "short-match.sgf"}
"""Clean samples that GNU Backgammon itself has written: they are not made of others."""

ABOVE_INFO = {"no-match-line.mat": [("T117", 3)]}
"""Findings above info in clean samples: (code, line)."""

REMARKS = {
    "unfinished.mat": "T107",
    "studio.txt": "T113",
    "several-matches.mat": "T115",
    "bgtournament.mat": "R613",
}
"""Remarks that clean samples show, as the README of the samples says."""


class Expected(NamedTuple):
    """One finding, as a table of expected findings has it."""

    code: str
    line: int
    severity: str
    standing: str


def table(name: str) -> dict[str, list[Expected]]:
    """Return the expected findings of each file."""
    rows: dict[str, list[Expected]] = defaultdict(list)
    with (FAULTY / name).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            rows[row["file"]].append(
                Expected(row["code"], int(row["line"]), row["severity"], row["standing"])
            )
    return rows


EXPECTED, EXPECTED_INFO = table("EXPECTED.tsv"), table("EXPECTED-info.tsv")


def transcripts(folder: Path) -> list[Path]:
    """Return the transcripts of a folder."""
    return sorted(path for path in folder.iterdir() if path.suffix in TEXTS)


@cache
def find_findings(path: Path) -> list[Finding]:
    """Return all findings of a sample."""
    return check(read(path))


def as_expected(finding: Finding) -> Expected:
    """Return a finding in the form of the tables."""
    standing = finding.standing or "-"
    return Expected(finding.code, finding.line, str(finding.severity), str(standing))


def above_info(findings: list[Finding]) -> list[Expected]:
    """Return the findings that are more than remarks."""
    return sorted(as_expected(f) for f in findings if f.severity is not Severity.INFO)


def name_test(path: Path) -> str:
    """Return the name of a file, to call its test by."""
    return path.name


@pytest.mark.slow
@pytest.mark.parametrize("path", transcripts(CLEAN), ids=name_test)
def test_clean_samples_are_clean(path: Path) -> None:
    codes = [(finding.code, finding.line) for finding in above_info(find_findings(path))]
    assert codes == ABOVE_INFO.get(path.name, [])


@pytest.mark.parametrize(("name", "code"), REMARKS.items())
def test_remarks_of_clean_samples(name: str, code: str) -> None:
    assert code in {finding.code for finding in find_findings(CLEAN / name)}


def test_the_archive_holds_clean_samples_as_they_are() -> None:
    members = list(find_files(CLEAN / "archive.zip"))
    assert len(members) == 3
    for item in members:
        name = item.path.rpartition(MEMBER_MARK)[2]
        assert load_file(item) == (CLEAN / name).read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("path", transcripts(FAULTY), ids=name_test)
def test_faulty_samples_give_what_is_expected(path: Path) -> None:
    assert above_info(find_findings(path)) == sorted(EXPECTED.get(path.name, []))


@pytest.mark.parametrize("name", EXPECTED_INFO)
def test_faulty_samples_give_the_remarks_that_are_expected(name: str) -> None:
    remarks = [as_expected(finding) for finding in find_findings(FAULTY / name)]
    assert all(remark in remarks for remark in EXPECTED_INFO[name])


def test_faulty_samples_are_named_after_what_they_show() -> None:
    for path in transcripts(FAULTY):
        expected = EXPECTED.get(path.name, []) + EXPECTED_INFO.get(path.name, [])
        assert path.name[:4] in {finding.code for finding in expected}, path.name


def test_every_rule_has_a_sample_that_shows_it() -> None:
    expected = [*EXPECTED.values(), *EXPECTED_INFO.values()]
    codes = {code_and_line.code for of_file in expected for code_and_line in of_file} | {
        *REMARKS.values()
    }
    assert {rule.code for rule in CATALOG} - codes == set()


def test_the_example_of_any_rule_can_be_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SAMPLES / "make"))
    examples = list(import_module("faults_examples").examples(()))
    assert len(examples) > len(CATALOG) / 2
    for example in examples:
        findings = check(read_bytes(example.draft.data(), example.file))
        marked = {(row.code, int(row.place[1:])) for row in example.rows}
        assert example.file[:4] in {code for code, _ in marked}
        assert marked <= {(finding.code, finding.line) for finding in findings}, example.file


def test_every_expected_file_is_there() -> None:
    names = {path.name for path in transcripts(FAULTY)}
    assert set(EXPECTED) | set(EXPECTED_INFO) == names


def test_one_match_in_several_formats_is_the_same() -> None:
    for name in ("short-match", "redoubles"):
        original, *converted = sorted(
            CLEAN.glob(f"{name}.*"), key=lambda path: path.suffix != ".mat"
        )
        assert converted
        assert [same.matches(path) for path in converted] == [same.matches(original)] * len(
            converted
        )


def content(path: Path) -> object:
    """Return the bytes of a file; of an archive its members, for how small they get may differ."""
    if path.suffix != ".zip":
        return path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        return [
            (member.filename, member.date_time, archive.read(member))
            for member in archive.infolist()
        ]


def contents(folder: Path) -> dict[str, object]:
    """Return the content of every file of a folder."""
    return {path.name: content(path) for path in folder.iterdir()}


@pytest.mark.slow
def test_the_samples_are_made_the_same_again(tmp_path: Path) -> None:
    shutil.copytree(SAMPLES / "make", tmp_path / "make")
    subprocess.run([sys.executable, "make"], cwd=tmp_path, env={"PATH": ""}, check=True)
    clean = contents(CLEAN)
    assert contents(tmp_path / "clean") == {name: clean[name] for name in clean.keys() - EXPORTED}
    assert contents(tmp_path / "faulty") == contents(FAULTY)
