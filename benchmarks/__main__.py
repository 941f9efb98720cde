"""Entry point of `python -m benchmarks`: all that the run starts ends with it."""

import sys

from benchmarks import process_tree

if __name__ == "__main__":
    sys.exit(process_tree.run("benchmarks.run", sys.argv[1:]))
