"""Challenges of passkeys: random, good for some minutes and for one purpose. They are signed and
not kept, so that whoever asks for a million of them fills nothing; what was answered is noted.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from typing import TYPE_CHECKING

from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.http.server.operators", "challenges.sql")
_RANDOM_BYTES, _TIME_BYTES, _MAC_BYTES = 16, 8, 32
_LENGTH = _RANDOM_BYTES + _TIME_BYTES + _MAC_BYTES
CHALLENGE_SECONDS = 300


class Challenges:
    """Makes challenges and knows them again. A purpose names what the answer is for, and whose
    session or link asked."""

    def __init__(self, secret: bytes) -> None:
        self._key = hmac.digest(secret, b"bespeak passkey challenges", "sha256")

    def make(self, purpose: str) -> bytes:
        ends = int(time.time()) + CHALLENGE_SECONDS
        content = secrets.token_bytes(_RANDOM_BYTES) + ends.to_bytes(_TIME_BYTES)
        return content + self._mac(content, purpose)

    def is_good(self, challenge: bytes, purpose: str) -> bool:
        """Whether it was made here for this purpose and is not over."""
        if len(challenge) != _LENGTH:
            return False
        content, mac = challenge[:-_MAC_BYTES], challenge[-_MAC_BYTES:]
        ends = int.from_bytes(content[_RANDOM_BYTES:])
        return hmac.compare_digest(mac, self._mac(content, purpose)) and ends > time.time()

    def _mac(self, content: bytes, purpose: str) -> bytes:
        return hmac.digest(self._key, content + purpose.encode(), "sha256")


async def answer_once(connection: Connection, challenge: bytes) -> bool:
    """Notes that a challenge was answered; False where it had been before."""
    digest = hashlib.sha256(challenge).digest()
    return await connection.fetchval(_QUERIES["answer"], digest) is not None
