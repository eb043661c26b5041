"""A document as one page of HTML that needs nothing else, and that nothing can leave.

The page's policy allows its own style and script, known by their digests, and the pictures inside
it; all else is forbidden, so that no name can make the page fetch or run anything.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from bganalyze.files.outputs import MARK
from bganalyze.render import board_picture as board_svg
from bganalyze.render import graph_svg
from bganalyze.render.board_picture import DARK, LIGHT, variables
from bganalyze.render.document import FIRST, Block, Document, Picture
from bganalyze.text import printable


def page(document: Document) -> str:
    """Return the page."""
    style, script = _style(), _part("page.js")
    template = _environment().get_template("page.html")
    return template.render(
        document=document,
        mark=MARK,
        policy=_policy(style, script),
        style=style,
        script=script,
    )


def _policy(style: str, script: str) -> str:
    """What the page may do, as a Content Security Policy of level 3."""
    return "; ".join(
        (
            "default-src 'none'",
            f"style-src '{_digest(style)}'",
            f"script-src '{_digest(script)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


@cache
def _part(name: str) -> str:
    return files("bganalyze").joinpath("render", "pages", name).read_text(encoding="utf-8")


@cache
def _style() -> str:
    by_night = f"@media screen and (prefers-color-scheme:dark){{:root{{{variables(DARK)}}}}}"
    colours = f":root{{color-scheme:light dark;{variables(LIGHT)}}}{by_night}"
    return "\n".join((colours, _part("page.css"), board_svg.STYLE, graph_svg.STYLE))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("bganalyze", "render/pages"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_fit,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        board=board_svg.board_part,
        curves=graph_svg.graph_part,
        kind_of=_kind,
        sentence=_sentence,
        address=_address,
        first=FIRST,
    )
    return environment


def _fit(value: Any) -> Any:
    """Text without what a page cannot hold; markup (a subclass of str) stays as it is."""
    return printable(value) if type(value) is str else value


def _sentence(words: str) -> str:
    """A note with its capital and its full stop, where it still lacks them."""
    return f"{words[:1].upper()}{words[1:].removesuffix('.')}."


def _kind(block: Block) -> str:
    return type(block).__name__


def _address(picture: Picture) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(picture.svg).decode()}"
