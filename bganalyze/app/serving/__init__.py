"""What the page asks of the program, in the browser by Pyodide or from the server on this machine."""
