"""The buyers: each looks at the map, picks seats that look free, tries again a few times when
others were faster, then pays or thinks better of it. Before a waiting room each queues first. Dice
are seeded by buyer, so a seed gives the same people; who wins is the race's business.
"""

from __future__ import annotations

import asyncio
import math
import random
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime

import msgspec

from bespeak.demo.crowd.cancelling import CrowdCancelling, SoldBooking
from bespeak.demo.crowd.client import CrowdClient, ServerAway, ServerReply
from bespeak.demo.crowd.crowd_record import CrowdRecord
from bespeak.demo.crowd.queue import Admission, CrowdQueue
from bespeak.demo.crowd.receipts import BookedHold, Receipts
from bespeak.demo.crowd.seats import CrowdSeatMap, Lines
from bespeak.money import Money

_LOOK_SECONDS = 0.25
_SETTLE_SECONDS = 0.15  # the server may show a map that is a tenth of a second old
_WAIT_SECONDS = 0.05
_PARTY = 2
_THINK_SECONDS = (0.3, 1.7)  # of people who come at a pace, over a choice and over paying
_LANE_SECONDS = 8.0  # how long such a buyer stays, at most, mostly
_PAYMENT_SECONDS_MAX = 60.0
_GOOD_CARD = "tok_success"
_BAD_CARD = "tok_declined"


class SeenConflict(msgspec.Struct):
    """A unit that a refusal names, and of a pool how many are left."""

    unit: str = ""
    available: int | None = None


class SeenProblem(msgspec.Struct):
    """What the crowd reads of a refusal."""

    code: str = ""
    conflicts: list[SeenConflict] = []


class GrantedHold(msgspec.Struct):
    """What the crowd reads of a hold."""

    id: str
    expires_in_ms: int = 0
    amount: Money = Money(0, "")
    created_at: datetime | None = None


class TakenMap(msgspec.Struct):
    """What the crowd reads of the availability: units that are taken, and pools."""

    taken: dict[str, msgspec.Raw]
    pools: dict[str, SeenConflict]


@dataclass(frozen=True)
class BuyerSettings:
    """How the buyers behave. With a `pace`, so many come a second, and take their time to choose
    and to pay, as people do. Where they pay, a `decline` share has a card that is declined. Of
    those who bought, a `cancel` share thinks better of it once somebody is on the waitlist."""

    seed: int
    buyers: int
    confirm: float = 0.9
    tries: int = 5
    owner_limit: int | None = None
    pays: bool = False
    decline: float = 0.0
    pace: float | None = None
    cancel: float = 0.0


@dataclass
class CrowdTally:
    """What happened, counted by the buyers."""

    arrived: int = 0
    granted: int = 0
    refused: int = 0
    confirmed: int = 0
    released: int = 0
    expired: int = 0
    declined: int = 0
    cancelled: int = 0
    empty_handed: int = 0
    errors: int = 0
    problems: Counter[str] = field(default_factory=Counter)
    hold_seconds: list[float] = field(default_factory=list)

    def counts(self) -> dict[str, int]:
        return {name: count for name, count in vars(self).items() if isinstance(count, int)}


class Crowd:
    """All buyers of one rush on one resource."""

    def __init__(
        self,
        client: CrowdClient,
        resource_id: str,
        seats: CrowdSeatMap,
        manners: BuyerSettings,
        queue: CrowdQueue | None = None,
    ) -> None:
        self._client = client
        self._resource_id = resource_id
        self._manners = manners
        self._run = secrets.token_hex(4)  # people of another rush are other people
        self._looked_at = 0.0
        self._pending = 0
        self._looking = asyncio.Lock()
        self._opened_at = 0.0
        self._all_sold = asyncio.Event()
        self._cancelling = CrowdCancelling(
            client, resource_id, manners.cancel, lambda answer: self._refusal(answer, expected=())
        )
        self.queue = queue
        self.seats = seats
        self.record = CrowdRecord(seats.capacities)
        self.receipts = Receipts()
        self.tally = CrowdTally()
        self.sold_out = False
        self.last_bought_at: float | None = None

    async def run(self, connections: int) -> None:
        """Serves all buyers, so many at a time, until they are used up or all is sold."""
        numbers = iter(range(self._manners.buyers))
        lanes = connections
        if self._manners.pace is not None:
            # Who thinks is not on the line, so that many more can be there at a time.
            lanes += math.ceil(self._manners.pace * _LANE_SECONDS)
        lanes = min(lanes, self._manners.buyers)
        if self.queue is not None:
            lanes = self._manners.buyers  # who waits is not on the line either
        self._opened_at = time.monotonic()
        async with asyncio.TaskGroup() as group:
            for _ in range(lanes):
                group.create_task(self._lane(numbers))
        with self._faults():
            if self.queue is not None:
                await self._look(0.0)
                await self.queue.check_front()
                for code, count in self.queue.faults.items():
                    self._fault(code, count)
            if await self._is_sold_out():
                self.tally.cancelled = await self._cancelling.run(self.record, self.receipts)

    async def _lane(self, numbers: Iterator[int]) -> None:
        for number in numbers:
            await self._arrives(number)
            with self._faults():
                if await self._is_sold_out():
                    return
                self.tally.arrived += 1
                await self._visitor(number)

    async def _arrives(self, number: int) -> None:
        """Waits for when this buyer comes, where they come at a pace, or until all is sold."""
        if self._manners.pace is None:
            return
        at = self._opened_at + number / self._manners.pace
        with suppress(TimeoutError):
            async with asyncio.timeout(at - time.monotonic()):
                await self._all_sold.wait()

    async def _thinks(self, dice: random.Random) -> None:
        if self._manners.pace is not None:
            await asyncio.sleep(dice.uniform(*_THINK_SECONDS))

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Counts what goes wrong within the block; the rush goes on."""
        try:
            yield
        except ServerAway as error:
            self._fault(error.code)
        except (msgspec.MsgspecError, ValueError):
            self._fault("unreadable_answer")

    async def _is_sold_out(self) -> bool:
        """Nothing looks free, nobody may still let go, and a fresh look agrees."""
        if self.sold_out or self._pending or self.seats.units_free:
            return self.sold_out
        await asyncio.sleep(_SETTLE_SECONDS)
        await self._look(0.0)
        self.sold_out = self.sold_out or not (self._pending or self.seats.units_free)
        if self.sold_out:
            self._all_sold.set()
        return self.sold_out

    async def _visitor(self, number: int) -> None:
        """A buyer, from the queue on where there is one."""
        dice = random.Random(f"{self._manners.seed} {number}")
        owner = f"rush-{self._run}-{number}"
        if self.queue is None:
            await self._buyer(owner, dice, None)
            return

        def push(address: dict[str, str]) -> Awaitable[ServerReply]:
            unit = self.seats.choose(dice, 1) or [("A1", None)]
            return self._ask_hold(owner, unit, f"{owner}-push", address)

        inside = await self.queue.wait(owner, number, dice, push)
        if inside is None:
            return
        if not await self._buyer(owner, dice, inside):
            await self.queue.leave(owner, inside)

    async def _buyer(self, owner: str, dice: random.Random, inside: Admission | None) -> bool:
        """Chooses, holds and decides; whether it has bought."""
        party = min(_PARTY, self._manners.owner_limit or _PARTY)
        for attempt in range(self._manners.tries):
            await self._look(_LOOK_SECONDS)
            lines = self.seats.choose(dice, party)
            if lines is None:
                if not self._pending:
                    break
                await asyncio.sleep(_WAIT_SECONDS * (1 + dice.random()))
                continue
            await self._thinks(dice)
            hold = await self._hold(owner, lines, f"{owner}-{attempt}", inside)
            if hold is not None:
                return await self._decide(owner, lines, hold, dice)
        self.tally.empty_handed += 1
        return False

    def _cards(self, dice: random.Random) -> list[str | None]:
        """What the buyer means to pay with, one after the other; nothing: it lets the hold go. Of
        those whose card is declined, half have another one."""
        if dice.random() >= self._manners.confirm:
            return []
        if not self._manners.pays:
            return [None]
        if dice.random() >= self._manners.decline:
            return [_GOOD_CARD]
        return [_BAD_CARD, _GOOD_CARD] if dice.random() < 0.5 else [_BAD_CARD]

    async def _look(self, age_max_seconds: float) -> None:
        """Sees to it that the map is not older than this; one look serves all who wait for it."""
        if time.monotonic() - self._looked_at < age_max_seconds:
            return
        async with self._looking:
            if time.monotonic() - self._looked_at < age_max_seconds:
                return
            answer = await self._client.get(f"/v1/resources/{self._resource_id}/availability")
            self._looked_at = time.monotonic()
            if answer.status != 200:
                self._refusal(answer, expected=())
                return
            shown = msgspec.json.decode(answer.body, type=TakenMap)
            left = {unit: level.available or 0 for unit, level in shown.pools.items()}
            self.seats.show(shown.taken, left)

    def _ask_hold(
        self, owner: str, lines: Lines, key: str, headers: Mapping[str, str] | None
    ) -> Awaitable[ServerReply]:
        body = msgspec.json.encode(
            {
                "owner": owner,
                "lines": [
                    {"resource_id": self._resource_id, "unit": unit}
                    | ({"quantity": quantity} if quantity is not None else {})
                    for unit, quantity in lines
                ],
            }
        )
        return self._client.post("/v1/holds", body, key, headers)

    async def _hold(
        self, owner: str, lines: Lines, key: str, inside: Admission | None
    ) -> GrantedHold | None:
        asked_at = time.monotonic()
        headers = None if inside is None else inside.headers
        answer = await self._ask_hold(owner, lines, key, headers)
        self.tally.hold_seconds.append(answer.seconds)
        if answer.status == 201:
            hold = msgspec.json.decode(answer.body, type=GrantedHold)
            self.tally.granted += 1
            self._pending += 1
            self.seats.take(lines)
            until = asked_at + hold.expires_in_ms / 1000
            self.record.grant(owner, lines, time.monotonic(), until)
            if self.queue is not None and inside is not None:
                self.queue.check_hold(inside, hold.created_at)
            return hold
        problem = self._refusal(answer, expected=(409,))
        for conflict in problem.conflicts:
            self.seats.take([(conflict.unit, None)])
        if answer.status == 409:
            self.tally.refused += 1
        return None

    async def _decide(
        self, owner: str, lines: Lines, hold: GrantedHold, dice: random.Random
    ) -> bool:
        """Makes a booking of the hold, or lets it go; whether it is booked."""
        try:
            cards = self._cards(dice)
            await self._thinks(dice)
            for number, card in enumerate(cards):
                answer = await self._confirm(hold, card, f"{owner}-confirm-{number}")
                if answer.status == 402 and card == _BAD_CARD:
                    self.tally.declined += 1
                    continue
                self._conclude(owner, lines, hold, answer)
                return answer.status == 201
            await self._let_go(owner, lines, hold)
            return False
        finally:
            self._pending -= 1

    async def _confirm(self, hold: GrantedHold, card: str | None, key: str) -> ServerReply:
        """Asks for the booking, paid for with the card; while the payment is under way, again."""
        asked: dict[str, str] = {"hold_id": hold.id}
        if card is not None:
            # The crowd has play money only: it never pays anywhere else.
            asked |= {"payment_token": card, "provider": "sandbox"}
        body = msgspec.json.encode(asked)
        give_up_at = time.monotonic() + _PAYMENT_SECONDS_MAX
        while True:
            answer = await self._client.post("/v1/bookings", body, key)
            if answer.status != 202 or time.monotonic() > give_up_at:
                return answer
            await asyncio.sleep(_LOOK_SECONDS)

    def _conclude(self, owner: str, lines: Lines, hold: GrantedHold, answer: ServerReply) -> None:
        """Notes what became of the wish to book."""
        if answer.status == 201:
            booking = msgspec.json.decode(answer.body, type=BookedHold)
            self.tally.confirmed += 1
            self.last_bought_at = time.monotonic()
            self.record.confirm(owner, lines)
            if self._manners.pays:
                self.receipts.keep(booking.id, hold.amount.amount)
            self._cancelling.keep(SoldBooking(booking.id, owner, lines))
            return
        self.record.strike(owner, lines)
        if answer.status == 410:
            self.tally.expired += 1
        self._refusal(answer, expected=(410,))

    async def _let_go(self, owner: str, lines: Lines, hold: GrantedHold) -> None:
        self.record.strike(owner, lines)
        answer = await self._client.delete(f"/v1/holds/{hold.id}", f"{owner}-release")
        if answer.status == 200:
            self.tally.released += 1
            self.seats.give_back(lines)
        else:
            self._refusal(answer, expected=(410,))

    def _refusal(self, answer: ServerReply, expected: tuple[int, ...]) -> SeenProblem:
        """Reads a refusal; one that a buyer cannot meet by being too late is an error."""
        problem = msgspec.json.decode(answer.body, type=SeenProblem)
        if answer.status in expected:
            self.tally.problems[problem.code] += 1
        else:
            self._fault(problem.code or str(answer.status))
        return problem

    def _fault(self, code: str, count: int = 1) -> None:
        self.tally.errors += count
        self.tally.problems[code] += count
