"""`bespeak worker`: the background worker alone. Any number may run; one leads, the others wait to
take over. `bespeak serve` runs one by itself.
"""

from __future__ import annotations

import asyncio

from bespeak.cli.options import DatabaseChoice


def worker(*, database: DatabaseChoice | None = None) -> int:
    """Run the background worker alone.

    It lets holds expire within a second of their time and tells the feed. Nothing depends on it
    for correctness: a lapsed seat is free to the next taker without it. Run as many as you like,
    on any machine that reaches the database: one works, the next takes over when it dies.
    `bespeak serve` starts one by itself, so you need this only to have a spare.

    For example:

        BESPEAK_DATABASE_URL=postgresql://bespeak@db.example/bespeak bespeak worker
    """
    from bespeak.cli.databases import opened
    from bespeak.cli.supervision.background_worker import work
    from bespeak.cli.supervision.leader import Leader
    from bespeak.http.server.logs import configure
    from bespeak.settings import Settings
    from bespeak.verticals.installed import installed

    settings = Settings.read()
    installed()  # a broken vertical is told of before anybody leads
    configure(settings.log_level)
    chosen = database or DatabaseChoice()
    with opened(chosen) as url:
        asyncio.run(work(Leader(url, chosen.folder(), settings)))
    return 0
