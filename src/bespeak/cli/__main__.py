"""`python -m bespeak.cli` is the command `bespeak` too."""

from bespeak.cli import main

if __name__ == "__main__":
    main()
