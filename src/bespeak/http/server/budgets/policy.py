"""What guests may keep: the numbers, and what is said to a guest who asks for more. An answer gets
stricter step by step: the hold is shorter, a challenge is asked for, and only then is there a no.
What was booked from an address earns it more: a school behind one address buys.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from bespeak.http.server.budgets.guest_holds import GuestHolds

SHORT_HOLD_SECONDS = 180
"""How long a hold lasts for an address that has kept much for nothing."""
_AGAIN_SECONDS = 60


class Budget(StrEnum):
    """What is limited."""

    GUEST_UNITS = "guest_units"
    ADDRESS_UNITS = "address_units"
    ADDRESS_SHARE = "address_share"
    WASTED = "wasted"
    RESOURCE_WASTED = "resource_wasted"
    PARTY = "party"
    PAUSE = "pause"
    HELD_AGAIN = "held_again"
    GUESTS = "guests"
    PAYMENTS = "payments"
    CODES = "codes"
    GUESSES = "guesses"
    JOINS = "joins"
    MAILS = "mails"
    TICKET_CODES = "ticket_codes"


class Step(StrEnum):
    """What a budget that is spent comes to."""

    SHORTER = "shorter"
    CHALLENGE = "challenge"
    REFUSED = "refused"
    NOTED = "noted"


class SpentBudget(NamedTuple):
    """A budget that is spent, and what it comes to; `limit` is what it was."""

    budget: Budget
    step: Step
    limit: int
    retry_after_seconds: int


class Limits(NamedTuple):
    """From how much on a challenge is asked for, and beyond how much the answer is no."""

    challenge: int
    refuse: int


# Units that one guest holds at once.
GUEST_UNITS = 30
# Units that the guests of one address hold at once, of all that is sold; and more for each booked.
ADDRESS_UNITS = Limits(100, 300)
# The same of one resource: so many units, or so many hundredths of it where that is more.
SHARE_UNITS = Limits(12, 40)
SHARE_HUNDREDTHS = Limits(4, 12)
# Units of an address that ended in nothing within the last hour.
WASTED = Limits(24, 72)
WASTED_SHORTER = 12
EARNED = Limits(2, 4)
"""What each unit that was booked from an address in the last hour adds to these limits."""
# Of a resource: what part of it was wasted within the hour, and how many times what was booked.
RESOURCE_WASTED_HUNDREDTHS = 30
RESOURCE_WASTED_TIMES = 3
RESOURCE_WASTED_MIN = 60
# Meanwhile, of an address that has not shown that it buys: units that it holds of it at once.
PARTY_UNITS = 6
# And until as much of it is booked as was wasted: how long such an address waits after its holds
# of it came to nothing for the first time, the second, and so on; and how much of what is left
# those that come again hold of it, all together.
RETURN_TIMES = 1
PAUSES_SECONDS = (120, 240, 480, 960, 1920)
HELD_AGAIN_HUNDREDTHS = 20
# Within an hour: new guests, payments that failed, and codes that were no good.
GUESTS = Limits(200, 2000)
PAYMENTS_OF_HOLD = 5
PAYMENTS_OF_GUEST = 10
PAYMENTS_OF_CARD = 5
PAYMENTS_OF_ADDRESS = 50
CODES_OF_GUEST = 20
CODES_OF_ADDRESS = 200
# Within a minute, where a waiting room says so: how many join from an address without a challenge.
JOINS_UNASKED = 30
# Guesses at ids and links, mails that were asked for, and codes of tickets that nobody signed.
GUESSES_OF_GUEST = 30
GUESSES_OF_ADDRESS = 200
MAILS_OF_RECIPIENT = 10
MAILS_OF_GUEST = 20
MAILS_OF_ADDRESS = 200
TICKET_CODES_OF_KEY = 500


WORDS = {
    Budget.GUEST_UNITS: "you hold as many as one guest may",
    Budget.ADDRESS_UNITS: "as many as may be are held from your network",
    Budget.ADDRESS_SHARE: "as many of this as may be are held from your network",
    Budget.WASTED: "too many holds from your network came to nothing",
    Budget.RESOURCE_WASTED: "too many holds of this came to nothing",
    Budget.PARTY: "so much is held of this that nobody buys: no more at once from your network",
    Budget.PAUSE: "a hold of this from your network came to nothing, and others wait for it",
    Budget.HELD_AGAIN: "those whose holds of this came to nothing hold as much of it as they may",
    Budget.GUESTS: "too many new guests came from your network",
    Budget.PAYMENTS: "too many payments failed",
    Budget.CODES: "too many codes were tried",
    Budget.GUESSES: "too many ids or links were tried that are not yours",
    Budget.JOINS: "many join waiting rooms from your network",
    Budget.MAILS: "too many mails were asked for",
    Budget.TICKET_CODES: "too many ticket codes were no good",
}
"""Why, in words for whoever is refused."""


class Asked(NamedTuple):
    """What a guest asks to hold: of each resource how many units, and how many it has (None: it
    goes on with time, or is not known yet)."""

    prefix: str | None
    guest: str
    parts: dict[int, int]
    totals: dict[int, int | None]


def judge(asked: Asked, holds: GuestHolds, now: float) -> SpentBudget | None:
    """The strictest thing that is to be said; None: nothing."""
    found = [*_of_guest(asked, holds)]
    if asked.prefix is not None:
        found += _of_prefix(asked, asked.prefix, holds, now)
        found += _of_resources(asked, asked.prefix, holds, now)
    order = (Step.REFUSED, Step.CHALLENGE, Step.SHORTER)
    return min(found, key=lambda one: order.index(one.step), default=None)


def _of_guest(asked: Asked, holds: GuestHolds) -> list[SpentBudget]:
    if holds.held_by_guest[asked.guest] + sum(asked.parts.values()) <= GUEST_UNITS:
        return []
    return [SpentBudget(Budget.GUEST_UNITS, Step.REFUSED, GUEST_UNITS, _AGAIN_SECONDS)]


def _of_prefix(asked: Asked, prefix: str, holds: GuestHolds, now: float) -> list[SpentBudget]:
    found: list[SpentBudget] = []
    booked = holds.booked_by_prefix[prefix]
    held = holds.held_by_prefix[prefix] + sum(asked.parts.values())
    found += _all_of(judged(Budget.ADDRESS_UNITS, held, earned(ADDRESS_UNITS, booked)))
    for resource, units in asked.parts.items():
        total = asked.totals.get(resource)
        if total is not None:
            share = Limits(
                max(SHARE_UNITS.challenge, total * SHARE_HUNDREDTHS.challenge // 100),
                max(SHARE_UNITS.refuse, total * SHARE_HUNDREDTHS.refuse // 100),
            )
            of_it = holds.held_of[prefix, resource] + units
            found += _all_of(judged(Budget.ADDRESS_SHARE, of_it, earned(share, booked)))
    wasted, limits = holds.wasted_by_prefix[prefix], earned(WASTED, booked)
    if wasted > limits.refuse:
        wait = int(holds.wasted_until(prefix, limits.refuse, now)) + 1
        found.append(SpentBudget(Budget.WASTED, Step.REFUSED, limits.refuse, wait))
    elif wasted > limits.challenge:
        found.append(SpentBudget(Budget.WASTED, Step.CHALLENGE, limits.challenge, 0))
    elif wasted > WASTED_SHORTER + booked:
        found.append(SpentBudget(Budget.WASTED, Step.SHORTER, WASTED_SHORTER + booked, 0))
    return found


def _of_resources(asked: Asked, prefix: str, holds: GuestHolds, now: float) -> list[SpentBudget]:
    """What many addresses do together, each within its budget: while most of a resource is kept for
    nothing, an address that has not shown that it buys is asked for a challenge, has one party's
    worth at once, and waits when that came to nothing."""
    booked = holds.booked_by_prefix[prefix]
    if booked and holds.wasted_by_prefix[prefix] <= RESOURCE_WASTED_TIMES * booked:
        return []
    found: list[SpentBudget] = []
    for resource, units in asked.parts.items():
        total = asked.totals.get(resource)
        wasted = holds.wasted_of[resource]
        if total is None or wasted < max(
            RESOURCE_WASTED_MIN, total * RESOURCE_WASTED_HUNDREDTHS // 100
        ):
            continue
        if wasted > RESOURCE_WASTED_TIMES * holds.booked_of[resource]:
            found.append(SpentBudget(Budget.RESOURCE_WASTED, Step.CHALLENGE, wasted, 0))
            if holds.held_of[prefix, resource] + units > PARTY_UNITS:
                found.append(SpentBudget(Budget.PARTY, Step.REFUSED, PARTY_UNITS, _AGAIN_SECONDS))
        if wasted > RETURN_TIMES * holds.booked_of[resource]:
            found += _of_return(prefix, resource, units, total, holds, now)
    return found


def _of_return(
    prefix: str, resource: int, units: int, total: int, holds: GuestHolds, now: float
) -> list[SpentBudget]:
    """Of an address whose holds of the resource came to nothing, and that comes again."""
    lapses = holds.lapses(prefix, resource)
    if lapses is None:
        return []
    pause = PAUSES_SECONDS[min(lapses.times, len(PAUSES_SECONDS)) - 1]
    left = lapses.last_at + pause - now
    if left > 0:
        return [SpentBudget(Budget.PAUSE, Step.REFUSED, pause, int(left) + 1)]
    share = (total - holds.booked_of[resource]) * HELD_AGAIN_HUNDREDTHS // 100
    if holds.held_again_of[resource] + units > share:
        return [SpentBudget(Budget.HELD_AGAIN, Step.REFUSED, share, _AGAIN_SECONDS)]
    return []


def judged(
    budget: Budget, amount: int, limits: Limits, retry_after_seconds: int = _AGAIN_SECONDS
) -> SpentBudget | None:
    """What so much of a budget comes to."""
    if amount > limits.refuse:
        return SpentBudget(budget, Step.REFUSED, limits.refuse, retry_after_seconds)
    if amount > limits.challenge:
        return SpentBudget(budget, Step.CHALLENGE, limits.challenge, 0)
    return None


def earned(limits: Limits, booked: int) -> Limits:
    """The limits of an address from which so many units were booked."""
    return Limits(
        limits.challenge + EARNED.challenge * booked, limits.refuse + EARNED.refuse * booked
    )


def _all_of(finding: SpentBudget | None) -> list[SpentBudget]:
    return [] if finding is None else [finding]
