"""Callbacks of payment providers: what they send by themselves. The signature is checked on the raw
body; each is taken once; and because they come twice, late and out of order, a callback is only the
reason to ask the provider how the payment stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Annotated

import msgspec
from msgspec import structs

from bespeak import ids
from bespeak.actors import ACTOR_LENGTH_MAX, PROVIDER, acting_as
from bespeak.errors import InvalidId
from bespeak.payments.errors import CallbackMismatch, PaymentNotFound
from bespeak.payments.providers.provider import Callback, CallbackInvalid, PaymentProvider
from bespeak.payments.settlement import Settlement
from bespeak.states import one_of


class Received(msgspec.Struct, frozen=True):
    """What became of a callback: `settled`, or `unknown` where it is about no payment of ours;
    `repeated` says that it came before."""

    outcome: Annotated[str, one_of("CallbackOutcome", ("settled", "mismatch", "unknown"))]
    repeated: bool = False


async def receive(
    settlement: Settlement, provider: str, headers: Mapping[str, str], body: bytes
) -> Received:
    """Takes a callback. Whatever is raised has a status that makes the provider send it again,
    where that can help.

    Raises ProviderUnknown, CallbackInvalid, CallbackUnreadable, CallbackMismatch,
    ProviderUnavailable, and what says that the service is away.
    """
    signed, callback = _read(await settlement.signers(provider), headers, body)
    provider = await _whose(settlement, signed, callback)
    before = await settlement.ledger.callback_outcome(provider, callback.callback_id)
    if before == "mismatch":
        raise CallbackMismatch
    if before is not None:
        return Received(before, repeated=True)
    outcome = await _settle(settlement, provider, callback)
    return Received(outcome)


def _read(
    signers: Sequence[PaymentProvider], headers: Mapping[str, str], body: bytes
) -> tuple[list[str], Callback]:
    """What was sent, and the providers whose signature it has: one account may have two names, of
    the console and of the environment. Raises CallbackInvalid, CallbackUnreadable."""
    now = datetime.now(UTC)
    signed: dict[str, Callback] = {}
    refusal = CallbackInvalid()
    for one in signers:
        try:
            signed[one.name] = one.read_callback(headers, body, now)
        except CallbackInvalid as error:
            refusal = error
    if not signed:
        raise refusal
    return [*signed], next(iter(signed.values()))


async def _whose(settlement: Settlement, signed: Sequence[str], callback: Callback) -> str:
    """Of the providers whose signature a callback has, the one at which its payment began."""
    if len(signed) > 1 and callback.payment_id is not None:
        with suppress(InvalidId, PaymentNotFound):
            work, _ = await settlement.ledger.paid(callback.payment_id, None)
            if work.provider in signed:
                return work.provider
    return signed[0]


async def _settle(settlement: Settlement, provider: str, callback: Callback) -> str:
    """Asks how the payment stands, and only then notes the callback: who dies in between is sent it
    again."""
    ledger = settlement.ledger
    number = None
    try:
        if callback.payment_id is not None:
            number = ids.parse(ids.PAYMENT, callback.payment_id)
            work, _ = await ledger.paid(callback.payment_id, None)
    except (InvalidId, PaymentNotFound):
        number = None
    if number is None or work.provider != provider:
        await ledger.note_callback(provider, callback.callback_id, callback.kind, None, "unknown")
        return "unknown"
    if callback.amount is not None and callback.amount != work.amount:
        await ledger.note_callback(
            provider, callback.callback_id, callback.kind, number, "mismatch"
        )
        raise CallbackMismatch(payment_id=callback.payment_id)
    if work.reference is None:
        work = structs.replace(work, reference=callback.reference)
    with acting_as(PROVIDER.format(provider)[:ACTOR_LENGTH_MAX]):
        await settlement.look(work)
    await ledger.note_callback(provider, callback.callback_id, callback.kind, number, "settled")
    return "settled"
