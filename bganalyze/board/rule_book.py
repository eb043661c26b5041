"""Rule books: the base rules, tournament rules, and the switches in which they differ.

The base rules (`basic`) are the project's own. Tournament rules differ from them in a few points
only; each is a switch here, named as in the documentation of `bganalyze.toml`.
"""

# Annotations are evaluated here: `record/model.py` says why.

from typing import Literal, NamedTuple

AfterIllegal = Literal["played", "skip", "stop"]
"""Board after an illegal play: with the play as recorded, without it, or no board at all."""

StandsAfter = Literal["roll", "roll-or-double"]
DeadCube = Literal["allow", "prohibit"]
MovesPolicy = Literal["legal", "responsible"]


class RuleBook(NamedTuple):
    """One set of rules. A switch set to None follows the match file."""

    name: str = "basic"
    moves_policy: MovesPolicy = "responsible"
    """`legal`: an illegal play must be corrected; `responsible`: either player may ask for it."""
    stands_after: StandsAfter = "roll"
    """Action after which an error of movement stands: the next roll, or also a valid double."""
    dead_cube: DeadCube = "allow"
    crawford: bool | None = None
    jacoby: bool | None = None
    beavers: bool | None = None
    auto_doubles: bool | None = None
    cube_limit: int | None = None
    variant: str | None = None
    after_illegal: AfterIllegal = "played"


BASIC = RuleBook()
WBF = BASIC._replace(name="wbf", moves_policy="legal")
USBGF = BASIC._replace(name="usbgf", moves_policy="legal", dead_cube="prohibit")

RULE_BOOKS = {rule_book.name: rule_book for rule_book in (BASIC, WBF, USBGF)}
