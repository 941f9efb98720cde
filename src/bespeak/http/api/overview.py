"""The operator's overview: a time in numbers, the resources with what is sold of them, and the work
that waits.
"""

from __future__ import annotations

from datetime import UTC, timedelta
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidCursor, InvalidRequest
from bespeak.http.server import tags
from bespeak.http.server.answers import Answer, WholeList
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OPERATORS, endpoint_table
from bespeak.http.server.periods import Moment, period
from bespeak.http.server.scopes import READ
from bespeak.http.server.spreadsheets import CSV, Cell, csv_answer, decimal, local
from bespeak.http.server.workspaces import Reach
from bespeak.inventory.resources import Kind
from bespeak.overview.figures import Overview, WaitingWork
from bespeak.overview.resource_lists import ResourceFigures, ResourceFiguresPage, ResourceSearch
from bespeak.reservations.request import check_text

_ROWS_MAX = 1000
_TEXT_LENGTH_MAX = 200
_HEAD = (
    *("resource", "resource id", "kind", "state", "starts at", "closes at", "sold", "held"),
    *("blocked", "free", "units", "revenue", "currency", "double sold"),
)

ENDPOINTS, endpoint = endpoint_table(tags.CONSOLE)


class OverviewQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of which time: by default the last 24 hours. A day of the operator's begins at the midnight
    that `from` names."""

    from_: Moment | None = msgspec.field(default=None, name="from")
    to: Moment | None = None


class ResourceFiguresQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which resources: with a text in their name or attributes (or with that id), of a kind, in a
    state, starting from when and before when; in which order, which page, in which form."""

    q: Annotated[str, Meta(max_length=_TEXT_LENGTH_MAX)] | None = None
    kind: Kind | None = None
    state: Literal["open", "closed"] | None = None
    from_: Moment | None = msgspec.field(default=None, name="from")
    to: Moment | None = None
    sort: Literal["starts_at", "sold", "name"] = "starts_at"
    after: Annotated[str, Meta(max_length=1000)] | None = None
    limit: Annotated[int, Meta(ge=1, le=200)] = 50
    format: Literal["json", "csv"] = "json"


class WaitingWorkList(WholeList[WaitingWork], frozen=True):
    """Background work, of each sort how much waits."""


@endpoint(
    "GET",
    "/v1/overview",
    "Read the overview",
    kinds=OPERATORS,
    errors=(InvalidRequest,),
    scopes=READ,
    reach=Reach.WORKSPACE,
)
async def read_overview(call: Call[OverviewQuery, None]) -> Overview:
    """Tells what happened in a time, in sum and step by step, and what is held now."""
    query = call.query
    now = call.engine.clock.now()
    until = query.to or now
    period(query.from_, until)
    since = query.from_ or until - timedelta(days=1)
    return await call.service.figures.overview(
        since.astimezone(UTC), until.astimezone(UTC), call.workspace
    )


@endpoint(
    "GET",
    "/v1/overview/resources",
    "List resources with their figures",
    kinds=OPERATORS,
    also=CSV,
    errors=(InvalidRequest, InvalidCursor),
    scopes=READ,
    reach=Reach.WORKSPACE,
)
async def list_resource_figures(
    call: Call[ResourceFiguresQuery, None],
) -> ResourceFiguresPage | Answer:
    """Lists resources with what is sold, held, blocked and free of them at this moment."""
    query = call.query
    period(query.from_, query.to)
    text = (query.q or "").strip() or None
    if text is not None:
        check_text(text, "q", _TEXT_LENGTH_MAX)
    search = ResourceSearch(
        *(text, query.kind, query.state, query.from_, query.to, query.sort, call.workspace)
    )
    lists = call.service.resource_lists
    if query.format == "json":
        return await lists.page(search, query.after, query.limit)
    page = await lists.page(search, query.after, _ROWS_MAX)
    return csv_answer("resources.csv", _HEAD, [_row(one) for one in page.items], next_=page.next)


@endpoint(
    "GET",
    "/v1/overview/work",
    "Read the waiting work",
    kinds=OPERATORS,
    scopes=READ,
    reach=Reach.WORKSPACE,
)
async def read_waiting_work(call: Call[None, None]) -> WaitingWorkList:
    """Tells what background work waits, and what failed and waits for a person."""
    return WaitingWorkList(await call.service.figures.waiting_work(call.workspace))


def _row(one: ResourceFigures) -> list[Cell]:
    return [
        one.name,
        one.id,
        one.kind,
        one.state,
        local(one.starts_at, one.time_zone),
        local(one.closes_at, one.time_zone),
        one.sold,
        one.held,
        one.blocked,
        one.free,
        one.units_total,
        decimal(one.revenue.amount, one.revenue.currency),
        one.revenue.currency,
        one.double_sold,
    ]
