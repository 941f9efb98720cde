"""What lines would cost, part by part, without holding them."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.admission.errors import PassInvalid, PassRequired
from bespeak.http.server import tags
from bespeak.http.server.bindings import Subject
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OF_LINES, endpoint_table
from bespeak.http.server.errors import BudgetSpent
from bespeak.http.server.scopes import ANY_SCOPE
from bespeak.http.server.workspaces import Reach
from bespeak.lines import Line
from bespeak.pricing.quotes import Quote

ENDPOINTS, endpoint = endpoint_table(tags.QUOTES)


class AskQuote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask what lines would cost, as a hold would name them."""

    lines: Annotated[list[Line], Meta(min_length=1, max_length=1000)]


def _resources_of(call: Call[None, AskQuote]) -> Subject:
    return Subject(sorted({line.resource_id for line in call.body.lines}))


@endpoint(
    "POST",
    "/v1/quotes",
    "Ask for a quote",
    errors=(*OF_LINES, BudgetSpent, PassRequired, PassInvalid),
    scopes=ANY_SCOPE,
    reach=Reach.IDS,
    body_about=_resources_of,
)
async def ask_quote(call: Call[None, AskQuote]) -> Quote:
    """What a hold of these lines would cost now. Nothing is held, and no price is kept."""
    lines = call.body.lines
    visitor = call.visitor(call.caller.shopper or call.client_address.prefix)
    if visitor is None:
        return await call.engine.quote(lines)
    await call.service.waiting_rooms.check_pass(
        lines, visitor.owner, call.headers.get(b"bespeak-pass")
    )
    with call.service.budgets.trying_codes(visitor, lines):
        return await call.engine.quote(lines)
