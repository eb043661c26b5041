"""Encodings of texts that are not UTF-8."""

from __future__ import annotations

import pickle
import sys

import pytest

import bganalyze
from bganalyze.record.decoding import EncodedBytes, decode
from bganalyze.record.encodings import (
    _SAMPLE_BYTES,
    _find_script,
    _get_public_name,
    _sample_lines,
    find_known_encoding,
    find_stated_encoding,
    guess_encoding,
    require_encoding,
    states_utf8,
)
from bganalyze.record.model import ReaderNote
from bganalyze.record.reader import read_bytes
from bganalyze.repairing.edits import edit_bytes
from bganalyze.validation.findings import Edit

MATCH = """ 5 point match

 Game 1
 {left} : 0                      {right} : 0
  1) 31: 8/5 6/5                   65: 24/13
"""


def match_of(left: str, right: str, encoding: str) -> bytes:
    """Return a match file of two players in an encoding."""
    return MATCH.format(left=left, right=right).encode(encoding)


def remarks(data: bytes, path: str = "a.mat") -> list[ReaderNote]:
    """Return the remarks on the encoding of a file."""
    return [note for note in read_bytes(data, path)[0].oddities if note.rule == "guessed-encoding"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("left", "right", "encoding"),
    [
        ("Иван Петров", "Ольга Смирнова", "cp1251"),
        ("Иван Петров", "Ольга Смирнова", "koi8-r"),
        ("Иван Петров", "Ольга Смирнова", "cp866"),
        ("Şükrü Işık", "Yiğit Ağaoğlu", "cp1254"),
        ("Jiří Dvořák", "Věra Šťastná", "cp1250"),
        ("Łukasz Wiśniewski", "Małgorzata Żółtowska", "iso8859-2"),
        ("Γιώργος Παπαδόπουλος", "Ελένη Νικολάου", "cp1253"),
        ("Žydrūnas Šarūnas", "Rūta Kazlauskaitė", "cp1257"),
        ("יעקב כהן", "שרה לוי", "cp1255"),
        ("محمد علي", "فاطمة حسن", "cp1256"),
        ("田中太郎", "望月正行", "cp932"),
        ("田中太郎", "望月正行", "euc_jp"),
        ("王小明", "李娜", "gb18030"),
        ("김철수", "박영희", "cp949"),
        ("สมชาย ใจดี", "วิไล ศรีสุข", "cp874"),
    ],
)
def test_names_in_their_usual_encoding_are_read_and_told(
    left: str, right: str, encoding: str
) -> None:
    data = match_of(left, right, encoding)
    assert read_bytes(data, "a.mat")[0].names == (left, right)
    [note] = remarks(data)
    assert left in note.text
    assert (note.span.line, note.span.column) == (4, 2)


def test_western_names_are_read_as_before_without_a_word() -> None:
    data = match_of("Søren Kjær", "Jürgen Groß", "cp1252")
    assert read_bytes(data, "a.mat")[0].names == ("Søren Kjær", "Jürgen Groß")
    assert not remarks(data)


def test_quotes_and_spaces_of_a_word_processor_are_no_letters() -> None:
    text = MATCH.format(left="Ann\xa0Lee", right="Bob") + "; “nice” – isn’t it…\n"
    assert decode(text.encode("cp1252")).encoding == "cp1252"


def test_names_are_read_without_chardet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "chardet", None)
    assert decode(match_of("Søren", "Bodø", "cp1252")).text == MATCH.format(
        left="Søren", right="Bodø"
    )


@pytest.mark.parametrize("data", [MATCH.encode(), MATCH.format(left="Şükrü", right="田").encode()])
def test_utf_8_needs_no_guess(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bganalyze.record.encodings", None)
    assert decode(data).encoding == "utf-8"
    assert not read_bytes(data, "a.mat")[0].oddities


SGF = "(;FF[4]GM[6]CA[{stated}]MI[length:5][game:0][ws:0][bs:0]PW[{name}]PB[Bob];B[31hefe])"


@pytest.mark.parametrize(
    ("name", "stated", "encoding"),
    [
        ("Åse", "windows-1251", "cp1251"),
        ("Åse", "WINDOWS-1253", "cp1253"),
        ("Åse", "Shift_JIS", "cp932"),
        ("Åse", "iso-8859-1", "cp1252"),
    ],
)
def test_stated_encoding_of_sgf_is_obeyed(name: str, stated: str, encoding: str) -> None:
    data = SGF.format(stated=stated, name="\xb1\xb2").encode("latin-1")
    [match] = read_bytes(data, "a.sgf")
    assert b"\xb1\xb2".decode(encoding) in match.names
    assert not remarks(data, "a.sgf")


@pytest.mark.parametrize(
    "stated", ["no-such", "utf-16", "rot13", "unicode_escape", "utf-8", "cp037"]
)
def test_stated_encoding_that_does_not_fit_is_guessed(stated: str) -> None:
    data = SGF.format(stated=stated, name="Иван Петров").encode("cp1251")
    assert "Иван Петров" in read_bytes(data, "a.sgf")[0].names
    assert remarks(data, "a.sgf")


def test_stated_encoding_of_a_page_is_obeyed() -> None:
    page = '<html><meta charset="{}"><pre>\n' + MATCH + "</pre></html>"
    data = page.format("koi8-r", left="Анна", right="Bob").encode("koi8-r")
    assert read_bytes(data, "a.html")[0].names == ("Анна", "Bob")


@pytest.mark.parametrize("misread", ["cp1252", "latin-1", "cp1251"])
def test_text_that_was_misread_is_told_and_left_as_it_is(misread: str) -> None:
    name = "Löve Grün".encode().decode(misread)
    data = match_of(name, "Bob", "utf-8") + match_of(name, "Bob", "utf-8")
    assert read_bytes(data, "a.mat")[0].names == (name, "Bob")
    [note] = remarks(data)
    assert note.text.endswith(f"{name.split()[0]} is Löve")


def test_names_of_encodings() -> None:
    assert find_known_encoding("windows-874") == "cp874"
    assert find_known_encoding("utf-8") is None
    assert find_known_encoding("../x") is None


def test_an_encoding_that_the_user_names_is_obeyed() -> None:
    data = match_of("\xb1\xb2", "Bob", "latin-1")
    assert read_bytes(EncodedBytes(data, "cp932"), "a.mat")[0].names[0] == "ｱｲ"
    assert not remarks(EncodedBytes(data, "cp932"))
    assert pickle.loads(pickle.dumps(EncodedBytes(data, "cp932"))).encoding == "cp932"


def test_a_repair_keeps_the_encoding_that_the_user_names() -> None:
    data = EncodedBytes("ｱｲ one".encode("cp932"), "cp932")
    edited = edit_bytes(data, [Edit(1, "ｱｲ one", "ｱｲ two")])
    assert edited == "ｱｲ two".encode("cp932")
    assert decode(edited).text == "ｱｲ two"


def test_library_functions_take_an_encoding() -> None:
    data = match_of("Анна", "Bob", "koi8-r")
    assert bganalyze.read(data, name="a.mat", encoding="KOI8-R")[0].names == ("Анна", "Bob")
    codes = {finding.code for finding in bganalyze.check(data, name="a.mat", encoding="koi8-r")}
    assert "T122" not in codes
    with pytest.raises(ValueError, match="'klingon' is no encoding of text"):
        bganalyze.read(data, name="a.mat", encoding="klingon")


@pytest.mark.slow
def test_a_long_line_is_weighed_by_its_start() -> None:
    data = match_of("Иван Петров", "Ольга", "cp1251") + b"; " + "слово ".encode("cp1251") * 50_000
    assert decode(data).encoding == "cp1251"
    assert decode(b"\xe4" * 200_000).text == "ä" * 200_000


def test_a_file_read_again_is_not_guessed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    data = match_of("Иван", "Bob", "koi8-r")
    first = decode(data).encoding
    monkeypatch.setattr("bganalyze.record.encodings._compute_cost_of_text", None)
    assert decode(data + b"; a comment\n").encoding == first


def test_bytes_that_a_program_garbled_leave_the_names_in_utf_8() -> None:
    names = " ".join(["\u0141ukasz", "\u0130pek", "Zo\xeb"] * 4)
    for garbled in (b"95\x90onfidence", b"\x8a\x8f\x1c"):
        decoded = decode(f"{names} ".encode() + garbled)
        assert (decoded.encoding, decoded.text.startswith(names)) == ("utf-8", True)


def test_a_page_that_says_it_is_utf_8_may_have_half_as_many_garbled_bytes() -> None:
    page = "<meta charset=utf-8> yapamıyor ".encode() + b"95\x90onfidence"
    assert decode(page).text.startswith("<meta charset=utf-8> yapamıyor")
    assert decode(page.replace(b"utf-8", b"cp1252")).encoding != "utf-8"


def test_a_sample_has_whole_lines_and_of_a_long_line_whole_words() -> None:
    name, longest = "Łukasz ".encode("iso8859-2"), b"\xb3" * (_SAMPLE_BYTES - 2)
    assert list(_sample_lines(b"ascii\n" + name + b"\n" + name + b"\n")) == [name]
    assert list(_sample_lines(b"a " + longest)) == [b"a " + longest]
    assert list(_sample_lines(b"a " + longest + b"b")) == [b"a"]
    assert list(_sample_lines(longest + b"abcd")) == [longest + b"ab"]
    lines = longest + b"ab", b"\xb3", b"\xb4"
    assert list(_sample_lines(b"\n".join(lines))) == list(lines[:2])


def test_encodings_are_named_in_several_ways() -> None:
    assert [require_encoding(name) for name in ("UTF8", "windows-1251")] == ["utf-8", "cp1251"]
    public = [_get_public_name(name) for name in ("cp1252", "utf-8")]
    assert public == ["windows-1252", "utf-8"]


def test_an_unknown_encoding_of_a_page_is_not_stated() -> None:
    assert find_stated_encoding(b'<meta charset="no-such-encoding">\xff') is None


@pytest.mark.parametrize(("stated", "is_utf8"), [("utf-8", True), ("cp1252", False)])
def test_a_page_says_whether_it_is_utf_8(stated: str, *, is_utf8: bool) -> None:
    assert states_utf8(f'<meta charset="{stated}">'.encode()) == is_utf8


def test_short_names_are_guessed() -> None:
    assert guess_encoding("Bodø".encode("cp1252")).encoding == "cp1252"
    assert decode("Иван Петров".encode("cp1251")).text == "Иван Петров"


@pytest.mark.parametrize(("character", "script"), [("я", "CYRILLIC"), ("7", "")])
def test_only_letters_have_a_script(character: str, script: str) -> None:
    assert _find_script(character) == script
