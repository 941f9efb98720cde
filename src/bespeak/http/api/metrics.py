"""The metrics, for Prometheus."""

from __future__ import annotations

from bespeak.http.server import tags
from bespeak.http.server.answers import Answer
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import SERVERS, endpoint_table
from bespeak.http.server.metrics import render
from bespeak.http.server.scopes import READ
from bespeak.http.server.workspaces import Reach

_MEDIA_TYPE = b"text/plain; version=0.0.4; charset=utf-8"

ENDPOINTS, endpoint = endpoint_table(tags.INSTALLATION)


@endpoint(
    "GET",
    "/metrics",
    "Metrics for Prometheus",
    kinds=SERVERS,
    scopes=READ,
    reach=Reach.INSTALLATION,
)
async def get_metrics(_: Call[None, None]) -> Answer:
    """The metrics of all workers, in Prometheus form: they tell what is sold, hence the key."""
    return Answer(200, render(), content_type=_MEDIA_TYPE)
