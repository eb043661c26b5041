"""Findings in the formats of `check`, and their words."""

from bganalyze.validation.findings import Standing

_STANDINGS = {
    Standing.OPEN: "can still be corrected",
    Standing.CORRECTED: "corrected",
    Standing.STANDS: "stands",
}


def standing_in_words(standing: Standing | None) -> str:
    """Return whether an illegal play stands or can still be corrected, as a player says it.

    Return "remedy", the heading of a ruling, if the rule on player's errors does not apply.

    >>> standing_in_words(Standing.OPEN), standing_in_words(Standing.STANDS), standing_in_words(None)
    ('can still be corrected', 'stands', 'remedy')
    """
    return "remedy" if standing is None else _STANDINGS[standing]
