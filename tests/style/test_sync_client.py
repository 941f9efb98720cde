"""The client without asyncio is what `scripts/sync-client` makes of the other."""

import subprocess
import sys

from tests.style.tree import ROOT


def test_it_is_current() -> None:
    checked = subprocess.run(
        [sys.executable, ROOT / "scripts" / "sync-client", "--check"], check=False
    )
    assert checked.returncode == 0, "run scripts/sync-client"
