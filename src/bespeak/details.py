"""What an error says beyond its title, where nobody said more: which unit is in the way until when,
how many are left, at which gate a ticket was used. It is made of the error's data, which a program
reads; this is for people, in English, as titles are. On the ground, so that all errors can have it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import TypeVar

from bespeak.refusals import SHORT, Conflict, all_of

Data = Mapping[str, object]
_One = TypeVar("_One")
_NAMED_MAX = 3
# In a rush the same units are refused again and again, and each is told.
_CONFLICTS_KEPT_MAX = 4096
_LISTS = (list, tuple)


def beyond_title(code: str, data: Data) -> str | None:
    """What the data of an error with this code says; None where that is nothing."""
    tell = _TELLS.get(code)
    return None if tell is None else tell(data)


def _time(value: object) -> str:
    """A time to the second, as the API writes it."""
    if not isinstance(value, datetime):
        return str(value)
    return value.isoformat(timespec="seconds").replace("+00:00", "Z")


def _all(value: object) -> Sequence[object]:
    return value if isinstance(value, _LISTS) else ()


def _unit(value: object) -> str:
    """A unit by its name, or whatever it is."""
    return str(value.get("unit", value)) if isinstance(value, Mapping) else str(value)


def _named(found: Sequence[_One], tell: Callable[[_One], str]) -> str | None:
    """The first of them, and how many more there are."""
    if not found:
        return None
    more = len(found) - _NAMED_MAX
    return "; ".join(map(tell, found[:_NAMED_MAX])) + (f"; and {more} more" if more > 0 else "")


@lru_cache(maxsize=_CONFLICTS_KEPT_MAX)
def _conflict(one: Conflict) -> str:
    unit = "one" if one.unit is None else one.unit
    if one.state == SHORT:
        return f"{unit} has {one.available or 0} left"
    when = f" from {one.from_} to {one.to}" if one.from_ is not None and one.to is not None else ""
    until = "" if one.until is None else f" until {_time(one.until)}"
    return f"{unit}{when} is {one.state}{until}"


def _conflicts(data: Data) -> str | None:
    found = all_of(Conflict, data.get("conflicts"))
    if not found and isinstance(data.get("available"), int):
        return f"{data['available']} left"
    return _named(found, _conflict)


def _limit(one: Mapping[object, object]) -> str:
    return (
        f"one owner may have {one.get('owner_limit')} of {one.get('resource_id')}, and"
        f" {one.get('left')} are left for this one"
    )


def _limits(data: Data) -> str | None:
    return _named([one for one in _all(data.get("limits")) if isinstance(one, Mapping)], _limit)


def _checked_in(data: Data) -> str | None:
    if data.get("checked_in_at") is None:
        return None
    gate = "" if data.get("gate") is None else f", at the gate {data['gate']}"
    return f"the ticket was used at {_time(data['checked_in_at'])}{gate}"


def _providers(data: Data) -> str | None:
    if "providers" not in data:
        return None
    names = ", ".join(str(one) for one in _all(data["providers"]))
    return f"the providers here are: {names}" if names else "no provider is set up here"


def _of(name: str, words: str) -> Callable[[Data], str | None]:
    """Says one part of the data in these words, where it is there."""

    def tell(data: Data) -> str | None:
        value = data.get(name)
        if value is None or value in ("", []):
            return None
        if isinstance(value, _LISTS):
            return words.format(", ".join(_unit(one) for one in value))
        return words.format(_time(value))

    return tell


_TELLS: dict[str, Callable[[Data], str | None]] = {
    "already_checked_in": _checked_in,
    "extension_beyond_cap": _of("extends_until", "it can be extended until {} at the latest"),
    "hold_confirmed": _of("booking_id", "the hold is the booking {}"),
    "hold_expired": _of("expires_at", "the hold was over at {}"),
    "hold_not_found": _of("hold_id", "no hold has the id {}"),
    "booking_not_found": _of("booking_id", "no booking has the id {}"),
    "idempotency_key_reused": _of("fields", "these differ: {}"),
    "money_returned": _of("payment_id", "the payment {} is given back"),
    "orphan_seat": _of("units", "it would leave alone: {}"),
    "owner_limit_reached": _limits,
    "payment_declined": _of("failure", "the provider says: {}"),
    "payment_in_progress": _of("payment_id", "the payment {} is under way or done"),
    "provider_unknown": _providers,
    "refund_not_at_desk": _of("refund_id", "the refund {} is given back elsewhere"),
    "refund_too_great": _of("comes_to", "they would come to {} in minor units"),
    "resource_not_found": _of("resource_id", "no resource has the id {}"),
    "resource_not_open": _of("opens_at", "the sale begins at {}"),
    "sold_out": _conflicts,
    "unit_taken": _conflicts,
    "wrong_resource": _of("admits_to", "the ticket is for {}"),
}
