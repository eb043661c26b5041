"""`python -m bganalyze`: the command line."""

from bganalyze.app.cli import run

if __name__ == "__main__":
    run()
