"""Statistics: the tables of matches, the reports on them, and the store that contains them."""
