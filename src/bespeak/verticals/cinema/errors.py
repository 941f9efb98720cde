"""What a catalogue may refuse."""

from bespeak.errors import Refused


class CityNotFound(Refused):
    """No city has this id or reference."""

    code = "city_not_found"
    status = 404
    title = "There is no such city"


class CinemaNotFound(Refused):
    """No cinema has this id or reference."""

    code = "cinema_not_found"
    status = 404
    title = "There is no such cinema"


class ScreenNotFound(Refused):
    """No screen has this id or reference."""

    code = "screen_not_found"
    status = 404
    title = "There is no such screen"


class FilmNotFound(Refused):
    """No film has this id or reference."""

    code = "film_not_found"
    status = 404
    title = "There is no such film"


class ShowNotFound(Refused):
    """No show has this id or reference; the resource, if there is one, is something else."""

    code = "show_not_found"
    status = 404
    title = "There is no such show"


class ReferenceTaken(Refused):
    """Something else was created under this reference; `id` says what. To change it, use PATCH."""

    code = "reference_taken"
    title = "This reference is another's"


class ScreenOccupied(Refused):
    """Another show is in the screen at this time, or it is being cleaned after one; `show_id` says
    which."""

    code = "screen_occupied"
    title = "The screen is occupied at this time"


class SeatRetired(Refused):
    """The plan has seats that were taken out of the room before; `units` says which. Their names
    are not given to others."""

    code = "seat_retired"
    title = "These seats were retired"
