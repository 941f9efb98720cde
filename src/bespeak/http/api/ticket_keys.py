"""The keys of ticket codes: public ones for the gates, and changing them."""

from __future__ import annotations

import msgspec

from bespeak.http.server import tags
from bespeak.http.server.answers import JsonAnswer
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import ANYONE, OPERATORS, endpoint_table
from bespeak.http.server.scopes import ADMIN
from bespeak.http.server.workspaces import Reach
from bespeak.ticketing.keys import PublicKeys

_CACHED = ((b"cache-control", b"public, max-age=300"),)

ENDPOINTS, endpoint = endpoint_table(tags.TICKETS)


class RotateTicketKeys(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Make a key that signs from now on; without `keep_old`, all codes until now are void."""

    keep_old: bool = True


@endpoint("GET", "/v1/ticket-keys", "The public keys of tickets", kinds=ANYONE)
async def get_ticket_keys(call: Call[None, None]) -> JsonAnswer[PublicKeys]:
    """The public keys of ticket codes, as a JSON Web Key Set: a gate that has them can verify codes
    without a network."""
    return JsonAnswer(200, await call.service.tickets.public_keys(), headers=_CACHED)


@endpoint(
    "POST",
    "/v1/ticket-keys",
    "Make a key for tickets",
    status=201,
    kinds=OPERATORS,
    scopes=ADMIN,
    reach=Reach.INSTALLATION,
    audited=True,
)
async def rotate_ticket_keys(call: Call[None, RotateTicketKeys]) -> PublicKeys:
    """Makes a key that signs ticket codes from now on."""
    return await call.service.tickets.rotate_keys(keep_old=call.body.keep_old)
