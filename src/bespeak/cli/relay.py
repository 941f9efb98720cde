"""`bespeak relay`: sends the feed to a broker."""

from __future__ import annotations

import asyncio
import signal
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from bespeak.cli.options import DatabaseChoice

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection
    from bespeak.relay.relay import Relay
    from bespeak.relay.track import RelayTrack

_STOP_SECONDS = 5.0


def relay(
    *,
    to: Annotated[str | None, Parameter(env_var="BESPEAK_RELAY_TO")] = None,
    name: str = "relay",
    after: str = "start",
    forget: Annotated[bool, Parameter(negative="")] = False,
    database: DatabaseChoice | None = None,
) -> int:
    """Send every event to Kafka or NATS JetStream, in order, until told to stop.

    How far it has come stands in the database: killed anywhere, it goes on there, and nothing is
    deleted from the feed before it is sent. What comes twice has the same `bespeak-cursor`. Run as
    many of one name as you like: one sends, another takes over when it dies.

    For example:

        bespeak relay --to kafka://127.0.0.1:9092/bookings

        bespeak relay --to nats://127.0.0.1:4222/bookings --name analytics --after now

        bespeak relay --name analytics --forget

    Parameters
    ----------
    to
        kafka://HOST:PORT/TOPIC or nats://HOST:PORT/SUBJECT; kafka+tls and nats+tls with TLS.
        Several servers stand with commas between. With a password, prefer the variable.
    name
        Which relay this is: one for each place to send to.
    after
        Where a new relay begins: `start` (the oldest event that is kept), `now`, or behind a
        cursor. One that is there already goes on where it is.
    forget
        End the relay of this name: the feed keeps nothing for it any more.
    """
    from bespeak.cli.databases import on_connection, opened
    from bespeak.errors import InvalidSetting
    from bespeak.http.server.logs import configure
    from bespeak.relay.relay import Relay
    from bespeak.relay.targets import VARIABLE, open_broker, parse_target
    from bespeak.relay.track import RelayTrack
    from bespeak.settings import Settings

    track = RelayTrack(name)
    if forget:
        on_connection(database, lambda connection: _forget(connection, track))
        print(f"forgot {name}")
        return 0
    if to is None:
        raise InvalidSetting(f"say where with --to, or set {VARIABLE}", variable=VARIABLE)
    broker = open_broker(parse_target(to))
    configure(Settings.read().log_level)
    with opened(database) as url:
        asyncio.run(_run(Relay(url, track, broker, after=after), url))
    return 0


async def _run(relay: Relay, url: str) -> None:
    from bespeak.cli.databases import connected
    from bespeak.postgres.migrate import require_migrated

    async with connected(url) as connection:
        await require_migrated(connection)
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    running = asyncio.create_task(relay.run())
    stop = asyncio.create_task(stopping.wait())
    try:
        await asyncio.wait({running, stop}, return_when=asyncio.FIRST_COMPLETED)
        relay.stop()
        # What is on its way may be acknowledged; what is not comes again at the next start.
        await asyncio.wait({running}, timeout=_STOP_SECONDS)
        if running.done():
            running.result()
    finally:
        for task in (running, stop):
            task.cancel()
        await asyncio.gather(running, stop, return_exceptions=True)


async def _forget(connection: Connection, track: RelayTrack) -> None:
    from bespeak.postgres.migrate import require_migrated

    await require_migrated(connection)
    await track.forget(connection)
