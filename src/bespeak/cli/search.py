"""`bespeak search`: a server that only searches, also while the database is away."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from bespeak.cli.options import Json, default_data_dir
from bespeak.cli.serve import Port, Workers


def search(
    *,
    database_url: Annotated[str | None, Parameter(env_var="BESPEAK_DATABASE_URL")] = None,
    snapshots: Annotated[Path | None, Parameter(env_var="BESPEAK_SEARCH_SNAPSHOTS")] = None,
    region: Annotated[str | None, Parameter(env_var="BESPEAK_SEARCH_REGION")] = None,
    host: str = "127.0.0.1",
    port: Port = 8001,
    workers: Workers = 1,
    as_json: Json = False,
) -> int:
    """Run a server that only searches.

    It answers `GET /v1/search`, the map of `GET /v1/stays/map` and the towns of `GET
    /v1/stays/places` as the API does, from what each of its workers keeps in memory. It needs the
    database to follow what is sold, and not to answer: while that is away it goes on, and it
    starts from its last snapshot. Run as many as you like, on any machine, and send to them what
    your proxy gets for these paths.

    For example:

        BESPEAK_DATABASE_URL=postgresql://bespeak@db.example/bespeak \\
            bespeak search --port 8001 --workers 2

    Parameters
    ----------
    database_url
        PostgreSQL 15 or newer, prepared by `bespeak migrate`.
    snapshots
        The folder of the snapshots; by default one in the user's own data folder.
    region
        `west,south,east,north` in degrees: keep only the listings in there, and answer only what
        lies wholly in there; by default all of the earth.
    host
        The address to listen at; 0.0.0.0 for all of this machine, behind a proxy only.
    port
        The port to listen at; 0 for one that is free.
    workers
        How many processes; each has all listings of the region in its memory.
    as_json
        For scripts: prints one JSON line on standard output once the server answers: url.
    """
    import msgspec

    from bespeak.cli.output import OwnOutput, say
    from bespeak.cli.supervision.search_server import serve_search
    from bespeak.errors import InvalidSetting
    from bespeak.settings import Settings
    from bespeak.verticals.stays.search.region import region_of

    if database_url is None:
        raise InvalidSetting("no database is named", variable="BESPEAK_DATABASE_URL")
    folder = (snapshots or default_data_dir("search")).expanduser().resolve()
    region_of(region)
    settings = msgspec.structs.replace(
        Settings.read(), search_snapshots=str(folder), search_region=region
    )
    output = OwnOutput()

    def announce(url: str) -> None:
        say(f"searches at {url}, with its snapshots in {folder}; Ctrl-C stops it")
        if as_json:
            output.write(msgspec.json.encode({"url": url}).decode())

    serve_search(database_url, settings, host, port, workers, announce)
    return 0
