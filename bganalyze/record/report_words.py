"""Words of analysis reports of eXtreme Gammon and BGBlitz, one table for each language.

Each table has only words from genuine reports or from public readers of them, which it names.
Programs mix their own language with English, so English words are known beside every other table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple


class ReportWords(NamedTuple):
    """The words of a language in a report."""

    language: str
    source: str
    """Source of the words."""
    actions: Mapping[str, str]
    """Best cube actions, and their English names."""
    answers: Mapping[str, str]
    """Best answers, and their English names."""
    no_double: tuple[str, ...]
    """Labels of the equity without a double."""
    take: tuple[str, ...]
    """Labels of the equity after double and take."""
    passed: tuple[str, ...]
    """Labels of the equity after double and pass."""
    player: tuple[str, ...]
    """Labels of the chances of the player on roll."""
    opponent: tuple[str, ...]
    equity: tuple[str, ...]
    """Words before the equity of a candidate play."""
    analyzed: tuple[str, ...]
    """Words before the level of the analysis."""
    plies: str = "ply"

    @property
    def words(self) -> frozenset[str]:
        """All words of this language that the parser knows."""
        several = (self.no_double, self.take, self.passed, self.player, self.opponent)
        labels = (word for words in several for word in words)
        return frozenset((*self.actions, *self.answers, *labels, *self.equity, *self.analyzed))


ENGLISH = ReportWords(
    language="English",
    source="reports of eXtreme Gammon 2.10 and 2.19, and of BGBlitz",
    actions={
        "No double": "no double",
        "No redouble": "no redouble",
        "Double": "double",
        "Redouble": "redouble",
        "Too good to double": "too good",
        "Too good to redouble": "too good",
    },
    answers={"Take": "take", "Pass": "pass", "Reject": "pass", "Beaver": "beaver"},
    no_double=("No double", "No redouble"),
    take=("Double/Take", "Redouble/Take"),
    passed=("Double/Pass", "Redouble/Pass"),
    player=("Player", "Player Winning Chances"),
    opponent=("Opponent", "Opponent Winning Chances"),
    equity=("eq",),
    analyzed=("Analyzed in",),
)

FRENCH = ReportWords(
    language="French",
    source="reports of eXtreme Gammon 2.10 and 2.19, and of BGBlitz",
    actions={
        "Pas de double": "no double",
        "Pas de redouble": "no redouble",
        "Double": "double",
        "Doubler": "double",
        "Redouble": "redouble",
        "Trop bon pour redoubler": "too good",
    },
    answers={
        "Prend": "take",
        "Prendre": "take",
        "Passe": "pass",
        "Rejeter": "pass",
        "Refuser": "pass",
        "Beaver": "beaver",
    },
    no_double=("Pas de double", "Pas de redouble"),
    take=("Double/Prend", "Redouble/Prend"),
    passed=("Double/Passe", "Redouble/Passe"),
    player=("Joueur", "Chance de gain du joueur"),
    opponent=("Adversaire", "Chance de gain de l'adversaire"),
    equity=("éq",),
    analyzed=("Analysé avec",),
    plies="plis",
)

GERMAN = ReportWords(
    language="German",
    source="reports of eXtreme Gammon 2.10 and 2.19, and of BGBlitz",
    actions={
        "Nicht Doppeln": "no double",
        "Kein Doppel": "no double",
        "Nicht Redoppeln": "no redouble",
        "Doppeln": "double",
        "Redoppeln": "redouble",
        "Zu gut zum redoppeln": "too good",
    },
    answers={"Annehmen": "take", "Ablehnen": "pass", "Passe": "pass", "Beaver": "beaver"},
    no_double=("Nicht Doppeln", "Nicht Redoppeln"),
    take=("Doppeln/Annehmen", "Redoppeln/Annehmen"),
    passed=("Doppeln/Ablehnen", "Redoppeln/Ablehnen", "Doppeln/Passe"),
    player=("Spieler", "Spieler Gewinnchancen"),
    opponent=("Gegner", "Gewinnchancen des Gegners"),
    equity=("eq",),
    analyzed=("Analysiert in",),
)

JAPANESE = ReportWords(
    language="Japanese",
    source="reports of eXtreme Gammon 2.10 and BGBlitz, and public readers of the former",
    actions={
        "ノーダブル": "no double",
        "ダブルせず": "no double",
        "ノーリダブル": "no redouble",
        "ダブル": "double",
        "ダブルする": "double",
        "リダブル": "redouble",
        "ツーグッド": "too good",
    },
    answers={"テイク": "take", "受ける": "take", "パス": "pass", "ビーバー": "beaver"},
    no_double=("ノーダブル", "ノーリダブル"),
    take=("ダブル/テイク", "リダブル/テイク"),
    passed=("ダブル/パス", "リダブル/パス"),
    player=("プレーヤー",),
    opponent=("対戦相手",),
    equity=("eq",),
    analyzed=("Analyzed in",),
)

LANGUAGES = (ENGLISH, FRENCH, GERMAN, JAPANESE)

COLONS = ":\N{FULLWIDTH COLON}"
_EMG = "EMG"
"""Heading of a column of equities, behind the best cube action in BGBlitz's reports."""


def choose_words(report: str) -> ReportWords:
    """Return the words of the language in which a program's report is written.

    >>> choose_words("Meilleur action du videau: Pas de double / Prend").language
    'French'
    """
    others = LANGUAGES[1:]
    counts = [sum(word in report for word in one.words - ENGLISH.words) for one in others]
    return others[counts.index(max(counts))] if any(counts) else ENGLISH


def find_best_cube_action(report: str) -> str | None:
    """Return the best cube action and the answer to it that a report names, in English, or None.

    >>> find_best_cube_action("Meilleur action du videau: Trop bon pour redoubler / Passe")
    'too good / pass'
    """
    words = choose_words(report)
    actions = _fold_keys(ENGLISH.actions) | _fold_keys(words.actions)
    answers = _fold_keys(ENGLISH.answers) | _fold_keys(words.answers)
    for left, right in _yield_texts_around_slash(report):
        answer = answers.get(right)
        action = next(
            (one for one in sorted(actions, key=len, reverse=True) if _ends_with_word(left, one)),
            None,
        )
        if answer is not None and action is not None:
            return f"{actions[action]} / {answer}"
    return None


def has_analysis(report: str) -> bool:
    """Whether a report has equities of plays, or names the best cube action.

    >>> has_analysis("1.  3-ply  13/5  eq: -0.212"), has_analysis("White to play 12")
    (True, False)
    """
    equities = {f"{word}{colon}" for one in LANGUAGES for word in one.equity for colon in COLONS}
    return any(word in report for word in equities) or find_best_cube_action(report) is not None


def _fold_keys(names: Mapping[str, str]) -> dict[str, str]:
    """Return a mapping with its keys case-folded."""
    return {word.casefold(): name for word, name in names.items()}


def _yield_texts_around_slash(report: str) -> Iterator[tuple[str, str]]:
    """Yield, case-folded, the texts before and after the first " / " on each line that has one.

    >>> list(_yield_texts_around_slash("Best: No double / Take"))
    [('best: no double', 'take')]
    """
    for line in report.split("\n"):
        left, slash, right = line.partition(" / ")
        if slash:
            yield left.casefold(), right.strip().removesuffix(_EMG).strip().casefold()


def _ends_with_word(text: str, word: str) -> bool:
    """Whether a text ends with `word` as a whole word."""
    before = text.removesuffix(word)
    return before != text and before[-1:].strip(COLONS + " \t") == ""
