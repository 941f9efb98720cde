"""What goes wrong with Stripe, in our words. The one question is whether it is known that nothing
was done: only a clear no of Stripe's is a refusal, all else is looked up again. No message of
Stripe's is passed on, because they quote tokens and parts of keys; its stable codes are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

import aiohttp
import msgspec
import stripe
import structlog

from bespeak.payments.providers.provider import ProviderRefused, ProviderUnavailable
from bespeak.payments.providers.stripe.objects import ErrorAnswer, ErrorBody
from bespeak.payments.providers.stripe.orders import FORM_TOKEN

if TYPE_CHECKING:
    from bespeak.payments.providers.provider import Order

_log = structlog.get_logger()

# Stripe refuses these now and grants them later: the balance fills up, the other request ends.
_PASSING = frozenset(
    {"balance_insufficient", "insufficient_funds", "lock_timeout", "idempotency_key_in_use"}
)

_MISSING = "resource_missing"


class ProviderKeyRefused(ProviderUnavailable):
    """The payment provider does not take the key of this installation: it is wrong, revoked, or may
    not do this. Nothing was done; it can be repeated once the operator has set another."""

    code = "provider_key_refused"
    title = "The payment provider does not take the key of this installation"


@contextmanager
def told_in_our_words() -> Iterator[None]:
    """Turns whatever the library raises into ProviderUnavailable, ProviderKeyRefused or
    ProviderRefused. Card errors too: where a decline is an answer, it is caught before."""
    try:
        yield
    except stripe.StripeError as error:
        # Not `from error`: a traceback would show the message, and with it what it quotes.
        raise translated(error) from None
    except (aiohttp.ClientError, OSError, TimeoutError) as error:
        # The library guards the sending; the reading of the answer can break as well.
        raise ProviderUnavailable(f"Stripe's answer broke off: {type(error).__name__}") from None
    except msgspec.ValidationError as error:
        raise ProviderUnavailable(f"Stripe's answer makes no sense: {error}") from None


def body_of(error: stripe.StripeError) -> ErrorBody:
    """What Stripe's answer says, or an empty body where the answer was none of Stripe's."""
    try:
        return msgspec.convert(error.json_body, ErrorAnswer).error
    except msgspec.ValidationError:
        return ErrorBody()


def translated(error: stripe.StripeError) -> ProviderUnavailable | ProviderRefused:
    """The error of ours that says the same."""
    if isinstance(error, stripe.AuthenticationError):
        return ProviderKeyRefused("Stripe does not take the key of this installation")
    if isinstance(error, stripe.PermissionError):
        return ProviderKeyRefused("Stripe forbids this to the key of this installation")
    if _is_clear_no(error):
        failure = _failure_of(error)
        return ProviderRefused(f"Stripe refuses: {failure}", failure=failure)
    told = error.http_status or "nothing"
    return ProviderUnavailable(f"Stripe answered {told} ({type(error).__name__})")


def _is_clear_no(error: stripe.StripeError) -> bool:
    if body_of(error).code in _PASSING:
        return False
    return isinstance(
        error, stripe.InvalidRequestError | stripe.CardError | stripe.IdempotencyError
    )


def _failure_of(error: stripe.StripeError) -> str:
    """The most telling of Stripe's codes: the bank's reason, the error's, or what was wrong."""
    if isinstance(error, stripe.IdempotencyError):
        return "idempotency_key_reused"
    body = body_of(error)
    named = f"invalid_{body.param}" if body.param else "invalid_request"
    return body.decline_code or body.code or named


def is_missing(error: stripe.StripeError) -> bool:
    """Whether Stripe has no such object."""
    return isinstance(error, stripe.InvalidRequestError) and body_of(error).code == _MISSING


def token_failure(error: stripe.StripeError) -> str | None:
    """What is wrong with the buyer's token, where that is what Stripe refuses: it is unknown, used
    up, or someone else's. Then there is no payment, and it is a decline like others."""
    if not isinstance(error, stripe.InvalidRequestError):
        return None
    body = body_of(error)
    about = (body.param or "", body.code or "")
    if any(word.startswith(("payment_method", "confirmation_token")) for word in about):
        return body.code or "payment_method_invalid"
    return None


def tell_of_unknown_token(failure: str, order: Order, provider: str) -> None:
    """Tells the operator where Stripe does not know what its own form made. A single one may be of
    a page of before, or made up; where all are, the form is opened for another account."""
    if failure == _MISSING and order.token.startswith(FORM_TOKEN):
        _log.warning(
            "Stripe does not know a token of its form: is the publishable key of this account?",
            provider=provider,
            payment=order.payment_id,
        )


def is_replayed(headers: Mapping[str, str] | None) -> bool:
    """Whether an answer repeats an earlier one that was given under the same idempotency key."""
    lower = {name.lower(): value for name, value in (headers or {}).items()}
    return lower.get("idempotent-replayed") == "true"
