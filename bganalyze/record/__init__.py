"""Readers for every match file format, and the `Match` they return, with the place of each item."""
