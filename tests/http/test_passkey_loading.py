"""The library of passkeys: a worker loads it with the first call that needs it, and goes on serving
meanwhile.
"""

import subprocess
import sys

_PROGRAM = """
import asyncio, sys, threading
import bespeak.http.app
from bespeak.http.server.operators.passkeys import Passkeys

class Watch:
    def find_spec(self, name, path=None, target=None):
        if name == "webauthn":
            print("loaded in", threading.current_thread() is threading.main_thread())

print("at the start", "webauthn" in sys.modules)
sys.meta_path.insert(0, Watch())
asked = asyncio.run(Passkeys(b"s" * 32, "http://localhost:8000").request(None, None, "log in"))
print(asked["rpId"])
"""


def test_a_worker_starts_without_it_and_loads_it_beside_its_loop() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=True, timeout=120
    )
    assert ended.stdout.splitlines() == ["at the start False", "loaded in False", "localhost"]
