"""The data of a demo, loaded once for a whole run and copied for each that wants one. The first
start of `bespeak demo` in a folder takes twice as long as the next, and was the slowest thing in
the tests. It is stopped when its mails are sent: each copy would send them anew beside its tests.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psycopg

from tests.harness.database import RUN_DIR, locked

FEW_LISTINGS = {"BESPEAK_DEMO_LISTINGS": "200"}
"""For the environment of every demo: enough stays to find some, and loaded at once."""
EARTHLESS = {"BESPEAK_GAZETTEER": "false"}
"""And of every server: of the earth's towns any may be near what a test lets, and to make their
file takes a processor."""
_LOAD_SECONDS_MAX = 600
_STOP_SECONDS_MAX = 20
_PAUSE_SECONDS = 0.2
# A mail of two hundred has its tickets with it, drawn: a tenth of a second of a processor each.
_ALL_SENT = """
    select (select count(*) from bespeak.event) = (
            select count(*) from bespeak.event e join bespeak.follower f
                on f.name = 'notifications' and e.position <= f.position)
        and exists (select from bespeak.mail where state = 'sent')
        and not exists (select from bespeak.mail where state = 'pending')
"""


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
            ready = json.loads(process.stdout.readline())
            assert ready["resources"]
            _wait_for_mails(ready["database_url"])
            process.send_signal(signal.SIGTERM)
            assert process.wait(_STOP_SECONDS_MAX) == 0
        finally:
            watchdog.cancel()
            if process.poll() is None:
                process.kill()


def _wait_for_mails(url: str) -> None:
    """Returns when all that was sold has been told of. A demo that is ended for taking too long
    takes its database along, which raises here."""
    with psycopg.connect(url, autocommit=True) as connection:
        while connection.execute(_ALL_SENT).fetchone() != (True,):
            time.sleep(_PAUSE_SECONDS)
