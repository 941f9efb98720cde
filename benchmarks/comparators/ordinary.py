"""The part that the four FastAPI + SQLAlchemy comparators share: tables, session, routes.

A strategy is a `Way`: how to take seats and how to make them sold. Hold row, owner limit,
idempotency key and event are the same for all and run in the same transaction.
"""

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated
from uuid import UUID, uuid4

from fastapi import Depends, FastAPI, Request
from fastapi.responses import JSONResponse
from sqlalchemy import ARRAY, BigInteger, DateTime, Identity, Text, Uuid, func, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.orm.exc import StaleDataError

from benchmarks.comparators.contract import (
    HOLD_SECONDS,
    OWNER_LIMIT,
    ConfirmRequest,
    HoldAnswer,
    HoldRequest,
    Refused,
    check_key,
)


class Base(DeclarativeBase):
    """Declarative base of this process."""


class Hold(Base):
    """Who holds what, until when; unique (owner, idempotency_key) in the database."""

    __tablename__ = "hold"
    hold_id: Mapped[UUID] = mapped_column(Uuid, primary_key=True)
    show_id: Mapped[int] = mapped_column(BigInteger)
    owner: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(Text)
    units: Mapped[list[str]] = mapped_column(ARRAY(Text))
    expires_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    idempotency_key: Mapped[str] = mapped_column(Text)


class Event(Base):
    """What happened; one row a change."""

    __tablename__ = "event"
    position: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    show_id: Mapped[int] = mapped_column(BigInteger)
    kind: Mapped[str] = mapped_column(Text)
    hold_id: Mapped[UUID] = mapped_column(Uuid)
    units: Mapped[list[str]] = mapped_column(ARRAY(Text))
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=func.now())


def _unguarded(_: HoldRequest) -> AbstractAsyncContextManager[None]:
    return nullcontext()


@dataclass(frozen=True)
class Way:
    """One strategy: how seats are taken and sold, and what is locked around the transaction."""

    take: Callable[[AsyncSession, Hold], Awaitable[None]]
    sell: Callable[[AsyncSession, Hold], Awaitable[None]]
    guard: Callable[[HoldRequest], AbstractAsyncContextManager[None]] = _unguarded


TRIES = 3

engine = create_async_engine(
    os.environ["BENCH_DATABASE_URL"].replace("postgresql://", "postgresql+asyncpg://"),
    pool_size=20,
    max_overflow=20,
)
sessions = async_sessionmaker(engine, expire_on_commit=False)


async def new_session() -> AsyncIterator[AsyncSession]:
    """FastAPI dependency: a session a request."""
    async with sessions() as session:
        yield session


async def place(session: AsyncSession, request: HoldRequest, way: Way) -> Hold:
    """One transaction: limit, hold row, seats, event. A repeated key gives the first hold again."""
    async with way.guard(request):
        for _ in range(TRIES):
            hold = _new_hold(request)
            try:
                async with session.begin():
                    await _check_limit(session, hold)
                    session.add(hold)
                    # The unique key decides between twins, before any seat is touched.
                    await session.flush()
                    await way.take(session, hold)
                    session.add(_event("held", hold))
                return hold
            except IntegrityError:
                return await _first_answer(session, request)
            except StaleDataError:
                # Optimistic only: another was faster; look again at what is left.
                continue
    raise Refused(409, "unit_taken", request.units)


async def confirm(session: AsyncSession, request: ConfirmRequest, way: Way) -> Hold:
    """One transaction: only the owner, only while held and not expired."""
    async with session.begin():
        hold: Hold | None = await session.scalar(
            update(Hold)
            .where(Hold.hold_id == request.hold_id, Hold.owner == request.owner)
            .where(Hold.state == "held", Hold.expires_at > func.now())
            .values(state="confirmed")
            .returning(Hold)
        )
        if hold is None:
            raise Refused(410, "hold_expired")
        await way.sell(session, hold)
        session.add(_event("confirmed", hold))
    return hold


def _new_hold(request: HoldRequest) -> Hold:
    return Hold(
        hold_id=uuid4(),
        show_id=request.show_id,
        owner=request.owner,
        state="held",
        units=sorted(set(request.units)),
        expires_at=datetime.now(UTC) + timedelta(seconds=HOLD_SECONDS),
        idempotency_key=request.idempotency_key,
    )


async def _check_limit(session: AsyncSession, hold: Hold) -> None:
    held = await session.scalar(
        select(func.coalesce(func.sum(func.cardinality(Hold.units)), 0))
        .where(Hold.show_id == hold.show_id, Hold.owner == hold.owner)
        .where(Hold.idempotency_key != hold.idempotency_key)
        .where(or_(Hold.state == "confirmed", Hold.expires_at > func.now()))
    )
    if (held or 0) + len(hold.units) > OWNER_LIMIT:
        raise Refused(409, "limit_reached")


async def _first_answer(session: AsyncSession, request: HoldRequest) -> Hold:
    hold: Hold | None = await session.scalar(
        select(Hold).where(
            Hold.owner == request.owner, Hold.idempotency_key == request.idempotency_key
        )
    )
    if hold is None or hold.units != sorted(set(request.units)) or hold.show_id != request.show_id:
        raise Refused(422, "idempotency_key_reused")
    return hold


def _event(kind: str, hold: Hold) -> Event:
    return Event(show_id=hold.show_id, kind=kind, hold_id=hold.hold_id, units=hold.units)


def create_app(way: Way) -> FastAPI:
    """The application of one strategy."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await engine.dispose()

    app = FastAPI(lifespan=lifespan)
    Session = Annotated[AsyncSession, Depends(new_session)]

    @app.post("/holds", status_code=201, dependencies=[Depends(check_key)])
    async def post_hold(request: HoldRequest, session: Session) -> HoldAnswer:
        return HoldAnswer.model_validate(_shown(await place(session, request, way)))

    @app.post("/confirm", dependencies=[Depends(check_key)])
    async def post_confirm(request: ConfirmRequest, session: Session) -> HoldAnswer:
        return HoldAnswer.model_validate(_shown(await confirm(session, request, way)))

    @app.get("/healthz")
    async def healthz() -> dict[str, str]:
        return {"status": "ok"}

    @app.exception_handler(Refused)
    async def refused(_: Request, error: Refused) -> JSONResponse:
        return JSONResponse({"code": error.code, "conflicts": error.units}, error.status)

    return app


def _shown(hold: Hold) -> dict[str, object]:
    return {
        "id": hold.hold_id,
        "state": hold.state,
        "owner": hold.owner,
        "show_id": hold.show_id,
        "units": hold.units,
        "expires_at": hold.expires_at,
    }
