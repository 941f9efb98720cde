"""Gives memory back to the system. What a batch of mails took is free after it, but stays with the
process: in cycles until the collector looks at all, and in the C library, which keeps what lies
below something that is still in use.
"""

from __future__ import annotations

import ctypes
import gc
import sys

_PAUSE_SECONDS = 60.0
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None
# Only glibc has it; others give back by themselves.
_trim = getattr(_libc, "malloc_trim", None)


class Tidying:
    """Tidies up once a minute, which takes some hundredths of a second."""

    name = "tidying"

    async def look(self) -> float:
        """Answers the seconds until the next look."""
        gc.collect()
        if _trim is not None:
            _trim(0)
        return _PAUSE_SECONDS
