"""Whether this process is there, and whether it can work."""

from __future__ import annotations

import msgspec

from bespeak.errors import DatabaseUnavailable
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import ANYONE, endpoint_table

ENDPOINTS, endpoint = endpoint_table()


class Health(msgspec.Struct, frozen=True, omit_defaults=True):
    """That this process is there (healthz), or that it can work (readyz). Where other processes of
    the same server are missing, it is `degraded`, and `missing` names them."""

    status: str
    missing: list[str] = []


@endpoint("GET", "/healthz", "Is it there", kinds=ANYONE)
async def healthz(_call: Call[None, None]) -> Health:
    """Whether this process is there."""
    return Health("ok")


@endpoint("GET", "/readyz", "Can it work", kinds=ANYONE, errors=(DatabaseUnavailable,))
async def readyz(call: Call[None, None]) -> Health:
    """Whether this process can work: the database answers, and there is room in the queue."""
    await call.service.check_ready()
    missing = call.service.heartbeats.missing()
    return Health("degraded" if missing else "ready", missing)
