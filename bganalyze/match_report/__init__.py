"""The report of one match: what its tables and its replay say, in small structures.

`report.py` puts together what the other modules make, one for each section. Everywhere a pair holds
the two players as they sit in the first game, the left one first, whatever columns they change to
later.
"""
