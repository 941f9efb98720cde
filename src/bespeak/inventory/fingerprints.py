"""Fingerprints, by which a repeated request is told from another one with the same idempotency key,
field by field. `bespeak.field_print` makes the same in SQL, so a key works through every door.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

_PRINT_BYTES = 8


def fingerprint(contents: Iterable[str]) -> bytes:
    """Eight bytes for the text of each field, in a fixed order; see `bespeak.field_print`."""
    return b"".join([field_print(content) for content in contents])


def field_print(content: str) -> bytes:
    return hashlib.sha256(content.encode()).digest()[:_PRINT_BYTES]


def differing_fields(names: Sequence[str], asked: bytes, stored: bytes | None) -> list[str]:
    """The names of the fields in which two fingerprints differ; the last fields may be missing in
    either."""
    if stored is None:
        return list(names)
    return [
        name
        for index, name in enumerate(names)
        if asked[index * _PRINT_BYTES : (index + 1) * _PRINT_BYTES]
        != stored[index * _PRINT_BYTES : (index + 1) * _PRINT_BYTES]
    ]
