"""Runs a command in which pytest is started several times as one run: they share the servers, the
migrated template and the loaded demo, which the first that wants one makes.

    python -m tests.harness.one_run make test-layers
"""

import signal
import subprocess
import sys

from tests.harness.database import begin_run, end_run


def main(command: list[str]) -> int:
    """The exit code of the command; the servers are stopped and the folder is gone by then."""
    begin_run()
    try:
        with subprocess.Popen(command) as process:
            signal.signal(signal.SIGTERM, lambda *_: process.terminate())
            # Ctrl-C reaches the command too, and it ends by itself.
            signal.signal(signal.SIGINT, lambda *_: None)
            return process.wait()
    finally:
        end_run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
