"""The folder through which the processes of one server share their metrics: API workers and the
background worker write into it, whichever worker is asked sums it up. It ends with the server.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"  # prometheus_client reads it when it is imported


@contextmanager
def shared_metrics() -> Iterator[None]:
    """Lets the processes that are started within the block share their metrics."""
    if VARIABLE in os.environ:
        yield
        return
    folder = tempfile.mkdtemp(prefix="bespeak-metrics-")
    os.environ[VARIABLE] = folder
    try:
        yield
    finally:
        del os.environ[VARIABLE]
        shutil.rmtree(folder, ignore_errors=True)
