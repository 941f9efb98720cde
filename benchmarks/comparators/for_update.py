"""Comparator (a), the ordinary way: lock the seat rows, look, write; one transaction a request."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from benchmarks.comparators.ordinary import Base, Hold, Way, create_app
from benchmarks.comparators.seats import SeatColumns, assign, selling


class Seat(SeatColumns, Base):
    """The seat as it is."""


async def take(session: AsyncSession, hold: Hold) -> None:
    """Locks in the order of the labels, so that two takers cannot deadlock."""
    seats = await session.scalars(
        select(Seat)
        .where(Seat.show_id == hold.show_id, Seat.unit.in_(hold.units))
        .order_by(Seat.unit)
        .with_for_update()
    )
    assign(seats.all(), hold)


app = create_app(Way(take, selling(Seat)))
