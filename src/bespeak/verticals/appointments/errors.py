"""What appointments may refuse."""

from bespeak.errors import Refused


class TeamNotFound(Refused):
    """No team has this id; the resource, if there is one, is something else."""

    code = "team_not_found"
    status = 404
    title = "There is no such team"
