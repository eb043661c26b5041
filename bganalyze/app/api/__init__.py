"""The functions of the library, each in a module of its name; `bganalyze` exports them all.

Each takes files in any form, returns an immutable value, prints nothing, and raises only the errors named
in its docstring. The command line and the page call the same functions.
"""
