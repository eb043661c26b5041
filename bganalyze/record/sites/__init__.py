"""The formats of online servers, a module for each."""
