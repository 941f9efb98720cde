"""In which currency something is sold of which nobody says it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bespeak.errors import InvalidRequest
from bespeak.merchants.merchants import read_merchant

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection


class CurrencyNeeded(InvalidRequest):
    """Nobody says in which currency it is sold: neither the request nor the merchant's profile."""

    code = "currency_needed"
    title = "A currency is needed"


async def usual_currency(connection: Connection, workspace: str) -> str:
    """The currency of the merchant's profile. Raises CurrencyNeeded."""
    found = (await read_merchant(connection, workspace)).profile.currency
    if found is None:
        raise CurrencyNeeded("say a currency here, or in the merchant's profile", field="currency")
    return found
