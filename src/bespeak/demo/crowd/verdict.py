"""The verdict on a rush: the server's recount before and after, and the money that it took, set
against the crowd's books.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TypeVar
from urllib.parse import quote

import msgspec

from bespeak.demo.crowd.buyers import BuyerSettings, Crowd
from bespeak.demo.crowd.client import CrowdClient
from bespeak.demo.crowd.queue import CountedRoom, CrowdQueue
from bespeak.demo.crowd.receipts import Takings
from bespeak.errors import InvalidRequest
from bespeak.inventory.audit import Audit
from bespeak.inventory.resources import Resource, ResourcePage
from bespeak.inventory.shapes.seats.plan import SeatsPlan

_NEARLY_ALL = 0.9
_RUSH_MAX = timedelta(minutes=2)
_Struct = TypeVar("_Struct")


@dataclass(frozen=True)
class Rush:
    """A rush: what was rushed on, by whom."""

    resource: Resource
    manners: BuyerSettings
    crowd: Crowd
    client: CrowdClient


class QueueVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """How it went in the waiting room. Of those `let_in`, `inside_without` found nothing, a share
    of `share_without`; `gave_up` left before their turn, `too_late` were told that it is sold out,
    `turned_away` are tries to get by, all in vain unless they count as `before_turn`.
    `lost_passes` are those that the database does not count, `sold_out_seconds` is from the
    opening on (null: it is not sold out)."""

    waiting_room_id: str
    joined: int
    let_in: int
    bought: int
    inside_without: int
    share_without: float
    gave_up: int
    too_late: int
    turned_away: int
    before_turn: int
    lost_passes: int
    looks: int
    sold_out_seconds: float | None


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """How a rush went. Requests count by their final answers, latencies are those of holds, money
    is in minor units."""

    resource_id: str
    seed: int
    buyers: int
    arrived: int
    granted: int
    refused: int
    confirmed: int
    released: int
    expired: int
    declined: int
    cancelled: int
    empty_handed: int
    errors: int
    double_sold: int
    lost: int
    violations: int
    paid: int
    captured: int
    unpaid: int
    currency: str
    sold_out: bool
    seconds: float
    holds_per_second: float
    sold: int
    held: int
    blocked: int
    free: int
    p50_ms: float
    p99_ms: float
    waited: int
    repeated: int
    problems: dict[str, int]
    queue: QueueVerdict | None = None

    @property
    def is_clean(self) -> bool:
        """Nothing was sold twice, nothing that was confirmed is missing, all of it is paid for,
        nobody came before their turn, nothing went wrong."""
        wrong = (self.double_sold, self.errors, self.lost, self.violations, self.unpaid)
        queue = self.queue
        return not any(wrong) and (queue is None or not (queue.before_turn or queue.lost_passes))


class _RoomPage(msgspec.Struct):
    items: list[CountedRoom]


class _Failure(msgspec.Struct):
    detail: str = ""


class _Level(msgspec.Struct):
    units_total: int
    units_free: int


async def recount(client: CrowdClient, resource_id: str) -> Audit:
    """The server's own count. Raises InvalidRequest with its reason if it gives none."""
    return await _read(client, f"/v1/resources/{_part(resource_id)}/audit", Audit)


async def choose_resource(client: CrowdClient, wanted: list[str]) -> Resource:
    """The wanted resource; of several the first with nearly all free; failing these, the show
    whose sale ends soonest of those that are nearly free. Raises InvalidRequest."""
    if len(wanted) == 1:
        return await _resource(client, wanted[0])
    for resource_id in wanted:
        if await _is_nearly_free(client, resource_id):
            return await _resource(client, resource_id)
    page = await _read(client, "/v1/resources?kind=show&limit=500", ResourcePage)
    shows = [show for show in page.items if isinstance(show.plan, SeatsPlan) and _is_on_sale(show)]
    for show in sorted(shows, key=lambda each: str(each.closes_at or each.created_at)):
        if await _is_nearly_free(client, show.id):
            return show
    raise InvalidRequest("no show is nearly free; name a resource with --resource")


async def _resource(client: CrowdClient, resource_id: str) -> Resource:
    return await _read(client, f"/v1/resources/{_part(resource_id)}", Resource)


def _is_on_sale(show: Resource) -> bool:
    """Whether its sale goes on until a rush that begins now is over."""
    until = datetime.now(UTC) + _RUSH_MAX
    return show.state == "open" and (show.closes_at is None or show.closes_at > until)


async def _is_nearly_free(client: CrowdClient, resource_id: str) -> bool:
    level = await _read(client, f"/v1/resources/{_part(resource_id)}/availability", _Level)
    return level.units_free > 0 and level.units_free >= level.units_total * _NEARLY_ALL


def verdict_of(
    rush: Rush,
    seconds: float,
    before: Audit,
    after: Audit,
    takings: Takings,
    queue: QueueVerdict | None = None,
) -> Verdict:
    """Sets what the server counted against what the buyers were told."""
    crowd, tally = rush.crowd, rush.crowd.tally
    times = sorted(tally.hold_seconds)
    return Verdict(
        resource_id=rush.resource.id,
        seed=rush.manners.seed,
        buyers=rush.manners.buyers,
        **tally.counts(),
        double_sold=max(after.double_sold, len(crowd.record.double_sold)),
        lost=max(0, crowd.record.confirmed_seats - (after.sold - before.sold)),
        violations=len(after.violations),
        **vars(takings),
        currency=rush.resource.price.currency,
        sold_out=crowd.sold_out,
        seconds=round(seconds, 3),
        holds_per_second=round(len(times) / seconds, 1) if seconds else 0.0,
        sold=after.sold,
        held=after.held,
        blocked=after.blocked,
        free=after.free or 0,
        p50_ms=_percentile_ms(times, 50),
        p99_ms=_percentile_ms(times, 99),
        waited=rush.client.waited,
        repeated=rush.client.repeated,
        problems=dict(tally.problems),
        queue=queue,
    )


async def queue_verdict(rush: Rush, queue: CrowdQueue) -> QueueVerdict:
    """What the crowd's queue was, set against what the database counts."""
    tally, record = queue.tally, rush.crowd.tally
    counted = await read_room(rush.client, queue.room.id)
    without = record.empty_handed
    opened, over = queue.opened_at, rush.crowd.last_bought_at
    is_over = rush.crowd.sold_out and opened is not None and over is not None
    return QueueVerdict(
        waiting_room_id=queue.room.id,
        joined=tally.joined,
        let_in=tally.let_in,
        bought=record.confirmed,
        inside_without=without,
        share_without=round(without / tally.let_in, 4) if tally.let_in else 0.0,
        gave_up=tally.gave_up,
        too_late=tally.too_late,
        turned_away=tally.turned_away,
        before_turn=tally.before_turn,
        # Others may queue too.
        lost_passes=max(0, tally.let_in - (counted.let_in - queue.room.let_in)),
        looks=tally.looks,
        sold_out_seconds=round(over - opened, 2) if is_over and over and opened else None,
    )


async def read_room(client: CrowdClient, room_id: str) -> CountedRoom:
    """A waiting room as the database counts it. Raises InvalidRequest."""
    return await _read(client, f"/v1/waiting-rooms/{_part(room_id)}", CountedRoom)


async def choose_room(client: CrowdClient, wanted: list[str]) -> CountedRoom:
    """The waiting room before the wanted resource, or else the newest that is at work. Raises
    InvalidRequest."""
    page = await _read(client, "/v1/waiting-rooms?limit=100", _RoomPage)
    at_work = [room for room in page.items if room.state != "ended"]
    if wanted:
        at_work = [room for room in at_work if wanted[0] in room.resources]
    if not at_work:
        named = f"before {wanted[0]}" if wanted else "at work"
        raise InvalidRequest(f"there is no waiting room {named}", field="waiting_room")
    return at_work[0]


async def _read(client: CrowdClient, path: str, kind: type[_Struct]) -> _Struct:
    answer = await client.get(path)
    if answer.status != 200:
        reason = msgspec.json.decode(answer.body, type=_Failure).detail
        raise InvalidRequest(f"GET {path}: {answer.status} {reason}")
    return msgspec.json.decode(answer.body, type=kind)


def _part(text: str) -> str:
    return quote(text, safe="")


def _percentile_ms(times: list[float], percent: int) -> float:
    if not times:
        return 0.0
    return round(times[min(len(times) - 1, len(times) * percent // 100)] * 1000, 2)
