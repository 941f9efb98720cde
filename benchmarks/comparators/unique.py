"""Comparator (b): no row for a free seat; the primary key of the claim decides.

An expired claim is taken over by the insert itself. It does not check that a seat exists, which
spares it a query.
"""

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, DateTime, Text, Uuid, func, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from benchmarks.comparators.contract import Refused
from benchmarks.comparators.ordinary import Base, Hold, Way, create_app


class Claim(Base):
    """The row that says a seat is taken, by which hold, until when."""

    __tablename__ = "claim"
    show_id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    unit: Mapped[str] = mapped_column(Text, primary_key=True)
    hold_id: Mapped[UUID] = mapped_column(Uuid)
    expires_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


async def take(session: AsyncSession, hold: Hold) -> None:
    """One insert; fewer rows than seats means that another has one of them."""
    statement = insert(Claim).values(
        [
            {"show_id": hold.show_id, "unit": unit, "hold_id": hold.hold_id,
             "expires_at": hold.expires_at}
            for unit in hold.units
        ]
    )  # fmt: skip
    new = statement.excluded
    claimed = await session.scalars(
        statement.on_conflict_do_update(
            index_elements=[Claim.show_id, Claim.unit],
            set_={"hold_id": new.hold_id, "expires_at": new.expires_at},
            where=Claim.expires_at <= func.now(),
        ).returning(Claim.unit)
    )
    if missing := sorted(set(hold.units) - set(claimed)):
        raise Refused(409, "unit_taken", missing)


async def sell(session: AsyncSession, hold: Hold) -> None:
    """The claims of a confirmed hold never lapse."""
    await session.execute(
        update(Claim)
        .where(Claim.show_id == hold.show_id, Claim.unit.in_(hold.units))
        .where(Claim.hold_id == hold.hold_id)
        .values(expires_at=text("'infinity'"))
        .execution_options(synchronize_session=False)
    )


app = create_app(Way(take, sell))
