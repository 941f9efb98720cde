"""The three doors to the engine, made alike: each verb answers an id and a state, or refuses with
the stable code of the error. What a scenario needs beyond that is not a matter of conformance.
"""

from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol

import asyncpg
import msgspec

import bespeak
from bespeak import BespeakError, BlockLine, Line, ids
from bespeak.errors import by_code
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.http.api import SETTINGS, Api, opened

Lines = Sequence[Line]


@dataclass(frozen=True)
class Done:
    """What a verb made or changed. SQL does not tell the lines."""

    id: str
    state: str
    lines: list[dict[str, object]] = field(default_factory=list, compare=False)


class Refusal(Exception):
    """A verb said no, with this code, and what a program needs of it. SQL tells the code."""

    def __init__(self, code: str, data: dict[str, object] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.data = data or {}


class Door(Protocol):
    """The verbs. `owner` on a change asserts whose it is; None is a trusted caller."""

    async def place(
        self, owner: str, lines: Lines, seconds: int | None = None, key: str | None = None
    ) -> Done: ...
    async def confirm(
        self, hold_id: str, owner: str | None = None, key: str | None = None
    ) -> Done: ...
    async def release(
        self, hold_id: str, owner: str | None = None, key: str | None = None
    ) -> Done: ...
    async def extend(
        self, hold_id: str, seconds: int, owner: str | None = None, key: str | None = None
    ) -> Done: ...
    async def cancel(
        self, booking_id: str, lines: Lines | None = None, key: str | None = None
    ) -> Done: ...
    async def block(self, show_id: str, lines: Lines, key: str | None = None) -> Done: ...
    async def unblock(self, block_id: str, lines: Lines | None = None) -> Done: ...


async def _answer(asked: Awaitable[object]) -> Done:
    try:
        made = await asked
    except BespeakError as error:
        raise Refusal(error.code, _plain(error.data)) from error
    state = getattr(made, "state", "lifted" if getattr(made, "lifted_at", None) else "blocked")
    lines = [_plain(line) for line in getattr(made, "lines")]  # noqa: B009
    return Done(str(getattr(made, "id")), str(state), lines)  # noqa: B009


def _plain(value: object) -> dict[str, object]:
    """As it is in JSON."""
    return msgspec.json.decode(msgspec.json.encode(value), type=dict[str, object])


def _blocked(lines: Lines) -> list[BlockLine]:
    return [BlockLine(line.unit, line.quantity, from_=line.from_, to=line.to) for line in lines]


class LibraryDoor:
    """`import bespeak`."""

    def __init__(self, engine: bespeak.Engine) -> None:
        self._engine = engine

    async def place(
        self, owner: str, lines: Lines, seconds: int | None = None, key: str | None = None
    ) -> Done:
        return await _answer(
            self._engine.place_hold(
                owner=owner, lines=lines, hold_seconds=seconds, idempotency_key=key
            )
        )

    async def confirm(self, hold_id: str, owner: str | None = None, key: str | None = None) -> Done:
        return await _answer(self._engine.confirm_hold(hold_id, owner=owner, idempotency_key=key))

    async def release(self, hold_id: str, owner: str | None = None, key: str | None = None) -> Done:
        return await _answer(self._engine.release_hold(hold_id, owner=owner, idempotency_key=key))

    async def extend(
        self, hold_id: str, seconds: int, owner: str | None = None, key: str | None = None
    ) -> Done:
        return await _answer(
            self._engine.extend_hold(hold_id, seconds=seconds, owner=owner, idempotency_key=key)
        )

    async def cancel(
        self, booking_id: str, lines: Lines | None = None, key: str | None = None
    ) -> Done:
        return await _answer(
            self._engine.cancel_booking(booking_id, reason="x", lines=lines, idempotency_key=key)
        )

    async def block(self, show_id: str, lines: Lines, key: str | None = None) -> Done:
        return await _answer(
            self._engine.block(show_id, _blocked(lines), reason="x", idempotency_key=key)
        )

    async def unblock(self, block_id: str, lines: Lines | None = None) -> Done:
        some = _blocked(lines) if lines is not None else None
        return await _answer(self._engine.unblock(block_id, lines=some))


class SqlDoor:
    """The functions of the schema, as psql calls them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._codes = {
            error.sqlstate: error.code for error in by_code().values() if "sqlstate" in vars(error)
        }

    async def _call(self, text: str, *arguments: object) -> Done:
        try:
            row = await self._connection.fetchrow(f"select {text}", *arguments)
        except asyncpg.PostgresError as error:
            raise Refusal(self._codes.get(error.sqlstate, str(error))) from error
        assert row is not None
        return Done(row["id"], row["state"])

    @staticmethod
    def _arrays(lines: Lines | None) -> tuple[object, object, object]:
        if lines is None:
            return None, None, None
        return (
            [line.resource_id for line in lines],
            [line.unit for line in lines],
            [line.quantity for line in lines],
        )

    async def place(
        self, owner: str, lines: Lines, seconds: int | None = None, key: str | None = None
    ) -> Done:
        return await self._call(
            "id, state from bespeak.place_hold($1, $2, $3, $4, $5, $6)",
            owner, *self._arrays(lines), seconds, key,
        )  # fmt: skip

    async def confirm(self, hold_id: str, owner: str | None = None, key: str | None = None) -> Done:
        return await self._call(
            "booking_id as id, state from bespeak.confirm_hold($1, $2, $3)", hold_id, owner, key
        )

    async def release(self, hold_id: str, owner: str | None = None, key: str | None = None) -> Done:
        return await self._call(
            "hold_id as id, state from bespeak.release_hold($1, $2, $3)", hold_id, owner, key
        )

    async def extend(
        self, hold_id: str, seconds: int, owner: str | None = None, key: str | None = None
    ) -> Done:
        return await self._call(
            "hold_id as id, state from bespeak.extend_hold($1, $2, $3, $4)",
            hold_id, seconds, owner, key,
        )  # fmt: skip

    async def cancel(
        self, booking_id: str, lines: Lines | None = None, key: str | None = None
    ) -> Done:
        return await self._call(
            "booking_id as id, state from bespeak.cancel_booking($1, 'x', null, $2, $3, $4, $5)",
            booking_id, *self._arrays(lines), key,
        )  # fmt: skip

    async def block(self, show_id: str, lines: Lines, key: str | None = None) -> Done:
        _, units, quantities = self._arrays(lines)
        return await self._call(
            "id, 'blocked' as state from bespeak.block($1, $2, 'x', $3, $4)",
            show_id, units, quantities, key,
        )  # fmt: skip

    async def unblock(self, block_id: str, lines: Lines | None = None) -> Done:
        _, units, quantities = self._arrays(lines)
        return await self._call(
            "block_id as id, case when lifted_at is null then 'blocked' else 'lifted' end as state"
            " from bespeak.unblock($1, $2, $3)",
            block_id, units, quantities,
        )  # fmt: skip


class HttpDoor:
    """The HTTP API: the operator's verbs with an admin key, those of an owner with a browser key
    and a shopper token, all else with a server key."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def _call(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        owner: str | None = None,
        key: str | None = None,
        kind: str = "sk",
    ) -> Done:
        headers = {"idempotency_key": key} if key is not None else {}
        if owner is not None:
            headers["bespeak_shopper"] = self._api.token(owner)
            kind = "pk"
        answer = await self._api.ask(method, path, body, key=kind, **headers)
        found = answer.json()
        if answer.status_code >= 400:
            assert answer.headers["content-type"] == "application/problem+json"
            about = {"type", "title", "status", "code", "detail", "retryable", "request_id"}
            raise Refusal(
                found["code"], {name: one for name, one in found.items() if name not in about}
            )
        state = "lifted" if found.get("lifted_at") else "blocked"
        return Done(found["id"], found.get("state", state), found["lines"])

    @staticmethod
    def _shown(lines: Lines, *, of_block: bool = False) -> list[dict[str, object]]:
        shown = [_plain(line) for line in lines]
        left_out = {"resource_id"} if of_block else set()
        return [
            {name: one for name, one in line.items() if one is not None and name not in left_out}
            for line in shown
        ]

    async def place(
        self, owner: str, lines: Lines, seconds: int | None = None, key: str | None = None
    ) -> Done:
        body: dict[str, object] = {"owner": owner, "lines": self._shown(lines)}
        if seconds is not None:
            body["hold_seconds"] = seconds
        return await self._call("POST", "/v1/holds", body, key=key)

    async def confirm(self, hold_id: str, owner: str | None = None, key: str | None = None) -> Done:
        return await self._call("POST", "/v1/bookings", {"hold_id": hold_id}, owner=owner, key=key)

    async def release(self, hold_id: str, owner: str | None = None, key: str | None = None) -> Done:
        return await self._call("DELETE", f"/v1/holds/{hold_id}", owner=owner, key=key)

    async def extend(
        self, hold_id: str, seconds: int, owner: str | None = None, key: str | None = None
    ) -> Done:
        path = f"/v1/holds/{hold_id}/extend"
        return await self._call("POST", path, {"seconds": seconds}, owner=owner, key=key)

    async def cancel(
        self, booking_id: str, lines: Lines | None = None, key: str | None = None
    ) -> Done:
        body: dict[str, object] = {"reason": "x"}
        if lines is not None:
            body["lines"] = self._shown(lines)
        return await self._call("DELETE", f"/v1/bookings/{booking_id}", body, key=key)

    async def block(self, show_id: str, lines: Lines, key: str | None = None) -> Done:
        body = {"lines": self._shown(lines, of_block=True), "reason": "x"}
        return await self._call("POST", f"/v1/resources/{show_id}/blocks", body, key=key, kind="ak")

    async def unblock(self, block_id: str, lines: Lines | None = None) -> Done:
        home = ids.show_resource(ids.home_of(ids.parse(ids.BLOCK, block_id)))
        body = None if lines is None else {"lines": self._shown(lines, of_block=True)}
        return await self._call(
            "DELETE", f"/v1/resources/{home}/blocks/{block_id}", body, kind="ak"
        )


@asynccontextmanager
async def door_of(
    name: str, engine: bespeak.Engine, connection: Connection, url: str, clock: Clock | None = None
) -> AsyncIterator[Door]:
    """The door with this name, to the test's database, and at the time of its clock."""
    if name == "library":
        yield LibraryDoor(engine)
    elif name == "sql":
        yield SqlDoor(connection)
    else:
        async with opened(SETTINGS, url, connection) as api:
            if clock is not None:
                clock.shared_with(api.service.engine)
            yield HttpDoor(api)
