"""What calls of guests pass through: it judges them by their budgets, and notes what they did.
Judging is look-ups in the memory of the worker; whoever has an sk_ key passes, unless it names the
address of the shopper that it acts for.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from ipaddress import ip_network
from typing import NamedTuple, Self

import structlog
from msgspec import UNSET

from bespeak import ids
from bespeak.cache import Cache
from bespeak.engine import Engine
from bespeak.errors import InvalidId, UnknownCode
from bespeak.http.server import metrics
from bespeak.http.server.budgets import policy
from bespeak.http.server.budgets.challenge import ANSWER_LENGTH_MAX, Challenge
from bespeak.http.server.budgets.counts import STEPS_PREFIX, Counts
from bespeak.http.server.budgets.guest_holds import GuestHold, GuestHolds, Outcome
from bespeak.http.server.budgets.policy import Asked, Budget, SpentBudget, Step
from bespeak.http.server.budgets.sharing import Sharing
from bespeak.http.server.client_address import networks_of
from bespeak.http.server.errors import BudgetSpent, ChallengeRequired
from bespeak.lines import Line
from bespeak.reservations.holds import Hold

_SILENT_SECONDS = 60.0
_TOLD_MAX = 1000
_UNITS_MAX = 1_000_000
_REPEATED_SECONDS = 900.0
_REPEATED_MAX = 100_000
_EXEMPT_MAX = 10_000
_log = structlog.get_logger()


class Visitor(NamedTuple):
    """Who is judged: the address (None: not known), the owner, and the answer to a challenge that
    they brought along."""

    prefix: str | None
    owner: str
    answer: str | None = None


class Spender(NamedTuple):
    """Whom a budget is of, and how much it is."""

    who: str
    limit: int


class Trial:
    """A try that may turn out to be good."""

    is_good = False


class Budgets:
    """The budgets of a worker."""

    def __init__(self, engine: Engine, secret: bytes, challenge: Challenge) -> None:
        settings = engine.settings
        self._engine = engine
        self.mode = settings.budgets
        self.exempt = settings.budgets_exempt
        self._exempt = networks_of(settings.budgets_exempt, "BESPEAK_BUDGETS_EXEMPT")
        self._exempt_known: Cache[str, bool] = Cache(size_max=_EXEMPT_MAX)
        self._digest_key = hmac.digest(secret, b"bespeak guests", "sha256")
        self._challenge = challenge
        self._told: Cache[tuple[str, str], bool] = Cache(
            seconds=_SILENT_SECONDS, size_max=_TOLD_MAX
        )
        self.given: Cache[tuple[str, str], bool] = Cache(
            seconds=_REPEATED_SECONDS, size_max=_REPEATED_MAX
        )
        self.holds = GuestHolds()
        self.counts = Counts()
        self.sharing = Sharing(engine.database, engine.clock, self.holds, self.counts)

    @property
    def are_on(self) -> bool:
        return self.mode != "off"

    def hold_admission(
        self, visitor: Visitor, lines: Sequence[Line], idempotency_key: str | None
    ) -> HoldAdmission:
        """The way of one request for a hold through the budgets."""
        return HoldAdmission(
            self, visitor, _units_of(lines) if self.are_on else {}, idempotency_key
        )

    def finding(self, asked: Asked) -> SpentBudget | None:
        """The budget that this would overspend, if so."""
        return policy.judge(asked, self.holds, self._engine.clock.seconds())

    async def seconds_max(self, finding: SpentBudget | None, visitor: Visitor) -> int | None:
        """For how many seconds a guest may hold where this was found; None: as the resource says.
        Raises BudgetSpent, ChallengeRequired."""
        if finding is None:
            return None
        await self._apply(finding, visitor)
        return policy.SHORT_HOLD_SECONDS if self.mode == "on" else None

    def note_hold(self, hold: Hold, asked: Asked) -> None:
        """Notes a hold that a guest was given."""
        hold_id = ids.parse(ids.HOLD, hold.id)
        placed_at, expires_at = hold.created_at.timestamp(), hold.expires_at.timestamp()
        for resource, units in _units_of(hold.lines).items():
            made = GuestHold(
                hold_id, resource, asked.prefix, asked.guest, units, placed_at, expires_at
            )
            if self.holds.add(made):
                self.sharing.tell(made)

    def asked(self, visitor: Visitor, parts: dict[int, int]) -> Asked:
        totals: dict[int, int | None] = {}
        for number in parts:
            ready = self._engine.ready_resources.peek(number)
            totals[number] = None if ready is None else ready.plan.units_total()
        return Asked(self._prefix(visitor), self.digest(visitor.owner), parts, totals)

    def ended(self, hold_id: str, outcome: Outcome) -> None:
        """Notes that a hold was booked, or let go."""
        if self.are_on and len(self.holds):
            now = self._engine.clock.seconds()
            for part in self.holds.end(ids.parse(ids.HOLD, hold_id), outcome, now):
                self.sharing.tell(part)

    def extended(self, hold: Hold) -> None:
        if self.are_on:
            self.holds.extend(ids.parse(ids.HOLD, hold.id), hold.expires_at.timestamp())

    async def admit_guest(self, visitor: Visitor | None) -> None:
        """Counts somebody who was nobody before. Raises BudgetSpent, ChallengeRequired."""
        prefix = None if visitor is None else self._prefix(visitor)
        if not self.are_on or visitor is None or prefix is None:
            return
        now = self._engine.clock.seconds()
        booked = self.holds.booked_by_prefix[prefix]
        limits = policy.earned(policy.GUESTS, booked)
        new = self.counts.spent(Budget.GUESTS, prefix, now) + 1
        finding = policy.judged(Budget.GUESTS, new, limits, self.counts.seconds_left(now))
        if finding is not None:
            await self._apply(finding, visitor)
        self.counts.add(Budget.GUESTS, prefix, now)

    async def admit_join(self, visitor: Visitor, unasked: int) -> None:
        """Has a guest who joins a waiting room solve a challenge, as more than so many join from
        the address. Raises ChallengeRequired."""
        is_exempt = visitor.prefix is not None and self._prefix(visitor) is None
        if self.are_on and not is_exempt:
            await self._apply(SpentBudget(Budget.JOINS, Step.CHALLENGE, unasked, 0), visitor)

    def note(self, budget: Budget, spender: Spender, count: int) -> None:
        """Counts what is never refused, and tells of it from its limit on."""
        if not self.are_on or not count:
            return
        now = self._engine.clock.seconds()
        self.counts.add(budget, spender.who, now, count)
        if self.counts.spent(budget, spender.who, now) > spender.limit:
            self._count_step(budget, Step.NOTED, count)
            self._tell_once(budget, spender.who)

    @contextmanager
    def trying(self, budget: Budget, spenders: Sequence[Spender]) -> Iterator[Trial]:
        """A try that counts against each of those, unless it is said to be good. It counts from its
        begin, or a hundred at once would each find the budget whole. Raises BudgetSpent."""
        if not self.are_on:
            yield Trial()
            return
        now = self._engine.clock.seconds()
        for who, limit in spenders:
            if self.counts.spent(budget, who, now) >= limit:
                wait = self.counts.seconds_left(now)
                self._refuse(SpentBudget(budget, Step.REFUSED, limit, wait), who)
        for who, _ in spenders:
            self.counts.add(budget, who, now)
        trial = Trial()
        try:
            yield trial
        finally:
            if trial.is_good:
                for who, _ in spenders:
                    self.counts.add(budget, who, now, -1)

    @contextmanager
    def trying_codes(self, visitor: Visitor, lines: Sequence[Line]) -> Iterator[None]:
        """A request whose codes may be guesses. Raises BudgetSpent."""
        if all(line.code is UNSET for line in lines):
            yield
            return
        spenders = self.spenders(visitor, policy.CODES_OF_GUEST, policy.CODES_OF_ADDRESS)
        with self.trying(Budget.CODES, spenders) as trial:
            try:
                yield
            except UnknownCode:
                raise
            except BaseException:
                trial.is_good = True
                raise
            trial.is_good = True

    def payment_spenders(self, visitor: Visitor, hold_id: str, token: str) -> list[Spender]:
        """Of whom a failed payment is: the hold, the guest, the address, and the card."""
        return [
            Spender(f"hold:{hold_id}", policy.PAYMENTS_OF_HOLD),
            Spender(f"card:{self.digest(token)}", policy.PAYMENTS_OF_CARD),
            *self.spenders(visitor, policy.PAYMENTS_OF_GUEST, policy.PAYMENTS_OF_ADDRESS),
        ]

    def spenders(self, visitor: Visitor, of_guest: int, of_prefix: int) -> list[Spender]:
        """A guest and the address, each with what it may spend."""
        prefix = self._prefix(visitor)
        found = [Spender(f"guest:{self.digest(visitor.owner)}", of_guest)]
        if prefix is not None:
            earned = policy.EARNED.refuse * self.holds.booked_by_prefix[prefix]
            found.append(Spender(f"address:{prefix}", of_prefix + earned))
        return found

    def digest(self, text: str) -> str:
        """What stands for a text that must not be kept: a guest's id, a card's token."""
        return hmac.digest(self._digest_key, text.encode(), "sha256").hex()[:32]

    async def run(self) -> None:
        """Tells the other workers and learns from them, until cancelled."""
        if self.are_on:
            await self.sharing.run()

    def measure(self) -> None:
        metrics.GUEST_HOLDS.set(len(self.holds))

    async def _apply(self, finding: SpentBudget, visitor: Visitor) -> None:
        """Counts and tells what a spent budget comes to. Raises BudgetSpent, ChallengeRequired."""
        subject = visitor.prefix or visitor.owner
        match finding.step:
            case Step.REFUSED:
                self._refuse(finding, subject)
            case Step.CHALLENGE:
                answer = visitor.answer
                is_solved = (
                    answer is not None
                    and len(answer) <= ANSWER_LENGTH_MAX
                    and await self._passes(answer, subject)
                )
                step = "solved" if is_solved else "challenge"
                self._count_step(finding.budget, step)
                if not is_solved and self.mode == "on":
                    raise ChallengeRequired(
                        budget=finding.budget, challenge=self._challenge.ask(subject)
                    )
            case Step.SHORTER:
                self._count_step(finding.budget, finding.step)

    async def _passes(self, answer: str, subject: str) -> bool:
        try:
            return await self._challenge.passes(answer, subject)
        except Exception:  # a package of others: who is asked is asked again, and nothing breaks
            _log.exception("a challenge could not be judged")
            return False

    def _refuse(self, finding: SpentBudget, subject: str) -> None:
        """Raises BudgetSpent, unless budgets are only watched."""
        self._count_step(finding.budget, finding.step)
        self._tell_once(finding.budget, subject)
        if self.mode == "on":
            raise BudgetSpent(
                f"{policy.WORDS[finding.budget]}: come back in {finding.retry_after_seconds} s",
                retry_after_seconds=finding.retry_after_seconds,
                budget=finding.budget,
                limit=finding.limit,
            )

    def _count_step(self, budget: Budget, step: str, count: int = 1) -> None:
        """Counts for the metrics, and for the operator's page."""
        metrics.BUDGETS.labels(budget, step).inc(count)
        self.counts.add(f"{STEPS_PREFIX}{budget}", step, self._engine.clock.seconds(), count)

    def _tell_once(self, budget: Budget, who: str) -> None:
        if self._told.peek((budget, who)) is None:
            self._told.put((budget, who), True)
            _log.warning("a budget is spent", budget=budget, who=who, mode=self.mode)

    def _prefix(self, visitor: Visitor) -> str | None:
        """The address that is judged; None for one that is exempt, or not known."""
        prefix = visitor.prefix
        if prefix is None or not self._exempt:
            return prefix
        is_exempt = self._exempt_known.peek(prefix)
        if is_exempt is None:
            own = ip_network(prefix)
            is_exempt = any(
                own.version == other.version and own.subnet_of(other)  # type: ignore[arg-type]
                for other in self._exempt
            )
            self._exempt_known.put(prefix, is_exempt)
        return None if is_exempt else prefix


class HoldAdmission:
    """A request for a hold on its way: while it is, what it asks for counts as held, or a hundred
    at once would each find room for itself."""

    __slots__ = ("_asked", "_budgets", "_is_reserved", "_key", "_parts", "_visitor")

    def __init__(
        self, budgets: Budgets, visitor: Visitor, parts: dict[int, int], key: str | None
    ) -> None:
        self._budgets = budgets
        self._visitor = visitor
        self._parts = parts
        self._key = key
        self._asked: Asked | None = None
        self._is_reserved = False

    async def seconds_max(self) -> int | None:
        """For how many seconds at most it may be held; None: as the resource says. Who repeats by
        a key what was given before is not judged again. Raises BudgetSpent, ChallengeRequired."""
        if not self._parts:
            return None
        budgets = self._budgets
        asked = self._asked = budgets.asked(self._visitor, self._parts)
        if self._key is not None and budgets.given.peek((asked.guest, self._key)) is not None:
            return None
        finding = budgets.finding(asked)
        budgets.holds.reserve(asked.prefix, asked.guest, asked.parts)
        self._is_reserved = True
        return await budgets.seconds_max(finding, self._visitor)

    def placed(self, hold: Hold) -> None:
        """Notes what was given."""
        if self._asked is not None and not hold.replayed:
            self._budgets.note_hold(hold, self._asked)
            if self._key is not None:
                self._budgets.given.put((self._asked.guest, self._key), True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """It is over, whatever became of it."""
        if self._is_reserved and self._asked is not None:
            asked, self._is_reserved = self._asked, False
            self._budgets.holds.reserve(asked.prefix, asked.guest, asked.parts, sign=-1)


def _units_of(lines: Sequence[Line]) -> dict[int, int]:
    """How many units lines ask for, of each resource."""
    found: dict[int, int] = {}
    for line in lines:
        try:
            number = ids.parse_resource(line.resource_id)
        except InvalidId:
            return {}  # the engine says so
        found[number] = min(_UNITS_MAX, found.get(number, 0) + _count(line))
    return found


def _count(line: Line) -> int:
    quantity = line.quantity or 1
    if line.best is not UNSET:
        return line.best.quantity
    return quantity if line.next is UNSET else line.next
