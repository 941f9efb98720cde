"""The seat row of the comparators that fill their seats in beforehand, and how a seat is sold.

A seat is free when nobody holds it or its hold has lapsed; sold means held for ever.
"""

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from uuid import UUID

from sqlalchemy import BigInteger, DateTime, Text, Uuid, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from benchmarks.comparators.contract import Refused
from benchmarks.comparators.ordinary import Hold

# Not 'infinity', which Python's datetime cannot hold.
FOREVER = datetime(9999, 12, 31, tzinfo=UTC)


class SeatColumns:
    """One seat of one show; each comparator maps it to its own class."""

    __tablename__ = "seat"
    show_id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    unit: Mapped[str] = mapped_column(Text, primary_key=True)
    hold_id: Mapped[UUID | None] = mapped_column(Uuid)
    expires_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))

    def is_free(self) -> bool:
        """Never held, or its hold has lapsed."""
        return self.expires_at is None or self.expires_at <= datetime.now(UTC)


def assign(seats: Sequence[SeatColumns], hold: Hold) -> None:
    """Give the seats to the hold, or refuse all of them."""
    if len(seats) != len(hold.units):
        raise Refused(422, "unknown_unit")
    if taken := [seat.unit for seat in seats if not seat.is_free()]:
        raise Refused(409, "unit_taken", taken)
    for seat in seats:
        seat.hold_id = hold.hold_id
        seat.expires_at = hold.expires_at


def selling(seat: type[SeatColumns]) -> Callable[[AsyncSession, Hold], Awaitable[None]]:
    """How the seats of a confirmed hold are kept from lapsing."""

    async def sell(session: AsyncSession, hold: Hold) -> None:
        await session.execute(
            update(seat)
            .where(seat.show_id == hold.show_id, seat.unit.in_(hold.units))
            .where(seat.hold_id == hold.hold_id)
            .values(expires_at=FOREVER)
            .execution_options(synchronize_session=False)
        )

    return sell
