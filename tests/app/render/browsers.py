"""Pages opened in a browser."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

SOON = 180_000
"""Milliseconds: a machine may be busy."""


def expect(place: Any) -> Any:
    """Return what playwright asserts of a place; it waits until that holds."""
    from playwright.sync_api import expect

    expect.set_options(timeout=SOON)
    return expect(place)


@contextmanager
def tab(browser: Any, **options: Any) -> Iterator[Any]:
    """Open a page that shares nothing with others; actions on it wait for the elements they need."""
    with browser.new_context(**options) as context:
        context.set_default_timeout(SOON)
        yield context.new_page()


@contextmanager
def open_page(
    browser: Any, page_file: Path, messages: list[str], place: str = "", **context: Any
) -> Iterator[Any]:
    """Open a page at a place; its messages and requests go to `messages`."""
    with tab(browser, **context) as page:
        page.on("console", lambda message: messages.append(message.text))
        page.on("pageerror", lambda error: messages.append(str(error)))
        page.on("dialog", lambda dialog: messages.append(dialog.message))
        page.on("request", lambda request: messages.append(request.url))
        page.goto(page_file.as_uri() + place)
        assert messages == [page_file.as_uri()]
        messages.clear()
        yield page


def resize(page: Any, width: int) -> None:
    """Give the window a width, and wait until the page has it."""
    page.set_viewport_size({"width": width, "height": 800})
    page.wait_for_function("width => innerWidth === width", arg=width)


def axe_script() -> str:
    """Return axe-core, or skip the test where it is not there."""
    path = os.environ.get("BGANALYZE_AXE")
    if not path:
        pytest.skip("BGANALYZE_AXE names no axe.min.js")
    return Path(path).read_text(encoding="utf-8")


def violations(page: Any, script: str, **options: Any) -> list[tuple[str, list[str]]]:
    """Return what axe-core finds in the way of people on a page: rules, each with its elements."""
    page.evaluate(script)
    outcome = page.evaluate("options => axe.run(document, options)", options)
    return [
        (violation["id"], [node["html"] for node in violation["nodes"]])
        for violation in outcome["violations"]
    ]
