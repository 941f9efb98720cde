"""QR codes of ticket codes, as SVG. Level M mends 15% of the picture, which paper that was folded
needs, and keeps the modules large enough for an old telephone.
"""

from __future__ import annotations

import io
from functools import lru_cache

import segno

_QUIET_ZONE = 4  # modules, as the standard demands around the code
# Making one takes ten milliseconds, and a ticket is looked at more than once.
_REMEMBERED_MAX = 1000


@lru_cache(maxsize=_REMEMBERED_MAX)
def svg_of(code: str, title: str = "") -> bytes:
    """The QR code of a text as an SVG document, black on white, one unit a module."""
    made = segno.make(code, error="m", boost_error=False, micro=False)
    written = io.BytesIO()
    made.save(
        written,
        kind="svg",
        xmldecl=False,
        border=_QUIET_ZONE,
        dark="#000",
        light="#fff",
        svgclass=None,
        lineclass=None,
        omitsize=True,
        title=title or None,
    )
    return written.getvalue()
