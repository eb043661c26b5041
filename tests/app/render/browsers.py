"""Pages opened in a browser."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
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


_KEPT_TABS: dict[str, Any] = {}
"""Tabs to use again, by the options they were opened with: a new one takes longer than most tests."""

USUAL_VIEW = {"width": 1280, "height": 720}


@contextmanager
def open_page(
    browser: Any,
    page_file: Path,
    messages: list[str],
    place: str = "",
    *,
    is_alone: bool = False,
    **context: Any,
) -> Iterator[Any]:
    """Open a page at a place; its messages and requests go to `messages`.

    The tab may have shown other pages before. A test that changes more than the page, its size and
    its medium, such as the clock, opens it with `is_alone`.
    """
    if is_alone:
        with tab(browser, **context) as page, _show_page(page, page_file, messages, place):
            yield page
        return
    options = repr(sorted(context.items()))
    page = _KEPT_TABS.pop(options, None) or _open_tab(browser, context)
    with _show_page(page, page_file, messages, place):
        yield page
    page.emulate_media(media="null", color_scheme=context.get("color_scheme", "light"))
    page.set_viewport_size(context.get("viewport", USUAL_VIEW))
    _KEPT_TABS[options] = page


def _open_tab(browser: Any, options: dict[str, Any]) -> Any:
    """Open a tab that stays open until the browser ends."""
    context = browser.new_context(**options)
    context.set_default_timeout(SOON)
    return context.new_page()


@contextmanager
def _show_page(page: Any, page_file: Path, messages: list[str], place: str) -> Iterator[None]:
    """Show a page in a tab, and collect its messages and requests during a `with` block."""
    listeners: dict[str, Callable[[Any], object]] = {
        "console": lambda message: messages.append(message.text),
        "pageerror": lambda error: messages.append(str(error)),
        "dialog": lambda dialog: (messages.append(dialog.message), dialog.dismiss()),
        "request": lambda request: messages.append(request.url),
    }
    page.goto("about:blank")  # Else another place of the page that is shown would not load it anew.
    for event, listener in listeners.items():
        page.on(event, listener)
    page.goto(page_file.as_uri() + place)
    assert messages == [page_file.as_uri()]
    messages.clear()
    yield
    for event, listener in listeners.items():
        page.remove_listener(event, listener)


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
