"""Files: find match files, read their bytes, and write output."""
