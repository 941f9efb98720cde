"""A program on the library alone, as `pip install bespeak` brings it: every other library that this
environment has is hidden from it. Run as `python -m tests.harness.library_alone DATABASE_URL`.
"""

import asyncio
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from types import ModuleType
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from bespeak import Engine


def needed(name: str = "bespeak") -> set[str]:
    """A distribution with all that it needs without any extra, by name."""
    found = {_plain(name)}
    try:
        wanted = requires(name) or []
    except PackageNotFoundError:  # for another Python or system
        return found
    for line in wanted:
        if "extra ==" not in line:
            found |= needed(re.split(r"[\s;<>=!~\[(]", line, maxsplit=1)[0])
    return found


class Hiding(PathFinder):
    """Finds nothing of the distributions that are not needed, as if they were not installed."""

    hidden: ClassVar[set[str]] = set()

    @classmethod
    def hide(cls) -> None:
        """From now on they are not there."""
        kept = needed()
        cls.hidden = {
            module
            for module, names in packages_distributions().items()
            if not kept & {_plain(name) for name in names}
        }
        sys.meta_path = [cls if one is PathFinder else one for one in sys.meta_path]

    @classmethod
    def find_spec(
        cls,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] in cls.hidden:
            return None
        return super().find_spec(fullname, path, target)


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


async def sell(url: str) -> None:
    """Migrates, and sells of every kind of inventory by its name; what needs an extra says so."""
    import bespeak

    assert await bespeak.migrate(url)
    assert await bespeak.migrate(url) == []
    rows = (bespeak.Row(name="A", seats=10),)
    room = bespeak.SeatsPlan(sections=(bespeak.Section(name="Hall", rows=rows),))
    async with bespeak.connect(url) as engine:
        show = await engine.create_resource(
            bespeak.NewResource(name="Show", plan=room, price=bespeak.Price(0, "EUR"))
        )
        await _sell_named(engine, show.id)
        await _ask_for_extras(engine, show.id)
        await _sell_each_kind(engine, url)
        await _find_an_account(engine, url)
        assert (await engine.events()).items


async def _sell_named(engine: "Engine", show: str) -> None:
    import bespeak

    lines = [bespeak.Line(show, "A1"), bespeak.Line(show, "A2")]
    hold = await engine.place_hold(owner="ann", lines=lines)
    try:
        await engine.place_hold(owner="bob", lines=lines)
        raise AssertionError("sold twice")
    except bespeak.UnitTaken as error:
        assert error.data["conflicts"]
        assert error.data["alternatives"] == []  # choosing is an extra
    booking = await engine.confirm_hold(hold.id, owner="ann")
    await engine.availability(show)
    await engine.cancel_booking(booking.id, reason="rain")
    assert (await engine.audit(show)).double_sold == 0


async def _ask_for_extras(engine: "Engine", show: str) -> None:
    from bespeak import Best, Line, connect
    from bespeak.__main__ import main
    from bespeak.extras import MissingExtra

    best = Line(show, best=Best(quantity=2))
    with refused(MissingExtra, "bespeak[choice]"):
        await engine.place_hold(owner="bob", lines=[best])
    with refused(MissingExtra, "bespeak[calendars]"):
        await engine.export_calendar(show)
    with refused(MissingExtra, "bespeak[embedded]"):
        async with connect(data_dir="nowhere"):
            pass
    with refused(SystemExit, "bespeak[all]"):
        main()


@contextmanager
def refused(kind: type[BaseException], words: str) -> Iterator[None]:
    """As pytest's, which is not there either."""
    try:
        yield
    except kind as error:
        assert words in str(error), error
    else:
        raise AssertionError(f"no {kind.__name__}")


async def _sell_each_kind(engine: "Engine", url: str) -> None:
    import asyncpg

    from tests.harness.clock import START, Clock
    from tests.harness.shapes import SHAPES, on

    connection = await asyncpg.connect(url)
    clock = Clock(connection)
    clock.shared_with(engine)
    await clock.set(START)
    await connection.close()
    for shape in SHAPES:
        resource = await engine.create_resource(shape.new())
        hold = await engine.place_hold(owner="ann", lines=on(resource, shape.one))
        assert hold.amount.amount == shape.amount, shape
        await engine.release_hold(hold.id)


async def _find_an_account(engine: "Engine", url: str) -> None:
    """An account that a server's operator has set is not opened, and says why."""
    import asyncpg

    import bespeak

    connection = await asyncpg.connect(url)
    await connection.execute(
        "insert into bespeak.provider_account (account_id, is_live, account_name, secret_key,"
        " webhook_secret, key_ends_with, changed_at)"
        " values ('acct_1', false, 'Lantern', 'sealed', 'sealed', '1234', now())"
    )
    await connection.close()
    accounts = engine.payments.accounts
    (account,) = await accounts.kept(seconds=0.0)
    assert accounts.is_closed(account.name)
    with refused(bespeak.ProviderUnavailable, "bespeak[server]"):
        accounts.check_open(account.name)


if __name__ == "__main__":
    Hiding.hide()
    asyncio.run(sell(sys.argv[1]))
