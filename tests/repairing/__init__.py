"""Slips of a scribe, made in clean records, and whether a repair finds its way back.

`slips.py` makes them; `python -m tests.benchmarks.repair_of_slips` measures what becomes of them.
"""
