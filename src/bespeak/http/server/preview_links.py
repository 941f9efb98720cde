"""Links to the preview of one resource that is not published: whoever has one sees its page until
the link ends, and can hold nothing by it. Its token opens this one call and no other.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime

from bespeak.http.server.errors import PreviewLinkInvalid
from bespeak.signed_tokens import TokenInvalid, TokenSigner

PREVIEW_SECONDS = 7 * 86_400
"""Links cannot be ended, so they end soon by themselves."""


class PreviewLinks:
    """Makes and reads the tokens."""

    def __init__(self, secret: bytes) -> None:
        self._signer = TokenSigner(secret, "preview", "exp")

    def make(self, resource_id: str) -> tuple[str, datetime]:
        """A token, and when it ends."""
        ends = int(time.time()) + PREVIEW_SECONDS
        return self._signer.make(preview=resource_id, exp=ends), datetime.fromtimestamp(ends, UTC)

    def resource_of(self, token: str) -> str:
        """The resource whose preview a token opens. Raises PreviewLinkInvalid."""
        try:
            return str(self._signer.read(token)["preview"])
        except TokenInvalid as error:
            raise PreviewLinkInvalid from error
