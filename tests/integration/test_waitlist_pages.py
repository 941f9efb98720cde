"""The entries of an owner, page by page, while some come and others end."""

import pytest

import bespeak
from bespeak import PoolPlan, PoolsPlan
from bespeak.waitlists.entry import WaitlistEntry, WaitlistEntryPage
from bespeak.waitlists.waitlist import Waitlist
from tests.harness.clock import Clock
from tests.harness.shows import MakeShow
from tests.harness.waitlists import join, listed

FLOOR = PoolsPlan(pools=(PoolPlan("floor", 1),))


@pytest.fixture
async def waitlist(engine: bespeak.Engine, make_show: MakeShow, clock: Clock) -> Waitlist:
    assert clock
    return await listed(engine, await make_show(plan=FLOOR), owner_entries_max=100)


async def waiting(
    engine: bespeak.Engine, waitlist: Waitlist, clock: Clock, count: int
) -> list[WaitlistEntry]:
    """So many entries of one owner, the newest first."""
    made = []
    for _ in range(count):
        await clock.advance(1)
        made.append(await join(engine, waitlist, "asha"))
    return made[::-1]


async def ended(engine: bespeak.Engine, clock: Clock, *entries: WaitlistEntry) -> None:
    await clock.advance(1)
    for one in entries:
        await engine.waitlists.withdraw(one.id)


async def following(
    engine: bespeak.Engine, page: WaitlistEntryPage, limit: int = 2
) -> list[WaitlistEntryPage]:
    """All pages behind a page."""
    pages = []
    while page.next is not None:
        page = await engine.waitlists.list_entries(owner="asha", after=page.next, limit=limit)
        pages.append(page)
    return pages


def told(*pages: WaitlistEntryPage) -> list[str]:
    return [one.id for page in pages for one in page.items]


async def test_all_of_more_than_a_page_are_told_once(
    engine: bespeak.Engine, waitlist: Waitlist, clock: Clock
) -> None:
    made = await waiting(engine, waitlist, clock, 7)
    await ended(engine, clock, made[1], made[6])
    await join(engine, waitlist, "ben")
    first = await engine.waitlists.list_entries(owner="asha", limit=2)
    pages = [first, *await following(engine, first)]
    live = [made[at].id for at in (0, 2, 3, 4, 5)]
    assert told(*pages) == [*live, made[1].id, made[6].id]
    assert [len(page.items) for page in pages] == [2, 2, 2, 1]
    whole = await engine.waitlists.list_entries(owner="asha", limit=7)
    assert told(whole) == told(*pages) and whole.next is None, "an end is no page of its own"


async def test_entries_of_the_same_instant_are_told_once(
    engine: bespeak.Engine, waitlist: Waitlist, clock: Clock
) -> None:
    await clock.advance(1)
    made = [await join(engine, waitlist, "asha") for _ in range(6)]
    await ended(engine, clock, *made[:3])
    first = await engine.waitlists.list_entries(owner="asha", limit=1)
    pages = [first, *await following(engine, first, limit=1)]
    assert sorted(told(*pages)) == sorted(one.id for one in made)


async def test_what_comes_and_ends_meanwhile_moves_nothing(
    engine: bespeak.Engine, waitlist: Waitlist, clock: Clock
) -> None:
    made = await waiting(engine, waitlist, clock, 8)
    await ended(engine, clock, made[7])
    first = await engine.waitlists.list_entries(owner="asha", limit=3)
    # One that was told, and two that were not; and one comes that was not there.
    await ended(engine, clock, made[0], made[4], made[6])
    await waiting(engine, waitlist, clock, 1)
    pages = await following(engine, first, limit=3)
    assert told(first, *pages) == [one.id for one in made]
    states = {one.id: one.state for page in pages for one in page.items}
    assert states[made[4].id] == "withdrawn", "told as it is"
    again = await engine.waitlists.list_entries(owner="asha", limit=100)
    assert [one.state for one in again.items] == ["waiting"] * 5 + ["withdrawn"] * 4


async def test_a_page_is_of_one_state_and_one_workspace(
    engine: bespeak.Engine, waitlist: Waitlist, clock: Clock
) -> None:
    made = await waiting(engine, waitlist, clock, 4)
    await ended(engine, clock, made[0])
    first = await engine.waitlists.list_entries(owner="asha", state="waiting", limit=2)
    assert told(first) == [made[1].id, made[2].id]
    rest = await engine.waitlists.list_entries(
        owner="asha", state="waiting", after=first.next, limit=2
    )
    assert told(rest) == [made[3].id]
    elsewhere = await engine.waitlists.list_entries(owner="asha", workspace="wsp_other")
    assert elsewhere.items == []


@pytest.mark.parametrize(
    "after", ["5", "x", "W10", "WzFd", "bnVsbA", "WyIyMDMwLTAxLTAxVDAwOjAwOjAwWiIsdHJ1ZV0"]
)
async def test_a_cursor_that_no_list_gave_out_is_refused(
    engine: bespeak.Engine, waitlist: Waitlist, after: str
) -> None:
    with pytest.raises(bespeak.InvalidCursor):
        await engine.waitlists.list_entries(owner="asha", after=after)
