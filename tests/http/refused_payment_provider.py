"""How the calls about the payment provider refuse."""

import msgspec

from bespeak.payments.providers import stripe
from bespeak.payments.providers.provider import ProviderAccount
from tests.http.api import Json, Request
from tests.http.operating import operator
from tests.http.scenarios import Stage, refuses

AT = "/v1/payment-provider"
KEYS: Json = {"secret_key": "sk_test_lantern", "webhook_secret": "whsec_lantern"}
PUT, DELETE, TEST = f"PUT {AT}", f"DELETE {AT}", f"POST {AT}/test"
_CALLS = {
    PUT: Request("PUT", AT, KEYS, "ak"),
    DELETE: Request("DELETE", AT, None, "ak"),
    TEST: Request("POST", f"{AT}/test", {"secret_key": "sk_test_lantern"}, "ak"),
}

_PAID_BY_THE_ENVIRONMENT = """
    insert into bespeak.payment (resource_id, payment_id, hold_id, owner, provider, state, step,
        due_at, amount, currency, window_ends_at, created_at)
    values (1, gen_random_uuid(), gen_random_uuid(), 'asha', 'stripe', 'pending', 'await',
        bespeak.now() + interval '1 day', 100, 'EUR', bespeak.now(), bespeak.now())
"""


def _open(stage: Stage) -> None:
    """The environment says nothing of where buyers pay."""
    accounts = stage.api.service.engine.payments.accounts
    free = msgspec.structs.replace(accounts.settings, payment_providers="desk")
    stage.monkeypatch.setattr(accounts, "settings", free)


def _refused(name: str, asked: Request) -> None:
    @refuses(name, "payment_provider_fixed", fixed_by="environment")
    async def where_the_environment_says_it(stage: Stage) -> Request:
        return asked

    @refuses(name, "step_up_required", ways=[])
    async def long_after_the_last_proof(stage: Stage) -> Request:
        asha = await operator(stage.api, f"payer-{asked.method.lower()}")
        return Request(asked.method, asked.path, asked.body, None, asha.headers)


for _name, _asked in _CALLS.items():
    _refused(_name, _asked)


@refuses(PUT, "payment_provider_invalid", field="secret_key")
async def the_key_for_browsers(stage: Stage) -> Request:
    _open(stage)
    return Request("PUT", AT, {**KEYS, "secret_key": "pk_test_lantern"}, "ak")


@refuses(PUT, "provider_unavailable")
async def a_key_while_stripe_does_not_answer(stage: Stage) -> Request:
    _open(stage)

    async def away(*_: object) -> str:
        return "away"

    stage.monkeypatch.setattr(stripe, "account_of", away)
    return Request("PUT", AT, KEYS, "ak")


def _known(stage: Stage) -> None:
    """Stripe knows the key."""

    async def known(*_: object) -> ProviderAccount:
        return ProviderAccount(
            account_id="acct_1Lantern", account_name="", is_live=False, can_charge=True
        )

    stage.monkeypatch.setattr(stripe, "account_of", known)


@refuses(PUT, "version_mismatch", version=0)
async def keys_for_a_version_that_there_is_not(stage: Stage) -> Request:
    _open(stage)
    _known(stage)
    return Request("PUT", AT, {**KEYS, "version": 7}, "ak")


@refuses(DELETE, "version_mismatch")
async def an_account_that_was_not_seen_is_to_be_taken_away(stage: Stage) -> Request:
    _open(stage)
    _known(stage)
    await stage.api.send(Request("PUT", AT, KEYS, "ak"))
    stage.stack.push_async_callback(stage.api.send, Request("DELETE", AT, None, "ak"))
    return Request("DELETE", f"{AT}?version=0", None, "ak")


@refuses(PUT, "payment_provider_in_use", payments=1)
async def an_account_beside_that_of_the_environment(stage: Stage) -> Request:
    _open(stage)
    _known(stage)
    await stage.api.connection.execute(_PAID_BY_THE_ENVIRONMENT)
    return Request("PUT", AT, KEYS, "ak")


@refuses(TEST, "payment_provider_invalid", field="secret_key")
async def a_trial_of_what_is_no_key(stage: Stage) -> Request:
    _open(stage)
    return Request("POST", f"{AT}/test", {"secret_key": "lantern"}, "ak")


@refuses(TEST, "payment_provider_missing")
async def a_trial_where_none_is_set(stage: Stage) -> Request:
    _open(stage)
    return Request("POST", f"{AT}/test", {}, "ak")
