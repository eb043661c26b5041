"""Analyzing: decisions, an engine's evaluation on each, and the figures that follow."""
