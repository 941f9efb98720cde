"""What the operator is shown of the budgets: how often guests met which step, and who is at one
now. Addresses and guests are as this worker knows them, which is what all workers know.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec

from bespeak.http.server.budgets import policy
from bespeak.http.server.budgets.counts import PERIOD_SECONDS, STEPS_PREFIX
from bespeak.http.server.budgets.policy import Asked, Step
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.http.server.budgets.gate import Budgets
    from bespeak.postgres.pool import Connection, Database

_QUERIES = load("bespeak.http.server.budgets", "budgets.sql")
_LOOKED_AT_MAX = 2000
_SHOWN_MAX = 100
_DIGEST_SHOWN = 8


class BudgetSteps(msgspec.Struct, frozen=True):
    """How often guests met a step of a budget, in this hour and in the one before."""

    budget: str
    step: str
    this_hour: int
    last_hour: int


class AddressAtStep(msgspec.Struct, frozen=True):
    """An address (of IPv6 the first 64 bits) that is at a step of a budget now, with the units that
    its guests hold now, and booked and wasted within the hour."""

    address: str
    budget: str
    step: str
    held: int
    booked: int
    wasted: int


class GuestAtStep(msgspec.Struct, frozen=True):
    """A guest who holds as much as one may: the begin of the digest by which they are known."""

    guest: str
    held: int


class BudgetReport(msgspec.Struct, frozen=True):
    """What the budgets do: whether they are `on`, only for `watch`, or `off`; the steps that were
    met; who is at one, the heaviest first; and which addresses are exempt."""

    mode: str
    steps: list[BudgetSteps]
    addresses: list[AddressAtStep]
    guests: list[GuestAtStep]
    exempt: list[str]


async def report(budgets: Budgets, database: Database, now: float) -> BudgetReport:
    """What is to be told at this time (seconds since 1970)."""
    exempt = [one.strip() for one in budgets.exempt.split(",") if one.strip()]
    async with database.borrow() as connection:
        steps = await steps_met(connection, now)
    return BudgetReport(
        budgets.mode,
        steps,
        _addresses(budgets, now),
        _guests(budgets),
        exempt,
    )


async def steps_met(connection: Connection, now: float) -> list[BudgetSteps]:
    """How often guests met which step, by what all workers have told (some seconds ago)."""
    hour = datetime.fromtimestamp(int(now) // PERIOD_SECONDS * PERIOD_SECONDS, UTC)
    before = datetime.fromtimestamp(hour.timestamp() - PERIOD_SECONDS, UTC)
    rows = await connection.fetch(_QUERIES["steps"], hour, before, STEPS_PREFIX)
    return [
        BudgetSteps(
            row["budget"].removeprefix(STEPS_PREFIX), row["step"], row["now"], row["before"]
        )
        for row in rows
    ]


def _addresses(budgets: Budgets, now: float) -> list[AddressAtStep]:
    """Those that are beyond a step of what is counted of all resources together."""
    holds = budgets.holds
    found: list[AddressAtStep] = []
    for prefix in holds.busiest(_LOOKED_AT_MAX):
        spent = policy.judge(Asked(prefix, "", {}, {}), holds, now)
        if spent is not None and spent.step is not Step.NOTED:
            found.append(
                AddressAtStep(
                    prefix,
                    spent.budget,
                    spent.step,
                    holds.held_by_prefix[prefix],
                    holds.booked_by_prefix[prefix],
                    holds.wasted_by_prefix[prefix],
                )
            )
            if len(found) == _SHOWN_MAX:
                break
    return found


def _guests(budgets: Budgets) -> list[GuestAtStep]:
    return [
        GuestAtStep(guest[:_DIGEST_SHOWN], held)
        for guest, held in budgets.holds.held_by_guest.most_common(_SHOWN_MAX)
        if held >= policy.GUEST_UNITS
    ]
