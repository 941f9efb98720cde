"""The metrics: each is there, and each moves when what it counts happens."""

import re

from bespeak import Resource
from tests import database
from tests.clock import Clock
from tests.http.api import Api, document, place, until
from tests.http.conftest import OpenApi
from tests.http.test_pressure import seize, send_all, waiting

NAMES = {
    "bespeak_holds_total",
    "bespeak_bookings_total",
    "bespeak_holds_lapsed_total",
    "bespeak_batch_size",
    "bespeak_batch_seconds",
    "bespeak_queue_depth",
    "bespeak_known_taken",
    "bespeak_pool_connections",
    "bespeak_request_seconds",
    "bespeak_hold_to_confirm_ratio",
}


async def values(api: Api) -> dict[str, float]:
    """Every sample by its name and labels."""
    answer = await api.ask("GET", "/metrics", key=None)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    samples = re.findall(r"^(\w+(?:{[^}]*})?) (\S+)$", answer.text, re.MULTILINE)
    return {name: float(value) for name, value in samples}


async def test_every_metric_is_told_with_its_help(api: Api) -> None:
    text = (await api.ask("GET", "/metrics", key=None)).text
    told = set(re.findall(r"^# HELP (bespeak_\w+) \S", text, re.MULTILINE))
    assert {name for name in told if not name.endswith("_created")} == NAMES


async def test_what_happens_is_counted(api: Api, show: Resource) -> None:
    before = await values(api)
    hold = await api.hold(show, "A1")
    await api.send(place(show, "A1"))
    await api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]})
    await api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]})
    after = await values(api)

    def moved(name: str) -> float:
        return after[name] - before.get(name, 0)

    assert moved('bespeak_holds_total{outcome="held"}') == 1
    assert moved('bespeak_holds_total{outcome="unit_taken"}') == 1
    assert moved('bespeak_bookings_total{outcome="confirmed"}') == 1
    assert moved('bespeak_bookings_total{outcome="hold_confirmed"}') == 1
    assert moved('bespeak_batch_size_sum{verb="place"}') == 2
    assert moved('bespeak_batch_seconds_count{verb="confirm"}') == 2
    posted = 'bespeak_request_seconds_count{method="POST",path="/v1/holds",status="201"}'
    assert moved(posted) == 1
    taken = 'bespeak_request_seconds_count{method="POST",path="/v1/holds",status="409"}'
    assert moved(taken) == 1
    held = after['bespeak_holds_total{outcome="held"}']
    confirmed = after['bespeak_bookings_total{outcome="confirmed"}']
    assert after["bespeak_hold_to_confirm_ratio"] == confirmed / held


async def test_a_path_is_counted_by_its_pattern(api: Api) -> None:
    await api.ask("GET", "/v1/holds/hold_00000000000000000000000000")
    await api.ask("GET", "/no/such/path")
    text = (await api.ask("GET", "/metrics", key=None)).text
    assert 'path="/v1/holds/{hold_id}"' in text
    assert "hold_0000" not in text and "/no/such" not in text


async def test_the_gauges_follow(open_api: OpenApi, show: Resource, database_url: str) -> None:
    from bespeak.http import service

    api = await open_api(known_taken_seconds=60)
    await api.hold(show, "A20")
    async with database.session(database_url) as blocker:
        await seize(blocker)
        tasks = await send_all(api, [place(show, f"A{n}") for n in range(1, 6)])
        await waiting(api, 5)
        api.service.measure()
        during = await values(api)
        await blocker.execute("rollback")
        for task in tasks:
            document(await task, 201)
    api.service.measure()
    after = await values(api)
    assert during["bespeak_queue_depth"] == 5
    assert after["bespeak_queue_depth"] == 0
    assert (during["bespeak_known_taken"], after["bespeak_known_taken"]) == (1, 6)
    connections = [
        after[f'bespeak_pool_connections{{state="{state}"}}'] for state in ("idle", "used")
    ]
    assert connections == [1, 0]
    assert service._GAUGE_SECONDS <= 1


async def test_lapsed_holds_are_counted(
    open_api: OpenApi, show: Resource, moved_clock: Clock
) -> None:
    api = await open_api(sweep=True)
    before = (await values(api))["bespeak_holds_lapsed_total"]
    for unit in ("A1", "A2", "floor 1"):
        await api.hold(show, unit, hold_seconds=60)
    await moved_clock.advance(60)

    async def all_counted() -> bool:
        return (await values(api))["bespeak_holds_lapsed_total"] - before == 3

    await until(all_counted)
