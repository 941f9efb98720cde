"""Judging a hold request by the resources that it names, before the database sees it: which claims
its lines mean, how long it may last, which limits it draws from, what it costs. The database
compares the versions of the resources that were used, so a judgement by an old plan never counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from msgspec import UNSET

from bespeak import ids
from bespeak.errors import (
    BespeakError,
    CurrenciesDiffer,
    DuplicateLine,
    HoldTimeBeyondCap,
    InvalidRequest,
    ResourceNotFound,
)
from bespeak.inventory.plans import CLAIMS_MAX, LineClaims, SaleContext
from bespeak.inventory.fingerprints import field_print
from bespeak.inventory.lines import Line, lines_text
from bespeak.inventory.resources import ReadyResource
from bespeak.pricing.demand import Demand
from bespeak.pricing.quotes import Quote
from bespeak.reservations.committer import Request
from bespeak.reservations.costs import Codes, Cost, coded_meaning, cost_of, encode_quote, presale_of
from bespeak.reservations.lines import Shown, ShownLine, counts, encode_shown
from bespeak.reservations.memory import Unit
from bespeak.reservations.shown_conflicts import tell_line

OWNER_LENGTH_MAX = 200
KEY_LENGTH_MAX = 200
PLACE_FIELDS = ("lines", "hold_seconds")
OWNER_PREFIX = "owner:"
_DRAWN_MAX = 2**31 - 1
_NO_DEMANDS: Mapping[int, Demand] = {}


class HoldRequest(NamedTuple):
    """A hold request as the caller made it. `partial` takes as much as there is; `alternatives` is
    how many offers a refusal carries at most."""

    owner: str
    lines: Sequence[Line]
    hold_seconds: int | None
    idempotency_key: str | None
    partial: bool = False
    alternatives: int = 0


class Claim(NamedTuple):
    """One claim of a request: a unit, or so many of a pool."""

    unit: Unit
    quantity: int | None
    capacity: int | None


class HoldTerms(NamedTuple):
    """How long a hold lasts, how long it may last in all, and what it costs: `amounts` each shown
    line (None: nothing), and the quote, where there is more to say."""

    hold_seconds: int
    cap_seconds: int
    amount: int
    currency: str
    amounts: list[int] | None
    quote: Quote | None


class JudgedRequest(NamedTuple):
    """A hold request as the database takes it, with what else the process needs of it: for each
    line the places of its claims and how many of each, empty where each line is one claim."""

    request: Request
    lines: list[Line]
    claims: list[Claim]
    meant: list[list[tuple[int, int]]]
    shown: Shown | None
    home: int
    terms: HoldTerms
    rows: tuple[Unit, ...]
    versions: tuple[tuple[int, int], ...]


def check_text(value: str, field: str, length_max: int) -> None:
    """Holds an owner, key or reason to its length, without control characters.
    Raises InvalidRequest."""
    if not 1 <= len(value) <= length_max or not value.isprintable():
        raise InvalidRequest(
            f"{field} has 1 to {length_max} characters and no control characters", field=field
        )


def numbers_of(lines: Sequence[Line], lines_max: int) -> list[int]:
    """The resource number of each line. Raises InvalidRequest, InvalidId."""
    if not 1 <= len(lines) <= lines_max:
        raise InvalidRequest(
            f"a hold has 1 to {lines_max} lines, not {len(lines)}", field="lines", limit=lines_max
        )
    return [ids.parse_resource(line.resource_id) for line in lines]


def sale_context(ready: ReadyResource, now: datetime, demand: Demand | None = None) -> SaleContext:
    """What the rule of a plan needs of the resource, the clock and the demand."""
    return SaleContext(now, ready.zone, ready.resource.id, ready.resource.price.amount, demand)


def judge(
    asked: HoldRequest,
    lines: Sequence[Line],
    ready_resources: Mapping[int, ReadyResource],
    hold_id: object,
    now: datetime,
    *,
    missing: Sequence[Line] = (),
    guarded: bool = True,
    demands: Mapping[int, Demand] = _NO_DEMANDS,
    quoted: bool = False,
) -> JudgedRequest:
    """The request for `place_holds`: of the lines as they were asked, or as they were chosen.
    `quoted` wants a quote even where it says no more than the amounts.

    Raises ResourceNotFound, DuplicateLine, UnknownUnit, UnknownCode, NotOnSale, InvalidRequest,
    HoldTimeBeyondCap, CurrenciesDiffer.
    """
    numbers = [ids.parse_resource(line.resource_id) for line in lines]
    used = [resource_in(ready_resources, number) for number in dict.fromkeys(numbers)]
    sales = {ready.number: sale_context(ready, now, demands.get(ready.number)) for ready in used}
    all_claims, codes = _meanings(lines, numbers, ready_resources, sales)
    cost = cost_of(numbers, all_claims, codes, used, sales, quoted=quoted)
    terms = _terms(asked, used, cost)
    claims, meant = _claims(numbers, all_claims)
    shown = _shown(all_claims, claims, meant, missing)
    drawn, limit_lines = _with_limits(asked.owner, used, numbers, all_claims, claims)
    guards = _guards(used, claims) if guarded else []
    request: Request = (
        hold_id,
        asked.owner,
        terms.hold_seconds,
        terms.cap_seconds,
        asked.idempotency_key,
        place_fingerprint(asked) if asked.idempotency_key is not None else None,
        *_columns(drawn),
        limit_lines,
        terms.amount,
        terms.currency,
        *((None, None) if shown is None else (counts(shown.lines), encode_shown(shown))),
        guards or None,
        terms.amounts,
        None if terms.quote is None else encode_quote(terms.quote),
        presale_of(numbers, codes, used, now) if codes else None,
    )
    return JudgedRequest(
        request,
        [line_claims.line for line_claims in all_claims],
        claims,
        meant,
        shown,
        numbers[0],
        terms,
        tuple({(guard[0], guard[1]) for guard in guards}),
        tuple([(ready.number, ready.resource.version) for ready in used]),
    )


def _columns(claims: Sequence[Claim]) -> tuple[object, ...]:
    """The claims as the database takes them: resources, units, quantities, capacities."""
    return (
        [claim.unit[0] for claim in claims],
        [claim.unit[1] or None for claim in claims],  # a number is given by the database
        [claim.quantity for claim in claims],
        [claim.capacity for claim in claims],
    )


def _meanings(
    lines: Sequence[Line],
    numbers: Sequence[int],
    ready_resources: Mapping[int, ReadyResource],
    sales: Mapping[int, SaleContext],
) -> tuple[list[LineClaims], Codes]:
    """What each line means by its plan, and the codes of the resources' prices. An error says which
    line it is about."""
    found: list[LineClaims] = []
    codes: Codes = {}
    try:
        for line, number in zip(lines, numbers, strict=True):
            if line.code is UNSET:
                found.append(ready_resources[number].plan.line_claims(line, sales[number]))
                continue
            line_claims, code = coded_meaning(line, ready_resources[number], sales[number])
            if code is not None:
                codes[len(found)] = code
            found.append(line_claims)
    except BespeakError as error:
        tell_line(error, len(found))
        raise
    return found, codes


def _terms(asked: HoldRequest, used: Sequence[ReadyResource], cost: Cost) -> HoldTerms:
    """The hold time that was asked or is the rule, within what all the resources allow, and the
    price. Raises HoldTimeBeyondCap, CurrenciesDiffer."""
    default_seconds, cap_seconds = _shared_policy(used)
    if asked.hold_seconds is not None and not 1 <= asked.hold_seconds <= cap_seconds:
        raise HoldTimeBeyondCap(hold_seconds_max=cap_seconds)
    return HoldTerms(
        asked.hold_seconds or default_seconds,
        cap_seconds,
        cost.amount,
        used[0].resource.price.currency,
        cost.amounts,
        cost.quote,
    )


def _with_limits(
    owner: str,
    used: Sequence[ReadyResource],
    numbers: Sequence[int],
    all_claims: Sequence[LineClaims],
    claims: list[Claim],
) -> tuple[list[Claim], int]:
    """The claims with the draws from the owner's limits behind them, and how many these are. A
    limit is just another pool, drawn in the same transaction."""
    limits = [
        Claim(
            (ready.number, OWNER_PREFIX + owner),
            _weight_of(ready.number, numbers, all_claims),
            ready.resource.owner_limit,
        )
        for ready in used
        if ready.resource.owner_limit is not None
    ]
    return (claims + limits if limits else claims), len(limits)


def _claims(
    numbers: Sequence[int], all_claims: Sequence[LineClaims]
) -> tuple[list[Claim], list[list[tuple[int, int]]]]:
    """The claims of all lines, each pool once with what all lines draw of it; and which of them
    each line means, nothing where each line is one claim."""
    plain = _plain_claims(numbers, all_claims)
    if plain is not None:
        return plain, []
    claims: list[Claim] = []
    places: dict[Unit, int] = {}
    meant: list[list[tuple[int, int]]] = []
    for number, line_claims in zip(numbers, all_claims, strict=True):
        mine: list[tuple[int, int]] = []
        for name, quantity, capacity in line_claims.needs:
            unit = (number, name)
            # Numbers (without a name yet) are each a claim of their own.
            place = places.get(unit) if name else None
            if place is None:
                place = places[unit] = len(claims)
                claims.append(Claim(unit, quantity, capacity))
            elif quantity is None or name == line_claims.line.unit:
                raise DuplicateLine(units=[name])
            else:
                claims[place] = _more(claims[place], quantity)
            mine.append((place, quantity or 1))
        meant.append(mine)
    if len(claims) > CLAIMS_MAX:
        raise InvalidRequest(
            f"the lines mean {len(claims)} claims, more than {CLAIMS_MAX}", field="lines"
        )
    return claims, meant


def _more(claim: Claim, quantity: int) -> Claim:
    """The claim with more drawn of it. Raises InvalidRequest."""
    drawn = (claim.quantity or 0) + quantity
    if drawn > _DRAWN_MAX:
        raise InvalidRequest(f"more than {_DRAWN_MAX} of {claim.unit[1]!r}", field="lines")
    return claim._replace(quantity=drawn)


def _shown(
    all_claims: Sequence[LineClaims],
    claims: Sequence[Claim],
    meant: Sequence[Sequence[tuple[int, int]]],
    missing: Sequence[Line],
) -> Shown | None:
    """The lines with what each means, and what is missing of them; nothing if each is simply its
    one claim, or a number, and nothing is missing."""
    if not meant and not missing:
        return None
    shown: list[ShownLine] = []
    is_plain = True
    for place, line_claims in enumerate(all_claims):
        line = line_claims.line
        mine = meant[place] if meant else [(place, line.quantity or 1)]
        if line.next is not UNSET:
            # Numbers are given out by the database: each is a line of its own, and draws one of
            # the code, if there is one.
            one = Line(line.resource_id, next=1, code=line.code)
            drawn = [(index, 1) for index, _ in mine if claims[index].quantity is not None]
            numbers = [claim for claim in mine if claims[claim[0]].quantity is None]
            shown += [ShownLine(one, [claim, *drawn], 1) for claim in numbers]
            is_plain = is_plain and not drawn
            continue
        (_, name), quantity, _ = claims[mine[0][0]]
        same = len(mine) == 1 and name == line.unit and quantity == line.quantity
        is_plain = is_plain and same and line.is_plain
        shown.append(ShownLine(line, list(mine), line_claims.weight))
    return None if is_plain and not missing else Shown(shown, list(missing))


def _plain_claims(numbers: Sequence[int], all_claims: Sequence[LineClaims]) -> list[Claim] | None:
    """The claims of lines that each are one claim, or None when some line is more."""
    claims: list[Claim] = []
    for number, line_claims in zip(numbers, all_claims, strict=True):
        line, needs = line_claims.line, line_claims.needs
        if len(needs) != 1 or not line.is_plain:
            return None
        name, quantity, capacity = needs[0]
        if name != line.unit or quantity != line.quantity:
            return None
        claims.append(Claim((number, name), quantity, capacity))
    if len({claim.unit for claim in claims}) < len(claims):
        raise DuplicateLine(units=[claim.unit[1] for claim in claims])
    return claims


def _shared_policy(used: Sequence[ReadyResource]) -> tuple[int, int]:
    """The hold time and the cap that all the resources allow. Raises CurrenciesDiffer."""
    if len(used) == 1:
        policy = used[0].resource
        return policy.hold_seconds, policy.hold_seconds_max
    if len({ready.resource.price.currency for ready in used}) > 1:
        raise CurrenciesDiffer
    return (
        min(ready.resource.hold_seconds for ready in used),
        min(ready.resource.hold_seconds_max for ready in used),
    )


def _weight_of(number: int, numbers: Sequence[int], all_claims: Sequence[LineClaims]) -> int:
    """How many the lines of one resource count against the owner's limit."""
    return sum([m.weight for m, n in zip(all_claims, numbers, strict=True) if n == number])


def _guards(
    used: Sequence[ReadyResource], claims: Sequence[Claim]
) -> list[tuple[int, str, str, str | None]]:
    """The seats that must not be left single, of the resources that want it."""
    found: list[tuple[int, str, str, str | None]] = []
    for ready in used:
        if ready.plan.guards_seats:
            units = [claim.unit[1] for claim in claims if claim.unit[0] == ready.number]
            found += [(ready.number, *guard) for guard in ready.plan.guards(units)]
    return found


def place_fingerprint(asked: HoldRequest) -> bytes:
    """What tells this request from another with the same key, field by field."""
    text = lines_text(asked.lines)
    if asked.partial:
        text += "\npartial"
    return field_print(text) + _seconds_print(asked.hold_seconds)


@lru_cache(maxsize=1024)
def _seconds_print(seconds: int | None) -> bytes:
    return field_print("" if seconds is None else str(seconds))


def resource_in(ready_resources: Mapping[int, ReadyResource], number: int) -> ReadyResource:
    """The resource made ready. Raises ResourceNotFound."""
    ready = ready_resources.get(number)
    if ready is None:
        raise ResourceNotFound(resource_id=ids.show_resource(number))
    return ready
