"""Features of many boards at once: pips, points, shots, chances to enter.

Every function takes `BoardArrays`, the checkers of both sides in any number of positions, and
returns one value for each position. Nothing here depends on match files or turns.
"""
