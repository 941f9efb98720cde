"""The version that a call without a body names: what was seen of what it takes away."""

from __future__ import annotations

import msgspec

from bespeak.postgres.versions import SeenVersion


class VersionQuery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which version is to be taken away, if given: another one that stands there by now stays."""

    version: SeenVersion | None = None
