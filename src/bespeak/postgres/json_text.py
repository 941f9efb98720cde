"""JSON as the database answers it. A connection of ours gives its text; one of the caller's may
have a codec for `json` and `jsonb`, as SQLAlchemy sets one, and gives what it made of it.
"""

from __future__ import annotations

import msgspec

_ENCODER = msgspec.json.Encoder(decimal_format="number")


def json_text(value: object) -> bytes | str:
    """The JSON of a column, whatever the connection's codec has made of it, to be decoded as the
    type that is wanted. No column of ours is a JSON string by itself, so text is JSON."""
    if isinstance(value, str | bytes):
        return value
    return _ENCODER.encode(value)
