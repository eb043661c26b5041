"""Jobs: what is done with each of many files, by several processes, and what became of it."""
