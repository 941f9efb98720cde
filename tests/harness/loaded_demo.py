"""The data of a demo, loaded once for a whole run and copied for each that wants one. The first
start of `bespeak demo` in a folder takes twice as long as the next, and was the slowest thing in
the tests.
"""

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

from tests.harness.database import RUN_DIR, locked

FEW_LISTINGS = {"BESPEAK_DEMO_LISTINGS": "200"}
"""For the environment of every demo: enough stays to find some, and loaded at once."""
_LOAD_SECONDS_MAX = 180
_STOP_SECONDS_MAX = 20


def copy_loaded_demo(data: Path) -> Path:
    """Makes this folder, which is not there yet, the data folder of a demo that was loaded and
    stopped."""
    own = Path(os.environ[RUN_DIR]) / "demo"
    own.mkdir(exist_ok=True)
    with locked(own / "lock"):
        if not (own / "data").exists():
            _load(own / "loading")
            (own / "loading").rename(own / "data")
    assert not data.exists(), data
    data.parent.mkdir(parents=True, exist_ok=True)
    # With its owner and rights, which PostgreSQL insists on.
    subprocess.run(["cp", "-a", str(own / "data"), str(data)], check=True)
    return data


def _load(data: Path) -> None:
    environment = {name: text for name, text in os.environ.items() if "BESPEAK_" not in name}
    command = [sys.executable, "-m", "bespeak", "demo", "--port", "0", "--workers", "1", "--json"]
    with subprocess.Popen(
        [*command, "--data", str(data)],
        env={**environment, **FEW_LISTINGS, "XDG_STATE_HOME": str(data.parent / "state")},
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
    ) as process:
        watchdog = threading.Timer(_LOAD_SECONDS_MAX, process.kill)
        watchdog.start()
        try:
            assert process.stdout is not None
            assert json.loads(process.stdout.readline())["resources"]
            process.send_signal(signal.SIGTERM)
            assert process.wait(_STOP_SECONDS_MAX) == 0
        finally:
            watchdog.cancel()
            if process.poll() is None:
                process.kill()
