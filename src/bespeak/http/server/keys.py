"""API keys: pk_ for browsers, sk_ for servers, ak_ for the operator, rk_ with just the scopes that
it was made with. The text of a key is shown once, when it is made; the database keeps its SHA-256,
and each process remembers for some seconds which hashes are good, so that a key that was revoked or
has expired is refused everywhere within that time.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from bespeak import ids
from bespeak.cache import Cache
from bespeak.errors import InvalidRequest, Overloaded, Unavailable
from bespeak.http.server.errors import KeyExpired, KeyNotFound, KeyUnknown
from bespeak.http.server.scopes import ANY_SCOPE, SECRET_SCOPES, KeyScope, with_implied
from bespeak.inventory import workspaces
from bespeak.inventory.workspaces import DEFAULT
from bespeak.postgres.queries import load
from bespeak.postgres.secrets import installation_secret

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database, Record

_QUERIES = load("bespeak.http.server", "keys.sql")
_SECRET_DIGITS = 32
TRUST_SECONDS = 5.0
# While the database is away it is asked for a key this often, and each time waited for so long.
_AWAY_SECONDS = 1.0
_PATIENCE_SECONDS = 0.5
_CACHED_MAX = 10_000
_REFUSED_MAX = 1000
# How many keys that were never seen here may wait to be looked up, one after the other.
_STRANGERS_MAX = 100
_LENGTH_MAX = 100
_NAME_LENGTH_MAX = 100
_BOX_OFFICE = "box_office_key"
_BOX_OFFICE_NAME = "box office"
_BOX_OFFICE_BYTES = 32
_YEAR_MIN, _YEAR_MAX = 1970, 9999
BOUND_MAX = 1000


_SCOPE_ORDER = tuple(KeyScope)


class KeyKind(StrEnum):
    """The kinds of keys. The first three are presets: each may do what those before it may. A
    restricted key may do what its scopes say."""

    PUBLISHABLE = "publishable"
    SECRET = "secret"  # noqa: S105 (the word for the kind)
    ADMIN = "admin"
    RESTRICTED = "restricted"


PRESETS = (KeyKind.PUBLISHABLE, KeyKind.SECRET, KeyKind.ADMIN)
PREFIXES = {
    KeyKind.PUBLISHABLE: "pk",
    KeyKind.SECRET: "sk",
    KeyKind.ADMIN: "ak",
    KeyKind.RESTRICTED: "rk",
}
_PRESET_SCOPES = {
    KeyKind.PUBLISHABLE: frozenset[KeyScope](),
    KeyKind.SECRET: SECRET_SCOPES,
    KeyKind.ADMIN: ANY_SCOPE,
}


class ApiKey(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A key as it can be shown: never its text, only how it ends. `resources` or `place` say where
    it is bound, both null: nowhere. `workspace` is left out where it is the default one."""

    id: str
    kind: KeyKind
    name: str
    ending: str
    scopes: list[KeyScope]
    resources: list[str] | None
    place: str | None
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    workspace: str = DEFAULT

    @property
    def is_bound(self) -> bool:
        return self.resources is not None or self.place is not None


class Rights(msgspec.Struct, frozen=True, kw_only=True):
    """What a new key may: the scopes of a restricted one, where it is bound, and until when."""

    scopes: Sequence[KeyScope] = ()
    resources: Sequence[str] | None = None
    place: str | None = None
    expires_at: datetime | None = None


PRESET = Rights()
"""What a key of the other kinds is made with: its scopes are those of its kind."""


async def create_key(
    connection: Connection,
    kind: str,
    name: str,
    rights: Rights = PRESET,
    workspace: str | None = None,
) -> tuple[str, ApiKey]:
    """Makes a key of a workspace (None: the default one); answers its text, which is not kept
    anywhere, and what can be shown of it. Raises InvalidRequest, InvalidId."""
    if kind not in PREFIXES:
        raise InvalidRequest(f"kind is one of {', '.join(PREFIXES)}", field="kind")
    if not 1 <= len(name) <= _NAME_LENGTH_MAX or not name.isprintable():
        raise InvalidRequest("name has 1 to 100 characters", field="name")
    known = KeyKind(kind)
    _check_rights(known, rights)
    text = f"{PREFIXES[known]}_" + ids.random_digits(_SECRET_DIGITS)
    key_id = "key_" + ids.random_digits(16)
    bound = None if rights.resources is None else sorted(set(rights.resources))
    columns = (key_id, known.value, name, _hash(text), text[-4:])
    bounds = (sorted(set(rights.scopes)), bound, rights.place, rights.expires_at)
    row = await connection.fetchrow(_QUERIES["insert"], *columns, *bounds, workspace or DEFAULT)
    if row is None:
        raise InvalidRequest("expires_at is over already", field="expires_at")
    return text, _key_of(row)


def _check_rights(kind: KeyKind, rights: Rights) -> None:
    """Raises InvalidRequest, InvalidId."""
    is_restricted = kind is KeyKind.RESTRICTED
    if is_restricted != bool(rights.scopes):
        raise InvalidRequest(
            f"a {kind} key {'needs' if is_restricted else 'has no'} scopes of its own",
            field="scopes",
        )
    if rights.expires_at is not None and not _YEAR_MIN < rights.expires_at.year < _YEAR_MAX:
        raise InvalidRequest("expires_at is no time that can be kept", field="expires_at")
    if rights.resources is None and rights.place is None:
        return
    if not is_restricted or (rights.resources is not None and rights.place is not None):
        raise InvalidRequest(
            "a restricted key is bound to resources or to a place", field="resources"
        )
    unbound = {KeyScope.ADMIN, KeyScope.PERSONAL_DATA} & set(rights.scopes)
    if unbound:
        raise InvalidRequest(
            f"{min(unbound)} is of the whole installation: a key with it is bound to nothing",
            field="scopes",
        )
    if rights.resources is not None:
        if not 1 <= len(rights.resources) <= BOUND_MAX:
            raise InvalidRequest(f"1 to {BOUND_MAX} resources", field="resources")
        for resource_id in rights.resources:
            ids.parse_resource(resource_id)


async def box_office_key(connection: Connection) -> str:
    """The text of the pk_ key with which the box office's own pages work; made where there is none
    yet, and left as it is where it was revoked."""
    value = await installation_secret(connection, _BOX_OFFICE)
    key_id, text = _key_from(value)
    await connection.execute(_QUERIES["insert_once"], *_columns(key_id, text))
    return text


async def renew_box_office_key(connection: Connection, keep_old: bool) -> ApiKey:
    """Makes another key for the box office's own pages, and revokes the one before unless that is
    to be kept."""
    key_id, _ = _key_from(await installation_secret(connection, _BOX_OFFICE))
    if not keep_old:
        await connection.execute(_QUERIES["revoke"], key_id, DEFAULT)
    value = secrets.token_bytes(_BOX_OFFICE_BYTES)
    await connection.execute(_QUERIES["change_secret"], _BOX_OFFICE, value)
    key_id, text = _key_from(value)
    columns = (*_columns(key_id, text), [], None, None, None, DEFAULT)
    (row,) = await connection.fetch(_QUERIES["insert"], *columns)
    return _key_of(row)


def _columns(key_id: str, text: str) -> tuple[object, ...]:
    return key_id, KeyKind.PUBLISHABLE.value, _BOX_OFFICE_NAME, _hash(text), text[-4:]


def _key_from(value: bytes) -> tuple[str, str]:
    """The id and the text of a key, both from one secret, so that two processes which make it at
    once make the same."""
    return f"key_{_digits(value[20:30])}", f"{PREFIXES[KeyKind.PUBLISHABLE]}_{_digits(value[:20])}"


def _digits(value: bytes) -> str:
    number = int.from_bytes(value)
    return "".join(ids.ALPHABET[number >> shift & 31] for shift in range(0, len(value) * 8, 5))


async def list_keys(connection: Connection, workspace: str | None = None) -> list[ApiKey]:
    """The keys of a workspace, or all keys, newest first."""
    return [_key_of(row) for row in await connection.fetch(_QUERIES["list"], workspace)]


async def revoke_key(connection: Connection, key_id: str, workspace: str | None = None) -> ApiKey:
    """Ends a key of a workspace, or of any. Raises KeyNotFound."""
    row = None
    if key_id.isprintable():  # PostgreSQL takes no text with a zero byte
        row = await connection.fetchrow(_QUERIES["revoke"], key_id, workspace)
    if row is None:
        raise KeyNotFound
    return _key_of(row)


class _Refused(NamedTuple):
    """A key that is no good; with `expired_at`, because it has expired."""

    expired_at: datetime | None = None

    def error(self) -> KeyExpired | KeyUnknown:
        if self.expired_at is None:
            return KeyUnknown("it is none of this installation's, or it was revoked")
        return KeyExpired(expires_at=self.expired_at)


class KeyRing:
    """The keys and sessions that this process has seen lately, good and bad."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._keys: Cache[str, ApiKey] = Cache(seconds=TRUST_SECONDS, size_max=_CACHED_MAX)
        # Apart from the good ones, so that any number of bad keys pushes no good one out.
        self._refused: Cache[str, _Refused] = Cache(seconds=TRUST_SECONDS, size_max=_REFUSED_MAX)
        self._gate = asyncio.Lock()
        self._strangers = 0
        self._away_until = 0.0
        self._outlasting: dict[bytes, ApiKey] = {}
        self._sessions: Cache[tuple[str, str], ApiKey | None] = Cache(
            seconds=TRUST_SECONDS, size_max=_CACHED_MAX
        )

    async def find(self, text: str) -> ApiKey:
        """The key with this text. Raises KeyUnknown, KeyExpired, Overloaded."""
        key = self._keys.peek(text)
        if key is not None:
            return key
        # Before anything of it is kept: what is longer is no key of ours.
        if len(text) > _LENGTH_MAX:
            raise _Refused().error()
        refused = self._refused.peek(text)
        if refused is not None:
            raise refused.error()
        return await self._keys.get(text, partial(self._load, text))

    async def find_for_memory(self, text: str) -> ApiKey:
        """The same for a call that needs no database: while that is away, a browser's key is good
        that was good when it was last looked up. Everybody has those, and they open nothing that is
        not for everybody. Raises KeyUnknown, KeyExpired, Overloaded, DatabaseUnavailable."""
        known = self._keys.last(text)
        if known is None and len(text) <= _LENGTH_MAX:
            known = self._outlasting.get(_hash(text))
        if known is None or not _outlasts(known):
            return await self.find(text)
        if time.monotonic() < self._away_until:
            return known
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                return await self.find(text)
        except (Unavailable, TimeoutError):
            self._away_until = time.monotonic() + _AWAY_SECONDS
            return known

    def know(self, keys: Mapping[bytes, ApiKey]) -> None:
        """Takes these for browsers' keys that were good when last looked up, by their hashes."""
        self._outlasting = dict(keys)

    async def read_browser_keys(self) -> dict[bytes, ApiKey]:
        """Looks all browsers' keys up, the newest where there are too many, and knows them by
        their hashes. Raises DatabaseUnavailable."""
        async with self._database.borrow() as connection:
            rows = await connection.fetch(_QUERIES["of_browsers"], _CACHED_MAX)
        found = {row["hash"]: _key_of(row) for row in rows}
        self.know(found)
        return found

    async def find_session(self, key_id: str, session_id: str) -> ApiKey | None:
        """The key that a session is of; None when that was revoked, or the session was ended."""
        load = partial(self._load_session, key_id, session_id)
        return await self._sessions.get((key_id, session_id), load)

    async def end_session(
        self, connection: Connection, key_id: str, session_id: str, expires_at: datetime
    ) -> None:
        """Ends a session: here at once, in other processes within the trusted time."""
        await connection.execute(_QUERIES["end_session"], session_id, expires_at)
        self._sessions.forget((key_id, session_id))

    def forget(self, text: str) -> None:
        self._keys.forget(text)
        self._refused.forget(text)

    async def _load(self, text: str) -> ApiKey:
        """Raises KeyUnknown, KeyExpired, Overloaded."""
        if self._keys.age(text) is not None:  # it was good when it was last looked up
            return await self._read(text)
        # What was never seen here may be made up: any number of those costs the database one short
        # statement at a time, and keys that are known never wait behind them.
        if self._strangers >= _STRANGERS_MAX:
            raise Overloaded("too many unknown keys", retry_after_seconds=1)
        self._strangers += 1
        try:
            async with self._gate:
                return await self._read(text)
        finally:
            self._strangers -= 1

    async def _read(self, text: str) -> ApiKey:
        async with self._database.borrow() as connection:
            row = await connection.fetchrow(_QUERIES["find"], _hash(text))
        if row is not None and row["revoked_at"] is None and not row["is_over"]:
            return _key_of(row)
        was_good = row is not None and row["revoked_at"] is None
        refused = _Refused(row["expires_at"] if row is not None and was_good else None)
        self._keys.forget(text)
        self._outlasting.pop(_hash(text), None)
        self._refused.put(text, refused)
        raise refused.error()

    async def _load_session(self, key_id: str, session_id: str) -> ApiKey | None:
        async with self._database.borrow() as connection:
            row = await connection.fetchrow(_QUERIES["find_session"], key_id, session_id)
        return None if row is None else _key_of(row)


def _outlasts(key: ApiKey) -> bool:
    """Whether a key stays good while nobody can be asked for it."""
    is_open = key.kind is KeyKind.PUBLISHABLE
    return is_open and (key.expires_at is None or key.expires_at > datetime.now(UTC))


def _hash(text: str) -> bytes:
    # A key has 160 random bits, so a plain fast hash keeps it.
    return hashlib.sha256(text.encode()).digest()


def _key_of(row: Record) -> ApiKey:
    shown = {"id": row["key_id"], "workspace": workspaces.named(row["workspace"])}
    key = msgspec.convert({**row, **shown}, ApiKey)
    own = _PRESET_SCOPES.get(key.kind) or frozenset(key.scopes)
    return msgspec.structs.replace(key, scopes=sorted(with_implied(own), key=_SCOPE_ORDER.index))
