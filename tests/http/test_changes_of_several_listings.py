"""A booking of two listings over HTTP: whoever has the link of its mail, and the desk, change all
of its rooms in one step; and what their guest gets afterwards tells the dates of each.
"""

from datetime import date, timedelta
from pathlib import Path
from typing import cast

import icalendar
import pytest

from bespeak import NightsPlan, Resource
from bespeak.http.server.scopes import KeyScope
from bespeak.inventory.resources import Price
from bespeak.inventory.shapes.nights.plan import NightRule
from tests.harness.database import Connection
from tests.harness.paying import assert_money_agrees
from tests.harness.shows import MakeShow
from tests.http.api import Api, Json, document, problem
from tests.http.conftest import OpenApi
from tests.http.test_booking_links import GUEST
from tests.http.test_change_links import day, nights, way_to
from tests.http.test_desk import body as at_desk
from tests.http.test_desk import captured, issued, refunder
from tests.http.test_refunds import only_refund
from tests.integration.test_move_mails import announce, sent

NIGHT = 9000


@pytest.fixture
async def api(open_api: OpenApi) -> Api:
    return await open_api(
        payment_providers="sandbox,desk", allow_pretend_money=True, free_sales=False
    )


@pytest.fixture
async def resort(make_show: MakeShow) -> list[Resource]:
    """A room, and a suite whose stays from the 30th day on have three nights at least."""
    on = date.fromisoformat(day(30))
    longer = NightRule(from_=on, to=on + timedelta(days=1), min_nights=3)
    plans = {
        "Room": NightsPlan(rooms=("101",), price=NIGHT),
        "Suite": NightsPlan(rooms=("201",), price=2 * NIGHT, rules=(longer,)),
    }
    return [
        await make_show(
            name=name,
            plan=plan,
            price=Price(NIGHT, "EUR"),
            payment="required",
            time_zone="Europe/Lisbon",
        )
        for name, plan in plans.items()
    ]


def both(resort: list[Resource], first: int, last: int) -> list[Json]:
    return [nights(listing, first, last) for listing in resort]


async def paid(api: Api, lines: list[Json], **at: object) -> Json:
    hold = document(await api.ask("POST", "/v1/holds", {"owner": GUEST, "lines": lines}), 201)
    asked = {"hold_id": hold["id"], "payment_token": "tok_success", **at}
    return document(await api.ask("POST", "/v1/bookings", asked), 201)


async def test_by_the_link_of_the_mail(
    api: Api, resort: list[Resource], connection: Connection
) -> None:
    way = await way_to(api, await paid(api, both(resort, 10, 14)))
    first = await way.change(*both(resort, 12, 16), idempotency_key="change")
    held = document(first, 201)
    again = await way.change(*both(resort, 12, 16), idempotency_key="change")
    assert document(again, 201)["id"] == held["id"]
    # What each room costs was told before.
    asked: Json = {"lines": both(resort, 12, 16)}
    quote = document(await way.ask("POST", "/v1/quotes", asked), 200)
    units = [one for one in cast("list[Json]", quote["lines"]) if one["kind"] == "unit"]
    assert [one["amount"] for one in units] == [4 * NIGHT, 8 * NIGHT]
    assert quote["total"] == held["amount"]
    asked = {"hold_id": held["id"], "payment_token": "tok_success"}
    booked = document(await way.ask("POST", "/v1/bookings", asked, idempotency_key="pay"), 201)
    # The answer was lost, and is asked for again.
    again = await way.ask("POST", "/v1/bookings", asked, idempotency_key="pay")
    assert document(again, 201)["id"] == booked["id"]
    gone = await api.get(f"/v1/bookings/{way.booking}")
    assert (gone["state"], gone["reason"], gone["owner"]) == ("cancelled", "exchanged", GUEST)
    lines = cast("list[Json]", booked["lines"])
    assert [(one["resource_id"], one["from"], one["to"]) for one in lines] == [
        (listing.id, day(12), day(16)) for listing in resort
    ]
    document(await api.ask("DELETE", f"/v1/bookings/{booked['id']}"), 200)
    await refunder(api)
    await assert_money_agrees(connection)


async def test_a_refusal_names_the_room_and_keeps_all(api: Api, resort: list[Resource]) -> None:
    booking = await paid(api, both(resort, 10, 14))
    room, suite = resort

    def change(first: int, last: int) -> Json:
        lines = both(resort, first, last)
        return {"owner": GUEST, "instead_of_booking": booking["id"], "lines": lines}

    short = await api.ask("POST", "/v1/holds", change(30, 32))
    told = problem(short, "not_on_sale", line=1, resource_id=suite.id)
    assert "least" in str(told) or "min" in str(told)
    quoted = await api.ask("POST", "/v1/quotes", {"lines": both(resort, 30, 32)})
    problem(quoted, "not_on_sale", line=1, resource_id=suite.id)
    await paid(api, [nights(room, 15, 16)])
    before = await api.snapshot()
    taken = problem(await api.ask("POST", "/v1/holds", change(12, 16)), "unit_taken")
    conflicts = cast("list[Json]", taken["conflicts"])
    assert [(one["resource_id"], one["from"], one["to"]) for one in conflicts] == [
        (room.id, day(15), day(16))
    ]
    after = await api.snapshot()
    for table in ("hold", "booking", "claim", "payment"):
        assert after[table] == before[table], table


async def test_a_bound_key_changes_what_is_its_own_whole(api: Api, resort: list[Resource]) -> None:
    """All of the booking goes back with a change, so all of it must be the key's."""
    room, suite = resort
    booking = await paid(api, both(resort, 10, 14))
    asked = {"owner": GUEST, "instead_of_booking": booking["id"]}
    for one, other in ((room, suite), (suite, room)):
        bound = await api.restricted(KeyScope.SELL, resources=[one.id])
        change = {**asked, "lines": [nights(one, 12, 16)]}
        refused = await api.ask("POST", "/v1/holds", change, key=bound)
        problem(refused, "key_bound", resource_id=other.id)
    bound = await api.restricted(KeyScope.SELL, resources=[room.id, suite.id])
    change = {**asked, "lines": both(resort, 12, 16)}
    document(await api.ask("POST", "/v1/holds", change, key=bound), 201)


async def test_the_desk_changes_it_and_all_papers_tell_the_new_dates(
    api: Api, resort: list[Resource], connection: Connection, tmp_path: Path
) -> None:
    """For a guest who calls: held in place of their booking, and paid in coins."""
    old = await paid(api, both(resort, 10, 14))
    lines = both(resort, 12, 17)
    quote = document(await api.ask("POST", "/v1/quotes", {"lines": lines}), 200)
    asked = {"owner": GUEST, "instead_of_booking": old["id"], "lines": lines}
    hold = document(await api.ask("POST", "/v1/holds", asked), 201)
    assert hold["amount"] == quote["total"]
    await announce(api.service.engine, connection)
    contact = {"email": "asha@example.org", "locale": "en"}
    made = await api.ask("POST", "/v1/bookings", {**at_desk(hold), "contact": contact})
    new = await captured(api, str(document(made, 201)["id"]))
    await refunder(api)
    refund = only_refund(await api.get(f"/v1/bookings/{old['id']}"))
    assert refund["amount"] == old["amount"]
    (invoice,) = await issued(api, new)
    content = cast("Json", invoice["content"])
    told = cast("list[Json]", content["lines"])
    assert [(one["label"], str(one["starts"])[:10], str(one["ends"])[:10]) for one in told] == [
        (name, day(12), day(17)) for name in ("Room", "Suite")
    ]
    file = await api.ask("GET", f"/v1/bookings/{new['id']}/calendar.ics")
    events = icalendar.Calendar.from_ical(file.content).walk("VEVENT")
    stays = {
        (str(one["SUMMARY"]), *(str(one.decoded(name))[:10] for name in ("DTSTART", "DTEND")))
        for one in events
    }
    assert stays == {(name, day(12), day(17)) for name in ("Room", "Suite")}
    await announce(api.service.engine, connection)
    ((subject, text),) = await sent(api.service.engine, tmp_path)
    assert subject == "Your booking is confirmed: Room, Suite"
    for said in ("Room, 101", "Suite, 201"):
        assert f"- {said}, {in_mails(12)} to {in_mails(17)}" in text
    await assert_money_agrees(connection)


def in_mails(after: int) -> str:
    """A day as mails in English have it."""
    on = date.fromisoformat(day(after))
    return f"{on:%A}, {on:%B} {on.day}, {on.year}"
