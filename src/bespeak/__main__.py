"""`python -m bespeak` is the command `bespeak`."""

from bespeak.cli import main

if __name__ == "__main__":
    main()
