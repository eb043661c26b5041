"""S7xx: signatures, by which somebody vouches for a record."""

from __future__ import annotations

from bganalyze.board.rule_book import RuleBook
from bganalyze.validation.findings import Severity
from bganalyze.validation.replaying.facts import Fact
from bganalyze.validation.rules.catalog import rule


@rule("S701", "false-signature", Severity.ERROR)
def false_signature(fact: Fact, rule_book: RuleBook) -> str:
    """A signature in the file that does not fit what the file holds.

    What it does. Reports a signature of an OGXM file, of the match or of an
    analysis, that its own key contradicts: what was signed is not what stands
    there. Signatures are checked where the package ogxm is installed (the extra
    signatures). A file without signatures, or with one whose key it does not name,
    is no fault.

    Why. The record was changed after it was signed, or the signature was taken from
    another. What it vouches for is another match.

    Example: no match text can show it, for there are no signatures in it. In an
    OGXM file each has its place (MSIG of the match, SIGN of an analysis).

    Source: practice: OGXM, sections 8.1 and 8.6.

    Never shown: who changed it; and, where a signature holds, whose key it is.
    """
    return f"the signature of {fact.about['text']} does not hold: it was made of something else"


RULES = (false_signature,)
