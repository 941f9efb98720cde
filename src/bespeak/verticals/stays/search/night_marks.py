"""What of a listing's nights is taken, as bytes, where a bit a night does not say it: of several
exact rooms which, of a counted type how many, and all that is further ahead than columns reach.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from bespeak.verticals.stays.search.listing import FIRST_NIGHT, IndexedListing


class NightMarks(NamedTuple):
    """`taken`, `drawn` and `full` of an `IndexedListing`."""

    taken: dict[str, int]
    drawn: dict[int, int]
    full: int


NOT_TAKEN = NightMarks({}, {}, 0)


class _Kept(msgspec.Struct, frozen=True, array_like=True):
    """Marks from an ordinal on; bits as bytes, the lowest last."""

    first: int
    taken: dict[str, bytes]
    drawn: dict[int, int]
    full: bytes


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(_Kept)


def encoded(one: IndexedListing, first: int) -> bytes:
    """The marks of a listing from this ordinal on; nothing where nothing is taken."""
    over = first - FIRST_NIGHT
    taken = {room: _bytes_of(bits >> over) for room, bits in one.taken.items() if bits >> over}
    drawn = {day: count for day, count in one.drawn.items() if day >= first}
    full = _bytes_of(one.full >> over)
    return _ENCODER.encode(_Kept(first, taken, drawn, full)) if taken or drawn or full else b""


def decoded(marks: bytes | memoryview) -> NightMarks:
    """What was encoded."""
    if not marks:
        return NightMarks({}, {}, 0)
    kept = _DECODER.decode(marks)
    over = kept.first - FIRST_NIGHT
    taken = {room: int.from_bytes(bits) << over for room, bits in kept.taken.items()}
    return NightMarks(taken, kept.drawn, int.from_bytes(kept.full) << over)


def _bytes_of(bits: int) -> bytes:
    return bits.to_bytes((bits.bit_length() + 7) // 8)
