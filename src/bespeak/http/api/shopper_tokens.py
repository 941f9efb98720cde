"""Shopper tokens, minted by a server for its shoppers' browsers."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.http.server import tags
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import SERVERS, endpoint_table
from bespeak.http.server.scopes import READ, REFUND, SELL
from bespeak.http.server.workspaces import Reach
from bespeak.reservations.request import OWNER_LENGTH_MAX, check_text

_TOKEN_SECONDS = 3600
_TOKEN_SECONDS_MAX = 86_400

ENDPOINTS, endpoint = endpoint_table(tags.KEYS)


class MintToken(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for a shopper token: for whom, and for how long."""

    owner: Annotated[str, Meta(min_length=1, max_length=200)]
    expires_in_seconds: Annotated[int, Meta(ge=1, le=_TOKEN_SECONDS_MAX)] = _TOKEN_SECONDS


class ShopperToken(msgspec.Struct, frozen=True):
    """A token for the header Bespeak-Shopper, beside a pk_ key."""

    token: str
    owner: str
    expires_at: datetime


@endpoint(
    "POST",
    "/v1/shopper-tokens",
    "Mint a shopper token",
    status=201,
    kinds=SERVERS,
    scopes=READ | SELL | REFUND,
    needs_all_scopes=True,
    reach=Reach.WORKSPACE,
    needs_proof=True,
)
async def mint_shopper_token(call: Call[None, MintToken]) -> ShopperToken:
    """Mints a token that lets a browser hold for this owner."""
    check_text(call.body.owner, "owner", OWNER_LENGTH_MAX)
    token, ends = call.service.tokens.mint(
        call.body.owner, call.body.expires_in_seconds, call.workspace
    )
    return ShopperToken(token, call.body.owner, datetime.fromtimestamp(ends, UTC))
