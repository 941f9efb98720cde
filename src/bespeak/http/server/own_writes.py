"""Reading one's own writes where a replica answers reads. After each write the caller is told how
far the database's log has gone; a read that brings this back is not answered by anything older.
Without a replica none of this is made, and nobody is told anything.
"""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from collections.abc import Mapping
from typing import Final, NamedTuple

from bespeak.http.server.asgi import AsgiScope, Headers, known_headers
from bespeak.http.server.cookies import WRITTEN, cookie, set_cookie
from bespeak.http.server.origins import is_https
from bespeak.postgres.lsn import NOTHING, Lsn, parse_lsn, show_lsn
from bespeak.postgres.replica import Replica

_HEADER: Final = b"bespeak-written"
_CALLERS_MAX = 10_000
_ANONYMOUS = b""
_LINKS = (b"bespeak-booking-link", b"bespeak-waitlist-link")
# Refusals that come after something was written: a payment that the bank declined, late money.
_WRITTEN_THOUGH = (402, 409)


class _Write(NamedTuple):
    lsn: Lsn
    until: float


class OwnWrites:
    """What each caller of this worker wrote last, for those who bring nothing back: for a minute,
    or until the replica has it."""

    def __init__(self, replica: Replica, public_url: str) -> None:
        self._replica = replica
        self._public_url = public_url
        self._last: OrderedDict[bytes, _Write] = OrderedDict()
        # The latest of those that made room: nobody reads behind it, whoever wrote it.
        self._forgotten = _Write(NOTHING, 0.0)

    def must_see(self, headers: Mapping[bytes, str]) -> Lsn:
        """What a read by this caller must see."""
        brought = headers.get(_HEADER) or (cookie(headers, WRITTEN) or "").replace("-", "/")
        caller = _caller(headers)
        remembered = self._last.get(caller)
        if remembered is not None and self._is_past(remembered):
            del self._last[caller]
        return max(
            parse_lsn(brought) if brought else NOTHING,
            remembered.lsn if remembered is not None else NOTHING,
            NOTHING if self._is_past(self._forgotten) else self._forgotten.lsn,
        )

    async def after_write(self, scope: AsgiScope, status: int) -> Headers:
        """What an answer to a write says beside its own headers."""
        if 400 <= status < 500 and status not in _WRITTEN_THOUGH:
            return ()
        headers = known_headers(scope["headers"])
        lsn = await self._replica.written()
        self._remember(_caller(headers), lsn)
        text = show_lsn(lsn)
        told = (_HEADER, text.encode())
        if headers.get(b"sec-fetch-site") != "same-origin":
            return (told,)  # no page of ours: it brings the header back
        https = is_https(self._public_url, scope.get("scheme"))
        # A slash would be quoted in a cookie.
        return (told, set_cookie(WRITTEN, text.replace("/", "-"), is_https=https))

    def _is_past(self, write: _Write) -> bool:
        return write.lsn <= self._replica.replayed or write.until < time.monotonic()

    def _remember(self, caller: bytes, lsn: Lsn) -> None:
        if caller == _ANONYMOUS:
            return
        self._last[caller] = _Write(lsn, time.monotonic() + WRITTEN.seconds)
        self._last.move_to_end(caller)
        if len(self._last) > _CALLERS_MAX:
            self._forgotten = max(self._forgotten, self._last.popitem(last=False)[1])


def _caller(headers: Mapping[bytes, str]) -> bytes:
    """Who calls, as far as the headers say: the key, with the shopper's token or the owner for whom
    a server acts. A digest, so that no secret is kept."""
    names = (b"authorization", b"bespeak-shopper", b"bespeak-owner", *_LINKS)
    said = [headers.get(name, "") for name in names]
    if not said[0]:
        return _ANONYMOUS
    return hashlib.blake2b("\n".join(said).encode("latin-1", "replace"), digest_size=16).digest()
