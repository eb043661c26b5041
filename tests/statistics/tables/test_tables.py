"""The tables: columns as declared, keys that join, and rows as the record has them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from zipfile import ZipFile

import pandas as pd
import pytest

from bganalyze.app.jobs.tabulate import tabulate_files
from bganalyze.record.reader import read, read_bytes
from bganalyze.statistics.tables.fragments import ALL_GROUPS, SCHEMAS
from bganalyze.statistics.tables.frames import Tables, tabulate
from bganalyze.statistics.tables.schema import Schema
from bganalyze.validation.replaying import replay

SAMPLES = Path(__file__).parents[3] / "samples"
MATCH = """\
; [Site "Somewhere"]
; [EventDate "2031.05.19"]
 3 point match

 Game 1
 Ann : 0                         Bob,1723 : 0
  1) 31: 8/5 6/5                 64: 24/14
  2) 52: 24/22 13/8              32: 24/21 13/11
  3)  Doubles => 2                Takes
  4) 11: 6/5 6/5 8/7(2)          66: 13/7(4)
  5) 43: 13/9 13/10               Doubles => 4
  6)  Drops                       Wins 2 points

 Game 2
 Ann : 0                         Bob,1723 : 2
  1)                             21: 13/11 6/5
  2) 44: 24/20*(2) 13/9(2)       51:
      Wins 1 point
"""

EXCHANGED = """\
 3 point match

 Game 1
 Bob,1723 : 0                    Ann : 0
  1)                             31: 8/5 6/5
  2) 64: 24/14                   52: 24/22 13/8
  3) 32: 24/21 13/11              Doubles => 2
  4)  Takes                      11: 6/5 6/5 8/7(2)
  5) 66: 13/7(4)                 43: 13/9 13/10
  6)  Doubles => 4                Drops
      Wins 2 points

 Game 2
 Bob,1723 : 2                    Ann : 0
  1) 21: 13/11 6/5               44: 24/20*(2) 13/9(2)
  2) 51:                          Wins 1 point
"""
"""The same with the columns in each other's place."""


def tables_of(*texts: str) -> Tables:
    """Return the tables of matches written out."""
    files = (read_bytes(text.encode(), f"{n}.mat") for n, text in enumerate(texts))
    return tabulate(replay(match) for matches in files for match in matches)


@pytest.fixture(scope="module")
def samples() -> Tables:
    return tabulate_files([str(SAMPLES)])


@pytest.fixture(scope="module")
def match() -> Tables:
    return tables_of(MATCH)


def test_a_comment_ends_a_game_without_a_result_line() -> None:
    begun = " 3 point match\n\n Game 1\n Ann : 0   Bob : 0\n  1) 31: 8/5 6/5     64: 24/14\n"
    texts = (
        f"{begun}; Ann wins by forfeit\n",
        f"{begun}; Bob lost on time\n",
        f"{begun}; connection lost\n",
        f"{begun}                     Wins 1 point\n; Ann wins by forfeit\n",
    )
    games = tables_of(*texts).games
    assert list(games["kind"]) == ["forfeit", "time", "abandoned", "resigned"]
    assert list(games["winner"].isna()) == [True, True, True, False]


each_table = pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: schema.name)


@pytest.mark.slow
@each_table
def test_columns_are_as_declared(samples: Tables, schema: Schema) -> None:
    frame: pd.DataFrame = getattr(samples, schema.name)
    types = [(name, str(dtype)) for name, dtype in frame.dtypes.items()]
    assert types == [(column.name, column.dtype) for column in schema.columns]
    for column in schema.columns:
        if column.choices:
            assert tuple(frame[column.name].cat.categories) == column.choices


@pytest.mark.slow
@each_table
def test_columns_are_the_same_without_rows(schema: Schema) -> None:
    empty = getattr(tabulate([]), schema.name)
    assert [str(dtype) for dtype in empty.dtypes] == [column.dtype for column in schema.columns]


@each_table
def test_keys_are_unique_and_join(samples: Tables, schema: Schema) -> None:
    frame: pd.DataFrame = getattr(samples, schema.name)
    assert len(frame) > 0
    assert not frame.duplicated(list(schema.key)).any()
    assert set(frame["match"]) <= set(samples.matches["match"])
    if "game" in frame and schema.name != "games":
        games = set(zip(samples.games["match"], samples.games["game"], strict=True))
        rows = frame.dropna(subset=["game"])
        assert set(zip(rows["match"], rows["game"], strict=True)) <= games


@pytest.mark.slow
@each_table
def test_groups_that_are_not_wanted_are_left_out(schema: Schema) -> None:
    tables = tabulate_files([str(SAMPLES / "clean" / "one-point.mat")], groups=())
    names = list(getattr(tables, schema.name).columns)
    assert names == [column.name for column in schema.columns if not column.group]


@pytest.mark.slow
def test_several_processes_make_the_same_tables() -> None:
    alone, shared = (tabulate_files([str(SAMPLES / "clean")], workers=n) for n in (1, 2))
    for left, right in zip(alone, shared, strict=True):
        pd.testing.assert_frame_equal(left, right)


def test_findings_join_to_turns_and_doubles(samples: Tables) -> None:
    """A finding about a play or a double names the row that it is about."""
    acts = pd.concat(
        [samples.turns[["match", "game", "turn"]], samples.cubes[["match", "game", "turn"]]]
    )
    known = set(map(tuple, acts.to_numpy().tolist()))
    findings = samples.findings
    plays = findings[findings["code"].str.startswith("P4") & (findings["standing"] != "corrected")]
    assert len(plays) > 20
    rows = zip(plays["match"], plays["game"], plays["turn"], strict=True)
    assert sum(row not in known for row in rows) <= 3


def test_matches(match: Tables) -> None:
    (row,) = match.matches.to_dict("records")
    assert (row["left"], row["right"], row["right_written"]) == ("Ann", "Bob", "Bob,1723")
    assert (row["site"], row["date"], row["length"]) == ("Somewhere", pd.Timestamp(2031, 5, 19), 3)
    assert (row["left_before"], row["right_before"]) == (0, 0)
    assert (row["left_after"], row["right_after"], row["games"]) == (1, 2, 2)
    assert not row["complete"]
    assert pd.isna(row["winner"])


def test_games(match: Tables) -> None:
    first, second = match.games.to_dict("records")
    assert (first["kind"], first["winner"], first["counting"], first["cube"]) == (
        "pass",
        "right",
        2,
        2,
    )
    assert (first["stage"], first["left_away"], first["rolls"]) == ("before-crawford", 3, 7)
    assert (second["kind"], second["winner"], second["cube"]) == ("resigned", "left", 1)
    assert (second["stage"], second["right_away"], second["resigned_size"]) == ("crawford", 1, 1)
    assert pd.isna(second["on_board"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("points", "size"), [(2, 1), (4, 2), (6, 3), (3, None), (8, None), (1, None)]
)
def test_a_resignation_is_a_multiple_of_the_cube(points: int, size: int | None) -> None:
    text = f"""\
 9 point match

 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                  Doubles => 2
  2)  Takes                      52: 13/11 13/8
  3) 41: 24/23 13/9               Losses {points} points
      Wins {points} points
"""
    (game,) = tabulate(map(replay, read_bytes(text.encode(), "a.mat"))).games.to_dict("records")
    assert game["cube"] == 2
    assert (None if pd.isna(game["resigned_size"]) else game["resigned_size"]) == size


def test_turns(match: Tables) -> None:
    turns = match.turns
    assert turns["play"].tolist() == [1, 1, 2, 2, 3, 3, 4, 1, 1, 2]
    assert turns["opening"].tolist() == [True, *[False] * 6, True, False, False]
    assert turns["may_double"].tolist() == [False, *[True] * 3, *[False, True, False], *[False] * 3]
    assert turns["pips"].tolist()[:3] == [167, 167, 163]
    assert turns["written"].tolist()[:4] == ["8/5 6/5", "24/14", "24/22 13/8", "24/21 13/11"]


def test_cubes(match: Tables) -> None:
    taken, dropped = match.cubes.to_dict("records")
    assert (taken["side"], taken["kind"], taken["answer"], taken["offer"]) == (
        "left",
        "double",
        "take",
        2,
    )
    assert (taken["play"], taken["first"], taken["pips"]) == (2, True, 156)
    assert (dropped["side"], dropped["kind"], dropped["answer"], dropped["offer"]) == (
        "right",
        "redouble",
        "pass",
        4,
    )
    assert (dropped["cube"], dropped["first"], dropped["legal"]) == (2, False, True)


def same_again() -> Iterable[str]:
    yield EXCHANGED
    yield MATCH.replace("Ann", "Someone else").replace("Bob,1723", "nobody")
    yield "\ufeff" + MATCH.replace("\n", "\r\n")
    yield MATCH.replace('; [Site "Somewhere"]\n', "")


@pytest.mark.slow
@pytest.mark.parametrize("text", list(same_again()))
def test_the_same_match_is_known_again(text: str) -> None:
    tables = tables_of(MATCH, text)
    assert tables.matches["copy_of"].isna().tolist() == [True, False]
    assert tables.matches["copy_of"].tolist()[1] == 0


def test_another_match_is_no_copy() -> None:
    other = MATCH.replace("43: 13/9 13/10", "43: 13/6")
    assert tables_of(MATCH, other).matches["copy_of"].isna().all()


@pytest.mark.slow
def test_too_little_to_tell_is_a_copy_only_of_the_same_day() -> None:
    short = MATCH.partition("  3)")[0]
    assert tables_of(short, short).matches["copy_of"].isna().tolist() == [True, False]
    later = short.replace("2031.05.19", "2031.05.20")
    assert tables_of(short, later).matches["copy_of"].isna().all()


def test_all_groups_have_columns() -> None:
    (turns,) = (schema for schema in SCHEMAS if schema.name == "turns")
    assert {column.group for column in turns.columns} - {""} == ALL_GROUPS


@pytest.mark.slow
def test_a_match_twice_is_two_matches() -> None:
    [match] = read(SAMPLES / "faulty" / "P404-corrected.mat")
    replayed = replay(match)
    once, twice = (tabulate([replayed] * number) for number in (1, 2))
    assert len(twice.findings) == 2 * len(once.findings) > 0
    assert twice.findings["match"].nunique() == 2


@pytest.mark.slow
def test_one_path_is_a_path() -> None:
    path = SAMPLES / "clean" / "one-point.mat"
    for paths in (path, str(path), [path]):
        assert len(tabulate_files(paths).matches) == 1


def test_the_other_records_of_a_folder_tell_the_day_from_the_month(tmp_path: Path) -> None:
    dates = {
        "a/one": "04/01/2023",
        "a/two": "16/09/2023",
        "b/one": "04/01/2023",
        "c/one": "04/01/2023",
        "c/two": "16/09/2023",
        "c/three": "09/16/2023",
        "d/one": "04/01/2023",
        "d/two-2023_04_01": "04/01/2023",
        "e/one-2009Jan14": "",
    }
    for place, date in dates.items():
        path = tmp_path / f"{place}.mat"
        path.parent.mkdir(exist_ok=True)
        path.write_text(MATCH.replace("2031.05.19", date), encoding="utf-8")
    with ZipFile(tmp_path / "f.zip", "w") as archive:
        archive.write(tmp_path / "a/one.mat", "x/one.mat")
        archive.write(tmp_path / "a/two.mat", "y/two.mat")
    matches = tabulate_files([tmp_path]).matches
    known = matches["date"].dt.strftime("%Y-%m-%d") + " " + matches["date_from"].astype(str)
    names = [path.removeprefix(f"{tmp_path}/").removesuffix(".mat") for path in matches["path"]]
    assert dict(zip(names, known.fillna(""), strict=True)) == {
        "a/one": "2023-01-04 folder",
        "a/two": "2023-09-16 record",
        "b/one": "",
        "c/one": "",
        "c/two": "2023-09-16 record",
        "c/three": "2023-09-16 record",
        "d/one": "2023-04-01 folder",
        "d/two-2023_04_01": "2023-04-01 record",
        "e/one-2009Jan14": "2009-01-14 file name",
        "f.zip!x/one": "2023-01-04 folder",
        "f.zip!y/two": "2023-09-16 record",
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("header", "names", "ratings"),
    [
        ("", ("Ann,1712.5", "Bob"), (1712.5, None)),
        ("", ("Ann, 40", "Bob,x"), (40, None)),
        (
            '; [Player 1 Elo "1712.50/42"]\n; [Player 2 Elo "1600.00/0"]',
            ("Ann", "Bob"),
            (1712.5, None),
        ),
        (
            '; [Player 1 "Bob"]\n; [Player 2 "Ann"]\n; [Player 1 Elo "1712,50"]',
            ("Ann", "Bob"),
            (None, 1712.5),
        ),
        ('; [Site "BackgammonGalaxy"]\n; [Player 1 Elo "5,00/0"]', ("Ann", "Bob"), (None, None)),
        ('; [Player 1 Elo "strong"]', ("Ann", "Bob"), (None, None)),
        ('; [Rating right "1500"]', ("Ann", "Bob"), (None, 1500)),
    ],
)
def test_ratings_are_those_that_the_record_states(
    header: str, names: tuple[str, str], ratings: tuple[float | None, float | None]
) -> None:
    score = f" {names[0]} : 0                    {names[1]} : 0\n  1) 31: 8/5 6/5\n"
    matches = tables_of(f"{header}\n 3 point match\n\n Game 1\n{score}").matches
    stated = matches[["left_rating", "right_rating"]].iloc[0]
    assert tuple(None if pd.isna(value) else value for value in stated) == ratings


def test_comments_are_counted() -> None:
    text = MATCH.replace("  2) 52:", "; well played\n;\n  2) 52:", 1)
    assert tables_of(f"; on the terrace\n{text}").matches["comments"].tolist() == [2]


@pytest.mark.slow
def test_a_game_is_provisional_if_an_illegal_play_won_it_and_nothing_follows() -> None:
    passes = " Game 1\n Ann : 0    Bob : 0\n  1) 31: 8/5 6/5    Doubles => 2\n  2) Drops\n"
    last = (
        " Game 2\n Ann : 0    Bob : 1\n; Set Pos=------B--------------aa-a-/0\n"
        "  1) 43: 4/off 3/off 1/off\n      Wins 1 point\n"
    )
    games = tables_of(f" 5 point match\n\n{passes}\n{last}").games
    assert games["provisional"].tolist() == [False, True]
    games = tables_of(f" 5 point match\n\n{passes}\n{last.replace(' 1/off', '')}").games
    assert games["provisional"].tolist() == [False, False]
