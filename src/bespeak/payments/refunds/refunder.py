"""The refunder: has providers give back what is written down to be given back, each once. Who
claims a refund that somebody else may have asked for before looks it up first, and never guesses.
"""

from __future__ import annotations

import asyncio

import structlog
from msgspec import structs

from bespeak.background import PAUSE_SECONDS_MAX
from bespeak.errors import BespeakError
from bespeak.payments.providers.provider import (
    ProviderRefused,
    ProviderUnavailable,
    RefundStanding,
    RefundState,
    Standing,
)
from bespeak.payments.refunds.record import Refunds, RefundWork
from bespeak.payments.settlement import Settlement
from bespeak.states import PaymentState

_AT_ONCE_MAX = 64
_FAILURE_LENGTH_MAX = 200
_log = structlog.get_logger()


class Refunder:
    """Does the refunds that are due, many at once."""

    name = "refunds"

    def __init__(self, settlement: Settlement, refunds: Refunds) -> None:
        self._settlement = settlement
        self._refunds = refunds

    async def look(self) -> float:
        """Does all refunds that are due now; answers the seconds until there may be more."""
        while True:
            works = await self._refunds.due(_AT_ONCE_MAX)
            await asyncio.gather(*(self._do(work) for work in works))
            if len(works) < _AT_ONCE_MAX:
                break
        seconds = await self._refunds.next_due_seconds()
        return PAUSE_SECONDS_MAX if seconds is None else min(seconds, PAUSE_SECONDS_MAX)

    async def _do(self, work: RefundWork) -> None:
        try:
            await self._give_back(work)
        except BespeakError as error:
            # One that cannot go on must not hold up the others; it is due again later.
            _log.warning("a refund waits", refund=work.id, tries=work.tries, error=str(error))

    async def _give_back(self, work: RefundWork) -> None:
        payment = work.payment
        if payment.state is PaymentState.AUTHORIZED:
            # What was cancelled before its money was taken: that comes first.
            payment, _ = await self._settlement.advance(payment)
            if (await self._refunds.get(work.id)).state is not RefundState.PENDING:
                return  # it ended with its payment: another amount was taken, or none
        if payment.state is PaymentState.CAPTURED:
            told = await self._ask(work._replace(payment=payment))
            failure = told.failure[:_FAILURE_LENGTH_MAX] if told.failure else None
            await self._refunds.settle(work, told.state, failure)

    async def _ask(self, work: RefundWork) -> RefundStanding:
        """How the refund stands, once it was asked for. Raises ProviderUnavailable."""
        provider = await self._settlement.provider(work.payment.provider)
        charge = structs.replace(work.payment.charge, amount=work.amount)
        if work.tries > 1:
            known = _found(work, await provider.lookup(charge))
            if known is not None:
                return known
        try:
            standing: Standing | None = await provider.refund(charge, work.id, work.amount.amount)
        except ProviderRefused as error:
            known = _found(work, await self._look(work))
            failure = str(error.data.get("failure") or error.detail)
            return known or RefundStanding(work.id, RefundState.FAILED, work.amount.amount, failure)
        # A provider that took it and does not show it yet is still at it.
        return _found(work, standing) or RefundStanding(
            work.id, RefundState.PENDING, work.amount.amount
        )

    async def _look(self, work: RefundWork) -> Standing | None:
        """A refusal may be of what was done before. Raises ProviderUnavailable."""
        try:
            provider = await self._settlement.provider(work.payment.provider)
            return await provider.lookup(work.payment.charge)
        except ProviderRefused as error:
            raise ProviderUnavailable(error.detail) from error


def _found(work: RefundWork, standing: Standing | None) -> RefundStanding | None:
    if standing is None:
        return None
    return next((one for one in standing.refunds if one.refund_id == work.id), None)
