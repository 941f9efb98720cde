"""`bespeak rush`: simulates a crowd of buyers on a running server, shows how it goes,
and ends with a verdict from two sides: the server's recount of seats and money, and the buyers' own
books.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from bespeak.cli.options import Json

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from rich.table import Table

    from bespeak.demo.crowd.buyers import BuyerSettings
    from bespeak.demo.crowd.client import CrowdClient
    from bespeak.demo.crowd.verdict import QueueVerdict, Rush, Verdict

_Count = Parameter(validator=Number(gte=1, lte=1_000_000))
_Share = Parameter(validator=Number(gte=0, lte=1))
_Pace = Parameter(validator=Number(gt=0, lte=100_000))
_QUEUE_MAX = 20_000  # each waits by itself, and looks by itself
_Hidden = Parameter(show=False, negative="")


@Parameter(name="*")
@dataclass(frozen=True)
class People:
    """How the buyers of a rush are."""

    confirm: Annotated[float, _Share] = 0.9
    """The share of holds that become bookings; the others are released."""

    decline: Annotated[float, _Share] = 0.03
    """Where it costs: the share of buyers whose card is declined; half of them have another."""

    tries: Annotated[int, _Count] = 5
    """How often a buyer tries before giving up."""

    pace: Annotated[float | None, _Pace] = None
    """How many come a second, each with a moment to choose and to pay; without it, all come as
    fast as the server goes."""

    waiting_room: Annotated[bool, Parameter(negative="")] = False
    """They queue in the waiting room before the resource, and come in when it is their turn.
    Without a resource, in the newest waiting room, for the first thing behind it."""

    impatient: Annotated[float, _Share] = 0.1
    """In a waiting room: the share that leaves before its turn."""

    cancel: Annotated[float, _Share] = 0.0
    """The share of those who bought that cancels once it is sold out and somebody is on its
    waitlist, one after the other while anybody waits. For two minutes somebody is waited for."""


def rush(
    *,
    url: str | None = None,
    resource: str | None = None,
    buyers: Annotated[int, _Count] = 2000,
    seed: int = 1,
    key: Annotated[str | None, Parameter(env_var="BESPEAK_KEY")] = None,
    connections: Annotated[int, _Count] = 64,
    people: People | None = None,
    as_json: Json = False,
    report: Annotated[bool, _Hidden] = False,
) -> int:
    """Simulate a rush on a running server.

    Each buyer looks at the map, picks two seats side by side that look free, and tries again when
    others were faster; then pays with a test card of the sandbox, or thinks better of it and lets
    go. The rush ends when all is sold or the buyers are used up. With --waiting-room they join a
    queue first, look as often as they are told to, and need their pass to hold; some lose their
    patience, and some try to get by. The verdict comes from the
    server's recount of the show and of the money, and from the buyers' own books; the status is 1
    if a seat was sold twice or anything went wrong.

    For example:

        bespeak rush                                # against the demo on this machine

        bespeak rush --pace 15                      # slowly: watch the seat map fill in a browser

        bespeak rush --url http://127.0.0.1:8000 --resource res_00000abc --buyers 2000 --seed 7

        bespeak rush --waiting-room --buyers 400    # queues for the demo's premiere

        BESPEAK_KEY=sk_... bespeak rush --url https://tickets.example --resource res_00000abc

    Parameters
    ----------
    url
        The server; without it, the one that runs on this machine.
    resource
        What to sell out; without it, the demo's next show of 300 seats that is nearly free, or
        the first such show of whatever size.
    buyers
        How many buyers come.
    seed
        Seeds the buyers' dice: the same people with the same wishes.
    key
        A secret key (sk_). Not needed for a demo, or a serve --json, of yours on this machine.
    connections
        How many buyers are served at a time, each on a connection.
    as_json
        Print the verdict as one JSON line.
    report
        For a program that started this one: tell it how far the rush is, a JSON line each moment,
        and end when its end of standard input closes.
    """
    import uvloop

    from bespeak.cli.output import print_json, remarks, results
    from bespeak.demo.crowd.reports import Abandoned, reported
    from bespeak.errors import InvalidRequest

    at, secret, suggested = _server(url, key)
    manners, impatient = _manners(seed, buyers, people or People())
    if impatient is not None and buyers > _QUEUE_MAX:
        raise InvalidRequest(f"{_QUEUE_MAX:,} can wait at most", field="buyers")
    wanted = [resource] if resource else suggested if impatient is None else []
    place = _Place(at, secret, wanted, connections, impatient)
    watch = partial(reported, tell=print_json) if report else _watched
    try:
        verdict = uvloop.run(_rush(place, manners, watch))
    except Abandoned:
        return 1
    if report:
        print_json(verdict)
        return 0 if verdict.is_clean else 1
    remarks().print(_table(verdict)) if as_json else results().print(_table(verdict))
    if as_json:
        print_json(verdict)
    return 0 if verdict.is_clean else 1


def _server(url: str | None, key: str | None) -> tuple[str, str, list[str]]:
    """Where to rush, with which key, and on what by preference. Raises InvalidRequest."""
    from bespeak.cli import servers
    from bespeak.cli.remote import address

    at, secret = address(url, key, "sk")
    known = servers.find(url)
    return at, secret, known.suggested if known else []


def _manners(seed: int, buyers: int, people: People) -> tuple[BuyerSettings, float | None]:
    """How the buyers behave, and what share of them has no patience, where they queue."""
    from bespeak.demo.crowd.buyers import BuyerSettings

    said = dict(vars(people))
    queues, impatient = said.pop("waiting_room"), said.pop("impatient")
    return BuyerSettings(seed, buyers, **said), impatient if queues else None


@dataclass(frozen=True)
class _Place:
    """Where a rush is: the server with a key, what is wanted by preference, how many connections,
    and of those who queue the share without patience (None: there is no queue)."""

    url: str
    key: str
    wanted: list[str]
    connections: int
    impatient: float | None


async def _rush(
    place: _Place, manners: BuyerSettings, watch: Callable[[Rush, int], Awaitable[None]]
) -> Verdict:
    """The whole rush: choose, run with a live view, recount."""
    from bespeak.demo.crowd.client import CrowdClient
    from bespeak.demo.crowd.verdict import queue_verdict, recount, verdict_of

    queues = place.impatient is not None
    client = CrowdClient(place.url, place.key, place.connections if queues else None)
    try:
        rush = await _gathered(client, place, manners)
        resource, crowd = rush.resource, rush.crowd
        before = await recount(client, resource.id)
        started = time.perf_counter()
        await watch(rush, place.connections)
        seconds = time.perf_counter() - started
        takings = await crowd.receipts.compare(client, place.connections)
        queue = None if crowd.queue is None else await queue_verdict(rush, crowd.queue)
        after = await recount(client, resource.id)
        return verdict_of(rush, seconds, before, after, takings, queue)
    finally:
        client.close()


async def _gathered(client: CrowdClient, place: _Place, manners: BuyerSettings) -> Rush:
    """The crowd before it comes, and to what. Raises InvalidRequest."""
    from bespeak.demo.crowd.buyers import Crowd
    from bespeak.demo.crowd.queue import CrowdQueue
    from bespeak.demo.crowd.seats import CrowdSeatMap
    from bespeak.demo.crowd.verdict import Rush, choose_resource, choose_room
    from bespeak.errors import InvalidRequest
    from bespeak.inventory.shapes.seats.plan import SeatsPlan

    wanted, queue = place.wanted, None
    if place.impatient is not None:
        room = await choose_room(client, wanted)
        queue = CrowdQueue(client, room, place.impatient)
        wanted = wanted or room.resources[:1]
    resource = await choose_resource(client, wanted)
    if not isinstance(resource.plan, SeatsPlan):
        raise InvalidRequest(
            f"{resource.name!r} has no seat map: a rush wants one", field="resource"
        )
    pays = resource.payment == "required"
    limits = [resource.owner_limit, None if queue is None else queue.room.units_max]
    owner_limit = min((limit for limit in limits if limit is not None), default=None)
    manners = replace(manners, owner_limit=owner_limit, pays=pays)
    crowd = Crowd(client, resource.id, CrowdSeatMap(resource.plan), manners, queue)
    return Rush(resource, manners, crowd, client)


async def _watched(rush: Rush, connections: int) -> None:
    """Runs the crowd with a live view on standard error, where that is a terminal."""
    import asyncio

    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from bespeak.cli.output import remarks

    crowd, seats = rush.crowd, rush.crowd.seats
    console = remarks()
    view = Progress(
        TextColumn("[bold]{task.description}"),
        BarColumn(),
        TextColumn("{task.completed}/{task.total} taken"),
        TextColumn("{task.fields[counts]}"),
        TimeElapsedColumn(),
        console=console,
        disable=not console.is_terminal,
    )

    def counts() -> str:
        tally = crowd.tally
        queue = crowd.queue.tally if crowd.queue else None
        waiting = f"joined {queue.joined}  let in {queue.let_in}  " if queue else ""
        return (
            f"{waiting}buyers {tally.arrived}  granted {tally.granted}  refused {tally.refused}  "
            f"confirmed {tally.confirmed}  errors {tally.errors}"
        )

    with view:
        title = rush.resource.name if len(rush.resource.name) < 40 else rush.resource.id
        task = view.add_task(title, total=seats.units_total, counts=counts())
        running = asyncio.create_task(crowd.run(connections))
        while not running.done():
            await asyncio.wait({running}, timeout=0.1)
            taken = seats.units_total - seats.units_free
            view.update(task, completed=taken, counts=counts())
        running.result()


def _table(verdict: Verdict) -> Table:
    from rich.table import Table

    word = "clean" if verdict.is_clean else "NOT CLEAN"
    table = Table(title=f"{verdict.resource_id}: {word}", show_header=False, title_justify="left")
    end = ", sold out" if verdict.sold_out else ""
    rows = {
        "double-sold": str(verdict.double_sold),
        "seats": f"{verdict.sold} sold, {verdict.held} held, {verdict.blocked} blocked, "
        f"{verdict.free} free{end}",
        "buyers": f"{verdict.arrived} came of {verdict.buyers}, "
        f"{verdict.empty_handed} went home without",
        "holds": f"{verdict.granted} granted, {verdict.refused} refused; "
        f"{verdict.confirmed} confirmed, {verdict.released} released, {verdict.expired} expired",
        "money": _money(verdict),
        "time": f"{verdict.seconds} s, {verdict.holds_per_second} hold requests/s, "
        f"p50 {verdict.p50_ms} ms, p99 {verdict.p99_ms} ms",
        "errors": f"{verdict.errors}, lost {verdict.lost}, violations {verdict.violations}",
    }
    if verdict.queue is not None:
        rows |= _queue_rows(verdict.queue)
    if verdict.cancelled:
        rows["cancelled"] = f"{verdict.cancelled}, once somebody waited"
    if verdict.waited or verdict.repeated:
        rows["patience"] = f"{verdict.waited} times asked to wait, {verdict.repeated} repeated"
    if verdict.problems:
        rows["refusals"] = ", ".join(f"{code} {n}" for code, n in verdict.problems.items())
    for name, value in rows.items():
        table.add_row(name, value)
    return table


def _queue_rows(queue: QueueVerdict) -> dict[str, str]:
    end = queue.sold_out_seconds
    return {
        "queue": f"{queue.joined} joined, {queue.let_in} let in, {queue.bought} bought; "
        f"{queue.gave_up} gave up, {queue.too_late} too late",
        "inside without": f"{queue.inside_without} ({queue.share_without:.1%} of those let in)",
        "before their turn": f"{queue.before_turn}; {queue.turned_away} tries turned away",
        "sold out": "no" if end is None else f"{end} s after the opening",
    }


def _money(verdict: Verdict) -> str:
    from bespeak.http.api.sandbox import shown
    from bespeak.money import Money

    if not (verdict.paid or verdict.captured or verdict.declined):
        return "nothing was charged"
    paid, captured = (
        shown(Money(amount, verdict.currency)) for amount in (verdict.paid, verdict.captured)
    )
    return (
        f"{paid} to pay, {captured} taken, {verdict.unpaid} unpaid, "
        f"{verdict.declined} cards declined"
    )
