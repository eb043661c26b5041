"""Tables of matches: one row for each match, game, roll, double and finding.

A module for each table declares its columns and makes its rows; `frames.py` puts the rows of many
files together as pandas DataFrames. Everything else here is done without pandas, so that it can be
done by several processes.
"""
