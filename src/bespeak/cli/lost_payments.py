"""The half of `bespeak reconcile` that recovers: lists the payments that our record lost, and takes
them back into it, by booking again or by giving back.
"""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import TYPE_CHECKING

from bespeak.cli.options import DatabaseChoice

if TYPE_CHECKING:
    from bespeak.payments.reconciliation.lost import LostPayment, RecoveredPayment

_RECOVERED = ("rebooked", "returned", "known")


def recover_lost(
    time: tuple[datetime, datetime],
    provider: str | None,
    database: DatabaseChoice | None,
    *,
    refund: bool,
    is_dry: bool,
    as_json: bool,
) -> int:
    """Lists the lost payments of a half-open time, and recovers them unless it `is_dry`. The status
    is 1 while any is left."""
    from bespeak.cli.databases import opened
    from bespeak.cli.output import print_json

    with opened(database) as url:
        found = asyncio.run(_recover(url, time, provider, refund=refund, is_dry=is_dry))
    if as_json:
        print_json([{"lost": lost, "recovered": recovered} for lost, recovered in found])
    else:
        _print(found, is_dry=is_dry)
    is_left = any(one is None or one.outcome not in _RECOVERED for _, one in found)
    return 1 if is_left else 0


async def _recover(
    url: str,
    time: tuple[datetime, datetime],
    provider: str | None,
    *,
    refund: bool,
    is_dry: bool,
) -> list[tuple[LostPayment, RecoveredPayment | None]]:
    from bespeak.cli.providers import with_providers
    from bespeak.payments.reconciliation.lost import Remedy, lost_payments, recover
    from bespeak.payments.refunds.refunder import Refunder

    found: list[tuple[LostPayment, RecoveredPayment | None]] = []
    async with with_providers(url, provider) as engine:
        for each in engine.payments.providers.values():
            # All are found before the first is recovered: what is booked again may be what another
            # paid for as well.
            lost = [one async for one in lost_payments(engine.database, each, *time)]
            for one in sorted(lost, key=lambda one: (one.created_at, one.payment_id)):
                recovered = None
                if not is_dry and one.remedy is not Remedy.BY_HAND:
                    recovered = await recover(engine.payments, one, refund=refund)
                found.append((one, recovered))
        if not is_dry:
            # At once, though the background worker would do it too.
            await Refunder(engine.payments, engine.refunds).look()
    return found


def _print(found: list[tuple[LostPayment, RecoveredPayment | None]], *, is_dry: bool) -> None:
    from rich.table import Table

    from bespeak.cli.output import results
    from bespeak.payments.reconciliation.lost import described

    console = results()
    if not found:
        console.print("no payment is lost")
        return
    table = Table("payment", "money", "owner", "paid for", "done" if not is_dry else "can be done")
    for lost, recovered in found:
        ordered = lost.ordered
        table.add_row(
            lost.payment_id,
            f"{lost.state} {lost.amount.amount} {lost.amount.currency}",
            "not known" if ordered is None else ordered.owner,
            "not known" if ordered is None else described(ordered.lines),
            lost.remedy if recovered is None else recovered.outcome,
        )
    console.print(table)
    if is_dry:
        console.print("nothing was done: add --apply to do it")
