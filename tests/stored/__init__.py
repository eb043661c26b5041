"""Output of the program for the samples, as files to read: `python -m tests.stored` writes them anew.

A change of an answer shows as a difference of these files. Whoever means the change stores it, and
sees in the difference what else has changed with it.
"""
