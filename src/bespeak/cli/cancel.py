"""`bespeak cancel`: calls a whole resource off, or goes on showing how far that has come."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Literal

from bespeak.cli.options import DatabaseChoice, Json

if TYPE_CHECKING:
    from bespeak.payments.refunds.call_off import CalledOff

_LOOK_SECONDS = 0.5


def cancel(
    resource: str,
    /,
    *,
    reason: str | None = None,
    refund: Literal["full", "policy"] = "full",
    follow: bool = False,
    database: DatabaseChoice | None = None,
    as_json: Json = False,
) -> int:
    """Call a whole resource off: no more is sold, all of it is cancelled, the money goes back.

    The background worker does it. It can be killed and goes on where it was. Without a reason
    nothing is called off, and only told how far it has come. The status is 1 if a refund failed.

    For example:

        bespeak cancel res_kbq6mf4p --reason "A storm" --follow

        bespeak cancel res_kbq6mf4p

    Parameters
    ----------
    resource
        The id of the resource.
    reason
        Why, for the record and for the buyers.
    refund
        All of the money, or what each booking was sold with.
    follow
        Tell how far it has come, again and again, until it is done and no refund is pending.
    as_json
        Print JSON objects, one a line.
    """
    from bespeak.cli.databases import opened

    with opened(database) as url:
        last = asyncio.run(_run(url, resource, reason, refund, follow=follow, as_json=as_json))
    return 1 if last.refunds.failed else 0


async def _run(
    url: str,
    resource: str,
    reason: str | None,
    refund: Literal["full", "policy"],
    *,
    follow: bool,
    as_json: bool,
) -> CalledOff:
    from bespeak.assembly import connect
    from bespeak.cli.output import answer

    async with connect(url, sweep=False) as engine:
        if reason is None:
            told = await engine.cancellation(resource)
        else:
            told = await engine.call_off(resource, reason=reason, refund=refund)
        answer(told, _print, as_json=as_json)
        while follow and (told.state == "running" or told.refunds.pending):
            before = told
            await asyncio.sleep(_LOOK_SECONDS)
            told = await engine.cancellation(resource)
            if told != before:
                answer(told, _print, as_json=as_json)
        return told


def _print(told: CalledOff) -> None:
    print(
        f"{told.state}: {told.bookings_done} of {told.bookings_total} bookings cancelled, "
        f"{told.holds_released} holds released; {told.refunds.refunded} refunds made, "
        f"{told.refunds.pending} pending, {told.refunds.failed} failed"
    )
