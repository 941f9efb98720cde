"""The calls of appointments as a table: who may make them, what they take, answer and refuse."""

from functools import partial

from bespeak.errors import (
    InvalidCursor,
    InvalidId,
    PlanChanged,
    ResourceInUse,
    UnknownUnit,
    VersionMismatch,
)
from bespeak.inventory.errors import PaymentRuleNeeded, ResourceNotReady
from bespeak.verticals.appointments import calls
from bespeak.verticals.appointments.errors import TeamNotFound
from bespeak.verticals.appointments.names import TEAM_PATTERN
from bespeak.verticals.currencies import CurrencyNeeded
from bespeak.verticals.vertical import VerticalCall

_call = partial(VerticalCall, patterns={"team_id": TEAM_PATTERN}, workspaces=True)
_read = partial(_call, "GET")
_of_team = partial(_read, resource="team_id")

CALLS = (
    _read("/teams", calls.list_teams, "List teams", errors=(InvalidCursor,)),
    _of_team("/teams/{team_id}", calls.get_team, "Read a team", errors=(InvalidId, TeamNotFound)),
    _of_team(
        "/teams/{team_id}/free-days",
        calls.list_free_days,
        "List the days on which a service is free",
        errors=(InvalidId, TeamNotFound, UnknownUnit),
    ),
    _of_team(
        "/teams/{team_id}/agenda",
        calls.get_agenda,
        "Read the agenda of a team",
        who="servers",
        errors=(InvalidId, TeamNotFound),
    ),
    _call(
        "POST",
        "/teams",
        calls.create_team,
        "Add a team",
        who="operators",
        status=201,
        repeatable=True,
        errors=(CurrencyNeeded, ResourceNotReady),
        takes_document=True,
    ),
    _call(
        "PATCH",
        "/teams/{team_id}",
        calls.update_team,
        "Change a team",
        who="operators",
        resource="team_id",
        errors=(
            InvalidId,
            TeamNotFound,
            PaymentRuleNeeded,
            PlanChanged,
            ResourceInUse,
            ResourceNotReady,
            VersionMismatch,
        ),
        takes_document=True,
    ),
)
