"""Cursors of lists: the key of the last entry of a page, as text that only its list reads."""

from __future__ import annotations

import base64
from datetime import datetime
from typing import TypeVar

import msgspec

from bespeak.errors import InvalidCursor

_Key = TypeVar("_Key")


def show_cursor(*key: object) -> str:
    """The key as text."""
    return base64.urlsafe_b64encode(msgspec.json.encode(key)).decode().rstrip("=")


def read_cursor(text: str | None, form: type[_Key]) -> _Key | None:
    """The key in a cursor. Raises InvalidCursor for one that no list gave out."""
    if text is None:
        return None
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        key = msgspec.json.decode(raw, type=form)
    except (ValueError, msgspec.MsgspecError) as error:
        raise InvalidCursor(after=text[:60]) from error
    if not isinstance(key, tuple) or not all(_is_storable(part) for part in key):
        raise InvalidCursor(after=text[:60])
    return key


def _is_storable(part: object) -> bool:
    """Whether PostgreSQL can hold it, so that a made-up cursor is refused and no fault."""
    if isinstance(part, str):
        return "\x00" not in part
    if isinstance(part, datetime):
        return part.tzinfo is not None and 1900 <= part.year <= 9990
    return not isinstance(part, int) or abs(part) < 1 << 62
