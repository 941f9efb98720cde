"""Moving what a booking has to other units of the same resource: another room, another seat. The
plan says what the claims of the other unit are; the database decides whether they can be had.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple

import msgspec
from msgspec import UNSET, Meta, UnsetType

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
from bespeak.lines import UNIT_LENGTH_MAX, End, Line
from bespeak.postgres.queries import load
from bespeak.refusals import Conflict
from bespeak.reservations.changes import BOOKING_CHANGED, BookingChanged
from bespeak.reservations.errors import TicketUsed
from bespeak.reservations.holds import Booking, booking_of, held_lines, shown_of
from bespeak.reservations.lines import Shown, encode_shown
from bespeak.reservations.outcomes import booking_error
from bespeak.states import BookingState, UnitState

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.reservations", "verbs.sql")
_FIELDS = ("booking_id", "resource_id", "moves", "send_mail")
MOVES_MAX = 1000
"""The most units that are moved at once."""

_Unit = Annotated[str, Meta(min_length=1, max_length=UNIT_LENGTH_MAX)]


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """That what a booking has of one unit is of another from now on: all its lines of it, or only
    those with these ends."""

    from_unit: _Unit
    to_unit: _Unit
    from_: End | UnsetType = msgspec.field(default=UNSET, name="from")
    to: End | UnsetType = UNSET

    def is_of(self, line: Line) -> bool:
        """Whether it moves this line."""
        return (
            line.unit == self.from_unit
            and self.from_ in (UNSET, line.from_)
            and self.to in (UNSET, line.to)
        )


class Planned(NamedTuple):
    """What is to be moved: the places of the claims in the hold (from 1) and where each goes; the
    places of the lines that are shown; and these lines as they are from then on, where they are
    kept beside the claims."""

    places: list[int]
    units: list[str]
    shown_places: list[int]
    shown: str | None


class _Claims(NamedTuple):
    """The lines that a booking shows, with the places (from 0) of the claims of each."""

    lines: Sequence[Line]
    of_line: Sequence[Sequence[int]]
    shown: Shown | None


class Moved(NamedTuple):
    """The booking as it is now, and the claims that are free by it."""

    booking: Booking
    freed: list[tuple[int, str]]


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
        if move.from_unit == move.to_unit:
            raise InvalidRequest("it is there already", field=f"moves[{place}].to_unit")
    return checked


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
    """What tells a request from another with the same key, field by field."""
    return (str(number), resource_id, msgspec.json.encode(moves).decode(), str(send_mail))


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
    planned = plan_moves(row, ready, moves)
    content = None if key is None else fingerprint(contents)
    answer = await connection.fetchrow(
        _QUERIES["move_units"],
        hold["resource_id"],
        hold["hold_id"],
        ready.number,
        ready.resource.version,
        planned.places,
        planned.units,
        planned.shown_places,
        planned.shown,
        hold["units"],
        booking["cancelled"],
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
    left = {hold["units"][place - 1] for place in planned.places}
    freed = set() if is_repeat else left.difference(planned.units)
    return Moved(moved, [(ready.number, unit) for unit in sorted(freed)])


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
    """Where each claim goes. Raises BookingCancelled, NotInBooking, UnknownUnit, UnitNotMovable,
    InvalidRequest, and UnitTaken for what the booking itself has there."""
    if row["booking"]["state"] == BookingState.CANCELLED:
        raise BookingCancelled
    claims = _claims_of(row)
    goes = _destinations(row, claims, ready, moves)
    units: Sequence[str] = row["hold"]["units"]
    to_units: dict[int, str] = {}
    for line_place, to_unit in goes.items():
        unit = claims.lines[line_place].unit or ""
        for place in claims.of_line[line_place]:
            if row["hold"]["quantities"][place] is None:
                to_units[place] = to_unit + units[place].removeprefix(unit)
    _check_own(row, ready, to_units)
    shown = None
    if claims.shown is not None:
        shown = encode_shown(_shown_after(claims.shown, goes))
    places = sorted(to_units)
    return Planned(
        [place + 1 for place in places],
        [to_units[place] for place in places],
        [place + 1 for place in sorted(goes)],
        shown,
    )


def _claims_of(row: Record) -> _Claims:
    shown = shown_of(row["hold"])
    lines = held_lines(row["hold"])
    if shown is None:
        return _Claims(lines, [[place] for place in range(len(lines))], None)
    return _Claims(lines, [[place for place, _ in one.claims] for one in shown.lines], shown)


def _destinations(
    row: Record, claims: _Claims, ready: ReadyResource, moves: Sequence[Move]
) -> dict[int, str]:
    """The unit that each line goes to, by the place of the line."""
    booking = row["booking"]
    gone = booking["cancelled"] if claims.shown is None else booking["cancelled_shown"]
    goes: dict[int, str] = {}
    for place, one in enumerate(moves):
        _check_units(ready, one, f"moves[{place}]")
        found = [
            number
            for number, line in enumerate(claims.lines)
            if line.resource_id == ready.resource.id
            and one.is_of(line)
            and not (gone is not None and gone[number])
        ]
        if not found:
            raise NotInBooking(lines=[{"resource_id": ready.resource.id, "unit": one.from_unit}])
        if not goes.keys().isdisjoint(found):
            raise InvalidRequest("two moves are of one line", field=f"moves[{place}].from_unit")
        goes |= dict.fromkeys(found, one.to_unit)
    return goes


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


def _check_own(row: Record, ready: ReadyResource, to_units: Mapping[int, str]) -> None:
    """That no unit comes twice among the claims of the booking, also of those that were given back:
    its record says which these were."""
    hold, gone = row["hold"], row["booking"]["cancelled"]
    wanted = set(to_units.values())
    if len(wanted) < len(to_units):
        raise InvalidRequest("two moves end at one unit", field="moves")
    taken: list[Conflict] = []
    for place, (resource, unit, quantity) in enumerate(
        zip(hold["resources"], hold["units"], hold["quantities"], strict=True)
    ):
        if place in to_units or unit not in wanted or resource != ready.number:
            continue
        if quantity is None and gone is not None and gone[place]:
            name = ready.plan.shown_claim(unit, ready.zone).unit
            raise UnitNotMovable(reason="given_back", resource_id=ready.resource.id, unit=name)
        taken.append(Conflict(ready.resource.id, unit, UnitState.BOOKED))
    if taken:
        raise UnitTaken(conflicts=told(taken, ready))


def _shown_after(shown: Shown, goes: Mapping[int, str]) -> Shown:
    replace = msgspec.structs.replace
    lines = [
        replace(one, line=replace(one.line, unit=goes[place])) if place in goes else one
        for place, one in enumerate(shown.lines)
    ]
    return replace(shown, lines=lines)


async def _key_reused(
    connection: Connection, row: Record, key: str, content: bytes
) -> IdempotencyKeyReused:
    home, owner = row["booking"]["resource_id"], row["booking"]["owner"]
    stored = await connection.fetchval(_QUERIES["stored_fingerprint"], home, owner, "move", key)
    return IdempotencyKeyReused(fields=differing_fields(_FIELDS, content, stored))
