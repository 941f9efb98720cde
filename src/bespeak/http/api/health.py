"""Whether this process is there, and whether it can work."""

from __future__ import annotations

from typing import Literal

import msgspec

from bespeak.errors import DatabaseUnavailable
from bespeak.http.server import tags
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import ANYONE, endpoint_table
from bespeak.postgres.errors import DatabaseReadOnly
from bespeak.postgres.replica import ReplicaState

ENDPOINTS, endpoint = endpoint_table(tags.INSTALLATION)


class Health(msgspec.Struct, frozen=True, omit_defaults=True):
    """That this process is there (healthz), or that it can work (readyz). Where other processes of
    the same server are missing, it is `degraded`, and `missing` names them; also where there is to
    be a `replica` for reads and it is `behind`, `away` or `other` (not the primary's): then the
    primary answers them."""

    status: Literal["ok", "ready", "degraded"]
    missing: list[str] = []
    replica: ReplicaState | None = None


@endpoint("GET", "/healthz", "Is it there", kinds=ANYONE)
async def check_health(_call: Call[None, None]) -> Health:
    """Whether this process is there."""
    return Health("ok")


@endpoint(
    "GET", "/readyz", "Can it work", kinds=ANYONE, errors=(DatabaseReadOnly, DatabaseUnavailable)
)
async def check_readiness(call: Call[None, None]) -> Health:
    """Whether this process can work: the database answers, and there is room in the queue."""
    await call.service.check_ready()
    missing = call.service.heartbeats.missing()
    replica = call.engine.reads.replica
    state = None if replica is None else replica.state
    is_whole = not missing and state in (None, ReplicaState.FOLLOWS)
    return Health("ready" if is_whole else "degraded", missing, state)
