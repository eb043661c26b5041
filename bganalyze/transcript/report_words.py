"""The words in which eXtreme Gammon and BGBlitz name the best action with the cube.

Only what genuine reports in English, German, French and Japanese say stands here; everything else
that matters in a report is said in numbers.
"""

from __future__ import annotations

import re

OFFERS = {
    "no double": (
        "No double",
        "Nicht Doppeln",
        "Kein Doppel",
        "Pas de double",
        "ノーダブル",
        "ダブルせず",
    ),
    "no redouble": ("Nicht Redoppeln", "ノーリダブル"),
    "double": ("Double", "Doppeln", "Doubler", "ダブル", "ダブルする"),
    "redouble": ("Redouble", "Redoppeln", "リダブル"),
    "too good": ("Zu gut zum redoppeln", "Trop bon pour redoubler", "ツーグッド"),
}
ANSWERS = {
    "take": ("Take", "Annehmen", "Prend", "Prendre", "テイク", "受ける"),
    "pass": ("Pass", "Reject", "Ablehnen", "Passe", "Rejeter", "Refuser", "パス"),
}

_MEANT = {
    word.casefold(): meant
    for table in (OFFERS, ANSWERS)
    for meant, words in table.items()
    for word in words
}


def _any_of(table: dict[str, tuple[str, ...]]) -> str:
    """A pattern of all words, the longest first."""
    words = sorted((word for words in table.values() for word in words), key=len, reverse=True)
    return "|".join(map(re.escape, words))


_VERDICT = re.compile(
    rf"(?:[ \t:\uff1a])({_any_of(OFFERS)}) / ({_any_of(ANSWERS)})(?:[ \t]+EMG)?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)


def best_cube_action(report: str) -> str | None:
    """Return the best action with the cube and the answer to it, or None where none is named.

    >>> best_cube_action("Meilleur action du videau: Trop bon pour redoubler / Passe")
    'too good / pass'
    >>> best_cube_action(" キューブアクション:     :  ダブルせず / 受ける     EMG")
    'no double / take'
    >>> best_cube_action("Double/Take: +0.689")
    """
    found = _VERDICT.search(report)
    if found is None:
        return None
    return " / ".join(_MEANT[word.casefold()] for word in found.groups())
