"""Mails that were written into a folder instead of being sent, to be read again: a list, and one
opened into its parts. What stands in a mail is somebody else's: nothing of it is believed, and all
of it is bounded.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from email.parser import BytesParser, HeaderParser
from email.policy import Policy, default
from pathlib import Path

import msgspec

from bespeak.errors import InvalidCursor
from bespeak.notifications.errors import MailNotFound
from bespeak.notifications.mail.pictures import with_pictures
from bespeak.settings import Settings

MAIL_ID_PATTERN = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
MAIL_BYTES_MAX = 20 << 20
"""A larger file is listed, and not opened."""

_ID = re.compile(MAIL_ID_PATTERN)
_SUFFIX = ".eml"
_FOLDER = "outbox"
_LISTED_MAX = 50_000
_HEADERS_BYTES_MAX = 64 << 10
_TEXT_LENGTH_MAX = 200_000
_HTML_LENGTH_MAX = 1_000_000
_HEADER_LENGTH_MAX = 500
_ATTACHMENTS_MAX = 50
_PARTS_MAX = 200


class OutboxMail(msgspec.Struct, frozen=True):
    """A mail in the outbox: to whom, about what, when it was written."""

    id: str
    to: str
    subject: str
    written_at: datetime
    size_bytes: int


class OutboxPage(msgspec.Struct, frozen=True):
    """A page of the outbox, the latest first; `next` is the cursor of the page after."""

    items: list[OutboxMail]
    next: str | None


class OutboxAttachment(msgspec.Struct, frozen=True):
    """A file that goes with a mail; `index` counts from 1."""

    index: int
    name: str
    media_type: str
    size_bytes: int


class OpenedMail(msgspec.Struct, frozen=True, kw_only=True):
    """A mail with its plain text. `has_html` says whether there is an HTML part, too."""

    id: str
    sender: str
    to: str
    subject: str
    written_at: datetime
    text: str
    has_html: bool
    attachments: list[OutboxAttachment]


class _File(msgspec.Struct, frozen=True, order=True):
    """Files in the order in which they were written."""

    written: float
    id: str
    size: int


class _FolderOfOurs(str):
    """The path of an outbox that nobody named."""

    __slots__ = ()


def with_outbox(settings: Settings, folder: Path) -> Settings:
    """The settings with the folder that mails are written into, below `folder` unless they name
    one; as they are where mails are sent."""
    if settings.smtp_url or settings.mail_outbox:
        return settings
    return msgspec.structs.replace(settings, mail_outbox=_FolderOfOurs(folder / _FOLDER))


def has_outbox(settings: Settings) -> bool:
    """Whether this process knows a folder that mails are written into."""
    return bool(settings.mail_outbox) and not settings.smtp_url


def has_named_outbox(settings: Settings) -> bool:
    """Whether somebody said that mails are to be written into a folder, and which."""
    return bool(settings.mail_outbox) and not isinstance(settings.mail_outbox, _FolderOfOurs)


class MailOutbox:
    """The folder, read. All of it blocks: call it in a thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def page(self, after: str | None, limit: int) -> OutboxPage:
        """A page of mails. Raises InvalidCursor."""
        files = sorted(self._files(), reverse=True)
        if after is not None:
            places = [place for place, file in enumerate(files) if file.id == after]
            if not places:
                raise InvalidCursor(after=after[:60])
            files = files[places[0] + 1 :]
        items = [self._listed(file) for file in files[:limit]]
        return OutboxPage(items, items[-1].id if len(files) > limit else None)

    def open(self, mail_id: str) -> OpenedMail:
        """A mail with its text. Raises MailNotFound."""
        file, mail = self._read(mail_id)
        return OpenedMail(
            id=mail_id,
            sender=_header(mail, "From"),
            to=_header(mail, "To"),
            subject=_header(mail, "Subject"),
            written_at=_moment(file),
            text=_body(mail, "plain")[:_TEXT_LENGTH_MAX],
            has_html=bool(_body(mail, "html")),
            attachments=[
                OutboxAttachment(index, _name(part), part.get_content_type(), len(_content(part)))
                for index, part in enumerate(_attachments(mail), start=1)
            ],
        )

    def html(self, mail_id: str) -> str:
        """The HTML part of a mail, with the pictures that go with it in their places. Raises
        MailNotFound."""
        _, mail = self._read(mail_id)
        found = _body(mail, "html")[:_HTML_LENGTH_MAX]
        if not found:
            raise MailNotFound
        return with_pictures(mail, found)

    def attachment(self, mail_id: str, index: int) -> tuple[str, bytes]:
        """The name and the content of a file that goes with a mail. Raises MailNotFound."""
        _, mail = self._read(mail_id)
        parts = _attachments(mail)
        if not 1 <= index <= len(parts):
            raise MailNotFound
        return _name(parts[index - 1]), _content(parts[index - 1])

    def _files(self) -> Iterator[_File]:
        try:
            entries = os.scandir(self._folder)
        except OSError:
            return  # no mail was written yet
        with entries:
            for number, entry in enumerate(entries):
                if number == _LISTED_MAX:
                    return
                mail_id = entry.name.removesuffix(_SUFFIX)
                if entry.name == mail_id or not _ID.fullmatch(mail_id):
                    continue
                try:
                    found = entry.stat(follow_symlinks=False)
                except OSError:
                    continue  # somebody has just deleted it
                if stat.S_ISREG(found.st_mode):
                    yield _File(found.st_mtime, mail_id, found.st_size)

    def _listed(self, file: _File) -> OutboxMail:
        try:
            with self._path(file.id).open(encoding="ascii", errors="replace") as content:
                head = content.read(_HEADERS_BYTES_MAX)
        except OSError:
            head = ""
        mail = HeaderParser(policy=default).parsestr(head)
        return OutboxMail(
            file.id, _header(mail, "To"), _header(mail, "Subject"), _moment(file), file.size
        )

    def _read(self, mail_id: str) -> tuple[_File, EmailMessage]:
        if not _ID.fullmatch(mail_id):
            raise MailNotFound
        try:
            file = open(self._path(mail_id), "rb", opener=_without_links)  # noqa: SIM115
        except OSError as error:
            raise MailNotFound from error
        with file as content:
            found = os.fstat(content.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise MailNotFound
            if found.st_size > MAIL_BYTES_MAX:
                raise MailNotFound(f"the mail is larger than {MAIL_BYTES_MAX} bytes")
            mail = _parsed(content.read(MAIL_BYTES_MAX))
        return _File(found.st_mtime, mail_id, found.st_size), mail

    def _path(self, mail_id: str) -> Path:
        return self._folder / f"{mail_id}{_SUFFIX}"


def _without_links(path: str, flags: int) -> int:
    """Opens a file of the folder itself: a link could lead out of it, a pipe would not answer."""
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)


def _parsed(content: bytes) -> EmailMessage:
    """A mail of bytes. Raises MailNotFound for one of more parts than anybody sends: the parser
    calls itself for parts within parts, and must not come near to the end of Python's stack."""
    made = 0

    def part(policy: Policy[EmailMessage] = default) -> EmailMessage:
        nonlocal made
        made += 1
        if made > _PARTS_MAX:
            raise MailNotFound(f"the mail has more than {_PARTS_MAX} parts")
        return EmailMessage(policy)

    return BytesParser(part, policy=default).parsebytes(content)


def _moment(file: _File) -> datetime:
    return datetime.fromtimestamp(file.written, UTC)


def _header(mail: EmailMessage, name: str) -> str:
    """A header as text; empty where it cannot be read."""
    try:
        text = str(mail[name] or "")
    except (ValueError, IndexError, KeyError, AttributeError):
        return ""
    return "".join(one if one.isprintable() else " " for one in text)[:_HEADER_LENGTH_MAX]


def _body(mail: EmailMessage, kind: str) -> str:
    part = mail.get_body((kind,))
    if part is None:
        return ""
    try:
        text = part.get_content()
    except (LookupError, ValueError):  # it names no charset that there is
        text = ""
    return text if isinstance(text, str) else ""


def _attachments(mail: EmailMessage) -> list[EmailMessage]:
    if not mail.is_multipart():
        return []
    found = [part for part in mail.iter_attachments() if isinstance(part, EmailMessage)]
    return found[:_ATTACHMENTS_MAX]


def _content(part: EmailMessage) -> bytes:
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


def _name(part: EmailMessage) -> str:
    """The name of a file, without what leads elsewhere."""
    named = Path((part.get_filename() or "").replace("\\", "/")).name
    plain = "".join(one for one in named if one.isprintable() and one not in '"')
    return plain[:100] or "attachment"
