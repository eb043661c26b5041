"""The start of the single-file programs."""

from bganalyze.app.cli import run

run()
