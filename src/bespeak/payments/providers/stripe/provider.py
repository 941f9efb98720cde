"""The provider over Stripe: PaymentIntents that are captured by hand. Stripe's state is the truth
in every answer: what an idempotency key replays is old news, and is looked up again.

Keys and tokens are in no log and no error of ours: the library's own log is kept to warnings, and
Stripe's messages, which quote them, are dropped for Stripe's codes.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

import aiohttp
import msgspec
import stripe

from bespeak import ids
from bespeak.money import Money
from bespeak.payments.providers.provider import (
    Callback,
    Charge,
    Order,
    PaymentForm,
    PaymentProvider,
    ProviderRefused,
    ProviderUnavailable,
    RefundState,
    Standing,
    StandingState,
)
from bespeak.payments.providers.stripe.amounts import amount_for_stripe
from bespeak.payments.providers.stripe.callbacks import read_event
from bespeak.payments.providers.stripe.failures import (
    body_of,
    is_missing,
    is_replayed,
    tell_of_unknown_token,
    token_failure,
    told_in_our_words,
)
from bespeak.payments.providers.stripe.keys import (
    checked_api_base,
    checked_key,
    checked_publishable_key,
    checked_webhook_secret,
    mode_of,
)
from bespeak.payments.providers.stripe.objects import (
    PAYMENT_ID,
    REFUND_ID,
    Intent,
    IntentPage,
    RefundPage,
    StripeCharge,
    StripeRefund,
)
from bespeak.payments.providers.stripe.orders import EXPAND, params_of
from bespeak.payments.providers.stripe.standings import refund_state, standing_of
from bespeak.payments.providers.stripe.turns import Turns

if TYPE_CHECKING:
    from stripe.params import (
        PaymentIntentListParams,
        PaymentIntentListParamsCreated,
        PaymentIntentSearchParams,
        RefundCreateParams,
        RefundListParams,
    )

_TIMEOUT_SECONDS: Final = 20.0
_PAGE: Final = 100

# Stripe forgets an idempotency key a day after it was used; before that it is trusted no more.
_KEY_TRUSTED_FOR: Final = timedelta(hours=20)

# Payments in doubt, whose reference is not known, are asked about at this pace, however many they
# are. Stripe allows an account 20 searches a second, and one that is being tested 25 calls.
_DOUBTS_PER_SECOND: Final = 5
_DOUBTS_AT_ONCE: Final = 10

# An order that is this old was sent before: the payment is in doubt.
_FIRST_TRY: Final = timedelta(seconds=20)

# Stripe's search knows of a payment within a minute, unless something is wrong there.
_SEARCHED_AFTER: Final = timedelta(minutes=2)

# How often a refund is made anew under a further key, while the earlier ones only replay their no.
_REFUND_KEYS: Final = 20


class Stripe(PaymentProvider):
    """Payments over one account with Stripe. `secret_key` is a secret or restricted key,
    `webhook_secret` that of the webhook endpoint, `name` what payments call it. Without a
    `publishable_key` the shop's own pages have no form. Raises InvalidSetting where they cannot
    be."""

    name = "stripe"

    def __init__(
        self,
        secret_key: str,
        webhook_secret: str,
        *,
        name: str = "stripe",
        publishable_key: str | None = None,
        api_base: str | None = None,
        timeout_seconds: float = _TIMEOUT_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self._doubts = Turns(_DOUBTS_PER_SECOND, _DOUBTS_AT_ONCE, clock)
        self._publishable_key = (
            None
            if publishable_key is None
            else checked_publishable_key(publishable_key, mode_of(secret_key))
        )
        self._webhook_secret = checked_webhook_secret(webhook_secret)
        # The library tells bodies and messages on lower levels, with tokens in them.
        logging.getLogger("stripe").setLevel(logging.WARNING)
        self._http = stripe.AIOHTTPClient(timeout=aiohttp.ClientTimeout(total=timeout_seconds))
        client = stripe.StripeClient(
            checked_key(secret_key),
            http_client=self._http,
            base_addresses={"api": checked_api_base(api_base)} if api_base else None,
            # Once more, under the same key: an idle connection that has closed is no outage.
            max_network_retries=1,
        )
        self._intents = client.v1.payment_intents
        self._refunds = client.v1.refunds

    async def authorize(self, order: Order) -> Standing:
        """Makes and confirms a PaymentIntent. Without a `return_url` there is nowhere to come back
        to from a challenge, so that a bank which wants one declines."""
        if _is_older(order.payment_id, _KEY_TRUSTED_FOR):
            reference = await self._find(order.payment_id)
            if reference is not None:
                return await self._told(reference, order)
        elif _is_older(order.payment_id, _FIRST_TRY):
            self._take_turn()
        params = params_of(order)
        with told_in_our_words():
            try:
                made = await self._intents.create_async(
                    params, {"idempotency_key": order.payment_id}
                )
            except stripe.StripeError as error:
                return await self._declined(order, error)
            intent = msgspec.convert(made.to_dict(), Intent)
        told = made.last_response
        return await self._current(intent, order, told.headers if told else None)

    async def capture(self, charge: Charge) -> Standing:
        """Captures the PaymentIntent."""
        return await self._move(charge, self._intents.capture_async, StandingState.CAPTURED)

    async def void(self, charge: Charge) -> Standing:
        """Cancels the PaymentIntent."""
        return await self._move(charge, self._intents.cancel_async, StandingState.VOIDED)

    async def _move(
        self, charge: Charge, move: Callable[[str], Awaitable[object]], into: StandingState
    ) -> Standing:
        """Moves the PaymentIntent into another state, which makes it once: no idempotency key is
        needed, and one would replay a failure of Stripe's for a day."""
        reference = await self._reference(charge)
        with told_in_our_words():
            try:
                await move(reference)
            except stripe.InvalidRequestError:
                standing = await self._told(reference, charge)
                if standing.state is not into:
                    raise
                return standing
        return await self._told(reference, charge)

    async def refund(self, charge: Charge, refund_id: str, amount: int) -> Standing:
        """Makes a refund that carries `refund_id`, unless the payment has it already and it has not
        failed. So it is once even when Stripe has long forgotten the idempotency key."""
        reference = await self._reference(charge)
        before = await self._told(reference, charge)
        if before.captured == 0:
            raise ProviderRefused("nothing was captured", failure="payment_not_captured")
        made = next((r for r in before.refunds if r.refund_id == refund_id), None)
        if made is None or made.state is RefundState.FAILED:
            stripes = amount_for_stripe(Money(amount, charge.amount.currency))
            failed = await self._failed(reference) if made else frozenset()
            await self._refund_once(reference, charge.payment_id, refund_id, stripes, failed)
            return await self._told(reference, charge)
        if made.amount != amount:
            raise ProviderRefused(
                "this refund was made before, of another amount", failure="idempotency_key_reused"
            )
        return before

    async def lookup(self, charge: Charge) -> Standing | None:
        """By the reference; without one by Stripe's search, which finds what was made a minute ago.
        So a payment that is not found is unknown only when it is older; and it may turn up later
        still, when something is wrong at Stripe: the late look of the settlement is for that."""
        intent = await self._retrieve(charge.reference) if charge.reference else None
        if intent is None or intent.payment_id != charge.payment_id:
            reference = await self._find(charge.payment_id)
            intent = None if reference is None else await self._retrieve(reference)
        return (
            None
            if intent is None
            else await self._standing(intent, charge.payment_id, charge.return_url)
        )

    async def charges(self, since: datetime, until: datetime) -> AsyncIterator[Standing]:
        """Every PaymentIntent with a payment's id of ours, newest first."""
        async for intent in self._listed(since, until):
            if intent.payment_id is not None:
                yield await self._standing(intent, intent.payment_id)

    def read_callback(self, headers: Mapping[str, str], body: bytes, now: datetime) -> Callback:
        """Reads an event of a webhook endpoint, whatever it is about."""
        return read_event(headers, body, self._webhook_secret, now)

    def form(self) -> PaymentForm | None:
        """Stripe's own form, where there is a key to open it with."""
        if self._publishable_key is None:
            return None
        return PaymentForm(provider=self.name, kind="stripe", publishable_key=self._publishable_key)

    async def close(self) -> None:
        """Closes the connections to Stripe."""
        await self._http.close_async()  # type: ignore[no-untyped-call]

    async def _declined(self, order: Order, error: stripe.StripeError) -> Standing:
        """The standing of an order that Stripe declined. Raises the error if it is no decline."""
        intent = body_of(error).payment_intent
        if intent is not None:
            return await self._current(intent, order, error.headers)
        body = body_of(error)
        if isinstance(error, stripe.CardError):
            failure = body.decline_code or body.code or "card_error"
        else:
            about_token = token_failure(error)
            if about_token is None:
                raise error
            failure = about_token
            tell_of_unknown_token(failure, order, self.name)
        return Standing(
            payment_id=order.payment_id,
            reference=None,
            state=StandingState.FAILED,
            amount=order.amount,
            failure=failure,
        )

    async def _current(
        self, intent: Intent, order: Order, headers: Mapping[str, str] | None
    ) -> Standing:
        """The standing now. A replayed answer tells how things were when it was first given."""
        latest = await self._retrieve(intent.id) if is_replayed(headers) else intent
        return await self._standing(latest or intent, order.payment_id, order.return_url)

    async def _failed(self, reference: str) -> frozenset[str]:
        refunds = await self._refunds_of(reference)
        return frozenset(r.id for r in refunds if refund_state(r) is RefundState.FAILED)

    async def _refund_once(
        self, reference: str, payment_id: str, refund_id: str, amount: int, failed: frozenset[str]
    ) -> None:
        """Makes the refund under the first key that answers anew: what an earlier key replays is
        the failure that we are asked to repair. Two who walk this path at once get one refund."""
        params: RefundCreateParams = {
            "payment_intent": reference,
            "amount": amount,
            "metadata": {PAYMENT_ID: payment_id, REFUND_ID: refund_id},
        }
        with told_in_our_words():
            for step in range(_REFUND_KEYS):
                key = f"{refund_id}:{step}" if step else refund_id
                try:
                    made = await self._refunds.create_async(params, {"idempotency_key": key})
                except stripe.InvalidRequestError as error:
                    if is_replayed(error.headers):
                        continue
                    raise
                if made.id not in failed:
                    return
        raise ProviderUnavailable("Stripe repeats that this refund failed, until it forgets")

    async def _reference(self, charge: Charge) -> str:
        """Stripe's id of the payment. Raises ProviderRefused where it has none."""
        if charge.reference:
            return charge.reference
        found = await self._find(charge.payment_id)
        if found is None:
            raise ProviderRefused("Stripe has no such payment", failure="unknown_payment")
        return found

    async def _told(self, reference: str, asked: Order | Charge) -> Standing:
        intent = await self._retrieve(reference)
        if intent is None:
            raise ProviderRefused("Stripe has no such payment", failure="unknown_payment")
        return await self._standing(intent, asked.payment_id, asked.return_url)

    async def _retrieve(self, reference: str) -> Intent | None:
        with told_in_our_words():
            try:
                found = await self._intents.retrieve_async(reference, {"expand": EXPAND})
            except stripe.InvalidRequestError as error:
                if is_missing(error):
                    return None
                raise
            return msgspec.convert(found.to_dict(), Intent)

    async def _standing(
        self, intent: Intent, payment_id: str, return_url: str | None = None
    ) -> Standing:
        charge = intent.latest_charge
        if isinstance(charge, StripeCharge) and charge.refunds and not charge.refunds.has_more:
            return standing_of(intent, payment_id, charge.refunds.data, return_url)
        refunds = await self._refunds_of(intent.id) if intent.status == "succeeded" else ()
        return standing_of(intent, payment_id, refunds, return_url)

    async def _refunds_of(self, reference: str) -> list[StripeRefund]:
        """All refunds of the payment, newest first."""
        found: list[StripeRefund] = []
        while True:
            params: RefundListParams = {"payment_intent": reference, "limit": _PAGE}
            if found:
                params["starting_after"] = found[-1].id
            with told_in_our_words():
                answer = await self._refunds.list_async(params)
                page = msgspec.convert(answer.to_dict(), RefundPage)
            found += page.data
            if not page.has_more or not page.data:
                return found

    async def _find(self, payment_id: str) -> str | None:
        """The reference of the intent that has our id, in one call however much the account has.
        What the search shows of it may be old: it is to be retrieved. Raises ProviderUnavailable
        where it is too early to say that there is none."""
        self._take_turn()
        params: PaymentIntentSearchParams = {
            "query": f"metadata['{PAYMENT_ID}']:'{payment_id}'",
            "limit": _PAGE,
        }
        with told_in_our_words():
            answer = await self._intents.search_async(params)
            page = msgspec.convert(answer.to_dict(), IntentPage)
        found = next((one.id for one in page.data if one.payment_id == payment_id), None)
        if found is None and not _is_older(payment_id, _SEARCHED_AFTER):
            raise ProviderUnavailable("Stripe's search may not know of this payment yet")
        return found

    def _take_turn(self) -> None:
        if not self._doubts.take():
            raise ProviderUnavailable(
                "too many payments are in doubt to ask about them all at once"
            )

    async def _listed(self, since: datetime, until: datetime) -> AsyncIterator[Intent]:
        """What was made in a half-open time, newest first. Stripe counts in whole seconds."""
        created: PaymentIntentListParamsCreated = {
            "gte": math.ceil(since.timestamp()),
            "lt": math.ceil(until.timestamp()),
        }
        params: PaymentIntentListParams = {
            "created": created,
            "limit": _PAGE,
            "expand": [f"data.{field}" for field in EXPAND],
        }
        while True:
            with told_in_our_words():
                answer = await self._intents.list_async(params)
                page = msgspec.convert(answer.to_dict(), IntentPage)
            for intent in page.data:
                yield intent
            if not page.has_more or not page.data:
                return
            params["starting_after"] = page.data[-1].id


def _born(payment_id: str) -> datetime:
    """When the id was made, which is shortly before Stripe first heard of it."""
    milliseconds = ids.parse(ids.PAYMENT, payment_id).int >> 80
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def _is_older(payment_id: str, than: timedelta) -> bool:
    return datetime.now(UTC) - _born(payment_id) > than
