"""Whether a request comes from a page of this very server. Browsers say so themselves, in headers
that no page can forge: `Sec-Fetch-Site`, and before that was there, `Origin`.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from bespeak.http.server.errors import OriginNotAllowed

# `none` is the person: an address that was typed, a bookmark.
_OWN = ("same-origin", "none")


def check_same_origin(headers: Mapping[bytes, str], public_url: str) -> None:
    """Raises OriginNotAllowed for what another site's page sends. A program without a browser
    sends neither header; it has no cookies of anybody that it could misuse."""
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        if site not in _OWN:
            raise OriginNotAllowed
        return
    origin = headers.get(b"origin")
    if origin is None:
        return
    hosts = (headers.get(b"host", "").lower(), _host_of(public_url))
    theirs = _host_of(origin)
    if not theirs or theirs not in hosts:
        raise OriginNotAllowed


def _host_of(url: str) -> str:
    try:
        return urlsplit(url).netloc.lower()
    except ValueError:  # as of brackets that do not close
        return ""


def is_https(public_url: str, scope_scheme: object) -> bool:
    """Whether browsers reach this server over https, be it through a proxy that ends it."""
    return scope_scheme == "https" or public_url.startswith("https://")
