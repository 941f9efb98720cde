"""The keys that ticket codes are signed with: Ed25519, made once for each installation and kept
with its other secrets. The newest signs; older ones go on verifying what they signed, until they
are dropped. The public halves are for everyone, so that a gate without a network can verify.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec
from joserfc.jwk import OKPKey

from bespeak.errors import DatabaseUnavailable
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database

_QUERIES = load("bespeak.ticketing", "keys.sql")
_NAME = "ticket_key_"
_ID_LENGTH = 4
_TRUST_SECONDS = 5.0
_AGAIN_SECONDS = 0.5

ALGORITHM = "Ed25519"


class PublicKey(msgspec.Struct, frozen=True):
    """The public half of a key, as a JSON Web Key (RFC 7517, RFC 8037)."""

    kid: str
    x: str
    kty: str = "OKP"
    crv: str = "Ed25519"
    alg: str = ALGORITHM
    use: str = "sig"


class PublicKeys(msgspec.Struct, frozen=True):
    """A JSON Web Key Set: all keys whose codes are good, the one that signs first."""

    keys: list[PublicKey]


class TicketKeys:
    """The keys of an installation as they were at one time. Raises ValueError without any."""

    def __init__(self, kept: Mapping[int, bytes]) -> None:
        if not kept:
            raise ValueError("there is no key to sign tickets with")
        made = [_read(kept[number]) for number in sorted(kept, reverse=True)]
        self._keys = {key_id(key): key for key in made}
        self.newest = made[0]
        self.newest_id = key_id(made[0])

    def get(self, key_id: str) -> OKPKey | None:
        return self._keys.get(key_id)

    def public(self) -> PublicKeys:
        shown = {kid: key.as_dict(private=False) for kid, key in self._keys.items()}
        return PublicKeys([PublicKey(kid, str(key["x"])) for kid, key in shown.items()])


def key_id(key: OKPKey) -> str:
    """How a code names its key: the beginning of its thumbprint (RFC 7638), as short as can be."""
    return key.thumbprint()[:_ID_LENGTH]


def new_key() -> bytes:
    """A key as it is kept: a JSON Web Key with its private half."""
    return msgspec.json.encode(OKPKey.generate_key("Ed25519").as_dict(private=True))


def _read(kept: bytes) -> OKPKey:
    return OKPKey.import_key(msgspec.json.decode(kept, type=dict[str, str | list[str]]))


async def read_keys(connection: Connection) -> TicketKeys:
    """The keys of this installation; the first one is made if there is none."""
    kept = await _kept(connection)
    if not kept:
        await connection.execute(_QUERIES["make_key"], f"{_NAME}1", new_key())
        kept = await _kept(connection)
    return TicketKeys(kept)


async def make_key(connection: Connection, *, keep_old: bool) -> TicketKeys:
    """Makes a key that signs from now on. The old ones go on verifying, or (without `keep_old`)
    what they signed is no longer good."""
    async with connection.transaction():
        await read_keys(connection)
        made = False
        while not made:
            name = f"{_NAME}{max(await _kept(connection)) + 1}"
            done = await connection.execute(_QUERIES["make_key"], name, new_key())
            made = done == "INSERT 0 1"
        if not keep_old:
            await connection.execute(_QUERIES["drop_others"], name)
        return await read_keys(connection)


async def _kept(connection: Connection) -> dict[int, bytes]:
    rows = await connection.fetch(_QUERIES["keys"])
    return {int(row["name"].removeprefix(_NAME)): row["value"] for row in rows}


class TicketKeyStore:
    """The keys as a process knows them, looked at anew every few seconds. While the database is
    away it goes on with those that it has."""

    def __init__(self, database: Database, keys: TicketKeys) -> None:
        self._database = database
        self._keys = keys
        self._looked_at = time.monotonic()

    async def current(self) -> TicketKeys:
        """The keys, a few seconds old at most unless the database is away."""
        if time.monotonic() - self._looked_at > _TRUST_SECONDS:
            await self._look()
        return self._keys

    async def with_key(self, key_id: str) -> TicketKeys:
        """The keys, for a code that names this one: another process may just have made it."""
        if self._keys.get(key_id) is None and time.monotonic() - self._looked_at > _AGAIN_SECONDS:
            await self._look()
        return await self.current()

    async def rotate(self, *, keep_old: bool) -> TicketKeys:
        """Makes a key that signs from now on. Raises DatabaseUnavailable."""
        async with self._database.borrow() as connection:
            self._take(await make_key(connection, keep_old=keep_old))
        return self._keys

    async def _look(self) -> None:
        try:
            async with self._database.borrow() as connection:
                self._take(await read_keys(connection))
        except DatabaseUnavailable:
            self._looked_at = time.monotonic()

    def _take(self, keys: TicketKeys) -> None:
        self._keys = keys
        self._looked_at = time.monotonic()
