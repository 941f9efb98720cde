"""The settlement: from the wish to pay to the booking with the money behind it. One step after the
other: what is to be done is written down, the provider is asked, what it tells is written down. A
process may die anywhere in between; whoever comes next asks the provider and goes on, never
guessing.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Coroutine
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from uuid import UUID

import structlog
from msgspec import structs

from bespeak import ids
from bespeak.arguments import checked
from bespeak.errors import InvalidRequest
from bespeak.payments.errors import MoneyReturned, PaymentDeclined, ProviderUnknown
from bespeak.payments.ledger import Ledger
from bespeak.payments.observer import ObservedProvider
from bespeak.payments.offers import OfferFinder
from bespeak.payments.payment import DuePayment, Paid, Payment
from bespeak.payments.providers.provider import (
    Order,
    PaymentProvider,
    ProviderRefused,
    ProviderUnavailable,
    Standing,
    StandingState,
    kind_of,
)
from bespeak.reservations.contact import Contact
from bespeak.reservations.holds import Booking
from bespeak.states import PaymentState
from bespeak.timeouts import timed

if TYPE_CHECKING:
    from bespeak.payments.accounts.known import ProviderAccounts
    from bespeak.reservations.verbs import Reservations

_TOKEN_LENGTH_MAX = 500
_URL_LENGTH_MAX = 2000
# It is shown to buyers as a link and in headers: a plain host, nobody's name and password.
_URL = re.compile(r"https?://([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?([/?#][!-~]*)?")
_STEPS_MAX = 8
_LOOK_AGAIN_SECONDS = 2
_LOOK_AGAIN_SECONDS_MAX = 60
_AWAIT_SECONDS = 15
_CLOSE_SECONDS = 5
_LATER = ("await", "check")  # steps that are not to be taken at once
_OPEN = (StandingState.PENDING, StandingState.CHALLENGE)
_log = structlog.get_logger()


class Settlement:
    """Pays for holds, by the providers that are set up here."""

    def __init__(
        self,
        engine: Reservations,
        ledger: Ledger,
        providers: dict[str, PaymentProvider],
        default: str | None,
        accounts: ProviderAccounts,
    ) -> None:
        self._engine = engine
        self.ledger = ledger
        self.providers = providers
        self.accounts = accounts
        self._default = default
        self._offers = OfferFinder(engine)
        self._at_work: dict[UUID, asyncio.Task[tuple[DuePayment, Paid]]] = {}

    @timed
    async def pay(
        self,
        hold_id: str,
        *,
        token: str,
        owner: str | None = None,
        provider: str | None = None,
        return_url: str | None = None,
        contact: Contact | None = None,
        idempotency_key: str | None = None,
        of_shopper: bool = False,
        timeout: float | None = None,
    ) -> Paid:
        """Pays for a hold with what `token` stands for, and books it. Without a booking in the
        answer the payment is under way: the buyer must act at its `action_url`, or the provider is
        slow.

        Raises PaymentDeclined, PaymentRequired, MoneyReturned, PaymentInProgress, ProviderUnknown,
        HoldNotFound, NotOwner, HoldExpired, HoldReleased, HoldConfirmed, IdempotencyKeyReused,
        InvalidRequest, and what says that the service is away."""
        _check_text(token, "payment_token", _TOKEN_LENGTH_MAX)
        if return_url is not None:
            _check_url(return_url, "return_url")
        begun = await self.ledger.begin(
            hold_id,
            owner=owner,
            provider=await self._begins_at(hold_id, provider, idempotency_key, of_shopper),
            token=token,
            return_url=return_url,
            contact=contact,
            key=idempotency_key,
        )
        if begun.work is None:
            booking = await self._engine.confirm_hold(
                hold_id,
                owner=owner,
                idempotency_key=idempotency_key,
                contact=contact,
                of_shopper=of_shopper,
            )
            return Paid(None, booking, booking.replayed)
        replayed = begun.paid is not None
        paid = begun.paid
        if paid is None or begun.work.state is PaymentState.PENDING:
            paid = await self._answer_in_time(begun.work, paid)
        return _answered(paid, replayed=replayed)

    @checked
    async def payment(
        self, payment_id: str, owner: str | None = None, *, timeout: float | None = None
    ) -> Paid:
        """A payment and its booking, as they are written down.
        Raises InvalidId, PaymentNotFound, NotOwner."""
        return (await self.ledger.paid(payment_id, owner))[1]

    @checked
    async def payment_of(self, booking: Booking, *, timeout: float | None = None) -> Payment | None:
        """What a booking is paid with: the latest payment that did not fail, if it cost
        anything."""
        if booking.amount.amount == 0:
            return None
        found = await self.ledger.payments_of(ids.parse(ids.BOOKING, booking.id))
        held = [one for one in found if one.state is not PaymentState.FAILED] or found
        return held[0] if held else None

    async def takes_payments(self) -> bool:
        """Whether there is a provider at which guests can pay. Raises DatabaseUnavailable."""
        if self._default is None:
            await self.accounts.kept()
        return self.usual is not None

    async def provider(self, name: str | None) -> PaymentProvider:
        """The provider of this name, by the keys of now. Raises ProviderUnknown,
        ProviderUnavailable, DatabaseUnavailable."""
        if name is not None and self.accounts.may_have(name):
            await self.accounts.kept()
            if name not in self.providers:
                # Another process may have set it just now.
                await self.accounts.kept(seconds=0.0)
                self.accounts.check_open(name)
        found = None if name is None else self.providers.get(name)
        if found is None:
            raise ProviderUnknown(providers=self._for_shoppers())
        return ObservedProvider(found, self.ledger.observer)

    async def signers(self, name: str) -> list[PaymentProvider]:
        """Those whose callbacks come by this name: the accounts of one kind share an address.
        Raises ProviderUnknown, DatabaseUnavailable."""
        if self.accounts.may_have(name):
            await self.accounts.kept()
        found: list[PaymentProvider] = [
            ObservedProvider(one, self.ledger.observer)
            for known, one in self.providers.items()
            if name in (known, kind_of(known))
        ]
        return found or [await self.provider(name)]

    @property
    def usual(self) -> str | None:
        """Where payments begin that name no provider, as it was known last."""
        return self._default or self.accounts.current

    async def _chosen(self, name: str | None, *, of_shopper: bool) -> PaymentProvider:
        """Where a payment begins: the one that is named, or the usual one. An account of the
        console is named by its kind, and one that ended takes no more. Raises ProviderUnknown,
        ProviderUnavailable, DatabaseUnavailable."""
        await self.accounts.kept()
        if name is None:
            name = self.usual
        elif name not in self.providers and name == kind_of(self.accounts.current or ""):
            name = self.accounts.current
        chosen = await self.provider(name)
        if (of_shopper and chosen.for_staff) or self.accounts.is_ended(chosen.name):
            raise ProviderUnknown(providers=self._for_shoppers())
        return chosen

    async def _begins_at(
        self, hold_id: str, name: str | None, key: str | None, of_shopper: bool
    ) -> str:
        """The name of where a payment begins; or of the account that takes no more, at which a
        payment of this key began while it did: who repeats the call is answered as before, and
        nothing begins. Raises ProviderUnknown, ProviderUnavailable, DatabaseUnavailable."""
        try:
            return (await self._chosen(name, of_shopper=of_shopper)).name
        except ProviderUnknown:
            before = None if key is None else await self.ledger.provider_of(hold_id, key)
            if before is None or not self.accounts.is_ended(before):
                raise
            return before

    def _for_shoppers(self) -> list[str]:
        ended = self.accounts.is_ended
        named = [name for name, one in self.providers.items() if not one.for_staff]
        return sorted({kind_of(name) for name in named if not ended(name)})

    async def close(self) -> None:
        """Lets what is under way come to an end, for some seconds; what does not is taken over by
        the recovery."""
        tasks = list(self._at_work.values())
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=_CLOSE_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        for provider in list(self.providers.values()):
            await provider.close()
        await self.accounts.close()

    async def _answer_in_time(self, work: DuePayment, known: Paid | None) -> Paid:
        """Takes the steps up to the booking, in a task that goes on when the caller does not
        wait."""
        task = self._at_work.get(work.number)
        if task is None:
            first = self._take_step if known is None else self._look
            task = self._start(work, first(work))
        try:
            async with asyncio.timeout(self._engine.settings.payment_answer_seconds):
                after, paid = await asyncio.shield(task)
        except TimeoutError:
            return (await self.ledger.paid(work.id, None))[1]
        if after.step == "capture":
            # The booking stands; that the money is taken nobody needs to wait for.
            self._start(after, self.advance(after))
        return paid

    def _start(
        self, work: DuePayment, doing: Coroutine[None, None, tuple[DuePayment, Paid]]
    ) -> asyncio.Task[tuple[DuePayment, Paid]]:
        task = asyncio.create_task(doing)
        self._at_work[work.number] = task  # the newest; an older one ends by itself

        def ended(done: asyncio.Task[tuple[DuePayment, Paid]]) -> None:
            if self._at_work.get(work.number) is done:
                del self._at_work[work.number]
            if not done.cancelled() and done.exception() is not None:
                _log.warning("a payment waits", payment=work.id, error=str(done.exception()))

        task.add_done_callback(ended)
        return task

    async def advance(self, work: DuePayment) -> tuple[DuePayment, Paid]:
        """Takes the steps of a payment that are due, until it rests, waits, or the provider is
        away. Raises what says that the database is away."""
        paid: Paid | None = None
        for _ in range(_STEPS_MAX):
            step = work.step
            if step is None:
                break
            work, paid = await self._take_step(work)
            if work.step in (step, *_LATER):
                break
        if paid is None:
            return await self.ledger.paid(work.id, None)
        return work, paid

    async def look(self, work: DuePayment) -> Paid:
        """Asks the provider how a payment stands, writes it down, and goes on from there, not
        waiting for what nobody needs to wait for. Raises ProviderUnavailable."""
        standing = await (await self.provider(work.provider)).lookup(work.charge)
        after, paid = await self.ledger.settle(work, standing, _AWAIT_SECONDS)
        if after.step in ("capture", "void", "offer"):
            self._start(after, self.advance(after))
        return paid

    async def _look(self, work: DuePayment, *, is_refused: bool = False) -> tuple[DuePayment, Paid]:
        """Finds out how a payment stands, and writes it down. After a refusal it is looked up: the
        same order would be refused again."""
        try:
            provider = await self.provider(work.provider)
            if is_refused:
                standing = await provider.lookup(work.charge)
            else:
                standing = await self._find_out(provider, work)
        except (ProviderUnavailable, ProviderRefused) as error:
            _log.warning("provider", payment=work.id, step="look", error=str(error))
            return await self.ledger.paid(work.id, None)
        return await self.ledger.settle(work, standing, _AWAIT_SECONDS)

    async def _take_step(self, work: DuePayment) -> tuple[DuePayment, Paid]:
        if work.step == "offer":
            return await self.ledger.rebook(work, await self._offers.place(work))
        try:
            standing = await self._ask(work)
        except ProviderUnavailable as error:
            _log.warning("provider", payment=work.id, step=work.step, error=str(error))
            if work.state is not PaymentState.PENDING:
                return await self.ledger.paid(work.id, None)  # tried again when it is due
            # Whether the money was reserved is not known: that is what is written down.
            standing = Standing(
                payment_id=work.id,
                reference=work.reference,
                state=StandingState.PENDING,
                amount=work.amount,
            )
            return await self.ledger.settle(work, standing, _look_again_seconds(work.tries))
        except ProviderRefused as error:
            _log.warning("provider", payment=work.id, step=work.step, error=str(error))
            return await self._look(work, is_refused=True)
        return await self.ledger.settle(work, standing, _AWAIT_SECONDS)

    async def _ask(self, work: DuePayment) -> Standing | None:
        """Does with the provider what the step says. Raises ProviderUnavailable,
        ProviderRefused."""
        provider = await self.provider(work.provider)
        match work.step:
            case "capture":
                return await provider.capture(work.charge)
            case "void":
                return await provider.void(work.charge)
        standing = await self._find_out(provider, work)
        if standing is not None and standing.state in _OPEN and self._is_over(work):
            return await provider.void(structs.replace(work.charge, reference=standing.reference))
        return standing

    async def _find_out(self, provider: PaymentProvider, work: DuePayment) -> Standing | None:
        """How a payment stands. Without a reference the order was not sent yet, or its answer was
        lost: the same order is sent, which makes the payment once, and answers what became of it.
        Once the window is over nothing may begin any more, and it is looked up."""
        may_begin = work.state is PaymentState.PENDING and work.reference is None
        if not may_begin or work.token is None or (work.tries > 0 and self._is_over(work)):
            return await provider.lookup(work.charge)
        lines = work.lines
        if lines is None:
            lines = tuple((await self._engine.get_hold(ids.show(ids.HOLD, work.hold))).lines)
        return await provider.authorize(
            Order(
                payment_id=work.id,
                hold_id=ids.show(ids.HOLD, work.hold),
                owner=work.owner,
                amount=work.amount,
                token=work.token,
                return_url=work.return_url,
                description=ids.show(ids.BOOKING, work.hold),
                lines=lines,
            )
        )

    def _is_over(self, work: DuePayment) -> bool:
        return work.state is PaymentState.FAILED or self._engine.clock.now() >= work.window_ends_at


def _answered(paid: Paid, *, replayed: bool) -> Paid:
    """The answer for a payment as it stands. Raises PaymentDeclined, MoneyReturned."""
    payment = paid.payment
    if payment is not None:
        if payment.late == "refund":
            is_mismatch = payment.failure == "amount_mismatch"
            raise MoneyReturned(
                "another amount was paid than was asked for" if is_mismatch else None,
                payment_id=payment.id,
                failure=payment.failure,
            )
        if payment.state in (PaymentState.FAILED, PaymentState.VOIDED):
            raise PaymentDeclined(payment_id=payment.id, failure=payment.failure)
    return Paid(payment, paid.booking, replayed)


def _look_again_seconds(tries: int) -> int:
    """When to ask a provider again that did not answer: soon, then less and less often."""
    return int(min(_LOOK_AGAIN_SECONDS * 2 ** min(tries, 10), _LOOK_AGAIN_SECONDS_MAX))


def _check_url(value: str, field: str) -> None:
    _check_text(value, field, _URL_LENGTH_MAX)
    try:
        is_url = _URL.fullmatch(value) is not None and urlsplit(value).hostname is not None
    except ValueError:  # what stands between brackets is no address
        is_url = False
    if not is_url:
        raise InvalidRequest(f"{field} is an http or https URL", field=field)


def _check_text(value: str, field: str, length_max: int) -> None:
    if not 1 <= len(value) <= length_max or not value.isprintable():
        raise InvalidRequest(f"{field} has 1 to {length_max} printable characters", field=field)
