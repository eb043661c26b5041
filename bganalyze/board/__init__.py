"""The rules of the game: positions, legal plays, the cube, scoring and identifiers.

This package reads no files. Every function depends on its arguments only.
"""
