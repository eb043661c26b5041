"""What boards show, computed for many boards at once: pips, points, shots, chances to enter.

Every function takes `BoardArrays`, both sides' checkers of any number of positions, and returns one
value for each. Nothing here knows of records or turns.
"""
