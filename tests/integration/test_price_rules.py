"""Suggested prices that are applied by rule, once a day: by two workers at once, over a crash, and
beside a person who changes the listing meanwhile.
"""

import asyncio
from dataclasses import dataclass
from datetime import timedelta

import pytest
from msgspec.structs import replace

import bespeak
from bespeak import Line, ResourceChange
from bespeak.inventory.shapes.nights.plan import NightRule, NightsPlan
from bespeak.verticals.stays.forms import NewListing, NewProperty
from bespeak.verticals.stays.listings import create_listing
from bespeak.verticals.stays.properties import create_property
from bespeak.verticals.stays.suggestions import applying, automatic, history, suggesting
from bespeak.verticals.stays.suggestions.automatic import PriceRules
from bespeak.verticals.stays.suggestions.forms import Applied, PriceRule
from tests.harness.clock import START, Clock

TODAY = START.date() + timedelta(days=60)
RULE = PriceRule(least=5_000, most=20_000, step=300, multiple=100, days_ahead=12)
PLAN = NightsPlan(count=10, price=10_000)


@dataclass(frozen=True)
class House:
    """A listing that is behind its pace, whose rule is due."""

    engine: bespeak.Engine
    listing: str

    async def rules(self) -> tuple[NightRule, ...]:
        plan = (await self.engine.get_resource(self.listing)).plan
        assert isinstance(plan, NightsPlan)
        return plan.rules

    async def prices(self) -> set[int]:
        return {rule.price or 0 for rule in await self.rules()}

    async def set_rule(self, applied: Applied = "by_rule") -> None:
        rule = replace(RULE, applied=applied)
        async with self.engine.database.borrow() as connection, connection.transaction():
            await applying.set_rule(self.engine, connection, "default", self.listing, rule)


@pytest.fixture
async def house(engine: bespeak.Engine, clock: Clock) -> House:
    async with engine.database.borrow() as connection, connection.transaction():
        new = NewProperty(name="House", kind="hotel", lat=1.0, lon=1.0, time_zone="UTC")
        property_id, _ = await create_property(connection, "default", new, None)
        said = NewListing(
            property=property_id, name="Room", guests=2, plan=PLAN, payment="at_venue",
            currency="EUR",
        )  # fmt: skip
        listing, _ = await create_listing(engine, connection, "default", said, None)
    line = Line(
        resource_id=listing,
        from_=str(TODAY - timedelta(days=28)),
        to=str(TODAY),
        quantity=8,
    )
    hold = await engine.place_hold(owner="asha", lines=[line])
    await engine.confirm_hold(hold.id)
    await clock.set(START + timedelta(days=60))
    made = House(engine, listing)
    await made.set_rule()
    return made


async def test_a_rule_is_applied_once_a_day_in_steps(house: House, clock: Clock) -> None:
    work = PriceRules(house.engine)
    assert await work.apply_one()
    assert await house.prices() == {9_700}
    assert not await work.apply_one()
    await clock.set(clock.now + timedelta(days=1))
    assert await work.apply_one()
    assert min(await house.prices()) == 9_500
    rules = await house.rules()
    assert rules[0].from_ == TODAY + timedelta(days=1)  # the night that is past has gone
    assert len(rules) <= 4


async def test_what_is_applied_by_hand_is_left_alone(house: House) -> None:
    await house.set_rule("by_hand")
    assert not await PriceRules(house.engine).apply_one()
    assert await house.rules() == ()


async def test_of_two_workers_one_applies(house: House) -> None:
    both = [PriceRules(house.engine), PriceRules(house.engine)]
    done = await asyncio.gather(*(work.apply_one() for work in both))
    assert sorted(done) == [False, True]
    assert await house.prices() == {9_700}


async def test_a_second_writer_finds_the_day_done(house: House) -> None:
    """Two that both claimed it, as after ten minutes of a slow one: the step is made once."""
    work = PriceRules(house.engine)
    await asyncio.gather(*(work._apply("default", house.listing) for _ in range(2)))
    assert await house.prices() == {9_700}
    await work._apply("default", house.listing)
    assert await house.prices() == {9_700}


async def test_the_step_would_be_made_twice_without_the_note_of_the_day(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control of the test above."""
    queries = dict(history.QUERIES)
    queries["end"] = "select 1 where $1::bigint > 0 and $2::date is not null"
    monkeypatch.setattr(automatic, "QUERIES", queries)
    work = PriceRules(house.engine)
    for _ in range(2):
        await work._apply("default", house.listing)
    assert min(await house.prices()) == 9_500


async def test_one_that_dies_between_leaves_it_due(
    house: House, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def die(*_: object) -> None:
        raise RuntimeError

    work = PriceRules(house.engine)
    with monkeypatch.context() as patch:
        patch.setattr(applying, "write", die)
        with pytest.raises(RuntimeError):
            await work.apply_one()
    assert await house.rules() == ()
    assert not await work.apply_one()  # somebody may still be at it
    await clock.set(clock.now + timedelta(minutes=11))
    assert await work.apply_one()
    assert await house.prices() == {9_700}


async def test_a_listing_that_is_changed_meanwhile_is_worked_out_anew(
    house: House, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = suggesting.suggestions

    async def read_and_change(*asked: object) -> object:
        found = await read(*asked)  # type: ignore[arg-type]
        plan = NightsPlan(count=10, price=12_000)
        await house.engine.update_resource(house.listing, ResourceChange(plan=plan))
        return found

    work = PriceRules(house.engine)
    with monkeypatch.context() as patch:
        patch.setattr(automatic, "suggestions", read_and_change)
        await work.apply_one()
    assert await house.rules() == ()
    await clock.set(clock.now + timedelta(minutes=11))
    assert await work.apply_one()
    assert await house.prices() == {11_700}
