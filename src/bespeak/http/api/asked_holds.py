"""What a hold is asked for by: its lines, or the short form of a stay."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bespeak.errors import InvalidRequest
from bespeak.lines import ChildAges, GuestCount, Line, RateName, ResourceId

Owner = Annotated[str, Meta(min_length=1, max_length=200)]
Date = Annotated[str, Meta(max_length=10, extra_json_schema={"format": "date"})]
Lines = Annotated[list[Line], Meta(min_length=1, max_length=1000)]


class AskedHold(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a hold is asked for by, alone or among others."""

    lines: Lines | UnsetType = UNSET
    owner: Owner | None = None
    hold_seconds: Annotated[int, Meta(ge=1, le=604_800)] | None = None
    partial: Literal["best"] | None = None
    room_id: ResourceId | UnsetType = UNSET
    start_date: Date | UnsetType = UNSET
    end_date: Date | UnsetType = UNSET
    guests: GuestCount | UnsetType = UNSET
    ages: ChildAges | UnsetType = UNSET
    rate: RateName | UnsetType = UNSET
    idempotency_key: Owner | UnsetType = UNSET


def resources_of(asked: AskedHold) -> set[str]:
    """The resources that a hold is asked of."""
    named = set() if asked.lines is UNSET else {line.resource_id for line in asked.lines}
    return named if asked.room_id is UNSET else {*named, asked.room_id}


def lines_of(body: AskedHold) -> list[Line]:
    """The lines of the request, in whichever form it has. Raises InvalidRequest."""
    stay = (body.room_id, body.start_date, body.end_date, body.guests, body.ages, body.rate)
    if body.lines is not UNSET:
        if any(part is not UNSET for part in stay):
            raise InvalidRequest("either `lines`, or the short form of a stay", field="lines")
        return body.lines
    if body.room_id is UNSET or body.start_date is UNSET or body.end_date is UNSET:
        raise InvalidRequest(
            "`lines` is missing (or `room_id`, `start_date` and `end_date` of a stay)",
            field="lines",
        )
    return [
        Line(
            body.room_id,
            from_=body.start_date,
            to=body.end_date,
            guests=body.guests,
            ages=body.ages,
            rate=body.rate,
        )
    ]


def key_of(header: str | None, field: str | UnsetType) -> str | None:
    """The key, from the header or the body. Raises InvalidRequest if they differ."""
    if field is UNSET:
        return header
    if header not in (None, field):
        raise InvalidRequest("the header names another key", field="idempotency_key")
    return field
