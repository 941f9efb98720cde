"""What a stay costs: its nights at the rate that was chosen, what its guests cost beyond the room,
and the discount that comes by itself. Amounts are in minor units; each is rounded by night, by
guest, and the discount once for all of the rooms' price.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from msgspec import UNSET

from bespeak.errors import InvalidRequest, NotOnSale
from bespeak.inventory.line_checks import check_amount
from bespeak.inventory.plans import Reason, SaleContext
from bespeak.inventory.price_parts import PriceParts
from bespeak.inventory.shapes.nights.night_rules import NightRules, SaleDay, show_date
from bespeak.inventory.shapes.nights.plan import NightsPlan
from bespeak.inventory.shapes.nights.rates import NightRate, StayDiscount
from bespeak.inventory.shapes.nights.room_inventory import Stay
from bespeak.lines import Line
from bespeak.parties import COT_UNDER, Party, party_of
from bespeak.pricing.quotes import Discount, QuotedNights
from bespeak.pricing.rounding import ALL, share


class PricedStay(NamedTuple):
    """A stay, the rate by which it is priced (None: the usual one), and its guests, if they are
    known."""

    stay: Stay
    rate: NightRate | None
    party: Party | None


class StayPrice(NamedTuple):
    """What a stay costs; what each night of it does, all rooms and guests together; the discount on
    them; and whether each night is the same share of all of it."""

    amount: int
    nights: Sequence[int]
    discount: Discount | None
    is_plain: bool


class StayPrices:
    """The prices of a plan, with the rules of its dates."""

    def __init__(self, plan: NightsPlan, rules: NightRules) -> None:
        self._rules = rules
        self._plan = plan
        self.rates = {rate.name: rate for rate in plan.rates}
        self._is_plain = not (plan.discounts or plan.guest_price)

    def plain(self, line: Line, stay: Stay, sale: SaleContext) -> StayPrice | None:
        """The quick way to what most stays cost: that of their nights. None: ask `price`. Raises
        InvalidRequest for more than can be said."""
        said = line.guests is not UNSET or line.rate is not UNSET or line.ages is not UNSET
        if said or not self._is_plain or sale.demand is not None:
            return None
        nights = self._rules.prices(stay.arrival, stay.departure, sale.price)
        if stay.quantity != 1:
            nights = [price * stay.quantity for price in nights]
        return _summed(nights, None)

    def asked(self, line: Line, stay: Stay) -> PricedStay:
        """What a line asks to be priced. Raises InvalidRequest."""
        return PricedStay(stay, self._rate_of(line), self._party_of(line, stay))

    def check_sale(self, line: Line, asked: PricedStay, sale_day: SaleDay) -> None:
        """Raises NotOnSale for a rate that is not for this stay, with what it asks for."""
        rate, stay = asked.rate, asked.stay
        if rate is None or rate.admits(stay.nights, stay.arrival - sale_day.today):
            return
        reasons = _broken(rate, stay, sale_day)
        raise NotOnSale(reasons=reasons, resource_id=line.resource_id)

    def price(self, asked: PricedStay, sale: SaleContext, sale_day: SaleDay) -> StayPrice:
        """What it costs. Raises InvalidRequest for more than can be said."""
        stay, rate = asked.stay, asked.rate
        rooms = [
            sale.priced(self._rules.night(day).price, at=day) * stay.quantity
            if rate is None
            else rate.price_at(sale.priced(self._rules.night(day).price, at=day)) * stay.quantity
            for day in range(stay.arrival, stay.departure)
        ]
        of_guests = self.guests_a_night(asked.party, stay.quantity, rate)
        nights = [room + of_guests for room in rooms] if of_guests else rooms
        discount = self._discount(stay, sum(rooms), sale_day) if self._plan.discounts else None
        return _summed(nights, discount)

    def parts(self, asked: PricedStay, price: StayPrice) -> PriceParts:
        """What a quote says of it: nights that cost the same are told together."""
        nights = []
        days = enumerate(price.nights, asked.stay.arrival)
        for amount, run in groupby(days, key=lambda day: day[1]):
            same = [show_date(day) for day, _ in run]
            nights.append(QuotedNights(from_=same[0], nights=len(same), amount=amount))
        return PriceParts(nights, price.discount, asked.party)

    def _rate_of(self, line: Line) -> NightRate | None:
        if not isinstance(line.rate, str):
            return None
        rate = self.rates.get(line.rate)
        if rate is None:
            known = ", ".join(repr(name) for name in self.rates) or "none but the usual one"
            raise InvalidRequest(
                f"there is no rate {line.rate[:60]!r}; there are: {known[:600]}", field="lines.rate"
            )
        return rate

    def _party_of(self, line: Line, stay: Stay) -> Party | None:
        """The guests of a line. Raises InvalidRequest."""
        party, plan = party_of(line), self._plan
        if party is None:
            if isinstance(line.ages, tuple):
                raise InvalidRequest("`ages` are of some of the `guests`", field="lines.guests")
            return None
        if len(party.ages) > party.guests:
            raise InvalidRequest("there are more `ages` than `guests`", field="lines.ages")
        if party.guests < stay.quantity:
            raise InvalidRequest(
                f"{stay.quantity} rooms are for {stay.quantity} `guests` at least",
                field="lines.guests",
            )
        if plan.guests_max is not None:
            most, cots = plan.guests_max * stay.quantity, plan.cots * stay.quantity
            if party.in_beds(cots) > most:
                also = f", and {cots} children under {COT_UNDER} in cots" if cots else ""
                raise InvalidRequest(
                    f"a room is for {plan.guests_max} guests at most, so this is for {most}{also}",
                    field="lines.guests",
                )
        return party

    def guests_a_night(self, party: Party | None, rooms: int, rate: NightRate | None) -> int:
        """What the guests of so many rooms cost a night, beyond the rooms. Raises
        InvalidRequest."""
        further, each = self._plan.guest_price, 0 if rate is None else rate.guest_amount
        if not further and not each:
            return 0
        if party is None:
            raise InvalidRequest(
                "say for how many `guests` it is: the price depends on it", field="lines.guests"
            )
        shares = self._shares(party)
        beyond = shares[(self._plan.guests_included or 0) * rooms :]
        return sum(share(further, one) for one in beyond) + sum(share(each, one) for one in shares)

    def _shares(self, party: Party) -> list[int]:
        """What of a guest's amount each one costs, those who cost most first."""
        bands = self._plan.children
        of_children = [
            next((band.basis_points for band in bands if age < band.under), ALL)
            for age in party.ages
        ]
        return [ALL] * (party.guests - len(party.ages)) + of_children

    def _discount(self, stay: Stay, amount: int, sale_day: SaleDay) -> Discount | None:
        """The best discount of a stay; of equal ones the first."""
        ahead = stay.arrival - sale_day.today
        fitting = (one for one in self._plan.discounts if one.admits(stay.nights, ahead))
        best: StayDiscount | None = max(fitting, key=lambda one: one.basis_points, default=None)
        if best is None:
            return None
        off = share(amount, best.basis_points)
        return Discount(best.name, off) if off else None


def _summed(nights: list[int], discount: Discount | None) -> StayPrice:
    """Raises InvalidRequest for more than can be said."""
    amount = sum(nights)
    is_plain = discount is None and nights.count(nights[0]) == len(nights)
    if discount is not None:
        amount -= discount.amount
    check_amount(amount)
    return StayPrice(amount, nights, discount, is_plain)


def _broken(rate: NightRate, stay: Stay, sale_day: SaleDay) -> list[dict[str, object]]:
    """Every limit of a rate that a stay breaks."""
    ahead = stay.arrival - sale_day.today
    day, found = show_date(stay.arrival), []
    if rate.min_nights is not None and stay.nights < rate.min_nights:
        found.append({"reason": Reason.MIN_STAY, "date": day, "nights": rate.min_nights})
    if rate.max_nights is not None and stay.nights > rate.max_nights:
        found.append({"reason": Reason.MAX_STAY, "date": day, "nights": rate.max_nights})
    if rate.min_days_ahead is not None and ahead < rate.min_days_ahead:
        found.append({"reason": Reason.CUTOFF, "date": day, "days": rate.min_days_ahead})
    if rate.max_days_ahead is not None and ahead > rate.max_days_ahead:
        found.append({"reason": Reason.BEYOND_WINDOW, "date": day, "days": rate.max_days_ahead})
    return [{**note, "rate": rate.name} for note in found]
