"""The merchants of workspaces, for one process: read from memory, at most seconds old, and changed
with a version, so that nobody's change is lost.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from bespeak.cache import Cache
from bespeak.errors import VersionMismatch
from bespeak.inventory.workspaces import DEFAULT
from bespeak.merchants.logos import Logo, keep_logo
from bespeak.merchants.profile import (
    ChangeMerchant,
    MerchantProfile,
    changed,
    terms_digest,
    terms_wording,
)
from bespeak.postgres.json_text import json_text
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database

_QUERIES = load("bespeak.merchants", "merchants.sql")
KNOWN_SECONDS = 2.0
_KEPT_MAX = 1000


class Merchant(NamedTuple):
    """A merchant's profile, its version (0: nothing was said yet), and the digest of the terms
    that buyers accept (None: there are none)."""

    profile: MerchantProfile
    version: int
    terms: str | None


NOBODY = Merchant(MerchantProfile(), 0, None)
"""The merchant of a workspace in which nothing was said yet."""


class Merchants:
    """The merchants, as a process knows them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: Cache[str, Merchant] = Cache(seconds=KNOWN_SECONDS, size_max=_KEPT_MAX)

    async def of(self, workspace: str | None, *, seconds: float | None = None) -> Merchant:
        """The merchant of a workspace (None: the default one), as it was at most so many seconds
        ago. Raises DatabaseUnavailable."""
        within = workspace or DEFAULT
        return await self._known.get(within, lambda: self._load(within), seconds=seconds)

    async def change(self, workspace: str | None, change: ChangeMerchant) -> Merchant:
        """Changes a profile. Raises VersionMismatch, InvalidRequest, ColourIllegible."""

        def made(before: Merchant) -> MerchantProfile:
            if change.version not in (msgspec.UNSET, before.version):
                raise VersionMismatch(version=before.version)
            return changed(before.profile, change)

        return await self._changed(workspace, made)

    async def set_logo(self, workspace: str | None, logo: Logo | None) -> Merchant:
        """Shows a logo, or none."""
        digest = None if logo is None else logo.digest

        def made(before: Merchant) -> MerchantProfile:
            return msgspec.structs.replace(before.profile, logo=digest)

        return await self._changed(workspace, made, logo)

    async def _changed(
        self,
        workspace: str | None,
        made: Callable[[Merchant], MerchantProfile],
        logo: Logo | None = None,
    ) -> Merchant:
        """Writes what is made of the profile, of whichever version it is by then. What changes
        nothing is not written."""
        within = workspace or DEFAULT
        async with self._database.borrow() as connection, connection.transaction():
            version = None
            while version is None:
                before = await read_merchant(connection, within)
                profile = made(before)
                if profile == before.profile:
                    return before
                version = await _write(connection, within, before.version, profile)
            if logo is not None:
                await keep_logo(connection, logo)
        after = Merchant(profile, version, terms_digest(profile))
        self._known.put(within, after)
        return after

    async def _load(self, workspace: str) -> Merchant:
        async with self._database.borrow() as connection:
            return await read_merchant(connection, workspace)


async def read_merchant(connection: Connection, workspace: str) -> Merchant:
    """The merchant of a workspace as the database has it."""
    row = await connection.fetchrow(_QUERIES["read"], workspace)
    if row is None:
        return NOBODY
    profile = msgspec.json.decode(json_text(row["profile"]), type=MerchantProfile)
    return Merchant(profile, row["version"], terms_digest(profile))


async def _write(
    connection: Connection, workspace: str, before: int, profile: MerchantProfile
) -> int | None:
    """The new version; None where somebody else was faster. Of whoever is slower, the statement
    waits for the other's commit and then finds no row of its version."""
    text = msgspec.json.encode(profile).decode()
    version: int | None
    if before == 0:
        version = await connection.fetchval(_QUERIES["create"], workspace, text)
    else:
        version = await connection.fetchval(_QUERIES["change"], workspace, before, text)
    digest = terms_digest(profile)
    if version is not None and digest is not None:
        # After the merchant's row: who waits for a wording is waited for by nobody.
        await connection.execute(_QUERIES["add_terms"], digest, terms_wording(profile).decode())
    return version
