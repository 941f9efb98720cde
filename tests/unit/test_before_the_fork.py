"""What workers share: it is made before they are forked."""

import subprocess
import sys

_PROGRAM = """
import sys
from bespeak.http import workers
from bespeak.settings import Settings

def serve(self, **_):
    from bespeak.http.app import _api_paths
    print("paths", _api_paths.cache_info().currsize)
    print("imported", all(name in sys.modules for name in workers._USED_SOON))
    heavy = {"typst", "pymupdf_fonts", "webauthn", "aiohttp"}
    print("not imported", *sorted(heavy & set(sys.modules)))

workers._Server.serve = serve
workers.ApiServer("postgresql://nowhere", "127.0.0.1", 0, 2, Settings(), lambda: None).run()
"""


def test_paths_and_libraries_are_there_before_the_workers_are() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=True, timeout=120
    )
    assert ended.stdout.splitlines() == ["paths 1", "imported True", "not imported"]
