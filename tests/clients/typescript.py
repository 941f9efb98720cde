"""`@bespeak/server` as a door: one process of Node runs the package as it is published. Each verb
goes to it over a pipe, and comes back as the struct, or the error, that the library has for it.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Literal, TypeVar

import msgspec
from msgspec import structs

from bespeak import InviteBatch, Line, WaitlistEntry, WantedHold
from bespeak.client import MintedToken, ServerUnreachable
from bespeak.client.answers import error_of, paid
from bespeak.client.requests import given, wanted_body
from bespeak.feed.reader import Event, EventPage
from bespeak.inventory.audit import Audit
from bespeak.inventory.blocks import Block, BlockLine, BlockPage
from bespeak.inventory.plans import Availability, AvailabilityQuery
from bespeak.inventory.resources import NewResource, Resource, ResourceChange
from bespeak.inventory.shapes import registry
from bespeak.payments.payment import Paid
from bespeak.payments.refunds.owed import RefundQuote
from bespeak.pricing.quotes import Quote
from bespeak.reservations.hold_batches import HoldOutcome
from bespeak.reservations.holds import Booking, Hold
from bespeak.reservations.live_holds import HoldPage
from tests.clients.typescript_waiting import TypeScriptWaiting

ROOT = Path(__file__).parents[2]
DOOR = Path(__file__).parent / "door.ts"
Answer = TypeVar("Answer")


class Told(msgspec.Struct):
    """A line of the process: an answer, a problem, or a fault of its own."""

    id: int
    answer: msgspec.Raw = msgspec.Raw(b"null")
    problem: dict[str, object] | None = None
    retry_after_seconds: int | None = None
    fault: str | None = None


class Outcome(msgspec.Struct):
    """What became of one hold of a batch."""

    hold: msgspec.Raw
    error: dict[str, object] | None


class NodeProcess:
    """The process, for all tests of a session; calls of many tasks go through it at once."""

    def __init__(self) -> None:
        subprocess.run([ROOT / "scripts" / "packages"], check=True)
        self._process = subprocess.Popen(
            [ROOT / ".venv/bin/node", DOOR], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._waiting: dict[int, Future[Told]] = {}
        self._last = 0
        threading.Thread(target=self._read, daemon=True).start()

    async def ask(
        self, url: str, key: str, verb: str, arguments: Sequence[object], link: str | None = None
    ) -> Told:
        """What the process answers to a verb."""
        self._last += 1
        asked = {"id": self._last, "url": url, "key": key, "verb": verb, "arguments": arguments}
        asked["link"] = link
        future: Future[Told] = Future()
        self._waiting[self._last] = future
        assert self._process.stdin is not None
        self._process.stdin.write(msgspec.json.encode(asked) + b"\n")
        self._process.stdin.flush()
        return await asyncio.wrap_future(future)

    def close(self) -> None:
        """Ends the process, which ends with its input."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(10)

    def _read(self) -> None:
        assert self._process.stdout is not None
        try:
            for line in self._process.stdout:
                told = msgspec.json.decode(line, type=Told)
                self._waiting.pop(told.id).set_result(told)
        finally:  # nobody waits for ever
            for future in self._waiting.values():
                future.set_exception(EOFError("the process of Node has ended"))


class TypeScriptDoor(TypeScriptWaiting):
    """The verbs of the library by those of the package."""

    def __init__(self, process: NodeProcess, url: str, key: str, link: str | None = None) -> None:
        self._process = process
        self._url = url
        self._key = key
        self._link = link

    async def place_hold(
        self,
        *,
        lines: Sequence[Line],
        owner: str | None = None,
        hold_seconds: int | None = None,
        alternatives: int | None = None,
        waiting_pass: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Hold:
        body = given(
            lines=list(lines), owner=owner, hold_seconds=hold_seconds, alternatives=alternatives
        )
        call = options(idempotency_key, None, timeout) | given(**{"pass": waiting_pass})
        return await self._ask(Hold, "placeHold", body, call)

    async def place_holds(
        self, wanted: Sequence[WantedHold], *, idempotency_key: str | None = None
    ) -> list[HoldOutcome]:
        holds = [wanted_body(one) for one in wanted]
        told = await self._told("placeHolds", holds, options(idempotency_key, None))
        outcomes: list[HoldOutcome] = []
        for found in msgspec.json.decode(told, type=list[Outcome]):
            if found.error is None:
                hold = msgspec.json.decode(found.hold, type=Hold)
                replayed = bool(json.loads(bytes(found.hold))["replayed"])
                outcomes.append(structs.replace(hold, replayed=replayed))
            else:
                document = found.error["problem"]
                assert isinstance(document, dict)
                status = int(str(document["status"]))
                outcomes.append(error_of(status, json.dumps(document).encode(), {}))
        return outcomes

    async def quote(self, lines: Sequence[Line]) -> Quote:
        return await self._ask(Quote, "quote", list(lines))

    async def confirm_hold(
        self, hold_id: str, *, owner: str | None = None, idempotency_key: str | None = None
    ) -> Booking:
        return await self._ask(Booking, "confirmHold", hold_id, {}, options(idempotency_key, owner))

    async def pay(self, hold_id: str, *, token: str) -> Paid:
        answer = await self._told("pay", hold_id, {"token": token})
        found = json.loads(bytes(answer))
        body = found["booking"] or {"payment": found["payment"]}
        return structs.replace(paid(json.dumps(body).encode()), replayed=found["replayed"])

    async def extend_hold(self, hold_id: str, *, seconds: int, owner: str | None = None) -> Hold:
        return await self._ask(Hold, "extendHold", hold_id, seconds, options(None, owner))

    async def release_hold(self, hold_id: str, *, owner: str | None = None) -> Hold:
        return await self._ask(Hold, "releaseHold", hold_id, options(None, owner))

    async def get_hold(self, hold_id: str) -> Hold:
        return await self._ask(Hold, "getHold", hold_id)

    async def list_holds(self, *, owner: str | None = None) -> HoldPage:
        return await self._ask(HoldPage, "listHolds", given(owner=owner))

    async def get_booking(self, booking_id: str, *, owner: str | None = None) -> Booking:
        return await self._ask(Booking, "getBooking", booking_id, options(None, owner))

    async def cancel_booking(
        self,
        booking_id: str,
        *,
        reason: str,
        lines: Sequence[Line] | None = None,
        refund: Literal["policy", "full", "none"] = "policy",
        idempotency_key: str | None = None,
    ) -> Booking:
        body = given(reason=reason, refund=refund, lines=lines)
        return await self._ask(
            Booking, "cancelBooking", booking_id, body, options(idempotency_key, None)
        )

    async def refund_quote(
        self, booking_id: str, *, lines: Sequence[Line] | None = None
    ) -> RefundQuote:
        return await self._ask(RefundQuote, "refundQuote", booking_id, lines)

    async def create_resource(self, new: NewResource) -> Resource:
        return await self._ask(Resource, "createResource", new)

    async def get_resource(self, resource_id: str) -> Resource:
        return await self._ask(Resource, "getResource", resource_id)

    async def update_resource(self, resource_id: str, change: ResourceChange) -> Resource:
        return await self._ask(Resource, "updateResource", resource_id, change)

    async def each_resource(self, *, kind: str, limit: int) -> list[Resource]:
        return await self._ask(list[Resource], "eachResource", {"kind": kind, "limit": limit})

    async def availability(self, resource_id: str, query: AvailabilityQuery) -> Availability:
        shape: type[Availability] = registry.AnyAvailability
        asked = given(**structs.asdict(query))
        return await self._ask(shape, "availability", resource_id, asked)

    async def block(self, resource_id: str, lines: Sequence[BlockLine], *, reason: str) -> Block:
        return await self._ask(
            Block, "block", resource_id, {"lines": list(lines), "reason": reason}
        )

    async def unblock(self, block_id: str, *, lines: Sequence[BlockLine] | None = None) -> Block:
        return await self._ask(Block, "unblock", block_id, lines)

    async def list_blocks(self, resource_id: str) -> BlockPage:
        return await self._ask(BlockPage, "listBlocks", resource_id)

    async def audit(self, resource_id: str) -> Audit:
        return await self._ask(Audit, "audit", resource_id)

    async def events(
        self, *, after: str | None = None, resource_id: str | None = None
    ) -> EventPage:
        return await self._ask(EventPage, "events", given(after=after, resource_id=resource_id))

    async def follow_until(self, kind: str, *, resource_id: str) -> list[Event]:
        """What is followed, up to the event of this kind."""
        return await self._ask(list[Event], "follow", {"resource_id": resource_id}, kind)

    async def mint_token(self, owner: str, *, expires_in_seconds: int) -> MintedToken:
        body = {"owner": owner, "expires_in_seconds": expires_in_seconds}
        return await self._ask(MintedToken, "mintToken", body)

    async def _ask(self, answer: type[Answer], verb: str, *arguments: object) -> Answer:
        told = await self._told(verb, *arguments)
        found = msgspec.json.decode(told, type=answer)
        if isinstance(found, Hold | Booking | Resource | Block | InviteBatch | WaitlistEntry):
            is_replayed = bool(json.loads(bytes(told)).get("replayed", False))
            return structs.replace(found, replayed=is_replayed)
        return found

    async def _told(self, verb: str, *arguments: object) -> msgspec.Raw:
        told = await self._process.ask(self._url, self._key, verb, arguments, self._link)
        assert told.fault is None, told.fault
        if told.problem is None:
            return told.answer
        if told.problem["code"] == ServerUnreachable.code:
            raise ServerUnreachable(str(told.problem["detail"]))
        seconds = told.retry_after_seconds
        headers = {} if seconds is None else {"retry-after": str(seconds)}
        raise error_of(int(str(told.problem["status"])), json.dumps(told.problem).encode(), headers)


def options(key: str | None, owner: str | None, timeout: float | None = None) -> dict[str, object]:
    """The last argument of a verb."""
    return given(idempotencyKey=key, owner=owner, timeoutSeconds=timeout)
