"""`bespeak demo`: a server with a real cinema in it and something of every other shape, on an
embedded PostgreSQL, ready to try."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from bespeak.cli.options import default_data_dir
from bespeak.cli.serve import Json, Port, Workers

if TYPE_CHECKING:
    from bespeak.assembly import Engine
    from bespeak.cli.supervisor import Ready
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
    """Run a server with a real cinema in it.

    Two cinemas, nine screens of 200 to 400 seats, a week of shows from tomorrow; and one resource
    of each shape: a theatre, a hotel, a cottage, a clinic, tokens, a festival, a train, drivers. It
    runs on a PostgreSQL of its own in the data folder and never touches another database. Started
    again, it finds all of it, bookings and keys too, as it was. Ctrl-C or SIGTERM stops everything.

    For example:

        bespeak demo                               # then do what it prints

        bespeak demo --port 8080 --data ./demo     # elsewhere; delete the folder to begin anew

        bespeak rush --buyers 2000                 # in another terminal: sell a show out

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
        database_url, keys (pk, sk, ak), resources (the shows; the first has 300 seats), samples
        (one or two of each shape).
    open_page
        Open the server's page in a browser.
    """
    import msgspec

    from bespeak.cli.output import OwnOutput
    from bespeak.cli.readiness import ready_line
    from bespeak.cli.supervisor import Job
    from bespeak.cli.supervisor import serve as run
    from bespeak.settings import Settings

    folder = (data or default_data_dir(_NAME)).expanduser().resolve()
    output = OwnOutput()
    settings = Settings.read()
    if not settings.payment_providers:
        settings = msgspec.structs.replace(settings, payment_providers="sandbox")

    async def prepare(url: str) -> Ready:
        return await _prepare(url, folder, settings)

    def announce(ready: Ready) -> None:
        output.write(ready_line(ready) if as_json else _guide(ready, folder))
        if open_page and _has_desktop():
            import webbrowser

            webbrowser.open(ready.url)

    return run(Job(host, port, workers, None, folder, settings), prepare, announce)


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
    from bespeak.cli.supervisor import Ready
    from bespeak.postgres.migrate import migrate
    from bespeak.verticals.cinema.load import load_demo
    from bespeak.verticals.samples.load import load_samples

    async with connected(url) as connection:
        await migrate(connection)
        keys = await kept_keys(connection, folder / "keys.json", _NAME)
    async with bespeak.connect(url, settings=settings, sweep=False) as engine:
        shows = await load_demo(engine)
        seats = await _free_pair(engine, shows[0])
        samples = await load_samples(engine)
    texts = {kind: key.text for kind, key in keys.items()}
    return Ready(keys=texts, resources=shows, suggestion=seats, samples=samples)


async def _free_pair(engine: Engine, show: Resource) -> list[str]:
    """Two free seats side by side, about the middle of the room; none when it is full."""
    from bespeak.inventory.seats.compiled import SeatsAvailability
    from bespeak.inventory.seats.seatmap import SeatsPlan

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


def _guide(ready: Ready, folder: Path) -> str:
    """What to try, as lines that one can paste into another terminal."""
    import msgspec

    show = ready.resources[0]
    url, keys = ready.url, ready.keys
    lines = [{"resource_id": show.id, "unit": seat} for seat in ready.suggestion or ["F7", "F8"]]
    hold = msgspec.json.encode({"owner": "asha", "lines": lines}).decode()
    return f"""\
Bespeak serves {len(ready.resources)} shows at {url}, from {folder}

Try, in another terminal, on "{show.name}":

  export URL={url}
  export PK={keys["pk"]}  # for browsers
  export SK={keys["sk"]}  # for servers
  export AK={keys["ak"]}  # for the operator
  export SHOW={show.id}

  # hold two seats for seven minutes
  curl -s {url}/v1/holds -H "Authorization: Bearer $SK" -H "Content-Type: application/json" \\
    -d '{hold}'

  # make it a booking, with the id of your hold
  curl -s {url}/v1/bookings -H "Authorization: Bearer $SK" -H "Content-Type: application/json" \\
    -d '{{"hold_id":"hold_..."}}'

  # see what is taken
  curl -s {url}/v1/resources/{show.id}/availability -H "Authorization: Bearer $SK"

  # let 2,000 buyers loose on it
  bespeak rush --url {url} --resource {show.id} --buyers 2000

Beside the shows, one or two resources of each shape, and the page that sells such a thing:

{_listed(ready)}

To pay for the theatre, confirm with "payment_token":"tok_success": a sandbox, no money moves

All calls: {url}/docs    Stop: Ctrl-C
"""


def _listed(ready: Ready) -> str:
    """A line for each sample: its shape, its id, its page, its name."""
    return "\n".join(
        f"  {sample.shape:7}  {resource.id}  {sample.guide:29}  {resource.name}"
        for sample, resource in ready.samples
    )
