"""The check letter of codes that people type: one more letter, of the same 32, by which a slip is
found. Codes of bookings and of invitations have it.
"""

from __future__ import annotations

from collections.abc import Sequence

from bespeak.ids import ALPHABET

LETTERS = ALPHABET.upper()
"""Crockford's base 32, as it is shown: without I, L, O and U."""
VALUES = {letter: value for value, letter in enumerate(LETTERS)} | {"O": 0, "I": 1, "L": 1}
"""What each letter counts; those that look alike are read as they were meant."""


def check_value(values: Sequence[int]) -> int:
    """A value that finds every wrong letter and every two that changed places, in up to 30
    letters: they are a polynomial over GF(32), and this is its value at the field's generator."""
    value = 0
    for one in values:
        value = _times_generator(value) ^ one
    return _times_generator(value)


def _times_generator(value: int) -> int:
    value <<= 1
    return value ^ 0b100101 if value & 32 else value  # modulo x^5 + x^2 + 1
