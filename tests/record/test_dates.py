"""When a match was played: what the record says of it, and the name of its file."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from bganalyze.record.dates import Dated, date_of_match, find_day_in_name
from bganalyze.record.reader import read, read_bytes
from bganalyze.validation.replaying import replay
from bganalyze.writing import write

CLEAN = Path(__file__).parents[2] / "samples" / "clean"

GAME = " 3 point match\n\n Game 1\n Ann : 0                         Bob : 0\n  1) 31: 8/5 6/5\n"


def when(header: str, path: str = "match.mat") -> tuple[str | None, str | None, str | None]:
    """Return the day, its source, and its spelling."""
    (match,) = read_bytes(f"{header}\n{GAME}".encode(), path)
    date = date_of_match(match)
    return date.day and f"{date.day:%Y-%m-%d}", date.known_from, date.written


def entry(date: str) -> str:
    return f'; [EventDate "{date}"]'


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("2024.07.27", "2024-07-27"),
        ("2024-7-2", "2024-07-02"),
        ("2023年11月26日", "2023-11-26"),
        ("16/09/2023", "2023-09-16"),
        ("05/17/2031", "2031-05-17"),
        ("05/17/31", "2031-05-17"),
        ("08/08/2024", "2024-08-08"),
        ("04.01.2023", "2023-01-04"),
        ("30-01-1999", "1999-01-30"),
        ("04/01/2023", None),
        ("26/11/23", None),
        ("01-02-03", None),
        ("20231215", "2023-12-15"),
        ("991231", "1999-12-31"),
        ("231215", None),
        ("Dec 15, 2023", "2023-12-15"),
        ("15 Dec. 2023", "2023-12-15"),
        ("15-Dec-2023", "2023-12-15"),
        ("August 1st, 2023", "2023-08-01"),
        ("15. März 2023", "2023-03-15"),
        ("15 de marzo de 2023", "2023-03-15"),
        ("août 05, 2008", "2008-08-05"),
        ("5 juillet 2008", "2008-07-05"),
        ("May 17 07:08:09 2031", "2031-05-17"),
    ],
)
def test_a_date_is_read_where_it_can_mean_one_day_only(written: str, day: str | None) -> None:
    assert when(entry(written)) == (day, "record" if day else None, written)


@pytest.mark.parametrize(
    "written",
    ["", "yesterday", "2024.13.01", "31/02/2024", "1/2", "12345678", "171331", "12 games 2023"],
)
def test_what_is_no_date_tells_nothing(written: str) -> None:
    assert when(entry(written)) == (None, None, None)
    assert when(entry(written), "a-2009Jan142040.txt") == ("2009-01-14", "file name", None)


def test_the_name_of_the_file_tells_the_day_from_the_month() -> None:
    name = "Ann - Bob 13pt Backgammon Studio 2023_01_04 14_23_00.txt"
    assert when(entry("04/01/2023"), name) == ("2023-01-04", "record", "04/01/2023")
    assert when(entry("05/01/2023"), name) == (None, None, "05/01/2023")


def test_what_the_record_says_goes_before_the_name_of_the_file() -> None:
    assert when(entry("2024.07.27"), "2001-01-01.mat") == ("2024-07-27", "record", "2024.07.27")


def test_dueller_says_when_it_started() -> None:
    header = "; 7-point match\n; Started on 2005-04-17 at 15:31. Playing time was 37 minutes"
    assert when(header) == ("2005-04-17", "record", "2005-04-17")


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("club/Kaneko-nori-2009Jan142040.txt", "2009-01-14"),
        ("a.zip!2001-02-03/x_7p_2025-11-08-2305.sgf", "2025-11-08"),
        ("C:\\matches\\Ann Bob 18-08-2024.xg", "2024-08-18"),
        ("20240818 final.mat", "2024-08-18"),
        ("2024.08.18.mat", "2024-08-18"),
        ("match20240818.txt", None),
        ("match10415072.txt", None),
        ("05-06-2024.mat", None),
        ("2024-08-18 to 2024-08-19.mat", None),
        ("2024-13-18.mat", None),
        ("2009Foo14.mat", None),
        ("Final_090222.txt", None),
        ("2001-02-03/final.mat", None),
        ("-", None),
        ("", None),
    ],
)
def test_the_day_in_a_name(path: str, day: str | None) -> None:
    day_found = find_day_in_name(path)
    assert (day_found and f"{day_found:%Y-%m-%d}") == day


@pytest.mark.parametrize("known_as", ["mat", "xg-text", "sgf", "bgm", "json"])
def test_a_date_from_a_name_is_written_as_such(known_as: str) -> None:
    (match,) = read_bytes(GAME.encode(), "Ann-Bob-2009Feb151603.txt")
    output = write([replay(match)], known_as)
    (back,) = read_bytes(output.data, "elsewhere")
    assert (date_of_match(back).day, date_of_match(back).known_from) == (
        date_of_match(match).day,
        "file name",
    )


@pytest.mark.parametrize(
    ("known_as", "spelled"),
    [
        ("mat", '"2023.09.16"'),
        ("xg-text", '"2023.09.16"'),
        ("sgf", "DT[2023-09-16]"),
        ("bgm", "16/09/2023"),
    ],
)
def test_a_day_that_is_known_is_spelled_as_the_format_has_it(known_as: str, spelled: str) -> None:
    (match,) = read_bytes(f"{entry('16/09/2023')}\n{GAME}".encode(), "a.mat")
    output = write([replay(match)], known_as)
    assert spelled in output.data.decode()
    assert not [loss for loss in output.losses if "header" in loss.what]


def test_nothing_is_known_of_a_match_without_any_date() -> None:
    (match,) = read_bytes(GAME.encode(), "a.mat")
    assert date_of_match(match) == Dated()


@pytest.mark.parametrize(
    ("name", "written"), [("sgg", "May 17, 2031"), ("match", "2031.05.17"), ("tmg", "2031-05-17")]
)
def test_rooms_tell_the_day(name: str, written: str) -> None:
    (match,) = read(CLEAN / f"redoubles.{name}")
    assert date_of_match(match) == Dated(dt.datetime(2031, 5, 17), "record", written)  # noqa: DTZ001


def test_a_weekday_before_a_day_in_words_is_no_month() -> None:
    assert when(entry("mardi 15 août 2008")) == ("2008-08-15", "record", "15 août 2008")


def test_the_name_of_a_document_tells_the_day_of_the_match_in_it() -> None:
    assert find_day_in_name("2009Jan14.docx!text.txt") == dt.datetime(2009, 1, 14)  # noqa: DTZ001
