"""Who changes a stay types nothing of who they are: the contact goes along, told to nobody."""

from typing import cast

import pytest

from bespeak import NightsPlan
from tests.harness.shows import MakeShow
from tests.http.api import Api, Json, Request, document
from tests.http.conftest import OpenApi
from tests.http.test_booking_links import GUEST, link_to, path_to
from tests.http.test_budgets import ON
from tests.http.test_change_links import Way, house_of, nights, paying, way_to

ASHA: Json = {"email": "asha@example.org", "name": "Asha Rao", "locale": "de-AT"}
PHONE: Json = {"phone": "+43 1 234567"}


async def contact_of(api: Api, booking: Json) -> object:
    return document(await api.ask("GET", path_to(booking, "/contact")), 200)["contact"]


@pytest.mark.parametrize("token", ["tok_success", None], ids=["paid", "free"])
async def test_who_changes_a_stay_by_a_link_types_nothing(
    open_api: OpenApi, make_show: MakeShow, token: str | None
) -> None:
    api = await paying(open_api)
    rule = "at_venue" if token is None else "required"
    house = await house_of(api, make_show, payment=rule)
    hold = document(
        await api.ask("POST", "/v1/holds", {"owner": GUEST, "lines": [nights(house, 10, 12)]}), 201
    )
    bought = {"hold_id": hold["id"], "payment_token": token, "contact": ASHA | PHONE}
    way = await way_to(api, document(await api.ask("POST", "/v1/bookings", bought), 201))
    held = document(await way.change(nights(house, 11, 13)), 201)
    asked = {"hold_id": held["id"], "payment_token": token}
    made = [await way.ask("POST", "/v1/bookings", asked, idempotency_key="pay") for _ in range(2)]
    # The second is the repeat after a lost answer.
    first, again = (document(one, 201) for one in made)
    assert first["id"] == again["id"]
    assert await contact_of(api, first) == ASHA | PHONE
    for answer in made:
        for text in ("asha@", "Asha", "234567"):
            assert text not in answer.text
    new = Way(api, await link_to(api, first), str(first["id"]))
    held = document(await new.change(nights(house, 12, 14)), 201)
    asked = {"hold_id": held["id"], "payment_token": token, "contact": {"name": "Ben"}}
    last = document(await new.ask("POST", "/v1/bookings", asked), 201)
    assert await contact_of(api, last) == {"name": "Ben"}


async def test_who_changes_again_and_again_floods_no_mailbox(
    open_api: OpenApi, make_show: MakeShow
) -> None:
    """Each change has a mail sent to the address that goes along."""
    api = await open_api(**ON)
    house = await make_show(
        plan=NightsPlan(rooms=("101",)), payment="none", time_zone="Europe/Lisbon"
    )
    headers = {"Bespeak-Shopper": api.token(GUEST)}

    async def ask(path: str, body: Json) -> Json:
        return cast("Json", (await api.send(Request("POST", path, body, "pk", headers))).json())

    booking: object = None
    codes = []
    for number in range(12):
        lines = [nights(house, 10 + number % 2, 12)]
        held = await ask("/v1/holds", {"lines": lines, "instead_of_booking": booking})
        contact = ASHA if booking is None else None
        made = await ask("/v1/bookings", {"hold_id": held["id"], "contact": contact})
        codes.append(made.get("code") if "state" not in made else "booked")
        booking = made["id"] if "state" in made else booking
        if codes[-1] != "booked":
            break
    assert codes == ["booked"] * 10 + ["budget_spent"]
