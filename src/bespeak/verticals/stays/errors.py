"""What stays may refuse."""

from bespeak.errors import InvalidRequest, Refused, Unavailable


class PropertyNotFound(Refused):
    """No property has this id."""

    code = "property_not_found"
    status = 404
    title = "There is no such property"


class ListingNotFound(Refused):
    """No listing has this id; the resource, if there is one, is something else."""

    code = "listing_not_found"
    status = 404
    title = "There is no such listing"


class StayReferenceTaken(Refused):
    """Another property or listing of the workspace has this reference."""

    code = "stay_reference_taken"
    title = "The reference is taken"


class PropertyFull(Refused):
    """The property has as many listings as one can have: `listings` says how many."""

    code = "property_full"
    title = "The property has no room for another listing"


class PictureUnknown(InvalidRequest):
    """A picture that is to be shown was never sent, or was let go since: send it anew."""

    code = "picture_unknown"
    title = "A picture to show is not there"


class InvalidStay(InvalidRequest):
    """The dates of a search are no stay: `field` says which, and `bound` what it may be."""

    code = "invalid_stay"
    title = "These dates are no stay"


class RatingNotFound(Refused):
    """Nobody has rated this booking."""

    code = "rating_not_found"
    status = 404
    title = "There is no such rating"


class RatingNotOpen(Refused):
    """The booking cannot be rated: `reason` is `no_stay`, `several_properties`, `not_over` (with
    the day from which on it can, `opens_on`) or `over`."""

    code = "rating_not_open"
    title = "The stay cannot be rated now"


class PriceMoved(Refused):
    """Nights do not cost any more what was shown beside the suggestion, or somebody gave them a
    price by hand: `nights` has each with its `date` and what it costs `now`. Look again."""

    code = "price_moved"
    title = "The price has changed meanwhile"


class PriceRuleNeeded(Refused):
    """Nobody said yet within which bounds prices of this listing may be suggested."""

    code = "price_rule_needed"
    title = "The listing has no rule for suggested prices"


class OutsideRegion(Refused):
    """This search server keeps the listings of a region, in which what is asked for does not wholly
    lie. Another one answers."""

    code = "outside_region"
    status = 421
    title = "This server does not keep all of that region"


class SearchNotReady(Unavailable):
    """The search has not read the listings yet: it does so when it is first asked. Soon it has."""

    code = "search_not_ready"
    title = "The search is not ready yet"
