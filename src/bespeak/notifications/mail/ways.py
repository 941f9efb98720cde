"""By which way mails leave now, and who writes. What the environment says wins; else it is the mail
server that was set at the console, which every process sees within seconds; else they are written
into a folder.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import structlog

from bespeak.cache import Cache
from bespeak.notifications.mail.outbox import has_named_outbox, with_outbox
from bespeak.notifications.mail.sender import (
    MailRoute,
    MailServerAway,
    OutboxFolder,
    SmtpRoute,
    SmtpServer,
    parse_smtp_url,
)
from bespeak.notifications.mail.servers import KeptServer, MailServerSeal, kept_server
from bespeak.notifications.mail.writing import FromAddress, parse_sender
from bespeak.postgres.secrets import signing_secret
from bespeak.settings import Settings

if TYPE_CHECKING:
    from bespeak.postgres.pool import Database

AWAY_SECONDS = 5.0
"""How soon to look again for a way, where there is none."""
_KNOWN_SECONDS = 2.0
_THE_ONE = ""
_log = structlog.get_logger()

DecidedBy: TypeAlias = Literal["environment", "demo", "console", "nobody"]


class MailWay(NamedTuple):
    """How mails leave, and who writes."""

    route: MailRoute
    sender: FromAddress


class MailWays(ABC):
    """The way of now."""

    @abstractmethod
    async def now(self) -> MailWay:
        """Raises MailServerAway, DatabaseUnavailable."""


class OneWay(MailWays):
    """A way that stays."""

    def __init__(self, route: MailRoute, sender: FromAddress) -> None:
        self._way = MailWay(route, sender)

    async def now(self) -> MailWay:
        return self._way


class ChosenWays(MailWays):
    """The way of an installation, for one process: by its settings, or by what was set at the
    console at most seconds ago. Raises InvalidSetting."""

    def __init__(self, database: Database, settings: Settings, folder: Path) -> None:
        self._database = database
        self._settings = settings
        self._by_settings = MailWay(mail_route(settings, folder), parse_sender(settings.mail_from))
        self._seal: MailServerSeal | None = None
        self._known: Cache[str, KeptServer | None] = Cache(seconds=_KNOWN_SECONDS, size_max=1)
        self._told: KeptServer | None = None

    @property
    def fixed_by(self) -> Literal["environment", "demo"] | None:
        """Who says it before anybody at the console can."""
        settings = self._settings
        if settings.smtp_url or has_named_outbox(settings):
            return "environment"
        # Nothing that the demo's crowd is written goes to anybody.
        return "demo" if settings.demo else None

    @property
    def sender_of_environment(self) -> str | None:
        """Who writes, where the environment says it."""
        named = self._settings.mail_from
        return None if named == Settings().mail_from else named

    @property
    def server_of_environment(self) -> SmtpServer | None:
        """The mail server of BESPEAK_SMTP_URL."""
        url = self._settings.smtp_url
        return parse_smtp_url(url) if url else None

    async def kept(self, *, seconds: float | None = None) -> KeptServer | None:
        """What was set at the console; None: nothing, or it does not count. Raises
        DatabaseUnavailable."""
        if self.fixed_by is not None:
            return None
        return await self._known.get(_THE_ONE, self._read, seconds=seconds)

    async def seal(self) -> MailServerSeal:
        """What seals passwords. Raises DatabaseUnavailable."""
        if self._seal is None:
            async with self._database.borrow() as connection:
                secret = await signing_secret(connection, self._settings.signing_secret)
            self._seal = MailServerSeal(secret)
        return self._seal

    async def now(self) -> MailWay:
        kept = await self.kept()
        return self._by_settings if kept is None else await self.by(kept)

    async def sender(self) -> FromAddress:
        """Who writes now, whether or not mails can leave. Raises DatabaseUnavailable."""
        kept = await self.kept()
        return self._by_settings.sender if kept is None else self._sender_of(kept)

    async def by(self, kept: KeptServer) -> MailWay:
        """The way by a server. Raises MailServerAway, DatabaseUnavailable."""
        server = (await self.seal()).smtp_server(kept)
        if server is None:
            if self._told != kept:  # once, not every few seconds
                _log.warning("mails do not leave: the mail server's password must be set again")
                self._told = kept
            raise MailServerAway(
                "the mail server's password must be set again: it was sealed by another signing"
                " secret"
            )
        return MailWay(SmtpRoute(server), self._sender_of(kept))

    async def sends(self) -> bool:
        """Whether mails are sent by a server. Raises DatabaseUnavailable."""
        return bool(self._settings.smtp_url) or await self.kept() is not None

    def forget(self) -> None:
        """That what was set is another by now."""
        self._known.forget(_THE_ONE)

    async def _read(self) -> KeptServer | None:
        async with self._database.borrow() as connection:
            return await kept_server(connection)

    def _sender_of(self, kept: KeptServer) -> FromAddress:
        if kept.sender is None or self.sender_of_environment is not None:
            return self._by_settings.sender
        return parse_sender(kept.sender)


def mail_route(settings: Settings, folder: Path) -> MailRoute:
    """How mails leave by the settings. Raises InvalidSetting."""
    if settings.smtp_url:
        return SmtpRoute(parse_smtp_url(settings.smtp_url))
    return OutboxFolder(Path(with_outbox(settings, folder).mail_outbox or folder))
