"""A device with passkeys, as a browser and its authenticator answer a page: with keys and
signatures of its own. What a thief or a faulty device would answer instead, a test says by name.
"""

import hashlib
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from typing import cast

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

Json = dict[str, object]

_PRESENT, _VERIFIED, _HAS_KEY = 0x01, 0x04, 0x40


def _text(value: bytes) -> str:
    return urlsafe_b64encode(value).rstrip(b"=").decode()


def _bytes(text: object) -> bytes:
    return urlsafe_b64decode(f"{text}===")


@dataclass
class PasskeyDevice:
    """One passkey. `count` goes up with each use; a device that does not count stays at 0."""

    origin: str = "http://localhost:8000"
    site: str = "localhost"
    counts: bool = True
    count: int = 0
    is_verified: bool = True
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    credential_id: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    user: bytes = b""

    def create(self, options: object, **changes: object) -> Json:
        """The answer to the options of a creation."""
        asked = cast("Json", options)
        self.user = _bytes(cast("Json", asked["user"])["id"])
        numbers = self.key.public_key().public_numbers()
        cose = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32), -3: numbers.y.to_bytes(32)}
        attested = bytes(16) + len(self.credential_id).to_bytes(2) + self.credential_id
        data = self._data(_HAS_KEY) + attested + cbor2.dumps(cose)
        made = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        said = self._said("webauthn.create", asked, changes)
        return self._answer(
            {"clientDataJSON": _text(said), "attestationObject": _text(made), "transports": ["usb"]}
        )

    def use(self, options: object, **changes: object) -> Json:
        """The answer to the options of a login or a proof."""
        if self.counts:
            self.count += 1
        data = self._data()
        said = self._said("webauthn.get", cast("Json", options), changes)
        signed = data + hashlib.sha256(said).digest()
        return self._answer(
            {
                "clientDataJSON": _text(said),
                "authenticatorData": _text(data),
                "signature": _text(self.key.sign(signed, ec.ECDSA(SHA256()))),
                "userHandle": _text(self.user),
            }
        )

    def _data(self, flags: int = 0) -> bytes:
        flags |= _PRESENT | (_VERIFIED if self.is_verified else 0)
        return hashlib.sha256(self.site.encode()).digest() + bytes([flags]) + self.count.to_bytes(4)

    def _said(self, kind: str, options: Json, changes: Json) -> bytes:
        said = {"type": kind, "challenge": options["challenge"], "origin": self.origin, **changes}
        return json.dumps(said).encode()

    def _answer(self, response: Json) -> Json:
        name = _text(self.credential_id)
        return {"id": name, "rawId": name, "type": "public-key", "response": response}
