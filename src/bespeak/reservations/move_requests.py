"""What is asked when a booking is moved: from which unit to which, and of a stay which nights."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bespeak.errors import InvalidRequest
from bespeak.lines import UNIT_LENGTH_MAX, End
from bespeak.reservations.parted_stays import NightSpan

MOVES_MAX = 1000
"""The most units that are moved at once."""

_ALWAYS = NightSpan("0000-01-01", "9999-12-32")

NightDate = Annotated[
    str,
    Meta(
        pattern=r"^\d{4}-\d{2}-\d{2}\Z",
        extra_json_schema={
            "pattern": r"^\d{4}-\d{2}-\d{2}$",
            "description": "the date of a night",
            "examples": ["2026-12-24"],
        },
    ),
]
_Unit = Annotated[str, Meta(min_length=1, max_length=UNIT_LENGTH_MAX)]


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """That what a booking has of one unit is of another from now on: all its lines of it, or only
    those with these ends; of stays only the nights from `nights_from` until before `nights_to`,
    where they are said."""

    from_unit: _Unit
    to_unit: _Unit
    from_: End | UnsetType = msgspec.field(default=UNSET, name="from")
    to: End | UnsetType = UNSET
    nights_from: NightDate | UnsetType = UNSET
    nights_to: NightDate | UnsetType = UNSET

    @property
    def is_of_nights(self) -> bool:
        """Whether it says which nights."""
        return self.nights_from is not UNSET or self.nights_to is not UNSET

    def within(self, nights: NightSpan) -> NightSpan:
        """The nights that it is of, where it does not say: these."""
        return NightSpan(
            nights.first if self.nights_from is UNSET else self.nights_from,
            nights.last if self.nights_to is UNSET else self.nights_to,
        )


def check_moves(moves: Sequence[Move]) -> list[Move]:
    """Holds moves that were made in Python to the limits that decoding enforces. Raises
    InvalidRequest."""
    if not 1 <= len(moves) <= MOVES_MAX:
        raise InvalidRequest(f"1 to {MOVES_MAX} units are moved at once", field="moves")
    try:
        checked = msgspec.convert(msgspec.to_builtins(moves), list[Move])
    except (msgspec.ValidationError, TypeError) as error:
        raise InvalidRequest(f"a move makes no sense: {error}"[:300], field="moves") from error
    for place, move in enumerate(checked):
        if "\x00" in move.from_unit + move.to_unit:  # PostgreSQL takes no text with a zero byte
            raise InvalidRequest("a unit's name has no control characters", field="moves")
        _check_nights(move, f"moves[{place}]")
        if move.from_unit == move.to_unit:
            raise InvalidRequest("it is there already", field=f"moves[{place}].to_unit")
    return checked


def _check_nights(move: Move, field: str) -> None:
    """Raises InvalidRequest for what is no date, as the 30th of February, and for no nights."""
    for name in ("nights_from", "nights_to"):
        text = getattr(move, name)
        try:
            if text is not UNSET:
                date.fromisoformat(text)
        except ValueError as error:
            raise InvalidRequest(
                f"{text!r} is not a date as 2026-12-24", field=f"{field}.{name}"
            ) from error
    nights = move.within(_ALWAYS)
    if nights.first >= nights.last:
        raise InvalidRequest("it is not after `nights_from`", field=f"{field}.nights_to")
