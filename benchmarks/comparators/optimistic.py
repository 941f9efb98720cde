"""Comparator (c): no locks; a version column tells at the write that another was faster.

SQLAlchemy checks the version (`version_id_col`) and raises on a stale seat; the transaction is then
tried again on what the winner left.
"""

from sqlalchemy import Integer, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from benchmarks.comparators.ordinary import Base, Hold, Way, create_app
from benchmarks.comparators.seats import SeatColumns, assign, selling


class VersionedSeat(SeatColumns, Base):
    """The seat with its version, which every write raises by one."""

    version: Mapped[int] = mapped_column(Integer)
    __mapper_args__ = {"version_id_col": version}  # noqa: RUF012 - SQLAlchemy's form


async def take(session: AsyncSession, hold: Hold) -> None:
    """The flush at commit finds out whether what was read is still true."""
    seats = await session.scalars(
        select(VersionedSeat)
        .where(VersionedSeat.show_id == hold.show_id, VersionedSeat.unit.in_(hold.units))
        .order_by(VersionedSeat.unit)
    )
    assign(seats.all(), hold)


app = create_app(Way(take, selling(VersionedSeat)))
