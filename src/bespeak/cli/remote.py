"""Which server a command asks that works from afar: the note of one that runs on this machine
stands in for its address and its key.
"""

from __future__ import annotations

from typing import Literal

from bespeak.cli import servers
from bespeak.errors import InvalidRequest

_URL = "http://127.0.0.1:8000"


def address(url: str | None, key: str | None, kind: Literal["sk", "ak"]) -> tuple[str, str]:
    """Where the server is, and with which key to ask it. Raises InvalidRequest."""
    known = servers.find(url)
    at = url or (known.url if known else _URL)
    secret = key or (known.keys.get(kind) if known else None)
    if secret is None:
        raise InvalidRequest(
            f"no key for {at}: give one of kind {kind}_ with --key or BESPEAK_KEY "
            "(the demo and `serve --json` leave theirs where this command finds them)"
        )
    return at, secret
