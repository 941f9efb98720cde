"""Importing a calendar: its entries become blocks of a resource, each with the entry as its source,
so that importing it again changes only what has changed in it. Every entry is a small transaction
of its own; an import that dies is finished by the next.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import asyncpg
import msgspec
from msgspec import UNSET

from bespeak.errors import BespeakError, DatabaseUnavailable, InvalidRequest, SoldOut, UnitTaken
from bespeak.inventory import blocks
from bespeak.inventory.blocks import Block, BlockLine
from bespeak.inventory.calendars.blocks import (
    BlockTarget,
    Claims,
    EntryBlock,
    claims_of,
    lines_without,
)
from bespeak.inventory.calendars.entries import Entry
from bespeak.inventory.errors import BlockNotFound, NotBlocked
from bespeak.postgres.pool import COLLIDED
from bespeak.postgres.queries import load
from bespeak.refusals import SHORT, Conflict
from bespeak.states import UnitState

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.inventory.calendars", "imports.sql")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")
_PAGE = 1000
_TOLD_MAX = 20
TRIES = 3
# The states of a conflict that a block of the same calendar may be the cause of.
_OURS = (UnitState.BLOCKED, SHORT)


class CalendarConflict(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An entry that is not blocked as the calendar has it: `code` and `detail` say why, `conflicts`
    what stands in its way, 20 at most, and `blocked` what of it is blocked nevertheless."""

    uid: str
    recurrence: str | None = None
    from_: str = msgspec.field(name="from")
    to: str
    summary: str
    code: str
    detail: str
    conflicts: list[Conflict] = []
    blocked: list[BlockLine] = []


class CalendarImport(msgspec.Struct, frozen=True, kw_only=True):
    """What an import did: how many entries were newly blocked, how many have moved, how many have
    gone and were lifted, how many are as they were; and those that could not be blocked wholly."""

    resource_id: str
    name: str
    created: int
    moved: int
    lifted: int
    unchanged: int
    conflicts: list[CalendarConflict]


class _InTheWay(Exception):
    """One of several entries that were to be blocked together cannot be."""

    def __init__(self, task: _Task, error: BespeakError) -> None:
        super().__init__(error.detail)
        self.task = task
        self.error = error


class _Standing(NamedTuple):
    """A block that stands, and its claims."""

    block: Block
    claims: Claims


class _Task(NamedTuple):
    """An entry to be blocked, under a source: the line for it, what is really to be blocked, the
    claims of that, and the block that it had before."""

    source: str
    entry: Entry
    line: BlockLine
    lines: list[BlockLine]
    claims: Claims
    old: _Standing | None


def check_name(name: str) -> None:
    """Raises InvalidRequest for a name that a calendar cannot have."""
    if _NAME.fullmatch(name) is None:
        raise InvalidRequest(
            "a calendar's name is 1 to 60 letters, digits, dots, dashes and underscores",
            field="name",
        )


async def import_entries(
    connection: Connection, target: BlockTarget, name: str, entries: Sequence[EntryBlock]
) -> tuple[CalendarImport, list[str]]:
    """Blocks what the entries keep busy, and lifts what entries that have gone did; answers what
    was done, and the units that were freed on the way. Raises InvalidRequest.
    """
    check_name(name)
    prefix = f"ics:{name}:"
    stand = await _standing(connection, target, prefix)
    importing = _Importing(connection, target, name, stand)
    tasks = []
    for each in entries:
        source = prefix + each.entry.uid
        if each.entry.recurrence:
            source += f":{each.entry.recurrence}"
        if each.problem is not None:
            stand.pop(source, None)  # what it has, it keeps
            importing.failed(each.entry, each.problem)
        elif each.line is not None:
            old = stand.pop(source, None)
            tasks.append(_Task(source, each.entry, each.line, [each.line], each.claims, old))
    tasks = await importing.known(tasks)
    tasks = [task for task in tasks if not await importing.place(task)]
    await importing.place_together(tasks)
    await importing.lift()
    return importing.done(), importing.freed


async def _standing(
    connection: Connection, target: BlockTarget, prefix: str
) -> dict[str, _Standing]:
    """The blocks of the calendar that stand, by source. Raises InvalidRequest if they are of
    another unit: under one name there is one calendar of one unit, or each import of the one would
    lift the blocks of the other."""
    found: dict[str, Block] = {}
    after: str | None = None
    while True:
        page = await blocks.list_page(connection, target.ready, after, _PAGE)
        for block in page.items:
            if block.source is not None and block.source.startswith(prefix):
                found[block.source] = block
        if page.next is None:
            break
        after = page.next
    for block in found.values():
        for line in block.lines:
            if target.unit not in (None, line.unit):
                raise InvalidRequest(
                    f"the calendar of this name is of {line.unit or 'the whole resource'}: take"
                    " another name, or first import an empty calendar for that",
                    field="unit",
                )
    return await asyncio.to_thread(
        lambda: {
            source: _Standing(block, claims_of(target, block.lines))
            for source, block in found.items()
        }
    )


class _Importing:
    """One import on its way: what is done so far."""

    def __init__(
        self, connection: Connection, target: BlockTarget, name: str, stand: dict[str, _Standing]
    ) -> None:
        self._connection = connection
        self._target = target
        self._name = name
        self._gone = stand
        self._counts = {"created": 0, "moved": 0, "lifted": 0, "unchanged": 0}
        self._conflicts: list[CalendarConflict] = []
        self.freed: list[str] = []

    def done(self) -> CalendarImport:
        resource_id = self._target.ready.resource.id
        return CalendarImport(
            resource_id=resource_id, name=self._name, conflicts=self._conflicts, **self._counts
        )

    def failed(self, entry: Entry, error: BespeakError, blocked: Sequence[BlockLine] = ()) -> None:
        """Notes an entry that cannot be blocked, or only in part."""
        told = error.data.get("conflicts")
        self._conflicts.append(
            CalendarConflict(
                uid=entry.uid,
                recurrence=entry.recurrence or None,
                from_=entry.start.isoformat(),
                to=entry.end.isoformat(),
                summary=entry.summary,
                code=error.code,
                detail=error.detail,
                conflicts=list(told)[:_TOLD_MAX] if isinstance(told, list) else [],
                blocked=list(blocked),
            )
        )

    async def known(self, tasks: Sequence[_Task]) -> list[_Task]:
        """Leaves out what stands as it should. An entry under a new UID takes over the block of
        one that has gone from the same place, for some calendars have new UIDs each time."""
        left: list[_Task] = []
        places = {gone.claims: source for source, gone in self._gone.items()}
        for task in tasks:
            source = None if task.old is not None else places.pop(task.claims, None)
            stands = task.old is not None and task.old.claims == task.claims
            if stands or (source is not None and await self._adopt(source, task.source)):
                self._counts["unchanged"] += 1
            else:
                left.append(task)
        return left

    async def _adopt(self, source: str, by: str) -> bool:
        number = self._target.ready.number
        try:
            done = await self._connection.fetchval(_QUERIES["adopt"], number, source, by)
        except asyncpg.UniqueViolationError:
            return False  # the same import runs twice, and the other was faster
        if done:
            del self._gone[source]
        return bool(done)

    async def place(self, task: _Task) -> bool:
        """Blocks an entry, in place of its old block. False: other blocks are in its way, which
        may be those of this calendar."""
        try:
            await self._replace([task], [])
        except _InTheWay as refused:
            told = refused.error.data.get("conflicts")
            if isinstance(told, list) and any(one.state in _OURS for one in told):
                return False
            await self._place_rest(task, refused.error)
        return True

    async def place_together(self, tasks: Sequence[_Task]) -> None:
        """Blocks entries for which others of the calendar have to make room at the same time, so
        that nothing in between is free for a moment."""
        held: dict[str, list[str]] = {}
        waiting = {task.source: task for task in tasks}
        olds = {task.source: task.old for task in tasks if task.old is not None}
        for source, old in (*self._gone.items(), *olds.items()):
            for unit, _ in old.claims:
                held.setdefault(unit, []).append(source)
        refused: list[_InTheWay] = []
        while waiting:
            group = self._group(next(iter(waiting.values())), waiting, held)
            together = [waiting[source] for source in group if source in waiting]
            try:
                await self._replace(together, [one for one in group if one in self._gone])
            except _InTheWay as found:
                del waiting[found.task.source]  # the others are tried without it
                refused.append(found)
            else:
                for done in together:
                    del waiting[done.source]
        for each in refused:
            await self._place_rest(each.task, each.error)

    async def _place_rest(self, task: _Task, error: BespeakError) -> None:
        """Blocks what is free of an entry of which something is taken, so that at least this is
        not sold as well; where nothing is, or others are faster, it keeps the block that it had."""
        kept = [] if task.old is None else task.old.block.lines
        taken = self._taken(error)
        for _ in range(TRIES):
            lines = lines_without(self._target, task.line, taken) if taken else []
            rest = task._replace(lines=lines, claims=claims_of(self._target, lines))
            if not lines or (task.old is not None and rest.claims == task.old.claims):
                break
            gone = [s for s, old in self._gone.items() if not rest.claims.isdisjoint(old.claims)]
            try:
                await self._replace([rest], gone, is_whole=False)
            except _InTheWay as again:
                taken |= self._taken(again.error)
            else:
                kept = lines
                break
        self.failed(task.entry, error, kept)

    def _taken(self, error: BespeakError) -> set[str]:
        """The units that are in the way, which people are told as ranges."""
        told = error.data.get("conflicts")
        found: set[str] = set()
        for one in told if isinstance(told, list) else ():
            line = BlockLine(one.unit, from_=one.from_ or UNSET, to=one.to or UNSET)
            found.update(unit for unit, _ in claims_of(self._target, [line]))
        return found

    def _group(
        self, first: _Task, waiting: dict[str, _Task], held: dict[str, list[str]]
    ) -> list[str]:
        """The sources whose blocks have to go for this entry, and for those that thereby move."""
        group = {first.source: None}  # in the order in which they are found
        open_ends = [first.source]
        while open_ends:
            task = waiting.get(open_ends.pop())
            for unit, _ in task.claims if task is not None else ():
                for other in held.get(unit, ()):
                    if other not in group and (other in waiting or other in self._gone):
                        group[other] = None
                        open_ends.append(other)
        return list(group)

    async def _replace(
        self, tasks: Sequence[_Task], gone: Sequence[str], *, is_whole: bool = True
    ) -> None:
        """Lifts the old blocks of the entries and those that have gone, and blocks the entries:
        all or nothing. Raises _InTheWay, DatabaseUnavailable."""
        olds = [task.old.block for task in tasks if task.old is not None]
        olds += [self._gone[source].block for source in gone]
        for tried in range(1, TRIES + 1):
            try:
                async with self._connection.transaction():
                    freed = [unit for old in olds for unit in await self._lift(old)]
                    for task in tasks:
                        await self._block(task)
                break
            except COLLIDED as error:
                if tried == TRIES:
                    raise DatabaseUnavailable(str(error), retry_after_seconds=1) from error
        self.freed += freed
        for source in gone:
            del self._gone[source]
        self._counts["lifted"] += len(gone)
        if is_whole:
            moved = sum(1 for task in tasks if task.old is not None)
            self._counts["moved"] += moved
            self._counts["created"] += len(tasks) - moved

    async def _block(self, task: _Task) -> None:
        ready, sale, *_ = self._target
        reason = task.entry.summary or f"calendar {self._name}"
        try:
            await blocks.block(
                self._connection, ready, sale, task.lines, reason, source=task.source
            )
        except (UnitTaken, SoldOut, InvalidRequest) as error:
            raise _InTheWay(task, error) from error

    async def _lift(self, block: Block) -> list[str]:
        """Lifts a block, if nobody has yet, and answers what that freed."""
        with suppress(BlockNotFound, NotBlocked):
            _, freed = await blocks.unblock(self._connection, self._target.ready, block.id)
            return freed
        return []

    async def lift(self) -> None:
        """Lifts what is left of the entries that have gone."""
        for source in list(self._gone):
            await self._replace([], [source])
