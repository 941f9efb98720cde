"""What the rules of several shapes check of a line or a query, and the errors for units."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import UNSET

from bespeak.errors import InvalidRequest, UnknownUnit
from bespeak.inventory.plans import AvailabilityQuery
from bespeak.lines import QUANTITY_MAX, Line

_CHOICES = ("best", "next", "code")
_PARTY = ("guests", "ages")
_OF_STAYS = (*_PARTY, "rate")
# The database can say more; a price beyond this is a mistake in the plan.
_AMOUNT_MAX = 10**18


def is_of_any(line: Line, *, at_rate: bool = False) -> bool:
    """Whether a line leaves its unit open, and has nothing else that `refuse_choice` refuses, or
    `refuse_choice_at_rate`."""
    fields = (*_CHOICES, *(_PARTY if at_rate else _OF_STAYS))
    return line.unit is None and all(getattr(line, field) is UNSET for field in fields)


def refuse_choice(line: Line) -> None:
    """For plans whose lines are a unit or any, over a range: raises InvalidRequest for a choice of
    seats or numbers, a code, or what only stays have."""
    refuse_fields(line, _CHOICES)


def refuse_choice_in_stay(line: Line) -> None:
    """As `refuse_choice`, for stays: these have guests and a rate."""
    _refuse(line, _CHOICES)


def refuse_choice_at_rate(line: Line) -> None:
    """As `refuse_choice`, for a plan that is sold by rates: these have a rate, and no guests."""
    _refuse(line, (*_CHOICES, *_PARTY))


def refuse_fields(line: Line, fields: Collection[str]) -> None:
    """Raises InvalidRequest for a line that has one of these fields, or what only stays have."""
    _refuse(line, (*fields, *_OF_STAYS))


def _refuse(line: Line, fields: Collection[str]) -> None:
    for field in fields:
        if getattr(line, field) is not UNSET:
            name = field.rstrip("_")
            raise InvalidRequest(f"this resource takes no `{name}`", field=f"lines.{name}")


def check_query(
    query: AvailabilityQuery, *, without_range: str | None = None, takes_rate: bool = False
) -> None:
    """Raises InvalidRequest for a quantity that makes no sense; for a rate, unless it is taken; or
    for a range, in the name of what has none."""
    if query.rate is not None and not takes_rate:
        raise InvalidRequest("availability by a `rate` is of times only", field="rate")
    if without_range is not None and not (query.from_ is None and query.to is None):
        raise InvalidRequest(f"{without_range} have no range", field="from")
    if not 1 <= query.quantity <= QUANTITY_MAX:
        raise InvalidRequest(f"a quantity is 1 to {QUANTITY_MAX}", field="quantity")


def check_amount(amount: int) -> None:
    """Raises InvalidRequest for a price that the database could not keep."""
    if amount > _AMOUNT_MAX:
        raise InvalidRequest("the price of this line is beyond all bounds", field="lines")


def unknown(line: Line, hint: str | None = None) -> UnknownUnit:
    """The error for a unit that the plan does not have."""
    detail = f"{line.unit!r}: {hint}" if hint else None
    return UnknownUnit(detail, resource_id=line.resource_id, unit=line.unit)


def unknown_name(line: Line, hint: str | None = None) -> InvalidRequest:
    """As `unknown`; for a name that no unit could have, it says so."""
    if line.unit is not None and not line.unit.isprintable():
        return InvalidRequest("a unit's name has no control characters", field="lines")
    return unknown(line, hint)
