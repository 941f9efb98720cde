"""The desk: what was taken there, and what is handed back."""

from __future__ import annotations

from typing import Literal

import msgspec

from bespeak.errors import InvalidRequest
from bespeak.http.server import tags
from bespeak.http.server.answers import Answer, WholeList
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import SERVERS, endpoint_table
from bespeak.http.server.periods import Moment, period
from bespeak.http.server.scopes import READ
from bespeak.http.server.spreadsheets import CSV, csv_answer, decimal
from bespeak.http.server.workspaces import Reach
from bespeak.payments.takings import DeskTakings, takings_of

_HEAD = ("method", "by", "payments", "taken", "refunds", "handed back", "currency")

ENDPOINTS, endpoint = endpoint_table(tags.PAYMENTS)


class DeskTakingsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of which time, half-open; in which form."""

    from_: Moment | None = msgspec.field(default=None, name="from")
    to: Moment | None = None
    format: Literal["json", "csv"] = "json"


class DeskTakingsList(WholeList[DeskTakings], frozen=True):
    """The takings of the desk, by method, person and currency."""


@endpoint(
    "GET",
    "/v1/desk/takings",
    "Read the takings of the desk",
    kinds=SERVERS,
    also=CSV,
    errors=(InvalidRequest,),
    scopes=READ,
    reach=Reach.WORKSPACE,
)
async def get_desk_takings(call: Call[DeskTakingsQuery, None]) -> DeskTakingsList | Answer:
    """Tells what was taken at the desk in a time and handed back, to count a drawer against."""
    since, until = period(call.query.from_, call.query.to)
    found = await takings_of(call.engine.reads, since, until, call.workspace)
    if call.query.format == "json":
        return DeskTakingsList(found)
    return csv_answer("takings.csv", _HEAD, [_row(one) for one in found])


def _row(one: DeskTakings) -> list[str | int | None]:
    return [
        one.method,
        one.actor,
        one.payments,
        decimal(one.taken, one.currency),
        one.refunds,
        decimal(one.handed_back, one.currency),
        one.currency,
    ]
