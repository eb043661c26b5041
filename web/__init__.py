"""The page that files are dropped into, packaged with the program."""
