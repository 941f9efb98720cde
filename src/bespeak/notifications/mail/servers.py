"""The mail server that an operator sets at the console. Its password is sealed by a key of the
installation's signing secret, for one host, port, encryption and user: whoever changes one of these
types the password again, so that it can be sent to nobody else.
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import datetime
from ipaddress import ip_address
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bespeak.errors import InvalidSetting
from bespeak.inventory.fields import NAME_PATTERN, NAME_SCHEMA
from bespeak.notifications.errors import MailServerInvalid
from bespeak.notifications.mail.sender import SmtpServer
from bespeak.notifications.mail.writing import parse_sender
from bespeak.postgres.queries import load
from bespeak.postgres.versions import NOTHING, SeenVersion, remove_seen, save_seen
from bespeak.secret_box import SecretBox

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.notifications.mail", "servers.sql")
_LABEL = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?")

Encryption: TypeAlias = Literal["starttls", "tls", "none"]
Host = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=253,
        extra_json_schema={"examples": ["mail.lantern.example"]},
    ),
]
Port = Annotated[int, Meta(ge=1, le=65535, extra_json_schema={"examples": [587]})]
UserName = Annotated[
    str,
    Meta(
        max_length=320,
        pattern=NAME_PATTERN,
        extra_json_schema={**NAME_SCHEMA, "examples": ["box@lantern.example"]},
    ),
]
PasswordText = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=1000,
        pattern=NAME_PATTERN,
        extra_json_schema={**NAME_SCHEMA, "examples": ["a password"]},
    ),
]
SenderText = Annotated[
    str,
    Meta(
        min_length=3,
        max_length=400,
        pattern=NAME_PATTERN,
        extra_json_schema={**NAME_SCHEMA, "examples": ["Box office <box@lantern.example>"]},
    ),
]


class SetMailServer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A mail server and how to speak to it: `starttls` (most often port 587) or `tls` (465), or
    `none`, for one on the same machine. An empty `username` logs nobody in. Without a `password`
    the one that is kept stays, as long as host, port, encryption and user do. `sender` is who
    writes; it is left out only where the environment says it."""

    host: Host
    port: Port
    encryption: Encryption
    username: UserName = ""
    password: PasswordText | None = None
    sender: SenderText | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.host}:{self.port})"  # without the password


class SaveMailServer(SetMailServer, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A mail server to be set, whole. `version`, if given, must be the present one (0: none was
    set)."""

    version: SeenVersion | UnsetType = UNSET


class KeptServer(msgspec.Struct, frozen=True, kw_only=True):
    """The mail server as it is kept: the password is sealed."""

    host: str
    port: int
    encryption: Encryption
    username: str
    password: bytes | None
    sender: str | None
    changed_at: datetime | None = None
    version: int = NOTHING


class MailServerSeal:
    """Seals the password of a mail server, and opens it again for the same server alone."""

    def __init__(self, secret: bytes) -> None:
        self._box = SecretBox(secret, b"bespeak mail server")

    def seal(self, wanted: SetMailServer, password: str) -> bytes:
        return self._box.seal(password.encode(), _bound_to(wanted))

    def opened(self, kept: KeptServer) -> str | None:
        """The password; None where there is none, or where it was sealed by another secret."""
        if kept.password is None:
            return None
        password = self._box.open(kept.password, _bound_to(kept))
        return None if password is None else password.decode()

    def judged(
        self, wanted: SetMailServer, kept: KeptServer | None, sender_of_environment: str | None
    ) -> KeptServer:
        """What is to be kept: what is wanted, with the password that is there where none is given.
        Raises MailServerInvalid."""
        _check_host(wanted.host)
        _check_login(wanted)
        _check_sender(wanted.sender, sender_of_environment)
        password = None
        if wanted.password is not None:
            password = self.seal(wanted, wanted.password)
        elif wanted.username:
            password = self._password_of(wanted, kept)
        return KeptServer(
            host=wanted.host,
            port=wanted.port,
            encryption=wanted.encryption,
            username=wanted.username,
            password=password,
            sender=None if sender_of_environment else wanted.sender,
        )

    def _password_of(self, wanted: SetMailServer, kept: KeptServer | None) -> bytes | None:
        """The sealed password that stays. Raises MailServerInvalid."""
        if kept is None or kept.password is None:
            raise _invalid("password", "a user needs a password")
        if _bound_to(kept) != _bound_to(wanted):
            reason = "type the password again: it is kept for the server and user as they were"
            raise _invalid("password", reason)
        if self.opened(kept) is None:
            reason = "type the password again: the signing secret is another one by now"
            raise _invalid("password", reason)
        return kept.password

    def smtp_server(self, kept: KeptServer) -> SmtpServer | None:
        """How to speak to the server; None where its password cannot be opened any more."""
        password = self.opened(kept)
        if kept.password is not None and password is None:
            return None
        return SmtpServer(
            kept.host,
            kept.port,
            kept.username or None,
            password,
            kept.encryption == "tls",
            None if kept.encryption == "tls" else kept.encryption == "starttls",
        )


async def kept_server(connection: Connection) -> KeptServer | None:
    """The mail server that was set at the console."""
    row = await connection.fetchrow(_QUERIES["read"])
    return None if row is None else KeptServer(**dict(row))


async def locked_server(connection: Connection) -> KeptServer | None:
    """The mail server that was set; nobody changes it before the transaction ends."""
    row = await connection.fetchrow(_QUERIES["locked"])
    return None if row is None else KeptServer(**dict(row))


async def keep_server(
    connection: Connection, server: KeptServer, seen: int | UnsetType = UNSET
) -> None:
    """Says the mail server, whole, in place of the one that was `seen`. Raises VersionMismatch."""
    await save_seen(
        connection,
        _QUERIES["set"],
        _QUERIES["version"],
        key=(),
        values=(
            server.host,
            server.port,
            server.encryption,
            server.username,
            server.password,
            server.sender,
        ),
        seen=seen,
    )


async def remove_server(connection: Connection, seen: int | None = None) -> None:
    """Takes away the mail server that was `seen`. Repeated, it changes nothing. Raises
    VersionMismatch."""
    await remove_seen(connection, _QUERIES["remove"], _QUERIES["version"], key=(), seen=seen)


def _bound_to(server: SetMailServer | KeptServer) -> bytes:
    return msgspec.json.encode([server.host, server.port, server.encryption, server.username])


def _invalid(field: str, reason: str) -> MailServerInvalid:
    return MailServerInvalid(reason, field=field)


def _check_host(host: str) -> None:
    with suppress(ValueError):
        if "%" not in host:  # an address with the name of an interface
            ip_address(host)
            return
    labels = host.split(".")
    if not all(_LABEL.fullmatch(one) for one in labels) or labels[-1].isdigit():
        raise _invalid("host", "the host is a name as mail.example.org, or an IP address")


def _check_login(wanted: SetMailServer) -> None:
    if wanted.password is not None and not wanted.username:
        raise _invalid("username", "a password needs a user")
    if wanted.encryption != "none":
        return
    if not _is_loopback(wanted.host):
        reason = "without encryption only to a server on the same machine: 127.0.0.1, localhost"
        raise _invalid("encryption", reason)
    if wanted.username:
        raise _invalid("encryption", "a password is never sent without encryption")


def _is_loopback(host: str) -> bool:
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host.casefold() == "localhost"


def _check_sender(sender: str | None, of_environment: str | None) -> None:
    if of_environment is not None:
        if sender not in (None, of_environment):
            raise _invalid("sender", "BESPEAK_MAIL_FROM says who writes; leave it out here")
        return
    if sender is None:
        raise _invalid("sender", "who writes, as `Box office <box@lantern.example>`")
    try:
        parse_sender(sender)
    except InvalidSetting:
        raise _invalid(
            "sender", "who writes is an address as `Box office <box@lantern.example>`"
        ) from None
