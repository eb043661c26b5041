"""`python -m bganalyze`: the command line."""

from bganalyze.cli import main

if __name__ == "__main__":
    main()
