"""Pages opened in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def opened(
    browser: Any, page_file: Path, messages: list[str], place: str = "", **context: Any
) -> Iterator[Any]:
    """Open a page at a place; what it complains of and asks for goes to `messages`."""
    tab = browser.new_context(**context)
    page = tab.new_page()
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.on("dialog", lambda dialog: messages.append(dialog.message))
    page.on("request", lambda request: messages.append(request.url))
    page.goto(page_file.as_uri() + place)
    assert messages == [page_file.as_uri()]
    messages.clear()
    yield page
    tab.close()
