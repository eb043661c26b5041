"""Documents and mails: their text, what is left out of it, and what is refused."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from random import Random
from xml.sax.saxutils import escape

import pytest

import bganalyze
from bganalyze.files import documents
from bganalyze.files.mails import read_mail
from bganalyze.files.reading import (
    UnreadableError,
    count_files,
    find_files,
    holds_many_files,
    load_file,
)
from bganalyze.record.not_a_transcript import OLD_OFFICE, OLD_OFFICE_MARK, NotATranscript
from bganalyze.record.reader import read_bytes
from tests import same

MATCH = """ 3 point match

 Game 1
 Ann : 0                          Bob : 0
  1) 31: 8/5 6/5                   42: 8/4 6/4
  2)  Doubles => 2                  Drops
      Wins 1 point
"""
WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def zip_members(**members: bytes | str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def docx_of(body: str) -> bytes:
    document = f"<w:document {WORD}><w:body>{body}</w:body></w:document>"
    return zip_members(**{"word/document.xml": document})


def odt_of(body: str) -> bytes:
    names = " ".join(f'xmlns:{name}="urn:{name}"' for name in ("office", "text", "table"))
    return zip_members(**{"content.xml": f"<office:text {names}>{body}</office:text>"})


def docx(text: str = MATCH) -> bytes:
    lines = (
        f"<w:r><w:t xml:space='preserve'>{escape(line)}</w:t></w:r>" for line in text.split("\n")
    )
    return docx_of("".join(f"<w:p>{line}</w:p>" for line in lines))


def odt(text: str = MATCH) -> bytes:
    lines = (escape(line).replace(" ", "<text:s/>") for line in text.split("\n"))
    return odt_of("".join(f"<text:p>{line}</text:p>" for line in lines))


def rtf(text: str = MATCH) -> bytes:
    fonts = r"{\fonttbl{\f0\fmodern\fcharset0 Courier;}{\f1\fcharset204 Arial;}}"
    return (
        r"{\rtf1\ansi\ansicpg1252" + fonts + r"\f0 " + text.replace("\n", "\\par\n") + "}"
    ).encode()


def eml(text: str = MATCH, attached: dict[str, bytes] | None = None) -> bytes:
    mail = EmailMessage()
    mail["Subject"] = "our match"
    mail.set_content(text)
    for name, content in (attached or {}).items():
        mail.add_attachment(content, "application", "octet-stream", filename=name)
    return mail.as_bytes()


KINDS: dict[str, Callable[..., bytes]] = {".docx": docx, ".odt": odt, ".rtf": rtf, ".eml": eml}


def put(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def texts(path: Path) -> dict[str, str]:
    """Return the files under a path by locator: text, or the reason why there is none."""
    found = {}
    for item in find_files([str(path)]):
        try:
            content = load_file(item).decode(errors="replace")
        except UnreadableError as error:
            content = str(error)
        found[item.path.removeprefix(str(path))] = content
    return found


def text_of(tmp_path: Path, ending: str, content: bytes) -> str:
    (text,) = texts(put(tmp_path / f"a{ending}", content)).values()
    return text


@pytest.mark.parametrize("ending", KINDS)
class TestEveryKind:
    def test_a_match_in_it_is_checked(self, tmp_path: Path, ending: str) -> None:
        path = put(tmp_path / f"A{ending.upper()}", KINDS[ending]())
        for place in (path, tmp_path):
            (match,) = bganalyze.read(str(place)).matches
            assert match.source.path == f"{path}!text.txt"
            assert match.names == ("Ann", "Bob")
            assert [game.score.points for game in match.games] == [(0, 0)]
        assert count_files([str(path)]) == 1

    def test_from_bytes(self, ending: str) -> None:
        (match,) = bganalyze.read(KINDS[ending](), name=f"a{ending}").matches
        assert match.source.path == f"a{ending}!text.txt"

    @pytest.mark.slow
    def test_cut_off_or_changed_it_is_a_reading_or_one_line(
        self, tmp_path: Path, ending: str
    ) -> None:
        content, random = KINDS[ending](), Random(ending)
        for _ in range(500):
            mutant = bytearray(content)
            for _ in range(random.randint(1, 6)):
                mutant[random.randrange(len(mutant))] = random.randrange(256)
            if random.random() < 0.3:
                del mutant[random.randrange(len(mutant)) :]
            path = put(tmp_path / f"m{ending}", bytes(mutant))
            for item in find_files([str(path)]):
                try:
                    read_bytes(load_file(item), item.path)
                except (UnreadableError, NotATranscript) as error:
                    assert "\n" not in str(error)  # noqa: PT017

    def test_without_a_match_it_is_skipped_in_a_folder(self, tmp_path: Path, ending: str) -> None:
        make = KINDS[ending]
        put(tmp_path / f"letter{ending}", make("Dear Ann,\n"))
        put(tmp_path / "a.mat", MATCH.encode())
        read = bganalyze.read(str(tmp_path))
        assert (len(read.matches), read.skipped, len(read.unreadable)) == (1, 1, 0)

    def test_named_and_without_a_match_it_is_an_error(self, tmp_path: Path, ending: str) -> None:
        path = put(tmp_path / f"letter{ending}", KINDS[ending]("Dear Ann,\n"))
        if holds_many_files(str(path)):
            assert bganalyze.read(str(path)).skipped == 1
        else:
            with pytest.raises(NotATranscript, match="no match found"):
                bganalyze.read(str(path))


class TestWord:
    def test_signs_and_what_is_left_out(self, tmp_path: Path) -> None:
        body = """<w:p><w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr>
            <w:r><w:t xml:space="preserve">a </w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r>
            <w:del><w:r><w:delText>gone</w:delText><w:t>gone</w:t></w:r></w:del>
            <w:ins><w:r><w:t>5</w:t><w:noBreakHyphen/><w:t>2</w:t></w:r></w:ins>
            <w:r><w:sym w:font="Wingdings" w:char="F0E0"/><w:sym w:font="Arial" w:char="x"/></w:r>
            <w:r><w:instrText>HYPERLINK "http://a.example"</w:instrText></w:r></w:p><w:p/><w:p/>"""
        assert text_of(tmp_path, ".docx", docx_of(body)) == "a \tb\nc5-2\u2192\n\n\n"

    def test_rows_of_tables(self, tmp_path: Path) -> None:
        def cell(*lines: str) -> str:
            return f"<w:tc>{''.join(f'<w:p><w:r><w:t>{line}</w:t></w:r></w:p>' for line in lines)}</w:tc>"

        body = f"<w:tbl><w:tr>{cell('a', 'c')}{cell('b')}</w:tr><w:tr>{cell('d')}{cell('e')}</w:tr></w:tbl>"
        inner = f"<w:tbl><w:tr><w:tc>{body}</w:tc></w:tr></w:tbl>"
        for table in (body, inner):
            assert text_of(tmp_path, ".docx", docx_of(table)) == "a\tb\nc\nd\te\n"

    def test_without_declared_names(self, tmp_path: Path) -> None:
        content = zip_members(
            **{"word/document2.xml": "<w:document><w:p><w:t>a</w:t></w:p></w:document>"}
        )
        assert text_of(tmp_path, ".docx", content) == "a\n"

    @pytest.mark.parametrize("ending", [".docx", ".odt", ".doc"])
    def test_with_a_password_or_of_an_old_word(self, tmp_path: Path, ending: str) -> None:
        path = put(tmp_path / f"a{ending}", OLD_OFFICE_MARK + bytes(600))
        with pytest.raises((UnreadableError, NotATranscript), match=OLD_OFFICE):
            bganalyze.read(str(path))

    def test_lock_files_are_hidden(self, tmp_path: Path) -> None:
        put(tmp_path / "~$match.docx", b"Ann")
        assert texts(tmp_path) == {}


class TestOpenDocument:
    def test_blanks_and_what_is_left_out(self, tmp_path: Path) -> None:
        body = """<text:tracked-changes><text:p>gone</text:p></text:tracked-changes>
            <text:h>  a
               b<text:s text:c="3"/>c<text:tab/>d<text:line-break/>e<text:s text:c="x"/></text:h>
            <text:p>f<office:annotation><text:p>remark</text:p></office:annotation></text:p>
            <table:table><table:table-row><table:table-cell><text:p>g</text:p></table:table-cell>
            <table:table-cell><text:p>h</text:p></table:table-cell></table:table-row></table:table>"""
        assert text_of(tmp_path, ".odt", odt_of(body)) == "a b   c\td\ne \nf\ng\th\n"

    def test_with_a_password(self, tmp_path: Path) -> None:
        members = {"META-INF/manifest.xml": "<m:encryption-data/>", "content.xml": b"\x91\x02"}
        assert "password-protected" in text_of(tmp_path, ".odt", zip_members(**members))


class TestRtf:
    @pytest.mark.parametrize(
        ("body", "text"),
        [
            (rb"\f0 a\tab b\line c\~d\par", "a\tb\nc\xa0d\n"),
            (rb"\u8594?\u-10180?\u-9138?", "\u2192\U0001f04e"),
            (b"\\f1\\'c0\\'ed\\'ed\\'e0 \xc0", "\u0410\u043d\u043d\u0430 \u0410"),
            (rb"a\cell b\cell\row c\\cell", "a\tb\t\nc\\cell"),
            (rb"a{\deleted gone}{\*\bkmkstart gone}{\pict\bin4 }}\\}b", "ab"),
            (rb'{\field{\*\fldinst{HYPERLINK "http://a.example"}}{\fldrslt a}}', "a"),
        ],
    )
    def test_words_and_characters(self, tmp_path: Path, body: bytes, text: str) -> None:
        fonts = rb"{\fonttbl{\f0\fmodern\fcharset0 Courier;}{\f1\fcharset204 Arial Cyr;}}"
        content = rb"{\rtf1\ansi\ansicpg1252" + fonts + body + b"}"
        assert text_of(tmp_path, ".rtf", content) == text

    def test_plain_text_by_that_name(self, tmp_path: Path) -> None:
        assert text_of(tmp_path, ".rtf", MATCH.encode()) == MATCH

    def test_the_table_of_fonts_keeps_numbers_and_character_sets(self) -> None:
        hostile = r"{\rtf1{" + "x" * 999 + r"\fonttbl" + r"\f0\fcharset0" * 20_000
        assert documents._shorten_fonts(hostile) == (  # noqa: SLF001
            r"{\rtf1{\fonttbl{\f0\fcharset0 x;}}"
        )

    def test_many_links_end(self, tmp_path: Path) -> None:
        body = rb"{\field{\*\FLDINST{HYPERLINK " * 20_000
        assert text_of(tmp_path, ".rtf", rb"{\rtf1 " + body) == ""


class TestMail:
    def test_text_and_attachments(self, tmp_path: Path) -> None:
        inner = zip_members(**{"b.docx": docx("a zip")})
        files = {
            "a.mat": b"a mat",
            "b.docx": docx("a docx"),
            "../c.zip": inner,
            "d.eml": eml("a mail\n"),
        }
        path = put(tmp_path / "a.eml", eml("the text\n", files))
        assert texts(path) == {
            "!text.txt": "the text\n",
            "!a.mat": "a mat",
            "!b.docx!text.txt": "a docx\n",
            "!../c.zip!b.docx!text.txt": "a zip\n",
            "!d.eml!text.txt": "a mail\n",
        }
        for locator, text in texts(path).items():
            assert texts(tmp_path / f"a.eml{locator}") == {"": text}

    def test_the_page_of_a_mail_without_text(self, tmp_path: Path) -> None:
        mail = EmailMessage()
        mail.set_content("<pre>a</pre>", subtype="html")
        path = put(tmp_path / "a.eml", mail.as_bytes())
        assert texts(path) == {"!text.html": "<pre>a</pre>\n"}
        mail.add_alternative("a", subtype="plain")
        assert texts(put(path, mail.as_bytes())) == {"!text.txt": "a\n"}

    @pytest.mark.parametrize("encoding", ["quoted-printable", "base64", "8bit"])
    @pytest.mark.parametrize("charset", ["iso-8859-2", "utf-8", "windows-1251"])
    def test_character_sets(self, tmp_path: Path, encoding: str, charset: str) -> None:
        text = "\u0410\u043d\u043d\u0430 => 2\n" if "1251" in charset else "Ji\u0159\u00ed => 2\n"
        mail = EmailMessage()
        mail.set_content(text, charset=charset, cte=encoding)
        assert text_of(tmp_path, ".eml", mail.as_bytes()) == text

    def test_unknown_character_set(self, tmp_path: Path) -> None:
        content = b"Content-Type: text/plain; charset=none\n\nJos\xc3\xa9\n"
        assert text_of(tmp_path, ".eml", content) == "Jos\u00e9\n"

    @pytest.mark.parametrize(
        "content",
        [
            b"\n".join(
                b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d" % (n, n) for n in range(150)
            ),
            b"Content-Type: multipart/mixed; boundary=b\n" + b"\n--b\n" * 20_000,
            b"Content-Type: multipart/mixed; boundary=b\n" * 50 + b"\n" * 500_000,
            b"Content-Type: text/plain" + b';a="' * 20_000,
            b"Content-Disposition: attachment;\n" + b" (((((\n" * 20_000,
        ],
    )
    def test_too_many_parts(self, tmp_path: Path, content: bytes) -> None:
        assert text_of(tmp_path, ".eml", content).startswith("a mail of too many parts")


class TestLimits:
    @pytest.mark.parametrize(
        ("content", "reason"),
        [
            (docx_of("<w:p/>" * 3_000_000), "more than 16 MiB"),
            (docx_of("<w:p>" * 300 + "</w:p>" * 300), "more than 256 levels"),
            (
                docx_of(f"<w:tr>{'<w:tc/>' * 9000}<w:tc>{'<w:p/>' * 9000}</w:tc></w:tr>"),
                "too large",
            ),
            (docx_of("<w:p>"), "mismatched tag"),
            (zip_members(a=b""), "no text found"),
            (b"PK\x03\x04", "not a zip file"),
            (b"", "not a zip file"),
        ],
    )
    def test_of_word_files(self, tmp_path: Path, content: bytes, reason: str) -> None:
        said = text_of(tmp_path, ".docx", content)
        assert reason in said
        assert "save its text as a .txt file" in said

    def test_of_blanks(self, tmp_path: Path) -> None:
        content = odt_of("<text:p>" + '<text:s text:c="999999999"/>' * 20_000 + "</text:p>")
        assert "more than 16 MiB" in text_of(tmp_path, ".odt", content)

    @pytest.mark.parametrize(
        "document_type",
        [
            '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]>',
            '<!DOCTYPE a SYSTEM "file:///etc/passwd">',
            '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>',
        ],
    )
    def test_entities_are_refused(self, tmp_path: Path, document_type: str) -> None:
        content = zip_members(**{"word/document.xml": f"{document_type}<w:p><w:t>&b;</w:t></w:p>"})
        assert "defines a document type" in text_of(tmp_path, ".docx", content)

    def test_of_rtf(self, tmp_path: Path) -> None:
        content = rtf("a" * documents.TEXT_LIMIT)
        assert "more than 16 MiB" in text_of(tmp_path, ".rtf", content)

    def test_three_levels(self, tmp_path: Path) -> None:
        content = docx("a")
        for _ in range(3):
            content = zip_members(**{"a.zip": content, "a.docx": content})
        path = put(tmp_path / "a.zip", content)
        assert {name for name, text in texts(path).items() if text == "a\n"} == set()
        path = put(
            tmp_path / "b.zip", zip_members(**{"b.zip": zip_members(**{"c.docx": docx("a")})})
        )
        assert texts(path) == {"!b.zip!c.docx!text.txt": "a\n"}


@pytest.mark.parametrize("text", [None, "\n \u00a0\n"])
def test_the_page_of_a_mail_without_text_is_read(text: str | None) -> None:
    style = "<!-- [if gte mso 9] --><style>\np.MsoNormal {margin:0cm;}\n</style>"
    lines = (escape(line).replace("  ", "&nbsp; ") or "&nbsp;" for line in MATCH.splitlines())
    rows = "".join(
        f"<p class=MsoNormal><span\nstyle='color:black'>{line}<o:p></o:p></span></p>\n"
        for line in lines
    )
    mail = EmailMessage()
    if text is not None:
        mail.set_content(text)
        mail.add_alternative(f"<html>{style}<body>{rows}</body></html>", subtype="html")
    else:
        mail.set_content(f"<html>{style}<body>{rows}</body></html>", subtype="html")
    (part,) = read_mail(mail.as_bytes())
    (match,) = read_bytes(part.content, part.name)
    (usual,) = read_bytes(MATCH.encode(), "a.mat")
    assert (match.names, same.games(match)) == (usual.names, same.games(usual))
