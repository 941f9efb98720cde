"""Whether the ranges of a wish can ever be had. Its plan judges them as the lines of a hold, as if
nothing were taken, so that nobody waits for what is never sold.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from bespeak import ids
from bespeak.errors import BespeakError, InvalidRequest, NotOnSale
from bespeak.inventory.plans import Reason
from bespeak.inventory.resources import ReadyResource
from bespeak.inventory.snapshot import Snapshot
from bespeak.lines import Line
from bespeak.reservations.judgement import sale_context
from bespeak.waitlists.wish import WaitlistWish, ways

_OF_WISH = {
    "lines.quantity": "wish.party",
    "lines.best": "wish.party",
    "lines.guests": "wish.guests",
    "lines.unit": "wish.categories",
}
"""Where a wish says for all of its places what a line says there."""
_OF_PLACE = ("lines.to", "lines.rate")
"""What each place says for itself, beside its `from`."""


async def never_sold(
    wish: WaitlistWish, resources: Mapping[int, ReadyResource], now: datetime
) -> BespeakError | None:
    """Why the range of a place can never be had, if so: as its plan judges the lines of a hold,
    were nothing taken. A range that is closed may be opened again, and is worth waiting for."""
    for index, place in enumerate(wish.places):
        ready = resources[ids.parse_resource(place.resource_id)]
        if ready.plan.range_kind is None:
            continue
        await asyncio.sleep(0)  # a long stay among many rooms takes as long as a hold of it
        refusals = list[BespeakError]()
        for lines in ways(msgspec.structs.replace(wish, places=(place,)), resources):
            refusal = _refusal(lines, ready, now)
            if refusal is None:
                break
            refusals.append(refusal)
        else:
            if refusals:
                _name_place(refusals[0], index)
                return refusals[0]
    return None


def _refusal(lines: Sequence[Line], ready: ReadyResource, now: datetime) -> BespeakError | None:
    """Why a plan would not sell these lines if all of it were free."""
    sale = sale_context(ready, now)
    try:
        for line in dict.fromkeys(lines):
            chosen = [line]
            if ready.plan.is_open(line):
                chosen = ready.plan.choose(line, Snapshot(), sale, partial=True)
            for one in chosen:
                ready.plan.line_claims(one, sale)
    except InvalidRequest as error:
        return error
    except NotOnSale as error:
        reasons = msgspec.convert(error.data["reasons"], list[dict[str, object]])
        if any(note["reason"] != Reason.CLOSED for note in reasons):
            return error
    except BespeakError:
        return None  # how many there are is no matter of the range
    return None


def _name_place(error: BespeakError, index: int) -> None:
    """Says which part of the wish an error is about."""
    field = str(error.data.get("field"))
    part = field.removeprefix("lines.") if field in _OF_PLACE else "from"
    error.data["field"] = _OF_WISH.get(field, f"wish.places[{index}].{part}")
