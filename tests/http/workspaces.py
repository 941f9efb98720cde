"""Two workspaces, `default` and `acme`: keys of both, and a world of things in one of them."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from uuid import UUID

import httpx

from bespeak import Resource, ids
from bespeak.http.endpoints import ENDPOINTS
from bespeak.http.server.keys import create_key
from bespeak.inventory import resources, workspaces
from bespeak.inventory.resources import Price
from bespeak.inventory.workspaces import DEFAULT
from tests.harness.database import Connection
from tests.harness.paying import PRICE
from tests.harness.shows import new_show
from tests.http.api import KINDS, SETTINGS, Api, document, line, opened
from tests.http.test_desk import captured, issued
from tests.http.test_refunds import booked, only_refund

ACME = "acme"
OTHER = {DEFAULT: ACME, ACME: DEFAULT}
KEYED = [endpoint for endpoint in ENDPOINTS if endpoint.kinds]


@asynccontextmanager
async def opened_twofold(database_url: str, connection: Connection) -> AsyncIterator[Api]:
    """An API with both workspaces, whose refusals are those of the database: nothing is kept."""
    settings = type(SETTINGS)(
        known_taken_seconds=0,
        pool_max=4,
        availability_ms=0,
        payment_providers="sandbox",
        allow_pretend_money=True,
        free_sales=True,
    )
    async with opened(settings, database_url, connection) as made:
        await found_acme(made)
        yield made


async def found_acme(api: Api) -> None:
    """Makes the second workspace, with a key of each kind: `acme sk` is its sk_ key."""
    await workspaces.create(api.connection, ACME)
    for short, kind in KINDS.items():
        text, _ = await create_key(api.connection, kind, f"{ACME} {short}", workspace=ACME)
        api.keys[f"{ACME} {short}"] = text
        api.keys[f"{DEFAULT} {short}"] = api.keys[short]


def act_in(api: Api, workspace: str) -> None:
    """Has the tests' helpers, which ask as `sk` and `ak`, work in a workspace."""
    for short in KINDS:
        api.keys[short] = api.keys[f"{workspace} {short}"]


@dataclass(frozen=True)
class World:
    """What somebody has: a resource with a block, a hold, a booking that was paid for, a refund and
    a ticket; by the names in paths."""

    show: Resource
    ids: dict[str, str]
    code: str


async def make_world(api: Api, workspace: str) -> World:
    """A world in a workspace."""
    act_in(api, workspace)
    new = new_show(payment="required", price=Price(PRICE, "EUR"))
    show = await resources.create(api.connection, new, workspace=workspace)
    booking = await booked(api, show, "A1", "A2", "A3")
    await captured(api, str(booking["id"]))
    invoice = (await issued(api, booking))[0]
    partly = {"lines": [line(show, "A2")], "refund": "full"}
    path = f"/v1/bookings/{booking['id']}"
    cancelled = document(await api.ask("DELETE", path, partly), 200)
    page = await api.get(f"{path}/tickets")
    texts = [{"language": "en", "subject": "Doors", "text": "They open at 19:30."}]
    path = f"/v1/resources/{show.id}/mailings"
    mailing = document(await api.ask("POST", path, {"texts": texts}, key="ak"), 201)
    payment = booking["payment"]
    assert isinstance(payment, dict)
    named = {
        "{resource_id}": show.id,
        "{show_id}": show.id,
        "{performance_id}": show.id,
        "{listing_id}": show.id,
        "{block_id}": str((await api.block(show, "B8"))["id"]),
        "{hold_id}": str((await api.hold(show, "A9"))["id"]),
        "{booking_id}": str(booking["id"]),
        "{payment_id}": str(payment["id"]),
        "{refund_id}": str(only_refund(cancelled)["id"]),
        "{invoice_id}": str(invoice["id"]),
        "{mailing_id}": str(mailing["id"]),
    }
    return World(show, named, str(page["items"][0]["code"]))  # type: ignore[index]


def unknown(text: str) -> str:
    """An id of the same kind that nothing has: beside it, at a resource that there is not."""
    prefix = text.partition("_")[0]
    if prefix == ids.RESOURCE:
        return ids.show_resource(ids.parse_resource(text) ^ 1)
    return ids.show(prefix, UUID(int=ids.parse(prefix, text).int ^ 1 << 32))


def as_unknown(world: World) -> World:
    """The same with ids that nothing has."""
    return replace(world, ids={name: unknown(text) for name, text in world.ids.items()})


def said(answer: httpx.Response, world: World) -> tuple[int, str]:
    """An answer without what differs in every one: its number, and the ids it was asked with."""
    text = answer.text.replace(answer.headers["x-request-id"], "")
    for name, value in world.ids.items():
        text = text.replace(value, name)
    return answer.status_code, text


def changed(before: Mapping[str, list[str]], after: Mapping[str, list[str]]) -> set[str]:
    """The tables that differ."""
    return {table for table in before if before[table] != after[table]}


async def number_events(api: Api) -> None:
    """Gives positions to all that happened, as the background worker does."""
    await api.connection.execute("select bespeak.number_events()")
