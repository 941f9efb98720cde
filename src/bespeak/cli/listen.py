"""`bespeak listen`: webhooks to a program on this machine, which no server could reach. It follows
the feed over the API, so that it works with a server anywhere, and signs as webhooks are signed.
"""

from __future__ import annotations

import asyncio
import base64
import time
from typing import TYPE_CHECKING, Annotated

import msgspec
from cyclopts import Parameter

from bespeak.cli.options import Json

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bespeak.client import Client
    from bespeak.feed.reader import Event
    from bespeak.notifications.webhooks.sender import WebhookSender
    from bespeak.states import EventKind

_PAGE = 100
_SECRET_PREFIX = "whsec_"  # noqa: S105 (how every secret begins)
_PAUSE_SECONDS = 0.25
_PATIENCE_SECONDS = 3.0


class _Forwarded(msgspec.Struct, frozen=True):
    """What became of an event, as a line tells it."""

    event: str
    type: str
    status: int | None
    failure: str | None
    ms: int


def listen(
    *,
    forward_to: str,
    url: str | None = None,
    key: Annotated[str | None, Parameter(env_var="BESPEAK_KEY")] = None,
    events: str | None = None,
    after: str | None = None,
    replay: str | None = None,
    secret: Annotated[str | None, Parameter(env_var="BESPEAK_LISTEN_SECRET")] = None,
    as_json: Json = False,
) -> int:
    """Send webhooks to a program on this machine, as they happen.

    Follows the server's feed, signs each event as a webhook, posts it, and prints a line with the
    answer's status. One that fails is not sent again by itself: use `--replay` with the event that
    its line names. Needs a secret key of the server; nothing has to reach this machine.

    For example:

        bespeak listen --forward-to http://127.0.0.1:3000/hooks

        bespeak listen --forward-to http://127.0.0.1:3000/hooks --events payment.late,refund.failed

        bespeak listen --forward-to http://127.0.0.1:3000/hooks --replay 1a2b3c4d5-2f4

    Parameters
    ----------
    forward_to
        Where to post.
    url
        The server; without it, the one that runs on this machine.
    key
        A secret key (sk_). Not needed for a demo, or a serve --json, of yours on this machine.
    events
        Only these types, with commas between, as booking.confirmed,payment.late.
    after
        Begin behind this event instead of now.
    replay
        Send this one event, and end; the status is 1 if it was not delivered.
    secret
        What to sign with (whsec_...). Without it, a new one is made and printed.
    as_json
        Print JSON objects, one a line.
    """
    from bespeak.cli.remote import address
    from bespeak.feed.cursors import check_feed_cursor
    from bespeak.notifications.webhooks.endpoints import new_secret

    for cursor in (after, replay):
        if cursor is not None:
            check_feed_cursor(cursor)
    at, api_key = address(url, key, "sk")
    chosen = secret or new_secret()
    forwarder = _Forwarder(_checked(forward_to), chosen, as_json=as_json)
    kinds = _kinds(events)
    forwarder.tell_secret()
    if replay is not None:
        return 0 if asyncio.run(_replay(at, api_key, forwarder, replay)) else 1
    asyncio.run(_listen(at, api_key, forwarder, kinds, after))
    return 0


def _checked(url: str) -> str:
    from bespeak.errors import InvalidRequest

    if not url.startswith(("http://", "https://")):
        raise InvalidRequest(f"not an http URL: {url}", field="forward_to")
    return url


def _kinds(types: str | None) -> frozenset[EventKind]:
    """The kinds of events that the types name. Raises InvalidRequest."""
    from bespeak.errors import InvalidRequest
    from bespeak.notifications.webhooks.message import KINDS

    wanted = [one.strip() for one in types.split(",")] if types is not None else [*KINDS]
    unknown = sorted({*wanted} - {*KINDS})
    if unknown:
        raise InvalidRequest(
            f"no such type: {', '.join(unknown)[:200]}; there are {', '.join(sorted(KINDS))}",
            field="events",
        )
    return frozenset(KINDS[one] for one in wanted)


async def _listen(
    url: str, key: str, forwarder: _Forwarder, kinds: frozenset[EventKind], after: str | None
) -> None:
    from bespeak.client import Client
    from bespeak.notifications.webhooks.sender import WebhookSender

    async with (
        Client(url, key, timeout=_PATIENCE_SECONDS) as client,
        WebhookSender(allow_private=True) as sender,
    ):
        async for event in _followed(client, after or await _now(client)):
            if event.kind in kinds:
                await forwarder.forward(sender, event)


async def _replay(url: str, key: str, forwarder: _Forwarder, cursor: str) -> bool:
    from bespeak.client import Client
    from bespeak.errors import InvalidCursor
    from bespeak.notifications.webhooks.sender import WebhookSender

    epoch, _, position = cursor.partition("-")
    before = f"{epoch}-{max(int(position, 16) - 1, 0):x}"
    async with Client(url, key) as client, WebhookSender(allow_private=True) as sender:
        page = await client.events(after=before, limit=1)
        if not page.items or page.items[0].cursor != cursor:
            raise InvalidCursor(after=cursor)
        return await forwarder.forward(sender, page.items[0])


async def _followed(client: Client, cursor: str) -> AsyncIterator[Event]:
    """The events behind a cursor, as they happen, through any absence of the server, which is told,
    and into another life of the feed."""
    from bespeak.cli.output import say
    from bespeak.errors import Unavailable
    from bespeak.feed.errors import CursorOfAnotherLife

    while True:
        try:
            page = await client.events(after=cursor, limit=_PAGE)
        except Unavailable as error:
            say(f"{error.detail}: trying on")
            continue
        except CursorOfAnotherLife as error:
            say("the server has gone on from an earlier state; so does this")
            cursor = str(error.data.get("cursor") or await _now(client))
            continue
        for event in page.items:
            yield event
        cursor = page.next
        if len(page.items) < _PAGE:
            await asyncio.sleep(_PAUSE_SECONDS)


async def _now(client: Client) -> str:
    """Where the feed ends at this instant."""
    return (await client.events_snapshot(limit=1)).cursor


class _Forwarder:
    """Posts events and prints what became of them."""

    def __init__(self, to: str, secret: str, *, as_json: bool) -> None:
        """Raises InvalidRequest for what can be no secret."""
        from bespeak.errors import InvalidRequest

        try:
            base64.b64decode(secret.removeprefix(_SECRET_PREFIX), validate=True)
        except ValueError as error:
            raise InvalidRequest("a secret is whsec_ and base 64", field="secret") from error
        self._to = to
        self._secret = secret
        self._as_json = as_json

    def tell_secret(self) -> None:
        from bespeak.cli.output import print_json

        if self._as_json:
            print_json({"forward_to": self._to, "secret": self._secret})
        else:
            print(f"signing with {self._secret}", flush=True)

    async def forward(self, sender: WebhookSender, event: Event) -> bool:
        """Posts an event; whether it was delivered."""
        from bespeak.cli.output import answer
        from bespeak.notifications.webhooks import message
        from bespeak.notifications.webhooks.sender import OutgoingMessage

        started = time.monotonic()
        # The same at each try, as of a webhook.
        message_id = f"msg_{event.cursor}"
        letter = OutgoingMessage(self._to, [self._secret], message_id, message.encode(event))
        reply = await sender.send(letter)
        told = _Forwarded(
            event.cursor,
            message.TYPES[event.kind],
            reply.status,
            reply.failure,
            round((time.monotonic() - started) * 1000),
        )
        answer(told, _print, as_json=self._as_json)
        return reply.delivered


def _print(told: _Forwarded) -> None:
    became = told.status if told.status is not None else told.failure
    print(f"{told.event}  {told.type}  {became}  {told.ms} ms", flush=True)
