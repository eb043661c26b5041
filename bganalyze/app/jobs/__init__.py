"""Work on many files by several processes, and the outcome of each file."""
