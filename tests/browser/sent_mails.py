"""The mails that a box office of the browser's tests has sent, read from its outbox."""

from __future__ import annotations

import asyncio
import re
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

from tests.browser.conftest import PATIENCE_MS
from tests.browser.office import Office


def sent(office: Office) -> list[EmailMessage]:
    """All mails, the latest last."""
    files = sorted(office.outbox.glob("*.eml"), key=lambda file: file.stat().st_mtime_ns)
    return [message_from_bytes(file.read_bytes(), policy=default) for file in files]


def text_of(mail: EmailMessage) -> str:
    """What a mail says as plain text."""
    part = mail.get_body(("plain",))
    return "" if part is None else str(part.get_content())


async def mails_to(
    office: Office, email: str, count: int = 1, patience_ms: int = PATIENCE_MS
) -> list[str]:
    """The texts of the mails to an address, the latest last, once there are so many."""

    def read() -> list[str]:
        return [text_of(mail) for mail in sent(office) if email in str(mail["To"])]

    for _ in range(patience_ms // 100):
        texts = await asyncio.to_thread(read)
        if len(texts) >= count:
            return texts
        await asyncio.sleep(0.1)
    raise AssertionError(f"no {count} mails to {email}")


async def mailed(office: Office, pattern: str) -> str:
    """What a pattern finds first in the texts of the mails, once there is such a mail."""

    def read() -> str | None:
        found = (re.search(pattern, text_of(mail)) for mail in sent(office))
        return next((one[0] for one in found if one is not None), None)

    for _ in range(PATIENCE_MS // 100):
        found = await asyncio.to_thread(read)
        if found is not None:
            return found
        await asyncio.sleep(0.1)
    raise AssertionError(f"no mail has {pattern}")
