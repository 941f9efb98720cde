"""The calls of the programme as a table: who may make them, what they take, answer and refuse."""

from functools import partial

from bespeak import ids
from bespeak.errors import DatabaseUnavailable, InvalidCursor, InvalidId, PlanChanged
from bespeak.inventory.errors import PaymentRuleNeeded, ResourceCalledOff, ResourceNotReady
from bespeak.postgres.errors import DatabaseReadOnly
from bespeak.verticals.currencies import CurrencyNeeded
from bespeak.verticals.pictures import MEDIA_TYPE, PictureInvalid, PictureNotFound
from bespeak.verticals.programme import calls
from bespeak.verticals.programme.errors import (
    HallNotFound,
    HallOccupied,
    PerformanceNotFound,
    PerformanceSold,
    ProductionInUse,
    ProductionNotFound,
    VenueNotFound,
)
from bespeak.verticals.programme.names import HALL, PRODUCTION, VENUE, id_pattern
from bespeak.verticals.vertical import VerticalCall

_PATTERNS = {
    "venue_id": id_pattern(VENUE),
    "hall_id": id_pattern(HALL),
    "production_id": id_pattern(PRODUCTION),
    "performance_id": f"^{ids.RESOURCE}_[0-9a-hjkmnp-tv-z]{{8}}$",
}
_call = partial(VerticalCall, patterns=_PATTERNS, workspaces=True)
_read = partial(_call, "GET")
_list = partial(_read, errors=(InvalidCursor, InvalidId))
_add = partial(_call, "POST", who="operators", status=201, repeatable=True)
_change = partial(_call, "PATCH", who="operators")
_PICTURE = "/productions/{production_id}/picture"
_PERFORMANCE = "/performances/{performance_id}"

CALLS = (
    _read("/venues", calls.list_venues, "List venues", errors=(InvalidCursor,)),
    _read("/venues/{venue_id}", calls.get_venue, "Read a venue", errors=(InvalidId, VenueNotFound)),
    _add("/venues", calls.create_venue, "Add a venue"),
    _change(
        "/venues/{venue_id}",
        calls.update_venue,
        "Change a venue",
        errors=(InvalidId, VenueNotFound),
    ),
    _list("/halls", calls.list_halls, "List halls"),
    _read("/halls/{hall_id}", calls.get_hall, "Read a hall", errors=(InvalidId, HallNotFound)),
    _add(
        "/halls",
        calls.create_hall,
        "Add a hall",
        errors=(InvalidId, VenueNotFound),
        takes_document=True,
    ),
    _change(
        "/halls/{hall_id}",
        calls.update_hall,
        "Change a hall",
        errors=(InvalidId, HallNotFound),
        takes_document=True,
    ),
    _list("/productions", calls.list_productions, "List productions"),
    _read(
        "/productions/{production_id}",
        calls.get_production,
        "Read a production",
        errors=(InvalidId, ProductionNotFound),
    ),
    _add("/productions", calls.create_production, "Add a production"),
    _change(
        "/productions/{production_id}",
        calls.update_production,
        "Change a production",
        errors=(InvalidId, ProductionNotFound, ProductionInUse),
    ),
    _call(
        "DELETE",
        "/productions/{production_id}",
        calls.delete_production,
        "Delete a production",
        who="operators",
        errors=(InvalidId, ProductionNotFound, ProductionInUse),
    ),
    _call(
        "GET",
        _PICTURE,
        calls.get_production_picture,
        "A production's picture",
        who="anyone",
        media_type=MEDIA_TYPE,
        errors=(
            InvalidId,
            ProductionNotFound,
            PictureNotFound,
            DatabaseReadOnly,
            DatabaseUnavailable,
        ),
    ),
    _call(
        "PUT",
        _PICTURE,
        calls.set_production_picture,
        "Set a production's picture",
        who="operators",
        errors=(InvalidId, ProductionNotFound, PictureInvalid),
        takes_document=True,
    ),
    _call(
        "DELETE",
        _PICTURE,
        calls.remove_production_picture,
        "Remove a production's picture",
        who="operators",
        errors=(InvalidId, ProductionNotFound),
    ),
    _list("/performances", calls.list_performances, "List performances"),
    _read(
        _PERFORMANCE,
        calls.get_performance,
        "Read a performance",
        resource="performance_id",
        errors=(InvalidId, PerformanceNotFound),
    ),
    _add(
        "/performances",
        calls.create_performance,
        "Add a performance",
        errors=(
            InvalidId,
            ProductionNotFound,
            HallNotFound,
            HallOccupied,
            CurrencyNeeded,
            ResourceNotReady,
        ),
    ),
    _change(
        _PERFORMANCE,
        calls.update_performance,
        "Change a performance",
        resource="performance_id",
        errors=(
            InvalidId,
            PerformanceNotFound,
            HallOccupied,
            PerformanceSold,
            PlanChanged,
            PaymentRuleNeeded,
            ResourceCalledOff,
            ResourceNotReady,
        ),
    ),
    _call(
        "POST",
        _PERFORMANCE + "/copies",
        calls.create_copies,
        "Give a performance again",
        who="operators",
        status=201,
        resource="performance_id",
        errors=(InvalidId, PerformanceNotFound, HallOccupied, ResourceNotReady),
    ),
    _call("GET", "/sample", calls.get_sample, "Whether there is a sample", who="operators"),
    _call("PUT", "/sample", calls.add_sample, "Add the sample", who="operators"),
    _call(
        "DELETE",
        "/sample",
        calls.remove_sample,
        "Take the sample away",
        who="operators",
        errors=(PlanChanged,),
    ),
)
