"""What each feature costs a hold: a plain hold of two seats in process, then the same with one
feature turned on, in turn within each round; of a crowd, whose holds share statements and commits,
and of one buyer alone. Of HTTP the same, in `hold_features_http`.

It is measured by processor time, of this process and of the database's sessions, since a clock on a
shared machine measures the others too. `once more` is the base again: what it differs is the noise.
"""

import asyncio
import contextlib
import datetime as dt
import json
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import asyncpg

import bespeak
from benchmarks.bespeak_server import migrated
from benchmarks.contestants import Hall
from benchmarks.database import connected, settle
from benchmarks.feature_costs import FeatureCost, Spent, added, markdown, whole
from benchmarks.processor_time import Meter, metered
from benchmarks.results import Bench, Figure
from benchmarks.services import ROOT
from bespeak import Best, Line, Price
from bespeak.actors import acting_as
from bespeak.inventory.shapes.registry import parse_plan
from bespeak.pricing.rules import Cancellation, DemandStep, Fee, PriceCode, Pricing, Tax
from bespeak.settings import Settings

TURNS = 5
"""How often all sides take turns in a round of the run."""
CROWD, CROWD_HOLDS = 64, 512
ALONE_HOLDS = 96
_HALL = Hall(shows=80, rows=25, seats=40)
_SOON = dt.datetime.now(dt.UTC) + dt.timedelta(days=9)
_NUMBER = "select bespeak.number_events()"
_CODES = (
    PriceCode(code="FAN", capacity=10**8, basis_points=1000),
    PriceCode(code="EARLY", capacity=10**8, presale=True),
)
_STEPS = (DemandStep(from_basis_points=5000, basis_points=1000),)
_FEES = (Fee(name="Booking fee", amount=150), Fee(name="Order fee", per="order", amount=100))
_TERMS = Cancellation(free_until_seconds=86_400, fees_back=True)
_TAXES = (Tax(name="VAT", basis_points=700, included=True),)

Pair = tuple[int, str, str, str, str]
"""A number, a show, two adjacent seats of it, and another show."""
Asked = dict[str, Any]


def _plain(pair: Pair) -> Asked:
    number, show, first, second, _ = pair
    return {"owner": f"buyer-{number}", "lines": [Line(show, first), Line(show, second)]}


def _keyed(pair: Pair) -> Asked:
    return {**_plain(pair), "idempotency_key": f"k-{pair[0]}"}


def _with_code(code: str) -> Callable[[Pair], Asked]:
    def asked(pair: Pair) -> Asked:
        lines = [Line(pair[1], seat, code=code) for seat in pair[2:4]]
        return {**_plain(pair), "lines": lines}

    return asked


def _best(pair: Pair) -> Asked:
    return {**_plain(pair), "lines": [Line(pair[1], best=Best(2, category="standard"))]}


def _two_shows(pair: Pair) -> Asked:
    _, show, first, second, other = pair  # the first seats of each show, the second of the next
    return {**_plain(pair), "lines": [Line(show, first), Line(other, second)]}


@dataclass(frozen=True)
class Feature:
    """One feature: what its resources have, what its holds ask for, and who is said to act."""

    name: str
    sale: Asked = field(default_factory=dict[str, Any])
    asked: Callable[[Pair], Asked] = _plain
    plan: Asked = field(default_factory=dict[str, Any])
    actor: str | None = None


def _pricing(**rules: Any) -> Asked:
    return {"price": Price(2500), "payment": "none", "pricing": Pricing(**rules)}


_BASE = Feature("a plain hold")
FEATURES = (
    Feature("once more, as it is"),
    Feature("an idempotency key", asked=_keyed),
    Feature("a limit for each owner", {"owner_limit": 6}),
    Feature("who acted (audit)", actor="key_42"),
    Feature("a price", {"price": Price(2500), "payment": "none"}),
    Feature("a price, payment required", {"price": Price(2500), "payment": "required"}),
    Feature("price rules: fees and a tax", _pricing(fees=_FEES, taxes=_TAXES)),
    Feature("price rules: terms of cancellation", _pricing(cancellation=_TERMS)),
    Feature("price rules: a demand step", _pricing(steps=_STEPS)),
    Feature("a price code", _pricing(codes=_CODES), _with_code("FAN")),
    Feature(
        "a presale code before the sale opens",
        {**_pricing(codes=_CODES), "opens_at": _SOON},
        _with_code("EARLY"),
    ),
    Feature("the rule of single seats", plan={"orphans": "strict"}),
    Feature("the best two of a category", asked=_best),
    Feature("two resources in one hold", asked=_two_shows),
)  # fmt: skip


class Side:
    """The resources of a feature, and its next holds."""

    def __init__(self, engine: bespeak.Engine, feature: Feature, shows: Sequence[str]) -> None:
        self.name = feature.name
        self._engine = engine
        self._feature = feature
        self._pairs = _pairs(shows)
        self.crowd: list[Spent] = []
        self.alone: list[Spent] = []

    async def turn(self, meter: Meter) -> None:
        """Measures once, of a crowd and alone; what a change of sides costs goes before."""
        await self._place(CROWD, CROWD)
        since = await meter.read()
        await self._place(CROWD_HOLDS, CROWD)
        self.crowd.append(await meter.spent(since, CROWD_HOLDS))
        since = await meter.read()
        await self._place(ALONE_HOLDS, 1)
        self.alone.append(await meter.spent(since, ALONE_HOLDS))

    async def _place(self, holds: int, tasks: int) -> None:
        left = iter(range(holds))

        async def one() -> None:
            for _ in left:
                await self._engine.place_hold(**self._feature.asked(next(self._pairs)))

        actor = self._feature.actor
        with contextlib.nullcontext() if actor is None else acting_as(actor):
            await asyncio.gather(*(one() for _ in range(tasks)))


async def run(bench: Bench) -> list[Figure]:
    """Prints the rows of the table; a figure for each feature, in percent of the base."""
    url = await migrated(bench.database, "bespeak_features")
    settings = Settings(payment_providers="sandbox", allow_pretend_money=True)
    async with (
        bespeak.connect(database_url=url, sweep=False, settings=settings) as engine,
        metered(url) as meter,
        connected(url) as numbering,
    ):
        base, *sides = [await _side(engine, feature) for feature in (_BASE, *FEATURES)]
        await settle(url)
        numbered: list[Spent] = []
        for _ in range(bench.rounds * TURNS):
            for side in (base, *sides):
                await side.turn(meter)
            numbered.append(await _number(numbering, meter))
    crowd = [added(side.name, base.crowd, side.crowd) for side in sides]
    alone = [added(side.name, base.alone, side.alone) for side in sides]
    after = whole("afterwards: its place in the feed", numbered)
    share = 100 * after.total_us / whole(base.name, base.crowd).total_us
    crowd.append(after._replace(percent=share))
    told(whole(base.name, base.crowd), crowd, [whole(base.name, base.alone), *alone])
    return [figure(cost) for cost in crowd]


def told(base: FeatureCost, crowd: Sequence[FeatureCost], alone: Sequence[FeatureCost]) -> None:
    """Prints the table as it stands in the documentation."""
    asked = ["git", "rev-parse", "--short=8", "HEAD"]
    commit = subprocess.check_output(asked, cwd=ROOT, text=True).strip()
    print(f"{dt.datetime.now(dt.UTC).date()}, at commit {commit}\n")
    singles = {cost.name: cost for cost in alone}
    print("\n".join(markdown(base, crowd, singles)), flush=True)


def figure(cost: FeatureCost) -> Figure:
    """What a feature adds, for the file of results."""
    return Figure(f"hold with {cost.name}", round(cost.percent, 1), "% more processor time")


async def _side(engine: bespeak.Engine, feature: Feature) -> Side:
    new = bespeak.NewResource(
        name="Show",
        plan=parse_plan(json.dumps({**_HALL.plan(), **feature.plan})),
        **{"owner_limit": None, "starts_at": _SOON + dt.timedelta(days=30), **feature.sale},
    )
    made = await engine.create_resources([new] * _HALL.shows)
    return Side(engine, feature, [resource.id for resource in made])


async def _number(connection: "asyncpg.Connection[asyncpg.Record]", meter: Meter) -> Spent:
    """What it costs to give an event its position, of those that came since."""
    numbered = await connection.fetchval(_NUMBER)  # the first of them are not measured
    events, since = 0, await meter.read()
    while numbered:
        numbered = await connection.fetchval(_NUMBER)
        events += numbered or 0
    return await meter.spent(since, max(1, events))


def _pairs(shows: Sequence[str]) -> Iterator[Pair]:
    """Seats that nobody has asked for, of all shows in turn."""
    number = 0
    for row in range(_HALL.rows):
        for seat in range(1, _HALL.seats, 2):
            for place, show in enumerate(shows):
                name, other = f"{chr(65 + row)}{seat}", shows[place - 1]
                yield number, show, name, f"{chr(65 + row)}{seat + 1}", other
                number += 1
