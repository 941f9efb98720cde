"""Applies suggested prices, and takes them back: rules of the plan, written anew in one transaction
with the property locked, as all changes of its listings are.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET

from bespeak import ids
from bespeak.errors import InvalidRequest
from bespeak.inventory.resources import ResourceChange
from bespeak.postgres.queries import load
from bespeak.postgres.versions import save_seen
from bespeak.verticals.once import made_before, remember
from bespeak.verticals.stays.errors import PriceMoved, PriceRuleNeeded
from bespeak.verticals.stays.listings import take_listing
from bespeak.verticals.stays.suggestions.forms import ChosenPrices, PriceRule, TakenBack
from bespeak.verticals.stays.suggestions.history import (
    QUERIES,
    ListingNights,
    locked_listing_nights,
)
from bespeak.verticals.stays.suggestions.suggesting import rule_of

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.postgres.pool import Connection

_MADE = load("bespeak.verticals.stays", "changes.sql")
_KIND = "suggested_prices"


class _Said(msgspec.Struct, frozen=True):
    """What an idempotency key is good for."""

    listing_id: str
    chosen: ChosenPrices


async def set_rule(
    engine: Engine, connection: Connection, workspace: str, listing_id: str, rule: PriceRule
) -> PriceRule:
    """Says within which bounds prices are suggested; answers that with its new version. Raises
    ListingNotFound, InvalidId, InvalidRequest, VersionMismatch."""
    if rule.least > rule.most:
        raise InvalidRequest("`least` is more than `most`", field="least")
    await take_listing(engine, connection, workspace, listing_id)
    version = await save_seen(
        connection,
        QUERIES["set_rule"],
        QUERIES["version"],
        key=(ids.parse_resource(listing_id),),
        values=(rule.least, rule.most, rule.step, rule.multiple, rule.days_ahead, rule.applied),
        seen=rule.version,
    )
    return msgspec.structs.replace(rule, version=version)


async def apply(
    engine: Engine,
    connection: Connection,
    workspace: str,
    listing_id: str,
    chosen: ChosenPrices,
    key: str | None,
) -> tuple[int, bool]:
    """Applies chosen prices; answers to how many nights, and whether that was done before by this
    key. Raises ListingNotFound, InvalidId, InvalidRequest, PriceMoved, PriceRuleNeeded,
    PlanChanged, IdempotencyKeyReused."""
    said = _Said(listing_id, chosen)
    if await made_before(connection, _MADE, workspace, key, _KIND, said) is not None:
        return len(chosen.nights), True
    await take_listing(engine, connection, workspace, listing_id)
    listing = await locked_listing_nights(connection, workspace, listing_id)
    rule = await rule_of(connection, listing.number)
    if rule is None:
        raise PriceRuleNeeded(listing_id=listing_id)
    wanted = _checked(listing, rule, chosen)
    await write(engine, connection, listing, {**listing.prices.suggested(), **wanted})
    await remember(connection, _MADE, workspace, key, listing_id)
    return len(wanted), False


async def take_back(
    engine: Engine, connection: Connection, workspace: str, listing_id: str, asked: TakenBack
) -> int:
    """Takes suggested prices back; answers of how many nights. All of them, and from then on they
    are applied by hand: or the rule would bring them again. Raises ListingNotFound, InvalidId,
    PlanChanged."""
    await take_listing(engine, connection, workspace, listing_id)
    listing = await locked_listing_nights(connection, workspace, listing_id)
    first = asked.from_.toordinal() if isinstance(asked.from_, date) else 0
    last = asked.to.toordinal() if isinstance(asked.to, date) else date.max.toordinal()
    there = {
        day: price for day, price in listing.prices.suggested().items() if day >= listing.today
    }
    kept = {day: price for day, price in there.items() if not first <= day < last}
    if asked.from_ is UNSET and asked.to is UNSET:
        await connection.execute(QUERIES["stop_rule"], listing.number)
    await write(engine, connection, listing, kept)
    return len(there) - len(kept)


async def write(
    engine: Engine, connection: Connection, listing: ListingNights, prices: Mapping[int, int]
) -> None:
    """Writes the plan of a locked listing with these suggested prices, without those of nights that
    are past. Raises PlanChanged, PaymentRuleNeeded, InvalidRequest."""
    plan = listing.prices.with_suggested(
        {day: price for day, price in prices.items() if day >= listing.today}
    )
    if plan == listing.prices.rules.plan:
        return
    await engine.update_resource(listing.id, ResourceChange(plan=plan), connection=connection)


def _checked(listing: ListingNights, rule: PriceRule, chosen: ChosenPrices) -> dict[int, int]:
    """The chosen prices by their nights. Raises InvalidRequest, PriceMoved."""
    found: dict[int, int] = {}
    moved = []
    for at, one in enumerate(chosen.nights):
        day, where = one.date.toordinal(), f"nights[{at}]"
        last = listing.today + rule.days_ahead
        if not listing.today <= day < last:
            bound = date.fromordinal(last - 1).isoformat()
            raise InvalidRequest(f"{where}: from today until {bound}", field=f"{where}.date")
        if day in found:
            raise InvalidRequest(f"{where}: this night comes twice", field=f"{where}.date")
        if not rule.least <= one.price <= rule.most:
            bounds = f"from {rule.least} to {rule.most}"
            raise InvalidRequest(f"{where}: {bounds}", field=f"{where}.price")
        if listing.prices.now(day) != one.now or listing.prices.is_by_hand(day):
            moved.append({"date": one.date.isoformat(), "now": listing.prices.now(day)})
        found[day] = one.price
    if moved:
        raise PriceMoved(nights=moved)
    return found
