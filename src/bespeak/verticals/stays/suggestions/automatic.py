"""The background work that applies suggested prices by rule, once a day by the clocks of each
property. Any number may run: a rule that is due is claimed, the prices are worked out, and the plan
is written in one transaction with the note that the day is done. One that dies between leaves the
rule due again; of two that write, the second finds the day done.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import structlog

from bespeak import ids
from bespeak.errors import BespeakError, Unavailable
from bespeak.verticals.stays.listings import take_listing
from bespeak.verticals.stays.suggestions import applying
from bespeak.verticals.stays.suggestions.forms import SuggestionsQuestion
from bespeak.verticals.stays.suggestions.history import QUERIES, locked_listing_nights
from bespeak.verticals.stays.suggestions.suggesting import rule_of, suggestions

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.verticals.stays.suggestions.views import SuggestedPrices

_REST_SECONDS = 30.0
_log = structlog.get_logger()


class PriceRules:
    """Applies the rules that are due, for as long as `look` is called."""

    name = "suggested prices"

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def look(self) -> float:
        """Applies one rule that is due; answers seconds until the next look is worth it. Raises
        what asyncpg raises, and Unavailable."""
        return 0.0 if await self.apply_one() else _REST_SECONDS

    async def apply_one(self) -> bool:
        """Applies one rule, if one is due. One that cannot be applied, because its plan has no room
        for more rules or was changed meanwhile, is told, and due again in ten minutes."""
        async with self._engine.database.borrow() as connection:
            row = await connection.fetchrow(QUERIES["begin"])
        if row is None:
            return False
        listing_id = ids.show_resource(row["resource_id"])
        try:
            await self._apply(row["workspace"], listing_id)
        except Unavailable:
            raise
        except BespeakError as error:
            _log.error(
                "suggested prices are not applied",
                listing=listing_id,
                code=error.code,
                error=error.detail,
            )
        return True

    async def _apply(self, workspace: str, listing_id: str) -> None:
        async with self._engine.database.borrow() as connection:
            found = await suggestions(connection, workspace, listing_id, SuggestionsQuestion())
            async with connection.transaction():
                await take_listing(self._engine, connection, workspace, listing_id)
                listing = await locked_listing_nights(connection, workspace, listing_id)
                rule = await rule_of(connection, listing.number)
                today = date.fromordinal(listing.today)
                if (found.rule, found.version, found.from_) != (rule, listing.version, today):
                    return  # changed meanwhile: it is due again, and worked out anew
                ended = await connection.fetchval(QUERIES["end"], listing.number, today)
                if ended is None:
                    return
                await applying.write(self._engine, connection, listing, _prices_of(found))


def _prices_of(found: SuggestedPrices) -> dict[int, int]:
    """The prices to be in the plan: those that are suggested; and where none is, what the night
    costs now, if that is a suggested price."""
    return {
        night.date.toordinal(): night.now if night.price is None else night.price
        for night in found.items
        if night.price is not None or night.applied
    }
