"""Budgets of what is tried in vain: ids and links of others, codes of tickets, mails to anybody;
and the holds that a vertical's own call places.
"""

import asyncio

import msgspec
import pytest

from bespeak import PoolPlan, Price, PriceCode, Pricing, Resource, SeatsPlan
from bespeak.http.api.verticals import endpoints
from bespeak.http.server.asgi import AsgiScope
from bespeak.http.server.budgets.gate import Visitor
from bespeak.http.server.budgets.mails import trying_mail
from bespeak.http.server.call import Call, Caller
from bespeak.http.server.errors import BudgetSpent, ChallengeRequired
from bespeak.http.server.keys import KeyKind
from bespeak.lines import Line
from bespeak.verticals.vertical import Vertical, VerticalCall, VerticalRequest
from tests.http.api import Api, Json, Request, document, problem
from tests.http.conftest import OpenApi
from tests.http.scenarios import NO_BOOKING
from tests.http.test_budgets import MINE, ON, OTHER, hall, knows

__all__ = ["hall"]


def reading(api: Api, path: str, owner: str = "g", address: str = MINE) -> Request:
    headers = {"Bespeak-Shopper": api.token(owner), "X-Forwarded-For": address}
    return Request("GET", path, None, "pk", headers)


async def test_who_guesses_ids_is_told_nothing_any_more(open_api: OpenApi, hall: Resource) -> None:
    """Whether such a booking is there cannot be told from the answer; what is one's own can always
    be read, and servers are not judged."""
    api = await open_api(**ON)
    theirs = await api.hold(hall, "floor 1", owner="victim")
    mine = await api.hold(hall, "floor 1", owner="g")
    for number in range(30):
        path = f"/v1/bookings/{NO_BOOKING}" if number % 2 else f"/v1/holds/{theirs['id']}"
        code = "booking_not_found" if number % 2 else "not_owner"
        problem(await api.send(reading(api, path)), code)
    for path in (f"/v1/bookings/{NO_BOOKING}", f"/v1/holds/{theirs['id']}"):
        refused = await api.send(reading(api, path))
        problem(refused, "budget_spent", budget="guesses", limit=30)
        assert int(refused.headers["retry-after"]) >= 1
    body = {"hold_id": theirs["id"]}
    headers = {"Bespeak-Shopper": api.token("g"), "X-Forwarded-For": MINE}
    problem(await api.send(Request("POST", "/v1/bookings", body, "pk", headers)), "budget_spent")
    document(await api.send(reading(api, f"/v1/holds/{mine['id']}")), 200)
    problem(await api.send(reading(api, f"/v1/holds/{theirs['id']}", "h")), "not_owner")
    for _ in range(40):
        problem(await api.ask("GET", f"/v1/bookings/{NO_BOOKING}"), "booking_not_found")


async def test_who_guesses_as_many_guests_is_one_address(open_api: OpenApi, hall: Resource) -> None:
    api = await open_api(**ON)
    answers = await asyncio.gather(
        *(
            api.send(reading(api, f"/v1/bookings/{NO_BOOKING}", f"g{number}"))
            for number in range(210)
        )
    )
    codes = [answer.json()["code"] for answer in answers]
    assert (codes.count("booking_not_found"), codes.count("budget_spent")) == (200, 10)
    problem(
        await api.send(reading(api, f"/v1/bookings/{NO_BOOKING}", "h", OTHER)), "booking_not_found"
    )


async def test_a_camera_that_misreads_closes_no_door(
    open_api: OpenApi, hall: Resource, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Codes that nobody signed are counted and told; a good one is let in all the same."""
    from bespeak.http.server.budgets import policy

    monkeypatch.setattr(policy, "TICKET_CODES_OF_KEY", 5)
    api = await open_api(**ON)
    booking = await api.booking(hall, "floor 1")
    for number in range(9):
        bad = {"code": f"nonsense{number}"}
        problem(await api.ask("POST", "/v1/check-ins", bad), "ticket_code_invalid")
    scans = {"scans": [{"code": "x"}, {"code": "y"}]}
    document(await api.ask("POST", "/v1/check-ins/batch", scans), 200)
    counts, clock = api.service.budgets.counts, api.service.engine.clock
    (key,) = {one.who for one in counts._own if one.budget == "ticket_codes"}
    assert counts.spent("ticket_codes", key, clock.seconds()) == 11
    page = await api.get(f"/v1/bookings/{booking['id']}/tickets")
    code = page["items"][0]["code"]  # type: ignore[index]
    document(await api.ask("POST", "/v1/check-ins", {"code": code}), 201)


async def test_nobodys_mailbox_is_flooded(open_api: OpenApi, hall: Resource) -> None:
    """What is free is booked again and again with another's address, by ever new guests."""
    api = await open_api(**ON)

    async def books(owner: str, email: str, address: str) -> str:
        held = await api.hold(hall, "floor 1", owner=owner)
        body = {"hold_id": held["id"], "contact": {"email": email}}
        headers = {"Bespeak-Shopper": api.token(owner), "X-Forwarded-For": address}
        answer = await api.send(Request("POST", "/v1/bookings", body, "pk", headers))
        found: Json = msgspec.json.decode(answer.content)
        return "booked" if "state" in found else str(found["code"])

    told = [await books(f"g{n}", "Victim@example.org", f"198.51.100.{n}") for n in range(12)]
    assert told == ["booked"] * 10 + ["budget_spent"] * 2
    assert await books("h", "victim@example.org ".strip(), OTHER) == "budget_spent"
    assert await books("h", "other@example.org", OTHER) == "booked"


async def test_a_mail_that_did_not_come_of_it_costs_nothing(open_api: OpenApi) -> None:
    budgets = (await open_api(**ON)).service.budgets
    visitor = Visitor(MINE, "g")
    for _ in range(30):
        with trying_mail(budgets, visitor, "a@example.org") as trial:
            trial.is_good = True
    for _ in range(10):
        with trying_mail(budgets, visitor, "a@example.org"):
            pass
    with pytest.raises(BudgetSpent), trying_mail(budgets, visitor, "A@example.org"):
        pass


class Table(msgspec.Struct, frozen=True):
    """What the vertical of this test answers."""

    hold: str


async def take_table(request: VerticalRequest[None, None]) -> Table:
    """Holds something, as the call of a vertical does; within its own transaction or without."""
    lines = [Line(request.path["hall"], "floor", int(request.path["quantity"]))]
    owner = request.placing_owner()
    if request.path.get("within"):
        async with request.connection() as used, used.transaction():
            hold = await request.engine.within(used).place_hold(owner=owner, lines=lines)
    else:
        hold = await request.engine.place_hold(owner=owner, lines=lines)
    return Table(hold.id)


def calling(api: Api, show: Resource, quantity: int, owner: str, **path: str) -> Call[None, None]:
    scope: AsgiScope = {
        "client": ("127.0.0.1", 1),
        "headers": [(b"x-forwarded-for", MINE.encode())],
    }
    named = {"hall": show.id, "quantity": str(quantity), **path}
    caller = Caller(KeyKind.PUBLISHABLE, owner)
    return Call(api.service, scope, {}, named, caller, None, None)


@pytest.mark.parametrize("within", ["", "yes"])
async def test_a_hold_that_a_verticals_call_places_is_judged_like_any_other(
    open_api: OpenApi, hall: Resource, within: str
) -> None:
    api = await open_api(**ON)
    await knows(api, hall)
    call = VerticalCall("POST", "/tables", take_table, "Take a table", needs_shopper=True)
    (endpoint,) = endpoints([Vertical("bistro", "Bistro", [call])])

    async def takes(quantity: int, owner: str) -> Table:
        answer = await endpoint.handler(calling(api, hall, quantity, owner, within=within))  # type: ignore[arg-type]
        assert isinstance(answer, Table)
        return answer

    for number in range(6):
        await takes(2, f"g{number}")
    with pytest.raises(ChallengeRequired):
        await takes(2, "g7")
    with pytest.raises(BudgetSpent):
        await takes(31, "g8")
    holds = api.service.budgets.holds
    assert holds.held_by_prefix[MINE] == 12
    # What is not published is not there for it either.
    await api.ask("PATCH", f"/v1/resources/{hall.id}", {"published": False}, key="ak")
    from bespeak.errors import ResourceNotFound

    with pytest.raises(ResourceNotFound):
        await endpoint.handler(calling(api, hall, 1, "late", within=within))  # type: ignore[arg-type]


async def test_codes_that_a_verticals_call_names_are_guesses(
    open_api: OpenApi, make_show: object
) -> None:
    from bespeak.errors import UnknownCode
    from bespeak.http.server.visitor_engine import VisitorEngine

    api = await open_api(**ON)
    pricing = Pricing(codes=(PriceCode(code="FRIENDS", capacity=50, basis_points=1000),))
    show = await make_show(  # type: ignore[operator]
        plan=SeatsPlan(pools=(PoolPlan("floor", 300),)), price=Price(500, "EUR"), pricing=pricing
    )
    engine = VisitorEngine(api.service.guests_engine, api.service, Visitor(MINE, "g"), None)
    for number in range(20):
        with pytest.raises(UnknownCode):
            await engine.quote([Line(show.id, "floor", 1, code=f"X{number}")])
    with pytest.raises(BudgetSpent):
        await engine.quote([Line(show.id, "floor", 1, code="FRIENDS")])
    held = await api.service.engine.place_hold(owner="g", lines=[Line(show.id, "floor", 1)])
    assert (await engine.release_hold(held.id, owner="g")).state == "released"
