"""Examples of the calls that most clients make, for the OpenAPI document: a purchase of two seats,
from the show to its booking. A test reads each as its call does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bespeak.http.server.openapi_names import Json


class Example(NamedTuple):
    """What a call may be sent, and answer; None where it has no body, or none is shown. `query` has
    of its query what most callers want."""

    body: Json | None = None
    answer: Json | None = None
    query: Json | None = None


_SHOW = "res_kbq6mf4p"
_HOLD = "hold_01m7y6w4dch6q8wthwjv3wd2xy"
_OWNER = "asha"
_SEATS: list[Json] = [{"resource_id": _SHOW, "unit": unit} for unit in ("F7", "F8")]
_HELD: list[Json] = [{**seat, "quantity": None} for seat in _SEATS]
_PRICE: Json = {"amount": 3000, "currency": "EUR"}
_PLAN: Json = {
    "type": "seats",
    "sections": [{"name": "Stalls", "rows": [{"name": "F", "seats": 12}]}],
    "pools": [{"unit": "floor", "capacity": 300}],
}
_HELD_SEATS: Json = {
    "id": _HOLD,
    "state": "held",
    "owner": _OWNER,
    "lines": _HELD,
    "created_at": "2026-11-22T18:00:00Z",
    "expires_at": "2026-11-22T18:10:00Z",
    "expires_in_ms": 600_000,
    "extends_until": "2026-11-22T18:30:00Z",
    "amount": _PRICE,
    "missing": [],
    "ended_at": None,
    "quote": None,
}
_BOOKED_SEATS: Json = {
    "id": _HOLD.replace("hold", "bkg"),
    "hold_id": _HOLD,
    "code": "7K3M-Q2XD",
    "state": "confirmed",
    "owner": _OWNER,
    "lines": [{**line, "cancelled_quantity": 0} for line in _HELD],
    "amount": _PRICE,
    "confirmed_at": "2026-11-22T18:03:00Z",
    "cancelled_at": None,
    "reason": None,
    "payment": None,
    "refunds": [],
    "quote": None,
}

EXAMPLES: Mapping[str, Example] = {
    "create_resource": Example(
        {
            "name": "A quiet evening",
            "kind": "show",
            "plan": _PLAN,
            # A draft: it is published, by `update_resource`, once it is as it should be.
            "published": False,
            "price": {"amount": 1500, "currency": "EUR"},
            "closes_at": "2036-12-01T19:30:00Z",
            "owner_limit": 4,
        }
    ),
    "place_block": Example({"lines": [{"unit": "F1"}, {"unit": "F2"}], "reason": "house seats"}),
    "mint_shopper_token": Example({"owner": _OWNER, "expires_in_seconds": 900}),
    "get_availability": Example(
        answer={
            "type": "seats",
            "resource_id": _SHOW,
            "version": "42",
            "taken": {"F6": {"state": "held", "until": "2026-11-22T18:05:00Z"}},
            "pools": {"floor": {"capacity": 300, "available": 299}},
            "units_total": 312,
            "units_free": 310,
        }
    ),
    "ask_quote": Example({"lines": _SEATS}),
    "place_hold": Example({"owner": _OWNER, "lines": _SEATS}, _HELD_SEATS),
    "place_holds": Example(
        {"holds": [{"owner": _OWNER, "lines": _SEATS, "idempotency_key": "order-4711"}]},
        {
            "items": [{"status": 201, "hold": _HELD_SEATS, "problem": None, "repeated": False}],
            "next": None,
        },
    ),
    "get_hold": Example(answer=_HELD_SEATS),
    "extend_hold": Example({"seconds": 600}, _HELD_SEATS),
    "confirm_hold": Example({"hold_id": _HOLD}, _BOOKED_SEATS),
    "get_booking": Example(answer=_BOOKED_SEATS),
    "cancel_booking": Example({"reason": "the guest is ill", "lines": [_SEATS[0]]}),
    "move_booking": Example({"moves": [{"from_unit": "F6", "to_unit": "G3"}]}),
    "create_webhook_endpoint": Example(
        {"url": "https://shop.example.com/hooks", "types": ["booking.confirmed"]}
    ),
    "list_events": Example(
        answer={
            "items": [
                {
                    "cursor": "1a2b3c4d5-1",
                    "position": 1,
                    "kind": "held",
                    "resource_id": _SHOW,
                    "hold_id": _HOLD,
                    "lines": [{"unit": unit, "quantity": None} for unit in ("F7", "F8")],
                    "at": "2026-11-22T18:00:00Z",
                    "actor": "shopper",
                    "data": None,
                }
            ],
            "next": "1a2b3c4d5-1",
            "epoch": 1,
        },
        query={"limit": 100},
    ),
    "list_resources": Example(query={"limit": 20}),
    "list_bookings": Example(query={"state": "confirmed", "limit": 50}),
    "export_personal_data": Example(query={"owner": _OWNER}),
    "update_resource": Example({"published": True}),
    "call_off_resource": Example({"reason": "the heating is out", "refund": "full"}),
    "set_serving": Example({"number": 17}),
    "quote_refund": Example({"lines": [_SEATS[0]]}),
    "erase_owner": Example({"owner": _OWNER}),
    "create_key": Example({"kind": "secret", "name": "the web shop"}),
    "change_merchant": Example({"name": "The Lighthouse"}),
    "make_calendar_link": Example({"name": "front desk"}),
    "import_calendar": Example(
        {
            "name": "other-site",
            "calendar": "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//other//EN\r\n"
            "END:VCALENDAR\r\n",
            "unit": "101",
        }
    ),
}
NONE = Example()

PROBLEMS: Mapping[str, Json] = {
    "unit_taken": {
        "type": "/docs#unit_taken",
        "title": "At least one unit is taken",
        "status": 409,
        "code": "unit_taken",
        "detail": "F8 is held until 2026-11-22T18:05:00Z",
        "retryable": True,
        "request_id": "bd6cbafe60a74",
        "conflicts": [
            {
                "resource_id": _SHOW,
                "unit": "F8",
                "state": "held",
                "until": "2026-11-22T18:05:00Z",
            }
        ],
        "alternatives": [
            {
                "instead_of": [0, 1],
                "offers": [[{"resource_id": _SHOW, "unit": unit} for unit in ("F9", "F10")]],
            }
        ],
    },
    "rate_limited": {
        "type": "/docs#rate_limited",
        "title": "Too many requests",
        "status": 429,
        "code": "rate_limited",
        "detail": "Too many requests",
        "retryable": True,
        "request_id": "bd6cbafe60a75",
        "retry_after_seconds": 3,
        "limit": "300/minute",
    },
}
