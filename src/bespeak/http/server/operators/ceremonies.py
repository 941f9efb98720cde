"""What a browser is asked for a passkey, and whether the signatures of its answer are right: all
that the library `webauthn` is used for. It takes a tenth of a second and five megabytes to load,
and most workers never need it: `passkeys.py` imports this module with the first call that does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import (
    parse_authentication_credential_json,
    parse_client_data_json,
    parse_registration_credential_json,
)
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticationCredential,
    AuthenticatorSelectionCriteria,
    AuthenticatorTransport,
    PublicKeyCredentialDescriptor,
    RegistrationCredential,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from bespeak.http.server.operators.challenges import CHALLENGE_SECONDS
from bespeak.http.server.operators.credentials import Credential, JsonObject, KnownPasskey
from bespeak.http.server.operators.errors import ProofFailed

if TYPE_CHECKING:
    from bespeak.http.server.operators.accounts import Operator
    from bespeak.http.server.operators.sites import RelyingParty

_SITE_NAME = "Bespeak"
# What a browser sends may be anything; the library checks most of it, and trips over the rest.
_MALFORMED = (WebAuthnException, ValueError, TypeError, KeyError, AttributeError, OverflowError)


class PasskeyCreation(NamedTuple):
    """A passkey that a browser says it made, to which challenge; nothing of it is verified."""

    challenge: bytes
    answer: RegistrationCredential


class MadePasskey(NamedTuple):
    """A passkey that was made for this site, by somebody whom their device knows."""

    credential_id: bytes
    public_key: bytes
    sign_count: int
    transports: list[str]


class PasskeyUse(NamedTuple):
    """A passkey that a browser says it used, to which challenge; nothing of it is verified."""

    challenge: bytes
    credential_id: bytes
    operator_id: bytes | None
    answer: AuthenticationCredential


class Ceremonies:
    """The ceremonies of WebAuthn for a site."""

    def __init__(self, site: RelyingParty) -> None:
        self._site = site

    def creation_options(
        self, operator: Operator, challenge: bytes, known: Sequence[KnownPasskey]
    ) -> JsonObject:
        """What a browser is asked to make a passkey with."""
        options = generate_registration_options(
            rp_id=self._site.name,
            rp_name=_SITE_NAME,
            user_id=operator.id.encode(),
            user_name=operator.login,
            user_display_name=operator.name,
            challenge=challenge,
            timeout=CHALLENGE_SECONDS * 1000,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED,
                user_verification=UserVerificationRequirement.REQUIRED,
            ),
            exclude_credentials=[_descriptor(one) for one in known],
        )
        return msgspec.json.decode(options_to_json(options), type=JsonObject)

    def read_creation(self, credential: Credential) -> PasskeyCreation:
        """Raises ProofFailed."""
        try:
            answer = parse_registration_credential_json(msgspec.to_builtins(credential))
            said = parse_client_data_json(answer.response.client_data_json)
        except _MALFORMED as error:
            raise ProofFailed from error
        return PasskeyCreation(said.challenge, answer)

    def verify_creation(self, creation: PasskeyCreation) -> MadePasskey:
        """Raises ProofFailed."""
        try:
            verified = verify_registration_response(
                credential=creation.answer,
                expected_challenge=creation.challenge,
                expected_rp_id=self._site.name,
                expected_origin=self._site.origin,
                require_user_verification=True,
            )
        except _MALFORMED as error:
            raise ProofFailed from error
        return MadePasskey(
            verified.credential_id,
            verified.credential_public_key,
            verified.sign_count,
            [one.value for one in creation.answer.response.transports or ()],
        )

    def use_options(self, challenge: bytes, known: Sequence[KnownPasskey]) -> JsonObject:
        """What a browser is asked to use a passkey with: one of these, or else any that it has for
        this site."""
        options = generate_authentication_options(
            rp_id=self._site.name,
            challenge=challenge,
            timeout=CHALLENGE_SECONDS * 1000,
            allow_credentials=[_descriptor(one) for one in known] or None,
            user_verification=UserVerificationRequirement.REQUIRED,
        )
        return msgspec.json.decode(options_to_json(options), type=JsonObject)

    def read_use(self, credential: Credential) -> PasskeyUse:
        """Raises ProofFailed."""
        try:
            answer = parse_authentication_credential_json(msgspec.to_builtins(credential))
            said = parse_client_data_json(answer.response.client_data_json)
        except _MALFORMED as error:
            raise ProofFailed from error
        return PasskeyUse(said.challenge, answer.raw_id, answer.response.user_handle, answer)

    def verify_use(self, use: PasskeyUse, public_key: bytes, sign_count: int) -> int:
        """How often the passkey was used, as its authenticator counts. Raises ProofFailed."""
        try:
            verified = verify_authentication_response(
                credential=use.answer,
                expected_challenge=use.challenge,
                expected_rp_id=self._site.name,
                expected_origin=self._site.origin,
                credential_public_key=public_key,
                credential_current_sign_count=sign_count,
                require_user_verification=True,
            )
        except _MALFORMED as error:
            raise ProofFailed from error
        return verified.new_sign_count


def _descriptor(known: KnownPasskey) -> PublicKeyCredentialDescriptor:
    transports = [AuthenticatorTransport(one) for one in known.transports]
    return PublicKeyCredentialDescriptor(id=known.credential_id, transports=transports or None)
