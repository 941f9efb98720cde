"""Consents: which terms the owner of a hold accepted, and when. It is written down before the hold
is confirmed or paid for, so that there is no booking without it where the merchant has terms.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from bespeak import ids
from bespeak.merchants.errors import ConsentRequired, TermsNotFound
from bespeak.merchants.merchants import Merchants
from bespeak.merchants.profile import LegalText
from bespeak.postgres.json_text import json_text
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database

_QUERIES = load("bespeak.merchants", "consents.sql")
_DIGEST = re.compile(r"[0-9a-f]{32}", re.ASCII)


class TermsWording(msgspec.Struct, frozen=True):
    """What buyers accepted: the terms, and what they were told of their data."""

    terms: LegalText | None
    privacy: LegalText | None


class Consent(msgspec.Struct, frozen=True, kw_only=True):
    """That a buyer accepted terms: which (the digest of their wording), their edition, and when."""

    terms: str
    edition: str
    consented_at: datetime


class Consents:
    """Writes consents down, for one process."""

    def __init__(self, database: Database, merchants: Merchants) -> None:
        self._database = database
        self._merchants = merchants

    async def accept(
        self, hold_id: str, owner: str, workspace: str | None, accepted: str | None
    ) -> None:
        """Keeps that a shopper accepted the wording of this digest. Without terms there is nothing
        to keep. Raises ConsentRequired, InvalidId, DatabaseUnavailable."""
        if (await self._merchants.of(workspace)).terms is None:
            return
        # Other terms count from their change on, and memory may be seconds behind. All who ask at
        # once share one look.
        wanted = (await self._merchants.of(workspace, seconds=0.0)).terms
        number = ids.parse(ids.HOLD, hold_id)
        place = (ids.home_of(number), number, owner)
        async with self._database.borrow() as connection:
            if wanted is not None and accepted == wanted:
                await connection.execute(_QUERIES["keep"], *place, accepted)
            elif wanted is not None and await connection.fetchval(
                _QUERIES["is_missing"], *place, accepted or ""
            ):
                raise ConsentRequired(terms=wanted)


async def consents_of(connection: Connection, hold_id: str, prefix: str) -> list[Consent]:
    """What was accepted of a hold or booking, the earliest first."""
    rows = await connection.fetch(_QUERIES["of_hold"], ids.parse(prefix, hold_id))
    return [
        Consent(
            terms=row["digest"],
            edition=_edition(row["wording"]),
            consented_at=row["consented_at"],
        )
        for row in rows
    ]


async def read_wording(database: Database, digest: str) -> TermsWording:
    """A wording by its digest. Raises TermsNotFound, DatabaseUnavailable."""
    found = None
    if _DIGEST.fullmatch(digest):
        async with database.borrow() as connection:
            found = await connection.fetchval(_QUERIES["wording"], digest)
    if found is None:
        raise TermsNotFound
    return msgspec.json.decode(json_text(found), type=TermsWording)


def _edition(wording: object) -> str:
    if wording is None:
        return ""
    terms = msgspec.json.decode(json_text(wording), type=TermsWording).terms
    return "" if terms is None else terms.edition
