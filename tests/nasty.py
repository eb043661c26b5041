"""Names that players have, or might have to break something."""

NAMES = (
    "<script>alert(1)</script>",
    "=cmd|' /C calc'!A0",
    "../../etc/passwd",
    "Ann" * 100,
    "שלום עולם",
    "a\u202ebc\u2066",
    "🎲🏴‍☠️ Zoë",
    "\"'&<>`{{ 7 * 7 }}{% raw %}",
    "</style></svg>",
    "|*_[x](javascript:1)_*|",
    "$x^2$",
    "\x1b[2J\x07\x00",
)
"""Markup, formulas, paths, long and reversed text, emoji, marks of formats, and what terminals obey."""
