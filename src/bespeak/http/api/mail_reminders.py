"""When buyers are reminded of what they have booked."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from bespeak.errors import VersionMismatch
from bespeak.http.server import tags
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OPERATORS, endpoint_table
from bespeak.http.server.scopes import MANAGE
from bespeak.http.server.workspaces import Reach
from bespeak.notifications.mail.reminders import Hours, KeptHours, hours_of, set_hours
from bespeak.postgres.versions import SeenVersion

ENDPOINTS, endpoint = endpoint_table(tags.MERCHANT)


class MailReminders(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many hours before it begins buyers are reminded: up to three numbers, each once; none:
    they are not. `version` is another after each change; 0: there are none. Where it is given to
    set them, it must be the present one."""

    hours: Hours
    version: SeenVersion | UnsetType = UNSET


@endpoint(
    "GET",
    "/v1/mail-reminders",
    "When buyers are reminded",
    kinds=OPERATORS,
    scopes=MANAGE,
    reach=Reach.WORKSPACE,
)
async def get_mail_reminders(call: Call[None, None]) -> MailReminders:
    """Tells how many hours before what they have booked begins buyers are reminded."""
    async with call.engine.database.borrow() as connection:
        return _view(await hours_of(connection, call.caller.workspace))


@endpoint(
    "PUT",
    "/v1/mail-reminders",
    "Set when buyers are reminded",
    kinds=OPERATORS,
    errors=(VersionMismatch,),
    scopes=MANAGE,
    reach=Reach.WORKSPACE,
    audited=True,
)
async def set_mail_reminders(call: Call[None, MailReminders]) -> MailReminders:
    """Sets how many hours before what they have booked begins buyers are reminded, of all that
    begins from now on."""
    wanted = call.body
    async with call.engine.database.borrow() as connection:
        return _view(
            await set_hours(connection, call.caller.workspace, wanted.hours, wanted.version)
        )


def _view(kept: KeptHours) -> MailReminders:
    return MailReminders(tuple(kept.hours), kept.version)
