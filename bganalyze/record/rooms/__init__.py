"""The formats of online rooms, a module for each."""
