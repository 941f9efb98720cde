"""What is checked of a resource before it is stored: its plan, its prices, its times, its zone; and
whether a new plan still has what is taken; and before guests are told of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, get_type_hints
from zoneinfo import available_timezones

import msgspec
from msgspec import UNSET

from bespeak.errors import InvalidRequest, ResourceNotFound
from bespeak.inventory.plans import CODE_PREFIX, CompiledPlan, Plan
from bespeak.inventory.price_lists import check_prices
from bespeak.inventory.questions import check_questions
from bespeak.inventory.shapes.registry import compile_plan
from bespeak.inventory.shapes.unknown import UnknownPlan
from bespeak.money import check_currency
from bespeak.translations import check_translations

if TYPE_CHECKING:
    from bespeak.inventory.resources import NewResource, Resource

_BY_MEANING = ("plan", "pricing")
_YEAR_MIN = 1900
_YEAR_MAX = 9998


def lost_units(before: Plan, after: Plan, taken: Sequence[str]) -> list[str]:
    """Which of the units that are taken a new plan does not have."""
    old, new = compile_plan(before), compile_plan(after)
    kept = new.keeps(old)
    return [unit for unit in taken if not (_is_price_code(unit, old) or (kept and new.has(unit)))]


def _is_price_code(unit: str, plan: CompiledPlan) -> bool:
    """Whether a pool is a code of the resource's prices, which no plan has."""
    return unit.startswith(CODE_PREFIX) and not (plan.takes_codes and plan.has(unit))


def check_resource(new: NewResource, before: Resource | None = None) -> None:
    """Raises InvalidRequest for a plan, prices or times that make no sense, and UnknownShape. A
    currency that the resource had `before` it keeps."""
    if isinstance(new.plan, UnknownPlan):
        raise new.plan.error()
    compiled = compile_plan(new.plan)
    _check_fields(new)
    if before is None or new.price.currency != before.price.currency:
        check_currency(new.price.currency, "price.currency")
    if new.pricing is not None:
        check_prices(new.pricing, compiled, new.starts_at)
    if new.hold_seconds_max < new.hold_seconds:
        raise InvalidRequest("hold_seconds_max is less than hold_seconds", field="hold_seconds_max")
    for field in ("opens_at", "closes_at", "starts_at", "ends_at"):
        moment: datetime | None = getattr(new, field)
        if moment is not None:
            _check_moment(moment, field)
    if new.opens_at and new.closes_at and new.opens_at >= new.closes_at:
        raise InvalidRequest("closes_at is not after opens_at", field="closes_at")
    if new.ends_at and (not new.starts_at or new.starts_at >= new.ends_at):
        raise InvalidRequest("ends_at is not after starts_at", field="ends_at")
    check_time_zone(new.time_zone)
    check_translations(new.translations)
    check_translations(new.plan.own_translations(), "plan")
    check_questions(new.questions)
    for name, value in new.attributes.items():
        if "\x00" in name or (isinstance(value, str) and "\x00" in value):
            raise InvalidRequest("attributes have no zero bytes", field="attributes")


def _check_fields(new: NewResource) -> None:
    """Holds what was made in Python to the types and bounds that decoding enforces for the API; but
    plan and prices, which are checked by what they mean."""
    for field, kind in _field_types(type(new)).items():
        if getattr(new, field) is UNSET:
            continue
        try:
            msgspec.convert(msgspec.to_builtins(getattr(new, field)), kind)
        except (msgspec.MsgspecError, TypeError, ValueError, OverflowError) as error:
            raise InvalidRequest(f"{field}: {error}"[:300], field=field) from error


@cache
def _field_types(resource: type[NewResource]) -> dict[str, object]:
    hints = get_type_hints(resource, include_extras=True)
    return {name: hints[name] for name in resource.__struct_fields__ if name not in _BY_MEANING}


def check_published(resource: Resource) -> None:
    """What guests are told of a resource that is not published: the same as of none at all. Raises
    ResourceNotFound."""
    if not resource.published:
        raise ResourceNotFound(resource_id=resource.id)


def check_time_zone(name: str) -> None:
    """Raises InvalidRequest for what is not the IANA name of a time zone."""
    if name not in _time_zones():
        raise InvalidRequest(f"no time zone {name[:60]!r}", field="time_zone")


def _check_moment(moment: datetime, field: str) -> None:
    if moment.tzinfo is None:
        raise InvalidRequest(f"{field} has no offset from UTC", field=field)
    try:
        year = moment.astimezone(UTC).year
    except OverflowError:
        year = 0
    if not _YEAR_MIN <= year <= _YEAR_MAX:  # the last moments of 9999 are infinity to the database
        raise InvalidRequest(f"{field} is not in {_YEAR_MIN} to {_YEAR_MAX}", field=field)


@cache
def _time_zones() -> frozenset[str]:
    return frozenset(available_timezones())
