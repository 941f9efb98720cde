"""Reconciling: the provider's list of payments held against our record, and every difference told.
It goes hour by hour, so that it needs no more memory for a day than for an hour of it; what looks
like a difference is asked for again, on both sides, before it is called one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING
from uuid import UUID

import msgspec

from bespeak import ids
from bespeak.errors import InvalidId, InvalidRequest
from bespeak.payments.providers.provider import Charge, PaymentProvider, Standing
from bespeak.payments.reconciliation.differences import (
    Account,
    Difference,
    account_of,
    charged_twice,
    has_money,
    is_another,
    judge,
    with_money_first,
)
from bespeak.postgres.queries import load
from bespeak.settings import Settings

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database

QUERIES = load("bespeak.payments.reconciliation", "reconciliation.sql")
DIFFERENCES_MAX = 1000
"""How many differences a report lists; it counts all."""
WINDOW_MAX = timedelta(days=400)
_SLICE = timedelta(hours=1)
_PAGE = 1000
_AT_ONCE = 8

Progress = Callable[[int, int], Awaitable[None]]


class ReconciliationReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a run found: how many payments of the time we have and the provider has, how many still
    move (which are not compared), and in what they differ: how often, and the first 1,000."""

    provider: str
    since: datetime
    until: datetime
    ours: int
    theirs: int
    unsettled: int
    differences_total: int
    differences: list[Difference]


class _Slice:
    """The provider's payments of an hour, by our ids."""

    def __init__(self, since: datetime, until: datetime) -> None:
        self.since = since
        self.until = until
        self.theirs: dict[str, list[Standing]] = {}

    def note(self, standing: Standing) -> None:
        self.theirs.setdefault(standing.payment_id, []).append(standing)


class _Run:
    """One comparison of one provider over one time."""

    def __init__(self, database: Database, settings: Settings, provider: PaymentProvider) -> None:
        self._database = database
        self._provider = provider
        self._asked: set[str] = set()
        self._moving: set[str] = set()
        self.ours = 0
        self.theirs = 0
        self.found: list[Difference] = []
        self.found_total = 0

    @property
    def unsettled(self) -> int:
        """How many payments still move."""
        return len(self._moving)

    async def compare(self, hour: _Slice) -> None:
        """Compares what began in an hour, with us or with the provider."""
        async for standing in self._provider.charges(hour.since, hour.until):
            self.theirs += 1
            hour.note(standing)
        since, after = hour.since, None
        while accounts := await self._ours_between(since, hour.until, after):
            self.ours += len(accounts)
            await self._compare_ours(hour, accounts)
            since = accounts[-1].created_at
            after = ids.parse(ids.PAYMENT, accounts[-1].payment_id)
        left = [told for payment_id, told in hour.theirs.items() if payment_id not in self._asked]
        for first in range(0, len(left), _PAGE):
            await self._compare_theirs(left[first : first + _PAGE])

    async def _compare_ours(self, hour: _Slice, accounts: Sequence[Account]) -> None:
        """Our payments, with what the provider's list has of them. What it does not have there is
        looked up: it began with the provider in another hour, or never."""
        absent = []
        for account in accounts:
            told = hour.theirs.pop(account.payment_id, None)
            if told is not None:
                await self._judge(account, told)
            elif account.payment_id not in self._asked:
                absent.append(account)
        for account, standing in zip(absent, await self._looked_up(absent), strict=True):
            self._asked.add(account.payment_id)
            await self._judge(account, [] if standing is None else [standing])

    async def _compare_theirs(self, left: Sequence[list[Standing]]) -> None:
        """The provider's payments that did not begin with us in the same hour."""
        accounts = await self._ours_named(told[0].payment_id for told in left)
        self._asked.update(accounts)
        for told in left:
            await self._judge(accounts.get(told[0].payment_id), told)

    async def _judge(self, account: Account | None, told: Sequence[Standing]) -> None:
        if account is not None and account.is_moving:
            self._moving.add(account.payment_id)
            return
        standings = with_money_first(told)
        if account is not None:
            # The one that our record names is the payment; what others hold was charged beside it.
            others = [one for one in standings if is_another(account, one)]
            standings = [one for one in standings if not is_another(account, one)]
            self._tell(charged_twice(account, one) for one in others if has_money(one))
            if others and not standings:
                named = await self._provider.lookup(account.charge)
                standings = [] if named is None else [named]
        self._tell(charged_twice(account, one) for one in standings[1:] if has_money(one))
        standing = standings[0] if standings else None
        if judge(account, standing):
            await self._judge_again(account, standing)

    async def _judge_again(self, account: Account | None, standing: Standing | None) -> None:
        """Asks both sides anew: either may have moved between the two looks at it."""
        known = standing or account
        if known is None:
            return
        charge = Charge(payment_id=known.payment_id, amount=known.amount, reference=known.reference)
        again = await self._provider.lookup(charge)
        accounts = await self._ours_named([known.payment_id])
        account = accounts.get(known.payment_id)
        if account is not None and account.is_moving:
            self._moving.add(account.payment_id)
            return
        self._tell(judge(account, again))

    def _tell(self, found: Iterable[Difference]) -> None:
        for one in found:
            self.found_total += 1
            if len(self.found) < DIFFERENCES_MAX:
                self.found.append(one)

    async def _looked_up(self, accounts: Sequence[Account]) -> list[Standing | None]:
        found: list[Standing | None] = []
        for first in range(0, len(accounts), _AT_ONCE):
            some = accounts[first : first + _AT_ONCE]
            found += await asyncio.gather(*(self._provider.lookup(one.charge) for one in some))
        return found

    async def _ours_between(
        self, since: datetime, until: datetime, after: UUID | None
    ) -> list[Account]:
        async with self._database.borrow() as connection:
            rows = await connection.fetch(
                QUERIES["ours_between"], self._provider.name, since, until, after, _PAGE
            )
        return [account_of(row) for row in rows]

    async def _ours_named(self, payment_ids: Iterable[str]) -> dict[str, Account]:
        numbers = [number for one in payment_ids if (number := _number(one)) is not None]
        homes = [ids.home_of(number) for number in numbers]
        async with self._database.borrow() as connection:
            rows = await connection.fetch(
                QUERIES["ours_named"], self._provider.name, homes, numbers
            )
        return {account.payment_id: account for account in map(account_of, rows)}


async def reconcile(
    database: Database,
    settings: Settings,
    provider: PaymentProvider,
    since: datetime,
    until: datetime,
    progress: Progress | None = None,
) -> ReconciliationReport:
    """Compares a provider's payments that began from `since` until before `until` with our record.
    `progress` is told after each hour of it how many of ours and theirs were compared.

    Raises InvalidRequest, ProviderUnavailable, and what says that the service is away."""
    check_window(since, until)
    run = _Run(database, settings, provider)
    begin = since
    while begin < until:
        end = min(begin + _SLICE, until)
        await run.compare(_Slice(begin, end))
        if progress is not None:
            await progress(run.ours, run.theirs)
        begin = end
    return ReconciliationReport(
        provider=provider.name,
        since=since,
        until=until,
        ours=run.ours,
        theirs=run.theirs,
        unsettled=run.unsettled,
        differences_total=run.found_total,
        differences=run.found,
    )


async def note_report(
    database: Database, settings: Settings, report: ReconciliationReport, listed: int = 100
) -> None:
    """Keeps what a run found, with the first of the differences."""
    async with database.borrow() as connection:
        await connection.execute(
            QUERIES["finish"],
            report.provider,
            report.since,
            report.until,
            report.ours,
            report.theirs,
            report.unsettled,
            report.differences_total,
            msgspec.json.encode(report.differences[:listed]).decode(),
        )


class LastRun(msgspec.Struct, frozen=True, kw_only=True):
    """How reconciling with a provider stands: the run over the latest time, and the latest that
    found differences. All but the provider is null where there was none; the provider is `any`
    where there never was one, though money was taken. `is_old`: days went by since."""

    provider: str
    since: datetime | None
    until: datetime | None
    ended_at: datetime | None
    unsettled: int | None
    failure: str | None
    is_old: bool | None
    bad_since: datetime | None
    bad_until: datetime | None
    bad_differences: int | None


async def last_runs(connection: Connection) -> list[LastRun]:
    """How reconciling stands, for each provider; nothing where no money was ever taken."""
    rows = await connection.fetch(QUERIES["last_runs"])
    return [LastRun(**{name: row[name] for name in LastRun.__struct_fields__}) for row in rows]


def check_window(since: datetime, until: datetime) -> None:
    """Raises InvalidRequest for a time that is none, or too long to be meant."""
    if since >= until:
        raise InvalidRequest("since is before until", field="since")
    if until - since > WINDOW_MAX:
        raise InvalidRequest(f"at most {WINDOW_MAX.days} days at once", field="since")


def day_of(day: date) -> tuple[datetime, datetime]:
    """The half-open time of a day in UTC."""
    since = datetime.combine(day, time(), UTC)
    return since, since + timedelta(days=1)


def _number(payment_id: str) -> UUID | None:
    """The number of a payment of ours; None for what is no id of ours at all."""
    try:
        return ids.parse(ids.PAYMENT, payment_id)
    except InvalidId:
        return None
