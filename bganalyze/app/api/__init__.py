"""The functions of the library, each in a module of its name; `bganalyze` exports them all.

Each takes files in any form, returns a value that does not change, prints nothing, and raises what its
docstring names. A command of the command line and an answer of the page call the same functions.
"""
