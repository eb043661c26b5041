"""Repairs of match files: find the slip that causes a contradiction, and the edits that undo it."""
