"""Makes the report of a day, or of several, from the payments and refunds of them,
page by page, so that the day of a stadium neither fills the memory nor keeps others waiting.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec

from bespeak import ids
from bespeak.errors import InvalidRequest
from bespeak.inventory.resources import ReadyResource
from bespeak.invoices.content import returned_shares, tax_shares, unit_amounts
from bespeak.payments.takings import takings_of
from bespeak.postgres.queries import load
from bespeak.reports.day_report import (
    DayFree,
    DayReport,
    DaySales,
    FeeSums,
    PeriodDay,
    PeriodReport,
    TaxSums,
    money_sums,
    refund_sums,
)
from bespeak.reservations.costs import decode_quote
from bespeak.reservations.holds import held_lines

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.postgres.pool import Record

_QUERIES = load("bespeak.reports", "days.sql")
_PAGE = 500
_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
_NOBODY = UUID(int=0)
# A leap year. What one call adds up is bounded by how much happened, too.
DAYS_MAX = 366
_MOVES_MAX = 200_000


class _Sold(NamedTuple):
    """By what sales are added up."""

    resource: str | None
    category: str | None
    provider: str
    currency: str


class Days:
    """Reports of days, for one process."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        # One at a time: a great day takes the processor for some seconds.
        self._making = asyncio.Semaphore(1)
        # Apart, so that the report of a day does not wait for that of a year.
        self._making_long = asyncio.Semaphore(1)

    async def report(self, day: date, zone: str, workspace: str | None) -> DayReport:
        """The report of a day, of a workspace or of all. Raises DatabaseUnavailable."""
        since, until = bounds(day, zone)
        async with self._making:
            made = await _Making(self._engine, since, until, workspace).period(day, day, zone)
        told = msgspec.structs.asdict(made)
        del told["first"], told["last"], told["days"]
        return DayReport(date=day, **told)

    async def period(
        self, first: date, last: date, zone: str, workspace: str | None
    ) -> PeriodReport:
        """The sums of the reports of some days. Raises InvalidRequest, DatabaseUnavailable."""
        count = (last - first).days + 1
        if not 1 <= count <= DAYS_MAX:
            told = f"`last` is `first` or a later day, and both are at most {DAYS_MAX} days"
            raise InvalidRequest(told, field="last")
        since, until = bounds(first, zone)[0], bounds(last, zone)[1]
        async with self._making_long:
            await self._check_moves(since, until, workspace)
            return await _Making(self._engine, since, until, workspace).period(first, last, zone)

    async def _check_moves(self, since: datetime, until: datetime, workspace: str | None) -> None:
        counted = (since, until, workspace, _MOVES_MAX + 1)
        moves = await self._engine.reads.run(
            lambda used: used.fetchval(_QUERIES["count_moves"], *counted)
        )
        if moves > _MOVES_MAX:
            told = f"more than {_MOVES_MAX} payments and refunds: ask for fewer days at a time"
            raise InvalidRequest(told, field="last")


def bounds(day: date, zone: str) -> tuple[datetime, datetime]:
    """When a day begins and ends by the clocks of a zone: 23 to 25 hours."""
    start = datetime.combine(day, time(), ZoneInfo(zone))
    end = datetime.combine(day + timedelta(days=1), time(), ZoneInfo(zone))
    return start.astimezone(UTC), end.astimezone(UTC)


class _Making:
    def __init__(
        self, engine: Engine, since: datetime, until: datetime, workspace: str | None
    ) -> None:
        self._engine = engine
        self._time = (since, until)
        self._workspace = workspace
        self._units: Counter[_Sold] = Counter()
        self._amounts: Counter[_Sold] = Counter()
        self._bookings = 0
        self._fees, self._taxes, self._back = FeeSums(), TaxSums(), TaxSums()
        self._refunds: dict[tuple[str, str], tuple[int, int]] = {}
        self._names: dict[str, str] = {}

    async def period(self, first: date, last: date, zone: str) -> PeriodReport:
        async for row in self._rows("sales", "payment_id"):
            await self._add_sale(row)
        async for row in self._rows("returned", "refund_id"):
            self._add_refund(row)
        reads = self._engine.reads
        days = [first + timedelta(days=at) for at in range((last - first).days + 1)]
        starts = [bounds(day, zone)[0] for day in days]
        moved = await reads.run(
            lambda used: used.fetch(_QUERIES["moved"], *self._time, self._workspace, starts)
        )
        moves = [_period_day(row, days[row["day"] - 1]) for row in moved]
        free = await reads.run(
            lambda used: used.fetch(_QUERIES["given_free"], *self._time, self._workspace)
        )
        return PeriodReport(
            first=first,
            last=last,
            time_zone=zone,
            since=self._time[0],
            until=self._time[1],
            bookings=self._bookings,
            sales=self._sales(),
            money=money_sums(moves),
            fees=self._fees.told(),
            taxes=self._taxes.told(),
            refunded_taxes=self._back.told(),
            refunds=refund_sums(self._refunds),
            desk=await takings_of(reads, *self._time, self._workspace),
            free=[_free(row) for row in free],
            days=moves,
        )

    async def _rows(self, name: str, key: str) -> AsyncIterator[Record]:
        """All rows of a statement, a page at a time, others served in between."""
        place = (_BEGINNING, _NOBODY)
        while True:
            rows = await self._page(name, place)
            for row in rows:
                yield row
            if len(rows) < _PAGE:
                return
            place = (rows[-1]["at"], rows[-1][key])
            await asyncio.sleep(0)

    async def _page(self, name: str, place: tuple[datetime, UUID]) -> list[Record]:
        arguments = (*self._time, self._workspace, *place, _PAGE)
        return await self._engine.reads.run(lambda used: used.fetch(_QUERIES[name], *arguments))

    async def _add_sale(self, row: Record) -> None:
        hold, provider, currency = row["hold"], row["provider"], row["currency"]
        quote = decode_quote(hold["quote"])
        lines = held_lines(hold)
        amounts = unit_amounts(hold["amounts"], len(lines), row["amount"])
        self._bookings += 1
        for line, amount in zip(lines, amounts, strict=True):
            ready = await self._ready(line.resource_id)
            category = None if ready is None else ready.plan.category_of(line.unit)
            key = _Sold(line.resource_id, category, provider, currency)
            self._units[key] += line.quantity or 1
            self._amounts[key] += amount
        of_order = row["amount"] - sum(amounts)
        if of_order:
            self._amounts[_Sold(None, None, provider, currency)] += of_order
        parts = [] if quote is None else quote.lines
        self._fees.add(parts, currency)
        self._taxes.add(tax_shares(parts, row["amount"]), currency)

    def _add_refund(self, row: Record) -> None:
        cause, currency, amount = row["cause"], row["currency"], row["amount"]
        count, sum_before = self._refunds.get((cause, currency), (0, 0))
        self._refunds[cause, currency] = (count + 1, sum_before + amount)
        if row["late"] == "refund":
            return  # it was nobody's sale, and no tax was on it
        quote = decode_quote(row["quote"])
        shares = tax_shares([] if quote is None else quote.lines, row["captured"])
        self._back.add(returned_shares(shares, row["captured"], row["before"], amount), currency)

    async def _ready(self, resource_id: str) -> ReadyResource | None:
        number = ids.parse_resource(resource_id)
        ready = (await self._engine.ready_resources.get_many([number], None)).get(number)
        if ready is not None:
            self._names[resource_id] = ready.resource.name
        return ready

    def _sales(self) -> list[DaySales]:
        found = [
            DaySales(
                resource_id=key.resource,
                name="" if key.resource is None else self._names.get(key.resource, key.resource),
                category=key.category,
                provider=key.provider,
                currency=key.currency,
                units=self._units[key],
                amount=amount,
            )
            for key, amount in self._amounts.items()
        ]
        return sorted(
            found,
            key=lambda one: (
                one.resource_id is None,
                one.name,
                one.resource_id or "",
                one.category or "",
                one.provider,
                one.currency,
            ),
        )


def _period_day(row: Record, day: date) -> PeriodDay:
    return PeriodDay(
        date=day,
        provider=row["provider"],
        currency=row["currency"],
        payments=row["payments"],
        taken=row["taken"],
        taken_for_nothing=row["taken_for_nothing"],
        refunds=row["refunds"],
        returned=row["returned"],
        balance=row["taken"] - row["returned"],
    )


def _free(row: Record) -> DayFree:
    return DayFree(
        resource_id=ids.show_resource(row["resource_id"]),
        name=row["name"],
        reason=row["reason"],
        currency=row["currency"],
        bookings=row["bookings"],
        units=row["units"],
        worth=row["worth"],
    )
