"""A Stripe of the tests' own: the few endpoints that payments need, with Stripe's states, errors,
test cards and idempotency keys. It is held against stripe-mock, which knows the forms and keeps no
state.
"""

import asyncio
import json
import re
import secrets
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from aiohttp import web
from aiohttp.abc import AbstractStreamWriter

from tests.services.stripe_forms import Form, Json, StripeError, expanded, page, read_form, wrong

SECRET_KEY: Final = "sk_test_bespeak"

# https://docs.stripe.com/testing: what the test cards decline with, as code and decline code.
_DECLINES: Final = {
    "pm_card_chargeDeclined": ("card_declined", "generic_decline"),
    "pm_card_chargeDeclinedInsufficientFunds": ("card_declined", "insufficient_funds"),
    "pm_card_chargeDeclinedExpiredCard": ("expired_card", None),
}
_GOOD: Final = {
    "pm_card_visa",
    "pm_card_authenticationRequired",
    "pm_card_refundFail",
    "pm_card_pendingRefund",
    "pm_card_processing",
}
_CREATE: Final = {
    "amount", "automatic_payment_methods", "capture_method", "confirm", "confirmation_token",
    "currency", "description", "error_on_requires_action", "expand", "metadata", "payment_method",
    "return_url", "use_stripe_sdk",
}  # fmt: skip

Handler = Callable[[web.Request, Form], Json]


class StripeServer:
    """The server, on a free port of the loopback. `requests` keeps what it was asked."""

    def __init__(self) -> None:
        self.url = ""
        self.intents: dict[str, Json] = {}
        self.refunds: dict[str, Json] = {}
        self.requests: list[tuple[str, str, Form]] = []
        self.answers: list[tuple[str, str, Form, int, Json]] = []
        self.methods = set(_GOOD)
        # What Stripe's form collected here: confirmation tokens, each for a means of payment.
        self.tokens: dict[str, str] = {}
        self.balance_is_empty = False
        # Challenges that Stripe shows by its script alone, whatever it was asked for.
        self.wants_script = False
        # What a capture takes, where somebody at Stripe's dashboard said another amount before.
        self.takes: int | None = None
        self.search_is_behind = False
        self.lag = 0.0
        # What becomes of the next answers: a status is answered instead of doing anything; `lost`
        # does what was asked and breaks off; `broken` breaks off in the middle of the answer.
        self.faults: deque[int | str] = deque()
        self._kept: dict[str, tuple[str, Form, int, Json]] = {}
        self._busy: set[str] = set()
        self._stopping = asyncio.Event()
        self._runner: web.AppRunner | None = None

    async def start(self) -> None:
        app = web.Application()
        routes: list[tuple[str, str, Handler]] = [
            ("POST", "/v1/payment_intents", self._create),
            ("GET", "/v1/payment_intents", self._list),
            ("GET", "/v1/payment_intents/search", self._search),
            ("GET", "/v1/payment_intents/{id}", self._retrieve),
            ("POST", "/v1/payment_intents/{id}/capture", self._capture),
            ("POST", "/v1/payment_intents/{id}/cancel", self._cancel),
            ("POST", "/v1/refunds", self._refund),
            ("GET", "/v1/refunds", self._list_refunds),
        ]
        for method, path, handler in routes:
            app.router.add_route(method, path, self._served(handler))
        # Handlers go on when their caller is gone, as Stripe's do.
        self._runner = web.AppRunner(app, handler_cancellation=False, shutdown_timeout=1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"

    async def stop(self) -> None:
        self._stopping.set()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    # What happens at Stripe, and not over its API.

    def decide(self, reference: str, *, approve: bool) -> None:
        """The buyer is asked by their bank, and says yes or no."""
        intent = self.intents[reference]
        assert intent["status"] == "requires_action"
        intent["next_action"] = None
        if approve:
            self._reserve(intent)
        else:
            self._fail(intent, "payment_intent_authentication_failure", None)

    def confirm(self, reference: str, method: str) -> None:
        """A browser that has the client secret tries another means of payment, once one failed."""
        intent = self.intents[reference]
        assert intent["status"] == "requires_payment_method"
        intent["last_payment_error"] = None
        self._confirm(intent, method, may_act=True)

    def put(self, form: Form, *, amount_received: int) -> None:
        """What this form asks for was done, and so much of it taken, by whoever it was."""
        intent = self._new_intent(int(form["amount"]), str(form["currency"]), form)
        self._confirm(intent, str(form["payment_method"]), may_act=True)
        intent |= {"status": "succeeded", "amount_received": amount_received}

    def process(self, reference: str, *, approve: bool) -> None:
        """A slow means of payment comes to an end."""
        intent = self.intents[reference]
        assert intent["status"] == "processing"
        if approve:
            self._reserve(intent)
        else:
            self._fail(intent, "payment_intent_payment_attempt_failed", None)

    def give_up(self, reference: str) -> None:
        """Stripe cancels what nobody captured for days."""
        self.intents[reference] |= {"status": "canceled", "cancellation_reason": "automatic"}

    def end_refund(self, reference: str, status: str) -> None:
        """The bank of the buyer takes the money, or sends it back."""
        refund = self.refunds[reference]
        refund["status"] = status
        if status == "failed":
            refund["failure_reason"] = "expired_or_canceled_card"

    def forget_keys(self) -> None:
        """A day goes by."""
        self._kept.clear()

    # The API.

    def _served(self, handler: Handler) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def serve(request: web.Request) -> web.StreamResponse:
            form = await read_form(request)
            self.requests.append((request.method, request.path, form))
            fault = self.faults.popleft() if self.faults else None
            if isinstance(fault, int):
                return _json(fault, {"error": {"type": "api_error", "message": "Sorry"}})
            status, body, headers = await self._answer(request, form, handler)
            self.answers.append((request.method, request.path, form, status, body))
            if fault == "lost":
                _transport(request).abort()
            if fault == "broken":
                return await _cut_short(request, body)
            return _json(status, body, headers)

        return serve

    async def _answer(
        self, request: web.Request, form: Form, handler: Handler
    ) -> tuple[int, Json, dict[str, str]]:
        try:
            if request.headers.get("Authorization") != f"Bearer {SECRET_KEY}":
                raise StripeError(401, message="Invalid API Key provided: sk_test_****peak")
            key = request.headers.get("Idempotency-Key") if request.method == "POST" else None
            if key is None:
                return 200, handler(request, form), {}
            return await self._once(key, request, form, handler)
        except StripeError as error:
            return error.status, error.body, {}

    async def _once(
        self, key: str, request: web.Request, form: Form, handler: Handler
    ) -> tuple[int, Json, dict[str, str]]:
        """https://docs.stripe.com/api/idempotent_requests: results are kept, those of requests
        that were malformed are not, and a key belongs to one request."""
        if key in self._busy:
            raise StripeError(409, kind="idempotency_error", code="idempotency_key_in_use")
        if key in self._kept:
            path, asked, status, body = self._kept[key]
            if (path, asked) != (request.path, form):
                raise StripeError(400, kind="idempotency_error")
            return status, body, {"Idempotent-Replayed": "true", "Original-Request": "req_1"}
        self._busy.add(key)
        try:
            await self._think()
            status, body = 200, handler(request, form)
        except StripeError as error:
            if error.is_malformed:
                raise
            status, body = error.status, error.body
        finally:
            self._busy.discard(key)
        self._kept[key] = (request.path, form, status, json.loads(json.dumps(body)))
        return status, body, {}

    async def _think(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), self.lag)

    def _create(self, _: web.Request, form: Form) -> Json:
        if unknown := sorted(form.keys() - _CREATE):
            raise wrong(unknown[0], "parameter_unknown")
        for needed in ("amount", "currency"):
            if needed not in form:
                raise wrong(needed, "parameter_missing")
        amount = int(str(form["amount"]))
        if not 50 <= amount <= 99_999_999:
            raise wrong("amount", "amount_too_small" if amount < 50 else "amount_too_large")
        currency = str(form["currency"])
        if currency in {"kwd", "bhd"} and amount % 10:
            raise wrong("amount", None)
        kind = "confirmation_token" if "confirmation_token" in form else "payment_method"
        token = str(form.get(kind))
        method = self.tokens.get(token) if kind == "confirmation_token" else token
        if method not in self.methods | _DECLINES.keys():
            raise wrong(kind, "resource_missing", token)
        redirects = form.get("automatic_payment_methods", {}).get("allow_redirects", "always")
        if redirects == "always" and "return_url" not in form:
            raise wrong("return_url", None)
        intent = self._new_intent(amount, currency, form)
        may_act = form.get("error_on_requires_action") != "true"
        # A confirmation token says for itself that Stripe's script is there.
        by_script = form.get("use_stripe_sdk", "true" if token != method else "false") == "true"
        self._confirm(intent, method, may_act=may_act, by_script=by_script)
        return self._shown(intent, form)

    def _new_intent(self, amount: int, currency: str, form: Form) -> Json:
        reference = f"pi_{secrets.token_hex(12)}"
        intent: Json = {
            "id": reference,
            "object": "payment_intent",
            "amount": amount,
            "amount_capturable": 0,
            "amount_received": 0,
            "cancellation_reason": None,
            "capture_method": form["capture_method"],
            "client_secret": f"{reference}_secret_{secrets.token_hex(12)}",
            "created": int(time.time()),
            "currency": currency,
            "description": form.get("description"),
            "last_payment_error": None,
            "latest_charge": None,
            "livemode": False,
            "metadata": form.get("metadata", {}),
            "next_action": None,
            "payment_method": None,
            "status": "requires_confirmation",
        }
        self.intents[reference] = intent
        return intent

    def _confirm(
        self, intent: Json, method: str, *, may_act: bool, by_script: bool = False
    ) -> None:
        if method in _DECLINES:
            code, decline = _DECLINES[method]
            self._fail(intent, code, decline)
        elif method == "pm_card_authenticationRequired" and not may_act:
            self._fail(intent, "authentication_required", None)
        elif method == "pm_card_authenticationRequired":
            kind = "use_stripe_sdk" if by_script or self.wants_script else "redirect_to_url"
            url = f"https://hooks.stripe.example/redirect/{intent['id']}"
            told = {"stripe_js": url} if kind == "use_stripe_sdk" else {"url": url}
            intent["status"] = "requires_action"
            intent["next_action"] = {"type": kind, kind: told}
        elif method == "pm_card_processing":
            intent["status"] = "processing"
        else:
            intent["payment_method"] = method
            self._reserve(intent)
        error = intent["last_payment_error"]
        if error is not None:
            raise StripeError(402, **error, payment_intent=self._shown(intent, {}))

    def _fail(self, intent: Json, code: str, decline: str | None) -> None:
        error = {"code": code, "kind": "card_error", "message": "Your card was declined."}
        if decline is not None:
            error["decline_code"] = decline
        intent |= {"status": "requires_payment_method", "last_payment_error": error}

    def _reserve(self, intent: Json) -> None:
        intent |= {
            "status": "requires_capture",
            "amount_capturable": intent["amount"],
            "latest_charge": f"ch_{secrets.token_hex(12)}",
        }

    def _retrieve(self, request: web.Request, form: Form) -> Json:
        return self._shown(self._intent(request), form)

    def _capture(self, request: web.Request, form: Form) -> Json:
        intent = self._intent(request)
        if intent["status"] != "requires_capture":
            raise self._unexpected(intent)
        intent |= {
            "status": "succeeded",
            "amount_capturable": 0,
            "amount_received": self.takes or intent["amount"],
        }
        return self._shown(intent, form)

    def _cancel(self, request: web.Request, form: Form) -> Json:
        intent = self._intent(request)
        if intent["status"] in {"succeeded", "canceled", "processing"}:
            raise self._unexpected(intent)
        intent |= {"status": "canceled", "amount_capturable": 0, "next_action": None}
        return self._shown(intent, form)

    def _unexpected(self, intent: Json) -> StripeError:
        shown = self._shown(intent, {})
        return StripeError(400, code="payment_intent_unexpected_state", payment_intent=shown)

    def _intent(self, request: web.Request) -> Json:
        found = self.intents.get(request.match_info["id"])
        if found is None:
            raise StripeError(404, code="resource_missing", param="intent")
        return found

    def _list(self, _: web.Request, form: Form) -> Json:
        created = form.get("created", {})
        since, until = int(created.get("gte", 0)), int(created.get("lt", 10**12))
        newest_first = [
            self._shown(intent, expanded(form, "data."))
            for intent in reversed(self.intents.values())
            if since <= int(str(intent["created"])) < until
        ]
        return page("/v1/payment_intents", newest_first, form)

    def _search(self, _: web.Request, form: Form) -> Json:
        """https://docs.stripe.com/search: by metadata, and a while behind."""
        wanted = re.fullmatch(r"metadata\['(\w+)'\]:'(\w+)'", str(form["query"]))
        if wanted is None:
            raise wrong("query", None)
        found = [
            self._shown(intent, {})
            for intent in reversed(self.intents.values())
            if intent["metadata"].get(wanted[1]) == wanted[2] and not self.search_is_behind
        ]
        return {
            "object": "search_result",
            "url": "/v1/payment_intents/search",
            "has_more": False,
            "data": found[: int(form.get("limit", 10))],
        }

    def _refund(self, _: web.Request, form: Form) -> Json:
        intent = self.intents.get(str(form["payment_intent"]))
        if intent is None:
            raise wrong("payment_intent", "resource_missing")
        if intent["status"] != "succeeded":
            raise StripeError(400, param="payment_intent")
        made = self._refunds_of(str(intent["id"]))
        rest = int(str(intent["amount_received"])) - sum(
            int(str(r["amount"])) for r in made if r["status"] not in {"failed", "canceled"}
        )
        amount = int(str(form["amount"]))
        if rest == 0:
            raise StripeError(400, code="charge_already_refunded")
        if amount > rest or amount < 1:
            raise StripeError(400, param="amount")
        if self.balance_is_empty:
            raise StripeError(400, code="balance_insufficient")
        is_slow = intent["payment_method"] == "pm_card_pendingRefund"
        refund: Json = {
            "id": f"re_{secrets.token_hex(12)}",
            "object": "refund",
            "amount": amount,
            "charge": intent["latest_charge"],
            "created": int(time.time()),
            "currency": intent["currency"],
            "metadata": form.get("metadata", {}),
            "payment_intent": intent["id"],
            "status": "pending" if is_slow else "succeeded",
        }
        self.refunds[str(refund["id"])] = refund
        return refund

    def _list_refunds(self, _: web.Request, form: Form) -> Json:
        whose = form.get("payment_intent")
        found = list(self.refunds.values())[::-1] if whose is None else self._refunds_of(str(whose))
        return page("/v1/refunds", found, form)

    def _refunds_of(self, reference: str) -> list[Json]:
        """Newest first."""
        return [r for r in reversed(self.refunds.values()) if r["payment_intent"] == reference]

    def _shown(self, intent: Json, form: Form) -> Json:
        """An intent as it is answered: its charge as an id, or whole where that was asked for."""
        shown: Json = json.loads(json.dumps(intent))
        error = shown["last_payment_error"]
        if error is not None:
            error["type"] = error.pop("kind")
        if intent["latest_charge"] and "latest_charge.refunds" in form.get("expand", []):
            shown["latest_charge"] = {
                "id": intent["latest_charge"],
                "object": "charge",
                "amount": intent["amount"],
                "refunds": page("/v1/refunds", self._refunds_of(intent["id"]), {"limit": 10}),
            }
        return shown


def _json(status: int, body: Json, headers: dict[str, str] | None = None) -> web.Response:
    return web.json_response(
        body, status=status, headers={"Request-Id": "req_1", **(headers or {})}
    )


def _transport(request: web.Request) -> asyncio.Transport:
    assert isinstance(request.transport, asyncio.Transport)
    return request.transport


async def _cut_short(request: web.Request, body: Json) -> web.StreamResponse:
    """Half of the answer, and then nothing more."""
    whole = json.dumps(body).encode()
    answer = web.StreamResponse(headers={"Content-Length": str(len(whole))})
    writer: AbstractStreamWriter | None = await answer.prepare(request)
    assert writer is not None
    await answer.write(whole[: len(whole) // 2])
    _transport(request).abort()
    return answer
