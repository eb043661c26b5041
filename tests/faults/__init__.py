"""Faults of match files: what can go wrong when a match is recorded or played.

`catalog.py` lists each fault once. A function makes it in a clean record (`record.py`) and returns the
damage (`damage.py`), with the findings that a check must report: `check.py` and `referee.py` work
them out from the true position.
"""
