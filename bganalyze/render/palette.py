"""The colours of everything that is drawn: by daylight, and on dark screens.

The two sides are blue and orange of Okabe and Ito's palette, which colour-blind readers tell apart;
they differ in lightness too, so that a print in black shows them.
"""

from __future__ import annotations

from collections.abc import Mapping

LIGHT = {
    "page": "#fbfaf7",
    "card": "#ffffff",
    "ink": "#1d2329",
    "soft": "#59636e",
    "line": "#d9d5cb",
    "accent": "#8a4b08",
    "left": "#0b4f8a",
    "right": "#f2b134",
    "left-line": "#0b5fa5",
    "right-line": "#b06f00",
    "left-ring": "#3d7db5",
    "right-ring": "#8a5a00",
    "left-count": "#ffffff",
    "right-count": "#1d1402",
    "edge": "#10202d",
    "frame": "#5b4a3a",
    "field": "#efe7d6",
    "even": "#d3c3a3",
    "odd": "#b59f7b",
    "bar": "#7a6651",
    "cube": "#ffffff",
    "cube-value": "#1d2329",
    "error": "#b3261e",
    "warning": "#7d5700",
    "info": "#0b5fa5",
}

DARK = {
    "page": "#14181c",
    "card": "#1c2228",
    "ink": "#e8eaed",
    "soft": "#a4adb6",
    "line": "#38414a",
    "accent": "#f0b46a",
    "left": "#2f82c4",
    "right": "#f2b134",
    "left-line": "#62b0ee",
    "right-line": "#f2b134",
    "left-ring": "#a5d0f2",
    "right-ring": "#8a5a00",
    "left-count": "#ffffff",
    "right-count": "#1d1402",
    "edge": "#05090c",
    "frame": "#3d3229",
    "field": "#2b2620",
    "even": "#5d5140",
    "odd": "#463c2f",
    "bar": "#241e18",
    "cube": "#e8eaed",
    "cube-value": "#14181c",
    "error": "#ff8a80",
    "warning": "#f5c46b",
    "info": "#8cc8ff",
}


def variables(palette: Mapping[str, str]) -> str:
    """Return a palette as the custom properties of a style sheet.

    >>> variables({"ink": "#000000"})
    '--ink:#000000;'
    """
    return "".join(f"--{name}:{colour};" for name, colour in palette.items())
