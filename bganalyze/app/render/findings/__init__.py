"""Findings in the formats of `check`, and their words."""

from bganalyze.validation.findings import Standing

_STANDINGS = {
    Standing.OPEN: "can still be corrected",
    Standing.CORRECTED: "corrected",
    Standing.STANDS: "stands",
}


def standing_in_words(standing: Standing | None) -> str:
    """Return in words whether an illegal play can still be corrected.

    None means that the player-error rule does not apply; its text is `remedy`.

    >>> standing_in_words(Standing.OPEN), standing_in_words(Standing.STANDS)
    ('can still be corrected', 'stands')
    """
    return "remedy" if standing is None else _STANDINGS[standing]
