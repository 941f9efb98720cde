"""Many holds in one call, for servers that sell for others: each is judged, placed and answered as
the call for one hold would, in an item of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated, cast

import msgspec
import structlog
from msgspec import UNSET, Meta

from bespeak.errors import BespeakError, InternalError
from bespeak.http.api.asked_holds import AskedHold, resources_of
from bespeak.http.api.holds import HoldView, note_held, note_refused, place_asked, view_of
from bespeak.http.server import tags
from bespeak.http.server.answers import REPLAYED, JsonAnswer, WholeList
from bespeak.http.server.bindings import Subject
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import SERVERS, endpoint_table
from bespeak.http.server.problems import Problem, problem_document
from bespeak.http.server.scopes import SELL
from bespeak.http.server.workspaces import Reach
from bespeak.reservations.hold_batches import HOLDS_MAX, HoldOutcome, hold_keys
from bespeak.reservations.holds import Hold

_HELD = 201
_log = structlog.get_logger()

ENDPOINTS, endpoint = endpoint_table(tags.HOLDS)


class BatchHold(AskedHold, frozen=True):
    """One hold of a batch: as for a single hold, but a refusal has no alternatives. With an
    idempotency key of its own it may be asked for again."""


class PlaceHolds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for many holds, none of which hangs on another."""

    holds: Annotated[list[BatchHold], Meta(min_length=1, max_length=HOLDS_MAX)]


class HoldItem(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one hold of a batch: the hold, or the problem, with the status that a call for
    it alone would have had. `repeated` where an earlier request with its key placed it."""

    status: int
    hold: HoldView | None = None
    problem: Problem | None = None
    repeated: bool = False


class HoldBatchAnswer(WholeList[HoldItem], frozen=True):
    """What became of each hold, in the order of the request."""


def _subject(call: Call[None, PlaceHolds]) -> Subject:
    return Subject(sorted(set[str]().union(*map(resources_of, call.body.holds))))


@endpoint(
    "POST",
    "/v1/holds/batch",
    "Place many holds",
    kinds=SERVERS,
    repeatable=True,
    repeats_elements=True,
    scopes=SELL,
    reach=Reach.IDS,
    body_about=_subject,
)
async def place_holds(call: Call[None, PlaceHolds]) -> JsonAnswer[HoldBatchAnswer]:
    """Places up to 500 holds for other people; each has its own answer and its own key."""
    asked, caller = call.body.holds, call.caller
    keys = hold_keys([(one.owner, _own_key(one)) for one in asked], call.idempotency_key)
    if caller.kind is not None and caller.key_id is not None:
        await call.service.limits.count_batch(caller.kind, caller.key_id, len(asked))
    holds = [partial(_place, call, one, key) for one, key in zip(asked, keys, strict=True)]
    items = _items(call, await call.engine.hold_batches.place(holds))
    made = [item for item in items if item.hold is not None]
    is_repeat = bool(made) and all(item.repeated for item in made)
    return JsonAnswer(200, HoldBatchAnswer(items), headers=REPLAYED if is_repeat else ())


async def _place(call: Call[None, PlaceHolds], asked: AskedHold, key: str | None) -> Hold:
    try:
        hold = await place_asked(call, asked, key, alternatives=0)
    except BespeakError as error:
        note_refused(call, error)
        raise
    note_held(hold)
    return hold


def _own_key(asked: AskedHold) -> str | None:
    return None if asked.idempotency_key is UNSET else asked.idempotency_key


def _items(call: Call[None, PlaceHolds], outcomes: Sequence[HoldOutcome]) -> list[HoldItem]:
    now = call.engine.clock.seconds()
    return [
        _problem_item(one, call.request_id)
        if isinstance(one, BespeakError)
        else HoldItem(status=_HELD, hold=view_of(one, now), repeated=one.replayed)
        for one in outcomes
    ]


def _problem_item(error: BespeakError, request_id: str) -> HoldItem:
    if error.status == InternalError.status:
        # What it says may be the database's own words: for the log, not for the client.
        _log.error("hold of a batch failed", request_id=request_id, error=str(error))
        error = InternalError()
    # A problem's document, with the data of its code beside the fields that all have.
    document = cast("Problem", problem_document(error, request_id))
    return HoldItem(status=error.status, problem=document)
