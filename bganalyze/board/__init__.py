"""The rules of the game: positions, legal plays, the cube, scoring and identifiers.

Knows nothing of files. Everything here is a function of its arguments.
"""
