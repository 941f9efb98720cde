"""What a program does with Bespeak, through each door: the same verbs, the same structs, the same
errors, whether the engine runs in the program or behind HTTP.
"""

from uuid import uuid4

import pytest

import bespeak
from bespeak import AvailabilityQuery, BlockLine, Hold, Line, Price, ResourceChange, WantedHold
from bespeak.client import Client
from bespeak.inventory.shapes.registry import installed_shapes
from bespeak.refusals import Alternative, Conflict
from tests.harness.shapes import SHAPES, Shape
from tests.harness.shows import new_show, pool, seats


async def test_a_sale(door: Client) -> None:
    show = await door.create_resource(new_show(price=Price(1500, "EUR")))
    assert await door.get_resource(show.id) == show
    assert (await door.quote(seats(show, "A1", "A2"))).total.amount == 3000
    hold = await door.place_hold(owner="asha", lines=seats(show, "A1", "A2"), hold_seconds=300)
    assert (hold.state, hold.owner, hold.amount.amount) == ("held", "asha", 3000)
    longer = await door.extend_hold(hold.id, seconds=500, owner="asha")
    assert longer.expires_at > hold.expires_at
    assert (await door.get_hold(hold.id)).lines == hold.lines == seats(show, "A1", "A2")
    booking = await door.confirm_hold(hold.id, owner="asha")
    assert (booking.state, booking.hold_id) == ("confirmed", hold.id)
    assert await door.get_booking(booking.id, owner="asha") == booking
    owed = await door.refund_quote(booking.id, lines=seats(show, "A1"))
    assert owed.rule == "not_paid"
    part = await door.cancel_booking(booking.id, reason="ill", lines=seats(show, "A1"))
    assert [line.cancelled_quantity for line in part.lines] == [1, 0]
    assert (await door.cancel_booking(booking.id, reason="ill")).state == "cancelled"
    other = await door.place_hold(owner="bela", lines=[pool(show, "floor", 2)])
    assert (await door.release_hold(other.id)).state == "released"
    audit = await door.audit(show.id)
    assert (audit.sold, audit.double_sold, audit.violations) == (0, 0, [])


async def test_refusals_say_what_is_in_the_way(door: Client) -> None:
    show = await door.create_resource(new_show())
    hold = await door.place_hold(owner="asha", lines=seats(show, "A1", "A2"))
    with pytest.raises(bespeak.UnitTaken) as taken:
        await door.place_hold(owner="bela", lines=seats(show, "A2", "A3"), alternatives=2)
    (conflict,) = taken.value.conflicts
    assert isinstance(conflict, Conflict)
    assert (conflict.unit, conflict.state, conflict.until) == ("A2", "held", hold.expires_at)
    (alternative,) = taken.value.alternatives
    assert isinstance(alternative, Alternative)
    assert len(alternative.offers) == 2
    assert taken.value.retryable
    with pytest.raises(bespeak.NotOwner):
        await door.confirm_hold(hold.id, owner="bela")
    with pytest.raises(bespeak.SoldOut) as short:
        await door.place_hold(owner="bela", lines=[pool(show, "floor", 6)], alternatives=0)
    assert short.value.code == "sold_out"
    with pytest.raises(bespeak.UnknownUnit):
        await door.place_hold(owner="bela", lines=seats(show, "Z9"))
    with pytest.raises(bespeak.HoldNotFound):
        await door.get_hold(hold.id[:-4] + "0000")
    await door.release_hold(hold.id)
    with pytest.raises(bespeak.HoldReleased):
        await door.confirm_hold(hold.id)


async def test_what_an_owner_holds_is_found(door: Client) -> None:
    show, owner = await door.create_resource(new_show()), f"owner-{uuid4().hex}"
    first = await door.place_hold(owner=owner, lines=seats(show, "A1"), hold_seconds=100)
    last = await door.place_hold(owner=owner, lines=seats(show, "A2"), hold_seconds=200)
    gone = await door.place_hold(owner=owner, lines=seats(show, "A3"))
    await door.release_hold(gone.id)
    assert [hold.id for hold in (await door.list_holds(owner=owner)).items] == [first.id, last.id]


async def test_a_key_answers_as_before(door: Client) -> None:
    keys = [uuid4().hex for _ in range(3)]
    show = await door.create_resource(new_show())
    lines = seats(show, "A1")
    hold = await door.place_hold(owner="asha", lines=lines, idempotency_key=keys[0])
    again = await door.place_hold(owner="asha", lines=lines, idempotency_key=keys[0])
    assert (again.id, hold.replayed, again.replayed) == (hold.id, False, True)
    with pytest.raises(bespeak.IdempotencyKeyReused):
        await door.place_hold(owner="asha", lines=seats(show, "A2"), idempotency_key=keys[0])
    booking = await door.confirm_hold(hold.id, idempotency_key=keys[1])
    assert (await door.confirm_hold(hold.id, idempotency_key=keys[1])).replayed
    await door.cancel_booking(booking.id, reason="x", idempotency_key=keys[2])
    assert (await door.cancel_booking(booking.id, reason="x", idempotency_key=keys[2])).replayed


async def test_many_holds_at_once(door: Client) -> None:
    show, key = await door.create_resource(new_show()), uuid4().hex
    wanted = [
        WantedHold(owner="asha", lines=seats(show, "A1", "A2"), hold_seconds=120),
        WantedHold(owner="bela", lines=seats(show, "Z9")),
        WantedHold(owner="carl", lines=[pool(show, "floor", 9)], partial=True),
        WantedHold(owner="dora", lines=seats(show, "A3"), idempotency_key=f"{key} own"),
    ]
    first, unknown, less, last = await door.place_holds(wanted, idempotency_key=key)
    assert isinstance(first, Hold)
    assert isinstance(unknown, bespeak.UnknownUnit)
    assert isinstance(less, Hold)
    assert isinstance(last, Hold)
    assert (first.lines, first.replayed) == (seats(show, "A1", "A2"), False)
    assert await door.get_hold(first.id) == first
    assert [line.quantity for line in less.missing] == [4]
    again = await door.place_holds(wanted, idempotency_key=key)
    assert [one.id for one in again if isinstance(one, Hold)] == [first.id, less.id, last.id]
    assert all(one.replayed for one in again if isinstance(one, Hold))
    (taken,) = await door.place_holds([WantedHold(owner="emma", lines=seats(show, "A1", "A4"))])
    assert isinstance(taken, bespeak.UnitTaken)
    assert [conflict.unit for conflict in taken.conflicts] == ["A1"]
    assert taken.alternatives == []
    with pytest.raises(bespeak.InvalidRequest) as refused:
        await door.place_holds([wanted[3], wanted[3]])
    assert refused.value.field == "holds[1].idempotency_key"


@pytest.mark.parametrize("shape", SHAPES, ids=str)
async def test_availability_is_of_the_plan(door: Client, shape: Shape) -> None:
    resource = await door.create_resource(shape.new())
    seen = await door.availability(resource.id, AvailabilityQuery())
    (own,) = [one for one in installed_shapes() if isinstance(shape.plan, one.plan)]
    assert type(seen) is own.availability


async def test_what_is_out_of_sale(door: Client) -> None:
    show = await door.create_resource(new_show())
    block = await door.block(show.id, [BlockLine("A1"), BlockLine("A2")], reason="broken")
    with pytest.raises(bespeak.UnitTaken):
        await door.place_hold(owner="asha", lines=seats(show, "A1"))
    less = await door.unblock(block.id, lines=[BlockLine("A1")])
    assert [line.unit for line in less.lines] == ["A2"]
    assert [one.id for one in (await door.list_blocks(show.id)).items] == [block.id]
    changed = await door.update_resource(show.id, ResourceChange(state="closed"))
    assert changed.version == show.version + 1
    with pytest.raises(bespeak.ResourceClosed):
        await door.place_hold(owner="asha", lines=seats(show, "A3"))


async def test_what_happened_is_followed(door: Client) -> None:
    show = await door.create_resource(new_show())
    hold = await door.place_hold(owner="asha", lines=[Line(show.id, "A1")])
    await door.confirm_hold(hold.id)
    kinds: list[str] = []
    after = None
    while len(kinds) < 3:
        page = await door.events(after=after, resource_id=show.id)
        kinds += [event.kind for event in page.items]
        after = page.next
    assert kinds == ["created", "held", "confirmed"]
