"""The command `bespeak`, which is also `python -m bespeak`. Its libraries come with an extra: this
module says so where they are missing.
"""

import sys


def main() -> None:
    """Runs the command and ends the process with its status."""
    try:
        from bespeak.cli import main as run  # noqa: PLC0415
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("bespeak"):
            raise
        sys.exit(f'bespeak: {error.name} is not installed: pip install "bespeak[all]"')
    run()


if __name__ == "__main__":
    main()
