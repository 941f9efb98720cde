"""The day's work of a house where money is taken, beside other workspaces, and against a count by
hand.
"""

import asyncio
import random
from collections.abc import AsyncIterator
from datetime import date, timedelta
from typing import cast

import msgspec
import pytest

from bespeak.inventory.workspaces import DEFAULT
from bespeak.verticals.stays.board import chart
from tests.harness.database import Connection
from tests.http.api import SETTINGS, Api, Json, document, opened, problem
from tests.http.stays import PROPERTIES, made_listing, made_property, soon
from tests.http.test_stays_board import (
    blocked,
    booked,
    column,
    counted_house,
    exact_house,
    held,
    items,
    read,
    row,
)
from tests.http.workspaces import ACME, act_in, found_acme

STAYS = 12
DAYS = 20


@pytest.fixture
async def paying_api(database_url: str, connection: Connection) -> AsyncIterator[Api]:
    settings = msgspec.structs.replace(
        SETTINGS, payment_providers="sandbox", allow_pretend_money=True
    )
    async with opened(settings, database_url, connection) as api:
        yield api


@pytest.fixture
async def two_workspaces(database_url: str, connection: Connection) -> AsyncIterator[Api]:
    async with opened(SETTINGS, database_url, connection) as api:
        await found_acme(api)
        yield api


async def test_what_is_paid_is_not_to_pay_and_names_its_payer(paying_api: Api) -> None:
    house, listing = await counted_house(paying_api, payment="required")
    hold = await held(paying_api, listing, soon(0), soon(2))
    contact = {"name": "Mira Falk", "email": "mira@example.com"}
    body = {"hold_id": hold["id"], "payment_token": "tok_success", "contact": contact}
    answer = await paying_api.ask("POST", "/v1/bookings", body)
    # On a busy machine the payment is still under way: the booking follows.
    path = f"/v1/bookings/bkg_{str(hold['id']).removeprefix('hold_')}"
    async with asyncio.timeout(30):
        while answer.status_code in (202, 404):
            answer = await paying_api.ask("GET", path)
    assert answer.is_success, answer.text
    (guest,) = items(await read(paying_api, house, "arrivals", {"date": soon(0)}))
    assert guest["to_pay"] == {"amount": 0, "currency": "EUR"}
    assert cast(Json, guest["contact"])["name"] == "Mira Falk"
    (bar,) = items(await row(paying_api, house, soon(0), 2), "stays")
    assert bar["guest"] == "Mira Falk"


@pytest.mark.parametrize("what", ["board", "arrivals", "figures"])
async def test_what_is_of_another_workspace_is_not_there(what: str, two_workspaces: Api) -> None:
    api = two_workspaces
    act_in(api, ACME)
    house = await made_property(api)
    await made_listing(api, house)
    path = f"{PROPERTIES}/{house['id']}/{what}"
    document(await api.ask("GET", path), 200)
    act_in(api, DEFAULT)
    problem(await api.ask("GET", path), "property_not_found")


async def test_a_page_with_too_much_is_refused(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    house, listing = await counted_house(api)
    for owner in ("Asha", "Ben"):
        await booked(api, listing, soon(0), soon(1), guest=owner)
    path = f"{PROPERTIES}/{house['id']}/board?from={soon(0)}"
    monkeypatch.setattr(chart, "STAYS_MAX", 2)
    document(await api.ask("GET", path), 200)
    monkeypatch.setattr(chart, "STAYS_MAX", 1)
    problem(await api.ask("GET", path), "invalid_request", field="days")


async def test_a_night_of_a_block_that_is_lifted_parts_its_bar(api: Api) -> None:
    house, listing = await exact_house(api)
    block = await blocked(api, listing, **{"unit": "Heron", "from": soon(0), "to": soon(3)})
    path = f"/v1/resources/{listing['id']}/blocks/{block['id']}"
    part = {"lines": [{"unit": f"Heron@{soon(1)}"}]}
    answer = await api.ask("DELETE", path, part, key="ak")
    assert answer.status_code == 200, answer.text
    bars = items(await row(api, house, soon(0), 3), "stays")
    assert [(bar["from"], bar["to"]) for bar in bars] == [(soon(0), soon(1)), (soon(2), soon(3))]


@pytest.mark.parametrize("seed", range(3))
async def test_the_nights_are_those_of_the_bars(seed: int, api: Api) -> None:
    chosen = random.Random(seed)
    house, listing = await counted_house(api, count=3 * STAYS)
    for _ in range(STAYS):
        first = chosen.randrange(DAYS)
        ends = (soon(first), soon(first + chosen.randrange(1, 6)))
        quantity = chosen.randrange(1, 4)
        kind = chosen.choice(["hold", "booking", "block"])
        if kind == "block":
            await blocked(api, listing, **{"from": ends[0], "to": ends[1], "quantity": quantity})
        else:
            await (held if kind == "hold" else booked)(api, listing, *ends, quantity=quantity)
    start = chosen.randrange(DAYS)
    found = await row(api, house, soon(start), 7)
    bars, nights = items(found, "stays"), items(found, "nights")
    for name, kinds in (("taken", ("hold", "booking")), ("blocked", ("block",))):
        counted = [
            sum(
                cast(int, bar["rooms"])
                for bar in bars
                if bar["kind"] in kinds and str(bar["from"]) <= str(day) < str(bar["to"])
            )
            for day in column(nights, "date")
        ]
        assert column(nights, name) == counted
    told = await read(api, house, "figures", {"from": soon(start), "days": 7})
    sold = column(items(items(told)[0], "nights"), "sold")
    booked_bars = [bar for bar in bars if bar["kind"] == "booking"]
    assert sum(map(int, map(str, sold))) == sum(
        cast(int, bar["rooms"]) * _nights_within(bar, soon(start), 7) for bar in booked_bars
    )


def _nights_within(bar: Json, start: str, days: int) -> int:
    first = date.fromisoformat(start)
    behind = first + timedelta(days=days)
    low = max(first, date.fromisoformat(str(bar["from"])))
    return (min(behind, date.fromisoformat(str(bar["to"]))) - low).days
