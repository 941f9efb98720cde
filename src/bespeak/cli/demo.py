"""`bespeak demo`: a server with the box office open, something in it to sell for every vertical and
every shape, on an embedded PostgreSQL, ready to try."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from bespeak.cli.options import Json, default_data_dir
from bespeak.cli.progress import progress_line
from bespeak.cli.serve import Port, Workers

if TYPE_CHECKING:
    from bespeak.cli.demo_load import LoadProgress
    from bespeak.cli.supervision.supervisor import Ready
    from bespeak.settings import Settings

Listings = Annotated[
    int,
    Parameter(env_var="BESPEAK_DEMO_LISTINGS", validator=Number(gte=0, lte=2_000_000)),
]
PremiereSeconds = Annotated[
    int,
    Parameter(env_var="BESPEAK_DEMO_PREMIERE_SECONDS", validator=Number(gte=1, lte=86_400)),
]

_NAME = "demo"
_SHARED_MEGABYTES = 16  # what its database holds beyond that is in the system's cache of files


def demo(
    *,
    port: Port = 8000,
    data: Annotated[Path | None, Parameter(env_var="BESPEAK_DATA_DIR")] = None,
    host: str = "127.0.0.1",
    workers: Workers = 2,
    listings: Listings = 20_000,
    premiere_seconds: PremiereSeconds = 120,
    as_json: Json = False,
    open_page: Annotated[bool, Parameter(name="--open", negative="")] = False,
) -> int:
    """Open a box office with a week of shows in it.

    A shop to buy at with play money, a console to run it, and what the verticals bring: cities
    full of shows from today on. Beside them, one or two resources of each shape: a theatre, a
    hotel, a cottage, a clinic, tokens, a festival, a train, drivers. It runs on a PostgreSQL of its
    own in the data folder and never touches another database. The shop is open at once, and its
    shows come in meanwhile, the nearest days first. Started again, it finds all of it, bookings and
    keys too, as it was. Ctrl-C or SIGTERM stops everything.

    For example:

        bespeak demo --open                        # and the shop is in your browser

        bespeak demo --port 8080 --data ./demo     # elsewhere; delete the folder to begin anew

        bespeak rush --pace 15                     # in another terminal: let a crowd loose

        bespeak rush --waiting-room                # one that queues for the premiere

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
    listings
        How many houses and rooms to let by the night there are to search, in 60 cities; 0 for none.
        More than are there already are added; none are taken away.
    premiere_seconds
        After how many seconds the sale of the premiere opens, once all is loaded. It is a show in a
        small hall behind a waiting room, to queue for.
    as_json
        For scripts: print only one JSON line on standard output, once all is loaded: url,
        database_url, keys (pk, sk, ak), resources (shows to try; the first has 300 seats), samples
        (one or two of each shape), premiere (its show, its waiting room, when its sale opens).
    open_page
        Open the shop in a browser, when its first shows are there.
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
        settings,
        demo=True,
        demo_listings=listings,
        demo_premiere_seconds=premiere_seconds,
        free_sales=True,
        # Started again, it need not read all listings before one is found.
        search_snapshots=settings.search_snapshots or str(folder / "search"),
        payment_providers=os.environ.get("BESPEAK_PAYMENT_PROVIDERS") or "sandbox,desk",
    )

    async def prepare(url: str) -> Ready:
        return await _prepare(url, folder)

    def announce(ready: Ready) -> None:
        output.write(ready_line(ready) if as_json else guide(ready, folder, output.is_terminal))

    filling = _Filling(settings, open_page=open_page)
    options = ServeOptions(host, port, workers, None, folder, settings, _SHARED_MEGABYTES)
    return run(options, prepare, announce, filling)


def _has_desktop() -> bool:
    """Whether a browser window can appear; without one, `webbrowser` would start a text browser
    in this terminal."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


async def _prepare(url: str, folder: Path) -> Ready:
    from bespeak.cli.databases import connected
    from bespeak.cli.readiness import kept_keys
    from bespeak.cli.supervision.supervisor import Ready
    from bespeak.demo import DEMO
    from bespeak.postgres.migrate import migrate
    from bespeak.verticals.installed import migration_sources

    async with connected(url) as connection:
        await migrate(connection, [*migration_sources(), DEMO])
        keys = await kept_keys(connection, folder / "keys.json", _NAME)
    return Ready(keys={kind: key.text for kind, key in keys.items()})


class _Filling:
    """Fills the demo beside the server that answers already, and shows how far it is. The shop is
    opened when there is something in it."""

    def __init__(self, settings: Settings, *, open_page: bool) -> None:
        self._settings = settings
        self._open_page = open_page

    def __call__(self, ready: Ready, stack: ExitStack) -> bool:
        from bespeak.cli.demo_load import DemoLoader
        from bespeak.cli.output import say

        say(f"open at {ready.url}/ already, while its shows are loaded")
        loader = DemoLoader(ready.database_url, self._settings)
        stack.callback(loader.stop)
        with progress_line("loaded") as show:

            def tell(progress: LoadProgress) -> None:
                show(progress.done, progress.total)
                if progress.done:
                    self._open(ready.url)

            contents = loader.wait(tell)
        if contents is None:
            return False
        self._open(ready.url)
        ready.resources = contents.resources
        ready.suggestion = contents.suggestion
        ready.samples = contents.samples
        ready.told = contents.told
        ready.premiere = contents.premiere
        return True

    def _open(self, url: str) -> None:
        if self._open_page and _has_desktop():
            import webbrowser

            webbrowser.open(url)
        self._open_page = False
