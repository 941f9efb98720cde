"""What browsers and the server say to each other of passkeys (WebAuthn)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta

_Encoded = Annotated[str, Meta(max_length=20_000)]
JsonObject: TypeAlias = dict[
    str, Annotated[object, Meta(extra_json_schema={"description": "as WebAuthn says"})]
]


class PasskeyAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an authenticator said and signed, in base64url: of a creation the attestation object, of
    a use the other ones."""

    client_data: _Encoded = msgspec.field(name="clientDataJSON")
    attestation: _Encoded | None = msgspec.field(default=None, name="attestationObject")
    authenticator: _Encoded | None = msgspec.field(default=None, name="authenticatorData")
    signature: _Encoded | None = None
    user: _Encoded | None = msgspec.field(default=None, name="userHandle")
    transports: Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(max_length=20)] = []


class Credential(msgspec.Struct, frozen=True):
    """A passkey that was made or used, as a browser's `toJSON` writes it."""

    id: _Encoded
    raw_id: _Encoded = msgspec.field(name="rawId")
    type: Literal["public-key"]
    response: PasskeyAnswer


class KnownPasskey(NamedTuple):
    """A passkey that a browser may use, or need not make again."""

    credential_id: bytes
    transports: Sequence[str]
