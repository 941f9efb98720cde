"""A server is told of waiting rooms and waitlists by webhooks, as of holds and bookings."""

from __future__ import annotations

from datetime import timedelta

import bespeak
from bespeak import Line, Row, SeatsPlan, Section
from bespeak.admission.forms import ChangeWaitingRoom, NewWaitingRoom
from bespeak.admission.rooms import change_room, make_room
from bespeak.notifications.announcer import Announcer
from bespeak.notifications.webhooks import endpoints
from bespeak.notifications.webhooks.endpoints import NewWebhookEndpoint
from bespeak.notifications.webhooks.sender import WebhookSender
from bespeak.notifications.webhooks.worker import WebhookWorker
from tests.harness.clock import Clock
from tests.harness.database import Connection, feed_settled
from tests.harness.receiver import receiving
from tests.harness.shows import MakeShow, book
from tests.harness.waitlists import cancel, join, listed, match

ROOM = SeatsPlan(sections=(Section("Stalls", (Row("A", 1),)),))
WANTED = ("waitlist.joined", "waitlist.offered", "waitlist.left", "waiting_room.opened")


async def test_an_endpoint_hears_of_who_waits(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection, clock: Clock
) -> None:
    show = await make_show(plan=ROOM)
    booking = await book(engine, [Line(show.id, "A1")], "buyer")
    async with receiving() as receiver, WebhookSender(allow_private=True) as sender:
        new = NewWebhookEndpoint(receiver.url + "/hook", types=list(WANTED))
        _, secret = await endpoints.create(connection, new, allow_private=True)
        courier = WebhookWorker(engine.database.pool, sender, retention_days=30)
        waitlist = await listed(engine, show)
        asha = await join(engine, waitlist, "asha")
        await cancel(engine, booking)
        await match(engine)
        await engine.waitlists.withdraw(asha.id)
        opens_at = clock.now + timedelta(minutes=5)
        wanted = NewWaitingRoom(name="Premiere", resources=(show.id,), opens_at=opens_at)
        room = await make_room(connection, wanted, None)
        await change_room(connection, room.id, ChangeWaitingRoom(state="open"), None)
        await feed_settled(connection)
        announcer = Announcer(engine.database.pool)
        while not await announcer.look():
            pass
        for _ in range(20):
            await courier.look()
            if len(receiver.came) >= len(WANTED):
                break
        came = await receiver.until(len(WANTED))
        await courier.close()
    assert {one.type for one in came} == set(WANTED)
    assert all(one.is_signed_with(secret) for one in came)
    by_type = {one.type: one.event for one in came}
    assert by_type["waiting_room.opened"]["data"] == {"waiting_room_id": room.id}
    for kind in ("waitlist.joined", "waitlist.offered", "waitlist.left"):
        assert by_type[kind]["resource_id"] == show.id
        data = by_type[kind]["data"]
        assert isinstance(data, dict)
        assert (data["waitlist_id"], data["entry_id"]) == (waitlist.id, asha.id)
