"""The throws: 21 of them, each as often among the 36 as it can fall."""

from __future__ import annotations

import numpy as np

THROWS = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))
"""Every throw, the higher die first."""

WAYS = np.array([1 if high == low else 2 for high, low in THROWS], dtype=np.int8)
"""How many of the 36 throws of two dice are each of `THROWS`."""

INDEX = {throw: index for index, throw in enumerate(THROWS)}
