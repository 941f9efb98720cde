"""What the provider sends, and what our Stripe of the tests answers, held against stripe-mock: it
checks each request by Stripe's own OpenAPI description, and answers with whole examples."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import aiohttp
import msgspec
import pytest

from bespeak.payments.providers.provider import Charge, ProviderUnavailable, StandingState
from bespeak.payments.providers.stripe.objects import Intent, IntentPage, RefundPage, StripeRefund
from bespeak.payments.providers.stripe.provider import Stripe
from tests.conformance.provider_doors import charge_of, new_order, new_refund_id, old_payment_id
from tests.conformance.stripe_door import WEBHOOK_SECRET, StripeDoor, open_stripe_door
from tests.services.conftest import StripeMock
from tests.services.stripe_server import SECRET_KEY

pytestmark = pytest.mark.services

EVER = (datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC))
HEADERS = {"Authorization": f"Bearer {SECRET_KEY}"}


@pytest.fixture
async def door() -> AsyncIterator[StripeDoor]:
    async with open_stripe_door() as door:
        yield door


async def use_all(door: StripeDoor) -> None:
    """Everything that the provider can ask, with every parameter."""
    stripe = door.stripe
    for token in ("pm_card_visa", "pm_card_chargeDeclined", "pm_card_authenticationRequired"):
        await stripe.authorize(new_order(token))
    await stripe.authorize(new_order("pm_card_visa", 500, "JPY", return_url=None, description=""))
    door.server.tokens["ctoken_1"] = "pm_card_visa"
    door.server.tokens["ctoken_2"] = "pm_card_authenticationRequired"
    for script in (False, True):
        door.server.wants_script = script
        await stripe.authorize(new_order("ctoken_2"))
    order = new_order("ctoken_1")
    standing = await stripe.authorize(order)
    await stripe.authorize(order)
    await stripe.capture(charge_of(standing))
    for amount in range(1, 13):
        await stripe.refund(charge_of(standing), new_refund_id(), amount)
    other = await stripe.authorize(new_order("pm_card_visa"))
    await stripe.void(charge_of(other))
    await stripe.lookup(charge_of(standing, by_reference=False))
    for _ in range(101):
        await stripe.authorize(new_order("pm_card_visa"))
    assert len([one async for one in stripe.charges(*EVER)]) == 109


async def test_every_request_is_well_formed_and_every_answer_is_as_stripes(
    door: StripeDoor, stripe_mock: StripeMock
) -> None:
    """Each distinct request is sent to both; what one has in its answer, the other has too."""
    await use_all(door)
    forms: dict[tuple[object, ...], tuple[str, str, dict[str, Any], dict[str, Any]]] = {
        (method, path, *sorted(flat(form))): (method, path, form, body)
        for method, path, form, status, body in door.server.answers
        if status == 200
    }
    asked = [(method, path) for method, path, _, _ in forms.values()]
    kinds = {(method, "/".join(path.split("/")[:3])) for method, path in asked}
    assert kinds == {
        ("POST", "/v1/payment_intents"),
        ("GET", "/v1/payment_intents"),
        ("POST", "/v1/refunds"),
        ("GET", "/v1/refunds"),
    }
    assert any(path.endswith("/capture") for _, path in asked)
    assert any(path.endswith("/cancel") for _, path in asked)
    async with aiohttp.ClientSession(stripe_mock.url, headers=HEADERS) as session:
        for method, path, form, ours in forms.values():
            status, theirs = await ask(session, method, path, form)
            assert status == 200, (method, path, form, theirs)
            assert invented(ours, theirs) == [], (method, path)


def test_an_invented_answer_would_be_seen() -> None:
    """The control of the comparison."""
    assert invented({"a": [{"id": 1}]}, {"a": [{"id": "pi_1"}]}) == [".a[].id: int and str"]
    assert invented({"a": {"b": 1, "c": 2}}, {"a": {"b": 1}}) == [".a.c"]


@pytest.mark.parametrize(
    "change",
    [
        {"amount": "12.50"},
        {"amount": None},
        {"currency": None},
        {"capture_method": "by_hand"},
        {"confirm": "perhaps"},
        {"surprise": "1"},
        {"metadata": "text"},
        {"automatic_payment_methods": {"enabled": "true", "allow_redirects": "sometimes"}},
    ],
)
async def test_a_malformed_request_would_be_seen(
    door: StripeDoor, stripe_mock: StripeMock, change: dict[str, Any]
) -> None:
    """The control: stripe-mock does refuse what is not as it should be."""
    await door.stripe.authorize(new_order("pm_card_visa"))
    ((method, path, good),) = door.server.requests
    form = {name: value for name, value in {**good, **change}.items() if value is not None}
    async with aiohttp.ClientSession(stripe_mock.url, headers=HEADERS) as session:
        assert (await ask(session, method, path, good))[0] == 200
        status, answer = await ask(session, method, path, form)
    assert status == 400, answer


async def test_stripes_examples_are_read(stripe_mock: StripeMock) -> None:
    expand = {"expand": ["latest_charge.refunds"]}
    reads: list[tuple[str, str, dict[str, Any], type]] = [
        ("GET", "/v1/payment_intents/pi_1", expand, Intent),
        ("GET", "/v1/payment_intents", {"expand": ["data.latest_charge.refunds"]}, IntentPage),
        ("POST", "/v1/payment_intents/pi_1/capture", {}, Intent),
        ("GET", "/v1/payment_intents/search", {"query": "metadata['a']:'b'"}, IntentPage),
        ("GET", "/v1/refunds", {"payment_intent": "pi_1"}, RefundPage),
        ("POST", "/v1/refunds", {"payment_intent": "pi_1", "amount": "1"}, StripeRefund),
    ]
    async with aiohttp.ClientSession(stripe_mock.url, headers=HEADERS) as session:
        for method, path, form, kind in reads:
            status, answer = await ask(session, method, path, form)
            assert status == 200
            assert isinstance(msgspec.convert(answer, kind), kind)


async def test_the_provider_speaks_with_stripe_mock(stripe_mock: StripeMock) -> None:
    """It keeps no state, so that the answers are examples; but none is an error."""
    stripe = Stripe(SECRET_KEY, WEBHOOK_SECRET, api_base=stripe_mock.url)
    try:
        order = new_order("pm_card_visa", 1250, "EUR")
        standing = await stripe.authorize(order)
        assert (standing.payment_id, standing.amount) == (order.payment_id, order.amount)
        assert standing.reference and standing.reference.startswith("pi_")
        assert isinstance(standing.state, StandingState)
        charge = charge_of(standing)
        assert (await stripe.capture(charge)).reference
        assert (await stripe.void(charge)).reference
        # The example is a payment of nobody's.
        assert (
            await stripe.lookup(Charge(payment_id=old_payment_id(1), amount=order.amount)) is None
        )
        assert [one async for one in stripe.charges(*EVER)] == []
    finally:
        await stripe.close()


async def test_a_key_that_is_none_is_told(stripe_mock: StripeMock) -> None:
    other = Stripe("sk_live_other", WEBHOOK_SECRET, api_base=stripe_mock.url)
    try:
        with pytest.raises(ProviderUnavailable) as told:
            await other.authorize(new_order("pm_card_visa"))
    finally:
        await other.close()
    assert told.value.code == "provider_key_refused"


async def ask(
    session: aiohttp.ClientSession, method: str, path: str, form: dict[str, Any]
) -> tuple[int, Any]:
    query, data = (flat(form), None) if method == "GET" else (None, flat(form))
    async with session.request(method, path, params=query, data=data) as answer:
        return answer.status, await answer.json()


def flat(form: dict[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """The parameters as a form has them: `metadata[a]=b`, `expand[0]=c`."""
    pairs: list[tuple[str, str]] = []
    for name, value in form.items():
        whole = f"{prefix}[{name}]" if prefix else str(name)
        inner = dict(enumerate(value)) if isinstance(value, list) else value
        pairs += flat(inner, whole) if isinstance(inner, dict) else [(whole, str(inner))]
    return pairs


def invented(ours: Any, theirs: Any, place: str = "") -> list[str]:
    """What our Stripe has in an answer and the real one has not, or has as another kind of thing.
    Where one of both is null or empty, nothing is said."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        if place.endswith(("metadata", "next_action", "last_payment_error")):
            return []
        found = [f"{place}.{name}" for name in ours.keys() - theirs.keys()]
        for name in ours.keys() & theirs.keys():
            found += invented(ours[name], theirs[name], f"{place}.{name}")
        return found
    if isinstance(ours, list) and isinstance(theirs, list):
        return invented(ours[0], theirs[0], f"{place}[]") if ours and theirs else []
    if ours is None or theirs is None or type(ours) is type(theirs):
        return []
    return [f"{place}: {type(ours).__name__} and {type(theirs).__name__}"]
