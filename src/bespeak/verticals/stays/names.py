"""Ids of properties: random, so that nobody guesses what is not published. A listing has the id of
its resource.
"""

from __future__ import annotations

import re

from bespeak import ids
from bespeak.errors import InvalidId

PROPERTY = "prp"
_DIGITS = 12
_ID = re.compile(rf"{PROPERTY}_[{ids.ALPHABET}]{{{_DIGITS}}}")
PROPERTY_PATTERN = f"^{PROPERTY}_[0-9a-hjkmnp-tv-z]{{{_DIGITS}}}$"
BOOKING_PATTERN = f"^{ids.BOOKING}_[0-7][0-9a-hjkmnp-tv-z]{{25}}$"
PICTURE_PATTERN = "^[0-9a-f]{32}$"
LISTING_PATTERN = f"^{ids.RESOURCE}_[0-9a-hjkmnp-tv-z]{{8}}$"


def new_property_id() -> str:
    """An id for a property."""
    return f"{PROPERTY}_{ids.random_digits(_DIGITS)}"


def check_property_id(text: str) -> str:
    """The id, if it is one of a property. Raises InvalidId."""
    if not _ID.fullmatch(text):
        raise InvalidId(f"not an id that begins with {PROPERTY}_: {text[:60]!r}", kind=PROPERTY)
    return text
