"""The two walls between workspaces. An id of another workspace that a call names is replaced by an
id that nothing has, before the call is looked at any further: so its answer is the one that an
unknown id gets. And what is answered is looked at on its way out: an answer about another
workspace is not given. While there is one workspace, nothing is looked at.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias
from uuid import UUID

import msgspec

from bespeak import ids
from bespeak.cache import Cache
from bespeak.errors import BespeakError, InvalidId
from bespeak.inventory import workspaces
from bespeak.inventory.workspaces import DEFAULT
from bespeak.postgres.pool import FAULTS
from bespeak.reservations.request import KEY_LENGTH_MAX

if TYPE_CHECKING:
    from bespeak.http.server.answers import Answer
    from bespeak.postgres.pool import Database

_Masks: TypeAlias = Mapping[str, str]

_LOOK_SECONDS = 5.0
_KEPT_MAX = 200_000
_OF_HOLDS = (ids.HOLD, ids.BOOKING, ids.BLOCK, ids.PAYMENT, ids.REFUND, ids.INVOICE)
NAMED_IN_BODY = ("resource_id", "room_id", "hold_id")
"""The fields of bodies by which a call says what it is about."""
_TOLD = ("id", *NAMED_IN_BODY, "booking_id", "payment_id", "refund_id", "block_id", "invoice_id")
# What people write, not we, where it is kept as a document: what looks like an id there is none.
_WRITTEN = ("attributes", "plan", "seat_map")
_NAMED_IN_PATH = (
    "{resource_id}",
    "{hold_id}",
    "{booking_id}",
    "{payment_id}",
    "{refund_id}",
    "{invoice_id}",
)


class Reach(StrEnum):
    """Where a call stays within the workspace of its key, or why it does not."""

    IDS = "ids"
    """It is about what it names by ids, which are looked at before it begins."""
    WORKSPACE = "workspace"
    """It lists or makes things, and says to the database of which workspace."""
    INSTALLATION = "installation"
    """It is about all of the installation: closed to keys of any workspace but the default."""


def names_ids(path: str) -> bool:
    """Whether calls at this path name what they are about in it."""
    return any(name in path for name in _NAMED_IN_PATH)


class Elsewhere(NamedTuple):
    """What a call names that is in another workspace, by what it is called instead."""

    masks: _Masks

    def path_masked(self, path: Mapping[str, str]) -> Mapping[str, str]:
        """The names of a path, with the ids of elsewhere replaced."""
        return {name: self.masks.get(text, text) for name, text in path.items()}

    def body_masked(self, body: object) -> object:
        """A body, with the ids replaced by which it says what it is about."""
        return _body_masked(body, self.masks) if self.masks else body

    def answer_told(self, answer: Answer) -> Answer:
        """An answer, some of which may be problems, with the ids that the caller named."""
        for text, mask in self.masks.items():
            answer.body = answer.body.replace(mask.encode(), text.encode())
        return answer

    def tell(self, error: BespeakError) -> None:
        """Puts the ids that the caller named into an error again."""
        if not self.masks:
            return
        back = {mask: text for text, mask in self.masks.items()}
        error.said = _text_told(error.detail, back)
        error.data = {name: _told(value, back) for name, value in error.data.items()}


class Workspaces:
    """What a process knows of workspaces. A resource never changes its own, so what was looked up
    once is known for good."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._of: Cache[int, str] = Cache(size_max=_KEPT_MAX)
        self.are_several = False

    def guards(self, workspace: str | None) -> bool:
        """Whether calls of this workspace have anything to be kept from."""
        if workspace is None:
            return False
        if workspace != DEFAULT:
            self.are_several = True
        return self.are_several

    async def look(self) -> None:
        """Asks whether there is a second workspace; once there was, there is."""
        if not self.are_several:
            async with self._database.borrow() as connection:
                self.are_several = await workspaces.are_several(connection)

    async def run(self) -> None:
        """Looks every few seconds, until cancelled."""
        while not self.are_several:
            await asyncio.sleep(_LOOK_SECONDS)
            with suppress(BespeakError, *FAULTS):
                await self.look()

    async def others(self, workspace: str, numbers: Iterable[int]) -> set[int]:
        """Which of these resources are in another workspace. Raises DatabaseUnavailable."""
        wanted = set(numbers)
        await self._load([number for number in wanted if self._of.peek(number) is None])
        return {number for number in wanted if self._of.peek(number) not in (None, workspace)}

    async def elsewhere(self, workspace: str, texts: Iterable[str]) -> Elsewhere:
        """Which of these ids are of another workspace. What is no id is left to the call."""
        homes = {text: home for text in texts if (home := _home_of(text)) is not None}
        others = await self.others(workspace, homes.values()) if homes else set()
        if not others:
            return NOWHERE
        unknown = await self._unknown(len(others))
        instead = dict(zip(sorted(others), sorted(unknown), strict=True))
        return Elsewhere(
            {text: _mask(text, instead[home]) for text, home in homes.items() if home in instead}
        )

    async def check_told(self, workspace: str | None, answer: object) -> None:
        """Looks at a decoded answer before it is given. Raises OutsideWorkspace."""
        homes = {home for text in set(told_in(answer)) if (home := _home_of(text)) is not None}
        if homes and await self.others(workspace or DEFAULT, homes):
            raise OutsideWorkspace

    async def _load(self, numbers: Sequence[int]) -> None:
        if numbers:
            async with self._database.borrow() as connection:
                found = await workspaces.of_resources(connection, numbers)
            for number, workspace in found.items():
                self._of.put(number, workspace)

    async def _unknown(self, count: int) -> set[int]:
        """So many numbers that no resource has, and that nobody can guess: who names one beside an
        id of another workspace would see the two taken for each other."""
        found: set[int] = set()
        while len(found) < count:
            drawn = ids.new_resource_number()
            await self._load([drawn])
            if self._of.peek(drawn) is None:
                found.add(drawn)
        return found


class OutsideWorkspace(Exception):
    """An answer tells of another workspace: a condition is missing somewhere."""


NOWHERE = Elsewhere({})


def key_within(workspace: str | None, key: str | None) -> str | None:
    """An idempotency key as it is kept: owners and keys are names that another workspace may use
    as well, and neither hears of the other."""
    is_good = key is not None and len(key) <= KEY_LENGTH_MAX and key.isprintable()
    if not is_good or workspace in (None, DEFAULT):
        return key
    return hashlib.sha256(f"{workspace} {key}".encode()).hexdigest()


def named_in(body: object) -> list[str]:
    """The ids by which a body says what it is about."""
    if isinstance(body, list):
        return [text for part in body for text in named_in(part)]
    if not isinstance(body, msgspec.Struct):
        return []
    found = []
    for name in body.__struct_fields__:
        value = getattr(body, name)
        if name in NAMED_IN_BODY and isinstance(value, str):
            found.append(value)
        else:
            found += named_in(value)
    return found


def told_in(answer: object) -> list[str]:
    """The ids by which a decoded answer says what it is about."""
    if isinstance(answer, list):
        return [text for part in answer for text in told_in(part)]
    if not isinstance(answer, dict):
        return []
    found = []
    for name, value in answer.items():
        if isinstance(value, str):
            if name in _TOLD:
                found.append(value)
        elif name not in _WRITTEN:
            found += told_in(value)
    return found


def _home_of(text: str) -> int | None:
    """The resource that an id is of; None for what is no id, or of no resource."""
    prefix = text.partition("_")[0]
    try:
        if prefix == ids.RESOURCE:
            return ids.parse_resource(text)
        return ids.home_of(ids.parse(prefix, text)) if prefix in _OF_HOLDS else None
    except InvalidId:
        return None


def _mask(text: str, home: int) -> str:
    """An id of the same kind, of a resource that does not exist."""
    prefix = text.partition("_")[0]
    if prefix == ids.RESOURCE:
        return ids.show_resource(home)
    number = ids.parse(prefix, text)
    high, low = home >> 28, home & ((1 << 28) - 1)
    bits = number.int & ~(0xFFF << 64) & ~(((1 << 28) - 1) << 32)
    return ids.show(prefix, UUID(int=bits | high << 64 | low << 32))


def _body_masked(value: object, masks: _Masks) -> object:
    if isinstance(value, list):
        return [_body_masked(part, masks) for part in value]
    if not isinstance(value, msgspec.Struct):
        return value
    changed: dict[str, object] = {}
    for name in value.__struct_fields__:
        part = getattr(value, name)
        if name in NAMED_IN_BODY and isinstance(part, str):
            changed[name] = masks.get(part, part)
        elif isinstance(part, list | msgspec.Struct):
            changed[name] = _body_masked(part, masks)
    return msgspec.structs.replace(value, **changed)


def _told(value: object, back: _Masks) -> object:
    """A part of an error with the ids that the caller named."""
    if isinstance(value, str):
        return _text_told(value, back)
    if isinstance(value, list | tuple):
        return [_told(part, back) for part in value]
    if isinstance(value, dict):
        return {name: _told(part, back) for name, part in value.items()}
    if isinstance(value, msgspec.Struct):
        parts = {name: _told(getattr(value, name), back) for name in value.__struct_fields__}
        return msgspec.structs.replace(value, **parts)
    return value


def _text_told(text: str, back: _Masks) -> str:
    for mask, shown in back.items():
        text = text.replace(mask, shown)
    return text
