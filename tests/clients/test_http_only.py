"""What the clients do in words of their own: paying, paging, following without an end."""

import asyncio
from uuid import uuid4

import pytest

from bespeak import NewResource, PoolPlan, PoolsPlan, Price
from bespeak.client import Client, SyncClient
from bespeak.payments.errors import PaymentDeclined
from tests.clients.conftest import Place
from tests.clients.losing import LosingWire
from tests.clients.typescript import NodeProcess, TypeScriptDoor
from tests.harness.shows import new_show, seats


async def test_paying(client: Client, wire: LosingWire) -> None:
    show = await client.create_resource(new_show(price=Price(1500, "EUR"), payment="required"))
    hold = await client.place_hold(owner="asha", lines=seats(show, "A1"))
    with pytest.raises(PaymentDeclined):
        await client.pay(hold.id, token="tok_declined")
    wire.lose_answers()
    paid = await client.pay(hold.id, token="tok_success")
    assert paid.replayed
    assert paid.booking is not None
    assert paid.payment is not None
    assert paid.booking.hold_id == hold.id
    assert paid.payment.state in ("authorized", "captured")  # captured behind the booking
    other = await client.place_hold(owner="asha", lines=seats(show, "A2"))
    waiting = await client.pay(other.id, token="tok_challenge")
    assert waiting.booking is None
    assert waiting.payment is not None
    assert waiting.payment.action_url


async def test_a_shopper_holds_with_a_token(client: Client) -> None:
    owner = f"shopper-{uuid4().hex}"
    token = await client.mint_token(owner, expires_in_seconds=60)
    assert token.owner == owner


async def test_all_resources_by_pages(
    place: Place, wire: LosingWire, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = f"kind-{uuid4().hex[:8]}"
    for module in ("async_resources", "sync_resources"):
        monkeypatch.setattr(f"bespeak.client.{module}._PAGE", 2)
    plan = PoolsPlan(pools=(PoolPlan("places", 1),))
    async with Client(wire.url, place.key) as client:
        made = [
            await client.create_resource(NewResource(name=f"{number}", plan=plan, kind=kind))
            for number in range(5)
        ]
        found = [resource.id async for resource in client.each_resource(kind=kind)]
    assert sorted(found) == sorted(resource.id for resource in made)

    def read() -> list[str]:
        with SyncClient(wire.url, place.key) as sync_client:
            return [resource.id for resource in sync_client.each_resource(kind=kind)]

    assert await asyncio.to_thread(read) == found


async def test_following_goes_on_through_an_absence(place: Place, wire: LosingWire) -> None:
    kinds: list[str] = []
    is_held = asyncio.Event()
    async with (
        Client(wire.url, place.key, timeout=1) as client,
        Client(place.url, place.key) as seller,  # who has more time than that
    ):
        show = await seller.create_resource(new_show())

        async def follow() -> None:
            async for event in client.follow(resource_id=show.id):
                kinds.append(event.kind)
                if event.kind == "held":
                    is_held.set()
                if event.kind == "released":
                    return

        following = asyncio.create_task(follow())
        hold = await seller.place_hold(owner="asha", lines=seats(show, "A1"))
        await is_held.wait()
        await wire.cut()
        await asyncio.sleep(0.3)
        await wire.mend()
        await seller.release_hold(hold.id)
        await asyncio.wait_for(following, 30)
    assert kinds == ["created", "held", "released"]


async def test_typescript_reads_all_pages(
    node: NodeProcess, place: Place, wire: LosingWire
) -> None:
    kind = f"kind-{uuid4().hex[:8]}"
    door = TypeScriptDoor(node, wire.url, place.key)
    new = [
        NewResource(name=f"{n}", plan=PoolsPlan(pools=(PoolPlan("places", 1),)), kind=kind)
        for n in range(5)
    ]
    made = [await door.create_resource(one) for one in new]
    found = await door.each_resource(kind=kind, limit=2)
    assert sorted(one.id for one in found) == sorted(one.id for one in made)


async def test_typescript_follows_on_through_an_absence(
    node: NodeProcess, place: Place, wire: LosingWire
) -> None:
    door = TypeScriptDoor(node, wire.url, place.key)
    show = await door.create_resource(new_show())
    following = asyncio.create_task(door.follow_until("released", resource_id=show.id))
    hold = await door.place_hold(owner="asha", lines=seats(show, "A1"))
    await wire.cut()
    await asyncio.sleep(0.3)
    await wire.mend()
    await door.release_hold(hold.id)
    events = await asyncio.wait_for(following, 30)
    assert [event.kind for event in events] == ["created", "held", "released"]
