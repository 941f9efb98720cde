"""What a programme may refuse."""

from bespeak.errors import Refused


class VenueNotFound(Refused):
    """No venue has this id."""

    code = "venue_not_found"
    status = 404
    title = "There is no such venue"


class HallNotFound(Refused):
    """No hall has this id."""

    code = "hall_not_found"
    status = 404
    title = "There is no such hall"


class ProductionNotFound(Refused):
    """No production has this id."""

    code = "production_not_found"
    status = 404
    title = "There is no such production"


class PerformanceNotFound(Refused):
    """No performance has this id; the resource, if there is one, is something else."""

    code = "performance_not_found"
    status = 404
    title = "There is no such performance"


class HallOccupied(Refused):
    """Another performance is in the hall at this time; `performance_id` says which, and `at` which
    of the times it is in the way of."""

    code = "hall_occupied"
    title = "The hall is occupied at this time"


class PerformanceSold(Refused):
    """Guests hold or have booked places of it; `units` says how many. It moves to another time only
    with `moves_sold`."""

    code = "performance_sold"
    title = "Places of this performance are sold"


class ProductionInUse(Refused):
    """The production has performances, or, where it is to be archived, some that are still to come:
    `performances` says how many, and `units` how many places of them are held or booked."""

    code = "production_in_use"
    title = "The production has performances"
