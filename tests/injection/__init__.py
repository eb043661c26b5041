"""Fault injection: break one thing in a clean record and see whether the check names it.

Run `python -m tests.injection --help`. `table.py` says what each kind of break must give and why;
the modules of breaks make them and work out, from the true position, which code is right.
"""
