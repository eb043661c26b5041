"""The page for dropping match files, packaged with the program."""
