"""Phrases of GNU Backgammon's reports in other languages, and their English.

The phrases are those of the program's message catalogues (version 1.07.001), which translate some
phrases of a report and leave others in English.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from bganalyze.record.cleaning.layers import Replacement, drop_overlaps

PROGRAM = "GNU Backgammon"
"""Text in every report."""

VALUE = "{}"
"""Place of a number or a play in a phrase."""

HEADS: Mapping[str, tuple[str, ...]] = {
    "The score (after {} games) is: ": (
        *("Der Spielstand (nach {} Partie) ist: ", "Le score (après {} partie) est : "),
        *("Le score (après {} parties) est : ", "スコア ({} ゲーム後): "),
        *("Il punteggio (dopo {} game) è: ", "Il punteggio (dopo {} games) è: "),
        *("El marcador (después de {} juego) es: ", "El marcador (después de {} juegos) es: "),
        *("Stillingen (efter {} parti) er: ", "Stillingen (efter {} partier) er: "),
        *("Tulos ({} pelatun pelin) on: ", "Счёт (после {} игры): ", "Счёт (после {} игр): "),
        *("Skóre (po {} hře) je: ", "Skóre (po {} hrách) je: "),
        *("Scorul (după {} joc) este: ", "Scorul (după {} jocuri) este: "),
    ),
    "Move number {}:": (
        *("Zug Nr. {}:", "Coup numéro {} :", "Mossa numero {}:", "Numero mossa {}:"),
        *("Movimiento número {}:", "Træk nummer {}:", "Siirto numero {}:", "Ход номер: {}:"),
        *("Tah číslo {}:", "Mutare număr {}:", "Număr mutare {}:"),
    ),
    "Match Information": (
        *("Match-Informationen", "Informations sur le match", "マッチの情報"),
        *("Informazioni sul match", "Información de la partida", "Kampinformation"),
        *("Ottelu informaatio", "Информация о матче", "Maç Bilgileri", "Informace o zápasu"),
        *("Upplýsingar um keppni", "Informaţii partidă"),
    ),
    "Game number {}": (
        *("Partie Nr. {}", "Numéro de partie {}", "ゲーム番号 {}", "Numero game {}"),
        *("Juego número {}", "Parti nummer {}", "Peli numero {}", "Hra číslo {}", "Joc numărul {}"),
    ),
    "Rolled {}": ("Dés {}", "Heitto {}"),
    "Cube analysis": (
        *("Doppler-Analyse", "Analyse du videau", "キューブ解析", "Analisi sul cubo"),
        *("Análisis de cubo", "Dobbelananalyse", "Tuplausanalyysi", "Analýza kostky"),
        "Analiza cubului",
    ),
    "Proper cube action:": (
        *("Richtige Doppler-Aktion:", "正しいキューブアクション:", "Corretta azione di cubo:"),
        *("Acción de cubo apropiada:", "Korrekt cubeaction:", "Oikea tuplausratkaisu:"),
        *("Správná činnost:", "Acţiune cub corectă:"),
    ),
    "{}. No double": (
        *("{}. Kein Doppel", "{}. Pas de double", "{}. ノーダブル", "{}. Non raddoppiare"),
        *("{}. No doblar", "{}. Ingen dobling", "{}. Ei tuplausta", "{}. Nezdvojnásobovat"),
        "{}. Fără dublare",
    ),
    "{}. Double, take": (
        *(
            "{}. Doppel, Annahme",
            "{}. Double, accepte",
            "{}. ダブル、テイク",
            "{}. Doppia, accetta",
        ),
        *("{}. Doblar, tomar", "{}. Dobling, take", "{}. Tuplaus, otto", "{}. Vido, al"),
        *("{}. Zdvojnásobit, přijmout", "{}. Dublare, ia"),
    ),
    "{}. Double, pass": (
        *("{}. Doppel, Aufgabe", "{}. Double, passe", "{}. ダブル、パス", "{}. Doppia, passa"),
        *("{}. Doblar, pasar", "{}. Dobling, pas", "{}. Tuplaus, hylkäys", "{}. Vido, pes"),
        *("{}. Zdvojnásobit, odmítnout", "{}. Dublare, pas"),
    ),
    "Game statistics for game {}": (
        *("Statistiken für Partie {}", "Statistiques pour la partie {}"),
        *("Statistiques de jeu pour la partie {}", "Herní statistiky pro hru {}"),
        "Pelitilastot pelille {}",
        *("Statistiche per il game {}", "Estadísticas de juego para el juego {}"),
        *(
            "Statistic for parti {}",
            "Statistik for spil {}",
            "Pelin {} pelitilastot",
            "Statistika hry pro hru {}",
        ),
        *("Στατιστικά παιχνιδιού για το παιχνίδι {}", "Statistici pentru jocul {}"),
    ),
    "Match statistics": (
        *("Match-Statistiken", "Statistiques de la partie", "マッチ統計", "Statistiche del match"),
        *("Estadísticas de partida", "Statistik for kampen", "Ottelutilastot"),
        *("Statistika zápasu", "Στατιστικά αγώνα", "Statistici pentru partidă"),
        *("Statistiques du match", "Statistiky zápasu", "Ottelu tilastot", "Statistica partidă"),
        "Статистика матча",
    ),
}
"""Phrases at the start of a line, by their English."""

ENTRIES: Mapping[str, tuple[str, ...]] = {
    "Date": (
        *("Datum", "Date ", "日時", "Data", "Fecha", "Dato", "Ajankohta", "Päivä", "Дата"),
        *("Dags", "Dată"),
    ),
    "Event": (
        *("Turnier", "Rencontre", "Rencontre ", "イベント", "Evento", "Begivenhed", "Tapahtuma"),
        *("Событие", "Událost", "Eveniment"),
    ),
    "Place": (
        *("Ort", "Lieu", "Lieu ", "場所", "Luogo", "Lugar", "Sted", "Paikka", "Место", "Místo"),
        "Loc",
    ),
    "Round": (
        *("Runde", "Tour ", "Arrondis", "丸型", "Turno", "Tonda", "Ronda", "Redondeada", "Rund"),
        *("Kierros", "Kolo", "Oblý", "Umferð", "Rundă", "Rotund"),
    ),
    "Annotator": (
        *("Kommentator", "Annotateur", "Annotateur ", "注記", "Note di", "Anotador", "Notar"),
        *("Kirjuri", "Комментатор", "Komentátor", "Adnotator"),
    ),
    "Comments": (
        *("Kommentare", "Commentaires", "Commentaires ", "コメント", "Commenti", "Comentarios"),
        *("Kommentarer", "Kommentit", "Комментарий", "Poznámky", "Athugasemdir", "Comentarii"),
    ),
    "Player": (
        *("Spieler", "Joueur", "プレイヤー", "Giocatore", "Jugador", "Spiller", "Pelaaja"),
        *("Игрок", "Oyuncu", "Hráč", "Παίκτης", "Leikmaður", "Jucător"),
    ),
    "Moves marked doubtful": ("Şüpheli işaretlileri oynar",),
}
"""Names of the entries about a match, and of the head of its statistics, by their English."""

PHRASES: Mapping[str, tuple[str, ...]] = {
    " to play {}": (" doit jouer {}", " heitti {}"),
    " doubles to {}": (
        *(" doppelt auf {}", " double à {}", " raddoppia a {}", " dobla a {}", " dobler til {}"),
        *(" tuplaa arvoon {}", " tuplasi arvoon {}", " zdvojnásobuje na {}", " dublează la {}"),
    ),
    " on roll, cube decision?": (
        *(" am Wurf, Doppler-Aktion?", " au trait, décision de videau ?"),
        *(" ha i dadi, decisione di cubo?", " al lancio, decisione di cubo?"),
        *(" al lanzamiento, ¿decisión de cubo?", " på rul, cubeaction?", ' på rul, cubeaction?"'),
        *(" siirtovuorossa, tuplausratkaisu?", " siirtovuoro, tuplausratkaisu?"),
        *(" je na tahu, co s kostkou?", " na tahu, co s kostkou?"),
        " la aruncare, decizia de cub?",
    ),
    " moves {}": (
        *(" zieht {}", " joue {}", " mosse {}", " muove {}", " mueve {}", " flytter {}"),
        *(" siirto {}", " ходит {}", " {} oynuyor", " hraje {}", " táhne {}", " mutări {}"),
        " leikur {}",
    ),
    " cannot move": (
        *(" kann nicht ziehen", " ne peut pas jouer", " non può muovere", " no puede mover"),
        *(" kan har intet lovlige træk", " kan ikke flytte", " ei voi suorittaa siirtoa"),
        *(" не может ходить", " hamle yapamıyor", " nemůže táhnout", " nu poate muta"),
        *(" nu pot muta", " getur ekki leikið"),
    ),
    " doubles": (" double", " dobler", " tuplasi"),
    " accepts": (
        *(" nimmt an", " accepte", " 承認", " accetta", " acepta", " accepterer"),
        *(" ottaa tuplauksen vastaan", " přijímá", " þiggur", " acceptă"),
    ),
    " rejects": (
        *(" lehnt ab", " refuse", " 拒否", " rifiuta", " rechaza", " afslår"),
        *(" ei ota vastaan", " odmítá", " hafnar", " refuză"),
    ),
    " wins {} points": (
        *(" gewinnt {} Punkte", " gagne {} point", " gagne {} points", " vince {} punto"),
        *(" vince {} punti", " gana {} punto", " gana {} puntos", " vinder {} point"),
        *(" voitti {} pisteen", " voitti pistein {}", " voitti pisteet: {}"),
        *(" выигрывает {} очко", " выигрывает {} очка", " vyhrává {} bod", " vyhrává {} body"),
        *(" vyhrává {} bodů", " câştigă {} punct", " câştigă {} puncte"),
    ),
    " resigns {} points": (
        *(" gibt {} Punkte auf", " abandonne {} point", " abandonne {} points"),
        *(" が {} ポイントで投了", " concede {} punto", " concede {} punti"),
        *(" renuncia a {} punto", " renuncia a {} puntos", " opgiver {} point"),
        *(" luovuttaa {} pisteen", " luovuttaa pistein: {}", " сдаётся, {} очко"),
        *(" сдаётся, {} очка", " сдаётся, {} очков", " vzdává {} bod", " vzdává {} body"),
        *(" vzdává {} bodů", " renunţă {} punct", " renunţă la {} puncte"),
    ),
    ", Crawford game": (
        *(", Crawford-Partie", ", partie Crawford", ", juego de Crawford", ", Crawfordparti"),
        *(", Crawford peli", ", Crawford oyunu", ", Crawfordovská hra", ", Crawford spil"),
        ", joc Crawford",
    ),
    ", post-Crawford play": (
        *(', "Post" Crawford Spiel', ", jeu post-Crawford", ", juego post-Crawford"),
        *(", post-Crawfordspil", ", post-Crawford peli", ", po-Crawfordovská hra"),
        ", joc post-Crawford",
    ),
}
"""Phrases behind a name or points, at the end of a line, by their English."""

PARTS: Mapping[str, tuple[str, ...]] = {
    " (match to {} points": (
        *(" (Match auf {} Punkt", " (Match auf {} Punkte", " (match en {} point"),
        *(" (match en {} points", " (match a {} punto", " (match a {} punti"),
        *(" (partida a {} punto", " (partida a {} puntos", " (kamp til {} point"),
        *(" (kamp til {} points", "(kamp til {} points"),
        *(" ({} pisteen ottelu", " (встреча до {} очка", " (встреча до {} очков"),
        *(" (zápas do {} bodu", " (zápas do {} bodů", " (partidă la {} punct"),
        *(" (partidă la {} puncte", " (partidă până la {} punct"),
        " (partidă până la {} puncte",
    ),
    "Pip counts:": ("Pipsitilanne:", "Compte de course :"),
    " Position ID:": (
        *(
            " Positions ID: :",
            " Position-ID:",
            " ID de position:",
            " ID de position :",
            " ポジション ID:",
        ),
        *(" ID Posizione:", " ID de posición:", " Positions ID:", " Peliaseman ID:"),
        *(" ID pozice:", " ID poziţie:"),
    ),
    " Match ID ": (
        *(" ID de match ", " ID Match ", " ID de partida ", " MatchID ", " Ottelun ID "),
        " ID zápasu ",
    ),
    " Cubeful ": (
        *(" Mit Doppler ", " Avec videau ", " キューブフル ", " Con il cubo "),
        *(" Con cubo («cubeful») ", " Tuplattu peli ", " S kostkou ", " Cu cub "),
    ),
    " Cubeless ": (
        *(" Ohne Doppler ", " Sans videau ", " キューブレス ", " Senza il cubo "),
        *(" Sin cubo («cubeless») ", " Cubefri ", " Ei tuplattu peli ", " Без куба "),
        *(" Bezkostková ", " Fără cub "),
    ),
    " cubeless equity ": (
        *(" Gewinnerwartung ohne Doppler ", " équité sans videau ", " キューブレスエクイティ "),
        *(" equity senza il cubo ", " Equidad sin cubo ", " cubefri equity "),
        *(" ei tuplatun pelin voitto-odote ", " bezkostková ekvita ", " valoare fără cub "),
    ),
    " cubeless MWC ": (
        *(" MWC ohne Doppler ", " キューブレスマッチ勝率 ", " MWC senza il cubo "),
        *(" MWC sin cubo ", " cubefri MWC ", " ei tuplatun pelin MWC ", " bezkostková MWC "),
        " MWC fără cub ",
    ),
    "{}-ply": ("{}-turno («ply»)", "{}-kerros", "{}-půltah"),
    " MWC: ": (" CGM: ", " マッチ勝率: "),
    " Eq.: ": (" Equidad: ", " Voitto-odote: ", " H.: "),
}
"""Phrases anywhere in a line, by their English."""

_START = r"(?:^|(?<=>))"
_PROGRAM_NAMES = "GNU Backgammon|Table GNU|Τάβλι GNU"
"""The program's name in English, Romanian and Greek."""
_END = rf"(?=\)?[ \t]*(?:$|<|{_PROGRAM_NAMES}))"
_END_OF_ENTRY = r"(?=:|</td>|</th>|[ ]{3})"
_TABLES = (
    (HEADS, _START, ""),
    (ENTRIES, _START, _END_OF_ENTRY),
    (PHRASES, "", _END),
    (PARTS, "", ""),
)
"""The tables of phrases, with what must be before and behind them."""
_NUMBER = "[0-9]{1,9}"
_PLAY = r"(?:bar|[0-9]{1,2})/[^\n<]{1,200}?"

_BEHIND_PLAY = (" {} oynuyor",)
"""Phrases of moves whose words follow the play, which follows the name of the player."""
_PLAYER = re.compile(
    r"^(?:<[^>\n]*>){0,9}Move number [0-9]{1,9}:(?:</a></b>)?[ ]{1,2}([^\n]{1,99}?) to play [1-6]{2}\b",
    re.MULTILINE,
)
"""The name of a player above one of his moves, in a report whose headings are in English."""

TELLTALES = (
    *(
        max(phrase.split(VALUE), key=len)
        for english, phrases in (*HEADS.items(), *PHRASES.items())
        if english in ("The score (after {} games) is: ", " moves {}", " cannot move")
        for phrase in phrases
    ),
    *(f"\n{phrase}   " for phrase in ENTRIES["Player"]),  # A game may have statistics alone.
    *PHRASES[", Crawford game"],  # A page of a game without plays may have no other phrase.
    "Τάβλι GNU",  # The name is all that is Greek in most reports.
)
"""Texts of which each report in another language has one."""

_ASCII_TELLTALES = tuple(filter(str.isascii, TELLTALES))
"""The only ones that a text without other characters can have."""


class Phrase(NamedTuple):
    """A phrase of another language, and the English for its parts around a value."""

    pattern: re.Pattern[str]
    """The phrase, with a group for each part."""
    english: tuple[str, ...]


def find_translations(text: str) -> Iterator[Replacement]:
    r"""Yield replacements of foreign phrases in GNU Backgammon's reports by English ones.

    >>> report = "GNU Backgammon\nZug Nr. 2: Ann to play 31\n*.Ann zieht 8/5 6/5\n"
    >>> [(report[part.start : part.end], part.new) for part in find_translations(report)]
    [('Zug Nr. ', 'Move number '), ('*.', '* '), (' zieht ', ' moves ')]
    """
    telltales = _ASCII_TELLTALES if text.isascii() else TELLTALES
    if not any(telltale in text for telltale in telltales):
        return
    found = (*find_phrases(text, _compile_phrases()), *_find_turkish_verbs(text))
    for part in drop_overlaps(found):
        if text[part.start : part.end] != part.new:
            yield part


def _find_turkish_verbs(text: str) -> Iterator[Replacement]:
    """Yield replacements that turn the Turkish verb after a play into ` moves ` before the play."""
    for phrase in _BEHIND_PLAY:
        words = phrase.split(VALUE)[1]
        if words in text:
            names = sorted(set(_PLAYER.findall(text)), key=len, reverse=True)
            behind_name = "|".join(f"(?<={re.escape(name)})" for name in names)
            play = rf"(?:{behind_name})( ){_PLAY}({re.escape(words)}){_END}"
            yield from find_phrases(text, [Phrase(re.compile(play, re.MULTILINE), (" moves ", ""))])


def find_phrases(text: str, phrases: Iterable[Phrase]) -> Iterator[Replacement]:
    """Yield replacements of foreign phrases by English ones, in the order of `phrases`.

    Each group in the pattern of a phrase has a replacement of its own.
    """
    for phrase in phrases:
        for match in phrase.pattern.finditer(text):
            for group, new in enumerate(phrase.english, start=1):
                yield Replacement(*match.span(group), new)


@cache
def _compile_phrases() -> tuple[Phrase, ...]:
    """Return patterns of the foreign phrases in reports, longer ones first, with their English."""
    phrases = [
        Phrase(re.compile(r"^(\*\.)", re.MULTILINE), ("* ",)),
        Phrase(re.compile(r"(?<=:)(</a></b>)(?=[^ \n])(?!</?p>)"), ("</a></b> ",)),
        Phrase(re.compile(r"^Mutare număr [0-9]{1,9}(:)(?=[^\s<])", re.MULTILINE), (": ",)),
        Phrase(
            re.compile(
                r"(?<=>)(Peliaseman ID|ID de position ?):[ ]<tt>[^<\n]*</tt>[ ](Ottelun ID|ID de match ?)(?=:)"
            ),
            ("Position ID", "Match ID"),
        ),
        Phrase(re.compile(rf"({_PROGRAM_NAMES})(?= +(?:Position ID|ID poziţie):)"), (PROGRAM,)),
        Phrase(re.compile(rf"{PROGRAM}( \([^()\n]{{1,40}}\))(?= +Position ID:)"), ("",)),
    ]
    for table, start, end in _TABLES:
        for english, translations in table.items():
            value = _PLAY if english == " moves {}" else _NUMBER
            for translation in sorted(translations, key=len, reverse=True):
                if translation in _BEHIND_PLAY:
                    continue
                parts = (f"({re.escape(part)})" for part in translation.split(VALUE))
                pattern = re.compile(f"{start}{value.join(parts)}{end}", re.MULTILINE)
                phrases.append(Phrase(pattern, tuple(english.split(VALUE))))
    return tuple(phrases)
