"""The premiere of the demo: put off while nobody has come for it, and followed by another one when
somebody has.
"""

from __future__ import annotations

from datetime import timedelta

import pytest

from bespeak.admission.forms import TAKEN_BACK_MAX
from bespeak.demo.premiere_start import PreparedPremiere, prepare_premiere
from bespeak.demo.premieres import DemoPremiere
from bespeak.verticals.cinema.catalogue_import import import_catalogue
from bespeak.verticals.cinema.demo.places import catalogue
from tests.harness.clock import START, Clock
from tests.http.api import Api, document
from tests.http.conftest import OpenApi
from tests.http.waiting import ALL, come_in, join, steer

SECONDS = 120


@pytest.fixture
async def cinemas(api: Api) -> None:
    report = await import_catalogue(api.service.engine, catalogue(START.date()))
    assert report.applied


async def start(api: Api) -> PreparedPremiere:
    """What a start of the demo does, and the worker hears of it."""
    prepared = await prepare_premiere(api.service.engine, timedelta(seconds=SECONDS))
    assert prepared is not None
    await api.service.waiting_rooms.board.look()
    return prepared


async def room_of(api: Api, premiere: DemoPremiere) -> dict[str, object]:
    return await api.get(f"{ALL}/{premiere.waiting_room_id}")


@pytest.mark.usefixtures("cinemas")
async def test_it_opens_after_the_start_with_a_waitlist_and_nothing_sold(
    api: Api, moved_clock: Clock
) -> None:
    shown, is_another = await start(api)
    assert not is_another
    assert shown.opens_at - moved_clock.now < timedelta(seconds=SECONDS + 1)
    assert not (shown.has_opened or shown.is_sold_out)
    room = await room_of(api, shown)
    assert room["resources"] == [shown.resource_id]
    assert (room["state"], room["pace"], room["units_max"]) == ("scheduled", "stock", 2)
    seen = await api.get(f"/v1/resources/{shown.resource_id}/availability")
    assert seen["units_free"] == seen["units_total"] == 64
    lists = await api.get(f"/v1/resources/{shown.resource_id}/waitlists")
    assert len(lists["items"]) == 1  # type: ignore[arg-type]


@pytest.mark.usefixtures("cinemas")
async def test_the_next_start_puts_it_off_while_nobody_has_come(
    api: Api, moved_clock: Clock
) -> None:
    first, _ = await start(api)
    await moved_clock.advance(SECONDS / 2)
    second, is_another = await start(api)
    assert (second.resource_id, is_another) == (first.resource_id, False)
    assert second.opens_at - first.opens_at > timedelta(seconds=SECONDS / 2 - 5)
    # It has opened while the demo was down: nobody was let in, so that is undone.
    await moved_clock.advance(SECONDS + 1)
    await steer(api)
    assert (await room_of(api, second))["state"] == "open"
    third, is_another = await start(api)
    assert (third.resource_id, third.has_opened, is_another) == (first.resource_id, False, False)


@pytest.mark.usefixtures("cinemas")
async def test_a_demo_that_is_started_day_after_day_has_its_premiere(
    api: Api, moved_clock: Clock
) -> None:
    # An opening is taken back three times and no more (decision 128): then there is another one.
    starts = [await start(api)]
    while not starts[-1].is_another:
        assert len(starts) <= TAKEN_BACK_MAX + 1
        await moved_clock.advance(SECONDS + 1)
        await steer(api)
        assert (await room_of(api, starts[-1].shown))["state"] == "open"
        starts.append(await start(api))
        assert not starts[-1].shown.has_opened
    assert len(starts) == TAKEN_BACK_MAX + 2
    assert (await room_of(api, starts[0].shown))["state"] == "ended"


@pytest.mark.usefixtures("cinemas")
async def test_after_a_premiere_that_somebody_came_for_there_is_another(
    api: Api, moved_clock: Clock
) -> None:
    first, _ = await start(api)
    room = await room_of(api, first)
    token = await join(api, room)
    await moved_clock.advance(SECONDS + 1)
    for _ in range(3):
        await steer(api)
        await moved_clock.advance(3)
    await come_in(api, room, token)
    second, is_another = await start(api)
    assert is_another
    assert second.resource_id != first.resource_id
    assert (await room_of(api, first))["state"] == "ended"
    shows = [
        await api.get(f"/v1/resources/{one.resource_id}", bespeak_owner="x")
        for one in (first, second)
    ]
    assert str(shows[0]["starts_at"]) < str(shows[1]["starts_at"]), "the hall has one at a time"


@pytest.mark.usefixtures("cinemas")
async def test_one_that_begins_soon_is_not_put_off(api: Api, moved_clock: Clock) -> None:
    first, _ = await start(api)
    await moved_clock.advance(2 * 24 * 3600)
    second, is_another = await start(api)
    assert is_another
    assert second.resource_id != first.resource_id


async def test_without_a_vertical_that_has_one_there_is_none(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bespeak.demo.premiere_start.installed", list)
    assert await prepare_premiere(api.service.engine, timedelta(seconds=1)) is None


async def test_the_shop_is_told_of_it(open_api: OpenApi) -> None:
    api = await open_api(demo=True)
    assert document(await api.ask("GET", "/v1/demo/rush", key="pk"), 200)["premiere"] is None
    assert (await import_catalogue(api.service.engine, catalogue(START.date()))).applied
    shown, _ = await start(api)
    told = document(await api.ask("GET", "/v1/demo/rush", key="pk"), 200)["premiere"]
    assert isinstance(told, dict)
    assert told["waiting_room_id"] == shown.waiting_room_id
    assert str(told["name"]).startswith("The Last Comet")
