"""A hoarder and those who want to buy: a script with a thousand identities behind some addresses
takes all that it can get of a show and books nothing, while buyers come, from their own homes or
many behind one address; some of them give up.

Time is moved from step to step, so half an hour takes seconds. The hoarder solves every challenge,
asks for less when it is refused, and waits no longer than it must. `tests/http/test_hoarder.py`
plays it, and the case `hoarder` on a server.
"""

import hashlib
import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Protocol

Json = Mapping[str, Any]  # any: an answer as it came

SEATS = 300
BUYERS = 500
IDENTITIES = 1000
MINUTES = 30
STEP_SECONDS = 30
_ASKED = (10, 2)
_TRIES = 6
_TRY_AGAIN_STEPS = 2
_PAYS_AFTER_STEPS = (2, 4)
_ASKED_A_STEP_MAX = 60
_COMES_AGAIN_STEPS = 16  # when the hold is over


class Office(Protocol):
    """A box office with one show, whose clock is moved."""

    async def hold(self, address: str, owner: str, quantity: int, answer: str) -> tuple[int, Json]:
        """Asks for places; the status, and the answer or problem."""

    async def confirm(self, address: str, owner: str, hold_id: str) -> int:
        """Books a hold; the status."""

    async def advance(self, seconds: float) -> None:
        """Lets time go by."""


@dataclass(frozen=True)
class Crowd:
    """Who comes to buy: how many, within how many minutes, from how many addresses (None: each from
    their own), each for one of these quantities; which share of them lets their hold lapse, and
    which share of those comes again for another try."""

    people: int = BUYERS
    minutes: int = MINUTES
    addresses: int | None = None
    quantities: tuple[int, ...] = (1,)
    gives_up: float = 0.0
    comes_again: float = 0.0


EVERYBODY_AT_HOME = (Crowd(),)
# What nobody may be refused in, beside a crowd at home.
HONEST: Mapping[str, tuple[Crowd, ...]] = {
    "family": (
        Crowd(people=200),
        Crowd(people=4, minutes=4, addresses=1, quantities=(4,), gives_up=0.75, comes_again=0.5),
    ),
    "school": (
        Crowd(people=200),
        Crowd(people=30, minutes=5, addresses=1, gives_up=0.2, comes_again=1.0),
    ),
    "office": (
        Crowd(people=200, gives_up=0.2),
        Crowd(people=40, minutes=15, addresses=1, quantities=(1, 2), gives_up=0.4, comes_again=0.3),
    ),
    "on-sale": (
        Crowd(people=350, minutes=10, quantities=(1, 2), gives_up=0.4, comes_again=0.5),
        Crowd(people=150, minutes=10, addresses=15, gives_up=0.4, comes_again=0.5),
    ),
}


@dataclass
class Course:
    """How it went: how many places buyers have, how many places the hoarder held, step by step,
    and what the buyers and the hoarder were told."""

    bought: int = 0
    hoarded: list[int] = field(default_factory=list)
    told_buyers: Counter[str] = field(default_factory=Counter)
    told_hoarder: Counter[str] = field(default_factory=Counter)


@dataclass
class _Buyer:
    address: str
    owner: str
    quantity: int = 1
    gives_up: bool = False
    comes_again: bool = False
    tries: int = 0


async def play(
    office: Office,
    addresses: int,
    *,
    crowds: Sequence[Crowd] = EVERYBODY_AT_HOME,
    seed: int = 1,
    minutes: int = MINUTES,
) -> Course:
    """Plays it through; `addresses` are those of the hoarder (0: there is none)."""
    rng = random.Random(seed)
    course = Course()
    steps = minutes * 60 // STEP_SECONDS
    todo = _arrivals(rng, crowds)
    paying: dict[int, list[tuple[_Buyer, str]]] = defaultdict(list)
    hoarder = _Hoarder(office, addresses, course)
    for step in range(steps):
        await hoarder.take_all(step)
        course.bought += await _pay(office, paying.pop(step, []))
        for buyer in todo.pop(step, []):
            status, told = await _ask(office, buyer.address, buyer.owner, buyer.quantity)
            course.told_buyers["held" if status == 201 else str(told["code"])] += 1
            buyer.tries += 1
            if status == 201 and buyer.gives_up:
                buyer.gives_up = False
                if buyer.comes_again:
                    todo[step + _COMES_AGAIN_STEPS].append(buyer)
            elif status == 201:
                paying[step + rng.randint(*_PAYS_AFTER_STEPS)].append((buyer, str(told["id"])))
            elif buyer.tries < _TRIES:
                todo[step + _TRY_AGAIN_STEPS].append(buyer)
        await office.advance(STEP_SECONDS)
    for late in sorted(paying):
        course.bought += await _pay(office, paying[late])
    return course


def _arrivals(rng: random.Random, crowds: Sequence[Crowd]) -> dict[int, list[_Buyer]]:
    """At which step who comes."""
    todo: dict[int, list[_Buyer]] = defaultdict(list)
    for street, crowd in enumerate(crowds):
        for number in range(crowd.people):
            house = number % (crowd.addresses or crowd.people)
            buyer = _Buyer(
                f"198.{51 + street}.{house // 250}.{house % 250}",
                f"buyer-{street}-{number}",
                rng.choice(crowd.quantities),
                rng.random() < crowd.gives_up,
                rng.random() < crowd.comes_again,
            )
            todo[rng.randrange(crowd.minutes * 60 // STEP_SECONDS)].append(buyer)
    return todo


async def _pay(office: Office, paying: Sequence[tuple[_Buyer, str]]) -> int:
    """How many places were booked."""
    bought = 0
    for buyer, hold_id in paying:
        if await office.confirm(buyer.address, buyer.owner, hold_id) == 201:
            bought += buyer.quantity
    return bought


class _Hoarder:
    def __init__(self, office: Office, addresses: int, course: Course) -> None:
        self._office = office
        self._addresses = [f"203.0.{n // 250}.{n % 250}" for n in range(addresses)]
        self._course = course
        self._identities = 0
        self._waits_until: dict[str, float] = {}
        self._held: list[tuple[float, int]] = []

    async def take_all(self, step: int) -> None:
        now = float(step * STEP_SECONDS)
        for address in self._addresses:
            if self._waits_until.get(address, 0.0) <= now:
                await self._take(address, now)
        self._held = [(until, quantity) for until, quantity in self._held if until > now]
        self._course.hoarded.append(sum(quantity for _, quantity in self._held))

    async def _take(self, address: str, now: float) -> None:
        smallest = 0
        for _ in range(_ASKED_A_STEP_MAX):
            if smallest == len(_ASKED):
                return
            quantity = _ASKED[smallest]
            self._identities += 1
            owner = f"hoarder-{self._identities % IDENTITIES}"
            status, told = await _ask(self._office, address, owner, quantity)
            if status == 201:
                self._course.told_hoarder["held"] += 1
                self._held.append((now + told["expires_in_ms"] / 1000, quantity))
                continue
            self._course.told_hoarder[str(told["code"])] += 1
            smallest += 1
            if told["code"] == "budget_spent" and smallest == len(_ASKED):
                self._waits_until[address] = now + told["retry_after_seconds"]


async def _ask(office: Office, address: str, owner: str, quantity: int) -> tuple[int, Json]:
    """Asks, and solves what is asked in return."""
    status, told = await office.hold(address, owner, quantity, "")
    if told.get("code") == "challenge_required":
        status, told = await office.hold(address, owner, quantity, solved(told["challenge"]))
    return status, told


def solved(challenge: Json) -> str:
    """The answer to a proof of work."""
    token, bits = str(challenge["token"]), int(challenge["bits"])
    numbers = [_number(f"{token}:{part}:", bits) for part in range(int(challenge["parts"]))]
    return f"{token}:{'.'.join(map(str, numbers))}"


def _number(begin: str, bits: int) -> int:
    for number in count():
        digest = hashlib.sha256(f"{begin}{number}".encode()).digest()
        if int.from_bytes(digest[:8], "big") >> (64 - bits) == 0:
            return number
    raise AssertionError
