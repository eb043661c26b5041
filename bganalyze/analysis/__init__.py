"""Judging: decisions, an engine's verdict on each, and the figures that follow."""
