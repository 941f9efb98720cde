"""Judging a hold request by the resources that it names, before the database sees it: which units
exist, how long it may last, which limits it draws from. The database compares the versions of the
resources that were used, so a judgement by an old plan never takes effect.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from bespeak import ids
from bespeak.clock import DatabaseClock
from bespeak.errors import (
    BespeakError,
    CurrenciesDiffer,
    DuplicateLine,
    HoldTimeBeyondCap,
    InvalidRequest,
    ResourceClosed,
    ResourceNotFound,
    ResourceNotOpen,
    UnknownUnit,
)
from bespeak.inventory.fingerprints import fingerprint
from bespeak.inventory.plans import RESERVED_PREFIX
from bespeak.inventory.resources import Stock
from bespeak.reservations.committer import Request
from bespeak.reservations.lines import Line, lines_text
from bespeak.reservations.memory import Unit

OWNER_LENGTH_MAX = 200
KEY_LENGTH_MAX = 200
PLACE_FIELDS = ("lines", "hold_seconds")


class Asked(NamedTuple):
    """A hold request as the caller made it."""

    owner: str
    lines: Sequence[Line]
    hold_seconds: int | None
    idempotency_key: str | None


class Judged(NamedTuple):
    """A hold request as the database takes it, with what else the process needs of it."""

    request: Request
    units: tuple[Unit, ...]
    home: int
    hold_seconds: int
    cap_seconds: int
    stock: tuple[tuple[int, int], ...]


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


def judge(
    asked: Asked, numbers: Sequence[int], stocks: Mapping[int, Stock], hold_id: object
) -> Judged:
    """The request for `place_holds`.

    Raises ResourceNotFound, DuplicateLine, UnknownUnit, HoldTimeBeyondCap, CurrenciesDiffer.
    """
    used = [_stock(stocks, number) for number in dict.fromkeys(numbers)]
    policy = used[0].resource
    default_seconds, cap_seconds = policy.hold_seconds, policy.hold_seconds_max
    if len(used) > 1:
        default_seconds, cap_seconds = _shared_policy(used)
    if asked.hold_seconds is not None and not 1 <= asked.hold_seconds <= cap_seconds:
        raise HoldTimeBeyondCap(hold_seconds_max=cap_seconds)
    lines = asked.lines
    names = [line.unit for line in lines]
    quantities = [line.quantity for line in lines]
    capacities = [
        _capacity(stocks[number], line) for number, line in zip(numbers, lines, strict=True)
    ]
    units: tuple[Unit, ...] = tuple(zip(numbers, names, strict=True))
    if len(set(units)) < len(units):
        raise DuplicateLine(units=names)
    resources = list(numbers)
    limit_lines = 0
    for stock in used:
        limit = stock.resource.owner_limit
        if limit is not None:
            # A limit is just another pool, drawn in the same transaction.
            limit_lines += 1
            quantities.append(_quantity_of(stock.number, lines, numbers))
            resources.append(stock.number)
            names.append(RESERVED_PREFIX + asked.owner)
            capacities.append(limit)
    seconds = asked.hold_seconds or default_seconds
    request: Request = (
        hold_id,
        asked.owner,
        seconds,
        cap_seconds,
        asked.idempotency_key,
        place_fingerprint(asked) if asked.idempotency_key is not None else None,
        resources,
        names,
        quantities,
        capacities,
        limit_lines,
    )
    versions = tuple([(stock.number, stock.resource.version) for stock in used])
    return Judged(request, units, numbers[0], seconds, cap_seconds, versions)


def _shared_policy(used: Sequence[Stock]) -> tuple[int, int]:
    """The hold time and the cap that all the resources allow. Raises CurrenciesDiffer."""
    if len({stock.resource.price.currency for stock in used}) > 1:
        raise CurrenciesDiffer
    return (
        min(stock.resource.hold_seconds for stock in used),
        min(stock.resource.hold_seconds_max for stock in used),
    )


def _quantity_of(number: int, lines: Sequence[Line], numbers: Sequence[int]) -> int:
    """How many units of one resource the lines ask for."""
    return sum([line.quantity or 1 for line, n in zip(lines, numbers, strict=True) if n == number])


def place_fingerprint(asked: Asked) -> bytes:
    """What tells this request from another with the same key, field by field."""
    return fingerprint((lines_text(asked.lines),)) + _seconds_print(asked.hold_seconds)


@lru_cache(maxsize=1024)
def _seconds_print(seconds: int | None) -> bytes:
    return fingerprint(("" if seconds is None else str(seconds),))


def closed_reason(stock: Stock, clock: DatabaseClock) -> BespeakError | None:
    """Why nothing of this resource can be held at this time, if so."""
    resource = stock.resource
    if resource.state == "open" and resource.closes_at is None and resource.opens_at is None:
        return None
    now = clock.now()
    if resource.state != "open":
        return ResourceClosed(resource_id=resource.id)
    if resource.closes_at is not None and resource.closes_at <= now:
        return ResourceClosed(resource_id=resource.id, closes_at=resource.closes_at)
    if resource.opens_at is not None and resource.opens_at > now:
        return ResourceNotOpen(resource_id=resource.id, opens_at=resource.opens_at)
    return None


def _stock(stocks: Mapping[int, Stock], number: int) -> Stock:
    stock = stocks.get(number)
    if stock is None:
        raise ResourceNotFound(resource_id=ids.show_resource(number))
    return stock


def _capacity(stock: Stock, line: Line) -> int | None:
    """The capacity of a pool's line, nothing for a unit's. Raises UnknownUnit, InvalidRequest."""
    if line.quantity is None:
        if line.unit in stock.plan.categories:
            return None
        hint = "it is a pool: say a quantity" if line.unit in stock.plan.pools else None
    else:
        capacity = stock.plan.pools.get(line.unit)
        if capacity is not None:
            return capacity
        seat = line.unit in stock.plan.categories
        hint = "it is a single unit: leave the quantity out" if seat else None
    if not line.unit.isprintable():
        raise InvalidRequest("a unit's name has no control characters", field="lines")
    raise UnknownUnit(
        f"{line.unit!r}: {hint}" if hint else None, resource_id=line.resource_id, unit=line.unit
    )
