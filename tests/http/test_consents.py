"""Consent to the merchant's terms: asked of shoppers, written down before anything is booked, found
again; and the rules of orders by country.
"""

from typing import cast

import pytest

from bespeak import Resource
from bespeak.inventory.resources import Price
from bespeak.merchants.order_rules import (
    EUROPEAN_ECONOMIC_AREA,
    EUROPEAN_UNION,
    OrderRules,
    order_rules,
)
from bespeak.merchants.profile import LegalText, MerchantProfile
from tests.harness.paying import PRICE
from tests.harness.shows import MakeShow
from tests.http.api import Api, Json, Request, document, problem
from tests.http.test_payments import api as api  # noqa: PLC0414
from tests.http.test_personal_data import work
from tests.http.workspaces import ACME, found_acme

TERMS: Json = {"texts": {"en": "We sell tickets."}, "edition": "1"}


@pytest.fixture
async def show(make_show: MakeShow) -> Resource:
    return await make_show()


async def say_terms(api: Api, terms: Json | None = TERMS, key: str = "ak") -> str | None:
    """Has the merchant say its terms; the digest that shoppers are to accept."""
    made = document(await api.ask("PATCH", "/v1/merchant", {"terms": terms}, key=key), 200)
    digest = cast("Json", made["ordering"])["terms"]
    assert digest is None or isinstance(digest, str)
    return digest


def confirming(
    api: Api, hold: Json, consent: str | None = None, owner: str = "asha", **fields: object
) -> Request:
    """A shopper's confirmation."""
    body: Json = {"hold_id": hold["id"], "consent": consent, **fields}
    return Request("POST", "/v1/bookings", body, "pk", {"Bespeak-Shopper": api.token(owner)})


async def consents(api: Api, booking: Json) -> list[Json]:
    found = await api.get(f"/v1/bookings/{booking['id']}/consents")
    return cast("list[Json]", found["items"])


async def kept(api: Api) -> int:
    return int(await api.connection.fetchval("select count(*) from bespeak.consent"))


async def test_without_consent_nothing_is_booked_or_paid(api: Api, make_show: MakeShow) -> None:
    digest = await say_terms(api)
    free = await api.hold(await make_show(), "A1")
    paid_show = await make_show(payment="required", price=Price(PRICE, "EUR"))
    paid = await api.hold(paid_show, "A1")
    for wrong in (None, "0" * 32):
        problem(await api.send(confirming(api, free, wrong)), "consent_required", terms=digest)
        asked = confirming(api, paid, wrong, payment_token="tok_success")
        problem(await api.send(asked), "consent_required", terms=digest)
    for table in ("booking", "payment", "consent"):
        assert await api.connection.fetchval(f"select count(*) from bespeak.{table}") == 0
    assert (await api.get(f"/v1/holds/{free['id']}"))["state"] == "held"


async def test_who_accepts_books_and_it_is_written_down(api: Api, make_show: MakeShow) -> None:
    digest = await say_terms(api)
    paid_show = await make_show(payment="required", price=Price(PRICE, "EUR"))
    for show, token in ((await make_show(), None), (paid_show, "tok_success")):
        hold = await api.hold(show, "A1")
        asked = confirming(api, hold, digest, payment_token=token)
        booking = document(await api.send(asked), 201)
        (consent,) = await consents(api, booking)
        assert (consent["terms"], consent["edition"]) == (digest, "1")
        assert str(consent["consented_at"]) <= str(booking["confirmed_at"])
        path = f"/v1/bookings/{booking['id']}/consents"
        own = Request("GET", path, None, "pk", {"Bespeak-Shopper": api.token("asha")})
        assert document(await api.send(own), 200)["items"] == [consent]
        other = Request("GET", path, None, "pk", {"Bespeak-Shopper": api.token("bela")})
        problem(await api.send(other), "not_owner")


async def test_servers_answer_for_themselves(api: Api, show: Resource) -> None:
    await say_terms(api)
    booking = await api.booking(show, "A1")
    assert await consents(api, booking) == []


async def test_without_terms_nobody_is_asked(api: Api, show: Resource) -> None:
    hold = await api.hold(show, "A1")
    booking = document(await api.send(confirming(api, hold)), 201)
    assert await consents(api, booking) == []


async def test_what_was_accepted_can_be_read_when_there_are_other_terms(
    api: Api, show: Resource
) -> None:
    first = await say_terms(api)
    hold = await api.hold(show, "A1")
    booking = document(await api.send(confirming(api, hold, first)), 201)
    second = await say_terms(api, {"texts": {"en": "We sell more."}, "edition": "2"})
    assert second != first
    other = await api.hold(show, "A2")
    problem(await api.send(confirming(api, other, first)), "consent_required", terms=second)
    await say_terms(api, None)
    (consent,) = await consents(api, booking)
    answer = await api.ask("GET", f"/v1/merchant/terms/{consent['terms']}", key=None)
    assert document(answer, 200) == {"terms": TERMS, "privacy": None}


async def test_a_repeat_is_answered_whatever_the_terms_are_by_then(
    api: Api, show: Resource
) -> None:
    """The reply was lost, and the merchant has other terms when the page asks again."""
    first = await say_terms(api)
    hold = await api.hold(show, "A1")
    asked = confirming(api, hold, first)
    keyed = Request(
        asked.method, asked.path, asked.body, "pk", {**asked.headers, "Idempotency-Key": "k"}
    )
    booking = document(await api.send(keyed), 201)
    await say_terms(api, {"texts": {"en": "We sell more."}})
    again = document(await api.send(keyed), 201)
    assert again["id"] == booking["id"]
    problem(await api.send(asked), "hold_confirmed")
    assert await kept(api) == 1


async def test_who_accepted_what_was_current_then_may_try_another_card(
    api: Api, make_show: MakeShow
) -> None:
    first = await say_terms(api)
    show = await make_show(payment="required", price=Price(PRICE, "EUR"))
    hold = await api.hold(show, "A1")
    declined = confirming(api, hold, first, payment_token="tok_declined")
    problem(await api.send(declined), "payment_declined")
    await say_terms(api, {"texts": {"en": "We sell more."}})
    paid = confirming(api, hold, first, payment_token="tok_success")
    document(await api.send(paid), 201)


async def test_nobody_accepts_for_another(api: Api, show: Resource) -> None:
    digest = await say_terms(api)
    hold = await api.hold(show, "A1", owner="asha")
    problem(await api.send(confirming(api, hold, digest, owner="bela")), "not_owner")
    assert await kept(api) == 0
    problem(await api.send(confirming(api, hold, None, owner="bela")), "not_owner")


async def test_the_terms_are_those_of_the_workspace(api: Api, show: Resource) -> None:
    await found_acme(api)
    await say_terms(api, key=f"{ACME} ak")
    hold = await api.hold(show, "A1")
    document(await api.send(confirming(api, hold)), 201)


async def test_consents_are_exported_and_erased(api: Api, show: Resource) -> None:
    digest = await say_terms(api)
    hold = await api.hold(show, "A1")
    document(await api.send(confirming(api, hold, digest)), 201)
    (item,) = cast("list[Json]", (await api.get("/v1/personal-data?owner=asha"))["items"])
    assert [one["terms"] for one in cast("list[Json]", item["consents"])] == [digest]
    erasure = {"owner": "asha", "including_upcoming": True}
    document(await api.ask("POST", "/v1/erasures", erasure), 202)
    await work(api)
    assert await kept(api) == 0


async def test_the_digest_is_that_of_every_word(api: Api) -> None:
    digests = [
        await say_terms(api, {**TERMS, **changed})
        for changed in ({}, {"edition": "2"}, {"texts": {"en": "We sell ticket."}})
    ]
    assert len(set(digests)) == 3
    before = await say_terms(api)
    assert before == digests[0]
    privacy: Json = {"privacy": {"url": "https://a.example"}}
    made = document(await api.ask("PATCH", "/v1/merchant", privacy, key="ak"), 200)
    assert cast("Json", made["ordering"])["terms"] != before


def rules(country: str | None, terms: LegalText | None = None) -> OrderRules:
    return order_rules(MerchantProfile(country=country, terms=terms))


def test_the_rules_are_those_of_the_country() -> None:
    terms = LegalText(url="https://a.example")
    for country in sorted(EUROPEAN_ECONOMIC_AREA | {"GB"}):
        found = rules(country, terms)
        assert (found.button, found.consent) == ("obligation_to_pay", "checkbox")
        assert found.tells_no_withdrawal
    for other in ("US", "IN", "CH", "EG", None):
        found = rules(other, terms)
        assert (found.button, found.consent) == ("pay", "sentence")
        assert not found.tells_no_withdrawal
    assert rules("DE").consent == "none"


def test_the_union_has_its_members() -> None:
    assert len(EUROPEAN_UNION) == 27
    assert "GB" not in EUROPEAN_UNION
