"""Mailings: what a merchant writes to all who booked a resource, as when the doors open earlier.
One is written down at once; its mails are written down behind, some bookings at a time, and leave
as all mails do, while the booking stands and nobody has stopped it. Any number may look.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, TypeAlias
from uuid import UUID, uuid4

import msgspec
from msgspec import Meta

from bespeak import ids
from bespeak.actors import acting
from bespeak.errors import IdempotencyKeyReused, InvalidRequest, ResourceNotFound
from bespeak.inventory.fields import NAME_PATTERN, NAME_SCHEMA
from bespeak.merchants.profile import Language
from bespeak.notifications.errors import MailingNotFound, MailingsTooMany
from bespeak.notifications.mail.texts import MailText, check_text
from bespeak.postgres.queries import load
from bespeak.reservations.request import KEY_LENGTH_MAX
from bespeak.reservations.request import check_text as check_key

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Pool, Record

_QUERIES = load("bespeak.notifications.mail", "mailings.sql")
DAILY_MAX = 20
"""Mailings of one resource within a day."""
LISTED_MAX = 50
_BATCH = 100
# Mails leave in the order in which they were written down: who buys a ticket while a mailing goes
# out has so many before theirs.
_WAITING_MAX = 100
_PAUSE_SECONDS = 1.0
_RETRY_SECONDS = 3600


class MailingState(StrEnum):
    """Whether its bookings are still being walked through, all were, or it was stopped."""

    WRITING = "writing"
    WRITTEN = "written"
    STOPPED = "stopped"


class MailingText(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a mailing says in one language, as plain text; an empty line begins another paragraph.
    Both may have placeholders in braces, as the texts of mails."""

    language: Language
    subject: Annotated[
        str,
        Meta(min_length=1, max_length=150, pattern=NAME_PATTERN, extra_json_schema=NAME_SCHEMA),
    ]
    text: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=4000,
            pattern=r"^[^\x00-\x09\x0b-\x1f\x7f]*\Z",
            extra_json_schema={
                "pattern": r"^[^\x00-\x09\x0b-\x1f\x7f]*$",
                "description": "plain text; an empty line begins another paragraph",
                "examples": ["The doors open at 19:30 instead of 19:00."],
            },
        ),
    ]

    @property
    def as_mail(self) -> MailText:
        """As the text of a mail."""
        return MailText(subject=self.subject, introduction=self.text)


MailingTexts: TypeAlias = Annotated[tuple[MailingText, ...], Meta(min_length=1, max_length=3)]
_TEXTS: msgspec.json.Decoder[tuple[MailingText, ...]] = msgspec.json.Decoder(
    tuple[MailingText, ...]
)


class Mailing(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A mailing, by who wrote it (`actor`). `recipients` are the bookings that it was written down
    for so far; of their mails so many are `waiting`, `sent`, or have `failed` for good, as long as
    mails are kept. The others were dropped: they were cancelled before their turn came."""

    id: str
    resource_id: str
    state: MailingState
    texts: tuple[MailingText, ...]
    actor: str | None
    created_at: datetime
    recipients: int
    waiting: int
    sent: int
    failed: int
    replayed: bool = False


class Mailings:
    """Writes the mails of mailings down, for as long as `look` is called."""

    name = "mailings"

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def look(self) -> float:
        """Goes on with what is being written; answers seconds until the next look. Raises what
        asyncpg raises."""
        row = await self._pool.fetchrow(_QUERIES["write"], _BATCH, _WAITING_MAX)
        return _PAUSE_SECONDS if row is None else 0.0


def text_in(texts: Sequence[MailingText], language: str) -> MailText:
    """What a mailing says in a language, else in its first."""
    return next((one for one in texts if one.language == language), texts[0]).as_mail


def check_texts(texts: Sequence[MailingText]) -> None:
    """Raises InvalidRequest for a language that comes twice, MailTextInvalid."""
    if len({one.language for one in texts}) != len(texts):
        raise InvalidRequest("a language comes twice", field="texts")
    for one in texts:
        check_text("mailing", one.as_mail)


async def begin_mailing(
    connection: Connection, resource_id: str, texts: Sequence[MailingText], key: str | None
) -> Mailing:
    """Writes to all who have booked a resource, behind. A repeat by key answers what the first
    began. Raises InvalidId, InvalidRequest, MailTextInvalid, ResourceNotFound,
    IdempotencyKeyReused, MailingsTooMany."""
    number = ids.parse_resource(resource_id)
    check_texts(texts)
    if key is not None:
        check_key(key, "idempotency_key", KEY_LENGTH_MAX)
    said = msgspec.json.encode(texts)
    content = hashlib.sha256(said).digest()
    kept = None if key is None else hashlib.sha256(key.encode()).digest()
    told = (number, said.decode(), acting(), kept, content, DAILY_MAX)
    made: UUID | None = await connection.fetchval(_QUERIES["begin"], uuid4(), *told)
    if made is not None:
        return await _read(connection, number, made)
    begun = await connection.fetchrow(_QUERIES["begun"], number, kept)
    if begun is None:
        await _check_known(connection, number, resource_id)
        raise MailingsTooMany(
            f"of one resource there are at most {DAILY_MAX} within a day",
            retry_after_seconds=_RETRY_SECONDS,
        )
    if begun["content"] != content:
        raise IdempotencyKeyReused(fields=["texts"])
    found = await _read(connection, number, begun["mailing_id"])
    return msgspec.structs.replace(found, replayed=True)


async def get_mailing(connection: Connection, resource_id: str, mailing_id: str) -> Mailing:
    """A mailing of a resource. Raises InvalidId, MailingNotFound."""
    number = ids.parse_resource(resource_id)
    return await _read(connection, number, ids.parse(ids.MAILING, mailing_id))


async def list_mailings(connection: Connection, resource_id: str) -> list[Mailing]:
    """The newest mailings of a resource, at most 50. Raises InvalidId, ResourceNotFound."""
    number = ids.parse_resource(resource_id)
    await _check_known(connection, number, resource_id)
    rows = await connection.fetch(_QUERIES["of_resource"], number, LISTED_MAX)
    return [_mailing(row) for row in rows]


async def stop_mailing(connection: Connection, resource_id: str, mailing_id: str) -> Mailing:
    """Writes to nobody more. What has left has left; repeated, it changes nothing. Raises
    InvalidId, MailingNotFound."""
    number, mailing = ids.parse_resource(resource_id), ids.parse(ids.MAILING, mailing_id)
    await connection.execute(_QUERIES["stop"], number, mailing)
    return await _read(connection, number, mailing)


async def count_recipients(connection: Connection, resource_id: str) -> int:
    """How many bookings a mailing would go to now. Raises InvalidId, ResourceNotFound."""
    number = ids.parse_resource(resource_id)
    await _check_known(connection, number, resource_id)
    found: int = await connection.fetchval(_QUERIES["count_recipients"], number)
    return found


async def texts_of_mailings(
    pool: Pool, mailings: Iterable[str]
) -> Mapping[str, tuple[MailingText, ...]]:
    """What mailings say, by the occasion that their mails have."""
    wanted = sorted({UUID(one) for one in mailings})
    rows = await pool.fetch(_QUERIES["texts"], wanted) if wanted else ()
    return {str(row["mailing_id"]): _TEXTS.decode(row["texts"]) for row in rows}


async def _check_known(connection: Connection, number: int, resource_id: str) -> None:
    if await connection.fetchval(_QUERIES["is_known"], number) is None:
        raise ResourceNotFound(resource_id=resource_id)


async def _read(connection: Connection, number: int, mailing: UUID) -> Mailing:
    row = await connection.fetchrow(_QUERIES["get"], number, mailing)
    if row is None:
        raise MailingNotFound
    return _mailing(row)


def _mailing(row: Record) -> Mailing:
    return Mailing(
        id=ids.show(ids.MAILING, row["mailing_id"]),
        resource_id=ids.show_resource(row["resource_id"]),
        state=MailingState(row["state"]),
        texts=_TEXTS.decode(row["texts"]),
        actor=row["actor"],
        created_at=row["created_at"],
        recipients=row["recipients"],
        waiting=row["waiting"],
        sent=row["sent"],
        failed=row["failed"],
    )
