"""Pages opened in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def opened(
    browser: Any, page_file: Path, said: list[str], place: str = "", **context: Any
) -> Iterator[Any]:
    """Open a page at a place; what it complains of and asks for goes to `said`."""
    tab = browser.new_context(**context)
    page = tab.new_page()
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: said.append(dialog.message))
    page.on("request", lambda request: said.append(request.url))
    page.goto(page_file.as_uri() + place)
    assert said == [page_file.as_uri()]
    said.clear()
    yield page
    tab.close()
