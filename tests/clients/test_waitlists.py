"""Waitlists through each door of HTTP: set up, joined, and what is offered taken up or declined."""

import asyncio
from contextlib import AsyncExitStack
from uuid import uuid4

import pytest

import bespeak
from bespeak import (
    Contact,
    NewWaitlist,
    PoolPlan,
    PoolsPlan,
    WaitlistChange,
    WaitlistEntry,
    WaitlistWish,
    WantedPlace,
    ids,
)
from bespeak.client import Client, ServerUnreachable, SyncClient
from bespeak.http.server.keys import create_key
from bespeak.waitlists.errors import WaitlistLinkInvalid
from bespeak.waitlists.links import open_waitlist_links
from tests.clients.conftest import SETTINGS, Place, opened
from tests.clients.losing import LosingWire
from tests.harness import database
from tests.harness.shows import new_show, pool

PLAN = PoolsPlan(pools=(PoolPlan("floor", 2),))
# What curl sends is what the client says, and its pauses are whole seconds.
clients = pytest.mark.parametrize("client", ["client", "sync_client", "typescript"], indirect=True)


async def offered(client: Client, entry: WaitlistEntry, number: int = 1) -> WaitlistEntry:
    """An entry, once the server has offered it something so many times."""
    async with asyncio.timeout(60):
        while True:
            found = await client.get_waitlist_entry(entry.id)
            if found.offer is not None and (found.offer.number, found.state) == (number, "offered"):
                return found
            await asyncio.sleep(0.05)


@clients
async def test_an_operator_looks_after_a_waitlist(client: Client, wire: LosingWire) -> None:
    show = await client.create_resource(new_show(plan=PLAN))
    sold = await client.place_hold(owner="asha", lines=[pool(show, "floor", 2)])
    wire.lose_answers()
    with pytest.raises(ServerUnreachable):  # it has no key, and was not asked again
        await client.create_waitlist(NewWaitlist(resource_ids=(show.id,), policy="best_fit"))
    made = next(one for one in await client.list_waitlists() if one.resource_ids == [show.id])
    changed = await client.update_waitlist(made.id, WaitlistChange(policy="strict", party_max=4))
    assert (await client.get_waitlist(made.id)) == changed
    assert (changed.policy, changed.party_max) == ("strict", 4)
    (public,) = await client.waitlists_of_resource(show.id)
    assert (public.id, public.waiting) == (made.id, 0)
    entries = [
        await client.join_waitlist(
            made.id, WaitlistWish(party=1, places=(WantedPlace(show.id),)), owner=who
        )
        for who in ("asha", "bela", "carl")
    ]
    outlook = await client.waitlist_outlook(made.id, of="holds")
    assert [one.id for one in outlook.sources] == [sold.id]
    assert outlook.together is not None
    assert [party.entry_id for party in outlook.together] == [one.id for one in entries[:2]]
    waiting = await client.entries_of_waitlist(made.id, state="waiting")
    assert [one.id for one in waiting.items] == [one.id for one in entries]
    wire.lose_answers()
    removed = await client.remove_waitlist_entry(entries[2].id, note="It was a test.")
    assert (removed.reason, removed.note) == ("removed", "It was a test.")
    wire.lose_answers()
    assert (await client.end_waitlist(made.id)).state == "ended"
    with pytest.raises(bespeak.WaitlistClosed):
        await client.join_waitlist(made.id, entries[0].wish, owner="dora")


@pytest.mark.parametrize("name", ["client", "sync_client", "typescript"])
async def test_the_link_of_a_mail_opens_an_entry_and_what_it_was_offered(
    name: str, request: pytest.FixtureRequest, place: Place, wire: LosingWire
) -> None:
    """Whoever has it is nobody else by it: other entries stay shut."""
    async with AsyncExitStack() as stack:
        admin = await stack.enter_async_context(Client(place.url, place.key))
        show = await admin.create_resource(new_show(plan=PLAN))
        sold = await admin.place_hold(owner="asha", lines=[pool(show, "floor", 2)])
        waitlist = await admin.create_waitlist(NewWaitlist(resource_ids=(show.id,)))
        wish = WaitlistWish(party=1, places=(WantedPlace(show.id),))
        bela, carl = [
            await admin.join_waitlist(
                waitlist.id,
                wish,
                owner=f"{who}-{uuid4().hex}",
                contact=Contact(email=f"{who}@example.com"),
            )
            for who in ("bela", "carl")
        ]
        session = await stack.enter_async_context(database.session(place.database_url))
        key, _ = await create_key(session, "publishable", "tests")
        library = bespeak.connect(place.database_url, settings=SETTINGS, sweep=False)
        links = await open_waitlist_links((await stack.enter_async_context(library)).database)
        token = links.token(ids.parse(ids.WAITLIST_ENTRY, bela.id))
        guest = await opened(name, request, wire.url, key, stack, token)
        assert (await guest.get_waitlist_entry(bela.id)).state == "waiting"
        with pytest.raises(WaitlistLinkInvalid):
            await guest.get_waitlist_entry(carl.id)
        await admin.release_hold(sold.id)
        offer = (await offered(guest, bela)).offer
        assert offer is not None
        hold = await guest.accept_waitlist_offer(bela.id)
        assert hold.id == offer.hold_id
        assert (await guest.get_hold(hold.id)).state == "held"
        booking = await guest.confirm_hold(hold.id)
        assert (await guest.booking_of_hold(hold.id)).booking_id == booking.id
        with pytest.raises(WaitlistLinkInvalid):
            await (await opened(name, request, wire.url, key, stack, "forged")).get_hold(hold.id)


@pytest.mark.parametrize("link", ["", "a" * 1001, "two\nlines"])
def test_what_can_be_no_link_is_refused_at_once(link: str) -> None:
    for client in (Client, SyncClient):
        with pytest.raises(bespeak.InvalidRequest) as refused:
            client("http://127.0.0.1:9", "pk_1", waitlist_link=link)
        assert refused.value.field == "waitlist_link"


@clients
async def test_who_waits_is_offered_what_comes_back(client: Client, wire: LosingWire) -> None:
    show = await client.create_resource(new_show(plan=PLAN))
    sold = await client.place_hold(owner="asha", lines=[pool(show, "floor", 2)])
    waitlist = await client.create_waitlist(
        NewWaitlist(resource_ids=(show.id,), owner_entries_max=2)
    )
    wish = WaitlistWish(party=1, places=(WantedPlace(show.id),))
    owners = [f"{name}-{uuid4().hex}" for name in ("bela", "carl", "dora")]
    wire.lose_answers()
    first = await client.join_waitlist(
        waitlist.id, wish, owner=owners[0], contact=Contact(email="bela@example.com")
    )
    assert (first.replayed, first.place) == (True, 1)
    second = await client.join_waitlist(waitlist.id, wish, owner=owners[1], offers_max=2)
    last = await client.join_waitlist(waitlist.id, wish, owner=owners[2])
    mine = await client.list_waitlist_entries(owner=owners[0])
    assert ([one.id for one in mine.items], mine.next) == ([first.id], None)
    again = await client.join_waitlist(waitlist.id, wish, owner=owners[2])
    newest = await client.list_waitlist_entries(owner=owners[2], limit=1)
    older = await client.list_waitlist_entries(owner=owners[2], after=newest.next, limit=1)
    assert [one.id for page in (newest, older) for one in page.items] == [again.id, last.id]
    assert older.next is None
    await client.withdraw_waitlist_entry(again.id)
    with pytest.raises(bespeak.NoOfferStands):
        await client.accept_waitlist_offer(last.id, owner=owners[2])
    wire.lose_answers()
    assert (await client.withdraw_waitlist_entry(last.id)).state == "withdrawn"

    await client.release_hold(sold.id)
    await offered(client, first)
    wire.lose_answers()
    hold = await client.accept_waitlist_offer(first.id, owner=owners[0])
    booking = await client.confirm_hold(hold.id, owner=owners[0])
    assert (await client.booking_of_hold(hold.id, owner=owners[0])).booking_id == booking.id

    await offered(client, second)
    with pytest.raises(bespeak.NotOwner):
        await client.decline_waitlist_offer(second.id, owner=owners[0])
    wire.lose_answers()
    # Sent again, it could decline the offer after this, of which nobody knows yet.
    with pytest.raises(ServerUnreachable):
        await client.decline_waitlist_offer(second.id, owner=owners[1])
    await offered(client, second, 2)
    assert (await client.decline_waitlist_offer(second.id)).state == "over"
