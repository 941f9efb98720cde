"""Advice on hold times, from how long buyers take."""

from __future__ import annotations

from bespeak.http.server import tags
from bespeak.http.server.answers import WholeList
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OPERATORS, endpoint_table
from bespeak.http.server.scopes import READ
from bespeak.http.server.workspaces import Reach
from bespeak.overview.advice import HoldTimeAdvice

ENDPOINTS, endpoint = endpoint_table(tags.CONSOLE)


class HoldTimeAdviceList(WholeList[HoldTimeAdvice], frozen=True):
    """Advice for each kind of resource that there is."""


@endpoint(
    "GET",
    "/v1/advice/hold-time",
    "Get advice on hold times",
    kinds=OPERATORS,
    scopes=READ,
    reach=Reach.WORKSPACE,
)
async def advise_hold_times(call: Call[None, None]) -> HoldTimeAdviceList:
    """Compares how long buyers take with how long holds last, for each kind of resource."""
    return HoldTimeAdviceList(await call.service.adviser.hold_times(call.workspace))
