"""What the lines of a request cost: by their plans and the resource's price rules, with the codes
that they name. Where no resource has rules, the plans' amounts are all there is to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec
from msgspec import UNSET

from bespeak.errors import InvalidRequest, ResourceNotOpen
from bespeak.inventory.plans import LineClaims, Need, SaleContext
from bespeak.inventory.price_lists import bare, code_of, code_pool
from bespeak.inventory.price_parts import PriceParts
from bespeak.inventory.resources import ReadyResource
from bespeak.lines import Line
from bespeak.postgres.json_text import json_text
from bespeak.pricing.quotes import Priced, Quote, StayGuests, make_quote
from bespeak.pricing.rules import PriceCode
from bespeak.reservations.request import name_line

Codes = dict[int, PriceCode]
"""The codes that lines have of their resources' prices, by the indices of the lines."""
AMOUNT_MAX = 10**18


class Cost(msgspec.Struct, frozen=True):
    """What a request costs: in all, each shown line (None: nothing), and the quote, where there is
    more to say."""

    amount: int
    amounts: list[int] | None
    quote: Quote | None


def bare_line(line: Line, ready: ReadyResource) -> Line:
    """The line as its plan takes it, without a code of the resource's prices."""
    return line if line.code is UNSET else bare(line, ready.plan, ready.prices)


def coded_claims(
    line: Line, ready: ReadyResource, sale: SaleContext
) -> tuple[LineClaims, PriceCode | None]:
    """The claims of a line with a code. A code of the resource's prices is one more pool that it
    draws from. Raises as the plan does, and UnknownCode."""
    plain = bare_line(line, ready)
    line_claims = ready.plan.line_claims(plain, sale)
    if plain is line:
        return line_claims, None
    code = code_of(line, line_claims.line.unit, ready.plan, ready.prices, sale.now)
    shown = msgspec.structs.replace(line_claims.line, code=code.code)
    needs = (*line_claims.needs, Need(code_pool(code), line_claims.weight, code.capacity))
    return line_claims._replace(line=shown, needs=needs), code


def cost_of(
    numbers: Sequence[int],
    all_claims: Sequence[LineClaims],
    codes: Codes,
    used: Sequence[ReadyResource],
    sales: Mapping[int, SaleContext],
    *,
    quoted: bool = False,
) -> Cost:
    """What the lines cost; with a quote only where it says more than the amounts, or is wanted."""
    if quoted:
        quote = quote_of(numbers, all_claims, codes, used, sales)
        return Cost(quote.total.amount, quote.amounts, quote)
    has_parts = any(line_claims.has_parts for line_claims in all_claims)
    if not has_parts and all(ready.prices is None for ready in used):
        amounts = _amounts(all_claims)
        amount = _bounded(sum(amounts))
        return Cost(amount, amounts if amount else None, None)
    quote = quote_of(numbers, all_claims, codes, used, sales)
    amount = quote.total.amount
    return Cost(amount, quote.amounts if amount else None, None if quote.is_plain else quote)


def quote_of(
    numbers: Sequence[int],
    all_claims: Sequence[LineClaims],
    codes: Codes,
    used: Sequence[ReadyResource],
    sales: Mapping[int, SaleContext],
) -> Quote:
    """The quote of the lines, all of one currency."""
    ready_resources = {ready.number: ready for ready in used}
    priced: list[Priced] = []
    for index, (number, line_claims) in enumerate(zip(numbers, all_claims, strict=True)):
        ready, sale = ready_resources[number], sales[number]
        try:
            priced += _priced(line_claims, codes.get(index), ready, sale)
        except InvalidRequest as error:
            name_line(error, index)
            raise
    quote = make_quote(priced, used[0].resource.price.currency)
    _bounded(quote.total.amount)
    return quote


def presale_of(
    numbers: Sequence[int], codes: Codes, used: Sequence[ReadyResource], now: datetime
) -> list[int] | None:
    """The resources that this request may hold before they open, because each of its lines there
    has a presale code; None: there is no such."""
    early = [
        ready.number
        for ready in used
        if ready.resource.opens_at is not None
        and ready.resource.opens_at > now
        and all(
            index in codes and codes[index].presale
            for index, number in enumerate(numbers)
            if number == ready.number
        )
    ]
    return early or None


def may_come_early(reason: Exception, ready: ReadyResource, lines: Sequence[Line]) -> bool:
    """Whether lines may be held of a resource that is not open yet: all name presale codes."""
    prices = ready.prices
    if prices is None or not prices.has_presale or not isinstance(reason, ResourceNotOpen):
        return False
    return all(
        line.code is not UNSET and line.code in prices.codes and prices.codes[line.code].presale
        for line in lines
        if line.resource_id == ready.resource.id
    )


def _bounded(amount: int) -> int:
    """Raises InvalidRequest for more money than can be said."""
    if amount > AMOUNT_MAX:
        raise InvalidRequest("all of this costs more than can be said", field="lines")
    return amount


def _amounts(all_claims: Sequence[LineClaims]) -> list[int]:
    """What each shown line costs: numbers are a line each."""
    found: list[int] = []
    for line_claims in all_claims:
        count = 1 if line_claims.line.next is UNSET else line_claims.weight
        found += [line_claims.amount // count] * count
    return found


def _priced(
    line_claims: LineClaims, code: PriceCode | None, ready: ReadyResource, sale: SaleContext
) -> list[Priced]:
    """A line as it is quoted, or a line for each of its numbers."""
    line = line_claims.line
    own = bare_line(line, ready)
    parts = ready.plan.price_parts(own, sale)
    if parts is not None:
        return [_priced_stay(line_claims, parts, code, ready, sale)]
    listed = line_claims.amount
    if sale.demand is not None:
        listed = ready.plan.line_claims(own, sale._replace(demand=None)).amount
    count = 1 if line.next is UNSET else line_claims.weight
    one = Priced(
        ready.resource.id,
        ready.resource.pricing,
        line.unit or ready.resource.name if line.rate is UNSET else line.rate,
        line_claims.weight // count,
        line_claims.amount // count,
        listed // count,
        line.unit,
        ready.plan.category_of(line.unit),
        code,
        None if line.rate is UNSET else line.rate,
    )
    return [one] * count


def _priced_stay(
    line_claims: LineClaims,
    parts: PriceParts,
    code: PriceCode | None,
    ready: ReadyResource,
    sale: SaleContext,
) -> Priced:
    """A stay as it is quoted. Raises InvalidRequest where a tax asks how many guests there are."""
    line, pricing = line_claims.line, ready.resource.pricing
    guests = None
    if parts.party is not None:
        nights = sum(run.nights for run in parts.nights)
        guests = StayGuests(parts.party.guests, parts.party.ages, nights)
    elif pricing is not None and any(tax.guest_night for tax in pricing.taxes):
        raise InvalidRequest(
            "say for how many `guests` it is: there is a tax for each of them",
            field="lines.guests",
        )
    listed = parts.gross
    if sale.demand is not None:
        usual = ready.plan.price_parts(bare_line(line, ready), sale._replace(demand=None))
        listed = listed if usual is None else usual.gross
    return Priced(
        ready.resource.id,
        pricing,
        line.unit or ready.resource.name,
        line_claims.weight,
        parts.gross,
        listed,
        line.unit,
        ready.plan.category_of(line.unit),
        code,
        None if line.rate is UNSET else line.rate,
        parts.nights,
        guests,
        parts.discount,
    )


def decode_quote(stored: object) -> Quote | None:
    """A quote as it was stored."""
    return None if stored is None else _QUOTE.decode(json_text(stored))


def encode_quote(quote: Quote) -> str:
    """As it is stored."""
    return msgspec.json.encode(quote).decode()


_QUOTE: msgspec.json.Decoder[Quote] = msgspec.json.Decoder(Quote)
