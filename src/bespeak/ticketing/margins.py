"""What stands around the tickets of a booking, on paper and in a calendar: who sells, how to reach
them, and what cancelling gives back.
"""

from __future__ import annotations

from typing import NamedTuple

from bespeak.merchants.letterheads import EMPTY, Letterhead


class Margin(NamedTuple):
    """The letterhead, and what cancelling gives back in words (empty: nothing to be said)."""

    letterhead: Letterhead = EMPTY
    refunds: str = ""


BARE = Margin()
"""Nothing around them."""
