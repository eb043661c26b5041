"""The rule book a record is checked by: the base rules, the tournament texts and their single switches.

The seeds of the project are the base rules (`basic`). Tournament texts differ in a few points
only; each of these is a switch here, named as in the documentation of `bganalyze.toml`.
"""

# Annotations are values here, not text: see `record/model.py`.

from typing import Literal, NamedTuple

AfterIllegal = Literal["played", "skip", "stop"]
"""What the board shows after an illegal play: the play as recorded, nothing, or no more at all."""

StandsAfter = Literal["roll", "roll-or-double"]
DeadCube = Literal["allow", "prohibit"]
MovesPolicy = Literal["legal", "responsible"]


class RuleBook(NamedTuple):
    """One set of rules. `None` in a switch means: as the record states or implies it."""

    name: str = "basic"
    moves_policy: MovesPolicy = "responsible"
    """`legal`: an illegal play must be corrected; `responsible`: either player may call for it."""
    stands_after: StandsAfter = "roll"
    """What closes an error of movement: the next roll, or also a valid double."""
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
