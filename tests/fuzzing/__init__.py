"""Fuzzing: whatever the bytes, reading and checking end well. See `python -m tests.fuzzing -h`."""
