"""The mail server: what is set, setting it, and trying it. It is of the whole installation, so
only operators of the default workspace with all rights may; and as a trial says whether something
answers at an address of the server's own network, it takes a fresh proof and has a limit.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import uuid4

import msgspec
from msgspec import UNSET, UnsetType

from bespeak.errors import VersionMismatch
from bespeak.http.server import tags
from bespeak.http.server.budgets.mails import trying_test_mail
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OPERATORS, endpoint_table
from bespeak.http.server.errors import BudgetSpent
from bespeak.http.server.scopes import ADMIN
from bespeak.http.server.versions import VersionQuery
from bespeak.http.server.workspaces import Reach
from bespeak.merchants.profile import Email, Language
from bespeak.notifications.errors import (
    MailServerFixed,
    MailServerInvalid,
    MailServerMissing,
)
from bespeak.notifications.mail.sender import MailServerAway
from bespeak.notifications.mail.server_trials import MailServerTrial, trial_mail, try_server
from bespeak.notifications.mail.servers import (
    Encryption,
    KeptServer,
    SaveMailServer,
    SetMailServer,
    keep_server,
    locked_server,
    remove_server,
)
from bespeak.notifications.mail.ways import ChosenWays, DecidedBy, MailWay
from bespeak.notifications.mail.writing import UnusableContact
from bespeak.postgres.versions import NOTHING

ENDPOINTS, endpoint = endpoint_table(tags.MERCHANT)
_PATH = "/v1/mail-server"


class MailServerView(msgspec.Struct, frozen=True, kw_only=True):
    """Where mails go, and who decided it: the `environment` of the server, which wins; that it is a
    `demo`; somebody at the `console`; or `nobody`, then mails are written into a folder. `host` and
    the like are null where no server is set. The password is never told: `has_password` says that
    there is one, `must_set_password` that it cannot be read any more, because the signing secret is
    another, so that no mail leaves until it is set again. `is_sender_fixed`: the environment says
    who writes. `version` is another after each change; 0: none was set at the console."""

    version: int
    decided_by: DecidedBy
    host: str | None
    port: int | None
    encryption: Encryption | Literal["if_offered"] | None
    username: str | None
    has_password: bool
    must_set_password: bool
    sender: str
    is_sender_fixed: bool
    changed_at: datetime | None


class TryMailServer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """To whom a mail goes for trying, in which language, and by which server instead of the one
    that is set."""

    email: Email
    language: Language = "en"
    server: SetMailServer | UnsetType = UNSET


@endpoint(
    "GET",
    _PATH,
    "Where mails go",
    kinds=OPERATORS,
    scopes=ADMIN,
    reach=Reach.INSTALLATION,
)
async def get_mail_server(call: Call[None, None]) -> MailServerView:
    """Tells by which mail server mails leave, and who decided it."""
    return await _view(call.service.mail_ways)


@endpoint(
    "PUT",
    _PATH,
    "Set the mail server",
    kinds=OPERATORS,
    errors=(MailServerInvalid, MailServerFixed, VersionMismatch),
    scopes=ADMIN,
    reach=Reach.INSTALLATION,
    audited=True,
    needs_proof=True,
)
async def set_mail_server(call: Call[None, SaveMailServer]) -> MailServerView:
    """Sets by which mail server mails leave. All processes use it within seconds; mails that wait
    leave by it. Repeated, it changes nothing."""
    ways = call.service.mail_ways
    _check_free(ways)
    seal = await ways.seal()
    async with call.engine.database.borrow() as connection, connection.transaction():
        # Locked: who keeps the password keeps none that another call has just replaced.
        kept = await locked_server(connection)
        server = seal.judged(call.body, kept, ways.sender_of_environment)
        await keep_server(connection, server, call.body.version)
    ways.forget()
    return await _view(ways)


@endpoint(
    "DELETE",
    _PATH,
    "Take the mail server away",
    kinds=OPERATORS,
    errors=(MailServerFixed, VersionMismatch),
    scopes=ADMIN,
    reach=Reach.INSTALLATION,
    audited=True,
    needs_proof=True,
)
async def remove_mail_server(call: Call[VersionQuery, None]) -> MailServerView:
    """Takes the mail server away, with its password: mails are written into a folder again.
    Repeated, it changes nothing."""
    ways = call.service.mail_ways
    _check_free(ways)
    async with call.engine.database.borrow() as connection:
        await remove_server(connection, call.query.version)
    ways.forget()
    return await _view(ways)


@endpoint(
    "POST",
    f"{_PATH}/test",
    "Try a mail server",
    kinds=OPERATORS,
    errors=(MailServerInvalid, MailServerFixed, MailServerMissing, BudgetSpent),
    scopes=ADMIN,
    reach=Reach.INSTALLATION,
    audited=True,
    needs_proof=True,
)
async def try_mail_server(call: Call[None, TryMailServer]) -> MailServerTrial:
    """Sends a mail to an address at once and not again, by the server of the body or the one that
    is set, and tells what went wrong. Nothing is kept. An address gets ten an hour at most, and
    who asks may send twenty, whether or not they leave."""
    body, ways = call.body, call.service.mail_ways
    if isinstance(body.server, UnsetType):
        way = await _way_of_now(ways)
    else:
        _check_free(ways)
        way = await _judged_way(ways, body.server)
    try:
        number, now = uuid4(), call.engine.clock.now()
        mail = trial_mail(number, now, body.email, body.language, way.sender)
    except UnusableContact as error:
        raise MailServerInvalid(str(error), field="email") from error
    # Only what asks a server counts: who mistypes a field is not made to wait an hour.
    with trying_test_mail(call.service.budgets, call.caller.actor, body.email):
        return await try_server(way, mail)


def _check_free(ways: ChosenWays) -> None:
    """Raises MailServerFixed."""
    if ways.fixed_by is not None:
        raise MailServerFixed(fixed_by=ways.fixed_by)


async def _judged_way(ways: ChosenWays, wanted: SetMailServer) -> MailWay:
    """The way by a server that is not kept. Raises MailServerInvalid, DatabaseUnavailable."""
    seal, kept = await ways.seal(), await ways.kept(seconds=0.0)
    return await _way(ways, seal.judged(wanted, kept, ways.sender_of_environment))


async def _way_of_now(ways: ChosenWays) -> MailWay:
    """Raises MailServerMissing, MailServerInvalid, DatabaseUnavailable."""
    kept = await ways.kept(seconds=0.0)
    if kept is not None:
        return await _way(ways, kept)
    if not await ways.sends():
        raise MailServerMissing
    return await ways.now()


async def _way(ways: ChosenWays, server: KeptServer) -> MailWay:
    """Raises MailServerInvalid, DatabaseUnavailable."""
    try:
        return await ways.by(server)
    except MailServerAway as error:
        raise MailServerInvalid(str(error), field="password") from error


async def _view(ways: ChosenWays) -> MailServerView:
    kept = await ways.kept(seconds=0.0)
    sender = (await ways.sender()).header
    fixed = ways.sender_of_environment is not None
    if kept is None:
        return _by_settings(ways, sender, is_sender_fixed=fixed)
    return MailServerView(
        version=kept.version,
        decided_by="console",
        host=kept.host,
        port=kept.port,
        encryption=kept.encryption,
        username=kept.username or None,
        has_password=kept.password is not None,
        must_set_password=(await ways.seal()).smtp_server(kept) is None,
        sender=sender,
        is_sender_fixed=fixed,
        changed_at=kept.changed_at,
    )


def _by_settings(ways: ChosenWays, sender: str, *, is_sender_fixed: bool) -> MailServerView:
    server = ways.server_of_environment
    encryption: Encryption | Literal["if_offered"] | None = None
    if server is not None:
        plain = {None: "if_offered", True: "starttls", False: "none"}
        encryption = "tls" if server.use_tls else plain[server.starttls]  # type: ignore[assignment]
    return MailServerView(
        version=NOTHING,
        decided_by=ways.fixed_by or "nobody",
        host=None if server is None else server.host,
        port=None if server is None else server.port,
        encryption=encryption,
        username=None if server is None else server.username,
        has_password=server is not None and server.password is not None,
        must_set_password=False,
        sender=sender,
        is_sender_fixed=is_sender_fixed,
        changed_at=None,
    )
