"""What this program is called and which version it is."""

from __future__ import annotations

NAME = "bganalyze"

VERSION = "0.1.0"
"""Read from here when the package is built: asking for what is installed costs a third of a start."""
