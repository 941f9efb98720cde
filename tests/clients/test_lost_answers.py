"""The clients over a wire that loses what is said: what was asked for is done once, and whoever
asked hears of it, or is told that nobody knows.
"""

import pytest

import bespeak
from bespeak import Hold, Resource, ResourceChange, WantedHold
from bespeak.client import Client, ServerUnreachable, SyncClient
from tests.clients.conftest import Place
from tests.clients.losing import LosingWire
from tests.harness.shows import new_show, pool, seats


@pytest.fixture
async def show(client: Client) -> Resource:
    return await client.create_resource(new_show())


async def test_a_hold_is_placed_once(client: Client, show: Resource, wire: LosingWire) -> None:
    wire.lose_answers(2)
    hold = await client.place_hold(owner="asha", lines=seats(show, "A1"))
    assert wire.lost == 2
    assert hold.replayed
    assert (await client.audit(show.id)).held == 1


async def test_holds_of_a_batch_are_placed_once(
    client: Client, show: Resource, wire: LosingWire
) -> None:
    wire.lose_answers(2)
    wanted = [WantedHold(owner="asha", lines=seats(show, f"A{n}")) for n in range(1, 11)]
    holds = await client.place_holds(wanted)
    assert wire.lost == 2
    assert all(isinstance(one, Hold) and one.replayed for one in holds)
    assert (await client.audit(show.id)).held == 10


async def test_a_booking_is_made_and_cancelled_once(
    client: Client, show: Resource, wire: LosingWire
) -> None:
    hold = await client.place_hold(owner="asha", lines=seats(show, "A1"))
    wire.lose_answers()
    booking = await client.confirm_hold(hold.id)
    assert booking.replayed
    wire.lose_answers()
    cancelled = await client.cancel_booking(booking.id, reason="x")
    assert (cancelled.state, cancelled.replayed) == ("cancelled", True)
    assert wire.lost == 2


async def test_what_did_not_get_through_is_sent_again(
    client: Client, show: Resource, wire: LosingWire
) -> None:
    wire.lose_requests(2)
    hold = await client.place_hold(owner="asha", lines=seats(show, "A1"))
    assert (wire.lost, hold.replayed) == (2, False)


async def test_a_change_without_a_key_is_not_repeated(
    client: Client, show: Resource, wire: LosingWire
) -> None:
    wire.lose_answers()
    with pytest.raises(ServerUnreachable):
        await client.update_resource(show.id, ResourceChange(name="Other"))
    assert (await client.get_resource(show.id)).version == show.version + 1


async def test_control_under_another_key_it_is_done_twice(
    client: Client, show: Resource, wire: LosingWire
) -> None:
    """What the key is for: sent again under another, the same request is a second hold."""
    wire.lose_answers()
    holds = [await client.place_hold(owner="asha", lines=[pool(show, "floor", 1)]) for _ in "12"]
    assert wire.lost == 1
    assert [hold.replayed for hold in holds] == [True, False]
    with pytest.raises(bespeak.SoldOut) as short:
        await client.place_hold(owner="asha", lines=[pool(show, "floor", 5)])
    (conflict,) = short.value.conflicts
    assert conflict.available == 3


async def test_where_nobody_answers(place: Place) -> None:
    async with Client("http://127.0.0.1:9", place.key, timeout=0.5) as client:
        with pytest.raises(ServerUnreachable) as error:
            await client.get_hold("hold_01m7y6w42jh6q8wthwjrpctn25")
        assert error.value.retryable
    with (
        SyncClient("http://127.0.0.1:9", place.key, timeout=0.5) as sync_client,
        pytest.raises(bespeak.Unavailable),
    ):
        sync_client.quote([])
