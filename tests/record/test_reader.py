"""The texts that are recognized as transcripts."""

import bz2
import gzip
import lzma
import tarfile
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from bganalyze.record.not_a_transcript import NotATranscript
from bganalyze.record.reader import ONLY_RECORDS, parse_line, read_bytes

PROGRAM = b"""\
*     fraction_4 : 1   fraction_3 : 2
#define takes 5
 takes advantage of this
 set to 10:
"""


@pytest.mark.parametrize(
    "text",
    [
        b" 5 point match\n",
        b"Game 1\nAnn : 0      Bob : 0\n",
        b" 1) 31: 8/5 6/5\n",
        b" 1) 31: ????\n",
        b" 1) Doubles => 2       Drops\n",
        b" 1)      Wins 1 point\n",
        b"Ann : 0      Bob : 0\n; Set Pos=-b----E-C---eE---c-e----B-/0\n",
    ],
)
def test_what_tells_of_a_match_is_one(text: bytes) -> None:
    assert len(read_bytes(text, "a.mat")) == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"", "the file is empty"),
        (b"once upon a time\n", "no match line, game line, score line or row"),
        (PROGRAM, "line 1 looks like a game, but no play or result in it can be read"),
        (b"Game 1 was close\n\n 1) 77: 8/1\n", "line 3 looks like a game"),
        (b"Ann : 0      Bob : 0\n", "line 1 looks like a game"),
    ],
)
def test_what_tells_of_none_is_none(text: bytes, why: str) -> None:
    with pytest.raises(NotATranscript, match=why):
        read_bytes(text, "a.mat")


@pytest.mark.parametrize(
    ("name", "data", "known_as", "why"),
    [
        ("a.xg", b"\0" * 900, "xg", "a damaged file of eXtreme Gammon"),
        ("A.XGP", b"", "xg", "the file is empty"),
        ("a.bgf", b"\x80rest", "bgf", "a damaged file of BGBlitz"),
        (
            "a.bgm",
            b"bganalyze mtch\nL 31 8/5\n",
            "bgm",
            "begins with the line 'bganalyze match'",
        ),
        ("a.sgg", b"cut off", "sgg", "no match found"),
        (
            "a.mat",
            b"\xff\xd8\xff\xe0\x00\x10JFIF",
            "mat",
            "no match found: this is a JPEG picture; save",
        ),
        ("a.txt", b"%PDF-1.7\n%\xe2\xe3", None, "no match found: this is a PDF document; save"),
        ("a.mat", b"MATLAB 5.0 MAT-file", None, "no match found"),
        ("a.sgf", b"(;GM[1];B[dd])", None, "no match found"),
        ("a.sgf", b"\xef\xbb\xbf\n(;FF[4]SZ[19];B[dd])", None, "no match found"),
        ("a.mat", b"# Created by Octave 8.4", None, "no match found"),
        ("a.mat", b"", "mat", "the file is empty"),
        ("A.MAT", b"\0\1\2junk", "mat", "no match found"),
        ("a.sgf", b"junk", "sgf", "no match found"),
        ("a.sgf", b"(;GM[6]FF[4]", "sgf", "no play or result"),
        ("a.gam", b" ", "mat", "the file is empty"),
        ("a.match", b"junk", "bgammon", "no match found"),
        ("a.txt", b"", None, "the file is empty"),
        ("a.json", b"[]", None, "no match found"),
    ],
)
def test_what_only_records_are_called_is_one_that_cannot_be_read(
    name: str, data: bytes, known_as: str | None, why: str
) -> None:
    with pytest.raises(NotATranscript, match=why) as raised:
        read_bytes(data, name)
    assert raised.value.recognized_as == known_as


def test_the_endings_that_show_a_match_file_are_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "checking.md").read_text(encoding="utf-8")
    assert [ending for ending in ONLY_RECORDS if f"`{ending}`" not in page] == []


def test_lines_of_unreadable_text_are_one_piece() -> None:
    (match,) = read_bytes(b" 1) 31: 8/5 6/5\nfoo\n\nbar\nbaz\n 2) 65: 24/13\nfoo\n", "a.mat")
    pieces = [a for a in match.games[0].actions if hasattr(a, "last_line")]
    assert [(a.span.line, a.last_line, a.text) for a in pieces] == [(2, 5, "foo"), (7, None, "foo")]


MATCH = b" 5 point match\n\n Game 1\n Ann : 0          Bob : 0\n  1) 31: 8/5 6/5\n"


def pack_match(kind: str) -> bytes:
    """Return a match in an archive or packed, with its text uncompressed inside."""
    file = BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("a.mat", MATCH)
    elif kind == "tar":
        with tarfile.open(fileobj=file, mode="w") as archive:
            entry = tarfile.TarInfo("a.mat")
            entry.size = len(MATCH)
            archive.addfile(entry, BytesIO(MATCH))
    else:
        return {"gz": gzip.compress(MATCH, 0), "bz2": bz2.compress(MATCH)}.get(
            kind, lzma.compress(MATCH)
        )
    return file.getvalue()


@pytest.mark.parametrize("kind", ["zip", "tar", "gz", "bz2", "xz"])
@pytest.mark.parametrize("name", ["a.{}", "out.zip!A.{}", "a.docx"])
def test_what_is_packed_is_no_text(kind: str, name: str) -> None:
    with pytest.raises(NotATranscript, match=r"archive|packed by") as refused:
        read_bytes(pack_match(kind), name.format(kind.upper()))
    assert (refused.value.recognized_as is None) == (name == "a.docx")
    with pytest.raises(NotATranscript, match=r"archive|packed by"):
        parse_line(pack_match(kind), "a", 1)
