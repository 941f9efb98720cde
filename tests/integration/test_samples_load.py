"""Loading the demo's samples: once, found again, and anew only what is over."""

from datetime import UTC, datetime, timedelta

import bespeak
from bespeak import NewResource, PoolPlan, SeatsPlan
from bespeak.demo.samples.catalogue import SAMPLES
from bespeak.demo.samples.load import load_samples

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
STANDING = {"hotel", "cottage", "clinic", "drivers"}


async def test_the_samples_are_loaded_once(engine: bespeak.Engine) -> None:
    first = await load_samples(engine, NOW)
    assert [each.sample for each in first] == list(SAMPLES)
    assert await load_samples(engine, NOW) == first
    assert len((await engine.list_resources(limit=100)).items) == len(SAMPLES)


async def test_what_is_over_is_made_anew_and_what_stands_stays(engine: bespeak.Engine) -> None:
    before = {each.sample.key: each.resource for each in await load_samples(engine, NOW)}
    later = NOW + timedelta(days=400)
    after = {each.sample.key: each.resource for each in await load_samples(engine, later)}
    kept = {key for key, resource in after.items() if resource.id == before[key].id}
    assert kept == STANDING
    assert all(
        resource.closes_at is not None and resource.closes_at > later
        for key, resource in after.items()
        if key not in STANDING
    )


async def test_a_sample_that_was_changed_is_found_and_not_mended(engine: bespeak.Engine) -> None:
    hotel = (await load_samples(engine, NOW))[1].resource
    change = bespeak.ResourceChange(name="Grand Hotel", hold_seconds=60)
    changed = await engine.update_resource(hotel.id, change)
    assert (await load_samples(engine, NOW))[1].resource == changed


async def test_another_resource_of_the_kind_is_not_taken_for_the_sample(
    engine: bespeak.Engine,
) -> None:
    plan = SeatsPlan(pools=(PoolPlan("floor", 5),))
    other = await engine.create_resource(NewResource(name="Ours", kind="play", plan=plan))
    theatre = (await load_samples(engine, NOW))[0].resource
    assert theatre.id != other.id
