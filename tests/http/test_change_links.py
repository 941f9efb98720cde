"""The link in the mail of a stay changes that stay on any device: its hold, the payment of that and
what is booked of it; and nothing else of its guest.
"""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple, cast

import httpx

from bespeak import NightsPlan, Resource, ids
from bespeak.inventory.resources import Price
from tests.harness.shows import MakeShow
from tests.http.api import Api, Json, document, problem
from tests.http.conftest import OpenApi
from tests.http.test_booking_links import GUEST, link_to
from tests.http.workspaces import ACME, found_acme

ROOMS = NightsPlan(rooms=("101", "102"), price=9000)


def day(after: int) -> str:
    return str((datetime.now(UTC) + timedelta(days=after)).date())


def nights(house: Resource, first: int, last: int) -> Json:
    return {"resource_id": house.id, "from": day(first), "to": day(last)}


async def house_of(api: Api, make_show: MakeShow, **fields: object) -> Resource:
    paid = {"payment": "required", "price": Price(9000, "EUR")}
    return await make_show(plan=ROOMS, time_zone="Europe/Lisbon", **{**paid, **fields})


async def paid(api: Api, house: Resource, first: int, last: int, owner: str = GUEST) -> Json:
    """A stay that was booked and paid for."""
    body = {"owner": owner, "lines": [nights(house, first, last)]}
    hold = document(await api.ask("POST", "/v1/holds", body), 201)
    asked = {"hold_id": hold["id"], "payment_token": "tok_success"}
    return document(await api.ask("POST", "/v1/bookings", asked), 201)


class Way(NamedTuple):
    """Who has nothing but the link of a mail."""

    api: Api
    token: str
    booking: str

    async def ask(
        self, method: str, path: str, body: object = None, **headers: str
    ) -> httpx.Response:
        link = {"bespeak-booking-link": self.token}
        return await self.api.ask(method, path, body, key="pk", **link, **headers)

    async def change(self, *lines: Json, **fields: object) -> httpx.Response:
        body = {"lines": lines, "instead_of_booking": self.booking, **fields}
        return await self.ask("POST", "/v1/holds", body)


async def way_to(api: Api, booking: Json) -> Way:
    return Way(api, await link_to(api, booking), str(booking["id"]))


async def paying(open_api: OpenApi) -> Api:
    return await open_api(payment_providers="sandbox", allow_pretend_money=True)


async def test_from_the_mail_to_another_stay(open_api: OpenApi, make_show: MakeShow) -> None:
    api = await paying(open_api)
    house = await house_of(api, make_show)
    way = await way_to(api, await paid(api, house, 10, 14))
    held = document(await way.change(nights(house, 12, 16)), 201)
    assert held["owner"] == GUEST
    there = f"/v1/holds/{held['id']}"
    assert document(await way.ask("GET", there), 200)["state"] == "held"
    document(await way.ask("GET", f"{there}/refund-terms"), 200)
    document(await way.ask("POST", f"{there}/extend", {"seconds": 900}), 200)
    problem(await way.ask("GET", f"{there}/booking"), "booking_not_found")
    # Let go, and wanted otherwise.
    assert document(await way.ask("DELETE", there), 200)["state"] == "released"
    held = document(await way.change(nights(house, 11, 16)), 201)
    there = f"/v1/holds/{held['id']}"
    # The bank asks something and gets no answer; then another card is good.
    asked = {"hold_id": held["id"], "payment_token": "tok_challenge"}
    begun = document(await way.ask("POST", "/v1/bookings", asked), 202)
    payment = f"/v1/payments/{cast('Json', begun['payment'])['id']}"
    assert document(await way.ask("GET", payment), 200)["booking_id"] is None
    problem(
        await way.ask("POST", "/v1/bookings", {**asked, "payment_token": "tok_success"}),
        "payment_in_progress",
    )
    await api.connection.execute(
        "update bespeak.payment set state = 'failed', step = null, due_at = null,"
        " ended_at = bespeak.now() where state = 'pending'"
    )
    asked["payment_token"] = "tok_success"
    made = await way.ask("POST", "/v1/bookings", asked, idempotency_key="pay")
    booked = document(made, 201)
    # The answer was lost, and is asked for again.
    again = await way.ask("POST", "/v1/bookings", asked, idempotency_key="pay")
    assert document(again, 201)["id"] == booked["id"]
    gone = document(await way.ask("GET", f"/v1/bookings/{way.booking}"), 200)
    assert (gone["state"], gone["reason"], gone["owner"]) == ("cancelled", "exchanged", GUEST)
    # What took its place has a link of its own, and the old one does not open it.
    found = document(await way.ask("GET", f"{there}/booking"), 200)
    assert found["booking_id"] == booked["id"]
    there = f"/v1/bookings/{booked['id']}"
    problem(await way.ask("GET", there), "booking_link_invalid")
    new = Way(api, str(found["link"]), str(booked["id"]))
    assert document(await new.ask("GET", there), 200)["state"] == "confirmed"
    # It is changed again by that, and not any more by the other.
    problem(await way.change(nights(house, 20, 22)), "booking_cancelled")
    document(await new.change(nights(house, 11, 17)), 201)
    # Once the links of that were ended, the way to it by the old one is closed too.
    document(await api.ask("DELETE", f"{there}/links"), 200)
    old = f"/v1/holds/{held['id']}"
    for method, path, body in (
        ("GET", old, None),
        ("GET", f"{old}/booking", None),
        ("GET", payment, None),
        ("POST", "/v1/bookings", asked),
    ):
        answer = await way.ask(method, path, body, idempotency_key="pay")
        problem(answer, "booking_link_invalid")


async def test_nothing_else_of_its_guest_is_opened(open_api: OpenApi, make_show: MakeShow) -> None:
    api = await paying(open_api)
    house = await house_of(api, make_show)
    booking, other = [await paid(api, house, first, first + 2) for first in (10, 20)]
    way = await way_to(api, booking)
    theirs = document(
        await api.ask(
            "POST",
            "/v1/holds",
            {"owner": GUEST, "lines": [nights(house, 40, 42)], "instead_of_booking": other["id"]},
        ),
        201,
    )
    plain = document(
        await api.ask("POST", "/v1/holds", {"owner": GUEST, "lines": [nights(house, 50, 51)]}), 201
    )
    asked = {"hold_id": theirs["id"], "payment_token": "tok_challenge"}
    begun = document(await api.ask("POST", "/v1/bookings", asked), 202)
    payment = cast("Json", begun["payment"])["id"]
    before = await api.snapshot()
    wanted = [nights(house, 30, 32)]
    for fields in ({"instead_of_booking": None}, {"instead_of_booking": other["id"]}):
        problem(await way.change(*wanted, **fields), "booking_link_invalid")
    problem(await way.ask("POST", "/v1/holds", {"lines": wanted}), "booking_link_invalid")
    problem(await way.change(*wanted, instead_of_booking="bkg_1"), "invalid_id")
    problem(await way.change(*wanted, owner="guest_ben"), "not_owner")
    for hold in (theirs["id"], plain["id"], f"{ids.HOLD}_{'0' * 26}"):
        for method, rest, body in (
            ("GET", "", None),
            ("GET", "/refund-terms", None),
            ("GET", "/booking", None),
            ("POST", "/extend", {"seconds": 60}),
            ("DELETE", "", None),
        ):
            answer = await way.ask(method, f"/v1/holds/{hold}{rest}", body)
            problem(answer, "booking_link_invalid")
        answer = await way.ask("POST", "/v1/bookings", {"hold_id": hold})
        problem(answer, "booking_link_invalid")
    problem(await way.ask("POST", "/v1/bookings", {"hold_id": "hold_1"}), "invalid_id")
    for of in (payment, f"{ids.PAYMENT}_{'0' * 26}"):
        problem(await way.ask("GET", f"/v1/payments/{of}"), "booking_link_invalid")
    # Nor by who is of another workspace, or has a link that was ended, or none.
    await found_acme(api)
    theirs_too = {"lines": wanted, "instead_of_booking": way.booking}
    link = {"bespeak-booking-link": way.token}
    answer = await api.ask("POST", "/v1/holds", theirs_too, key=f"{ACME} pk", **link)
    problem(answer, "resource_not_found")
    there = f"/v1/holds/{theirs['id']}"
    answer = await api.ask("GET", there, key=f"{ACME} pk", **link)
    problem(answer, "booking_link_invalid")
    bad = way._replace(token=way.token[:-2])
    problem(await bad.change(*wanted), "booking_link_invalid")
    document(await api.ask("DELETE", f"/v1/bookings/{way.booking}/links"), 200)
    problem(await way.change(*wanted), "booking_link_invalid")
    after = await api.snapshot()
    for table in ("hold", "booking", "payment", "claim"):
        assert after[table] == before[table], table


async def test_it_changes_what_its_guest_could_change(
    open_api: OpenApi, make_show: MakeShow
) -> None:
    """By the same terms, one at once, also beside the guest; and once its links are ended, what was
    held by one is the guest's alone."""
    api = await paying(open_api)
    house = await house_of(api, make_show)
    way = await way_to(api, await paid(api, house, 10, 12))
    own = {"key": "pk", "bespeak_shopper": api.token(GUEST)}
    body = {"lines": [nights(house, 11, 13)], "instead_of_booking": way.booking}
    first = document(await way.change(nights(house, 10, 13), idempotency_key="k"), 201)
    again = document(await way.change(nights(house, 10, 13), idempotency_key="k"), 201)
    assert first["id"] == again["id"]
    refused = await api.ask("POST", "/v1/holds", body, **own)
    problem(refused, "booking_not_exchangeable", reason="under_way")
    document(await api.ask("DELETE", f"/v1/bookings/{way.booking}/links"), 200)
    there = f"/v1/holds/{first['id']}"
    problem(await way.ask("GET", there), "booking_link_invalid")
    problem(await way.ask("POST", "/v1/bookings", {"hold_id": first["id"]}), "booking_link_invalid")
    assert document(await api.ask("GET", there, **own), 200)["state"] == "held"
    document(await api.ask("DELETE", there, **own), 200)
    fresh = way._replace(token=await link_to(api, {"id": way.booking}))
    document(await fresh.change(nights(house, 11, 13)), 201)
