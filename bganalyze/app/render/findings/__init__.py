"""The findings of a check, in the formats of `check`."""
