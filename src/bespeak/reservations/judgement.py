"""Judging a hold request by the resources that it names, before the database sees it: which claims
its lines mean, how long it may last, which limits it draws from, what it costs. The database
compares the versions of the resources that were used, so a judgement by an old plan never counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from itertools import repeat
from operator import itemgetter
from uuid import UUID

import msgspec
from msgspec import UNSET

from bespeak import ids
from bespeak.actors import acting
from bespeak.errors import (
    BespeakError,
    CurrenciesDiffer,
    HoldTimeBeyondCap,
    ResourceClosed,
    ResourceNotFound,
    ResourceNotOpen,
)
from bespeak.inventory.plans import LineClaims, SaleContext
from bespeak.inventory.resources import ReadyResource
from bespeak.lines import Line
from bespeak.pricing.demand import Demand
from bespeak.pricing.quotes import Quote
from bespeak.reservations.claims import merged_claims, shown_of_claims
from bespeak.reservations.costs import (
    AMOUNT_MAX,
    Codes,
    Cost,
    coded_claims,
    cost_of,
    encode_quote,
    presale_of,
)
from bespeak.reservations.errors import KeptForWaitlist
from bespeak.reservations.lines import Shown, counts, encode_shown
from bespeak.reservations.memory import Unit
from bespeak.reservations.request import (
    OWNER_PREFIX,
    HoldRequest,
    HoldRequestRow,
    SeatGuardRow,
    least,
    name_line,
)

_FIRST, _SECOND = itemgetter(0), itemgetter(1)
NO_DEMANDS: Mapping[int, Demand] = {}


class JudgedRequest(msgspec.Struct, frozen=True):
    """A hold request as the database takes it, with what else the process needs of it: the lines to
    show; the units of its claims without those of limits; for each line the indices of its claims
    and how many of each, empty where each line is one claim; the versions of the resources."""

    row: HoldRequestRow
    lines: list[Line]
    units: list[Unit]
    claims_of_lines: Sequence[list[tuple[int, int]]]
    shown: Shown | None
    quote: Quote | None
    versions: tuple[tuple[int, int], ...]


class JudgedLines(msgspec.Struct, frozen=True):
    """What the lines of a request come to. The claims stand side by side: their units, how many
    (None: an exclusive unit), and capacities; `weights` are how many count against the owner's
    limit, by resource; the others are as in JudgedRequest and HoldRequestRow."""

    used: list[ReadyResource]
    lines: list[Line]
    units: list[Unit]
    quantities: list[int | None]
    capacities: list[int | None]
    weights: dict[int, int]
    hold_seconds: int
    cap_seconds: int
    cost: Cost
    claims_of_lines: Sequence[list[tuple[int, int]]] = ()  # empty: each line is one claim
    shown: Shown | None = None
    presale: list[int] | None = None


def judge_plain_lines(
    request: HoldRequest, lines: Sequence[Line], ready: ReadyResource
) -> JudgedLines | None:
    """The fast path of `judge_lines`, which nearly all holds of a rush take: lines of one resource
    without price rules that are one claim each, looked up by the plan in one pass. None where they
    are more, or something is wrong with them: `judge_lines` says what."""
    resource = ready.resource
    if ready.prices is not None:
        return None
    plain = ready.plan.plain(lines, resource.price.amount)
    if plain is None:
        return None
    names, quantities, capacities, amounts, weight = plain
    amount, hold_seconds = sum(amounts), request.hold_seconds
    if hold_seconds is None:
        hold_seconds = resource.hold_seconds
    elif not 1 <= hold_seconds <= resource.hold_seconds_max:
        return None
    if amount > AMOUNT_MAX or len(set(names)) < len(names):
        return None
    number = ready.number
    return JudgedLines(
        used=[ready],
        lines=list(lines),
        units=list(zip(repeat(number), names)),
        quantities=quantities,
        capacities=capacities,
        weights={number: weight},
        hold_seconds=hold_seconds,
        cap_seconds=resource.hold_seconds_max,
        cost=Cost(amount, amounts if amount else None, None),
    )


def judge_lines(
    request: HoldRequest,
    lines: Sequence[Line],
    resources: Mapping[int, ReadyResource],
    now: datetime,
    *,
    missing: Sequence[Line] = (),
    demands: Mapping[int, Demand] = NO_DEMANDS,
    quoted: bool = False,
) -> JudgedLines:
    """What lines come to, as they were asked or as they were chosen. `quoted` wants a quote even
    where it says no more than the amounts.

    Raises ResourceNotFound, DuplicateLine, UnknownUnit, UnknownCode, NotOnSale, InvalidRequest,
    HoldTimeBeyondCap, CurrenciesDiffer.
    """
    numbers = [ids.parse_resource(line.resource_id) for line in lines]
    used = [resource_in(resources, number) for number in dict.fromkeys(numbers)]
    _check_one_workspace(used)
    sales = {ready.number: sale_context(ready, now, demands.get(ready.number)) for ready in used}
    all_claims, codes = _line_claims(lines, numbers, resources, sales)
    cost = cost_of(numbers, all_claims, codes, used, sales, quoted=quoted)
    hold_seconds, cap_seconds = _hold_times(request, used)
    claims = merged_claims(numbers, all_claims)
    weights = dict.fromkeys(numbers, 0)
    for number, line_claims in zip(numbers, all_claims, strict=True):
        weights[number] += line_claims.weight
    return JudgedLines(
        used=used,
        lines=[line_claims.line for line_claims in all_claims],
        units=claims.units,
        quantities=claims.quantities,
        capacities=claims.capacities,
        weights=weights,
        hold_seconds=hold_seconds,
        cap_seconds=cap_seconds,
        cost=cost,
        claims_of_lines=claims.of_lines,
        shown=shown_of_claims(all_claims, claims, missing),
        presale=presale_of(numbers, codes, used, now) if codes else None,
    )


def judged_request(
    request: HoldRequest, judged: JudgedLines, hold_id: UUID, *, guarded: bool = True
) -> JudgedRequest:
    """The request for `place_holds`; with `guarded` it leaves no seat single that must not be."""
    units, cost, shown = judged.units, judged.cost, judged.shown
    resources = list(map(_FIRST, units))
    names: list[str | None] = list(map(_SECOND, units))
    if "" in names:
        names = [name or None for name in names]  # the database gives the next number
    quantities, capacities = judged.quantities, judged.capacities
    versions = []
    for ready in judged.used:
        versions.append((ready.number, ready.resource.version))
        limit = least(request.bounds.units, ready.resource.owner_limit)
        if limit is not None:
            # A limit is one more pool, drawn in the same transaction.
            resources.append(ready.number)
            names.append(OWNER_PREFIX + request.owner)
            quantities = [*quantities, judged.weights[ready.number]]
            capacities = [*capacities, limit]
    row = HoldRequestRow(  # by place: by name it takes three times as long, for every hold
        hold_id,
        request.owner,
        at_most(request.bounds.seconds, judged.hold_seconds),
        at_most(request.bounds.seconds, judged.cap_seconds),
        request.idempotency_key,
        None if request.idempotency_key is None else request.fingerprint(),
        resources,
        names,
        quantities,
        capacities,
        len(names) - len(units),
        cost.amount,
        judged.used[0].resource.price.currency,
        None if shown is None else counts(shown.lines),
        None if shown is None else encode_shown(shown),
        _guards(judged.used, units) if guarded else None,
        cost.amounts,
        None if cost.quote is None else encode_quote(cost.quote),
        judged.presale,
        acting(),
    )
    return JudgedRequest(
        row, judged.lines, units, judged.claims_of_lines, shown, cost.quote, tuple(versions)
    )


def at_most(seconds_max: int | None, seconds: int) -> int:
    return seconds if seconds_max is None or seconds <= seconds_max else seconds_max


def sale_context(ready: ReadyResource, now: datetime, demand: Demand | None = None) -> SaleContext:
    """What the rule of a plan needs of the resource, the clock and the demand."""
    return SaleContext(now, ready.zone, ready.resource.id, ready.resource.price.amount, demand)


def resource_in(
    resources: Mapping[int, ReadyResource], number: int, *, published_only: bool = False
) -> ReadyResource:
    """The resource made ready. Raises ResourceNotFound, for guests (`published_only`) also of one
    that is not published."""
    ready = resources.get(number)
    if ready is None or (published_only and not ready.resource.published):
        raise ResourceNotFound(resource_id=ids.show_resource(number))
    return ready


def _check_one_workspace(used: Sequence[ReadyResource]) -> None:
    """A hold is of one workspace, that of its first line. Raises ResourceNotFound."""
    for ready in used[1:]:
        if ready.resource.workspace != used[0].resource.workspace:
            raise ResourceNotFound(
                "the resource is in another workspace", resource_id=ready.resource.id
            )


def closed_reason(
    ready: ReadyResource, now: Callable[[], datetime], *, published_only: bool = False
) -> BespeakError | None:
    """Why nothing of this resource can be held at this time, if so; by guests nothing of one that
    is not published, nor of one that has begun, unless its `closes_at` says when its sale ends, nor
    of one that is kept for who waits for it."""
    resource = ready.resource
    if published_only and not resource.published:
        return ResourceNotFound(resource_id=resource.id)
    opens_at = resource.opens_at
    closes_at = ready.guests_until if published_only else resource.closes_at
    if resource.state != "open":
        return ResourceClosed(resource_id=resource.id)
    if closes_at is not None and closes_at <= now():
        return ResourceClosed(resource_id=resource.id, closes_at=closes_at)
    if opens_at is not None and opens_at > now():
        return ResourceNotOpen(resource_id=resource.id, opens_at=opens_at)
    if published_only and resource.kept_for_waitlist:
        return KeptForWaitlist(resource_id=resource.id)
    return None


def _line_claims(
    lines: Sequence[Line],
    numbers: Sequence[int],
    resources: Mapping[int, ReadyResource],
    sales: Mapping[int, SaleContext],
) -> tuple[list[LineClaims], Codes]:
    """The claims of each line by its plan, and the codes of the resources' prices. An error says
    which line it is about."""
    found: list[LineClaims] = []
    codes: Codes = {}
    try:
        for line, number in zip(lines, numbers, strict=True):
            if line.code is UNSET:
                found.append(resources[number].plan.line_claims(line, sales[number]))
                continue
            line_claims, code = coded_claims(line, resources[number], sales[number])
            if code is not None:
                codes[len(found)] = code
            found.append(line_claims)
    except BespeakError as error:
        name_line(error, len(found))
        raise
    return found, codes


def _hold_times(request: HoldRequest, used: Sequence[ReadyResource]) -> tuple[int, int]:
    """The hold time that was asked or is the rule, and the cap, within what all the resources
    allow. Raises HoldTimeBeyondCap, CurrenciesDiffer."""
    hold_seconds, cap_seconds = _shared_policy(used)
    if request.hold_seconds is None:
        return hold_seconds, cap_seconds
    if not 1 <= request.hold_seconds <= cap_seconds:
        raise HoldTimeBeyondCap(hold_seconds_max=cap_seconds)
    return request.hold_seconds, cap_seconds


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


def _guards(used: Sequence[ReadyResource], units: Sequence[Unit]) -> list[SeatGuardRow] | None:
    """The seats that must not be left single, of the resources that want it."""
    found: list[SeatGuardRow] = []
    for ready in used:
        if ready.plan.guards_seats:
            names = [name for number, name in units if number == ready.number]
            found += [
                SeatGuardRow(ready.number, guard.row, guard.unit, guard.beyond)
                for guard in ready.plan.guards(names)
            ]
    return found or None
