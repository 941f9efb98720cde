"""Who a booking is for: to whom news of it goes, and who is called. The engine only keeps it; the
notifications write to who has an address of e-mail, and to nobody else.
"""

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
PhoneNumber = Annotated[
    str,
    Meta(
        max_length=40,
        pattern=r"^\+?\(?[0-9][0-9 ()./-]{1,38}[0-9]\Z",
        description="a telephone number in digits",
        examples=["+49 170 1234567"],
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
    """Who a booking is for: an e-mail address, to which news of it goes, a name, a language (`en`,
    `fr-CA`) and a telephone number. One of address, name and number there must be; without an
    address no mail is sent."""

    email: EmailAddress | None = None
    name: _Text | None = None
    locale: LocaleName | None = None
    phone: PhoneNumber | None = None


def encode_contact(contact: Contact | None) -> str | None:
    """As it is stored. Raises InvalidRequest for one that says of nobody who it is."""
    if contact is None:
        return None
    try:
        text = msgspec.json.encode(contact)
        msgspec.json.decode(text, type=Contact)
    except (msgspec.MsgspecError, TypeError, ValueError) as error:
        raise InvalidRequest(f"contact: {error}"[:300], field="contact") from error
    if contact.email is None and contact.name is None and contact.phone is None:
        raise InvalidRequest(
            "contact: an e-mail address, a name or a telephone number is needed", field="contact"
        )
    return text.decode()
