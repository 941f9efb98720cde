"""Changing holds and bookings: confirm, extend, release, cancel. Each goes through the committer,
or runs on the caller's own connection and transaction.
"""

from __future__ import annotations

import secrets
from collections.abc import Hashable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from bespeak import ids
from bespeak.clock import DatabaseClock
from bespeak.errors import BookingNotFound, HoldNotFound, InternalError, InvalidRequest, NotOwner
from bespeak.inventory.fingerprints import differing_fields, fingerprint
from bespeak.inventory.lines import Line, check_line, lines_text
from bespeak.postgres.queries import load
from bespeak.reservations.committer import Arguments, Committer, BatchEntry, Request, Verb
from bespeak.reservations.contact import Contact, encode_contact
from bespeak.reservations.holds import Booking, Hold, booking_of, hold_of
from bespeak.reservations.judge import KEY_LENGTH_MAX, check_text
from bespeak.reservations.memory import TakenMemory
from bespeak.reservations.outcomes import booking_error, change_error
from bespeak.reservations.parts import NO_PART, BookingPart, part_of
from bespeak.reservations.snapshots import SnapshotCache
from bespeak.settings import Settings
from bespeak.states import UnitState

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database, Record

_QUERIES = load("bespeak.reservations", "verbs.sql")
_SECONDS_MAX = 604_800
REASON_LENGTH_MAX = 500
BOOKING_CHANGED = "booking_changed"


def _change_arguments(jobs: Sequence[BatchEntry]) -> Arguments:
    return (jobs[0].request[1], [job.request for job in jobs])


CONFIRM = Verb("confirm", _QUERIES["confirm_holds"], _change_arguments)
RELEASE = Verb("release", _QUERIES["release_holds"], _change_arguments, frees=True)
EXTEND = Verb("extend", _QUERIES["extend_holds"], _change_arguments)
CANCEL = Verb("cancel", _QUERIES["cancel_bookings"], _change_arguments, frees=True)

_FIELDS = {
    "confirm": ("hold_id",),
    "release": ("hold_id",),
    "extend": ("hold_id", "seconds"),
    "cancel": ("booking_id", "reason", "lines", "refund"),
}


class GivenBack(NamedTuple):
    """What a cancellation gives back in minor units, computed when so much of each of the booking's
    claims was cancelled (None: nothing yet); with `called_off`, because that resource was."""

    amount: int
    cancelled: Sequence[int] | None
    called_off: int | None = None


_NO_MONEY: tuple[None, None, None] = (None, None, None)


class BookingChanged(InternalError):
    """The booking has changed since its refund was computed: it is to be computed anew."""


class Details(NamedTuple):
    """What some changes need besides: how long, why, which part, to whom news goes, what money."""

    seconds: int | None = None
    reason: str | None = None
    part: BookingPart = NO_PART
    contact: Contact | None = None
    given_back: GivenBack | None = None


NO_DETAILS = Details()


def change_request(
    number: UUID,
    details: Details,
    owner: str | None = None,
    key: str | None = None,
    contents: Sequence[str] = (),
) -> Request:
    """One request as `bespeak.change_request` has it."""
    return (
        number,
        ids.home_of(number),
        owner,
        key,
        fingerprint(contents) if key is not None else None,
        details.seconds,
        details.reason,
        *details.part,
        encode_contact(details.contact),
        *(details.given_back or _NO_MONEY),
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
        self._pictures = snapshots
        self._clock = clock
        self._settings = settings

    async def confirm(
        self,
        hold_id: str,
        owner: str | None,
        key: str | None,
        connection: Connection | None,
        contact: Contact | None = None,
    ) -> Booking:
        """A held hold becomes a booking."""
        number = ids.parse(ids.HOLD, hold_id)
        row = await self._run(
            CONFIRM, number, owner, key, (str(number),), connection, Details(contact=contact)
        )
        if row["outcome"] in ("confirmed", "replayed"):
            return booking_of(row["hold"], row["booking"], replayed=row["outcome"] == "replayed")
        raise change_error(row, await self._differing(CONFIRM, row, key, (str(number),)))

    async def release(
        self, hold_id: str, owner: str | None, key: str | None, connection: Connection | None
    ) -> Hold:
        """A held hold is let go; its units are free at once."""
        number = ids.parse(ids.HOLD, hold_id)
        row = await self._run(RELEASE, number, owner, key, (str(number),), connection)
        if row["outcome"] in ("released", "replayed"):
            return hold_of(row["hold"], replayed=row["outcome"] == "replayed")
        raise change_error(row, await self._differing(RELEASE, row, key, (str(number),)))

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
        row = await self._run(
            EXTEND, number, owner, key, contents, connection, Details(seconds=seconds)
        )
        if row["outcome"] in ("held", "replayed"):
            return hold_of(row["hold"], replayed=row["outcome"] == "replayed")
        raise change_error(row, await self._differing(EXTEND, row, key, contents))

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
        Raises BookingChanged where `given_back` was computed on another state of the booking."""
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
            found = await self._read("get_booking", number, connection)
            if found is None:
                raise BookingNotFound(booking_id=booking_id)
            part = part_of(found["hold"], lines, found["booking"]["cancelled_shown"])
        row = await self._run(
            CANCEL,
            number,
            owner,
            key,
            contents,
            connection,
            Details(reason=reason, part=part, given_back=given_back),
        )
        if row["outcome"] == BOOKING_CHANGED:
            raise BookingChanged
        if row["outcome"] in ("confirmed", "cancelled", "replayed"):
            return booking_of(row["hold"], row["booking"], replayed=row["outcome"] == "replayed")
        raise booking_error(row, await self._differing(CANCEL, row, key, contents))

    async def get_hold(
        self, hold_id: str, owner: str | None, connection: Connection | None
    ) -> Hold:
        """Reads a hold; one that lapsed is `expired`, whether or not it is tidied up yet."""
        number = ids.parse(ids.HOLD, hold_id)
        row = await self._read("get_hold", number, connection)
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
        row = await self._read("get_booking", ids.parse(ids.BOOKING, booking_id), connection)
        if row is None:
            raise BookingNotFound(booking_id=booking_id)
        if owner is not None and row["booking"]["owner"] != owner:
            raise NotOwner
        return booking_of(row["hold"], row["booking"])

    async def _read(self, query: str, number: UUID, connection: Connection | None) -> Record | None:
        home = ids.home_of(number)
        if connection is not None:
            return await connection.fetchrow(_QUERIES[query], home, number)
        async with self._database.borrow() as borrowed:
            return await borrowed.fetchrow(_QUERIES[query], home, number)

    async def _run(
        self,
        verb: Verb,
        number: UUID,
        owner: str | None,
        key: str | None,
        contents: Sequence[str],
        connection: Connection | None,
        details: Details = NO_DETAILS,
    ) -> Record:
        touches: tuple[Hashable, ...] = (number,)
        if key is not None:
            check_text(key, "idempotency_key", KEY_LENGTH_MAX)
            # A batch names a key once: the second use must see what the first was answered with.
            touches = (number, (verb.name, ids.home_of(number), key))
        elif connection is None:
            # A key of our own, so that a batch whose reply was lost can be written again.
            key = f"once:{secrets.token_hex(8)}"
        request = change_request(number, details, owner, key, contents)
        if connection is not None:
            row = await connection.fetchrow(verb.text, request[1], [request])
            if row is None:
                raise InternalError(f"{verb.name} answered nothing")
            return row
        return await self._committer.submit(
            verb, request, touches, learn=partial(self._learn, verb)
        )

    def _learn(self, verb: Verb, row: Record) -> None:
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
            self._memory.learn(exclusive, UnitState.BOOKED, None, hold["owner"])
        else:
            self._memory.forget(units)
        if row["outcome"] in ("released", "cancelled"):
            self._pictures.forget(units)
        elif verb is CANCEL:
            for number, _ in units:
                self._pictures.drop(number)  # some of them are free

    async def _differing(
        self, verb: Verb, row: Record, key: str | None, contents: Sequence[str]
    ) -> list[str]:
        if row["outcome"] != "key_reused" or key is None:
            return []
        hold = row["hold"]
        async with self._database.borrow() as borrowed:
            stored = await borrowed.fetchval(
                _QUERIES["stored_fingerprint"], hold["resource_id"], hold["owner"], verb.name, key
            )
        return differing_fields(_FIELDS[verb.name], fingerprint(contents), stored)
