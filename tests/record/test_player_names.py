"""Names asked for that no match has: which others are suggested."""

from __future__ import annotations

import pytest

from bganalyze.record.players import (
    Players,
    UnknownNameError,
    find_similar_names,
    have_swapped_columns,
    plain_name,
    read_alias_table,
    require_name,
)

NAMES = ("Ada Quill", "Bruno Vale", "Cleo Hart", "Dario Fenn", "Lars Holm")


@pytest.mark.parametrize(
    ("asked", "names", "said"),
    [
        ("Xaver", NAMES[:3], "there are 'Ada Quill', 'Bruno Vale' and 'Cleo Hart'"),
        ("Xaver", NAMES[:1], "there is 'Ada Quill'"),
        ("Xaver", (), "'Xaver' is missing"),
        ("Xaver", NAMES, "'Cleo Hart', and 2 other names: bganalyze matches PATH lists all"),
        ("Lasrs", NAMES, "there is 'Lars Holm', and 4 other names: bganalyze"),
        ("Lars Hulm", NAMES, "there is 'Lars Holm', and 4 other names: bganalyze"),
    ],
)
def test_names_alike_come_first_and_others_are_counted(
    asked: str, names: tuple[str, ...], said: str
) -> None:
    with pytest.raises(UnknownNameError) as error:
        require_name(asked, names, "is missing")
    assert said in str(error.value)


def test_the_command_that_lists_all_is_named_by_the_caller() -> None:
    with pytest.raises(UnknownNameError, match="1 other name: bganalyze stats PATH --by site"):
        require_name("x", "abcd", "is missing", listed_by="bganalyze stats PATH --by site")


def test_at_most_three_names_are_like_one_word() -> None:
    names = [f"Lars {letter * 12}" for letter in "ABCDE"]
    assert find_similar_names("larsx", names) == names[:3]


@pytest.mark.parametrize(
    ("asked", "found"), [("vale", ["Bruno Vale"]), ("brunno", ["Bruno Vale"]), ("Xaver", [])]
)
def test_one_word_of_a_name_is_enough(asked: str, found: list[str]) -> None:
    assert find_similar_names(asked, ["Bruno Vale", "Ada Quill"]) == found


def test_a_name_is_known_without_its_rating_and_capitals() -> None:
    assert require_name("ann", ["Ann,1500"], "is missing") == "Ann,1500"
    assert plain_name("NORI") == "nori"
    assert Players({"bob the builder": "Bob"}).player_of_name("BOB the Builder") == "Bob"
    table = read_alias_table({"players": {"Ann Example": ["Annie"]}})
    assert table == {"ann example": "Ann Example", "annie": "Ann Example"}


def test_a_player_against_himself_has_swapped_no_columns() -> None:
    assert not have_swapped_columns("AA", "AA")
