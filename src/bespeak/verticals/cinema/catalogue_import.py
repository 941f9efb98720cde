"""Taking a catalogue: all of it or nothing, the same again without effect, and every fault named by
its place, not only the first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import asyncpg
import msgspec

from bespeak import ids
from bespeak.errors import BespeakError
from bespeak.inventory.resource_checks import check_resource
from bespeak.verticals.cinema import catalogue_changes, shows
from bespeak.verticals.cinema.catalogue_changes import Put
from bespeak.verticals.cinema.errors import ReferenceTaken, ScreenOccupied
from bespeak.verticals.cinema.forms import Catalogue, NewShow
from bespeak.verticals.cinema.names import FILM, SCREEN, named_id
from bespeak.verticals.cinema.show_plan import PlannedShow, schedule
from bespeak.verticals.vertical import ImportProblem, ImportReport

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.postgres.pool import Connection

PROBLEMS_MAX = 100
_KINDS = ("cities", "cinemas", "screens", "films", "shows")
_Said = TypeVar("_Said", bound=msgspec.Struct)
_Put: TypeAlias = "Callable[..., Awaitable[Put]]"

Place: TypeAlias = "Callable[[str, int, str | None], str]"
"""Where a part of the catalogue stands in its file, by its kind, its number and the field."""


def json_place(kind: str, index: int, field: str | None) -> str:
    """The place in a JSON document: `shows[6].film`."""
    return f"{kind}[{index}]{f'.{field}' if field else ''}"


class _Refused(Exception):
    """Ends the transaction: there were problems, or it was only to be tried."""


class _Import:
    """One import under way."""

    def __init__(self, engine: Engine, connection: Connection, place: Place) -> None:
        self.engine = engine
        self.connection = connection
        self.place = place
        self.problems: list[ImportProblem] = []
        self.counts: dict[str, Counter[str]] = {
            outcome: Counter() for outcome in ("created", "updated", "unchanged")
        }

    def fault(self, kind: str, index: int, error: BespeakError) -> None:
        """Notes what is wrong with one part."""
        field = error.data.get("field")
        where = self.place(kind, index, field if isinstance(field, str) else None)
        self.problems.append(ImportProblem(where, error.code, error.detail))

    async def put_all(self, kind: str, said: Sequence[msgspec.Struct], put: _Put) -> None:
        """Cities, cinemas, screens or films, one by one."""
        for index, one in enumerate(said):
            if len(self.problems) >= PROBLEMS_MAX:
                return
            try:
                async with self.connection.transaction():
                    done = await put(self.connection, one, update=True)
            except BespeakError as error:
                self.fault(kind, index, error)
            else:
                self.counts[done.outcome][kind] += 1

    async def put_shows(self, said: Sequence[NewShow]) -> None:
        """All shows: the new ones at once, the others as far as they changed."""
        planned = await self._plan(said)
        if self.problems:
            return
        await shows.defer_occupied(self.connection)
        await shows.take_screens(self.connection, [one.room.screen_id for one in planned.values()])
        kept = await shows.kept_shows(self.connection, [one.ref for one in planned.values()])
        new = {index: one for index, one in planned.items() if one.ref not in kept}
        made = (
            await shows.create_shows(self.engine, self.connection, list(new.values()))
            if new
            else []
        )
        numbers = [ids.parse_resource(resource.id) for resource in made]
        self.counts["created"]["shows"] += len(made)
        for index, one in planned.items():
            found = kept.get(one.ref)
            if found is None:
                continue
            if _same(found.said, one.said):
                self.counts["unchanged"]["shows"] += 1
                continue
            try:
                async with self.connection.transaction():
                    await shows.move_show(self.engine, self.connection, found, one)
            except BespeakError as error:
                self.fault("shows", index, error)
            else:
                numbers.append(found.number)
                self.counts["updated"]["shows"] += 1
        await self._judge(planned, numbers)

    async def _plan(self, said: Sequence[NewShow]) -> dict[int, PlannedShow]:
        """Each show as it is to be, by its place in the file."""
        rooms = await shows.rooms(self.connection, [named_id(SCREEN, one.screen) for one in said])
        titles = await shows.titles(self.connection, [named_id(FILM, one.film) for one in said])
        planned: dict[int, PlannedShow] = {}
        refs: dict[str, int] = {}
        for index, one in enumerate(said):
            if len(self.problems) >= PROBLEMS_MAX:
                break
            try:
                made = schedule(one, shows.named_room(rooms, one), shows.named_title(titles, one))
                check_resource(made.resource)
                twin = refs.setdefault(made.ref, index)
                if twin != index:
                    raise ReferenceTaken(
                        f"the same show as {self.place('shows', twin, None)}", ref=made.ref
                    )
            except BespeakError as error:
                self.fault("shows", index, error)
            else:
                planned[index] = made
        return planned

    async def _judge(self, planned: dict[int, PlannedShow], numbers: list[int]) -> None:
        """Names the shows that are in each other's way."""
        places = {one.ref: index for index, one in planned.items()}
        for clash in await shows.clashes(self.connection, numbers):
            other = places.get(clash.other_ref)
            if other is not None and other > places[clash.ref]:
                continue  # told once, at the later of the two
            by = clash.other_id if other is None else self.place("shows", other, None)
            error = ScreenOccupied(f"the screen is occupied by {by}", field="starts_at")
            self.fault("shows", places[clash.ref], error)
        if not self.problems:
            await shows.judge_occupied(self.connection)


async def import_catalogue(
    engine: Engine, said: Catalogue, *, check: bool = False, place: Place = json_place
) -> ImportReport:
    """Takes a catalogue, if nothing is wrong with it and it is not only to be checked."""
    async with engine.database.borrow() as connection:
        work = _Import(engine, connection, place)
        applied = False
        try:
            async with connection.transaction():
                await work.put_all("cities", said.cities, catalogue_changes.put_city)
                await work.put_all("cinemas", said.cinemas, catalogue_changes.put_cinema)
                await work.put_all("screens", said.screens, catalogue_changes.put_screen)
                await work.put_all("films", said.films, catalogue_changes.put_film)
                if not work.problems:
                    await work.put_shows(said.shows)
                if check or work.problems:
                    raise _Refused
            applied = True
        except _Refused:
            applied = False
        except asyncpg.ExclusionViolationError:
            work.fault(
                "shows", 0, ScreenOccupied("another import put a show into a screen of this")
            )
    return _report(work, applied=applied)


def _report(work: _Import, *, applied: bool) -> ImportReport:
    none = dict.fromkeys(_KINDS, 0)
    if work.problems:
        counts = {outcome: dict(none) for outcome in work.counts}
    else:
        counts = {outcome: {**none, **found} for outcome, found in work.counts.items()}
    return ImportReport(
        applied=applied,
        created=counts["created"],
        updated=counts["updated"],
        unchanged=counts["unchanged"],
        problems=work.problems[:PROBLEMS_MAX],
    )


def _same(one: NewShow, other: NewShow) -> bool:
    """Whether two say the same of a show, whatever they call it."""
    return msgspec.structs.replace(one, ref=msgspec.UNSET) == msgspec.structs.replace(
        other, ref=msgspec.UNSET
    )
