"""`python -m roundsman`."""

from roundsman.cli.main import main

if __name__ == "__main__":
    main()
