"""What would be freed by what: as the matcher would have it, and nothing of it stays."""

import pytest

import bespeak
from bespeak import BlockLine, Line, Resource, Row, SeatsPlan, Section
from bespeak.waitlists import outlook
from bespeak.waitlists.errors import WaitlistNotFound
from bespeak.waitlists.outlook import Outlook, Sources
from bespeak.waitlists.waitlist import Waitlist
from tests.harness.clock import Clock
from tests.harness.database import Connection, problems
from tests.harness.shows import MakeShow, book, take
from tests.harness.waitlists import cancel, entry_of, join, listed, match, units

ROOM = SeatsPlan(sections=(Section("Stalls", (Row("A", 4), Row("B", 4))),))


@pytest.fixture
async def show(make_show: MakeShow, clock: Clock) -> Resource:
    assert clock
    return await make_show(plan=ROOM)


async def counted(connection: Connection) -> list[int]:
    """How much there is of what an outlook makes and undoes."""
    tables = ("hold", "claim", "event", "booking", "block", "waitlist_offer", "waitlist_mail")
    return [await connection.fetchval(f"select count(*) from bespeak.{one}") for one in tables]


async def served(engine: bespeak.Engine, waitlist: Waitlist, of: Sources) -> list[list[int]]:
    """The places of those whom each would serve."""
    found = await engine.waitlists.outlook(waitlist.id, of=of)
    return [[one.place for one in item.serves or ()] for item in found.sources]


def together(found: Outlook) -> list[tuple[int, int]]:
    return [(one.place, one.party) for one in found.together or ()]


async def test_holds_blocks_and_bookings_are_each_asked_as_the_matcher_would(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    pair = await take(engine, [Line(show.id, "A1"), Line(show.id, "A2")], "a pair")
    single = await take(engine, [Line(show.id, "B4")], "alone", hold_seconds=120)
    block = await engine.block(show.id, [BlockLine("A3"), BlockLine("A4")], reason="camera")
    first = await book(engine, [Line(show.id, unit) for unit in ("B1", "B2", "B3")])
    waitlist = await listed(engine, show)
    four = await join(engine, waitlist, "asha", 4)
    two = await join(engine, waitlist, "bela", 2)
    one = await join(engine, waitlist, "chen", 1)
    await match(engine)
    before = await counted(connection)
    holds = await engine.waitlists.outlook(waitlist.id)
    assert [item.id for item in holds.sources] == [single.id, pair.id]
    assert [item.ends_at for item in holds.sources] == [single.expires_at, pair.expires_at]
    assert await served(engine, waitlist, "holds") == [[3], [2]]
    # With both there are two next to each other and one alone.
    assert together(holds) == [(2, 2), (3, 1)]
    blocks = await engine.waitlists.outlook(waitlist.id, of="blocks")
    assert [(item.id, item.reason) for item in blocks.sources] == [(block.id, "camera")]
    assert await served(engine, waitlist, "blocks") == [[2]]
    bookings = await engine.waitlists.outlook(waitlist.id, of="bookings")
    assert [item.id for item in bookings.sources] == [first.id]
    assert await served(engine, waitlist, "bookings") == [[2, 3]]
    assert await counted(connection) == before
    states = [(await entry_of(engine, entry)).state for entry in (four, two, one)]
    assert states == ["waiting"] * 3
    # What was said comes true.
    await engine.release_hold(pair.id)
    await match(engine)
    assert await units(engine, two) == ["A1", "A2"]
    assert await problems(connection) == []


async def test_what_is_offered_is_told_with_who_would_be_next(
    engine: bespeak.Engine, show: Resource
) -> None:
    bookings = [await book(engine, [Line(show.id, f"{row}{seat}")])
                for row in "AB" for seat in (1, 2, 3, 4)]  # fmt: skip
    waitlist = await listed(engine, show)
    asha = await join(engine, waitlist, "asha")
    await join(engine, waitlist, "bela")
    await cancel(engine, bookings[0])
    await match(engine)
    (item,) = (await engine.waitlists.outlook(waitlist.id)).sources
    assert item.offered_to == asha.id
    assert [one.place for one in item.serves or ()] == [2]


async def test_somebody_else_is_not_waited_for(
    engine: bespeak.Engine, show: Resource, probe: Connection
) -> None:
    """Whoever asks gives way: a hold that is being changed is not known, a list that is lent is
    told so. The control is the first test."""
    hold = await take(engine, [Line(show.id, "A1")], "first")
    waitlist = await listed(engine, show)
    await join(engine, waitlist, "asha")
    async with probe.transaction():
        await probe.execute("select from bespeak.hold for update")
        found = await engine.waitlists.outlook(waitlist.id)
        assert [(item.id, item.serves) for item in found.sources] == [(hold.id, None)]
        assert found.together is None
    async with probe.transaction():
        await probe.execute("select from bespeak.waitlist for update")
        with pytest.raises(bespeak.DatabaseUnavailable):
            await engine.waitlists.outlook(waitlist.id)


async def test_what_takes_longer_than_the_list_is_lent_for_is_not_known(
    engine: bespeak.Engine, show: Resource, probe: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold = await take(engine, [Line(show.id, f"{row}{seat}") for row in "AB" for seat in (1, 2)])
    waitlist = await listed(engine, show)
    asha = await join(engine, waitlist, "asha", 4)
    with monkeypatch.context() as hurried:
        hurried.setattr(outlook, "_SECONDS_MAX", 0.05)
        async with probe.transaction():
            await probe.execute("select from bespeak.hold for update")
            found = await engine.waitlists.outlook(waitlist.id)
        assert [(item.id, item.serves) for item in found.sources] == [(hold.id, None)]
        assert found.together is None
    # It left nothing behind: nobody has the list, and the next who asks is told.
    assert await served(engine, waitlist, "holds") == [[1]]
    assert (await entry_of(engine, asha)).state == "waiting"


async def test_an_outlook_of_nothing(engine: bespeak.Engine, show: Resource) -> None:
    waitlist = await listed(engine, show)
    found = await engine.waitlists.outlook(waitlist.id, of="bookings")
    assert (found.sources, found.together) == ([], [])
    await engine.waitlists.end(waitlist.id)
    assert (await engine.waitlists.outlook(waitlist.id)).sources == []
    with pytest.raises(WaitlistNotFound):
        await engine.waitlists.outlook("wtl_00000000000000000000000000")
    with pytest.raises(bespeak.InvalidRequest):
        await engine.waitlists.outlook(waitlist.id, of="luck")  # type: ignore[arg-type]
