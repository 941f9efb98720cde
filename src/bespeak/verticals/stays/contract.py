"""The calls of stays as a table: who may make them, what they take, answer and refuse."""

from functools import partial

from bespeak.errors import (
    BookingNotFound,
    DatabaseUnavailable,
    InvalidCursor,
    InvalidId,
    NotOwner,
    PlanChanged,
    ResourceInUse,
    VersionMismatch,
)
from bespeak.inventory.errors import PaymentRuleNeeded, ResourceNotReady
from bespeak.postgres.errors import DatabaseReadOnly
from bespeak.verticals.currencies import CurrencyNeeded
from bespeak.verticals.pictures import MEDIA_TYPE, PictureInvalid, PictureNotFound
from bespeak.verticals.stays import calls
from bespeak.verticals.stays.errors import (
    InvalidStay,
    ListingNotFound,
    OutsideRegion,
    PictureUnknown,
    PriceMoved,
    PriceRuleNeeded,
    PropertyFull,
    PropertyNotFound,
    RatingNotFound,
    RatingNotOpen,
    SearchNotReady,
    StayReferenceTaken,
)
from bespeak.verticals.stays.names import (
    BOOKING_PATTERN,
    LISTING_PATTERN,
    PICTURE_PATTERN,
    PROPERTY_PATTERN,
)
from bespeak.verticals.stays.ratings import calls as ratings
from bespeak.verticals.stays.suggestions import calls as prices
from bespeak.verticals.vertical import VerticalCall

_PATTERNS = {
    "property_id": PROPERTY_PATTERN,
    "listing_id": LISTING_PATTERN,
    "picture_id": PICTURE_PATTERN,
    "booking_id": BOOKING_PATTERN,
}
_call = partial(VerticalCall, patterns=_PATTERNS, workspaces=True)
_read = partial(_call, "GET")
_of_house = partial(_read, who="servers", place="property_id")
_add = partial(_call, "POST", who="operators", status=201, repeatable=True)
_change = partial(_call, "PATCH", who="operators")

_of_booking = partial(
    _call,
    path="/bookings/{booking_id}/rating",
    needs_shopper=True,
    booking_link_opens=True,
    at_root=True,
)
_of_prices = partial(_call, resource="listing_id", at_root=True)
_SUGGESTED = "/listings/{listing_id}/suggested-prices"

_RATINGS = (
    _of_booking(
        "POST",
        handler=ratings.rate_stay,
        summary="Rate a stay",
        repeatable=True,
        errors=(BookingNotFound, InvalidId, NotOwner, RatingNotOpen),
    ),
    _of_booking(
        "GET",
        handler=ratings.get_rating,
        summary="Read the rating of a stay",
        errors=(BookingNotFound, InvalidId, NotOwner, RatingNotFound),
    ),
    _read(
        "/properties/{property_id}/comments",
        ratings.list_comments,
        "List what guests wrote",
        errors=(InvalidCursor, InvalidId, PropertyNotFound),
    ),
    _change(
        "/ratings/{booking_id}",
        ratings.hide_comment,
        "Hide what a guest wrote",
        errors=(InvalidId, RatingNotFound),
    ),
)

CALLS = (
    *_RATINGS,
    _read("/properties", calls.list_properties, "List properties", errors=(InvalidCursor,)),
    _read(
        "/properties/{property_id}",
        calls.get_property,
        "Read a property",
        errors=(InvalidId, PropertyNotFound),
    ),
    _read(
        "/properties/{property_id}/party-rooms",
        calls.get_party_rooms,
        "Propose rooms for a party",
        errors=(InvalidId, InvalidStay, PropertyNotFound),
    ),
    _of_house(
        "/properties/{property_id}/board",
        calls.get_board,
        "Read the board of a property",
        errors=(InvalidCursor, InvalidId, PropertyNotFound),
    ),
    _of_house(
        "/properties/{property_id}/arrivals",
        calls.list_arrivals,
        "List who arrives, departs and stays",
        errors=(InvalidCursor, InvalidId, PropertyNotFound),
    ),
    _of_house(
        "/properties/{property_id}/figures",
        calls.get_figures,
        "Read the figures of a property",
        errors=(InvalidId, PropertyNotFound),
    ),
    _add(
        "/properties",
        calls.create_property,
        "Add a property",
        errors=(PictureUnknown, StayReferenceTaken),
    ),
    _change(
        "/properties/{property_id}",
        calls.update_property,
        "Change a property",
        errors=(InvalidId, PropertyNotFound, PictureUnknown, PlanChanged, StayReferenceTaken),
    ),
    _read(
        "/listings",
        calls.list_listings,
        "List listings",
        errors=(InvalidCursor, InvalidId),
        at_root=True,
    ),
    _read(
        "/listings/{listing_id}",
        calls.get_listing,
        "Read a listing",
        resource="listing_id",
        errors=(InvalidId, ListingNotFound),
        at_root=True,
    ),
    _read(
        "/listings/{listing_id}/rates",
        calls.list_rates,
        "List the rates of a stay",
        resource="listing_id",
        errors=(InvalidId, InvalidStay, ListingNotFound),
        at_root=True,
    ),
    _of_prices(
        "GET",
        _SUGGESTED,
        prices.list_suggested_prices,
        "Suggest prices",
        who="servers",
        errors=(InvalidId, ListingNotFound),
    ),
    _of_prices(
        "POST",
        _SUGGESTED,
        prices.apply_suggested_prices,
        "Apply suggested prices",
        who="operators",
        repeatable=True,
        errors=(
            InvalidId,
            ListingNotFound,
            PaymentRuleNeeded,
            PlanChanged,
            PriceMoved,
            PriceRuleNeeded,
        ),
    ),
    _of_prices(
        "DELETE",
        _SUGGESTED,
        prices.take_back_suggested_prices,
        "Take back suggested prices",
        who="operators",
        errors=(InvalidId, ListingNotFound, PlanChanged),
    ),
    _of_prices(
        "PUT",
        _SUGGESTED + "/rule",
        prices.set_price_rule,
        "Say the bounds of suggested prices",
        who="operators",
        errors=(InvalidId, ListingNotFound, VersionMismatch),
    ),
    _of_prices(
        "GET",
        "/listings/{listing_id}/pick-up",
        prices.get_pick_up,
        "Read the pick-up curve of a night",
        who="servers",
        errors=(InvalidId, ListingNotFound),
    ),
    _read(
        "/search",
        calls.list_matches,
        "Search listings",
        errors=(InvalidCursor, InvalidStay, OutsideRegion, SearchNotReady),
        at_root=True,
        from_memory=True,
    ),
    _read(
        "/places",
        calls.list_places,
        "List towns",
        errors=(OutsideRegion, SearchNotReady),
        from_memory=True,
    ),
    _read(
        "/map",
        calls.list_markers,
        "Search listings for a map",
        errors=(InvalidStay, OutsideRegion, SearchNotReady),
        from_memory=True,
    ),
    _add(
        "/listings",
        calls.create_listing,
        "Add a listing",
        errors=(
            InvalidId,
            PropertyNotFound,
            PictureUnknown,
            PropertyFull,
            StayReferenceTaken,
            CurrencyNeeded,
            ResourceNotReady,
        ),
        takes_document=True,
        at_root=True,
    ),
    _change(
        "/listings/{listing_id}",
        calls.update_listing,
        "Change a listing",
        resource="listing_id",
        errors=(
            InvalidId,
            ListingNotFound,
            PictureUnknown,
            StayReferenceTaken,
            PaymentRuleNeeded,
            PlanChanged,
            ResourceInUse,
            ResourceNotReady,
            VersionMismatch,
        ),
        takes_document=True,
        at_root=True,
    ),
    _call(
        "POST",
        "/pictures",
        calls.add_picture,
        "Keep a picture",
        who="operators",
        status=201,
        errors=(PictureInvalid,),
        takes_document=True,
    ),
    _read(
        "/pictures/{picture_id}",
        calls.get_picture,
        "A picture of stays",
        who="anyone",
        media_type=MEDIA_TYPE,
        errors=(PictureNotFound, DatabaseReadOnly, DatabaseUnavailable),
    ),
    _call(
        "POST",
        "/import",
        calls.import_stays,
        "Import stays",
        who="operators",
        takes_document=True,
    ),
)
