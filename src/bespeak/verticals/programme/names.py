"""Ids of the programme: random, so that nobody guesses what is not published."""

from __future__ import annotations

import re

from bespeak import ids
from bespeak.errors import InvalidId

VENUE = "ven"
HALL = "hal"
PRODUCTION = "prd"

_DIGITS = 12
_ID = re.compile(rf"(?:{VENUE}|{HALL}|{PRODUCTION})_[{ids.ALPHABET}]{{{_DIGITS}}}")


def id_pattern(prefix: str) -> str:
    return f"^{prefix}_[0-9a-hjkmnp-tv-z]{{{_DIGITS}}}$"


def new_id(prefix: str) -> str:
    return f"{prefix}_{ids.random_digits(_DIGITS)}"


def check_id(prefix: str, text: str) -> str:
    """The id, if it is one of this kind. Raises InvalidId."""
    if not (text.startswith(f"{prefix}_") and _ID.fullmatch(text)):
        raise InvalidId(f"not an id that begins with {prefix}_: {text[:60]!r}", kind=prefix)
    return text
