"""`bespeak prices`: suggested prices of listings, in the terminal."""

from __future__ import annotations

import asyncio
import sys
from datetime import date
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import App, Parameter
from cyclopts.validators import Number

from bespeak.actors import CLI
from bespeak.cli.options import DatabaseChoice

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.verticals.stays.suggestions.forms import SuggestionsQuestion
    from bespeak.verticals.stays.suggestions.views import SuggestedPrice, SuggestedPrices

_HELP = """Suggest prices for nights, from the pace at which others like them sold.

    bespeak prices suggest --listing res_00000001 --days 30
    bespeak prices suggest --property prp_0123456789ab --apply
"""
_Format = Literal["table", "json", "csv"]
_FormatOption = Annotated[_Format, Parameter(name="--format")]

app = App(name="prices", help=_HELP, help_format="markdown")
_Days = Annotated[int | None, Parameter(validator=Number(gte=1, lte=366))]


@app.command
def suggest(
    *,
    listing: str | None = None,
    of_property: Annotated[str | None, Parameter(name="--property")] = None,
    since: Annotated[str | None, Parameter(name="--from")] = None,
    days: _Days = None,
    apply: bool = False,
    workspace: str = "default",
    output_format: _FormatOption = "table",
    database: DatabaseChoice | None = None,
) -> int:
    """Suggest prices for the nights of a listing, or of all listings of a property.

    Each night has its price now, the price that is suggested, and why. With `--apply` they are
    applied, within the bounds of the listing's rule; a listing without a rule is left as it is, and
    the status is 1. Prices are for new holds: a hold keeps its own.

    For example:

        bespeak prices suggest --listing res_00000001 --days 30

        bespeak prices suggest --property prp_0123456789ab --from 2026-12-20 --days 14 --format csv

    Parameters
    ----------
    listing
        The id of a listing.
    of_property
        The id of a property: all of its listings.
    since
        The first night, as 2026-12-24. Absent: today, by the clocks of the property.
    days
        How many nights, 1 to 366. Absent: as many as the rule of the listing says.
    apply
        Apply them, and not only list them.
    workspace
        Whose listings.
    output_format
        A table for people, JSON lines (one for each listing), or CSV.
    """
    from bespeak.cli.databases import opened
    from bespeak.errors import InvalidRequest
    from bespeak.verticals.stays.suggestions.forms import SuggestionsQuestion

    if (listing is None) == (of_property is None):
        raise InvalidRequest("either --listing or --property", field="listing")
    asked = SuggestionsQuestion(from_=_date(since), days=days)
    with opened(database) as url:
        found, left = asyncio.run(
            _suggest(url, workspace, listing, of_property, asked, apply=apply)
        )
    _show(found, output_format)
    for listing_id in left:
        print(f"bespeak: {listing_id} has no rule: nothing was applied", file=sys.stderr)
    return 1 if left else 0


def _date(text: str | None) -> date | None:
    from bespeak.errors import InvalidRequest

    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        message = f"--from is a date as 2026-12-24: {text[:40]!r}"
        raise InvalidRequest(message, field="from") from error


async def _suggest(
    url: str,
    workspace: str,
    listing: str | None,
    of_property: str | None,
    asked: SuggestionsQuestion,
    *,
    apply: bool,
) -> tuple[list[SuggestedPrices], list[str]]:
    """What is suggested, and the listings to which it was to be applied and could not be."""
    from bespeak.assembly import connect
    from bespeak.verticals.stays.suggestions.suggesting import listings_of, suggestions

    found, left = [], []
    async with connect(url, sweep=False) as engine:
        async with engine.database.borrow() as connection:
            listings = (
                await listings_of(connection, workspace, of_property)
                if of_property is not None
                else [listing or ""]
            )
            for listing_id in listings:
                found.append(await suggestions(connection, workspace, listing_id, asked))
        for one in found if apply else ():
            if one.rule is None:
                left.append(one.listing_id)
            else:
                await _apply(engine, workspace, one)
    return found, left


async def _apply(engine: Engine, workspace: str, found: SuggestedPrices) -> None:
    from bespeak.http.server.audit_log import add_entry
    from bespeak.verticals.stays.suggestions.applying import apply
    from bespeak.verticals.stays.suggestions.forms import ChosenPrice, ChosenPrices

    nights = tuple(
        ChosenPrice(date=one.date, now=one.now, price=one.price)
        for one in found.items
        if one.price is not None and one.price != one.now
    )
    if not nights:
        return
    chosen = ChosenPrices(nights=nights)
    async with engine.database.borrow() as connection, connection.transaction():
        await apply(engine, connection, workspace, found.listing_id, chosen, None)
        await add_entry(connection, CLI, "suggested_prices_applied", subject=found.listing_id)


def _show(found: list[SuggestedPrices], output_format: _Format) -> None:
    from bespeak.cli.output import print_json

    for one in found:
        if output_format == "json":
            print_json(one)
        elif output_format == "table":
            _print_table(one)
    if output_format == "csv":
        _print_csv(found)


def _print_table(found: SuggestedPrices) -> None:
    from rich.table import Table

    from bespeak.cli.output import results
    from bespeak.money import Money, as_decimal

    table = Table("night", "now", "suggested", "why", title=f"{found.listing_id}, {found.currency}")
    for night in found.items:
        price = "" if night.price is None else str(as_decimal(Money(night.price, found.currency)))
        bounds = f" ({', '.join(night.bounds)})" if night.bounds else ""
        now = str(as_decimal(Money(night.now, found.currency)))
        table.add_row(f"{night.date:%a} {night.date}", now, price + bounds, _why(night))
    results().print(table)


def _why(night: SuggestedPrice) -> str:
    """A reason in words: what comparable nights had, and what this one has."""
    words = night.reason.replace("_", " ")
    if night.expected is None:
        return words
    return (
        f"{words}: {night.booked} of {night.rooms} booked, where {night.comparable} comparable "
        f"nights had {night.expected:.1f} {night.days_before} days before"
    )


def _print_csv(found: list[SuggestedPrices]) -> None:
    import csv

    from bespeak.money import Money, as_decimal

    writer = csv.writer(sys.stdout, lineterminator="\n")
    columns = ("now", "usual", "price")
    others = ("reason", "rooms", "booked", "expected", "forecast", "comparable", "applied")
    writer.writerow(["listing", "date", "currency", *columns, *others])
    for one in found:
        for night in one.items:
            amounts = [
                "" if amount is None else as_decimal(Money(amount, one.currency))
                for amount in (night.now, night.usual, night.price)
            ]
            told = [getattr(night, name) for name in others]
            writer.writerow([one.listing_id, night.date, one.currency, *amounts, *told])
