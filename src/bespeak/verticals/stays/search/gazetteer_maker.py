"""Runs in a process of its own: makes the file of the gazetteer of the package's data, and writes
it to the standard output, which is a file. The package is not imported.
"""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

from bespeak.verticals.stays.search.gazetteer_file import PACKAGE, write_gazetteer

_DATA = "data/cities500.json"


def main() -> None:
    """Writes the file."""
    found = find_spec(PACKAGE)
    folders = None if found is None else found.submodule_search_locations
    if not folders:
        sys.exit(f"{PACKAGE} is not installed")
    os.nice(10)  # who searches goes first
    with open(sys.stdout.fileno(), "r+b", closefd=False) as file:
        write_gazetteer(Path(folders[0]) / _DATA, file)


if __name__ == "__main__":
    main()
