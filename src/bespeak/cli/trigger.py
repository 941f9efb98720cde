"""`bespeak trigger`: makes something happen at a server with the sandbox, so that a developer sees
its webhook: with play money, and a resource of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import msgspec
from cyclopts import Parameter

from bespeak.lines import Line
from bespeak.payments.errors import PaymentDeclined

if TYPE_CHECKING:
    from bespeak.client import Client
    from bespeak.reservations.holds import Booking

_OWNER = "bespeak trigger"
_AMOUNT = 1500
_PATIENCE_SECONDS = 30.0
# The same content under the same key: made once, and found again by the next trigger.
_RESOURCE = {
    "name": "bespeak trigger",
    "kind": "trigger",
    "plan": {"type": "pools", "pools": [{"unit": "place", "capacity": 1_000_000}]},
    "price": {"amount": _AMOUNT, "currency": "EUR"},
    "payment": "required",
}


def trigger(
    what: str,
    /,
    *,
    url: str | None = None,
    key: Annotated[str | None, Parameter(env_var="BESPEAK_KEY")] = None,
) -> int:
    """Make something happen at the sandbox, to see its webhook.

    Places a hold of a resource that it makes for itself, and pays, lets go or cancels as it takes
    for the event; prints all events until then. Only where the payment provider `sandbox` is set
    up, as in the demo; anywhere else it refuses, and changes nothing.

    For example:

        bespeak trigger payment.late

        bespeak trigger refund.failed --url http://127.0.0.1:8000

    Parameters
    ----------
    what
        The type of the event: hold.held, hold.extended, hold.released, hold.expired,
        booking.confirmed, booking.cancelled, payment.begun, payment.authorized, payment.captured,
        payment.failed, payment.voided, payment.late, refund.begun, refund.refunded or
        refund.failed.
    url
        The server; without it, the one that runs on this machine.
    key
        An admin key (ak_). Not needed for a demo, or a serve --json, of yours on this machine.
    """
    from bespeak.cli.remote import address
    from bespeak.errors import InvalidRequest

    if what not in STORIES:
        raise InvalidRequest(f"cannot make {what[:60]}: there are {', '.join(STORIES)}")
    at, secret = address(url, key, "ak")
    return 0 if asyncio.run(_run(at, secret, what)) else 1


async def _run(url: str, key: str, what: str) -> bool:
    from bespeak.cli.output import say
    from bespeak.client import Client

    async with Client(url, key) as client:
        stage = await _set_up(client, STORIES[what].outcome)
        await STORIES[what].tell(stage)
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                await _watch(stage, what)
        except TimeoutError:
            say(f"no {what} within {_PATIENCE_SECONDS:g} seconds: does a background worker run?")
            return False
    return True


class _Named(msgspec.Struct):
    id: str


class _Token(msgspec.Struct):
    token: str


class _Stage:
    """What a story needs: a server, a resource to hold, a token to pay with; and where the feed
    ended before."""

    def __init__(self, client: Client, resource: str, token: str, cursor: str) -> None:
        self.client = client
        self.resource = resource
        self.cursor = cursor
        self.hold_id = ""
        self._token = token

    async def hold(self, seconds: int = 60) -> None:
        line = Line(self.resource, "place", 1)
        hold = await self.client.place_hold(owner=_OWNER, lines=[line], hold_seconds=seconds)
        self.hold_id = hold.id

    async def pay(self) -> Booking | None:
        """Pays for the hold; the booking, if it is one already."""
        paid = await self.client.pay(self.hold_id, token=self._token, provider="sandbox")
        return paid.booking


async def _set_up(client: Client, outcome: str) -> _Stage:
    """Asks for a token first: where there is no sandbox, nothing is made. Raises
    ProviderUnknown."""
    body = {"owner": _OWNER, "outcome": outcome}
    token = (await client.call("POST", "/sandbox/tokens", _Token, body)).token
    made = await client.call("POST", "/v1/resources", _Named, _RESOURCE, idempotency_key=_OWNER)
    return _Stage(client, made.id, token, (await client.events_snapshot(limit=1)).cursor)


async def _watch(stage: _Stage, what: str) -> None:
    """Prints what happens to the hold, until what was wished for."""
    from bespeak.notifications.webhooks.message import TYPES

    async for event in stage.client.follow(after=stage.cursor, resource_id=stage.resource):
        if event.hold_id == stage.hold_id:
            print(f"{event.cursor}  {TYPES[event.kind]}", flush=True)
            if TYPES[event.kind] == what:
                return


class _Story(msgspec.Struct, frozen=True):
    """How something comes to happen: what becomes of the payment at the sandbox, and the steps."""

    tell: Callable[[_Stage], Awaitable[None]]
    outcome: str = "success"


async def _held(stage: _Stage) -> None:
    await stage.hold()


async def _extended(stage: _Stage) -> None:
    await stage.hold()
    await stage.client.extend_hold(stage.hold_id, seconds=300)


async def _released(stage: _Stage) -> None:
    await stage.hold()
    await stage.client.release_hold(stage.hold_id)


async def _expired(stage: _Stage) -> None:
    await stage.hold(seconds=1)


async def _bought(stage: _Stage) -> None:
    await stage.hold()
    await stage.pay()


async def _declined(stage: _Stage) -> None:
    await stage.hold()
    with suppress(PaymentDeclined):
        await stage.pay()


async def _too_late(stage: _Stage) -> None:
    """The bank takes its time, and the hold is let go meanwhile."""
    await stage.hold()
    await stage.pay()
    await stage.client.release_hold(stage.hold_id)


async def _cancelled(stage: _Stage) -> None:
    await stage.hold()
    booking = await stage.pay()
    if booking is not None:
        await stage.client.cancel_booking(booking.id, reason="triggered")


STORIES = {
    "hold.held": _Story(_held),
    "hold.extended": _Story(_extended),
    "hold.released": _Story(_released),
    "hold.expired": _Story(_expired),
    "booking.confirmed": _Story(_bought),
    "booking.cancelled": _Story(_cancelled),
    "payment.begun": _Story(_bought),
    "payment.authorized": _Story(_bought),
    "payment.captured": _Story(_bought),
    "payment.failed": _Story(_declined, "declined"),
    "payment.voided": _Story(_too_late, "pending"),
    "payment.late": _Story(_too_late, "pending"),
    "refund.begun": _Story(_cancelled),
    "refund.refunded": _Story(_cancelled),
    "refund.failed": _Story(_cancelled, "refund_fails"),
}
