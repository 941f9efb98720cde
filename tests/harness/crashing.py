"""Paying and recovering while everything breaks: a step of the settlement is found by its name, and
a blow falls right before or right after it. A blow may be a kill -9 of a process of its own; there
are no hooks in the product, it is the objects that are wrapped.
"""

import asyncio
import contextlib
import multiprocessing
import os
import signal
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import bespeak
from bespeak.errors import BespeakError
from bespeak.payments.callbacks import receive
from bespeak.payments.providers.provider import ProviderUnavailable
from bespeak.payments.recovery import Recovery
from bespeak.payments.refunds.refunder import Refunder
from tests.harness.fragile import FragileWire
from tests.harness.paying import PAID

Facts = Mapping[str, str]
_DOWN_CALLS = 5
_PATIENCE_SECONDS = 60
# One process has all imported, and every victim is its fork.
_victims = multiprocessing.get_context("forkserver")
_victims.set_forkserver_preload([__name__])


class Fault(StrEnum):
    """What happens at a step."""

    KILLED_BEFORE = "killed before"
    KILLED_AFTER = "killed after"
    CUT_BEFORE = "connection lost before"
    CUT_AFTER = "connection lost after"
    DOWN = "provider down"
    TIMEOUT_BEFORE = "time-out before"
    TIMEOUT_AFTER = "time-out after"


ANYWHERE = (
    Fault.KILLED_BEFORE, Fault.KILLED_AFTER, Fault.CUT_BEFORE, Fault.CUT_AFTER, Fault.DOWN,
)  # fmt: skip
AT_PROVIDER = (*ANYWHERE, Fault.TIMEOUT_BEFORE, Fault.TIMEOUT_AFTER)


@dataclass(frozen=True)
class Step:
    """A step: on which object (`provider`, `ledger`, `refunds`, `engine`) which method is called,
    in which story, and, of `settle`, with which standing; its statement has the `marker` in it."""

    on: str
    method: str
    story: str
    standing: str | None = None
    marker: str = ""

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What can happen to it."""
        return AT_PROVIDER if self.on == "provider" else ANYWHERE


async def _pay(engine: bespeak.Engine, facts: Facts) -> None:
    await engine.payments.pay(facts["hold"], token=facts["token"], idempotency_key="k")


async def _recover(engine: bespeak.Engine, facts: Facts) -> None:
    await Recovery(engine.payments).look()


async def _be_told(engine: bespeak.Engine, facts: Facts) -> None:
    headers = {facts["header"]: facts["signature"]}
    await receive(engine.payments, "sandbox", headers, facts["body"].encode())


async def _cancel(engine: bespeak.Engine, facts: Facts) -> None:
    await engine.cancel_booking(facts["booking"], reason="ill", refund="full", idempotency_key="c")


async def _refund(engine: bespeak.Engine, facts: Facts) -> None:
    await Refunder(engine.payments, engine.refunds).look()


ACTS: dict[str, Callable[[bespeak.Engine, Facts], Awaitable[None]]] = {
    "pay": _pay,
    "recover": _recover,
    "be told": _be_told,
    "cancel": _cancel,
    "refund": _refund,
}


@dataclass
class Blow:
    """Falls once, at a step, before or after it; while a provider is down, it stays so."""

    engine: bespeak.Engine
    step: Step
    fault: Fault
    wire: FragileWire | None = None
    falls: int = 0
    _down: int = field(default=0, init=False)

    def wrap(self) -> None:
        """Puts itself in the way."""
        provider = self.engine.payments.providers["sandbox"]
        for verb in ("authorize", "capture", "void", "refund", "lookup"):
            _replace(provider, verb, self._unless_down)
        target = {
            "provider": provider, "ledger": self.engine.payments.ledger, "engine": self.engine,
            "refunds": self.engine.refunds,
        }[self.step.on]  # fmt: skip
        _replace(target, self.step.method, self._struck)

    async def _unless_down(self, real: Callable[..., Awaitable[object]], *args: object) -> object:
        if self._down:
            self._down -= 1
            raise ProviderUnavailable("nobody answers")
        return await real(*args)

    async def _struck(
        self, real: Callable[..., Awaitable[object]], *args: object, **named: object
    ) -> object:
        if self.falls or not self._is_it(args):
            return await real(*args, **named)
        if self.fault is not Fault.KILLED_AFTER:
            self.falls += 1
        self._before()
        answer = await real(*args, **named)
        self._afterwards()
        return answer

    def _is_it(self, args: tuple[object, ...]) -> bool:
        if self.step.standing is None:
            return True
        return getattr(args[1], "state", None) == self.step.standing

    def _before(self) -> None:
        match self.fault:
            case Fault.KILLED_BEFORE:
                os.kill(os.getpid(), signal.SIGKILL)
            case Fault.TIMEOUT_BEFORE:
                raise ProviderUnavailable("lost on its way")
            case Fault.DOWN:
                self._down = _DOWN_CALLS
            case Fault.CUT_BEFORE | Fault.CUT_AFTER:
                assert self.wire is not None
                if self.step.marker:
                    self.wire.arm(self.step.marker, after=self.fault is Fault.CUT_AFTER)
                elif self.fault is Fault.CUT_BEFORE:
                    self.wire.snap()

    def _afterwards(self) -> None:
        match self.fault:
            case Fault.KILLED_AFTER:
                os.kill(os.getpid(), signal.SIGKILL)
            case Fault.TIMEOUT_AFTER:
                raise ProviderUnavailable("the answer was lost")
            case Fault.CUT_AFTER if not self.step.marker:
                assert self.wire is not None
                self.wire.snap()


def _replace(target: object, method: str, by: Callable[..., Awaitable[object]]) -> None:
    real = getattr(target, method)

    async def instead(*args: object, **named: object) -> object:
        return await by(real, *args, **named)

    setattr(target, method, instead)


async def suffer(url: str, act: str, facts: Facts, step: Step, fault: Fault) -> int:
    """Does something with an engine to which something is done; how often the blow fell."""
    wire = None
    if fault in (Fault.CUT_BEFORE, Fault.CUT_AFTER):
        wire = FragileWire(url)
        await wire.mend()
        url = wire.url
    try:
        async with bespeak.connect(url, settings=PAID, sweep=False) as engine:
            blow = Blow(engine, step, fault, wire)
            blow.wrap()
            # What the caller is told is not the point; leaving waits for what goes on.
            with contextlib.suppress(BespeakError):
                await ACTS[act](engine, facts)
        assert wire is None or wire.broken == 1
    finally:
        if wire is not None:
            await wire.cut()
    return blow.falls


def _be_victim(url: str, act: str, facts: dict[str, str], step: Step, fault: Fault) -> None:
    asyncio.run(suffer(url, act, facts, step, fault))


async def die(url: str, act: str, facts: Facts, step: Step, fault: Fault) -> int | None:
    """The same in a process of its own, which the blow kills; its exit code."""
    process = _victims.Process(target=_be_victim, args=(url, act, dict(facts), step, fault))
    process.start()
    await asyncio.to_thread(process.join, _PATIENCE_SECONDS)
    if process.exitcode is None:
        process.kill()
    return process.exitcode
