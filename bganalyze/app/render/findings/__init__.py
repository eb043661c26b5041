"""Findings in the formats of `check`, and their words."""

from bganalyze.validation.findings import Standing

_STANDINGS = {
    Standing.OPEN: "can still be corrected",
    Standing.CORRECTED: "corrected",
    Standing.STANDS: "stands",
}


def standing_in_words(standing: Standing | None) -> str:
    """Return the standing of an error in a player's words: "stands", or "remedy" for None."""
    return "remedy" if standing is None else _STANDINGS[standing]
