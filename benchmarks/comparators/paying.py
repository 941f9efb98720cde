"""The ordinary way to be paid: comparator (a) with a payment row and a bank in the same process.

A transaction writes the payment down, the bank authorizes, a second one sells the seats, and after
the answer the money is captured and a third one says so. The bank keeps its books in the database,
a transaction each, and takes no time of its own, as the sandbox does.
"""

from datetime import datetime
from typing import Annotated
from uuid import UUID, uuid4

from fastapi import BackgroundTasks, Depends
from pydantic import BaseModel
from sqlalchemy import BigInteger, DateTime, Text, Uuid, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from benchmarks.comparators.contract import Label, Refused, check_key
from benchmarks.comparators.for_update import Seat, take
from benchmarks.comparators.ordinary import (
    Base,
    Event,
    Hold,
    Way,
    create_app,
    new_session,
    sessions,
)
from benchmarks.comparators.seats import selling

PRICE = 1500


class Payment(Base):
    """A payment of a hold; unique while it is under way or done."""

    __tablename__ = "payment"
    payment_id: Mapped[UUID] = mapped_column(Uuid, primary_key=True)
    hold_id: Mapped[UUID] = mapped_column(Uuid)
    owner: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(Text)
    amount: Mapped[int] = mapped_column(BigInteger)
    reference: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=func.now())


class BankPayment(Base):
    """The same, as the bank has it."""

    __tablename__ = "bank_payment"
    payment_id: Mapped[UUID] = mapped_column(Uuid, primary_key=True)
    reference: Mapped[str] = mapped_column(Text)
    token: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(Text)
    amount: Mapped[int] = mapped_column(BigInteger)


class PayRequest(BaseModel):
    """Pay for a hold."""

    hold_id: UUID
    owner: Label
    token: Label


class PayAnswer(BaseModel):
    """A hold that was paid."""

    hold_id: UUID
    payment_id: UUID
    state: str
    amount: int


async def authorize(payment: Payment, token: str) -> str | None:
    """The bank reserves the money; its reference, or None where it declines."""
    made = BankPayment(
        payment_id=payment.payment_id,
        reference=uuid4().hex,
        token=token,
        state="authorized" if token == "tok_success" else "failed",
        amount=payment.amount,
    )
    async with sessions() as session, session.begin():
        session.add(made)
    return made.reference if made.state == "authorized" else None


async def capture(payment_id: UUID) -> None:
    """The bank takes the money, and that is written down."""
    for table in (BankPayment, Payment):
        async with sessions() as session, session.begin():
            await session.execute(
                update(table)
                .where(table.payment_id == payment_id, table.state == "authorized")
                .values(state="captured")
            )


async def begin(session: AsyncSession, request: PayRequest) -> Payment:
    """Writes down that the hold is about to be paid."""
    async with session.begin():
        hold = await _locked(session, request)
        payment = Payment(
            payment_id=uuid4(),
            hold_id=hold.hold_id,
            owner=hold.owner,
            state="pending",
            amount=PRICE * len(hold.units),
        )
        session.add(payment)
        session.add(_event("payment_begun", hold))
    return payment


async def settle(
    session: AsyncSession, request: PayRequest, payment: Payment, reference: str | None
) -> None:
    """Sells the seats, if the money is there."""
    async with session.begin():
        hold = await _locked(session, request)
        session.add(payment)
        payment.reference = reference
        payment.state = "failed" if reference is None else "authorized"
        if reference is not None:
            hold.state = "confirmed"
            await selling(Seat)(session, hold)
            session.add(_event("confirmed", hold))
    if reference is None:
        raise Refused(402, "payment_declined")


async def _locked(session: AsyncSession, request: PayRequest) -> Hold:
    hold: Hold | None = await session.scalar(
        select(Hold)
        .where(Hold.hold_id == request.hold_id, Hold.owner == request.owner)
        .where(Hold.state == "held", Hold.expires_at > func.now())
        .with_for_update()
    )
    if hold is None:
        raise Refused(410, "hold_expired")
    return hold


def _event(kind: str, hold: Hold) -> Event:
    return Event(show_id=hold.show_id, kind=kind, hold_id=hold.hold_id, units=hold.units)


app = create_app(Way(take, selling(Seat)))
Session = Annotated[AsyncSession, Depends(new_session)]


@app.post("/pay", status_code=201, dependencies=[Depends(check_key)])
async def post_payment(
    request: PayRequest, session: Session, afterwards: BackgroundTasks
) -> PayAnswer:
    try:
        payment = await begin(session, request)
    except IntegrityError as error:
        raise Refused(409, "payment_in_progress") from error
    reference = await authorize(payment, request.token)
    await settle(session, request, payment, reference)
    afterwards.add_task(capture, payment.payment_id)
    return PayAnswer(
        hold_id=request.hold_id,
        payment_id=payment.payment_id,
        state=payment.state,
        amount=payment.amount,
    )
