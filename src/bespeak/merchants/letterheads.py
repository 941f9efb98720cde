"""The letterhead: who writes, as mails, tickets and calendar files show it: the merchant's name,
logo and how to reach them. It is made of the profile of a workspace, at most seconds old. A
workspace in which nothing was said has an empty one.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from bespeak.cache import Cache
from bespeak.inventory.workspaces import DEFAULT
from bespeak.merchants.errors import LogoNotFound
from bespeak.merchants.logos import Logo, read_logo
from bespeak.merchants.profile import LegalField, LegalText

if TYPE_CHECKING:
    from bespeak.merchants.merchants import Merchants
    from bespeak.postgres.pool import Database

_LOGOS_KEPT = 50


class Letterhead(msgspec.Struct, frozen=True, kw_only=True):
    """Who writes. Empty is what the merchant does not say; `imprint` and `terms` are addresses of
    pages."""

    name: str = ""
    logo: Logo | None = None
    email: str = ""
    phone: str = ""
    address: tuple[str, ...] = ()
    imprint: str = ""
    terms: str = ""

    @property
    def reach(self) -> tuple[str, ...]:
        """The address in one line, the e-mail and the telephone: what there is of them."""
        found = (", ".join(self.address), self.email, self.phone)
        return tuple(one for one in found if one)


EMPTY = Letterhead()
"""The letterhead of who has said nothing."""


class Letterheads:
    """The letterheads, as a process knows them. `public_url` is where the box office is, whose
    pages show legal texts that have no address of their own; None: there is no box office."""

    def __init__(self, database: Database, merchants: Merchants, public_url: str | None) -> None:
        self._database = database
        self._merchants = merchants
        self._public_url = public_url
        self._logos: Cache[str, Logo | None] = Cache(size_max=_LOGOS_KEPT)

    async def of(self, workspace: str | None) -> Letterhead:
        """The letterhead of a workspace (None: the default one). Raises DatabaseUnavailable."""
        said = (await self._merchants.of(workspace)).profile
        return Letterhead(
            name=said.name or "",
            logo=None if said.logo is None else await self._logo(said.logo),
            email=said.email or "",
            phone=said.phone or "",
            address=tuple(line for line in (said.address or "").splitlines() if line.strip()),
            imprint=self._page(workspace, said.imprint, "imprint"),
            terms=self._page(workspace, said.terms, "terms"),
        )

    async def _logo(self, digest: str) -> Logo | None:
        return await self._logos.get(digest, lambda: self._read_logo(digest))

    async def _read_logo(self, digest: str) -> Logo | None:
        with suppress(LogoNotFound):
            return await read_logo(self._database, digest)
        return None

    def _page(self, workspace: str | None, text: LegalText | None, name: LegalField) -> str:
        """Where a legal text is read. The box office is the default workspace's."""
        if text is None:
            return ""
        if text.url is not None:
            return text.url
        if self._public_url is None or (workspace or DEFAULT) != DEFAULT:
            return ""
        return f"{self._public_url.rstrip('/')}/legal/{name}"
