"""Paying over HTTP: what each outcome of a payment is answered with, who may pay and read, and what
callbacks do. The refusals are in refused_payments.
"""

import asyncio
from collections.abc import AsyncIterator

import msgspec
import pytest

from bespeak import Resource
from bespeak.inventory import resources
from bespeak.inventory.resources import Price
from tests.harness import database
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.paying import assert_money_agrees
from tests.harness.shows import new_show
from tests.http.api import SETTINGS, Api, Json, Request, document, opened, problem, until
from tests.http.conftest import OpenApi
from tests.http.outage import Wire
from tests.http.refused_payments import DOOR, bank, callback, paying

OTHER = "https://shop.example/thanks?cart=7"


@pytest.fixture
async def api(open_api: OpenApi) -> Api:
    """The API with the sandbox."""
    return await open_api(payment_providers="sandbox", allow_pretend_money=True)


@pytest.fixture
async def play(connection: Connection) -> AsyncIterator[Resource]:
    """A show that must be paid: 15.00 EUR a seat. Afterwards money and inventory agree."""
    yield await resources.create(connection, new_show(payment="required", price=Price(1500, "EUR")))
    assert await database.problems(connection) == []
    await assert_money_agrees(connection)


def payment_in(answer: Json) -> Json:
    payment = answer["payment"]
    assert isinstance(payment, dict)
    return payment


async def read(api: Api, payment: Json) -> Json:
    return await api.get(f"/v1/payments/{payment['id']}")


async def ended(api: Api, payment: Json, state: str) -> Json:
    """The payment, once it is in this state."""

    async def is_there() -> bool:
        return payment_in(await read(api, payment))["state"] == state

    await until(is_there)
    return await read(api, payment)


async def pay(api: Api, play: Resource, unit: str, *, status: int, **fields: object) -> Json:
    """Holds a seat and pays for it."""
    hold = await api.hold(play, unit)
    return document(await api.send(paying(hold, **fields)), status)  # type: ignore[arg-type]


async def test_what_is_paid_is_booked(api: Api, play: Resource) -> None:
    hold = await api.hold(play, "A1", "A2")
    contact = {"email": "asha@example.org", "name": "Asha", "locale": "de"}
    booking = document(await api.send(paying(hold, contact=contact)), 201)
    assert (booking["state"], booking["hold_id"]) == ("confirmed", hold["id"])
    assert booking["amount"] == {"amount": 3000, "currency": "EUR"}
    payment = payment_in(booking)
    assert payment["state"] == "authorized" and payment["provider"] == "sandbox"
    assert payment["amount"] == booking["amount"] and payment["owner"] == "asha"
    after = await ended(api, payment, "captured")
    assert after["booking_id"] == booking["id"]
    assert payment_in(after)["captured_at"] is not None
    again = await api.get(f"/v1/bookings/{booking['id']}")
    assert again["payment"] == after["payment"]
    told = await api.connection.fetchval("select contact::text from bespeak.payment")
    assert "asha@example.org" in told


async def test_no_part_of_an_answer_has_the_token(api: Api, play: Resource) -> None:
    hold = await api.hold(play, "A1")
    answer = await api.send(paying(hold, "tok_challenge", contact={"email": "a@b.example"}))
    assert "tok_" not in answer.text and "a@b.example" not in answer.text
    payment = payment_in(document(answer, 202))
    text = (await api.ask("GET", f"/v1/payments/{payment['id']}")).text
    assert "tok_" not in text and "fingerprint" not in text and "reference" not in text


async def test_the_price_is_nobodys_to_tell(api: Api, play: Resource) -> None:
    hold = await api.hold(play, "A1")
    for field in ("amount", "price", "currency"):
        request = paying(hold, **{field: 1})  # type: ignore[arg-type]
        problem(await api.send(request), "invalid_request")
    assert (await api.get(f"/v1/holds/{hold['id']}"))["state"] == "held"


@pytest.mark.parametrize(
    ("token", "failure"),
    [
        ("tok_declined", "declined"),
        ("tok_insufficient_funds", "insufficient_funds"),
        ("tok_expired_card", "expired_card"),
    ],
)
async def test_what_is_declined_may_be_paid_otherwise(
    api: Api, play: Resource, token: str, failure: str
) -> None:
    hold = await api.hold(play, "A1")
    found = problem(await api.send(paying(hold, token)), "payment_declined", failure=failure)
    payment = payment_in(await api.get(f"/v1/payments/{found['payment_id']}"))
    assert (payment["state"], payment["failure"]) == ("failed", failure)
    assert (await api.get(f"/v1/holds/{hold['id']}"))["state"] == "held"
    booking = document(await api.send(paying(hold)), 201)
    await ended(api, payment_in(booking), "captured")


async def test_a_challenge_is_accepted_and_then_decided(api: Api, play: Resource) -> None:
    answer = await pay(api, play, "A1", status=202, token="tok_challenge", return_url=OTHER)
    assert set(answer) == {"payment"}
    payment = payment_in(answer)
    assert payment["state"] == "pending"
    assert str(payment["action_url"]).startswith("http")
    found = await read(api, payment)
    assert (found["payment"], found["booking_id"]) == (payment, None)
    await bank(api).decide(str(payment["id"]), approve=True)
    assert document(await api.send(callback(api, payment)), 200) == {
        "outcome": "settled",
        "repeated": False,
    }
    after = await ended(api, payment, "captured")
    assert str(after["booking_id"]).removeprefix("bkg_") == str(payment["hold_id"]).removeprefix(
        "hold_"
    )
    assert payment_in(after)["action_url"] is None


async def test_a_challenge_that_the_buyer_declines(api: Api, play: Resource) -> None:
    hold = await api.hold(play, "A1")
    request = paying(hold, "tok_challenge", "order-1")
    payment = payment_in(document(await api.send(request), 202))
    await bank(api).decide(str(payment["id"]), approve=False)
    problem(await api.send(request), "payment_declined", failure="challenge_declined")
    document(await api.send(paying(hold, key="order-2")), 201)


async def test_a_repeat_is_the_same_payment(api: Api, play: Resource) -> None:
    hold = await api.hold(play, "A1")
    request = paying(hold, key="order-1")
    first = await api.send(request)
    booking = document(first, 201)
    assert "idempotent-replayed" not in first.headers
    await ended(api, payment_in(booking), "captured")
    again = await api.send(request)
    assert again.headers["idempotent-replayed"] == "true"
    after = document(again, 201)
    assert after["id"] == booking["id"]
    assert payment_in(after)["id"] == payment_in(booking)["id"]
    assert await api.connection.fetchval("select count(*) from bespeak.payment") == 1
    for changed in (
        paying(hold, "tok_declined", "order-1"),
        paying(hold, key="order-1", return_url=OTHER),
        paying(hold, key="order-1", contact={"email": "a@b.example"}),
    ):
        found = problem(await api.send(changed), "idempotency_key_reused")
        assert found["fields"]


async def test_twins_in_flight_are_one_payment(api: Api, play: Resource) -> None:
    hold = await api.hold(play, "A1")
    answers = await asyncio.gather(*(api.send(paying(hold, key="order-1")) for _ in range(4)))
    assert {answer.status_code for answer in answers} == {201}
    ids = {payment_in(answer.json())["id"] for answer in answers}
    assert len(ids) == 1
    replayed = [answer.headers.get("idempotent-replayed") for answer in answers]
    assert sorted(map(str, replayed)) == ["None", "true", "true", "true"]
    await ended(api, payment_in(answers[0].json()), "captured")


async def test_rivals_for_one_hold_pay_once(api: Api, play: Resource) -> None:
    hold = await api.hold(play, "A1")
    answers = await asyncio.gather(*(api.send(paying(hold)) for _ in range(4)))
    good = [answer for answer in answers if answer.status_code == 201]
    assert len(good) == 1
    for answer in answers:
        if answer is not good[0]:
            assert answer.json()["code"] in ("payment_in_progress", "hold_confirmed")
    await ended(api, payment_in(good[0].json()), "captured")


async def test_what_ended_is_not_paid_any_more(
    api: Api, play: Resource, moved_clock: Clock
) -> None:
    released, expired = await api.hold(play, "A1"), await api.hold(play, "A2", hold_seconds=60)
    document(await api.ask("DELETE", f"/v1/holds/{released['id']}"), 200)
    await moved_clock.advance(60)
    problem(await api.send(paying(released)), "hold_released")
    problem(await api.send(paying(expired)), "hold_expired")
    assert await api.connection.fetchval("select count(*) from bespeak.payment") == 0


async def test_a_payment_keeps_its_hold(api: Api, play: Resource, moved_clock: Clock) -> None:
    hold = await api.hold(play, "A1", hold_seconds=60)
    payment = payment_in(document(await api.send(paying(hold, "tok_challenge")), 202))
    await moved_clock.advance(300)
    kept = await api.get(f"/v1/holds/{hold['id']}")
    assert (kept["state"], kept["expires_at"]) == ("held", payment["window_ends_at"])


async def test_money_that_comes_late_goes_back(
    api: Api, play: Resource, moved_clock: Clock
) -> None:
    hold = await api.hold(play, "A1", hold_seconds=60)
    request = paying(hold, "tok_challenge", "order-1")
    payment = payment_in(document(await api.send(request), 202))
    await moved_clock.advance(3600)
    await api.hold(play, "A1", owner="ben")
    await bank(api).decide(str(payment["id"]), approve=True)
    document(await api.send(callback(api, payment)), 200)
    after = payment_in(await ended(api, payment, "voided"))
    assert after["late"] == "refund"
    problem(await api.send(request), "money_returned", payment_id=payment["id"])


async def test_what_costs_nothing_needs_no_payment(api: Api, show: Resource) -> None:
    hold = await api.hold(show, "A1")
    booking = document(await api.send(paying(hold)), 201)
    assert booking["payment"] is None
    assert await api.connection.fetchval("select count(*) from bespeak.payment") == 0


@pytest.mark.parametrize("token", [None, "tok_visa", "tok_nonsense"])
async def test_a_shopper_confirms_nothing_unpaid(
    token: str | None, api: Api, connection: Connection
) -> None:
    """Of a resource without a rule a server says that it is paid, and never the browser."""
    show = await resources.create(connection, new_show(price=Price(1500, "EUR")))
    shopper = {"Bespeak-Shopper": api.token("asha")}
    hold = await api.hold(show, "A1", owner="asha")
    body = {"hold_id": hold["id"], **({"payment_token": token} if token else {})}
    before = await api.snapshot()
    for key in (None, "once"):
        headers = {**shopper, **({"Idempotency-Key": key} if key else {})}
        answer = await api.send(Request("POST", "/v1/bookings", body, "pk", headers))
        problem(answer, "payment_required")
    assert await api.snapshot() == before
    # What costs nothing is anybody's, and the server may sell it.
    free = await resources.create(connection, new_show())
    other = await api.hold(free, "A1", owner="asha")
    request = Request("POST", "/v1/bookings", {"hold_id": other["id"]}, "pk", shopper)
    document(await api.send(request), 201)
    document(await api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]}), 201)
    # It is the shopper's booking then, and its repeat is told so.
    problem(await api.send(Request("POST", "/v1/bookings", body, "pk", shopper)), "hold_confirmed")
    assert await database.problems(connection) == []


async def test_what_is_paid_at_the_venue_is_confirmed_by_anybody(
    api: Api, connection: Connection
) -> None:
    venue = new_show(payment="at_venue", price=Price(1500, "EUR"))
    there, here = [
        await resources.create(connection, new)
        for new in (venue, new_show(price=Price(1500, "EUR")))
    ]
    shopper = {"Bespeak-Shopper": api.token("asha")}
    hold = await api.hold(there, "A1", owner="asha")
    request = Request("POST", "/v1/bookings", {"hold_id": hold["id"]}, "pk", shopper)
    booked = document(await api.send(request), 201)
    assert booked["amount"] == {"amount": 1500, "currency": "EUR"}
    # Beside something else it opens no way round.
    lines = [{"resource_id": one.id, "unit": "A2"} for one in (there, here)]
    mixed = document(await api.ask("POST", "/v1/holds", {"owner": "asha", "lines": lines}), 201)
    request = Request("POST", "/v1/bookings", {"hold_id": mixed["id"]}, "pk", shopper)
    problem(await api.send(request), "payment_required")


async def test_without_a_provider_nothing_that_costs_is_sold(
    open_api: OpenApi, play: Resource
) -> None:
    bare = await open_api()
    hold = await bare.hold(play, "A1")
    problem(await bare.send(paying(hold)), "provider_unknown", providers=[])
    problem(await bare.ask("POST", "/v1/bookings", {"hold_id": hold["id"]}), "payment_required")
    assert (await bare.get(f"/v1/holds/{hold['id']}"))["state"] == "held"


async def test_a_shopper_pays_its_own_hold_only(api: Api, play: Resource) -> None:
    hold = await api.hold(play, "A1", owner="asha")

    def by(owner: str) -> Request:
        headers = {"Bespeak-Shopper": api.token(owner)}
        return Request("POST", "/v1/bookings", paying(hold).body, "pk", headers)

    problem(await api.send(by("ben")), "not_owner")
    problem(
        await api.send(Request("POST", "/v1/bookings", paying(hold).body, "pk")),
        "shopper_token_invalid",
    )
    assert await api.connection.fetchval("select count(*) from bespeak.payment") == 0
    booking = document(await api.send(by("asha")), 201)
    payment = payment_in(booking)
    path = f"/v1/payments/{payment['id']}"
    own = {"Bespeak-Shopper": api.token("asha")}
    assert document(await api.send(Request("GET", path, None, "pk", own)), 200)["payment"]
    problem(await api.ask("GET", path, key="pk"), "shopper_token_invalid")
    await ended(api, payment, "captured")


async def test_a_server_names_the_owner(api: Api, play: Resource) -> None:
    hold = await api.hold(play, "A1", owner="ben")
    body = paying(hold).body
    problem(await api.ask("POST", "/v1/bookings", body, Bespeak_Owner="asha"), "not_owner")
    booking = document(await api.ask("POST", "/v1/bookings", body, Bespeak_Owner="ben"), 201)
    payment = payment_in(booking)
    path = f"/v1/payments/{payment['id']}"
    problem(await api.ask("GET", path, Bespeak_Owner="asha"), "not_owner")
    document(await api.ask("GET", path, Bespeak_Owner="ben"), 200)
    await ended(api, payment, "captured")


async def test_a_token_of_one_buyer_is_no_others(api: Api, play: Resource) -> None:
    made = document(await api.ask("POST", "/sandbox/tokens", {"owner": "ben"}), 201)
    hold = await api.hold(play, "A1", owner="asha")
    problem(await api.send(paying(hold, str(made["token"]))), "payment_declined")
    assert (await api.get(f"/v1/holds/{hold['id']}"))["state"] == "held"


async def test_a_payment_has_a_head(api: Api, play: Resource) -> None:
    payment = payment_in(await pay(api, play, "A1", status=202, token="tok_challenge"))
    answer = await api.ask("HEAD", f"/v1/payments/{payment['id']}")
    assert (answer.status_code, answer.content) == (200, b"")
    assert int(answer.headers["content-length"]) > 100
    refused = await api.ask("HEAD", DOOR, key=None)
    assert (refused.status_code, refused.content) == (405, b"")


async def test_a_callback_is_taken_once(api: Api, play: Resource) -> None:
    payment = payment_in(await pay(api, play, "A1", status=202, token="tok_challenge"))
    await bank(api).decide(str(payment["id"]), approve=True)
    request = callback(api, payment)
    first = document(await api.send(request), 200)
    await ended(api, payment, "captured")
    before = await api.snapshot()
    again = document(await api.send(request), 200)
    assert (first["repeated"], again["repeated"], again["outcome"]) == (False, True, "settled")
    assert await api.snapshot() == before


async def test_a_callback_about_nothing_of_ours(api: Api) -> None:
    unknown: Json = {"id": "pay_" + "0" * 26, "amount": {"amount": 1, "currency": "EUR"}}
    for repeated in (False, True):
        answer = document(await api.send(callback(api, unknown)), 200)
        assert answer == {"outcome": "unknown", "repeated": repeated}


async def test_a_key_does_not_open_the_door_of_callbacks(api: Api) -> None:
    for key in ("pk", "sk", "ak"):
        problem(await api.ask("POST", DOOR, {}, key=key), "callback_invalid")


async def test_a_callback_of_an_absent_bank_is_asked_for_again(api: Api, play: Resource) -> None:
    payment = payment_in(await pay(api, play, "A1", status=202, token="tok_challenge"))
    await bank(api).decide(str(payment["id"]), approve=True)
    bank(api).is_away = True
    problem(await api.send(callback(api, payment)), "provider_unavailable")
    assert payment_in(await read(api, payment))["state"] == "pending"
    bank(api).is_away = False
    assert document(await api.send(callback(api, payment)), 200)["repeated"] is False
    await ended(api, payment, "captured")


async def test_a_callback_without_a_database_is_asked_for_again(
    play: Resource, wire: Wire, connection: Connection
) -> None:
    settings = msgspec.structs.replace(
        SETTINGS, payment_providers="sandbox", allow_pretend_money=True
    )
    async with opened(settings, wire.url, connection) as api:
        payment = payment_in(await pay(api, play, "A1", status=202, token="tok_challenge"))
        await wire.cut()
        problem(await api.send(callback(api, payment)), "database_unavailable")
