"""Findings in the formats of `check`, and their words."""

from bganalyze.validation.findings import Standing

_STANDINGS = {
    Standing.OPEN: "can still be corrected",
    Standing.CORRECTED: "corrected",
    Standing.STANDS: "stands",
}


def standing_in_words(standing: Standing | None) -> str:
    """Return in words whether an illegal play can still be corrected, was corrected, or stands.

    The words label the remedy. For None, where the player-error rule does not apply, they are `remedy`.

    >>> standing_in_words(Standing.OPEN), standing_in_words(Standing.STANDS), standing_in_words(None)
    ('can still be corrected', 'stands', 'remedy')
    """
    return "remedy" if standing is None else _STANDINGS[standing]
