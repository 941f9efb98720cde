"""Invitation codes: short texts that people type, each for one queue of a waiting room. A code says
of which batch it is and which of its codes, signed by the installation: made-up codes are refused
without the database, and a batch is written out anew from its number alone.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import NamedTuple

from bespeak.admission.errors import InviteCodeMistyped, InviteCodeUnknown
from bespeak.check_letters import LETTERS, VALUES, check_value

BATCHES_MAX = 200
"""How many batches a room can have."""
CODES_MAX = 100_000
"""How many codes a batch can have."""
TYPED_MAX = 60
"""How many characters are looked at, hyphens and spaces among them."""
_BATCH_BITS = 8
_SERIAL_BITS = 17
_DIGEST_BITS = 60
_BITS = _BATCH_BITS + _SERIAL_BITS + _DIGEST_BITS
_LENGTH = _BITS // 5 + 1
_GROUP = 6
_GAPS = re.compile(r"[\s\-\u2010-\u2015]+")


class InviteCode(NamedTuple):
    """Which code of which batch of a room: both count from 1."""

    batch: int
    serial: int


class InviteCodes:
    """Makes and reads the invitation codes of an installation."""

    def __init__(self, secret: bytes) -> None:
        self._key = hmac.digest(secret, b"bespeak invitation codes", "sha256")

    def make(self, room_id: str, code: InviteCode) -> str:
        """The code as it is shown: three groups of six letters."""
        number = (code.batch << _SERIAL_BITS | code.serial) << _DIGEST_BITS
        number |= self._digest(room_id, code)
        values = [number >> shift & 31 for shift in range(_BITS - 5, -1, -5)]
        text = "".join(LETTERS[value] for value in (*values, check_value(values)))
        return "-".join(text[start : start + _GROUP] for start in range(0, _LENGTH, _GROUP))

    def read(self, room_id: str, typed: str) -> InviteCode:
        """The code of this room that somebody typed, in capitals or not, with hyphens, spaces or
        neither. Raises InviteCodeMistyped, InviteCodeUnknown."""
        *values, check = _values_of(typed)
        if check_value(values) != check:
            raise InviteCodeMistyped(field="code")
        number = 0
        for value in values:
            number = number << 5 | value
        batch, serial = divmod(number >> _DIGEST_BITS, 1 << _SERIAL_BITS)
        code = InviteCode(batch, serial)
        digest = number & ((1 << _DIGEST_BITS) - 1)
        if not hmac.compare_digest(_octets(digest), _octets(self._digest(room_id, code))):
            raise InviteCodeUnknown(field="code")
        return code

    def _digest(self, room_id: str, code: InviteCode) -> int:
        text = f"{room_id}\n{code.batch}\n{code.serial}".encode()
        digest = hashlib.blake2b(text, digest_size=8, key=self._key, person=b"invitation").digest()
        return int.from_bytes(digest) >> (64 - _DIGEST_BITS)


def _values_of(typed: str) -> list[int]:
    """What each letter of a code counts. Raises InviteCodeMistyped for a text that has other
    letters, or not as many."""
    letters = _GAPS.sub("", typed[: TYPED_MAX + 1]).upper()
    if len(typed) > TYPED_MAX or len(letters) != _LENGTH or not VALUES.keys() >= set(letters):
        raise InviteCodeMistyped(field="code")
    return [VALUES[letter] for letter in letters]


def _octets(digest: int) -> bytes:
    return digest.to_bytes(8)
