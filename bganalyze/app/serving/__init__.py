"""Answers to the requests of the page, in the browser (Pyodide) or in a server on this machine."""
