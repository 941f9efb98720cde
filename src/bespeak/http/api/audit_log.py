"""The audit log, for the operator: who asked for what, as JSON or as a file for spreadsheets."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidCursor, InvalidRequest
from bespeak.http.server import tags
from bespeak.http.server.answers import Answer
from bespeak.http.server.audit_log import AuditEntry, AuditFilter, read_entries
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OPERATORS, documented, endpoint_table
from bespeak.http.server.periods import Moment, period
from bespeak.http.server.scopes import ADMIN
from bespeak.http.server.spreadsheets import CSV, csv_answer
from bespeak.http.server.workspaces import Reach
from bespeak.pages import POSITION_PATTERN, before_position

_ROWS_MAX = 10_000
_HEAD = ("at", "actor", "name", "action", "outcome", "subject", "code", "address", "times")
_Text = Annotated[str, Meta(min_length=1, max_length=100)]

ENDPOINTS, endpoint = endpoint_table(tags.KEYS)


class AuditQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which entries: of which actor, action and subject, of which time; which page of them, in
    which form."""

    actor: _Text | None = None
    action: _Text | None = None
    subject: _Text | None = None
    from_: Moment | None = msgspec.field(default=None, name="from")
    to: Moment | None = None
    after: Annotated[str, documented(POSITION_PATTERN)] | None = None
    limit: Annotated[int, Meta(ge=1, le=1000)] = 50
    format: Literal["json", "csv"] = "json"


class AuditPage(msgspec.Struct, frozen=True):
    """A page of the audit log, the latest first; `next` is the cursor of the page after."""

    items: list[AuditEntry]
    next: str | None


@endpoint(
    "GET",
    "/v1/audit-log",
    "List the entries of the audit log",
    kinds=OPERATORS,
    also=CSV,
    errors=(InvalidRequest, InvalidCursor),
    scopes=ADMIN,
    reach=Reach.WORKSPACE,
)
async def list_audit_entries(call: Call[AuditQuery, None]) -> AuditPage | Answer:
    """Who asked for what, the latest first. As `csv` there are up to 10,000 in one answer, and the
    header Bespeak-Next reads on."""
    query = call.query
    since, until = period(query.from_, query.to)
    for name in ("actor", "action", "subject"):
        if not (getattr(query, name) or "").isprintable():
            raise InvalidRequest("no text of the log has such characters", field=name)
    wanted = AuditFilter(
        before=before_position(query.after),
        actor=query.actor,
        action=query.action,
        subject=query.subject,
        since=since,
        until=until,
        workspace=call.workspace,
    )
    limit = query.limit if query.format == "json" else _ROWS_MAX
    async with call.engine.database.borrow() as connection:
        found = await read_entries(connection, wanted, limit + 1)
    items = found[:limit]
    next_ = items[-1].id.removeprefix("aud_") if len(found) > limit else None
    if query.format == "json":
        return AuditPage(items, next_)
    return csv_answer("audit-log.csv", _HEAD, map(_row, items), next_=next_)


def _row(entry: AuditEntry) -> tuple[str | int | None, ...]:
    return (
        entry.at.isoformat(),
        entry.actor,
        entry.actor_name,
        entry.action,
        entry.outcome,
        entry.subject,
        entry.code,
        entry.address,
        entry.times,
    )
