"""How mails leave: through an SMTP server, or by default into a folder, a file each. What is wrong
with a mail is told apart from what is wrong with the way: the one is the mail's, the other passes.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from typing import TypeAlias
from urllib.parse import parse_qsl, unquote, urlsplit

import aiosmtplib
import msgspec

from bespeak.errors import InvalidSetting

_SMTP_SECONDS = 20.0
_PORTS = {"smtp": 587, "smtps": 465}
_TEMPORARY = range(400, 500)
_REPLIES = range(200, 600)
_VARIABLE = "BESPEAK_SMTP_URL"
_YES = {"1": True, "true": True, "0": False, "false": False}


SendMail: TypeAlias = Callable[[EmailMessage], Awaitable[None]]


class MailServerAway(Exception):
    """Mails cannot leave at all now: the server is away or lets nobody in, the disk is full."""


class MailRefused(Exception):
    """This mail was not taken. `final` says that repeating it is of no use."""

    def __init__(self, reason: str, *, final: bool) -> None:
        super().__init__(reason)
        self.final = final


class MailRoute(ABC):
    """A way for mails to leave."""

    parallel: int
    """How many connections may be open at once."""

    @abstractmethod
    def opened(self) -> AbstractAsyncContextManager[SendMail]:
        """A connection, as what sends one mail after another over it, raising MailRefused or
        MailServerAway. Raises MailServerAway."""


class SmtpServer(msgspec.Struct, frozen=True):
    """An SMTP server and how to speak to it: `starttls` None means: where it is offered."""

    host: str
    port: int
    username: str | None
    password: str | None
    use_tls: bool
    starttls: bool | None

    def __repr__(self) -> str:
        return f"SmtpServer({self.host}:{self.port})"  # without the password


def parse_smtp_url(url: str) -> SmtpServer:
    """The setting BESPEAK_SMTP_URL: `smtp://user:pass@host:587?starttls=1`, or `smtps://` for TLS
    from the start. Raises InvalidSetting, without telling the password."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
        options = dict(parse_qsl(parts.query, strict_parsing=True)) if parts.query else {}
    except ValueError:
        raise InvalidSetting(f"{_VARIABLE} cannot be read as a URL", variable=_VARIABLE) from None
    if parts.scheme not in _PORTS or not host or port == 0:
        raise InvalidSetting(f"{_VARIABLE} is as smtp://host:587", variable=_VARIABLE)
    starttls = options.pop("starttls", None)
    if options or (starttls is not None and (starttls not in _YES or parts.scheme == "smtps")):
        raise InvalidSetting(
            f"{_VARIABLE} may say ?starttls=1 or 0 with smtp://, and nothing else",
            variable=_VARIABLE,
        )
    if (parts.username is None) != (parts.password is None):
        raise InvalidSetting(
            f"{_VARIABLE} has a user and a password, or neither", variable=_VARIABLE
        )
    if parts.password is not None and starttls is not None and not _YES[starttls]:
        raise InvalidSetting(
            f"{_VARIABLE} has a password, which is never sent without TLS", variable=_VARIABLE
        )
    # With a password TLS is not a wish: who sits on the way could take the offer out.
    forced = True if parts.password is not None and parts.scheme == "smtp" else None
    return SmtpServer(
        host,
        port or _PORTS[parts.scheme],
        None if parts.username is None else unquote(parts.username),
        None if parts.password is None else unquote(parts.password),
        parts.scheme == "smtps",
        forced if starttls is None else _YES[starttls],
    )


class SmtpRoute(MailRoute):
    """Through an SMTP server."""

    parallel = 4

    def __init__(self, place: SmtpServer) -> None:
        self._place = place

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[SendMail]:
        place = self._place
        client = aiosmtplib.SMTP(
            hostname=place.host,
            port=place.port,
            username=place.username,
            password=place.password,
            use_tls=place.use_tls,
            start_tls=False if place.use_tls else place.starttls,
            timeout=_SMTP_SECONDS,
        )
        try:
            await client.connect()
        except (aiosmtplib.SMTPException, OSError, TimeoutError) as error:
            raise MailServerAway(_reason(error)) from error
        try:
            yield partial(_send_by, client)
        finally:
            with contextlib.suppress(aiosmtplib.SMTPException, OSError, TimeoutError):
                await client.quit()
            client.close()


async def _send_by(client: aiosmtplib.SMTP, mail: EmailMessage) -> None:
    try:
        await client.send_message(mail)
    except aiosmtplib.SMTPRecipientsRefused as error:
        first = error.recipients[0]
        raise MailRefused(_reason(first), final=first.code not in _TEMPORARY) from error
    except aiosmtplib.SMTPResponseException as error:
        final = error.code not in _TEMPORARY
        raise MailRefused(_reason(error), final=final) from error
    except (aiosmtplib.SMTPNotSupported, ValueError) as error:
        raise MailRefused(_reason(error), final=True) from error
    except (aiosmtplib.SMTPException, OSError, TimeoutError) as error:
        raise MailServerAway(_reason(error)) from error


class OutboxFolder(MailRoute):
    """Into a folder, for whoever picks them up: a file a mail, whole or not there. A mail that is
    sent again replaces its file."""

    parallel = 1

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[SendMail]:
        try:
            await asyncio.to_thread(self._folder.mkdir, 0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise MailServerAway(_reason(error)) from error
        yield self._send

    async def _send(self, mail: EmailMessage) -> None:
        name = str(mail["Message-ID"]).strip("<>").partition("@")[0]
        try:
            await asyncio.to_thread(self._write, name, mail.as_bytes())
        except ValueError as error:
            raise MailRefused(_reason(error), final=True) from error
        except OSError as error:
            raise MailServerAway(_reason(error)) from error

    def _write(self, name: str, content: bytes) -> None:
        draft = self._folder / f".{name}.{os.getpid()}.partial"
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self._folder / f"{name}.eml")


def is_reply(error: aiosmtplib.SMTPResponseException) -> bool:
    """Whether it was SMTP that the server answered."""
    return error.code in _REPLIES


def _reason(error: Exception) -> str:
    text = str(error) or type(error).__name__
    if isinstance(error, aiosmtplib.SMTPResponseException) and not is_reply(error):
        text = "what answers there is no mail server"  # and what it said is nobody's business here
    return " ".join("".join(one if one.isprintable() else " " for one in text).split())[:300]
