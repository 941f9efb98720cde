"""The library with nothing but what it needs: it holds, books and follows; what needs an extra says
which.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_library_alone_sells_what_is_named(empty_database_url: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "tests.harness.library_alone", empty_database_url],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
