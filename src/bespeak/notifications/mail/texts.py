"""Texts of mails that a merchant writes: a subject, an introduction and a closing, as plain text
with placeholders. They are judged when they are saved, so that no mail goes out with a placeholder
that nobody knows; what is filled in is never read for placeholders again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple, TypeAlias, TypeGuard

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bespeak.cache import Cache
from bespeak.inventory.fields import NAME_PATTERN, NAME_SCHEMA
from bespeak.inventory.workspaces import DEFAULT
from bespeak.notifications.errors import MailTextInvalid
from bespeak.notifications.mail.writing import one_line
from bespeak.postgres.queries import load
from bespeak.postgres.versions import remove_seen, save_seen

if TYPE_CHECKING:
    from bespeak.merchants.profile import Language
    from bespeak.postgres.pool import Database, Record

_QUERIES = load("bespeak.notifications.mail", "texts.sql")
_KNOWN_SECONDS = 2.0
_WORKSPACES_KEPT = 1000
# With a name in braces, or a brace that is none of a placeholder.
_BRACES = re.compile(r"\{([^{}]*)\}|[{}]")
_SHOWN_MAX = 40
_SUBJECT_LENGTH_MAX = 200
_GAP = re.compile(r"\n[ \t]*\n\s*")

BookingMailKind: TypeAlias = Literal[
    "booking_confirmed",
    "booking_reminder",
    "booking_moved",
    "booking_cancelled",
    "payment_late",
    "payment_failed",
    "refunded",
]
NoticeKind: TypeAlias = Literal[
    "waitlist_joined",
    "waitlist_offered",
    "waitlist_over",
    "turn_near",
]
"""Mails to who waits: there is no booking yet, and nobody has given a name."""
MailKind: TypeAlias = Literal[BookingMailKind, NoticeKind]
AnyMailKind: TypeAlias = Literal[MailKind, "mailing"]
"""Of a mailing there are no texts but its own."""
PLACEHOLDERS = ("name", "booking_code", "title", "starts_at", "venue")
"""What may stand in braces in each text about a booking."""
_OF_NOTICES: Mapping[AnyMailKind, tuple[str, ...]] = {
    "waitlist_joined": ("title", "starts_at"),
    "waitlist_offered": ("title", "starts_at", "until"),
    "waitlist_over": ("title", "starts_at"),
    "turn_near": ("title",),
}
LINKED: frozenset[AnyMailKind] = frozenset(
    ("booking_confirmed", "booking_reminder", "booking_moved", "mailing")
)
"""Mails about a booking that stands, with a link to it."""

Subject = Annotated[str, Meta(max_length=150, pattern=NAME_PATTERN, extra_json_schema=NAME_SCHEMA)]
Paragraphs = Annotated[
    str,
    Meta(
        max_length=2000,
        pattern=r"^[^\x00-\x09\x0b-\x1f\x7f]*\Z",
        extra_json_schema={
            "pattern": r"^[^\x00-\x09\x0b-\x1f\x7f]*$",
            "description": "plain text; an empty line begins another paragraph",
            "examples": ["We look forward to seeing you, {name}."],
        },
    ),
]


class MailText(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a merchant writes in a kind of mail. Empty: ours stays, or there is none."""

    subject: Subject = ""
    introduction: Paragraphs = ""
    closing: Paragraphs = ""


class KeptText(NamedTuple):
    """What a merchant writes in a kind of mail, and its version."""

    text: MailText
    version: int


OURS = MailText()
"""Nothing of the merchant's own."""


def is_notice(kind: AnyMailKind) -> TypeGuard[NoticeKind]:
    """Whether it is a mail to who waits."""
    return kind in _OF_NOTICES


def placeholders_of(kind: AnyMailKind) -> tuple[str, ...]:
    """What texts of this kind may name in braces: only mails about a booking that stands have a
    link to it. The link of who waits opens their place, and stands in our words alone."""
    if kind in _OF_NOTICES:
        return _OF_NOTICES[kind]
    return (*PLACEHOLDERS, "link") if kind in LINKED else PLACEHOLDERS


def check_text(kind: AnyMailKind, text: MailText) -> None:
    """Raises MailTextInvalid for a placeholder that there is not, and for a brace of none."""
    known = placeholders_of(kind)
    for field in ("subject", "introduction", "closing"):
        for found in _BRACES.finditer(getattr(text, field)):
            if found[1] not in known:
                listed = ", ".join(f"{{{name}}}" for name in known)
                raise MailTextInvalid(
                    f"there is no placeholder {found[0][:_SHOWN_MAX]!r}: there are {listed}",
                    field=field,
                    placeholder=found[0][:_SHOWN_MAX],
                    placeholders=list(known),
                )


def filled(text: str, values: Mapping[str, str]) -> str:
    """The text with what its placeholders stand for; one that is not known by now is left out."""
    return _BRACES.sub(lambda found: values.get(found[1] or "", ""), text)


class OwnWords(NamedTuple):
    """A merchant's texts, filled in; empty is what they did not write."""

    subject: str
    introduction: list[str]
    closing: list[str]


def own_words(text: MailText, values: Mapping[str, str]) -> OwnWords:
    """The texts of a mail with what their placeholders stand for."""
    return OwnWords(
        one_line(filled(text.subject, values), _SUBJECT_LENGTH_MAX),
        paragraphs(filled(text.introduction, values)),
        paragraphs(filled(text.closing, values)),
    )


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a text."""
    return [one.strip() for one in _GAP.split(text) if one.strip()]


class MailTexts:
    """The texts of workspaces, for one process: from memory, at most seconds old."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: Cache[str, dict[tuple[str, str], MailText]] = Cache(
            seconds=_KNOWN_SECONDS, size_max=_WORKSPACES_KEPT
        )

    async def of(
        self, workspace: str | None, *, seconds: float | None = None
    ) -> dict[tuple[str, str], MailText]:
        """The texts of a workspace (None: the default one) by kind and language, as they were at
        most so many seconds ago. Raises DatabaseUnavailable."""
        within = workspace or DEFAULT
        return await self._known.get(within, lambda: self._texts(within), seconds=seconds)

    async def kept(self, workspace: str | None) -> dict[tuple[str, str], KeptText]:
        """The texts of a workspace as they are now, each with its version. Raises
        DatabaseUnavailable."""
        async with self._database.borrow() as connection:
            rows = await connection.fetch(_QUERIES["of_workspace"], workspace or DEFAULT)
        return {(row["kind"], row["language"]): _kept(row) for row in rows}

    async def set(
        self,
        workspace: str | None,
        kind: MailKind,
        language: Language,
        text: MailText,
        seen: int | UnsetType = UNSET,
    ) -> KeptText:
        """Says the texts of a kind in a language, in place of those that were `seen`. Raises
        MailTextInvalid, VersionMismatch, DatabaseUnavailable."""
        check_text(kind, text)
        key = (workspace or DEFAULT, kind, language)
        async with self._database.borrow() as connection:
            version = await save_seen(
                connection,
                _QUERIES["set"],
                _QUERIES["version"],
                key=key,
                values=(text.subject, text.introduction, text.closing),
                seen=seen,
            )
        self._known.forget(workspace or DEFAULT)
        return KeptText(text, version)

    async def remove(
        self,
        workspace: str | None,
        kind: MailKind,
        language: Language,
        seen: int | None = None,
    ) -> None:
        """Goes back to ours, from the texts that were `seen`. Repeated, it changes nothing. Raises
        VersionMismatch, DatabaseUnavailable."""
        key = (workspace or DEFAULT, kind, language)
        async with self._database.borrow() as connection:
            await remove_seen(
                connection, _QUERIES["remove"], _QUERIES["version"], key=key, seen=seen
            )
        self._known.forget(workspace or DEFAULT)

    async def _texts(self, workspace: str) -> dict[tuple[str, str], MailText]:
        return {key: kept.text for key, kept in (await self.kept(workspace)).items()}


def _kept(row: Record) -> KeptText:
    text = MailText(
        subject=row["subject"], introduction=row["introduction"], closing=row["closing"]
    )
    return KeptText(text, row["version"])
