"""The outbox: mails that were written into a folder because no mail server is set up, as in the
demo. A mail has links and codes that stand for its reader, so only who may do all may open one,
and it is noted who did. What a mail says is run by nobody.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidCursor
from bespeak.http.server import tags
from bespeak.http.server.answers import Answer
from bespeak.http.server.asgi import Headers
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OPERATORS, documented, endpoint_table
from bespeak.http.server.scopes import ADMIN
from bespeak.http.server.workspaces import Reach
from bespeak.notifications.errors import MailNotFound, OutboxClosed
from bespeak.notifications.mail.outbox import (
    MAIL_ID_PATTERN,
    MailOutbox,
    OpenedMail,
    OutboxPage,
    has_outbox,
)

_HTML = "text/html"
_FILE = "application/octet-stream"
# For somebody else's HTML: no script, no form, nothing loaded, an origin of its own, and only in a
# frame of our own pages, which says the same once more (`sandbox`).
_SANDBOXED: Headers = (
    (
        b"content-security-policy",
        b"sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
        b"base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
    ),
)
_INDEX_DIGITS_MAX = 3

ENDPOINTS, endpoint = endpoint_table(tags.CONSOLE)


class OutboxQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which page of the outbox."""

    after: Annotated[str, documented(f"^{MAIL_ID_PATTERN}$")] | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 50


@endpoint(
    "GET",
    "/v1/outbox",
    "List the mails in the outbox",
    kinds=OPERATORS,
    errors=(InvalidCursor, OutboxClosed),
    scopes=ADMIN,
    reach=Reach.INSTALLATION,
)
async def list_outbox(call: Call[OutboxQuery, None]) -> OutboxPage:
    """The mails that were written into the outbox of this server, the latest first."""
    query = call.query
    return await asyncio.to_thread(_outbox(call).page, query.after, query.limit)


@endpoint(
    "GET",
    "/v1/outbox/{mail_id}",
    "Open a mail of the outbox",
    kinds=OPERATORS,
    errors=(MailNotFound, OutboxClosed),
    scopes=ADMIN,
    reach=Reach.INSTALLATION,
    audited=True,
)
async def open_mail(call: Call[None, None]) -> OpenedMail:
    """A mail with its plain text, and what goes with it."""
    return await asyncio.to_thread(_outbox(call).open, call.path["mail_id"])


@endpoint(
    "GET",
    "/v1/outbox/{mail_id}/html",
    "The HTML of a mail of the outbox",
    answers=_HTML,
    kinds=OPERATORS,
    errors=(MailNotFound, OutboxClosed),
    scopes=ADMIN,
    reach=Reach.INSTALLATION,
    audited=True,
)
async def get_mail_html(call: Call[None, None]) -> Answer:
    """The HTML part of a mail, for a frame that runs nothing of it."""
    html = await asyncio.to_thread(_outbox(call).html, call.path["mail_id"])
    return Answer(
        200, html.encode(), headers=_SANDBOXED, content_type=f"{_HTML}; charset=utf-8".encode()
    )


@endpoint(
    "GET",
    "/v1/outbox/{mail_id}/attachments/{index}",
    "A file that goes with a mail of the outbox",
    answers=_FILE,
    kinds=OPERATORS,
    errors=(MailNotFound, OutboxClosed),
    scopes=ADMIN,
    reach=Reach.INSTALLATION,
    audited=True,
)
async def get_mail_attachment(call: Call[None, None]) -> Answer:
    """A file that goes with a mail, to be kept: a browser does not show it, whatever it is."""
    text = call.path["index"]
    if not (text.isascii() and text.isdecimal() and len(text) <= _INDEX_DIGITS_MAX):
        raise MailNotFound
    outbox = _outbox(call)
    name, content = await asyncio.to_thread(outbox.attachment, call.path["mail_id"], int(text))
    named = f"attachment; filename*=UTF-8''{quote(name, safe='')}".encode()
    headers: Headers = ((b"content-disposition", named),)
    return Answer(200, content, headers=headers, content_type=_FILE.encode())


def _outbox(call: Call[object, object]) -> MailOutbox:
    """Raises OutboxClosed."""
    settings = call.engine.settings
    if not has_outbox(settings):
        raise OutboxClosed
    return MailOutbox(Path(settings.mail_outbox or ""))
