"""The buyers: each looks at the map, picks seats that look free, tries again a few times when
others were faster, then confirms or thinks better of it. Dice are seeded by buyer, so a seed gives
the same people; who wins is the race's business.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import msgspec

from bespeak.cli.crowd.books import Books
from bespeak.cli.crowd.client import Answer, Client, ServerAway
from bespeak.cli.crowd.seats import Lines, SeatMap

_LOOK_SECONDS = 0.25
_SETTLE_SECONDS = 0.15  # the server may show a map that is a tenth of a second old
_WAIT_SECONDS = 0.05
_PARTY = 2


class Conflict(msgspec.Struct):
    """A unit that a refusal names, and of a pool how many are left."""

    unit: str = ""
    available: int | None = None


class Problem(msgspec.Struct):
    """What the crowd reads of a refusal."""

    code: str = ""
    conflicts: list[Conflict] = []


class GrantedHold(msgspec.Struct):
    """What the crowd reads of a hold."""

    id: str
    expires_in_ms: int = 0


class TakenMap(msgspec.Struct):
    """What the crowd reads of the availability: units that are taken, and pools."""

    taken: dict[str, msgspec.Raw]
    pools: dict[str, Conflict]


@dataclass(frozen=True)
class Manners:
    """How the buyers behave."""

    seed: int
    buyers: int
    confirm: float = 0.9
    tries: int = 5
    owner_limit: int | None = None


@dataclass
class Tally:
    """What happened, counted by the buyers."""

    arrived: int = 0
    granted: int = 0
    refused: int = 0
    confirmed: int = 0
    released: int = 0
    expired: int = 0
    empty_handed: int = 0
    errors: int = 0
    problems: Counter[str] = field(default_factory=Counter)
    hold_seconds: list[float] = field(default_factory=list)


class Crowd:
    """All buyers of one rush on one resource."""

    def __init__(self, client: Client, resource_id: str, seats: SeatMap, manners: Manners) -> None:
        self._client = client
        self._resource_id = resource_id
        self._manners = manners
        self._run = secrets.token_hex(4)  # people of another rush are other people
        self._looked_at = 0.0
        self._pending = 0
        self._looking = asyncio.Lock()
        self.seats = seats
        self.books = Books(seats.capacities)
        self.tally = Tally()
        self.sold_out = False

    async def run(self, connections: int) -> None:
        """Serves all buyers, so many at a time, until they are used up or all is sold."""
        numbers = iter(range(self._manners.buyers))
        lanes = min(connections, self._manners.buyers)
        async with asyncio.TaskGroup() as group:
            for _ in range(lanes):
                group.create_task(self._lane(numbers))
        with self._faults():
            await self._is_sold_out()

    async def _lane(self, numbers: Iterator[int]) -> None:
        for number in numbers:
            with self._faults():
                if await self._is_sold_out():
                    return
                self.tally.arrived += 1
                await self._buyer(number)

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
        return self.sold_out

    async def _buyer(self, number: int) -> None:
        dice = random.Random(f"{self._manners.seed} {number}")
        owner = f"rush-{self._run}-{number}"
        party = min(_PARTY, self._manners.owner_limit or _PARTY)
        for attempt in range(self._manners.tries):
            await self._look(_LOOK_SECONDS)
            lines = self.seats.choose(dice, party)
            if lines is None:
                if not self._pending:
                    break
                await asyncio.sleep(_WAIT_SECONDS * (1 + dice.random()))
                continue
            hold = await self._hold(owner, lines, f"{owner}-{attempt}")
            if hold is not None:
                await self._decide(owner, lines, hold, will_confirm=self._confirms(dice))
                return
        self.tally.empty_handed += 1

    def _confirms(self, dice: random.Random) -> bool:
        return dice.random() < self._manners.confirm

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

    async def _hold(self, owner: str, lines: Lines, key: str) -> GrantedHold | None:
        asked_at = time.monotonic()
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
        answer = await self._client.post("/v1/holds", body, key)
        self.tally.hold_seconds.append(answer.seconds)
        if answer.status == 201:
            hold = msgspec.json.decode(answer.body, type=GrantedHold)
            self.tally.granted += 1
            self._pending += 1
            self.seats.take(lines)
            until = asked_at + hold.expires_in_ms / 1000
            self.books.grant(owner, lines, time.monotonic(), until)
            return hold
        problem = self._refusal(answer, expected=(409,))
        for conflict in problem.conflicts:
            self.seats.take([(conflict.unit, None)])
        if answer.status == 409:
            self.tally.refused += 1
        return None

    async def _decide(
        self, owner: str, lines: Lines, hold: GrantedHold, *, will_confirm: bool
    ) -> None:
        """Confirms the hold or lets it go."""
        try:
            if will_confirm:
                await self._confirm(owner, lines, hold)
            else:
                self.books.strike(owner, lines)
                answer = await self._client.delete(f"/v1/holds/{hold.id}", f"{owner}-release")
                if answer.status == 200:
                    self.tally.released += 1
                    self.seats.give_back(lines)
                else:
                    self._refusal(answer, expected=(410,))
        finally:
            self._pending -= 1

    async def _confirm(self, owner: str, lines: Lines, hold: GrantedHold) -> None:
        body = msgspec.json.encode({"hold_id": hold.id})
        answer = await self._client.post("/v1/bookings", body, f"{owner}-confirm")
        if answer.status == 201:
            self.tally.confirmed += 1
            self.books.confirm(owner, lines)
            return
        self.books.strike(owner, lines)
        if answer.status == 410:
            self.tally.expired += 1
        self._refusal(answer, expected=(410,))

    def _refusal(self, answer: Answer, expected: tuple[int, ...]) -> Problem:
        """Reads a refusal; one that a buyer cannot meet by being too late is an error."""
        problem = msgspec.json.decode(answer.body, type=Problem)
        if answer.status in expected:
            self.tally.problems[problem.code] += 1
        else:
            self._fault(problem.code or str(answer.status))
        return problem

    def _fault(self, code: str) -> None:
        self.tally.errors += 1
        self.tally.problems[code] += 1
