"""Entry point of `python -m benchmarks.guard`: all that it starts and makes ends with it."""

import sys

from benchmarks import process_tree
from benchmarks.guard import trees

if __name__ == "__main__":
    sys.exit(process_tree.run("benchmarks.guard.run", sys.argv[1:], trees.remove_base))
