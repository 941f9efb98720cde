"""For which site browsers make and use passkeys, by the public address of the server."""

from __future__ import annotations

from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

_LOOPBACK_NAME = "localhost"
_DEFAULT_PORTS = {"http": 80, "https": 443}


class RelyingParty(NamedTuple):
    """For which site browsers make and use passkeys: its origin, and the name in it."""

    origin: str
    name: str


def relying_party(public_url: str) -> RelyingParty | None:
    """The site of passkeys for a public address. Browsers know none for IP addresses, but for
    `localhost`: whoever runs a server on their own machine opens it by that name."""
    parts = urlsplit(public_url)
    host = (parts.hostname or "").lower()
    # As browsers write an origin: without the port that goes without saying.
    port = "" if parts.port in (None, _DEFAULT_PORTS.get(parts.scheme)) else f":{parts.port}"
    try:
        is_loopback = ip_address(host).is_loopback
    except ValueError:
        is_secure = parts.scheme == "https" or host == _LOOPBACK_NAME
        return RelyingParty(f"{parts.scheme}://{host}{port}", host) if is_secure else None
    if not is_loopback or parts.scheme != "http":
        return None
    return RelyingParty(f"http://{_LOOPBACK_NAME}{port}", _LOOPBACK_NAME)
