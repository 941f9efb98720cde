"""Place keys: where somebody stands in a queue, as one number. Those who wait for the opening
have a draw below `FIRST_LATE`, which the seed and their own subject decide; all others have the
time at which they joined. Whoever has the smaller key is before the others, and whoever is
before the front has had their turn. Nobody needs a row for that.
"""

from __future__ import annotations

import hashlib

DRAW_BITS = 62
FIRST_LATE = 1 << DRAW_BITS
"""The first key of those who came after the opening."""
_DIGITS = 16


def draw_of(seed: bytes, public_value: str, room_id: str, subject: bytes) -> int:
    """The place key that a shuffle gives to whoever joined early: SHA-256 over the seed, the
    public value, the room and the subject, its first 62 bits. The subject is the same each time
    a person joins, so that joining often is of no use; the seed is fixed by its hash before
    anybody joins; and nobody could choose the public value."""
    text = b"\n".join((seed, public_value.encode(), room_id.encode(), subject))
    return int.from_bytes(hashlib.sha256(text).digest()[:8]) >> 64 - DRAW_BITS


def late_key(joined_us: int) -> int:
    """The place key of whoever joined at a time, in microseconds since 1970."""
    return FIRST_LATE + joined_us


def time_of(key: int) -> int:
    """The time of a late key, in microseconds since 1970."""
    return key - FIRST_LATE


def show_key(key: int) -> str:
    """A key as text: hexadecimal digits, so many that texts compare as keys do."""
    return f"{key:0{_DIGITS}x}"


def seed_hash(seed: bytes) -> str:
    """What is told of a seed before it is: SHA-256, in hexadecimal digits."""
    return hashlib.sha256(seed).hexdigest()
