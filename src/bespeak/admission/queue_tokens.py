"""Queue tokens: what somebody who waits has in hand, signed by the installation. All that is
known of a person who waits stands in it, so that 14 million of them take no memory here.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import struct
from datetime import UTC, datetime
from typing import NamedTuple

from bespeak.admission.errors import QueueTokenInvalid

SUBJECT_BYTES = 16
_US = 1_000_000
_LAYOUT = struct.Struct(">BBQ16s")
_VERSION = 1
_SIGNATURE_BYTES = 16
TOKEN_LENGTH = (_LAYOUT.size + _SIGNATURE_BYTES) // 3 * 4
"""How many characters a token has."""


class QueueToken(NamedTuple):
    """Which queue was joined when, in microseconds since 1970 by the database's clock, and for
    whom."""

    queue: int
    joined_us: int
    subject: bytes

    @property
    def joined_at(self) -> datetime:
        """When the queue was joined."""
        return datetime.fromtimestamp(self.joined_us / _US, UTC)


def unverified(text: str) -> QueueToken:
    """What a token says, whoever signed it. Raises QueueTokenInvalid."""
    return _token_of(_decoded(text)[: _LAYOUT.size])


class QueueTokens:
    """Makes and reads the queue tokens of an installation."""

    def __init__(self, secret: bytes) -> None:
        self._key = hmac.digest(secret, b"bespeak queue tokens", "sha256")

    def subject_of(self, room_id: str, owner: str) -> bytes:
        """For whom a token is: the same each time this owner joins this room, and nobody sees
        who."""
        text = f"{room_id}\n{owner}".encode()
        return hashlib.blake2b(
            text, digest_size=SUBJECT_BYTES, key=self._key, person=b"subject"
        ).digest()

    def address_of(self, room_id: str, email: str) -> bytes:
        """A digest of an address of e-mail in this room, however its letters are written."""
        text = f"{room_id}\n{email.lower()}".encode()
        return hashlib.blake2b(
            text, digest_size=SUBJECT_BYTES, key=self._key, person=b"address"
        ).digest()

    def make(self, room_id: str, token: QueueToken) -> str:
        """The token as text."""
        content = _LAYOUT.pack(_VERSION, *token)
        return base64.urlsafe_b64encode(content + self._signature(room_id, content)).decode()

    def read(self, room_id: str, text: str) -> QueueToken:
        """What a token of this room says. Raises QueueTokenInvalid."""
        found = _decoded(text)
        content, signature = found[: _LAYOUT.size], found[_LAYOUT.size :]
        if not hmac.compare_digest(signature, self._signature(room_id, content)):
            raise QueueTokenInvalid(field="queue_token")
        return _token_of(content)

    def _signature(self, room_id: str, content: bytes) -> bytes:
        text = room_id.encode() + content
        return hashlib.blake2b(text, digest_size=_SIGNATURE_BYTES, key=self._key).digest()


def _decoded(text: str) -> bytes:
    if len(text) != TOKEN_LENGTH:
        raise QueueTokenInvalid(field="queue_token")
    try:
        return base64.b64decode(text, altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise QueueTokenInvalid(field="queue_token") from error


def _token_of(content: bytes) -> QueueToken:
    version, queue, joined_us, subject = _LAYOUT.unpack(content)
    if version != _VERSION:
        raise QueueTokenInvalid(field="queue_token")
    return QueueToken(queue, joined_us, subject)
