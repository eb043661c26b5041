"""Tables of matches: one row for each match, game, roll, double and finding.

A module for each table declares its columns and makes its rows. `frames.py` joins the rows of many
files as pandas DataFrames. The other modules do not need pandas, so several processes can do their
work.
"""
