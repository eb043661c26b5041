"""Stamps of messages: the time, and maybe the name, that a chat puts before each turn."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from bganalyze.record.cleaning.layers import Replacement

FEWEST_MESSAGES = 4
"""Least number of stamps that show a copied chat."""

_DAY = r"(?:[0-9]{1,4}[./-][0-9]{1,2}[./-][0-9]{1,4}|Today|Yesterday)"
_TIME = r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?:[ \t]?[AaPp]\.?[Mm]\.?)?"
_MINUTES = re.compile(":[0-9]{2}")
"""A part of each stamp, which is found sooner."""
_STAMP = re.compile(
    rf"^(?P<before>\[?{_DAY},?[ \t]+{_TIME}(?:\]|[ \t]+[-\u2013])[ \t]+)(?=[^\n:]{{1,60}}:[ \t])"
    rf"|^[^\n:;,\[]{{1,60}}?(?P<behind>,?[ \t]+(?:[-\u2013\u2014][ \t]+{_DAY}(?:[ \t]+at)?,?[ \t]+{_TIME}"
    rf"|\[{_DAY},?[ \t]+{_TIME}\])[ \t]*\n)(?=[^\n])",
    re.MULTILINE,
)
"""A stamp before the name and the message, or behind the name above the message."""


def find_message_stamps(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that remove the date and time before each message of a chat.

    >>> next(find_message_stamps("[3.3.26, 20:15:11] Ann: 31: 8/5 6/5\n" * 4))
    Replacement(start=0, end=19, new='')
    """
    if sum(1 for _ in islice(_MINUTES.finditer(text), FEWEST_MESSAGES)) < FEWEST_MESSAGES:
        return
    stamps = list(_STAMP.finditer(text))
    if len(stamps) < FEWEST_MESSAGES:
        return
    for stamp in stamps:
        if stamp["before"] is not None:
            yield Replacement(*stamp.span("before"), "")
        else:
            # The stamp stands between a name and its message.
            yield Replacement(*stamp.span("behind"), ": ")
