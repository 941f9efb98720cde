"""Trying a mail server: one mail is sent at once, and what went wrong is told apart, so that it
can be said in plain words. Of what a server answers only SMTP is repeated: whoever answers with
anything else is not shown, or a trial would read the banners of a network's other servers.
"""

from __future__ import annotations

import asyncio
import errno
import socket
import ssl
from collections.abc import Iterator
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime as mail_date
from typing import Literal, TypeAlias
from uuid import UUID

import aiosmtplib
import msgspec

from bespeak import locales
from bespeak.notifications.mail.sender import MailRefused, MailServerAway, is_reply
from bespeak.notifications.mail.ways import MailWay
from bespeak.notifications.mail.writing import MAIL_POLICY, FromAddress, WordsOf, recipient

_SECONDS_MAX = 45.0
_SAID_LENGTH_MAX = 300

MailFault: TypeAlias = Literal[
    "no_such_host",
    "refused",
    "unreachable",
    "timeout",
    "certificate",
    "no_tls",
    "no_mail_server",
    "wrong_password",
    "no_login",
    "sender_refused",
    "recipient_refused",
    "mail_refused",
    "away",
]


class MailServerTrial(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the mail left. If not, `fault` is what went wrong, and `said` what the mail server
    answered, where it was one that did: `no_such_host`: no server has this name; `refused`:
    nothing listens at this port; `unreachable`: there is no way there; `timeout`: nobody answered;
    `certificate`: its certificate is not good for this name; `no_tls`: it does not speak TLS so, at
    this port; `no_mail_server`: what answers speaks no SMTP, or hung up; `wrong_password`: user or
    password; `no_login`: it takes none; `sender_refused`: it does not send for this sender;
    `recipient_refused`: not to this address; `mail_refused`: not this mail; `away`: anything
    else."""

    is_sent: bool
    fault: MailFault | None
    said: str


async def try_server(way: MailWay, mail: EmailMessage) -> MailServerTrial:
    """Sends one mail at once and not again."""
    try:
        async with asyncio.timeout(_SECONDS_MAX), way.route.opened() as send:
            await send(mail)
    except TimeoutError:
        return MailServerTrial(is_sent=False, fault="timeout", said="")
    except (MailRefused, MailServerAway) as error:
        return MailServerTrial(is_sent=False, fault=fault_of(error), said=_said(error))
    return MailServerTrial(is_sent=True, fault=None, said="")


def trial_mail(
    number: UUID, at: datetime, email: str, language: str, sender: FromAddress
) -> EmailMessage:
    """The mail that tries a server. Raises UnusableContact."""
    wording = WordsOf(locales.locale_for(language))
    made = EmailMessage(policy=MAIL_POLICY)
    made["Subject"] = wording.of("server_trial", "subject")
    made["From"] = sender.header
    made["To"] = recipient(email, "")
    made["Date"] = mail_date(at)
    made["Message-ID"] = f"<{number}@{sender.domain}>"
    made["Auto-Submitted"] = "auto-generated"
    made.set_content(wording.of("server_trial", "text") + "\n")
    return made


def fault_of(error: MailRefused | MailServerAway) -> MailFault:
    """What went wrong, by the errors that led to this one."""
    causes = list(_causes(error))
    for kinds, fault in _FAULTS:
        if any(isinstance(one, kinds) for one in causes):
            return fault
    if any(_is_other_tongue(one) for one in causes):
        return "no_mail_server"
    said = " ".join(str(one) for one in causes)
    # Of a name with several addresses asyncio tells the errors of all in one text.
    for numbers, fault in _NUMBERS:
        if any(
            (isinstance(one, OSError) and one.errno in numbers) or f"[Errno {number}]" in said
            for one in causes
            for number in numbers
        ):
            return fault
    if "STARTTLS" in said and "AUTH" not in said:
        return "no_tls"
    if "AUTH" in said or "authentication method" in said:
        return "no_login"
    if any(isinstance(one, aiosmtplib.SMTPResponseException) for one in causes):
        return "mail_refused"
    return "away"


# The first that fits: the more exact before those that they are kinds of.
_FAULTS: tuple[tuple[tuple[type[BaseException], ...], MailFault], ...] = (
    ((socket.gaierror,), "no_such_host"),
    ((ConnectionRefusedError,), "refused"),
    ((ssl.SSLCertVerificationError,), "certificate"),
    ((ssl.SSLError,), "no_tls"),
    ((aiosmtplib.SMTPAuthenticationError,), "wrong_password"),
    ((aiosmtplib.SMTPSenderRefused,), "sender_refused"),
    ((aiosmtplib.SMTPRecipientsRefused, aiosmtplib.SMTPRecipientRefused), "recipient_refused"),
    ((aiosmtplib.SMTPTimeoutError, TimeoutError), "timeout"),
    ((aiosmtplib.SMTPServerDisconnected, ConnectionResetError), "no_mail_server"),
)


_NUMBERS: tuple[tuple[tuple[int, ...], MailFault], ...] = (
    ((errno.ECONNREFUSED,), "refused"),
    ((errno.ENETUNREACH, errno.EHOSTUNREACH, errno.EADDRNOTAVAIL), "unreachable"),
)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """An error and those that led to it; of refused recipients also each refusal."""
    seen: set[int] = set()
    waiting: list[BaseException] = [error]
    while waiting:
        one = waiting.pop(0)
        if id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        if isinstance(one, aiosmtplib.SMTPRecipientsRefused):
            waiting.extend(one.recipients)
        waiting.extend(led for led in (one.__cause__, one.__context__) if led is not None)


def _is_other_tongue(error: BaseException) -> bool:
    return isinstance(error, aiosmtplib.SMTPResponseException) and not is_reply(error)


def _said(error: MailRefused | MailServerAway) -> str:
    """What a mail server answered; nothing of what is none."""
    for one in _causes(error):
        if isinstance(one, aiosmtplib.SMTPResponseException) and is_reply(one):
            said = f"{one.code} {one.message}"
            plain = "".join(letter if letter.isprintable() else " " for letter in said)
            return " ".join(plain.split())[:_SAID_LENGTH_MAX]
    return ""
