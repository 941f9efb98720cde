"""A request for a hold: as its caller makes it, and as `bespeak.place_holds` takes it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple
from uuid import UUID

import msgspec

from bespeak import ids
from bespeak.errors import BespeakError, InvalidRequest
from bespeak.inventory.fingerprints import differing_fields, field_print
from bespeak.inventory.lines import lines_text
from bespeak.lines import Line
from bespeak.postgres.composites import composite

OWNER_LENGTH_MAX = 200
KEY_LENGTH_MAX = 200
OWNER_PREFIX = "owner:"
"""How the pools begin that owners' limits are drawn from."""
# No owner's name has such a character, so this is no limit of anybody's.
MARK = f"{OWNER_PREFIX}\x1fexchange:"
"""How the pools of one begin, by which a booking is in one change at once."""
_FIELDS = ("lines", "hold_seconds")


class HoldBounds(NamedTuple):
    """What an owner gets at most, whatever the resources allow: seconds with all extensions, and
    units of each resource, holds and bookings together."""

    seconds: int | None = None
    units: int | None = None

    def within(self, others: HoldBounds) -> HoldBounds:
        """These bounds and others: the least of each."""
        return HoldBounds(least(self.seconds, others.seconds), least(self.units, others.units))


UNBOUNDED = HoldBounds()


class HoldRequest(msgspec.Struct, frozen=True):
    """A request as its caller made it. `partial` takes as much as there is; `alternatives` is
    how many offers a refusal carries at most."""

    owner: str
    lines: Sequence[Line]
    hold_seconds: int | None
    idempotency_key: str | None
    partial: bool = False
    alternatives: int = 0
    # No part of what a repeat must agree in.
    bounds: HoldBounds = UNBOUNDED
    # Guests find what is published. A repeat is answered all the same.
    published_only: bool = False
    # The booking that is given back for it.
    instead_of: str | None = None

    def check(self, lines_max: int) -> list[int]:
        """The resource number of each line. Raises InvalidRequest, InvalidId."""
        check_text(self.owner, "owner", OWNER_LENGTH_MAX)
        if self.idempotency_key is not None:
            check_text(self.idempotency_key, "idempotency_key", KEY_LENGTH_MAX)
        return numbers_of(self.lines, lines_max)

    def fingerprint(self) -> bytes:
        """What tells this request from another with the same key, field by field."""
        text = lines_text(self.lines)
        if self.partial:
            text += "\npartial"
        if self.instead_of is not None:
            text += f"\ninstead of {self.instead_of}"
        return field_print(text) + _seconds_print(self.hold_seconds)

    def differing(self, stored: bytes) -> list[str]:
        """The fields in which it differs from the request with this fingerprint."""
        return differing_fields(_FIELDS, self.fingerprint(), stored)


@composite("seat_guard")
class SeatGuardRow(NamedTuple):
    """A seat that the hold must not leave single; see `Guard`."""

    resource_id: int
    seat_row: str
    unit: str
    beyond: str | None


@composite("hold_request")
class HoldRequestRow(NamedTuple):
    """A hold request as the database takes it. The claims stand side by side: of each its
    resource, its unit (None: the database gives the next number), how many (None: an exclusive
    unit) and the pool's capacity. The last `limit_lines` of them are draws from the owner's
    limits. `shown` are the lines where they are not simply the claims, with how many each is of;
    `amounts` what each costs; `presale` the resources that it may hold before they open; `actor`
    who asks."""

    hold_id: UUID
    owner: str
    hold_seconds: int
    cap_seconds: int
    idempotency_key: str | None
    fingerprint: bytes | None
    resources: list[int]
    units: list[str | None]
    quantities: list[int | None]
    capacities: list[int | None]
    limit_lines: int
    amount: int
    currency: str
    shown_quantities: list[int] | None
    shown: str | None
    guards: list[SeatGuardRow] | None
    amounts: list[int] | None
    quote: str | None
    presale: list[int] | None
    actor: str | None


def least(one: int | None, other: int | None) -> int | None:
    """The lesser of two bounds, of which None is none."""
    return other if one is None or (other is not None and other < one) else one


def check_text(value: str, field: str, length_max: int) -> None:
    """Holds an owner, key or reason to its length, without control characters. Raises
    InvalidRequest."""
    if not 1 <= len(value) <= length_max or not value.isprintable():
        raise InvalidRequest(
            f"{field} has 1 to {length_max} characters and no control characters", field=field
        )


def numbers_of(lines: Sequence[Line], lines_max: int) -> list[int]:
    """The resource number of each line. Raises InvalidRequest, InvalidId."""
    if not 1 <= len(lines) <= lines_max:
        raise InvalidRequest(
            f"a hold has 1 to {lines_max} lines, not {len(lines)}", field="lines", limit=lines_max
        )
    return [ids.parse_resource(line.resource_id) for line in lines]


def name_line(error: BespeakError, index: int) -> None:
    """Says which line of the request an error is about, by its index from 0."""
    field = error.data.get("field")
    if isinstance(field, str) and field.startswith("lines"):
        error.data["field"] = f"lines[{index}]{field[len('lines') :]}"
    error.data["line"] = index


@lru_cache(maxsize=1024)
def _seconds_print(seconds: int | None) -> bytes:
    return field_print("" if seconds is None else str(seconds))
