"""S7xx: signatures that vouch for a record."""

from __future__ import annotations

from bganalyze.board.rule_book import RuleBook
from bganalyze.validation.findings import Severity
from bganalyze.validation.replaying.replayed import MatchProblem
from bganalyze.validation.rules.catalog import Message, rule


@rule("S701", "false-signature", Severity.ERROR)
def false_signature(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A signature in the file does not fit the signed data.

    What it does. Reports a signature in an OGXM file, of the match or of an
    analysis, that fails the check with its own key: the signed data is not the data
    in the file. Signatures are checked if the package ogxm is installed (the extra
    signatures). A file without signatures is no error, nor is one with a signature
    whose key it does not name.

    Why. The record was changed after signing, or the signature was copied from
    another record. It vouches for another match.

    Example: no match text can show it, because match text has no signatures. An
    OGXM file has a place for each (MSIG for the match, SIGN for an analysis).

    Source: practice: OGXM, sections 8.1 and 8.6.

    Never shown: who changed the record; and, if a signature is valid, who owns the
    key.
    """
    return f"the signature of {problem.about['text']} is invalid: it was made for other data"


RULES = (false_signature,)
