"""The calls of suggested prices."""

from __future__ import annotations

from functools import partial

from bespeak.verticals.stays.suggestions import applying, suggesting, views
from bespeak.verticals.stays.suggestions.forms import (
    ChosenPrices,
    CurveQuestion,
    PriceRule,
    SuggestionsQuestion,
    TakenBack,
)
from bespeak.verticals.vertical import VerticalRequest


async def list_suggested_prices(
    request: VerticalRequest[SuggestionsQuestion, None],
) -> views.SuggestedPrices:
    """Suggests prices for the nights of a listing, each with its reason."""
    asked = partial(
        suggesting.suggestions,
        workspace=request.workspace,
        listing_id=request.path["listing_id"],
        asked=request.query,
    )
    return await request.engine.reads.run(asked)


async def get_pick_up(request: VerticalRequest[CurveQuestion, None]) -> views.PickUp:
    """Reads the pick-up curve of a night, beside that of comparable nights."""
    asked = partial(
        suggesting.pick_up,
        workspace=request.workspace,
        listing_id=request.path["listing_id"],
        asked=request.query,
    )
    return await request.engine.reads.run(asked)


async def set_price_rule(request: VerticalRequest[None, PriceRule]) -> PriceRule:
    """Says within which bounds prices are suggested, and whether they are applied by rule."""
    async with request.connection() as connection, connection.transaction():
        return await applying.set_rule(
            request.engine,
            connection,
            request.workspace,
            request.path["listing_id"],
            request.body,
        )


async def apply_suggested_prices(
    request: VerticalRequest[None, ChosenPrices],
) -> views.AppliedPrices:
    """Applies suggested prices to chosen nights, for new holds."""
    listing_id = request.path["listing_id"]
    async with request.connection() as connection, connection.transaction():
        nights, replayed = await applying.apply(
            request.engine,
            connection,
            request.workspace,
            listing_id,
            request.body,
            request.idempotency_key,
        )
    return views.AppliedPrices(listing_id=listing_id, nights=nights, replayed=replayed)


async def take_back_suggested_prices(
    request: VerticalRequest[TakenBack, None],
) -> views.AppliedPrices:
    """Takes suggested prices back, so that the person's own rules count again. All at once also
    ends that they are applied by rule."""
    listing_id = request.path["listing_id"]
    async with request.connection() as connection, connection.transaction():
        nights = await applying.take_back(
            request.engine, connection, request.workspace, listing_id, request.query
        )
    return views.AppliedPrices(listing_id=listing_id, nights=nights)
