"""The agenda of a team on a date: the lines of holds and bookings that have a provider's time, and
what is blocked. What is read is of this team and date only.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from msgspec import UNSET

from bespeak import ids
from bespeak.errors import InvalidRequest
from bespeak.inventory.timeline.instants import FIRST_DATE, day_start
from bespeak.inventory.timeline.raster import Raster, prefix
from bespeak.lines import Line
from bespeak.money import Money
from bespeak.postgres.json_text import json_text
from bespeak.postgres.queries import load
from bespeak.reservations.booking_code import BookingCode
from bespeak.reservations.contact import Contact
from bespeak.reservations.holds import held_lines
from bespeak.verticals.appointments.catalogue import TeamsReader, team_row
from bespeak.verticals.appointments.queries import AgendaQuestion
from bespeak.verticals.appointments.shown import plan_of, ready
from bespeak.verticals.appointments.views import Agenda, Appointment, AppointmentPayment

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.verticals.appointments", "agenda.sql")
_CONTACT: msgspec.json.Decoder[Contact] = msgspec.json.Decoder(Contact)
BOOKINGS_MAX, CELLS_MAX = 5000, 100_000
_PAID = ("authorized", "captured", "refunded")
_DAYS = range(date(1970, 1, 2).toordinal(), date(9900, 1, 1).toordinal())


class _Day(NamedTuple):
    """A team on a date: its raster, and from when until when the date is."""

    team_id: str
    payment: str
    zone: ZoneInfo
    raster: Raster
    first: datetime
    past: datetime

    def begin_of(self, cell: int) -> datetime:
        """When a cell begins."""
        return datetime.fromtimestamp(cell * self.raster.seconds, UTC)


async def agenda(
    connection: Connection, reader: TeamsReader, team_id: str, asked: AgendaQuestion
) -> Agenda:
    """The agenda of a date. Raises TeamNotFound, InvalidId, InvalidRequest."""
    row = await team_row(connection, reader, team_id)
    zone = ZoneInfo(row["time_zone"])
    day = asked.date or row["now"].astimezone(zone).date()
    if day.toordinal() not in _DAYS:
        raise InvalidRequest("date: no agenda is of such a date", field="date")
    plan = plan_of(row)
    number = day.toordinal() - FIRST_DATE
    first, past = day_start(zone, number), day_start(zone, number + 1)
    raster = ready(plan).raster
    said = _Day(
        team_id,
        row["payment"],
        zone,
        raster,
        datetime.fromtimestamp(first, UTC),
        datetime.fromtimestamp(past, UTC),
    )
    told = (
        row["resource_id"],
        [prefix(one.name) for one in plan.providers],
        raster.mark(raster.down(first)),
        raster.mark(raster.up(past)),
    )
    bookings = await connection.fetch(_QUERIES["bookings"], *told, BOOKINGS_MAX + 1)
    blocks = await connection.fetch(_QUERIES["blocks"], *told, CELLS_MAX + 1)
    if len(bookings) > BOOKINGS_MAX or len(blocks) > CELLS_MAX:
        raise InvalidRequest("date: more is on it than an agenda can tell", field="date")
    items = [one for booking in bookings for one in _booked(booking, said)]
    items += _blocked(blocks, said)
    items.sort(key=lambda one: (one.from_, one.provider, one.to, one.booking_id or ""))
    items = [_by_clock(one, zone) for one in items]
    return Agenda(
        team=team_id,
        date=day,
        time_zone=row["time_zone"],
        providers=[one.name for one in plan.providers],
        items=items,
    )


def _by_clock(one: Appointment, zone: ZoneInfo) -> Appointment:
    """An appointment by the clocks of the team. Until here times are compared, which is right in
    UTC only."""
    start, end = one.from_.astimezone(zone), one.to.astimezone(zone)
    return msgspec.structs.replace(one, from_=start, to=end)


def _booked(row: Record, day: _Day) -> Iterator[Appointment]:
    """The lines of a hold or booking that are of the team and the date."""
    gone = row["cancelled"] if row["shown"] is None else row["cancelled_shown"]
    for place, line in enumerate(held_lines(row)):
        left = (line.quantity or 1) - (gone[place] if gone else 0)
        if line.resource_id != day.team_id or left < 1:
            continue
        provider, start, end = _times(line, day)
        if start < day.past and end > day.first:
            amount = row["amounts"][place] if row["amounts"] else 0
            share = amount * left // (line.quantity or 1)
            found = Appointment(
                state="held",
                provider=provider,
                service=None if line.rate is UNSET else line.rate,
                from_=start,
                to=end,
                quantity=left,
            )
            yield _with_booking(found, row, day, share)


def _with_booking(found: Appointment, row: Record, day: _Day, amount: int) -> Appointment:
    number, confirmed_at = row["hold_id"], row["confirmed_at"]
    money = Money(0 if row["is_gift"] else amount, row["currency"])
    if confirmed_at is None:
        return msgspec.structs.replace(
            found, hold_id=ids.show(ids.HOLD, number), until=row["expires_at"], amount=money
        )
    contact = row["contact"]
    return msgspec.structs.replace(
        found,
        state="booked",
        booking_id=ids.show(ids.BOOKING, number),
        code=str(BookingCode.of(number, confirmed_at)),
        guest=None if contact is None else _CONTACT.decode(json_text(contact)),
        arrived=row["arrived"],
        payment=_payment(row, day.payment, money.amount),
        amount=money,
    )


def _payment(row: Record, rule: str, amount: int) -> AppointmentPayment:
    if row["payment"] in _PAID:
        return "paid"
    if amount == 0:
        return "free"
    return "at_venue" if rule == "at_venue" else "elsewhere"


def _times(line: Line, day: _Day) -> tuple[str, datetime, datetime]:
    """The provider of a line, and from when until when: its own, or those of its one cell."""
    if line.from_ is not UNSET and line.to is not UNSET:
        start, end = datetime.fromisoformat(line.from_), datetime.fromisoformat(line.to)
        return line.unit or "", start, end
    provider, cell = day.raster.cell_of(line.unit or "") or ("", 0)
    return provider, day.begin_of(cell), day.begin_of(cell + 1)


class _Stretch(NamedTuple):
    """Cells in a row that a block has of a provider."""

    block_id: UUID
    reason: str
    provider: str
    quantity: int
    first: int
    past: int


def _blocked(rows: list[Record], day: _Day) -> Iterator[Appointment]:
    for one in _stretches(rows, day.raster):
        yield Appointment(
            state="blocked",
            provider=one.provider,
            service=None,
            from_=day.begin_of(one.first),
            to=day.begin_of(one.past),
            quantity=one.quantity,
            block_id=ids.show(ids.BLOCK, one.block_id),
            reason=one.reason,
        )


def _stretches(rows: list[Record], raster: Raster) -> Iterator[_Stretch]:
    """The stretches of blocks; the rows are in the order of blocks and cells."""
    found: _Stretch | None = None
    for row in rows:
        provider, cell = raster.cell_of(row["unit"]) or ("", 0)
        of = (row["block_id"], row["reason"], provider, row["quantity"])
        if found is not None and (*found[:4], found.past) == (*of, cell):
            found = found._replace(past=cell + 1)
            continue
        if found is not None:
            yield found
        found = _Stretch(*of, cell, cell + 1)
    if found is not None:
        yield found
