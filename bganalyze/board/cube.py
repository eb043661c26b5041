"""The doubling cube as a state machine: what it shows, whose it is, and what is on offer."""

from __future__ import annotations

from typing import Literal, NamedTuple

Side = Literal[0, 1]


class Cube(NamedTuple):
    """The cube between two actions.

    `offered_by` is the side whose double waits for an answer; `offer` the value if it is taken;
    `refused` what a drop costs. A beaver leaves the cube with the side that beavered (`keeper`).
    """

    value: int = 1
    owner: Side | None = None
    offered_by: Side | None = None
    offer: int = 0
    refused: int = 0
    keeper: Side | None = None

    @property
    def is_open(self) -> bool:
        """Whether an offer waits for its answer."""
        return self.offered_by is not None

    def may_double(self, side: Side) -> bool:
        """Whether the cube is centred or belongs to `side`."""
        return self.owner is None or self.owner == side

    def doubled(self, side: Side, offer: int | None = None) -> Cube:
        """Return the cube with an offer by `side`, by default at twice its value.

        >>> Cube().doubled(0).taken()
        Cube(value=2, owner=1, offered_by=None, offer=0, refused=0, keeper=None)
        """
        other: Side = 1 if side == 0 else 0
        return self._replace(
            offered_by=side,
            offer=2 * self.value if offer is None else offer,
            refused=self.value,
            keeper=other,
        )

    def beavered(self, side: Side) -> Cube:
        """Return the cube turned again by the doubled side, who keeps it.

        A refusal costs the doubler the value of the first offer (rules by T. Keith).

        >>> Cube().doubled(0).beavered(1).taken()
        Cube(value=4, owner=1, offered_by=None, offer=0, refused=0, keeper=None)
        """
        return self._replace(offered_by=side, offer=2 * self.offer, refused=self.offer)

    def taken(self) -> Cube:
        """Return the cube after the offer was taken."""
        return Cube(self.offer, self.keeper)

    def withdrawn(self) -> Cube:
        """Return the cube as if the open offer had not been made."""
        return Cube(self.value, self.owner)
