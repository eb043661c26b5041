"""Reports of GNU Backgammon in other languages are read as the English ones."""

from __future__ import annotations

import pytest

from bganalyze.record.cleaning import translations
from bganalyze.record.model import Match
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from tests import same

ENGLISH = """\
The score (after 1 game) is: Ann Lee 0, Bob 2 (match to 5 points), Crawford game

Match Information:
Date: 17.05.2031

Move number 1:  Ann Lee to play 31

 GNU Backgammon  Position ID: 4HPwATDgc/ABMA
                 Match ID   : MIGmAAAAEAAE

* Ann Lee moves 8/5 6/5

Rolled 31:
*    1. Cubeful 2-ply    8/5 6/5                      Eq.: +0.162

Move number 2:  Bob to play 66

* Bob cannot move
Move number 3:  Ann Lee on roll, cube decision?

* Ann Lee doubles

Move number 4:  Ann Lee doubles to 2

* Bob rejects
Ann Lee wins 1 point

Game statistics for game 2

Player                                   Ann Lee                 Bob
"""

LANGUAGES = {
    "German": {
        "The score (after 1 game) is:": "Der Spielstand (nach 1 Partie) ist:",
        "match to 5 points": "Match auf 5 Punkte",
        ", Crawford game": ", Crawford-Partie",
        "Date:": "Datum:",
        "Move number": "Zug Nr.",
        "* Ann Lee moves": "*.Ann Lee zieht",
        "* Bob cannot move": "*.Bob kann nicht ziehen",
        "rejects": "lehnt ab",
        "Player": "Spieler",
        "Game statistics for game": "Statistiken für Partie",
    },
    "French": {
        "The score (after 1 game) is:": "Le score (après 1 partie) est\u00a0:",
        "match to 5 points": "match en 5 points",
        ", Crawford game": ", partie Crawford",
        "Match Information:": "Informations sur le match:",
        "Date:": "Date\u00a0:",
        "to play": "doit jouer",
        "on roll, cube decision?": "au trait, décision de videau\u00a0?",
        "Position ID:": "ID de position\u00a0:",
        "Match ID ": "ID de match ",
        "* Ann Lee doubles": "* Ann Lee double",
        "doubles to": "double à",
        "rejects": "refuse",
        "wins 1 point": "gagne 1 point",
    },
    "Turkish": {
        "* Ann Lee moves 8/5 6/5": "* Ann Lee 8/5 6/5 oynuyor",
        "* Bob cannot move": "* Bob hamle yapamıyor",
        ", Crawford game": ", Crawford oyunu",
        "Player": "Oyuncu",
    },
    "Danish": {
        "The score (after 1 game) is:": "Stillingen (efter 1 parti) er:",
        "match to 5 points": "kamp til 5 point",
        ", Crawford game": ", Crawfordparti",
        "Position ID:": "Positions ID: :",
        "Match ID ": "MatchID ",
        "Move number": "Træk nummer",
        "moves": "flytter",
        "on roll, cube decision?": 'på rul, cubeaction?"',
        "Game statistics for game": "Statistik for spil",
        "Player": "Spiller",
    },
    "Japanese": {
        "The score (after 1 game) is:": "スコア (1 ゲーム後):",
        "Cubeful": "キューブフル",
        "rejects": "拒否",
        "Player": "プレイヤー",
    },
}


def read(text: str) -> Match:
    (match,) = read_bytes(text.encode(), "a.txt")
    return match


def translate(language: str) -> str:
    text = ENGLISH
    for english, phrase in LANGUAGES[language].items():
        assert english in text
        text = text.replace(english, phrase)
    return text


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_report_in_another_language_is_the_same_match(language: str) -> None:
    text = translate(language)
    match, english = read(text), read(ENGLISH)
    assert (match.names, same.games(match)) == (english.names, same.games(english))
    assert match.tag("EventDate") == "17.05.2031"
    assert {finding.code for finding in check([match])} - {"T121"} == {
        finding.code for finding in check([english])
    }


def test_a_blank_is_added_before_a_name_like_markup_on_a_page() -> None:
    page = '<p><b><a name="game1.move2">Zug Nr. 2:</a></b><!-- x doppelt auf 2</p>\n<p></p>'
    found = translations.find_translations(f"GNU Backgammon\n{page}\n Ann kann nicht ziehen")
    assert [part.new for part in found if part.new.startswith("</a>")] == ["</a></b> "]
    empty = page.replace("<!-- x doppelt auf 2", "")
    found = translations.find_translations(f"GNU Backgammon\n{empty}\n Ann kann nicht ziehen")
    assert not [part for part in found if part.new.startswith("</a>")]


def test_a_name_like_a_play_is_no_part_of_a_turkish_play() -> None:
    name = "bar/20 24/20*"
    text = translate("Turkish").replace("Ann Lee", name)
    match, english = read(text), read(ENGLISH.replace("Ann Lee", name))
    assert (match.names, same.games(match)) == (english.names, same.games(english))


@pytest.mark.parametrize("language", LANGUAGES)
def test_places_are_those_of_the_file(language: str) -> None:
    text = translate(language)
    play = next(read(text).plays())
    line = text.split("\n")[play.span.line - 1]
    assert [line[step.column - 1 : step.end_column - 1] for step in map(play.place, (0, 1))] == [
        "8/5",
        "6/5",
    ]


def test_an_english_report_stays() -> None:
    assert list(translations.find_translations(ENGLISH)) == []


@pytest.mark.parametrize("table", [translations.HEADS, translations.PHRASES, translations.PARTS])
def test_a_translation_has_the_values_of_its_english(table: dict[str, tuple[str, ...]]) -> None:
    for english, phrases in table.items():
        assert {phrase.count("{}") for phrase in phrases} == {english.count("{}")}
        assert len(set(phrases)) == len(phrases)


def test_a_game_without_plays_in_another_language_has_statistics_alone() -> None:
    text = (
        "The score (after 1 game) is: Ann 1, Bob 0 (match to 3 points)\n\n"
        "Game statistics for game 2\n\nOyuncu                 Ann         Bob\n\n"
        "Total moves                    0           0\n"
        "Şüpheli işaretlileri oynar     0           0\n\n\n"
        "Output generated Fri Nov 27 16:27:43 2026 by GNU Backgammon 1.07.001\n"
    )
    assert "T101" not in [finding.code for finding in check([read(text)])]


@pytest.mark.parametrize("head", ["Game statistics for game 2", "Statistiques pour la partie 2"])
def test_bytes_garbled_by_the_program_in_statistics_are_no_fault(head: str) -> None:
    report = f"{ENGLISH}\n{head}\n\nPlayer      Zo\xeb    J\xf6rg\n95".encode()
    matches = read_bytes(report + b"\x90onfidence interval (ppg)\n", "a.txt")
    assert "T102" not in [finding.code for finding in check(matches)]


@pytest.mark.parametrize(
    ("language", "score"),
    [
        ("German", "(Match auf 5 Punkt, Crawford-Partie)"),
        ("French", "(match en 5 points, partie Crawford)"),
        ("Danish", "(kamp til 5 points, Crawfordparti)"),
        ("Turkish", "(match to 5 points, Crawford oyunu)"),
        ("Romanian", "(partidă până la 5 puncte, joc Crawford)"),
        ("Czech", "(zápas do 5 bodů, Crawfordovská hra)"),
    ],
)
def test_a_page_states_the_crawford_game_inside_the_brackets(language: str, score: str) -> None:
    heading = "(match to 5 points), Crawford game"
    text = ENGLISH.replace(heading, score)
    if language == "Romanian":
        text = text.replace("The score (after 1 game) is:", "Scorul (după 1 joc) este:")
    elif language == "Czech":
        text = text.replace("The score (after 1 game) is:", "Skóre (po 1 hře) je:")
    elif language != "Turkish":
        of_text = next(
            line
            for line in translate(language).split("\n")
            if "(match" in line.lower() or "(kamp" in line
        )
        text = text.replace(
            ENGLISH.partition("\n")[0].replace(heading, score),
            of_text[: of_text.rindex(" (")] + f" {score}",
        )
    match = read(text)
    assert (match.length and match.length.points, match.games[0].crawford) == (5, True)
    assert match.names == ("Ann Lee", "Bob")


def test_a_danish_page_lacks_a_blank_before_the_length() -> None:
    text = translate("Danish").replace(" (kamp til 5 point)", "(kamp til 5 points)")
    length = read(text).length
    assert length is not None
    assert length.points == 5
