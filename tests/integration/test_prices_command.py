"""`bespeak prices suggest`, as operators have it."""

import asyncio
import csv
import io
import json
from datetime import timedelta

import pytest

from bespeak.cli import main
from tests.harness.database import Connection
from tests.integration.test_price_rules import TODAY, House, house

__all__ = ["house"]


async def run(*arguments: str) -> int:
    """The status of a command; it has an event loop of its own, in a thread."""

    def ended() -> int:
        with pytest.raises(SystemExit) as ending:
            main(arguments)
        code = ending.value.code
        assert isinstance(code, int)
        return code

    return await asyncio.to_thread(ended)


async def test_prices_are_listed_and_applied(
    house: House,
    database_url: str,
    connection: Connection,
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = ("--listing", house.listing, "--days", "3", "--database-url", database_url)
    assert await run("prices", "suggest", *asked) == 0
    shown = capsys.readouterr().out
    assert "100.00" in shown
    assert "97.00" in shown
    assert "last minute" in shown
    assert await house.rules() == ()
    assert await run("prices", "suggest", *asked, "--apply", "--format", "json") == 0
    (told,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [night["price"] for night in told["items"]] == [9_700] * 3
    (rule,) = await house.rules()
    assert (rule.from_, rule.to, rule.price) == (TODAY, TODAY + timedelta(days=3), 9_700)
    entries = await connection.fetch("select action, subject from bespeak.audit_entry")
    assert [tuple(row) for row in entries] == [("suggested_prices_applied", house.listing)]


async def test_all_of_a_property_as_a_sheet(
    house: House,
    database_url: str,
    connection: Connection,
    capsys: pytest.CaptureFixture[str],
) -> None:
    number = await connection.fetchval("select property_id from stays.property")
    asked = ("--property", number, "--days", "2", "--database-url", database_url)
    assert await run("prices", "suggest", *asked, "--format", "csv") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["date"], row["now"], row["price"]) for row in rows] == [
        (str(TODAY), "100.00", "97.00"),
        (str(TODAY + timedelta(days=1)), "100.00", "97.00"),
    ]


async def test_what_cannot_be_done_is_said(
    house: House, database_url: str, connection: Connection, capsys: pytest.CaptureFixture[str]
) -> None:
    at = ("--database-url", database_url)
    for arguments, words in (
        ((), "either --listing or --property"),
        (("--listing", house.listing, "--from", "tomorrow"), "a date as 2026-12-24"),
        (("--listing", "res_00000000"), "listing_not_found"),
        (("--property", "prp_000000000000"), "property_not_found"),
    ):
        assert await run("prices", "suggest", *arguments, *at) == 1
        assert words in capsys.readouterr().err
    await connection.execute("delete from stays.price_rule")
    asked = ("--listing", house.listing, "--days", "3", "--apply")
    assert await run("prices", "suggest", *asked, *at) == 1
    assert "has no rule" in capsys.readouterr().err
