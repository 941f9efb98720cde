"""A random hour of a sale with everything that goes wrong in one: buyers, cards of every kind, a
bank that loses requests and answers, callbacks twice and in any order, processes that die between
any two steps, and a clock that jumps. Chance alone decides; the seed of the run repeats it.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from datetime import UTC, datetime

import bespeak
from bespeak import Resource
from bespeak.errors import BespeakError
from bespeak.payments.callbacks import receive
from bespeak.payments.providers.provider import ProviderUnavailable
from bespeak.payments.providers.sandbox.callbacks import SIGNATURE_HEADER, sign
from bespeak.payments.providers.sandbox.courier import SandboxCourier
from bespeak.payments.recovery import Recovery
from bespeak.payments.refunds.refunder import Refunder
from bespeak.reservations.sweeper import Sweeper
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.paying import bank, paying, take_seats
from tests.harness.refunding import canceller

TOKENS = (
    "tok_success", "tok_success", "tok_success", "tok_success", "tok_declined",
    "tok_insufficient_funds", "tok_challenge", "tok_challenge", "tok_pending",
    "tok_pending_declined", "tok_timeout_before", "tok_timeout_before_once", "tok_timeout_after",
    "tok_timeout_after", "tok_duplicate_callback", "tok_out_of_order", "tok_capture_fails",
    "tok_refund_fails_once", "tok_refund_fails", "tok_refund_pending", "tok_wrong_amount",
    "tok_wrong_currency", "tok_nonsense",
)  # fmt: skip
OWNERS = ("asha", "bela", "chandra")
VERBS = ("authorize", "capture", "void", "refund", "lookup")
WRITES = ("begin", "settle", "rebook", "due", "note_callback")
_SEATS = tuple(f"A{number}" for number in range(1, 21))


class Died(Exception):
    """The process died here: what it was about to do, or to hear of, never came."""


class Hour:
    """Two processes of one installation, their buyers and their bad luck."""

    def __init__(self, url: str, dice: random.Random, clock: Clock, connection: Connection) -> None:
        self._url = url
        self._dice = dice
        self._clock = clock
        self._connection = connection
        self._stacks: list[AsyncExitStack] = []
        self._kept_callbacks: list[bytes] = []
        self._late_orders: list[Callable[[], Awaitable[object]]] = []
        self._pays: list[tuple[str, str, str]] = []
        self.engines: list[bespeak.Engine] = []
        self.shows: list[Resource] = []
        self.holds: list[str] = []
        self.deaths = 0
        self.trouble = 0.1

    async def open(self) -> None:
        """Starts both processes."""
        for _ in range(2):
            self._stacks.append(AsyncExitStack())
            self.engines.append(await self._engine(self._stacks[-1]))

    async def close(self) -> None:
        """Ends both."""
        for stack in self._stacks:
            await stack.aclose()

    async def _engine(self, stack: AsyncExitStack) -> bespeak.Engine:
        engine = await stack.enter_async_context(paying(self._url))
        self._clock.shared_with(engine)
        for verb in VERBS:
            self._break(bank(engine), verb, (Died, ProviderUnavailable))
        for write in WRITES:
            self._break(engine.payments.ledger, write, (Died,))
        for write in ("due", "settle"):
            self._break(engine.refunds, write, (Died,))
        return engine

    def _break(self, owner: object, name: str, kinds: tuple[type[Exception], ...]) -> None:
        """Lets a call fail at times: before it is made, or after it was and before it is known."""
        real: Callable[..., Awaitable[object]] = getattr(owner, name)

        def fails() -> None:
            if self._dice.random() < self.trouble / 2:
                self.deaths += 1
                raise self._dice.choice(kinds)

        async def instead(*args: object, **named: object) -> object:
            fails()
            if name == "authorize" and self._dice.random() < self.trouble:
                # On its way for long: whoever asked has given up when the bank gets it.
                self._late_orders.append(lambda: real(*args, **named))
                raise ProviderUnavailable("no answer")
            answer = await real(*args, **named)
            fails()
            return answer

        setattr(owner, name, instead)

    @property
    def engine(self) -> bespeak.Engine:
        """One of the processes."""
        return self._dice.choice(self.engines)

    async def happen(self) -> None:
        """Something, or two things at once."""
        count = self._dice.choice((1, 1, 1, 2, 3))
        chosen = self._dice.choices(
            (self.buy, self.pay_again, self.decide, self.cancel, self.release, self.recover,
             self.call_back, self.wait, self.kill),
            (30, 10, 10, 8, 3, 15, 15, 12, 2), k=count,
        )  # fmt: skip
        if self.kill in chosen or self.wait in chosen:
            chosen = chosen[:1]  # these are for nobody else to be in the middle of
        await asyncio.gather(*(self._endure(one()) for one in chosen))

    async def _endure(self, doing: Awaitable[object]) -> None:
        with suppress(Died, BespeakError):  # what became of it is looked at in the end
            await doing

    async def buy(self) -> None:
        """Holds a seat or two and pays."""
        show, units = self._dice.choice(self.shows), self._dice.sample(_SEATS, 2)
        wanted = units[: self._dice.choice((1, 1, 2))]
        hold = await take_seats(
            self.engine, show, *wanted, owner=self._dice.choice(OWNERS), alternatives=0
        )
        self.holds.append(hold.id)
        self._pays.append((hold.id, self._dice.choice(TOKENS), f"key {len(self._pays)}"))
        await self._pay(*self._pays[-1])

    async def pay_again(self) -> None:
        """Repeats a payment, to the same process or the other; or tries another card."""
        if not self._pays:
            return
        hold, token, key = self._dice.choice(self._pays[-6:])
        if self._dice.random() < 0.5:
            token, key = self._dice.choice(TOKENS), f"key {len(self._pays)}"
            self._pays.append((hold, token, key))
        twice = self._dice.random() < 0.3
        await asyncio.gather(
            *(self._endure(self._pay(hold, token, key)) for _ in range(2 if twice else 1))
        )

    async def _pay(self, hold: str, token: str, key: str) -> None:
        await self.engine.payments.pay(hold, token=token, idempotency_key=key)

    async def decide(self) -> None:
        """A buyer at the bank's page approves, or does not."""
        rows = await self.engine.database.pool.fetch(
            "select bespeak.id_text('pay', payment_id) as id from bespeak.sandbox_payment"
            " where state = 'challenge' order by created_at"
        )
        if rows:
            chosen = self._dice.choice(rows)["id"]
            await bank(self.engine).decide(chosen, approve=self._dice.random() < 0.7)

    async def cancel(self) -> None:
        """Gives a booking back, or some of it; by the policy, by grace, or for nothing."""
        if not self.holds:
            return
        booking_id = self._dice.choice(self.holds[-20:]).replace("hold_", "bkg_")
        engine = self.engine
        booking = await engine.get_booking(booking_id)
        some = self._dice.random() < 0.4
        await engine.cancel_booking(
            booking_id,
            reason="ill",
            lines=[bespeak.Line(one.resource_id, one.unit) for one in booking.lines[:1]]
            if some
            else None,
            refund=self._dice.choice(("policy", "full", "none")),
        )

    async def release(self) -> None:
        """A buyer leaves, perhaps while paying."""
        if self.holds:
            await self.engine.release_hold(self._dice.choice(self.holds[-5:]))

    async def recover(self) -> None:
        """The background work of a process looks once."""
        engine = self.engine
        for work in (
            Recovery(engine.payments),
            Refunder(engine.payments, engine.refunds),
            canceller(engine),
        ):
            await self._endure(work.look())
        await Sweeper(engine.database.pool).sweep()

    async def call_back(self) -> None:
        """The bank tells what it has to tell, and what came before comes again."""
        engine = self.engine

        async def post(body: bytes, headers: dict[str, str]) -> int:
            self._kept_callbacks.append(body)
            if self._dice.random() < 0.3:
                return 500  # and so it comes again
            return await self._take(body)

        await SandboxCourier(engine.database.pool, post, bank(engine).secret).look()
        for body in self._dice.choices(self._kept_callbacks, k=min(3, len(self._kept_callbacks))):
            await self._take(body)

    async def _take(self, body: bytes) -> int:
        engine = self.engine
        # By the real clock: what is too old is refused, and is tested elsewhere.
        signature = sign(bank(engine).secret, body, datetime.now(UTC))
        try:
            await receive(engine.payments, "sandbox", {SIGNATURE_HEADER: signature}, body)
        except BespeakError as error:
            return error.status
        except Died:
            return 0
        return 200

    async def wait(self) -> None:
        """Time goes by, and what was on its way arrives."""
        await self._clock.advance(self._dice.choice((1, 3, 20, 40, 130, 400)))
        if self._late_orders and self._dice.random() < 0.3:
            await self._endure(self._late_orders.pop(0)())

    async def kill(self) -> None:
        """A process dies in the middle of what it does, and another starts in its place."""
        number = self._dice.randrange(len(self.engines))
        for task in list(self.engines[number].payments._at_work.values()):
            task.cancel()
        await self._stacks[number].aclose()
        self._stacks[number] = AsyncExitStack()
        self.engines[number] = await self._engine(self._stacks[number])

    async def end(self) -> None:
        """The trouble is over, and all that was left behind is finished or unwound."""
        self.trouble = 0
        for arrive in self._late_orders:
            await self._endure(arrive())
        self._late_orders = []
        for _ in range(40):
            await self.recover()
            await self.call_back()
            await self._settle()
            if not await self._connection.fetchval(
                "select exists (select from bespeak.payment where step is not null)"
                " or exists (select from bespeak.refund where state = 'pending')"
            ):
                return
            await self._clock.advance(900)
        raise AssertionError("there is always something due")

    async def _settle(self) -> None:
        """Waits for what goes on that nobody waited for."""
        tasks = [task for one in self.engines for task in one.payments._at_work.values()]
        await asyncio.gather(*tasks, return_exceptions=True)
