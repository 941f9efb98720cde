"""To whom news of a booking goes. The engine only keeps it; the notifications write there."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidRequest

_Text = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=200,
        pattern=r"^[^\x00-\x1f\x7f]*\Z",
        description="text in one line, without control characters",
        examples=["Asha Rao"],
    ),
]
EmailAddress = Annotated[
    str,
    Meta(
        max_length=254,
        pattern=r"^[^@\s\x00-\x1f]+@[^@\s\x00-\x1f]+\Z",
        description="an address of e-mail",
        examples=["asha@example.com"],
    ),
]
LocaleName = Annotated[
    str,
    Meta(
        max_length=35,
        pattern=r"^[A-Za-z]{2,3}([_-][A-Za-z0-9]{2,8})*\Z",
        description="a language by its tag",
        examples=["de-AT"],
    ),
]


class Contact(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """To whom news of a booking goes: an e-mail address, a name, and a language (`en`, `fr-CA`)."""

    email: EmailAddress
    name: _Text | None = None
    locale: LocaleName | None = None


def encode_contact(contact: Contact | None) -> str | None:
    """As it is stored. Raises InvalidRequest for one that no mail can be sent to."""
    if contact is None:
        return None
    try:
        text = msgspec.json.encode(contact)
        msgspec.json.decode(text, type=Contact)
    except (msgspec.MsgspecError, TypeError, ValueError) as error:
        raise InvalidRequest(f"contact: {error}"[:300], field="contact") from error
    return text.decode()
