"""`bespeak demo`: a server with the box office open, something in it to sell for every vertical and
every shape, on an embedded PostgreSQL, ready to try."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from bespeak.cli.options import default_data_dir
from bespeak.cli.serve import Json, Port, Workers

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.cli.supervision.supervisor import Ready
    from bespeak.inventory.resources import Resource
    from bespeak.settings import Settings

_NAME = "demo"


def demo(
    *,
    port: Port = 8000,
    data: Annotated[Path | None, Parameter(env_var="BESPEAK_DATA_DIR")] = None,
    host: str = "127.0.0.1",
    workers: Workers = 2,
    as_json: Json = False,
    open_page: Annotated[bool, Parameter(name="--open", negative="")] = False,
) -> int:
    """Open a box office with a week of shows in it.

    A shop to buy at with play money, a console to run it, and what the verticals bring: cities
    full of shows from today on. Beside them, one or two resources of each shape: a theatre, a
    hotel, a cottage, a clinic, tokens, a festival, a train, drivers. It runs on a PostgreSQL of its
    own in the data folder and never touches another database. Started again, it finds all of it,
    bookings and keys too, as it was. Ctrl-C or SIGTERM stops everything.

    For example:

        bespeak demo --open                        # and the shop is in your browser

        bespeak demo --port 8080 --data ./demo     # elsewhere; delete the folder to begin anew

        bespeak rush --pace 15                     # in another terminal: let a crowd loose

    Parameters
    ----------
    port
        The port to listen at; 0 for one that is free.
    data
        The folder of the database; by default one in your own data folder.
    host
        The address to listen at.
    workers
        How many API processes.
    as_json
        For scripts: print only one JSON line on standard output, once the server answers: url,
        database_url, keys (pk, sk, ak), resources (shows to try; the first has 300 seats), samples
        (one or two of each shape).
    open_page
        Open the shop in a browser.
    """
    import msgspec

    from bespeak.cli.guide import guide
    from bespeak.cli.output import OwnOutput
    from bespeak.cli.readiness import ready_line
    from bespeak.cli.supervision.supervisor import ServeOptions
    from bespeak.cli.supervision.supervisor import serve as run
    from bespeak.settings import Settings

    folder = (data or default_data_dir(_NAME)).expanduser().resolve()
    output = OwnOutput()
    settings = Settings.read()
    settings = msgspec.structs.replace(
        settings, demo=True, payment_providers=settings.payment_providers or "sandbox"
    )

    async def prepare(url: str) -> Ready:
        return await _prepare(url, folder, settings)

    def announce(ready: Ready) -> None:
        output.write(ready_line(ready) if as_json else guide(ready, folder, output.is_terminal))
        if open_page and _has_desktop():
            import webbrowser

            webbrowser.open(ready.url)

    return run(ServeOptions(host, port, workers, None, folder, settings), prepare, announce)


def _has_desktop() -> bool:
    """Whether a browser window can appear; without one, `webbrowser` would start a text browser
    in this terminal."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


async def _prepare(url: str, folder: Path, settings: Settings) -> Ready:
    """Migrates, loads what is not there, and finds two free seats to suggest."""
    import bespeak
    from bespeak.cli.databases import connected
    from bespeak.cli.readiness import kept_keys
    from bespeak.cli.supervision.supervisor import Ready
    from bespeak.demo import DEMO
    from bespeak.demo.samples.load import load_samples
    from bespeak.postgres.migrate import migrate
    from bespeak.verticals.installed import installed, migration_sources

    async with connected(url) as connection:
        await migrate(connection, [*migration_sources(), DEMO])
        keys = await kept_keys(connection, folder / "keys.json", _NAME)
    ready = Ready(keys={kind: key.text for kind, key in keys.items()})
    async with bespeak.connect(url, settings=settings, sweep=False) as engine:
        for vertical in installed():
            loaded = await vertical.load_demo(engine, None) if vertical.load_demo else None
            if loaded is not None:
                ready.resources += loaded.featured
                ready.told.append(loaded.told or vertical.title)
        if ready.resources:
            ready.suggestion = await _free_pair(engine, ready.resources[0])
        ready.samples = await load_samples(engine)
    return ready


async def _free_pair(engine: Engine, show: Resource) -> list[str]:
    """Two free seats side by side, about the middle of the room; none when it is full."""
    from bespeak.inventory.shapes.seats.compiled import SeatsAvailability
    from bespeak.inventory.shapes.seats.seatmap import SeatsPlan

    seen = await engine.availability(show.id)
    if not isinstance(show.plan, SeatsPlan) or not isinstance(seen, SeatsAvailability):
        return []
    taken = seen.taken
    rows = [row for section in show.plan.sections for row in section.rows]
    for row in rows[len(rows) // 2 :] + rows[: len(rows) // 2]:
        numbers = [n for n in range(row.first, row.first + row.seats) if n not in row.without]
        middle = len(numbers) // 2
        for left, right in zip(numbers[middle:], numbers[middle + 1 :], strict=False):
            pair = [f"{row.name}{left}", f"{row.name}{right}"]
            if right == left + 1 and not taken.keys() & set(pair):
                return pair
    return []
