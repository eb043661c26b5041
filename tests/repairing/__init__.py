"""Slips in clean records (`tests/faults/`), and whether a repair finds its way back.

`python -m tests.benchmarks.repair_of_slips` measures what becomes of them.
"""
