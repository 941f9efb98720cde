"""Changing holds and bookings: confirm, extend, release, cancel. Each goes through the committer,
or runs on the caller's own connection and transaction.
"""

from __future__ import annotations

import secrets
from collections.abc import Hashable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias
from uuid import UUID

from bespeak import ids
from bespeak.actors import acting
from bespeak.clock import DatabaseClock
from bespeak.errors import (
    BookingNotFound,
    DatabaseUnavailable,
    HoldNotFound,
    InternalError,
    InvalidRequest,
    NotOwner,
)
from bespeak.inventory.fingerprints import differing_fields, fingerprint
from bespeak.inventory.lines import check_line, lines_text
from bespeak.lines import Line
from bespeak.postgres.composites import composite
from bespeak.postgres.queries import load
from bespeak.reservations.caller_rows import fetch_caller_row
from bespeak.reservations.committer import Committer, Verb, home_and_requests
from bespeak.reservations.contact import Contact, encode_contact
from bespeak.reservations.holds import Booking, Hold, booking_of, hold_of
from bespeak.reservations.memory import TakenMemory
from bespeak.reservations.outcomes import booking_error, change_error
from bespeak.reservations.parts import NO_PART, BookingPart, part_of
from bespeak.reservations.request import KEY_LENGTH_MAX, check_text
from bespeak.reservations.snapshots import SnapshotCache
from bespeak.settings import Settings
from bespeak.states import UnitState

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database, Record

_QUERIES = load("bespeak.reservations", "verbs.sql")
_SECONDS_MAX = 604_800
REASON_LENGTH_MAX = 500
BOOKING_CHANGED = "booking_changed"


@composite("change_request")
class ChangeRequestRow(NamedTuple):
    """A change of a hold or a booking as the database takes it: how long it is to last; why it
    ends; which part of it (see BookingPart); to whom news goes; what is given back (see
    GivenBack); whether the shopper itself asks, who is not taken at its word that it paid; who
    asks."""

    hold_id: UUID
    home: int
    owner: str | None = None
    idempotency_key: str | None = None
    fingerprint: bytes | None = None
    seconds: int | None = None
    reason: str | None = None
    resources: list[int] | None = None
    units: list[str] | None = None
    quantities: list[int | None] | None = None
    shown_lines: list[int] | None = None
    shown_quantities: list[int] | None = None
    contact: str | None = None
    refund_amount: int | None = None
    expected_cancelled: Sequence[int] | None = None
    called_off: int | None = None
    of_shopper: bool | None = None
    actor: str | None = None
    known_units: list[str] | None = None


_Change: TypeAlias = Verb[ChangeRequestRow]


def _verb(name: str, statement: str, *, frees: bool = False) -> _Change:
    return Verb(
        name,
        _QUERIES[statement],
        home_and_requests,
        frees=frees,
        things=lambda request: (request.hold_id,),
        text_as_json=_QUERIES[f"{statement}_as_json"],
    )


CONFIRM = _verb("confirm", "confirm_holds")
RELEASE = _verb("release", "release_holds", frees=True)
EXTEND = _verb("extend", "extend_holds")
CANCEL = _verb("cancel", "cancel_bookings", frees=True)

_FIELDS = {
    "confirm": ("hold_id",),
    "release": ("hold_id",),
    "extend": ("hold_id", "seconds"),
    "cancel": ("booking_id", "reason", "lines", "refund"),
}


class GivenBack(NamedTuple):
    """What a cancellation gives back in minor units, computed when so much of each of the booking's
    claims was cancelled (None: nothing yet); with `called_off`, because that resource was. `units`
    are what the booking had then, where only a part of it is given back."""

    amount: int
    cancelled: Sequence[int] | None
    called_off: int | None = None
    units: list[str] | None = None


class BookingChanged(InternalError):
    """The booking has changed since its refund was computed: it is to be computed anew."""


def cancel_request(
    number: UUID, reason: str, part: BookingPart, given_back: GivenBack | None
) -> ChangeRequestRow:
    """The request to cancel a booking, or a part of it."""
    row = ChangeRequestRow(
        number, ids.home_of(number), reason=reason, actor=acting(), **part._asdict()
    )
    if given_back is None:
        return row
    return row._replace(
        refund_amount=given_back.amount,
        expected_cancelled=given_back.cancelled,
        called_off=given_back.called_off,
    )


class Changer:
    """Changes holds and bookings for one process."""

    def __init__(
        self,
        database: Database,
        committer: Committer,
        memory: TakenMemory,
        snapshots: SnapshotCache,
        clock: DatabaseClock,
        settings: Settings,
    ) -> None:
        self._database = database
        self._committer = committer
        self._memory = memory
        self._snapshots = snapshots
        self._clock = clock
        self._settings = settings

    async def confirm(
        self,
        hold_id: str,
        owner: str | None,
        key: str | None,
        connection: Connection | None,
        contact: Contact | None = None,
        *,
        of_shopper: bool = False,
    ) -> Booking:
        """A held hold becomes a booking."""
        number = ids.parse(ids.HOLD, hold_id)
        request = ChangeRequestRow(
            number,
            ids.home_of(number),
            contact=encode_contact(contact),
            of_shopper=of_shopper,
            actor=acting(),
        )
        row = await self._submit(CONFIRM, request, owner, key, (str(number),), connection)
        if row["outcome"] in ("confirmed", "replayed"):
            return booking_of(row["hold"], row["booking"], replayed=row["outcome"] == "replayed")
        raise change_error(
            row, await self._differing(CONFIRM, row, key, (str(number),), connection)
        )

    async def release(
        self, hold_id: str, owner: str | None, key: str | None, connection: Connection | None
    ) -> Hold:
        """A held hold is let go; its units are free at once."""
        number = ids.parse(ids.HOLD, hold_id)
        request = ChangeRequestRow(number, ids.home_of(number), actor=acting())
        row = await self._submit(RELEASE, request, owner, key, (str(number),), connection)
        if row["outcome"] in ("released", "replayed"):
            return hold_of(row["hold"], replayed=row["outcome"] == "replayed")
        raise change_error(
            row, await self._differing(RELEASE, row, key, (str(number),), connection)
        )

    async def extend(
        self,
        hold_id: str,
        seconds: int,
        owner: str | None,
        key: str | None,
        connection: Connection | None,
    ) -> Hold:
        """A held hold lasts `seconds` from now, never beyond its cap, never shorter than before."""
        number = ids.parse(ids.HOLD, hold_id)
        if not 1 <= seconds <= _SECONDS_MAX:
            raise InvalidRequest(f"seconds are 1 to {_SECONDS_MAX}", field="seconds")
        contents = (str(number), str(seconds))
        request = ChangeRequestRow(number, ids.home_of(number), seconds=seconds, actor=acting())
        row = await self._submit(EXTEND, request, owner, key, contents, connection)
        if row["outcome"] in ("held", "replayed"):
            return hold_of(row["hold"], replayed=row["outcome"] == "replayed")
        raise change_error(row, await self._differing(EXTEND, row, key, contents, connection))

    async def cancel(
        self,
        booking_id: str,
        reason: str,
        lines: Sequence[Line] | None,
        owner: str | None,
        key: str | None,
        connection: Connection | None,
        given_back: GivenBack | None = None,
        terms: str | None = None,
    ) -> Booking:
        """A booking, or some lines of it, is given back; the units are free at once. `terms` are
        what the caller asked of the refund, by which a repeat is told from another request.
        Raises BookingChanged where the part was found, or `given_back` computed, on another state
        of the booking."""
        number = ids.parse(ids.BOOKING, booking_id)
        check_text(reason, "reason", REASON_LENGTH_MAX)
        if lines is not None and not 1 <= len(lines) <= self._settings.lines_max:
            raise InvalidRequest("lines to cancel: at least one, or none at all", field="lines")
        for line in lines or ():
            check_line(line)
            if "\x00" in (line.unit or ""):  # PostgreSQL takes no text with a zero byte
                raise InvalidRequest("a unit's name has no control characters", field="lines")
        contents = (str(number), reason, lines_text(lines or ()), *([terms] if terms else []))
        part = NO_PART
        if lines is not None:
            found = await self._read_booking(number, connection)
            if found is None:
                raise BookingNotFound(booking_id=booking_id)
            units = list(found["hold"]["units"])
            if given_back is not None and given_back.units != units:
                raise BookingChanged
            part = part_of(found["hold"], lines, found["booking"]["cancelled_shown"])
            part = part._replace(known_units=units)
        request = cancel_request(number, reason, part, given_back)
        row = await self._submit(CANCEL, request, owner, key, contents, connection)
        if row["outcome"] == BOOKING_CHANGED:
            raise BookingChanged
        if row["outcome"] in ("confirmed", "cancelled", "replayed"):
            return booking_of(row["hold"], row["booking"], replayed=row["outcome"] == "replayed")
        raise booking_error(row, await self._differing(CANCEL, row, key, contents, connection))

    async def get_hold(
        self, hold_id: str, owner: str | None, connection: Connection | None
    ) -> Hold:
        """Reads a hold; one that lapsed is `expired`, whether or not it is tidied up yet."""
        number = ids.parse(ids.HOLD, hold_id)
        async with self._database.borrow(connection) as used:
            row = await used.fetchrow(_QUERIES["get_hold"], ids.home_of(number), number)
        if row is None:
            raise HoldNotFound(hold_id=hold_id)
        if owner is not None and row["owner"] != owner:
            raise NotOwner
        self._clock.observe(row["answered_at"])
        return hold_of(row, now=row["answered_at"])

    async def get_booking(
        self, booking_id: str, owner: str | None, connection: Connection | None
    ) -> Booking:
        """Reads a booking."""
        row = await self._read_booking(ids.parse(ids.BOOKING, booking_id), connection)
        if row is None:
            raise BookingNotFound(booking_id=booking_id)
        if owner is not None and row["booking"]["owner"] != owner:
            raise NotOwner
        return booking_of(row["hold"], row["booking"])

    async def _read_booking(self, number: UUID, connection: Connection | None) -> Record | None:
        home = ids.home_of(number)
        if connection is not None:
            query = _QUERIES["get_booking_as_json"]
            return await fetch_caller_row(connection, query, home, number)
        async with self._database.borrow() as used:
            return await used.fetchrow(_QUERIES["get_booking"], home, number)

    async def _submit(
        self,
        verb: Verb[ChangeRequestRow],
        request: ChangeRequestRow,
        owner: str | None,
        key: str | None,
        contents: Sequence[str],
        connection: Connection | None,
    ) -> Record:
        """`contents` are what tells a request from another with the same key, field by field."""
        keys: tuple[Hashable, ...] = (request.hold_id,)
        if key is not None:
            check_text(key, "idempotency_key", KEY_LENGTH_MAX)
            # A batch names a key once: the second use must see what the first was answered with.
            keys = (request.hold_id, (verb.name, request.home, key))
        elif connection is None:
            # A key of our own, so that a batch whose reply was lost can be written again.
            key = f"once:{secrets.token_hex(8)}"
        print_of_fields = None if key is None else fingerprint(contents)
        request = request._replace(owner=owner, idempotency_key=key, fingerprint=print_of_fields)
        try:
            return await self._committer.submit(
                verb, request, keys, on_answer=partial(self._note, verb), connection=connection
            )
        except DatabaseUnavailable as error:
            # Whether it was done is not known. A repeat with this key is told, and does it once.
            error.idempotency_key = key
            raise

    def _note(self, verb: Verb[ChangeRequestRow], row: Record) -> None:
        """Notes what an answer says about the time, and about what is taken or free."""
        self._clock.observe(row["answered_at"])
        hold: Record | None = row["hold"]
        if hold is None or row["outcome"] not in ("confirmed", "released", "cancelled", "held"):
            return
        units = list(zip(hold["resources"], hold["units"], strict=True))
        if verb is CONFIRM:
            exclusive = [
                unit
                for unit, quantity in zip(units, hold["quantities"], strict=True)
                if quantity is None
            ]
            self._memory.remember(exclusive, UnitState.BOOKED, None, hold["owner"])
        else:
            self._memory.forget(units)
        if row["outcome"] in ("released", "cancelled"):
            self._snapshots.mark_free(units)
        elif verb is CANCEL:
            for number, _ in units:
                self._snapshots.forget(number)  # some of them are free

    async def _differing(
        self,
        verb: Verb[ChangeRequestRow],
        row: Record,
        key: str | None,
        contents: Sequence[str],
        connection: Connection | None,
    ) -> list[str]:
        if row["outcome"] != "key_reused" or key is None:
            return []
        hold = row["hold"]
        async with self._database.borrow(connection) as borrowed:
            stored = await borrowed.fetchval(
                _QUERIES["stored_fingerprint"], hold["resource_id"], hold["owner"], verb.name, key
            )
        return differing_fields(_FIELDS[verb.name], fingerprint(contents), stored)
