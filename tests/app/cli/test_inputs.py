"""Paths that commands accept: archives and packed files give the same results as the files in them."""

from __future__ import annotations

import gzip
import json
import subprocess
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from bganalyze.app.jobs.executor import FEW
from tests.files.servers import serving

Run = Callable[..., Result]
Start = Callable[..., "subprocess.Popen[str]"]

SAMPLES = Path(__file__).parent.parent.parent.parent / "samples"
NAMES = ("P410-larger-die.mat", "R604-score-too-high.mat", "T120-score-line-lost.mat")
LOST = SAMPLES / "faulty" / "T120-score-line-lost.mat"


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder with faulty records and something else, once as it is and once as an archive."""
    folder = tmp_path / "club"
    folder.mkdir()
    for path in sorted((SAMPLES / "faulty").glob("*.mat"))[::9]:
        (folder / path.name).write_bytes(path.read_bytes())
    (folder / "notes.txt").write_text("no match at all")
    with tarfile.open(tmp_path / "club.tgz", "w:gz") as archive:
        for path in sorted(folder.iterdir()):
            archive.add(path, path.name)
    return tmp_path


def findings(result: Result, root: str) -> list[Any]:
    data = json.loads(result.stdout)
    assert data
    return [{**finding, "path": finding["path"].removeprefix(root)} for finding in data]


@pytest.mark.slow
def test_an_archive_gives_what_the_folder_gives(run: Run, here: Path) -> None:
    packed = run("check", "club.tgz", "--format", "json", "--workers", "1")
    plain = run("check", "club", "--format", "json", "--workers", "1")
    assert findings(packed, "club.tgz!") == findings(plain, "club/")
    assert (packed.exit_code, packed.stderr) == (plain.exit_code, plain.stderr)


@pytest.mark.slow
def test_several_processes_read_one_archive(run: Run, here: Path) -> None:
    alone = run("check", "club.tgz", "--format", "json", "--workers", "1")
    together = run("check", "club.tgz", "--format", "json", "--workers", "3")
    assert together.stdout == alone.stdout


@pytest.mark.slow
def test_what_is_cut_off_is_told_and_the_others_are_read(run: Run, here: Path) -> None:
    content = (here / "club.tgz").read_bytes()
    (here / "cut.tgz").write_bytes(content[: len(content) // 2])
    result = run("check", "cut.tgz", LOST, "--format", "json-object")
    answer = json.loads(result.stdout)
    (failure,) = answer["files"]["unreadable"]
    assert result.exit_code == 2
    assert failure["path"] == "cut.tgz"
    assert failure["reason"].startswith(
        "broken archive (cut off); only the part before it was read ("
    )
    assert answer["files"]["read"] > 1
    assert result.stderr == f"bganalyze: cut.tgz: {failure['reason']}\n"


@pytest.mark.slow
def test_tables_name_the_member(run: Run, here: Path) -> None:
    assert run("stats", "club.tgz", "--out", "out", "--workers", "1").exit_code == 0
    rows = (here / "out" / "matches.csv").read_text().splitlines()
    assert all("club.tgz!" in row for row in rows[1:])


def test_one_member_is_shown(run: Run, here: Path) -> None:
    name = min((here / "club").glob("*.mat")).name
    packed, plain = (run("show", path, "1.1") for path in (f"club.tgz!{name}", f"club/{name}"))
    assert packed.stdout.replace(f"club.tgz!{name}", f"club/{name}") == plain.stdout


@pytest.mark.slow
def test_members_are_converted_as_they_lay(run: Run, here: Path) -> None:
    for source, target in (("club", "plain"), ("club.tgz", "packed")):
        run("convert", source, target, "--to", "json", "--quiet")
    plain, packed = (
        {path.name: path.read_bytes() for path in (here / name).iterdir()}
        for name in ("plain", "packed")
    )
    assert plain
    assert plain.keys() == packed.keys()


class TestWriting:
    def test_what_is_packed_is_not_repaired_in_its_place(self, run: Run, here: Path) -> None:
        packed = gzip.compress(LOST.read_bytes())
        (here / "lost.mat.gz").write_bytes(packed)
        result = run("repair", "lost.mat.gz", "--write", "--in-place")
        assert result.exit_code == 2
        assert result.stderr == (
            "bganalyze: lost.mat.gz: cannot be changed in place; name another place with --out\n"
        )
        assert (here / "lost.mat.gz").read_bytes() == packed

    @pytest.mark.slow
    def test_documents_give_their_names_and_are_not_written_into(
        self, run: Run, here: Path
    ) -> None:
        document = rb"{\rtf1 " + LOST.read_bytes().replace(b"\n", b"\\par ") + b"}"
        (here / "in").mkdir()
        for name in ("lost.rtf", "in/2009Jan14.RTF"):
            (here / name).write_bytes(document)
        result = run("repair", "lost.rtf", "--write", "--in-place")
        assert result.exit_code == 2
        assert result.stderr == (
            "bganalyze: lost.rtf!text.txt: cannot be changed in place; "
            "save its text as a .txt file, or name another place with --out\n"
        )
        assert run("repair", "lost.rtf", "--write", "--out", "one.mat", "--quiet").exit_code == 0
        assert run("convert", "lost.rtf", "two.sgf", "--quiet").exit_code == 0
        assert run("convert", "lost.rtf", "out/", "--to", "sgf", "--quiet").exit_code == 0
        assert run("convert", "in", "out", "--to", "sgf", "--quiet").exit_code == 0
        written = sorted(path.name for path in (here / "out").iterdir())
        assert written == ["2009Jan14.sgf", "lost.sgf"]
        assert (here / "one.mat").exists()
        assert (here / "two.sgf").exists()
        assert (here / "lost.rtf").read_bytes() == document

    @pytest.mark.slow
    def test_it_is_repaired_elsewhere_unpacked(self, run: Run, here: Path) -> None:
        (here / "lost.mat.gz").write_bytes(gzip.compress(LOST.read_bytes()))
        (here / "lost.mat").write_bytes(LOST.read_bytes())
        run("repair", "lost.mat", "--write", "--in-place")
        assert run("repair", "lost.mat.gz", "--write", "--out", "out/").exit_code == 0
        assert (here / "out" / "lost.mat").read_bytes() == (here / "lost.mat").read_bytes()

    def test_it_is_converted_under_its_own_name(self, run: Run, here: Path) -> None:
        (here / "lost.mat.gz").write_bytes(gzip.compress(LOST.read_bytes()))
        assert run("convert", "lost.mat.gz", "out/", "--to", "json").exit_code == 0
        assert [path.name for path in (here / "out").iterdir()] == ["lost.json"]


@pytest.mark.slow
class TestUrls:
    @pytest.fixture
    def url(self, here: Path) -> Iterator[str]:
        pytest.importorskip("fsspec", reason="the extra remote is not installed")
        pytest.importorskip("aiohttp", reason="the extra remote is not installed")
        with serving(here) as url:
            yield url.replace("://", "://ann:pa55word@")

    @staticmethod
    def shown(url: str) -> str:
        return url.replace("ann:pa55word", "***")

    @pytest.mark.parametrize("path", ["/club/", "/club.tgz"])
    def test_a_url_gives_what_the_folder_gives(
        self, run: Run, here: Path, url: str, path: str
    ) -> None:
        behind = run("check", f"{url}{path}", "--format", "json", "--workers", "1")
        plain = run("check", "club", "--format", "json", "--workers", "1")
        root = f"{self.shown(url)}{path}{'!' if path.endswith('tgz') else ''}"
        assert findings(behind, root) == findings(plain, "club/")
        assert (behind.exit_code, behind.stderr) == (plain.exit_code, plain.stderr)

    @pytest.mark.slow
    def test_several_processes_fetch(self, start: Start, here: Path, url: str) -> None:
        paths = [f"{url}/club/?key=pa55word", f"{url}/club.tgz", f"{url}/403?key=pa55word"]
        process = start("check", *paths, "--format", "json-object", "--workers", "3")
        answer, complaints = process.communicate()
        assert process.returncode == 2
        shown_url = self.shown(url)
        assert (
            complaints == f"bganalyze: {shown_url}/403?key=***: the server answers 403 Forbidden\n"
        )
        assert "pa55" not in answer
        assert json.loads(answer)["files"]["read"] > FEW

    @pytest.mark.parametrize(
        "words",
        [
            ("check",),
            ("check", "--format", "json-object"),
            ("check", "--format", "sarif"),
            ("check", "--format", "github"),
            ("check", "--html", "page.html"),
            ("stats", "--format", "json"),
            pytest.param(("stats", "--out", "tables"), marks=pytest.mark.slow),
            ("repair", "--write", "--out", "repaired/"),
            ("repair", "--format", "jsonl"),
            pytest.param(("analyze", "--db", "a.db"), marks=pytest.mark.slow),
            ("collect", "--store", "store"),
            ("report",),
            ("show",),
            ("convert",),
            ("export",),
        ],
        ids=" ".join,
    )
    def test_no_credential_is_shown_or_kept(
        self, run: Run, here: Path, url: str, words: tuple[str, ...]
    ) -> None:
        command, *options = words
        name = min((here / "club").glob("*.mat")).name
        arguments = {"show": ["1.1"], "convert": ["out.json"]}.get(command, [])
        for path in (f"{url}/club/{name}?token=pa55word", f"{url}/403", f"{url}/no/?key=pa55word"):
            result = run(command, path, *arguments, *options)
            assert "pa55" not in result.output + result.stderr + repr(result.exception)
            if not path.endswith("token=pa55word"):
                assert result.exit_code == 2
                assert result.stderr.count("bganalyze: ") == 1
        contents = [path.read_bytes() for path in here.rglob("*") if path.is_file()]
        assert not any(b"pa55" in content for content in contents)

    @pytest.mark.parametrize(
        "words", [("check", "--no"), ("report", "a", "b"), ("{url}",), ("show",)]
    )
    def test_nor_where_the_call_is_wrong(self, run: Run, url: str, words: tuple[str, ...]) -> None:
        result = run(*words, f"{url}?token=pa55word", f"{url}?token=pa55word")
        assert result.exit_code == 2
        assert "pa55" not in result.output + result.stderr

    def test_what_is_behind_it_is_repaired_elsewhere_only(
        self, run: Run, here: Path, url: str
    ) -> None:
        (here / "lost.mat").write_bytes(LOST.read_bytes())
        result = run("repair", f"{url}/lost.mat", "--write", "--in-place")
        assert result.stderr == (
            f"bganalyze: {self.shown(url)}/lost.mat: cannot be changed in place; "
            "name another place with --out\n"
        )
        assert run("repair", f"{url}/lost.mat", "--write", "--out", "out/").exit_code == 0
        assert [path.name for path in (here / "out").iterdir()] == ["lost.mat"]

    @pytest.mark.parametrize(
        "words", [("convert", LOST, "{url}/b.sgf"), ("repair", LOST, "--write", "--out", "{url}/b")]
    )
    def test_nothing_is_written_to_one(
        self, run: Run, here: Path, url: str, words: tuple[object, ...]
    ) -> None:
        result = run(*(str(word).format(url=url) for word in words))
        assert result.exit_code == 2
        assert result.stderr.endswith(": files can only be written to this machine\n")
        assert "pa55" not in result.stderr

    def test_members_are_converted_as_they_lay(self, run: Run, here: Path, url: str) -> None:
        for source, target in (("club", "plain"), (f"{url}/club.tgz", "behind")):
            run("convert", source, target, "--to", "json", "--quiet")
        assert {path.name for path in (here / "plain").iterdir()} == {
            path.name for path in (here / "behind").iterdir()
        }
