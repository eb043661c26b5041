r"""What tells a format: lines that begin in a certain way.

>>> gist = LineGist(r"Score is [0-9]+")
>>> gist.is_in("hello\nScore is 3"), gist.is_in("The Score is 3")
(True, False)
"""

from __future__ import annotations

import re


class LineGist:
    """A pattern that is looked for where lines begin.

    With `^` and MULTILINE every character of a text would be tried, which takes ten times as long
    as going from line end to line end.
    """

    def __init__(self, pattern: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        """Take a pattern without its `^`; its `$` is the end of a line."""
        flags |= re.MULTILINE
        self._first = re.compile(pattern, flags)
        self._other = re.compile(f"\n(?:{pattern})", flags)

    def is_in(self, text: str) -> bool:
        """Whether a line of `text` begins so."""
        return self._first.match(text) is not None or self._other.search(text) is not None
