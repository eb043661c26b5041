"""Elements of an HTML page, as a strict parser sees them."""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser

VOID = {"meta", "img", "br", "hr", "link", "input"}
ADDRESSES = {"src", "href", "action", "data", "poster", "srcset", "xlink:href", "formaction"}


class Page(HTMLParser):
    """A page taken apart; raises where elements are not closed in their order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == [], self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self._open, tag
        assert self._open[-1] == tag, (self._open, tag)
        self._open.pop()

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def count(self) -> Counter[str]:
        """Return the number of elements of each kind."""
        return Counter(tag for tag, _ in self.elements)

    def of(self, tag: str) -> list[dict[str, str]]:
        """Return the attributes of each element of a kind."""
        return [attributes for name, attributes in self.elements if name == tag]

    def addresses(self) -> list[str]:
        """Everything that a browser might fetch or follow."""
        return [
            value
            for _, attributes in self.elements
            for name, value in attributes.items()
            if name in ADDRESSES
        ]
