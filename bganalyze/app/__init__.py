"""The user interfaces: the library's functions, the commands, the page, and their output."""
