"""What the file says: reading any transcript into a `Match`, with the place of every item."""
