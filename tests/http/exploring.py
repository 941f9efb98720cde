"""A world for requests that nobody thought of, made by schemathesis from our own document: how they
are sent, and what is wrong with an answer.
"""

import asyncio
import random
import threading
from collections.abc import Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar, cast

import httpx
import msgspec
import requests
import schemathesis
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from bespeak.http.endpoints import ENDPOINTS
from bespeak.http.server.endpoint import Endpoint
from bespeak.http.server.openapi import openapi
from bespeak.inventory import resources
from bespeak.inventory.resources import Price
from tests.harness import database
from tests.harness.clock import START, Clock
from tests.harness.shapes import SHAPES
from tests.harness.shows import new_show
from tests.http import programmes, stays, teams
from tests.http.api import SETTINGS, Api, Json, document, opened, problem
from tests.http.refused_shapes import asking

_LINES = [line for shape in SHAPES for line in (shape.one, shape.rival, shape.other)]
_DATES = [f"2030-01-{day:02}" for day in range(1, 32, 3)]
# By the names of fields, what makes sense to some resource.
SENSE = {
    "unit": ["A5", "A6", "A7", "B8", "floor", "gallery", *[str(line.unit) for line in _LINES]],
    "from": [*_DATES, "now", *[str(line.from_) for line in _LINES if line.from_]],
    "to": [*_DATES, *[str(line.to) for line in _LINES if line.to]],
    "start_date": _DATES,
    "end_date": _DATES,
    "code": ["FAN"],
    "provider": ["sandbox"],
    "payment_token": ["tok_success", "tok_declined", "tok_challenge", "tok_slow_1"],
    "return_url": ["https://shop.example/thanks"],
    "category": ["gold", "silver", "second", "first"],
}
# What a request may still be refused for when it is as the document wants it.
SENSIBLE = {402, 403, 404, 409, 410, 412, 422}
# What must be signed, known or given out before, which nothing that is made up is.
SIGNED = {
    "booking_link_invalid",
    "callback_invalid",
    "console_session_invalid",
    "invalid_cursor",
    "key_unknown",
    "login_failed",
    "not_signed_in",
    "operator_link_invalid",
    "preview_link_invalid",
    "proof_failed",
}
# Mails go to others: how many may be asked for is not a setting.
LIMITED = {"mailed_too_often", "rate_limited"}


def _without_security(document: dict[str, dict[str, dict[str, object]]]) -> dict[str, object]:
    """The document as for an open server: the tests bring keys of their own."""
    del document["components"]["securitySchemes"]
    for operations in document["paths"].values():
        for operation in operations.values():
            assert isinstance(operation, dict)
            del operation["security"]
    return dict(document)


SCHEMA = schemathesis.openapi.from_dict(
    _without_security(msgspec.json.decode(msgspec.json.encode(openapi(ENDPOINTS))))
)
Value = TypeVar("Value")
Made: TypeAlias = Case[Any]  # any: which kind of operation is schemathesis' own business


class Background:
    """The API on an event loop of its own, since hypothesis calls from where there is none."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[object, object, Value]) -> Value:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(60)

    def close(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(10)
        self.loop.close()


@dataclass
class World:
    """An API with things in it, and their ids by prefix, so that some requests meet something."""

    background: Background
    api: Api
    known: dict[str, list[str]]
    headers: dict[str, dict[str, str]]


@contextmanager
def open_world(server: str) -> Iterator[World]:
    """Such a world, for as long as it is used."""
    background = Background()
    stack = AsyncExitStack()
    try:
        yield background.run(_made(background, stack, server))
        background.run(stack.aclose())
    finally:
        background.close()


async def _made(background: Background, stack: AsyncExitStack, server: str) -> World:
    url = await stack.enter_async_context(database.fresh_database(server))
    connection = await stack.enter_async_context(database.session(url))
    with_bank = msgspec.structs.replace(
        SETTINGS, payment_providers="sandbox", allow_pretend_money=True
    )
    api = await stack.enter_async_context(opened(with_bank, url, connection))
    shows = [await resources.create(connection, new_show(owner_limit=n)) for n in (None, 9)]
    clock = Clock(connection)
    await clock.set(START)
    clock.shared_with(api.service.engine)
    made = [await resources.create(connection, shape.new(owner_limit=30)) for shape in SHAPES]
    known: dict[str, list[str]] = {"res": [show.id for show in (*shows, *made)]}
    for shape, resource in zip(SHAPES, made, strict=True):
        hold = document(await api.send(asking(resource, shape.one, owner="A1")), 201)
        known.setdefault("hold", []).append(str(hold["id"]))
    for show in shows:
        for unit in ("A1", "A2", "A3", "A4"):
            hold = await api.hold(show, unit, "floor 1", owner=unit)
            known.setdefault("hold", []).append(str(hold["id"]))
        booking = await api.booking(show, "B3", "B4", "gallery 1", owner="b")
        known.setdefault("bkg", []).append(str(booking["id"]))
        known.setdefault("blk", []).append(str((await api.block(show, "B6", "B7"))["id"]))
    play = await resources.create(
        connection, new_show(payment="required", price=Price(1500, "EUR"))
    )
    known["res"].append(play.id)
    for unit, token in (("A1", "tok_success"), ("A2", "tok_challenge"), ("A3", None)):
        hold = await api.hold(play, unit, owner="A1")
        known["hold"].append(str(hold["id"]))
        if token is not None:
            body = {"hold_id": hold["id"], "payment_token": token}
            answer = await api.ask("POST", "/v1/bookings", body)
            known.setdefault("pay", []).append(answer.json()["payment"]["id"])
    evening = await programmes.performance(api, starts_at="2031-03-07T20:00", published=True)
    known["res"].append(str(evening["id"]))
    for prefix, name in (("ven", "venue"), ("hal", "hall"), ("prd", "production")):
        known[prefix] = [str(cast(Json, evening[name])["id"])]
    known["res"].append(str((await teams.made_team(api))["id"]))
    listing = await stays.made_listing(api, await stays.made_property(api))
    known["res"].append(str(listing["id"]))
    known["prp"] = [str(cast(Json, listing["property"])["id"])]
    headers = {key: {"Authorization": f"Bearer {text}"} for key, text in api.keys.items()}
    headers["pk"]["Bespeak-Shopper"] = api.token("A1")
    return World(background, api, known, headers)


def met(value: object, known: dict[str, list[str]], dice: random.Random) -> object:
    """The value with most of its ids and units replaced by some that exist."""
    if isinstance(value, dict):
        found = {name: met(one, known, dice) for name, one in value.items()}
        for name, choices in SENSE.items():
            if isinstance(found.get(name), str) and dice.random() < 0.8:
                found[name] = dice.choice(choices)
        return found
    if isinstance(value, list):
        return [met(one, known, dice) for one in value]
    if isinstance(value, str):
        ids = known.get(value.partition("_")[0], [])
        if "_" in value and ids and dice.random() < 0.8:
            return dice.choice(ids)
    return value


def fill(case: Made, world: World, dice: random.Random) -> None:
    """Lets a request be about what is there."""
    case.path_parameters = met(case.path_parameters, world.known, dice)  # type: ignore[assignment]
    case.query = met(case.query, world.known, dice)  # type: ignore[assignment]
    case.body = met(case.body, world.known, dice)  # type: ignore[assignment]


async def answer_to(case: Made, world: World, key: str | None) -> httpx.Response:
    """Sends what schemathesis made, as it made it."""
    kwargs = case.as_transport_kwargs(base_url="http://bespeak.test")
    kwargs.pop("cookies", None)
    prepared = requests.Request(**kwargs).prepare()
    headers = [(str(name).lower(), value) for name, value in prepared.headers.items()]
    headers = [one for one in headers if one[0] not in ("authorization", "bespeak-shopper")]
    raw = [
        (name.encode("latin-1"), value if isinstance(value, bytes) else value.encode("latin-1"))
        for name, value in headers
    ]
    if key is not None:
        raw += [(name.encode(), text.encode()) for name, text in world.headers[key].items()]
    assert prepared.url is not None and prepared.method is not None
    request = world.api.client.build_request(
        prepared.method,
        prepared.url,
        headers=raw,
        content=prepared.body,  # type: ignore[arg-type]
    )
    return await world.api.client.send(request)


CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


def check(case: Made, response: httpx.Response, *, right_key: bool, is_good: bool) -> None:
    checks = [*CHECKS]
    if right_key and not is_good and response.status_code != 413:  # so much is not even looked at
        checks.append(negative_data_rejection)
    case.validate_response(response, checks=checks)
    if response.status_code >= 400:
        found = response.json()
        problem(response, str(found["code"]))
        if not right_key:
            assert response.status_code in (401, 403), found
        elif is_good:
            is_known = response.status_code in SENSIBLE or found["code"] in SIGNED | LIMITED
            assert is_known, found
            assert found["code"] not in ("invalid_json", "key_kind_wrong"), found


def takes_anything(endpoint: Endpoint) -> bool:
    """Whether there is anything of a request that could be wrong."""
    return bool(endpoint.body or endpoint.query or "{" in endpoint.path or endpoint.repeatable)


ASKED = [one for one in ENDPOINTS if one.answer != "text/event-stream"]
"""The calls to which something is sent: a stream would not end; test_streams asks it."""


def check_world(world: World) -> None:
    """Nothing is inconsistent, and the service is well."""
    assert world.background.run(database.problems(world.api.connection)) == []
    document(world.background.run(world.api.ask("GET", "/readyz", key=None)), 200)
