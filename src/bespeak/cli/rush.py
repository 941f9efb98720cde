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
    from bespeak.demo.crowd.verdict import Rush, Verdict

_Count = Parameter(validator=Number(gte=1, lte=1_000_000))
_Share = Parameter(validator=Number(gte=0, lte=1))
_Pace = Parameter(validator=Number(gt=0, lte=100_000))
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
    go. The rush ends when all is sold or the buyers are used up. The verdict comes from the
    server's recount of the show and of the money, and from the buyers' own books; the status is 1
    if a seat was sold twice or anything went wrong.

    For example:

        bespeak rush                                # against the demo on this machine

        bespeak rush --pace 15                      # slowly: watch the seat map fill in a browser

        bespeak rush --url http://127.0.0.1:8000 --resource res_00000abc --buyers 2000 --seed 7

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
    from bespeak.demo.crowd.buyers import BuyerSettings
    from bespeak.demo.crowd.reports import Abandoned, reported

    at, secret, suggested = _server(url, key)
    manners = BuyerSettings(seed, buyers, **vars(people or People()))
    wanted = [resource] if resource else suggested
    watch = partial(reported, tell=print_json) if report else _watched
    try:
        verdict = uvloop.run(_rush(at, secret, wanted, manners, connections, watch))
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


async def _rush(
    url: str,
    key: str,
    wanted: list[str],
    manners: BuyerSettings,
    connections: int,
    watch: Callable[[Rush, int], Awaitable[None]],
) -> Verdict:
    """The whole rush: choose, run with a live view, recount."""
    from bespeak.demo.crowd.buyers import Crowd
    from bespeak.demo.crowd.client import CrowdClient
    from bespeak.demo.crowd.seats import CrowdSeatMap
    from bespeak.demo.crowd.verdict import Rush, choose_resource, recount, verdict_of
    from bespeak.errors import InvalidRequest
    from bespeak.inventory.shapes.seats.plan import SeatsPlan

    client = CrowdClient(url, key)
    try:
        resource = await choose_resource(client, wanted)
        if not isinstance(resource.plan, SeatsPlan):
            raise InvalidRequest(
                f"{resource.name!r} has no seat map: a rush wants one", field="resource"
            )
        before = await recount(client, resource.id)
        pays = resource.payment == "required"
        manners = replace(manners, owner_limit=resource.owner_limit, pays=pays)
        crowd = Crowd(client, resource.id, CrowdSeatMap(resource.plan), manners)
        rush = Rush(resource, manners, crowd, client)
        started = time.perf_counter()
        await watch(rush, connections)
        seconds = time.perf_counter() - started
        takings = await crowd.receipts.compare(client, connections)
        return verdict_of(rush, seconds, before, await recount(client, resource.id), takings)
    finally:
        client.close()


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
        return (
            f"buyers {tally.arrived}  granted {tally.granted}  refused {tally.refused}  "
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
    if verdict.waited or verdict.repeated:
        rows["patience"] = f"{verdict.waited} times asked to wait, {verdict.repeated} repeated"
    if verdict.problems:
        rows["refusals"] = ", ".join(f"{code} {n}" for code, n in verdict.problems.items())
    for name, value in rows.items():
        table.add_row(name, value)
    return table


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
