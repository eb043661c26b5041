"""Files: where transcripts are found, how their bytes are read, and how output is written."""
