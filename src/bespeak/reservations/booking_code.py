"""The short code of a booking, eight letters to be read out over a telephone or a counter. It is
reckoned from the moment of the booking and the end of its id, and so it is found by the index of
those moments: nothing is kept for it, and nothing about a booking becomes slower.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from bespeak.check_letters import LETTERS, VALUES, check_value

if TYPE_CHECKING:
    from uuid import UUID

_LETTERS = 8
_TEXT = re.compile(r"[0-9A-TV-Z]{4}[ -]?[0-9A-TV-Z]{4}", re.IGNORECASE | re.ASCII)

_BITS = 5 * (_LETTERS - 1)
_SIZE = 1 << _BITS
# The last ten bits of the id, which a process counts up: a thousand bookings in the same second and
# process have different codes.
_TAIL_BITS = 10
_CYCLE_SECONDS = 1 << (_BITS - _TAIL_BITS)
# A code comes again after 388 days: what is looked for is from one of the last few times.
_CYCLES = 4
# Neighbours get codes that are not alike. It hides nothing, it avoids mistakes.
_SPREAD = 0x5_A3C9_F16B
_GATHER = pow(_SPREAD, -1, _SIZE)


class BookingCode(NamedTuple):
    """What a code says: the second of the booking within a cycle, and the end of its id."""

    second: int
    tail: int

    @staticmethod
    def of(booking: UUID, confirmed_at: datetime) -> BookingCode:
        """The code of a booking."""
        second = int(confirmed_at.timestamp()) % _CYCLE_SECONDS
        return BookingCode(second, booking.int & ((1 << _TAIL_BITS) - 1))

    def __str__(self) -> str:
        """As it is shown: `7K3M-Q2XD`."""
        number = (self.second << _TAIL_BITS | self.tail) * _SPREAD % _SIZE
        digits = [number >> shift & 31 for shift in range(_BITS - 5, -1, -5)]
        digits.append(check_value(digits))
        text = "".join(LETTERS[digit] for digit in digits)
        return f"{text[:4]}-{text[4:]}"

    @staticmethod
    def read(text: str) -> BookingCode | None:
        """The code that was typed; None for what is none, or has a slip in it."""
        if not _TEXT.fullmatch(text):
            return None
        digits = [VALUES[letter] for letter in text.upper() if letter not in " -"]
        if check_value(digits[:-1]) != digits[-1]:
            return None
        number = 0
        for digit in digits[:-1]:
            number = number << 5 | digit
        number = number * _GATHER % _SIZE
        return BookingCode(number >> _TAIL_BITS, number & ((1 << _TAIL_BITS) - 1))

    def moments(self, now: datetime) -> Iterator[datetime]:
        """The seconds in which a booking with this code may have been made, the latest first. The
        clocks of servers differ: a minute from now is not too late."""
        latest = int(now.timestamp()) + 60
        last = latest - (latest - self.second) % _CYCLE_SECONDS
        for cycle in range(_CYCLES):
            seconds = last - cycle * _CYCLE_SECONDS
            yield datetime.fromtimestamp(0, UTC) + timedelta(seconds=seconds)
