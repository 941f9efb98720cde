"""Two hues for a film that was given none: far enough apart to make a picture, always the same."""

from __future__ import annotations

import hashlib

_STEPS = (30, 150, 180, 210, 330)


def hues_of(ref: str) -> tuple[int, int]:
    """Two hues in degrees of the colour circle, made of the film's reference."""
    seed = hashlib.blake2b(ref.encode(), digest_size=4, person=b"hues").digest()
    first = int.from_bytes(seed[:2], "big") % 360
    return first, (first + _STEPS[seed[2] % len(_STEPS)]) % 360
