"""One rule: what the search shows free, a hold gets; what it does not show, is refused. Over random
plans, with holds, bookings, blocks and releases in any order. The seed is in the name of the test.
"""

import asyncio
import dataclasses
import random
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

import bespeak
from bespeak import BlockLine, Line
from bespeak.errors import DatabaseUnavailable, InvalidRequest, Refused
from bespeak.feed.errors import CursorExpired, CursorOfAnotherLife
from bespeak.feed.numberer import numbering
from bespeak.ids import parse_resource
from bespeak.inventory.shapes.nights.plan import NightRule, NightsPlan
from bespeak.pricing.rules import Pricing
from bespeak.reservations.sweeper import Sweeper
from bespeak.verticals.stays.forms import NewListing, NewProperty
from bespeak.verticals.stays.listings import create_listing
from bespeak.verticals.stays.properties import create_property
from bespeak.verticals.stays.search import following
from bespeak.verticals.stays.search.cells import EarthCircle, EarthPoint
from bespeak.verticals.stays.search.following import StaysSearcher
from bespeak.verticals.stays.search.index import PageAsked
from bespeak.verticals.stays.search.rows import listing_of
from bespeak.verticals.stays.search.wanted import Found, Wanted
from tests.harness.stay_rates import some_ages, some_pricing, with_rates

_HERE = EarthPoint(21.3, -157.8)
_AREA = EarthCircle(_HERE, 1000)
_ZONE = "Pacific/Honolulu"
_DAYS = 12
_TODAY = datetime.now(UTC).date() - timedelta(days=1)


def _day(number: int) -> str:
    return (_TODAY + timedelta(days=number)).isoformat()


def _plan(chance: random.Random) -> NightsPlan:
    rules = []
    for _ in range(chance.randrange(4)):
        start = chance.randrange(_DAYS)
        said = chance.choice(
            (
                {"closed": True},
                {"closed_to_arrival": True},
                {"closed_to_departure": True},
                {"min_nights": 3},
                {"max_nights": 2},
                {"min_through": 2},
                {"price": 7777},
            )
        )
        begin, end = _TODAY + timedelta(start), _TODAY + timedelta(start + chance.randint(1, 4))
        rules.append(NightRule(from_=begin, to=end, **said))
    plan = NightsPlan(
        window_days=chance.choice((8, 365)),
        cutoff_hours=chance.choice((-8, 0, 30)),
        rules=tuple(rules),
    )
    if chance.random() < 0.4:
        return replace(plan, count=chance.randint(0, 3), overbooking=chance.randrange(2))
    rooms = tuple(f"room {n}" for n in range(chance.randint(1, 3)))
    return replace(plan, rooms=rooms, buffer_nights=chance.randrange(3))


async def _listing(engine: bespeak.Engine, plan: NightsPlan, pricing: Pricing | None = None) -> str:
    house = NewProperty(name="House", kind="house", lat=_HERE.lat, lon=_HERE.lon, time_zone=_ZONE)
    async with engine.database.borrow() as connection, connection.transaction():
        house_id, _ = await create_property(connection, "default", house, None)
        new = NewListing(
            property=house_id,
            name="Room",
            guests=2,
            plan=plan,
            price=5000,
            currency="USD",
            payment="at_venue",
            pricing=pricing,
            published=True,
        )
        return (await create_listing(engine, connection, "default", new, None))[0]


async def _change_something(
    engine: bespeak.Engine, listing_id: str, held: list[str], chance: random.Random
) -> None:
    """Holds, books, blocks or releases a stay, if it can be had."""
    if held and chance.random() < 0.25:
        await engine.release_hold(held.pop(chance.randrange(len(held))))
        return
    start = chance.randrange(_DAYS)
    line = Line(listing_id, from_=_day(start), to=_day(start + chance.randint(1, 4)))
    try:
        if chance.random() < 0.2:
            await engine.block(
                listing_id, [BlockLine(None, from_=line.from_, to=line.to)], reason="repair"
            )
            return
        hold = await engine.place_hold(owner="somebody", lines=[line])
        if chance.random() < 0.3:
            await engine.confirm_hold(hold.id)
        else:
            held.append(hold.id)
    except (Refused, InvalidRequest):  # taken; or a type of no rooms has nothing to block
        pass


def _shown(searcher: StaysSearcher, listing_id: str, wanted: Wanted) -> Found | None:
    number, index = parse_resource(listing_id), searcher.index
    found = index.page(index.find(wanted), wanted, PageAsked(None, 1000, "distance"))
    return next((one for one in found if one.listing.number == number), None)


@pytest.mark.parametrize("seed", range(6))
async def test_what_is_shown_can_be_held_and_nothing_else(
    engine: bespeak.Engine, database_url: str, seed: int
) -> None:
    chance = random.Random(seed)
    listing_ids = [await _listing(engine, _plan(chance)) for _ in range(3)]
    searcher = StaysSearcher(engine.database)
    shown_free, shown_taken = 0, 0
    async with numbering(database_url):
        try:
            await searcher.ready()
            for listing_id in listing_ids:
                held: list[str] = []
                for _ in range(12):
                    await _change_something(engine, listing_id, held, chance)
            await _settle(engine, searcher)
            # All are searched before any is held: the index sees holds, though they are let go.
            asked = [
                (listing_id, start, _stay(engine, chance, start))
                for listing_id in listing_ids
                for start in range(_DAYS)
            ]
            shown = [_shown(searcher, listing_id, wanted) for listing_id, _, wanted in asked]
            for (listing_id, start, wanted), found in zip(asked, shown, strict=True):
                line = Line(
                    listing_id,
                    quantity=wanted.rooms,
                    from_=_day(start),
                    to=_day(start + wanted.nights),
                )
                try:
                    hold = await engine.place_hold(owner="traveller", lines=[line])
                except Refused:
                    assert found is None, (wanted, found)
                    shown_taken += 1
                    continue
                await engine.release_hold(hold.id)
                assert found is not None, wanted
                assert found.price == hold.amount.amount
                shown_free += 1
        finally:
            await searcher.close()
    assert shown_free and shown_taken


def _stay(engine: bespeak.Engine, chance: random.Random, start: int) -> Wanted:
    return dataclasses.replace(
        _any_stay(engine),
        arrival=(_TODAY + timedelta(start)).toordinal(),
        nights=chance.randint(1, 4),
        rooms=chance.randint(1, 2),
    )


async def _price(engine: bespeak.Engine, listing_id: str, arrival: int, nights: int) -> int | None:
    """What a hold of one room costs, None if there is none to be had."""
    start = arrival - _TODAY.toordinal()
    try:
        line = Line(listing_id, from_=_day(start), to=_day(start + nights))
        hold = await engine.place_hold(owner="traveller", lines=[line])
    except Refused:
        return None
    await engine.release_hold(hold.id)
    return hold.amount.amount


@pytest.mark.parametrize("seed", range(4))
async def test_with_flexible_dates_the_cheapest_stay_that_can_be_held_is_shown(
    engine: bespeak.Engine, database_url: str, seed: int
) -> None:
    chance = random.Random(100 + seed)
    listing_ids = [await _listing(engine, _plan(chance)) for _ in range(3)]
    searcher = StaysSearcher(engine.database)
    moved = 0
    async with numbering(database_url):
        try:
            await searcher.ready()
            for listing_id in listing_ids:
                held: list[str] = []
                for _ in range(12):
                    await _change_something(engine, listing_id, held, chance)
            await _settle(engine, searcher)
            asked = [
                (listing_id, _flexible_stay(engine, chance))
                for listing_id in listing_ids
                for _ in range(8)
            ]
            # As above: a hold of one day must not be seen by the search of the next.
            shown = [_shown(searcher, listing_id, wanted) for listing_id, wanted in asked]
            for (listing_id, wanted), found in zip(asked, shown, strict=True):
                had = {
                    day: price
                    for day in wanted.arrivals
                    if (price := await _price(engine, listing_id, day, wanted.nights))
                }
                day = min(had, key=had.__getitem__, default=None)  # of equal ones the first
                best = None if day is None else (day, had[day])
                assert best == (None if found is None else (found.arrival, found.price)), wanted
                moved += day not in (None, wanted.arrival)
        finally:
            await searcher.close()
    assert moved


def _flexible_stay(engine: bespeak.Engine, chance: random.Random) -> Wanted:
    return dataclasses.replace(
        _any_stay(engine),
        arrival=(_TODAY + timedelta(chance.randrange(_DAYS))).toordinal(),
        nights=chance.randint(1, 4),
        flexible=chance.randint(1, 3),
    )


async def _settle(engine: bespeak.Engine, searcher: StaysSearcher) -> None:
    """Waits until all that happened is in the feed, and the index has read it."""
    async with engine.database.borrow() as connection:
        count = await connection.fetchval("select count(*) from bespeak.event")
    for _ in range(200):
        told = (await engine.events(limit=1000)).items  # empty until the first is numbered
        if told and (told[-1].position, told[-1].cursor) == (count, searcher.cursor):
            return
        await asyncio.sleep(0.05)
    raise AssertionError("the index does not come to the end of the feed")


def _any_stay(engine: bespeak.Engine) -> Wanted:
    """Three nights from now, of one room."""
    return Wanted(
        workspace="default",
        published_only=True,
        now=engine.clock.now(),
        area=_AREA,
        arrival=(_TODAY + timedelta(3)).toordinal(),
        nights=1,
    )


async def test_what_has_lapsed_is_shown_once_a_sweep_has_told_it(
    engine: bespeak.Engine, database_url: str
) -> None:
    """Until then it is shown as taken, though a hold gets it: too little, and never too much."""
    listing_id = await _listing(engine, NightsPlan(rooms=("one",)))
    wanted = _any_stay(engine)
    line = Line(listing_id, from_=_day(3), to=_day(4))
    searcher = StaysSearcher(engine.database)
    async with numbering(database_url):
        try:
            await searcher.ready()
            for owner in ("first", "second"):  # who gets what has lapsed, though none was told
                hold = await engine.place_hold(owner=owner, lines=[line], hold_seconds=1)
                await _settle(engine, searcher)
                await _lapsed(engine, hold.id)
                await searcher.look()
                assert _shown(searcher, listing_id, wanted) is None
            assert (await Sweeper(engine.database.pool).sweep())[0] == 2
            await _settle(engine, searcher)
            assert _shown(searcher, listing_id, wanted) is not None
        finally:
            await searcher.close()


async def _lapsed(engine: bespeak.Engine, hold_id: str) -> None:
    """Waits until the hold cannot be confirmed any more."""
    hold = await engine.get_hold(hold_id)
    async with asyncio.timeout(30), engine.database.borrow() as connection:
        while (  # noqa: ASYNC110 (time goes on)
            await connection.fetchval("select bespeak.now()") <= hold.expires_at
        ):
            await asyncio.sleep(0.05)


async def test_while_the_database_is_away_the_last_state_is_answered(
    engine: bespeak.Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    listing_id = await _listing(engine, NightsPlan(rooms=("house",)))
    searcher = StaysSearcher(engine.database)
    try:
        await searcher.ready()
        assert not searcher.is_stale

        def away(*_: object) -> object:
            raise DatabaseUnavailable(retry_after_seconds=1)

        monkeypatch.setattr(searcher, "_database", SimpleNamespace(borrow=away))
        monkeypatch.setattr(following, "_STALE", timedelta(seconds=0.2))
        await asyncio.sleep(0.4)
        assert searcher.is_stale
        assert _shown(searcher, listing_id, _any_stay(engine)) is not None
    finally:
        await searcher.close()


async def test_a_fault_of_ours_does_not_end_the_search(
    engine: bespeak.Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    listing_id = await _listing(engine, NightsPlan(rooms=("house",)))
    searcher = StaysSearcher(engine.database)

    def broken(_: object) -> object:
        monkeypatch.setattr(following, "listing_of", listing_of)
        raise ValueError("a fault of ours")

    monkeypatch.setattr(following, "listing_of", broken)
    monkeypatch.setattr(following, "_AGAIN_SECONDS", 0.01)  # far less than it may take to be ready
    try:
        await searcher.ready()
        assert _shown(searcher, listing_id, _any_stay(engine)) is not None
    finally:
        await searcher.close()


@pytest.mark.parametrize("refusal", [CursorExpired, CursorOfAnotherLife])
async def test_who_lost_the_feed_reads_all_anew(
    engine: bespeak.Engine, monkeypatch: pytest.MonkeyPatch, refusal: type[Refused]
) -> None:
    # Nothing gives positions to events here, so the feed alone would never tell of the hold.
    listing_id = await _listing(engine, NightsPlan(rooms=("house",)))
    searcher = StaysSearcher(engine.database)
    try:
        await searcher.ready()
        line = Line(listing_id, from_=_day(3), to=_day(4))
        await engine.place_hold(owner="carla", lines=[line])
        await asyncio.sleep(0.3)
        assert _shown(searcher, listing_id, _any_stay(engine)) is not None

        async def lost(*_: object) -> object:
            monkeypatch.undo()
            raise refusal(cursor=None)

        monkeypatch.setattr(following, "read", lost)
        for _ in range(100):
            if _shown(searcher, listing_id, _any_stay(engine)) is None:
                return
            await asyncio.sleep(0.05)
        raise AssertionError("the index was not built anew")
    finally:
        await searcher.close()


async def _cheapest(
    engine: bespeak.Engine, line: Line, rates: list[str]
) -> tuple[int, str | None] | None:
    """What a hold costs at the cheapest rate, and which that is; None if there is none."""
    costs = []
    for rate in (None, *rates):
        asked = line if rate is None else replace(line, rate=rate)
        try:
            hold = await engine.place_hold(owner="traveller", lines=[asked])
        except Refused:
            continue
        costs.append((hold.amount.amount, rate))
        await engine.release_hold(hold.id)
    return min(costs, key=lambda cost: cost[0], default=None)


@pytest.mark.parametrize("seed", range(6))
async def test_the_price_that_is_shown_is_that_of_a_hold_at_the_cheapest_rate(
    engine: bespeak.Engine, database_url: str, seed: int
) -> None:
    chance = random.Random(200 + seed)
    plans = [with_rates(_plan(chance), chance) for _ in range(4)]
    listing_ids = [await _listing(engine, plan, some_pricing(chance)) for plan in plans]
    searcher, at_a_rate = StaysSearcher(engine.database), 0
    async with numbering(database_url):
        try:
            await searcher.ready()
            asked = [
                (plan, _rated_stay(engine, chance, start), listing_id)
                for listing_id, plan in zip(listing_ids, plans, strict=True)
                for start in range(_DAYS)
            ]
            # All are searched before any is held: the index sees holds, though they are let go.
            shown = [_shown(searcher, listing_id, wanted) for _, wanted, listing_id in asked]
            for (plan, wanted, listing_id), found in zip(asked, shown, strict=True):
                rates = [rate.name for rate in plan.rates]
                had = await _cheapest(engine, _line_of(listing_id, wanted), rates)
                assert had == (None if found is None else (found.price, found.rate)), wanted
                at_a_rate += had is not None and had[1] is not None
        finally:
            await searcher.close()
    assert any(shown)
    assert at_a_rate or not any(plan.rates for plan in plans)


def _rated_stay(engine: bespeak.Engine, chance: random.Random, start: int) -> Wanted:
    rooms = chance.randint(1, 2)
    guests = chance.randint(rooms, 2 * rooms)
    return dataclasses.replace(
        _any_stay(engine),
        arrival=(_TODAY + timedelta(start)).toordinal(),
        nights=chance.randint(1, 4),
        rooms=rooms,
        guests=guests,
        ages=some_ages(chance, guests),
    )


def _line_of(listing_id: str, wanted: Wanted) -> Line:
    start = (wanted.arrival or 0) - _TODAY.toordinal()
    return Line(
        listing_id,
        quantity=wanted.rooms,
        from_=_day(start),
        to=_day(start + wanted.nights),
        guests=wanted.guests,
        ages=wanted.ages,
    )
