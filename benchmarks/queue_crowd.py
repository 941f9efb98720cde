"""A rush of simulated buyers at a sale, second by second: with no waiting room, with one that lets
in by how many are inside, and with one that knows what is left. The arithmetic of the last is the
engine's own (`bespeak.admission.pace`); all three get the same buyers.
"""

import random
from dataclasses import dataclass, field
from typing import Literal

from bespeak.admission.pace import (
    Chances,
    Inside,
    Lately,
    PaceBounds,
    Stock,
    is_sold_out,
    persons_wanted,
    places_called,
)

Mode = Literal["none", "blind", "stock"]
BUYERS, SEATS = 200_000, 5_000
_INSIDE_MAX, _A_MINUTE = 500, 1_500
_PASS_SECONDS, _HOLD_SECONDS, _SOON_SECONDS = 600, 420, 60
_SERVED_A_SECOND = 300  # holds and refusals, of all that are asked for
_END_SECONDS = 4 * 3600


@dataclass(slots=True)
class Buyer:
    """Somebody who wants seats: so many, choosing and paying for so many seconds, who leaves when
    nothing comes of it; `buys` whether a hold becomes a booking."""

    party: int
    chooses: int
    pays: int
    leaves_at: int
    buys: bool
    comes_when_called: bool


@dataclass
class Outcome:
    """What came of it."""

    sold: int = 0
    sold_out_after: int | None = None
    inside: int = 0
    got_nothing: int = 0
    refused: int = 0
    asked: int = 0


@dataclass
class _Sale:
    free: int = SEATS
    held: list[tuple[int, int, bool]] = field(default_factory=list)  # until, units, bought
    without_hold: int = 0
    with_pass: int = 0
    ends: dict[int, list[Buyer]] = field(default_factory=dict)


def crowd(seed: int) -> list[Buyer]:
    """All buyers, in the order in which they stand."""
    dice = random.Random(seed)
    return [
        Buyer(
            party=dice.choices((1, 2, 3, 4), (2, 5, 2, 2))[0],
            chooses=dice.randint(20, 90),
            pays=dice.randint(30, 240),
            leaves_at=int(dice.expovariate(1 / 2400)) + 60,
            buys=dice.random() < 0.8,
            comes_when_called=dice.random() < 0.85,
        )
        for _ in range(BUYERS)
    ]


def run(mode: Mode, seed: int) -> Outcome:
    """A sale from its opening until all is sold, or nobody is left."""
    return _without_room(crowd(seed)) if mode == "none" else _with_room(crowd(seed), mode)


def _with_room(buyers: list[Buyer], mode: Mode) -> Outcome:
    out, sale, seen = Outcome(), _Sale(), Lately()
    queue = iter(buyers)
    credit = 0.0
    for now in range(_END_SECONDS):
        seen = _end_holds(sale, out, now, seen)
        for buyer in sale.ends.pop(now, ()):
            seen = _try(sale, out, buyer, now, seen)
        if out.sold >= SEATS:
            out.sold_out_after = now
            break
        credit = min(credit + _A_MINUTE / 60, _A_MINUTE / 12)
        chances = Chances.of(seen)
        soon = sum(units for until, units, _ in sale.held if until <= now + _SOON_SECONDS)
        stock = Stock(sale.free, sum(units for _, units, _ in sale.held), soon)
        inside = Inside(sale.with_pass, sale.without_hold, 0)
        wanted = persons_wanted(
            inside, stock if mode == "stock" else None, chances, PaceBounds(_INSIDE_MAX, credit)
        )
        if mode == "stock" and is_sold_out(stock):
            wanted = 0.0
        called = places_called(wanted, chances)
        credit -= called * chances.comes
        for _ in range(called):
            somebody = next(queue, None)
            if somebody is None:
                return out
            came = somebody.comes_when_called and somebody.leaves_at > now
            seen = seen._replace(called=seen.called + 1, came=seen.came + came)
            if came:
                out.inside += 1
                sale.with_pass += 1
                sale.without_hold += 1
                sale.ends.setdefault(now + somebody.chooses, []).append(somebody)
    return out


def _try(sale: _Sale, out: Outcome, buyer: Buyer, now: int, seen: Lately) -> Lately:
    """Somebody inside asks for seats: gets them, or fewer, or nothing and leaves."""
    out.asked += 1
    sale.without_hold -= 1
    units = min(buyer.party, sale.free)
    if units == 0:
        out.refused += 1
        out.got_nothing += 1
        sale.with_pass -= 1
        return seen._replace(passes=seen.passes + 1)
    sale.free -= units
    until = now + (buyer.pays if buyer.buys else _HOLD_SECONDS)
    sale.held.append((until, units, buyer.buys))
    return seen._replace(passes=seen.passes + 1, passes_holding=seen.passes_holding + 1)


def _end_holds(sale: _Sale, out: Outcome, now: int, seen: Lately) -> Lately:
    over = [one for one in sale.held if one[0] <= now]
    sale.held = [one for one in sale.held if one[0] > now]
    for _, units, bought in over:
        sale.with_pass -= 1
        if bought:
            out.sold += units
        else:
            sale.free += units
        seen = seen._replace(
            holds=seen.holds + 1, holds_bought=seen.holds_bought + bought, units=seen.units + units
        )
    return seen


def _without_room(buyers: list[Buyer]) -> Outcome:
    """All at once: who is not served asks again, until there is nothing or they have had enough."""
    out, sale, seen = Outcome(), _Sale(), Lately()
    out.inside = len(buyers)
    dice = random.Random(0)
    asking = list(range(len(buyers)))
    for now in range(_END_SECONDS):
        seen = _end_holds(sale, out, now, seen)
        if out.sold >= SEATS:
            out.sold_out_after = now
            break
        if now % 60 == 0:
            asking = [number for number in asking if buyers[number].leaves_at > now]
        out.asked += len(asking) // 5  # each once in five seconds
        for _ in range(min(_SERVED_A_SECOND, len(asking))):
            place = dice.randrange(len(asking))
            asking[place], asking[-1] = asking[-1], asking[place]
            buyer = buyers[asking[-1]]
            units = min(buyer.party, sale.free)
            if units == 0:
                out.refused += 1
                continue
            asking.pop()
            sale.free -= units
            sale.with_pass += 1
            until = now + (buyer.pays if buyer.buys else _HOLD_SECONDS)
            sale.held.append((until, units, buyer.buys))
        if not asking and not sale.held:
            break
    out.got_nothing = out.inside - sum(1 for _ in range(seen.holds))
    return out
