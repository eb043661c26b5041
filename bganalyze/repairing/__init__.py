"""Repairs of match files: find the slip behind a contradiction, and the edits that undo it."""
