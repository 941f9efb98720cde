"""A register of refusals: how each error that an endpoint can answer is brought about.

A scenario prepares the ground and returns the request that must be refused. The register is
compared with the contract table, so that an error without a scenario fails the suite.
"""

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import TypeAlias

import pytest

from bespeak import Resource
from bespeak.inventory import resources
from tests.harness import database
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.shapes import Shape
from tests.harness.shows import new_show
from tests.http.api import Api, Request


@dataclass
class Stage:
    """What a scenario may use; what it opens is closed after it."""

    api: Api
    show: Resource
    clock: Clock
    monkeypatch: pytest.MonkeyPatch
    stack: AsyncExitStack

    async def make_show(self, **fields: object) -> Resource:
        """Another show, with other fields than usual."""
        return await resources.create(self.api.connection, new_show(**fields))

    async def make_shape(self, shape: Shape, **fields: object) -> Resource:
        """A resource of a sample."""
        return await resources.create(self.api.connection, shape.new(**fields))

    async def open_transaction(self) -> Connection:
        """A connection with a transaction that stays open."""
        connection = await self.stack.enter_async_context(database.session(self.api.database_url))
        await connection.execute("begin")
        return connection


Prepare: TypeAlias = Callable[[Stage], Awaitable[Request]]


@dataclass(frozen=True)
class Scenario:
    """One refusal, and members that its problem document must have."""

    endpoint: str
    code: str
    prepare: Prepare
    data: dict[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.endpoint} {self.code} {self.prepare.__name__}".replace("/v1/", "/")


SCENARIOS: list[Scenario] = []

HOLDS = "POST /v1/holds"
HOLD = "GET /v1/holds/{hold_id}"
RELEASE = "DELETE /v1/holds/{hold_id}"
EXTEND = "POST /v1/holds/{hold_id}/extend"
CONFIRM = "POST /v1/bookings"
BOOKING = "GET /v1/bookings/{booking_id}"
CANCEL = "DELETE /v1/bookings/{booking_id}"
RESOURCES = "GET /v1/resources"
CREATE = "POST /v1/resources"
RESOURCE = "GET /v1/resources/{resource_id}"
CHANGE = "PATCH /v1/resources/{resource_id}"
AVAILABILITY = "GET /v1/resources/{resource_id}/availability"
POSITION = "GET /v1/holds/{hold_id}/position"
BOOKED_POSITION = "GET /v1/bookings/{booking_id}/position"
SERVING = "PUT /v1/resources/{resource_id}/serving"
AUDIT = "GET /v1/resources/{resource_id}/audit"
BLOCKS = "GET /v1/resources/{resource_id}/blocks"
BLOCK = "POST /v1/resources/{resource_id}/blocks"
BLOCK_TOGETHER = "POST /v1/blocks"
LIFT = "DELETE /v1/resources/{resource_id}/blocks/{block_id}"
EVENTS = "GET /v1/events"
EVENTS_SNAPSHOT = "GET /v1/events/snapshot"
KEY = "DELETE /v1/keys/{key_id}"


def refuses(endpoint: str, code: str, **data: object) -> Callable[[Prepare], Prepare]:
    """Registers a scenario; it may carry several of these."""

    def register(prepare: Prepare) -> Prepare:
        SCENARIOS.append(Scenario(endpoint, code, prepare, data))
        return prepare

    return register


NO_HOLD = "hold_" + "0" * 26
NO_BOOKING = "bkg_" + "0" * 26
NO_PAYMENT = "pay_" + "0" * 26
NO_REFUND = "ref_" + "0" * 26
NO_INVOICE = "inv_" + "0" * 26
NO_BLOCK = "blk_" + "0" * 26
NO_ERASURE = "era_" + "0" * 26
NO_RESOURCE = "res_00000001"
NO_ENDPOINT = "whe_" + "0" * 16
