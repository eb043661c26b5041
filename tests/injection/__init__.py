"""Fault injection: damage one thing in a clean record and see whether the check names it.

Run `python -m tests.injection --help`. The faults are those of `tests/faults/catalog.py`.
"""
