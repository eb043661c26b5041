"""Jobs: work on many files by several processes, and the outcome of each file."""
