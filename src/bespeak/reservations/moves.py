"""Moving what a booking has to other units of the same resource: another room, another seat. The
plan says what the claims of the other unit are; the database decides whether they can be had.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec import UNSET

from bespeak import ids
from bespeak.actors import acting
from bespeak.errors import (
    BookingCancelled,
    BookingNotFound,
    IdempotencyKeyReused,
    InvalidRequest,
    NotInBooking,
    PlanChanged,
    UnitTaken,
    UnknownUnit,
)
from bespeak.inventory.conflicts import raw_conflicts, told
from bespeak.inventory.errors import ResourceCalledOff, UnitNotMovable
from bespeak.inventory.fingerprints import differing_fields, fingerprint
from bespeak.inventory.resources import ReadyResource
from bespeak.lines import Line
from bespeak.postgres.json_text import json_text
from bespeak.postgres.queries import load
from bespeak.reservations.changes import BOOKING_CHANGED, BookingChanged
from bespeak.reservations.errors import TicketUsed
from bespeak.reservations.holds import Booking, booking_of, held_lines, shown_of
from bespeak.reservations.lines import LaterUnit, Shown, ShownLine, encode_shown
from bespeak.reservations.move_requests import Move
from bespeak.reservations.moved_claims import ClaimsAfter, MovedClaims
from bespeak.reservations.outcomes import booking_error
from bespeak.reservations.parted_stays import later_of, moved_parts, nights_of, parts_of
from bespeak.states import BookingState

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.reservations", "verbs.sql")
_FIELDS = ("booking_id", "resource_id", "moves", "send_mail")


class Planned(NamedTuple):
    """What a booking has when it is moved: all its claims; the places (from 1) of the lines that
    begin elsewhere then, whose tickets must not have let anybody in; and the lines, where they are
    kept beside the claims."""

    claims: ClaimsAfter
    shown_places: list[int]
    shown: str | None


class _MovedLine(NamedTuple):
    """Where a line is then; which of the added claims are its own; and whether its first unit is
    another."""

    unit: str
    later: tuple[LaterUnit, ...]
    added: range
    begins_elsewhere: bool


class _Claims(NamedTuple):
    """The lines that a booking shows, with the places (from 0) of the claims of each."""

    lines: Sequence[Line]
    of_line: Sequence[Sequence[int]]
    shown: Shown | None


class Moved(NamedTuple):
    """The booking as it is now, and the claims that are free by it."""

    booking: Booking
    freed: list[tuple[int, str]]


def resource_of(row: Record, resource_id: str | None) -> str:
    """The resource within which a booking is moved: the one that is named, or its only one. Raises
    InvalidRequest, NotInBooking."""
    found = {line.resource_id for line in held_lines(row["hold"])}
    if resource_id is None:
        if len(found) > 1:
            raise InvalidRequest("the booking is of several resources", field="resource_id")
        return found.pop()
    ids.parse_resource(resource_id)
    if resource_id not in found:
        raise NotInBooking(lines=[{"resource_id": resource_id, "unit": None}])
    return resource_id


def contents_of(
    number: object, resource_id: str, moves: Sequence[Move], *, send_mail: bool
) -> tuple[str, ...]:
    """What tells a request from another with the same key, field by field. Who says nothing of
    mails asks as before there were any: their keys are good on."""
    silence = () if send_mail else ("no mail",)
    return (str(number), resource_id, msgspec.json.encode(moves).decode(), *silence)


async def recall(
    connection: Connection, row: Record, key: str | None, contents: Sequence[str]
) -> Booking | None:
    """The answer to a request that was made before, as the booking stands now; None: it is new.
    Looked up before anything is planned, for what was moved is not where it was. Raises
    IdempotencyKeyReused."""
    if key is None:
        return None
    home, owner = row["booking"]["resource_id"], row["booking"]["owner"]
    content = fingerprint(contents)
    outcome = await connection.fetchval(_QUERIES["recall_move"], home, owner, key, content)
    if outcome == "key_reused":
        raise await _key_reused(connection, row, key, content)
    if outcome is None:
        return None
    # What was read may be from before the move whose key is there now.
    number = row["booking"]["booking_id"]
    now = await connection.fetchrow(_QUERIES["get_booking"], home, number)
    return None if now is None else booking_of(now["hold"], now["booking"], replayed=True)


async def move(
    connection: Connection,
    row: Record,
    ready: ReadyResource,
    moves: Sequence[Move],
    key: str | None,
    contents: Sequence[str],
    *,
    send_mail: bool = True,
) -> Moved:
    """Moves a booking that was read. Raises what the database answers; PlanChanged and
    BookingChanged where it is to be planned anew."""
    hold, booking = row["hold"], row["booking"]
    planned, number = plan_moves(row, ready, moves), ready.number
    content = None if key is None else fingerprint(contents)
    answer = await connection.fetchrow(
        _QUERIES["move_units"],
        hold["resource_id"],
        hold["hold_id"],
        ready.number,
        ready.resource.version,
        planned.claims.resources,
        planned.claims.units,
        planned.claims.quantities,
        planned.claims.cancelled,
        planned.shown_places,
        planned.shown,
        hold["units"],
        booking["cancelled"],
        None if hold["shown"] is None else json_text(hold["shown"]),
        key,
        content,
        acting(),
        send_mail,
    )
    if answer is None:
        raise RuntimeError("a move is answered by one row")
    if answer["outcome"] == "key_reused" and key is not None and content is not None:
        raise await _key_reused(connection, row, key, content)
    if answer["outcome"] not in ("moved", "replayed"):
        raise _refusal(answer, ready)
    is_repeat = answer["outcome"] == "replayed"
    moved = booking_of(answer["hold"], answer["booking"], replayed=is_repeat)
    had = {unit for of, unit in zip(hold["resources"], hold["units"], strict=True) if of == number}
    freed = set() if is_repeat else had.difference(planned.claims.units)
    return Moved(moved, [(number, unit) for unit in sorted(freed)])


def _refusal(answer: Record, ready: ReadyResource) -> Exception:
    """Why the database moved nothing."""
    match answer["outcome"]:
        case "taken":
            found = [one.shown() for one in raw_conflicts(answer["details"])]
            return UnitTaken(conflicts=told(found, ready))
        case "plan_changed":
            return PlanChanged()
        case "ticket_used":
            return TicketUsed("a ticket of what would be moved has let somebody in")
        case "resource_called_off":
            return ResourceCalledOff()
        case outcome if outcome == BOOKING_CHANGED:
            return BookingChanged()
    return booking_error(answer)


async def read_booking(connection: Connection, booking_id: str) -> Record:
    """The row of a booking with that of its hold. Raises BookingNotFound, InvalidId."""
    number = ids.parse(ids.BOOKING, booking_id)
    row = await connection.fetchrow(_QUERIES["get_booking"], ids.home_of(number), number)
    if row is None:
        raise BookingNotFound(booking_id=booking_id)
    return row


def plan_moves(row: Record, ready: ReadyResource, moves: Sequence[Move]) -> Planned:
    """What a booking has then. Raises BookingCancelled, NotInBooking, UnknownUnit, UnitNotMovable,
    InvalidRequest, and UnitTaken for what the booking itself has there."""
    if row["booking"]["state"] == BookingState.CANCELLED:
        raise BookingCancelled
    claims = _claims_of(row)
    goes = _destinations(row, claims, ready, moves)
    moved = MovedClaims(row, ready)
    lines: dict[int, _MovedLine] = {}
    for place, one in goes.items():
        if _is_parted(claims, place, one):
            lines[place] = _parted(claims, place, one, moved)
        else:
            lines[place] = _MovedLine(one.to_unit, (), range(0), begins_elsewhere=True)
            unit = claims.lines[place].unit or ""
            for claim in claims.of_line[place]:
                if row["hold"]["quantities"][claim] is None:
                    moved.rename(claim, one.to_unit + moved.unit(claim).removeprefix(unit))
    after = moved.after()
    shown = None
    if claims.shown is not None:
        added_from = len(after.units) - int(row["hold"]["limit_lines"]) - len(moved.added)
        shown = encode_shown(_shown_after(claims.shown, lines, after, added_from))
    asked = [place + 1 for place in sorted(goes) if lines[place].begins_elsewhere]
    return Planned(after, asked, shown)


def _is_parted(claims: _Claims, place: int, one: Move) -> bool:
    """Whether only some nights of a line are moved, or some of it were before."""
    return one.is_of_nights or (claims.shown is not None and bool(claims.shown.lines[place].later))


def _parted(claims: _Claims, place: int, one: Move, moved: MovedClaims) -> _MovedLine:
    """Moves some nights of a line. Raises UnitNotMovable, InvalidRequest, UnknownUnit."""
    resource_id = moved.ready.resource.id
    line = None if claims.shown is None else claims.shown.lines[place]
    nights = None if line is None else nights_of(line)
    if line is None or nights is None:
        raise UnitNotMovable(reason="no_nights", resource_id=resource_id, unit=one.from_unit)
    before = parts_of(line)
    parts = moved_parts(before, nights.last, one.within(nights), one.from_unit, one.to_unit)
    places = [claim for claim, _ in line.claims]
    claimed = [moved.unit(claim) for claim in places]
    units = moved.ready.plan.parted_units(parts, nights.last, claimed)
    if units is None:
        raise UnitNotMovable(reason="no_nights", resource_id=resource_id, unit=one.from_unit)
    added = moved.replace(places, units)
    return _MovedLine(
        parts[0].unit, later_of(parts), added, begins_elsewhere=parts[0].unit != before[0].unit
    )


def _claims_of(row: Record) -> _Claims:
    shown = shown_of(row["hold"])
    lines = held_lines(row["hold"])
    if shown is None:
        return _Claims(lines, [[place] for place in range(len(lines))], None)
    return _Claims(lines, [[place for place, _ in one.claims] for one in shown.lines], shown)


def _destinations(
    row: Record, claims: _Claims, ready: ReadyResource, moves: Sequence[Move]
) -> dict[int, Move]:
    """The move of each line, by the place of the line."""
    booking = row["booking"]
    gone = booking["cancelled"] if claims.shown is None else booking["cancelled_shown"]
    goes: dict[int, Move] = {}
    for place, one in enumerate(moves):
        _check_units(ready, one, f"moves[{place}]")
        found = [
            number
            for number, line in enumerate(claims.lines)
            if line.resource_id == ready.resource.id
            and _is_of(one, line, None if claims.shown is None else claims.shown.lines[number])
            and not (gone is not None and gone[number])
        ]
        if not found:
            raise NotInBooking(lines=[{"resource_id": ready.resource.id, "unit": one.from_unit}])
        if not goes.keys().isdisjoint(found):
            raise InvalidRequest("two moves are of one line", field=f"moves[{place}].from_unit")
        goes |= dict.fromkeys(found, one)
    return goes


def _is_of(one: Move, line: Line, shown: ShownLine | None) -> bool:
    """Whether a move is of a line: of some night of it, where it is of nights."""
    if one.from_ not in (UNSET, line.from_) or one.to not in (UNSET, line.to):
        return False
    nights = None if shown is None else nights_of(shown)
    if shown is None or nights is None or not (one.is_of_nights or shown.later):
        return line.unit == one.from_unit
    parts = parts_of(shown)
    within = one.within(nights)
    return moved_parts(parts, nights.last, within, one.from_unit, one.to_unit) != parts


def _check_units(ready: ReadyResource, one: Move, field: str) -> None:
    plan, resource_id = ready.plan, ready.resource.id
    if not plan.is_exact(one.from_unit):
        if not plan.has(one.from_unit) and plan.is_exact(one.to_unit):
            raise NotInBooking(lines=[{"resource_id": resource_id, "unit": one.from_unit}])
        raise UnitNotMovable(reason="not_exact", resource_id=resource_id, unit=one.from_unit)
    if not plan.is_exact(one.to_unit):
        raise UnknownUnit(
            f"{one.to_unit[:60]!r}: nothing can be moved there",
            resource_id=resource_id,
            unit=one.to_unit,
            field=f"{field}.to_unit",
        )
    if plan.moves_in_category and plan.category_of(one.from_unit) != plan.category_of(one.to_unit):
        raise UnitNotMovable(reason="other_category", resource_id=resource_id, unit=one.to_unit)


def _shown_after(
    shown: Shown, moved: Mapping[int, _MovedLine], after: ClaimsAfter, added_from: int
) -> Shown:
    """The lines with their units and the places of their claims as they are then."""
    replace = msgspec.structs.replace
    lines = []
    for place, one in enumerate(shown.lines):
        claims = [
            (now, count) for claim, count in one.claims if (now := after.places[claim]) is not None
        ]
        line, later = one.line, one.later
        if place in moved:
            claims += [(added_from + number, 1) for number in moved[place].added]
            line, later = replace(line, unit=moved[place].unit), moved[place].later
        lines.append(replace(one, line=line, claims=claims, later=later))
    return replace(shown, lines=lines)


async def _key_reused(
    connection: Connection, row: Record, key: str, content: bytes
) -> IdempotencyKeyReused:
    home, owner = row["booking"]["resource_id"], row["booking"]["owner"]
    stored = await connection.fetchval(_QUERIES["stored_fingerprint"], home, owner, "move", key)
    return IdempotencyKeyReused(fields=differing_fields(_FIELDS, content, stored))
