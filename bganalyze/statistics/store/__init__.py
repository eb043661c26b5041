"""A store of matches: the contents of many files as Parquet, which is read in place of the files."""
