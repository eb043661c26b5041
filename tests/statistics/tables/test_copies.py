"""Records of one match that differ are found by their rolls, counted once, and named in words."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import pandas as pd
import pytest

from bganalyze.record.reader import read_bytes
from bganalyze.statistics.reports.question import Question, restrict_tables
from bganalyze.statistics.tables.copies import (
    AT_ONCE,
    find_copies,
    find_copies_among,
)
from bganalyze.statistics.tables.copies_table import tabulate_copies
from bganalyze.statistics.tables.frames import Tables, tabulate, tabulate_analyzed
from bganalyze.statistics.tables.shared_rolls import compare_records
from bganalyze.validation.replaying import replay
from bganalyze.writing import write
from tests.statistics.match_report.analyzed import analyze_text

MATCH = (Path(__file__).parents[3] / "samples/clean/three-point.mat").read_text()
HEAD, *GAMES = re.split(r"(?= Game \d)", MATCH)
DICE = "ABCDEFGHIJKLMNOPQRSTU"


def tables_of(*records: str | bytes) -> Tables:
    """Return the tables of records, each in a file with a letter as its name."""
    replays = (
        replay(match)
        for name, record in zip("abcdefghi", records, strict=False)
        for match in read_bytes(record.encode() if isinstance(record, str) else record, name)
    )
    return tabulate(replays, column_groups=())


def words_of(tables: Tables) -> list[str]:
    return tabulate_copies(tables.matches)["words"].tolist()


def count_tables(tables: Tables) -> tuple[int, int]:
    """Return the numbers of matches and games that count."""
    chosen, _ = restrict_tables(tables, Question())
    return len(chosen.matches), len(chosen.games)


def rewritten(format_: str, record: str = MATCH) -> bytes:
    return write([replay(match) for match in read_bytes(record.encode(), "x")], format_).data


@pytest.mark.slow
def test_damaged_copies_count_once() -> None:
    damaged = {
        "one die": MATCH.replace("2) 62: 25/23* 24/18", "2) 61: 25/23* 24/18", 1),
        "one play": MATCH.replace("25/23 9/3 ", "25/23 13/7", 1),
        "a row lost": MATCH.replace("  4) 43: 25/21 21/18*            64: 25/21 13/7* \n", "", 1),
        "last game lost": HEAD + "".join(GAMES[:-1]),
        "first game lost": HEAD + "".join(GAMES[1:]),
        "names": MATCH.replace("Cleo Hart", "C. Heart").replace("Dario Fenn", "D. Fen   "),
        "sgf": rewritten("sgf", MATCH.replace("25/23 9/3 ", "25/23 13/7", 1)),
        "json": rewritten("json", HEAD + "".join(GAMES[:-1])),
    }
    for place, (name, copy) in enumerate(damaged.items()):
        records = [copy, copy]
        original = place % 2
        records[original] = MATCH
        tables = tables_of(*records)
        first, second = tables.matches["content"]
        copies = list(tables.matches["copy_of"].dropna().items())
        assert copies == [(1, 0) if first == second else (1 - original, original)], name
        assert count_tables(tables) == (1, 4), name


def test_copies_are_named_with_what_they_share() -> None:
    one_play = MATCH.replace("25/23 9/3 ", "25/23 13/7", 1)
    lost_row = MATCH.replace("  4) 43: 25/21 21/18*            64: 25/21 13/7* \n", "", 1)
    tables = tables_of(lost_row, MATCH, one_play, MATCH)
    rolls = len(tables.matches["sequence"][1]) // 2
    assert words_of(tables) == [
        f"a and b share {rolls - 2} of {rolls - 2} rolls; the second is fuller and counts",
        f"c and b share {rolls} of {rolls} rolls, 1 of them played differently; the second has fewer errors and counts",
        "d repeats b",
    ]
    assert tables.matches["copy_of"].tolist() == [1, pd.NA, 1, 1]


def test_an_illegal_play_that_the_replay_reads_as_the_legal_one_still_differs() -> None:
    wrong = MATCH.replace("2) 62: 25/23* 24/18", "2) 62: 25/23* 24/17", 1)
    tables = tables_of(wrong, MATCH, wrong)
    first, second, _ = tables.matches["content"]
    assert first == second
    assert tables.matches["copy_of"].tolist() == [1, pd.NA, 1]
    rolls = len(tables.matches["sequence"][1]) // 2
    assert words_of(tables) == [
        f"{name} and b share {rolls} of {rolls} rolls, 1 of them played differently;"
        " the second has fewer errors and counts"
        for name in "ac"
    ]
    assert tabulate_copies(tables.matches)["same_plays"].tolist() == [rolls - 1] * 2


def test_a_copy_of_a_copy_names_the_match_that_counts() -> None:
    start, middle = HEAD + "".join(GAMES[:1]), HEAD + "".join(GAMES[:2])
    tables = tables_of(start, middle, MATCH, start)
    assert tables.matches["copy_of"].tolist() == [2, 2, pd.NA, 2]


def test_a_record_with_a_game_that_the_fuller_one_lacks_is_no_copy() -> None:
    """The first file has games 1 and 2, the other one games 2 to 4."""
    tables = tables_of(HEAD + "".join(GAMES[:2]), HEAD + "".join(GAMES[1:]))
    assert tables.matches["copy_of"].isna().all()
    copied = tables.games[tables.games["counted_elsewhere"]]
    assert len(copied) == 1
    assert count_tables(tables) == (2, 4)


def test_a_short_game_that_two_records_share_counts_once() -> None:
    """The third game ends after five rolls, with a pass."""
    tables = tables_of(HEAD + "".join(GAMES[:3]), HEAD + "".join(GAMES[1:]))
    assert count_tables(tables) == (2, 4)
    cut = "".join(GAMES[1].splitlines(keepends=True)[:5])  # The first two rows.
    assert count_tables(tables_of(HEAD + GAMES[0] + cut, HEAD + "".join(GAMES))) == (1, 4)


@pytest.mark.parametrize("is_first", [True, False])
def test_of_equally_full_records_of_a_game_that_with_a_winner_counts(is_first: bool) -> None:
    cut = "".join(line for line in GAMES[1].splitlines(keepends=True) if "Wins" not in line)
    files = [HEAD + GAMES[0] + cut, HEAD + "".join(GAMES[1:])]
    tables = tables_of(*files[:: 1 if is_first else -1])
    counted = tables.games[~tables.games["counted_elsewhere"]]
    assert counted["winner"].notna().all()
    assert count_tables(tables) == (2, 4)
    assert tables.matches["continues"].dropna().tolist() == [0 if is_first else 1]


def test_an_impossible_roll_hides_no_common_game() -> None:
    begun = HEAD + "".join(GAMES[:2]).replace("  4) 43:", "  4) 73:", 1)
    tables = tables_of(begun, HEAD + "".join(GAMES[1:]))
    assert len(tables.matches["sequence"][0]) // 2 == tables.matches["recorded_rolls"][0] + 1
    assert count_tables(tables) == (2, 4)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_a_game_in_three_records_counts_once(order: tuple[int, int, int]) -> None:
    """The first has two games of three, the second the last two, the third all but the middle one."""
    chance = random.Random(8)
    numbers = ((0, 1), (1, 2), (0, 2))
    common = [make_up_match(chance, 30 + number) for number in range(3)]
    sequences = ["".join(common[game] for game in numbers[record]) for record in order]
    rolls = [30 + game for record in order for game in numbers[record]]
    games = pd.DataFrame(
        {"match": [0, 0, 1, 1, 2, 2], "game": [1, 2] * 3, "rolls": rolls, "winner": None}
    )
    copies = find_copies_among(
        matches_of(sequences), games, lambda asked: [sequences[number] for number in asked]
    )
    assert copies.records["copy_of"].isna().all()
    left = [
        place
        for place in zip(games["match"], games["game"], strict=True)
        if place not in copies.games
    ]
    assert sorted(numbers[order[match]][game - 1] for match, game in left) == [0, 1, 2]


def test_a_match_whose_games_all_count_elsewhere_is_no_match_of_its_own() -> None:
    """The first file has games 1 and 2, the second one 2 and 4, the third one two others and 4."""
    another = (Path(__file__).parents[3] / "samples/clean/bgtournament.mat").read_text()
    other = "".join(re.split(r"(?= Game \d)", another)[1:3])
    other = other.replace("rookbot :", "Cleo Hart :").replace("magpie :", "Dario Fenn :")
    files = (
        HEAD + "".join(GAMES[:2]),
        HEAD + GAMES[1] + GAMES[3],
        HEAD + other + GAMES[3],
    )
    tables = tables_of(*files)
    assert tables.matches["copy_of"].isna().all()
    counted = tables.games.loc[~tables.games["counted_elsewhere"], "match"]
    assert sorted(counted) == [0, 0, 2, 2, 2]
    assert count_tables(tables) == (2, 5)


def test_equally_full_records_of_a_game_keep_that_of_the_fuller_match() -> None:
    chance = random.Random(9)
    common, *own = (make_up_match(chance, rolls) for rolls in (40, 30, 31))
    sequences = [own[1] + common, own[0] + common]
    games = pd.DataFrame(
        {"match": [0, 0, 1, 1], "game": [1, 2] * 2, "rolls": [31, 40, 30, 40], "winner": None}
    )
    for numbers in ([0, 1], [1, 0]):
        some = [sequences[number] for number in numbers]
        rows = games.assign(match=[numbers.index(match) for match in games["match"]])
        found = find_copies_among(
            matches_of(some), rows, lambda asked, known=some: [known[number] for number in asked]
        )
        assert found.games == [(numbers.index(1), 2)]


def test_a_chance_roll_after_a_common_part_makes_no_common_game() -> None:
    """After a common game, one record has a game of three rolls, the other one begins with one of them."""
    chance = random.Random(10)
    common, short, long = (make_up_match(chance, rolls) for rolls in (40, 3, 30))
    sequences = [
        make_up_match(chance, 30) + common + short,
        common + short[:2] + long + make_up_match(chance, 30),
    ]
    games = pd.DataFrame(
        {
            "match": [0] * 3 + [1] * 3,
            "game": [1, 2, 3] * 2,
            "rolls": [30, 40, 3, 40, 31, 30],
            "winner": None,
        }
    )
    found = find_copies_among(
        matches_of(sequences), games, lambda asked: [sequences[number] for number in asked]
    )
    assert found.games == [(0, 2)]


@pytest.mark.parametrize(("rolls", "is_found"), [(9, True), (8, False)])
def test_a_whole_short_game_at_the_seam_counts_once(rolls: int, is_found: bool) -> None:
    """Its first roll, after a game before it, may have another letter; eight others must be the same."""
    chance = random.Random(rolls)
    common = make_up_match(chance, rolls)
    sequences = [make_up_match(chance, 40) + "a" + common[1:], common + make_up_match(chance, 30)]
    games = pd.DataFrame(
        {"match": [0, 0, 1, 1], "game": [1, 2] * 2, "rolls": [40, rolls, rolls, 30], "winner": None}
    )
    found = find_copies_among(
        matches_of(sequences), games, lambda asked: [sequences[number] for number in asked]
    )
    assert found.games == ([(1, 1)] if is_found else [])


def test_a_stretch_of_a_longer_game_is_no_common_game() -> None:
    chance = random.Random(3)
    common = make_up_match(chance, 11)
    sequences = [
        make_up_match(chance, 40) + common,
        common + make_up_match(chance, 1) + make_up_match(chance, 30),
    ]
    games = pd.DataFrame(
        {"match": [0, 0, 1, 1], "game": [1, 2] * 2, "rolls": [40, 11, 12, 30], "winner": None}
    )
    found = find_copies_among(
        matches_of(sequences), games, lambda asked: [sequences[number] for number in asked]
    )
    assert found.games == []


def test_two_matches_in_a_fuller_file_are_both_copies_of_it() -> None:
    first, last = HEAD + "".join(GAMES[:2]), HEAD + "".join(GAMES[2:])
    assert tables_of(first, last, MATCH).matches["copy_of"].tolist() == [2, 2, pd.NA]


def test_a_game_at_the_seam_of_two_sheets_counts_once() -> None:
    begun = "".join(GAMES[1].splitlines(keepends=True)[:17])  # 15 rows of 21.
    sheets = HEAD + GAMES[0] + begun, HEAD + "".join(GAMES[1:])
    tables = tables_of(*sheets)
    assert tables.matches["copy_of"].isna().all()
    copied = tables.games[tables.games["counted_elsewhere"]]
    assert (copied["match"].tolist(), copied["game"].tolist()) == ([0], [2])
    assert count_tables(tables) == (2, 4)
    (words,) = words_of(tables)
    assert words.endswith("; both count, but games that both have only once")


def test_an_analyzed_game_at_the_seam_of_two_sheets_counts_once() -> None:
    """Each game of the sheets has a decision that only one of the two games counts."""
    begun = "".join(GAMES[1].splitlines(keepends=True)[:17])
    sheets = HEAD + GAMES[0] + begun, HEAD + "".join(GAMES[1:])
    analyzed = [
        analyze_text(text)[1]._replace(path=name) for text, name in zip(sheets, "ab", strict=True)
    ]
    tables = tabulate_analyzed(analyzed)
    copied = tables.games[tables.games["counted_elsewhere"]]
    assert (copied["match"].tolist(), copied["game"].tolist()) == ([0], [2])
    chosen, excluded = restrict_tables(tables, Question())
    assert (len(chosen.matches), len(chosen.games), excluded.copied_games) == (2, 4, 1)
    whole = tabulate_analyzed([analyze_text(MATCH)[1]])
    assert len(chosen.decisions) == len(whole.decisions) < len(tables.decisions)


def test_a_sheet_that_continues_another_is_named_and_counts() -> None:
    sheets = HEAD + GAMES[0], HEAD + "".join(GAMES[1:])
    tables = tables_of(*sheets)
    assert words_of(tables) == ["b continues a at 2-0; both count, as parts of one match"]
    assert count_tables(tables) == (2, 4)
    other_players = sheets[1].replace("Dario Fenn", "Dora Fonn ")
    assert words_of(tables_of(sheets[0], other_players)) == []
    assert words_of(tables_of(sheets[0], *sheets)) == [
        "c continues a at 2-0; both count, as parts of one match",
        "b repeats a",
    ]


def test_the_same_dice_played_by_others_are_no_copy() -> None:
    rolls = random.Random(1).choices(DICE, k=60)
    one, other = ("".join(roll + play for roll in rolls) for play in "01")
    assert compare_records(one, other).rolls == 60
    assert find_among([one, other]).empty
    opening = make_up_match(random.Random(4), 20)
    one, other = (opening + sequence for sequence in (one, other))
    assert find_among([one, other])["copy_of"].isna().all()
    games = pd.DataFrame({"match": [0, 1], "game": 1, "rolls": 80, "winner": None})
    matches = matches_of([one, other])
    copies = find_copies_among(matches, games, lambda asked: [(one, other)[n] for n in asked])
    assert (copies.records["shared"].tolist(), copies.games) == ([80], [])


def test_a_shared_opening_is_no_copy() -> None:
    chance = random.Random(2)
    opening = "".join(roll + "0" for roll in chance.choices(DICE, k=7))
    assert find_among([opening + make_up_match(chance, 50) for _ in range(40)]).empty


@pytest.mark.parametrize(("rolls", "found"), [(11, []), (12, [12])])
def test_twelve_rolls_in_a_row_are_told_of(rolls: int, found: list[int]) -> None:
    chance = random.Random(5)
    shared = make_up_match(chance, rolls)
    one, other = (make_up_match(chance, 40) + shared + make_up_match(chance, 40) for _ in range(2))
    assert find_among([one, other])["shared"].tolist() == found


@pytest.mark.slow
def test_work_grows_with_the_number_of_records() -> None:
    """Many records of one match are not all compared with each other."""
    chance = random.Random(3)
    match = make_up_match(chance, 60)
    records = [match[: len(match) - 2 * (number % 20)] for number in range(300)]
    read: list[int] = []
    found = find_among([*records, *(make_up_match(chance, 60) for _ in range(AT_ONCE))], read)
    assert found["copy_of"].tolist() == [0] * 299
    assert len(read) <= 2 * (len(records) + AT_ONCE)


def test_a_record_without_change_takes_linear_work() -> None:
    assert compare_records("A0" * 20_000, "A0" * 10_000).rolls <= 10_000


def make_up_match(chance: random.Random, rolls: int) -> str:
    return "".join(chance.choice(DICE) + chance.choice("0123456789") for _ in range(rolls))


def find_among(sequences: list[str], noted: list[int] | None = None) -> pd.DataFrame:
    """Return the copies among sequences; `noted` gets the number of each that is read."""

    def read(numbers: Iterable[int]) -> list[str]:
        asked = list(numbers)
        if noted is not None:
            noted.extend(asked)
        return [sequences[number] for number in asked]

    return find_copies(matches_of(sequences), read)


def matches_of(sequences: Sequence[str]) -> pd.DataFrame:
    numbers = range(len(sequences))
    lengths = [len(sequence) // 2 for sequence in sequences]
    contents = [str(number) for number in numbers]
    return pd.DataFrame(
        {"match": numbers, "recorded_rolls": lengths, "errors": 0, "content": contents}
    )


def test_short_matches_that_agree_are_copies_unless_their_days_differ() -> None:
    short = (
        HEAD
        + " Game 1\n Cleo Hart : 0           Dario Fenn : 0\n  1) 31: 8/5 6/5          64: 24/14\n"
    )
    tables = tables_of(short, short)
    first, second = tables.matches["content"]
    assert first == second
    assert count_tables(tables) == (1, 1)
    assert count_tables(tables_of(short, short.replace("2031.05.17", "2031.05.18"))) == (2, 2)


@pytest.mark.slow
@pytest.mark.parametrize("rolls", [15, 17, 20])
def test_a_part_with_which_a_later_record_begins_is_found(rolls: int) -> None:
    """Of 60 pairs, the second record begins with the last rolls of the first one."""
    random_dice = random.Random(rolls)
    for _ in range(60):
        letters = "".join(random_dice.choices(DICE, k=220))
        first, second = letters[:120], letters[120 - rolls :]
        sequences = ["".join(f"{letter}0" for letter in record) for record in (first, second)]
        matches = matches_of(sequences)
        found = find_copies(matches, lambda asked, known=sequences: [known[n] for n in asked])
        assert found["shared"].tolist() == [rolls]
