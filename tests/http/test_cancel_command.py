"""`bespeak cancel`, as its users have it: in a process of its own."""

import asyncio
import json
import sys

import bespeak
from bespeak import Settings
from tests.harness.paying import PRICE, paid_show
from tests.harness.refunding import canceller, paid_booking, refund_all
from tests.harness.shows import MakeShow, seats

SETTINGS = Settings(pool_max=4, payment_providers="sandbox", allow_pretend_money=True)


async def cancel(database_url: str, *arguments: str) -> tuple[int, str, str]:
    """What the command's status is, and what it prints."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bespeak", "cancel", *arguments, "--database-url", database_url,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, errors = await process.communicate()
    return process.returncode or 0, out.decode(), errors.decode()


async def test_it_calls_off_and_tells_how_far_it_has_come(
    database_url: str, make_show: MakeShow
) -> None:
    async with bespeak.connect(database_url, settings=SETTINGS, sweep=False) as engine:
        show = await paid_show(make_show)
        await paid_booking(engine, seats(show, "A1"))
        status, out, errors = await cancel(database_url, show.id)
        assert (status, out) == (1, "")
        assert "was not called off" in errors
        status, out, _ = await cancel(database_url, show.id, "--reason", "storm", "--json")
        assert status == 0
        assert json.loads(out)["state"] == "running"

        following = asyncio.create_task(cancel(database_url, show.id, "--follow"))
        await canceller(engine).look()
        await refund_all(engine)
        status, out, _ = await following
        assert status == 0
        assert out.splitlines()[-1] == (
            "done: 1 of 1 bookings cancelled, 0 holds released; 1 refunds made, 0 pending, 0 failed"
        )
        assert (await engine.cancellation(show.id)).amounts.refunded == PRICE
        status, out, errors = await cancel(database_url, show.id, "--reason", "again")
        assert (status, out) == (1, "")
        assert "called off before" in errors
        assert "Traceback" not in errors
