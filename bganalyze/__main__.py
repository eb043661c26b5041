"""`python -m bganalyze`: the command line."""

from bganalyze.cli import run

if __name__ == "__main__":
    run()
