"""Ids, as they are seen outside (`hold_01h2...`, `res_0000002a`) and as the database has them (a
UUID version 8, a 40-bit number). They are made by the calling process, never by a look-up, and a
hold's id carries its home resource, so that every statement can name the resource it touches.

Layout of the UUID, most significant first: 48 bits of milliseconds, version 8, 12 bits of home,
variant 2 with two kind bits (0 hold or booking, 1 block), 28 bits of home, 32 bits of sequence.
The outside form is that of TypeIDs: a prefix and Crockford's base 32 (https://typeid.org).
"""

from __future__ import annotations

import secrets
import time
from functools import lru_cache
from uuid import UUID

from bespeak.errors import InvalidId

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
TO_INT = str.maketrans(ALPHABET, "0123456789abcdefghijklmnopqrstuv")
_PAIRS = [a + b for a in ALPHABET for b in ALPHABET]
_DIGITS = frozenset(ALPHABET)
_UUID_DIGITS = 26
_RESOURCE_DIGITS = 8
_HOME_LOW_MASK = (1 << 28) - 1

HOLD = "hold"
BOOKING = "bkg"
BLOCK = "blk"
PAYMENT = "pay"
REFUND = "ref"
INVOICE = "inv"
RESOURCE = "res"
ERASURE = "era"
MAILING = "mlg"
WAITLIST = "wtl"
WAITLIST_ENTRY = "wle"
MAX_RESOURCE_NUMBER = (1 << 40) - 1


def random_digits(count: int) -> str:
    """So many digits that nobody can guess."""
    return "".join(secrets.choice(ALPHABET) for _ in range(count))


class IdMaker:
    """Makes ids that no other call of this process makes, and that others make with odds of one
    in four billion per millisecond and resource. The low 32 bits start at random and count up."""

    def __init__(self) -> None:
        self._sequence = secrets.randbits(32)

    def new(self, home: int, *, is_block: bool = False) -> UUID:
        """A new hold (or block) id whose home is the resource with this number."""
        self._sequence = (self._sequence + 1) & 0xFFFFFFFF
        return UUID(
            int=(time.time_ns() // 1_000_000) << 80
            | 8 << 76
            | (home >> 28) << 64
            | (9 if is_block else 8) << 60
            | (home & _HOME_LOW_MASK) << 32
            | self._sequence
        )


def new_resource_number() -> int:
    """A random resource number of 40 bits; the insert tells if it was taken."""
    return secrets.randbelow(MAX_RESOURCE_NUMBER) + 1


def home_of(hold_id: UUID) -> int:
    """The number of the home resource that the id carries."""
    number = hold_id.int
    return (number >> 64 & 0xFFF) << 28 | (number >> 32 & _HOME_LOW_MASK)


def is_block(hold_id: UUID) -> bool:
    """Whether the holder of a claim is a block."""
    return hold_id.int >> 60 & 0xF == 9


def show(prefix: str, value: UUID) -> str:
    """The outside form: prefix, underscore, 26 digits."""
    number = value.int
    pairs = [_PAIRS[number >> shift & 1023] for shift in range(120, -1, -10)]
    return f"{prefix}_{''.join(pairs)}"


def parse(prefix: str, text: str) -> UUID:
    """The UUID in an id of this kind. Raises InvalidId."""
    head, _, digits = text.partition("_")
    if head != prefix or len(digits) != _UUID_DIGITS or digits[0] > "7":
        raise InvalidId(f"not an id that begins with {prefix}_: {text[:60]!r}", kind=prefix)
    if not _DIGITS.issuperset(digits):
        raise InvalidId(f"not an id: {text[:60]!r}", kind=prefix)
    return UUID(int=int(digits.translate(TO_INT), 32))


def show_resource(number: int) -> str:
    """The outside form of a resource number: `res_` and eight digits."""
    return "res_" + "".join(_PAIRS[number >> shift & 1023] for shift in (30, 20, 10, 0))


@lru_cache(maxsize=65_536)
def parse_resource(text: str) -> int:
    """The number in a resource id. Raises InvalidId."""
    digits = text[4:]
    if text[:4] != "res_" or len(digits) != _RESOURCE_DIGITS or not _DIGITS.issuperset(digits):
        raise InvalidId(f"not a resource id: {text[:60]!r}", kind=RESOURCE)
    return int(digits.translate(TO_INT), 32)
