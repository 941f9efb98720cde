"""Mailings: to write to all who booked a resource."""

from __future__ import annotations

import msgspec

from bespeak import ids
from bespeak.errors import InvalidId, InvalidRequest
from bespeak.http.api.mail_texts import SHOWN_TO, mail_resource
from bespeak.http.server import tags
from bespeak.http.server.answers import JsonAnswer, WholeList, once
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OF_RESOURCE, OPERATORS, endpoint_table
from bespeak.http.server.scopes import MANAGE
from bespeak.merchants.profile import Language
from bespeak.notifications.errors import MailingNotFound, MailingsTooMany, MailTextInvalid
from bespeak.notifications.mail.mailings import (
    Mailing,
    MailingTexts,
    begin_mailing,
    check_texts,
    count_recipients,
    get_mailing,
    list_mailings,
    stop_mailing,
    text_in,
)
from bespeak.notifications.mail.message import compose
from bespeak.notifications.mail.previews import MailPreview, preview_of, previewed, sample_booking

ENDPOINTS, endpoint = endpoint_table(tags.RESOURCES)
_EUROS = "EUR"  # in which nothing is shown
_ALL = "/v1/resources/{resource_id}/mailings"
_ONE = f"{_ALL}/{{mailing_id}}"


class NewMailing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to write: up to three texts, each in a language of its own. Who reads none of them gets
    the first."""

    texts: MailingTexts


class PreviewMailing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to show, in which language."""

    texts: MailingTexts
    language: Language


class MailingPreview(msgspec.Struct, frozen=True):
    """To how many bookings the mailing would go now, and how its mails look."""

    recipients: int
    mail: MailPreview


class MailingList(WholeList[Mailing], frozen=True):
    """The newest mailings of a resource, at most 50."""


@endpoint(
    "POST",
    _ALL,
    "Write to all who booked",
    status=201,
    kinds=OPERATORS,
    errors=(*OF_RESOURCE, InvalidRequest, MailTextInvalid, MailingsTooMany),
    repeatable=True,
    scopes=MANAGE,
    audited=True,
)
async def write_mailing(call: Call[None, NewMailing]) -> JsonAnswer[Mailing]:
    """Writes to the contact of each booking of the resource that stands, once, in its language.
    The mails leave behind, some hundred in a second at most."""
    async with call.engine.database.borrow() as connection:
        made = await begin_mailing(
            connection, call.path["resource_id"], call.body.texts, call.idempotency_key
        )
    return once(201, made)


@endpoint(
    "GET",
    _ALL,
    "List the mailings of a resource",
    kinds=OPERATORS,
    errors=OF_RESOURCE,
    scopes=MANAGE,
)
async def list_resource_mailings(call: Call[None, None]) -> MailingList:
    """Lists what was written to those who booked the resource, the newest first."""
    async with call.engine.database.borrow() as connection:
        return MailingList(await list_mailings(connection, call.path["resource_id"]))


@endpoint(
    "POST",
    f"{_ALL}/preview",
    "Show how a mailing looks",
    kinds=OPERATORS,
    errors=(*OF_RESOURCE, InvalidRequest, MailTextInvalid),
    scopes=MANAGE,
)
async def preview_mailing(call: Call[None, PreviewMailing]) -> MailingPreview:
    """Composes a mail as it would leave, to a buyer of a sample booking, and counts to how many
    the mailing would go. Nothing is sent or kept."""
    texts, language = call.body.texts, call.body.language
    check_texts(texts)
    async with call.engine.database.borrow() as connection:
        recipients = await count_recipients(connection, call.path["resource_id"])
    number = ids.parse_resource(call.path["resource_id"])
    ready = (await call.engine.ready_resources.get_many([number], None))[number]
    now, workspace = call.engine.clock.now(), call.caller.workspace
    sample = sample_booking(language, now, ready.resource.time_zone, _EUROS)
    thing = mail_resource(ready)
    matter = previewed(
        "mailing",
        language,
        msgspec.structs.replace(sample, things=dict.fromkeys(sample.things, thing)),
        email=SHOWN_TO,
        text=text_in(texts, language),
        letterhead=await call.service.letterheads.of(workspace),
        link=f"{call.engine.settings.public_url.rstrip('/')}/bookings",
        at=now,
    )
    return MailingPreview(
        recipients, preview_of(compose(matter, await call.service.mail_ways.sender()))
    )


@endpoint(
    "GET",
    _ONE,
    "Read a mailing",
    kinds=OPERATORS,
    errors=(InvalidId, MailingNotFound),
    scopes=MANAGE,
)
async def get_resource_mailing(call: Call[None, None]) -> Mailing:
    """Reads a mailing, and how many of its mails have left."""
    async with call.engine.database.borrow() as connection:
        return await get_mailing(connection, call.path["resource_id"], call.path["mailing_id"])


@endpoint(
    "DELETE",
    _ONE,
    "Stop a mailing",
    kinds=OPERATORS,
    errors=(InvalidId, MailingNotFound),
    scopes=MANAGE,
    audited=True,
)
async def stop_resource_mailing(call: Call[None, None]) -> Mailing:
    """Writes to nobody more of a mailing. Mails that have left have left. Repeated, it changes
    nothing."""
    async with call.engine.database.borrow() as connection:
        return await stop_mailing(connection, call.path["resource_id"], call.path["mailing_id"])
