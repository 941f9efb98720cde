"""Taking a catalogue of a cinema: its parts from the outermost on, the shows last and at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import asyncpg
import msgspec

from bespeak import ids
from bespeak.errors import BespeakError
from bespeak.inventory.resource_checks import check_resource
from bespeak.verticals.cinema import catalogue_changes, shows
from bespeak.verticals.cinema.errors import ReferenceTaken, ScreenOccupied
from bespeak.verticals.cinema.forms import Catalogue, NewShow
from bespeak.verticals.cinema.names import FILM, SCREEN, named_id
from bespeak.verticals.cinema.show_plan import PlannedShow, schedule
from bespeak.verticals.imports import PROBLEMS_MAX, ImportRefused, ImportWork, Place, json_place
from bespeak.verticals.vertical import ImportReport

if TYPE_CHECKING:
    from bespeak.engine import Engine

CATALOGUE_KINDS = ("cities", "cinemas", "screens", "films", "shows")


class _Import(ImportWork):
    """One import of a catalogue under way."""

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
                for kind, parts, put in (
                    ("cities", said.cities, catalogue_changes.put_city),
                    ("cinemas", said.cinemas, catalogue_changes.put_cinema),
                    ("screens", said.screens, catalogue_changes.put_screen),
                    ("films", said.films, catalogue_changes.put_film),
                ):
                    await work.put_all(kind, parts, partial(put, update=True))
                if not work.problems:
                    await work.put_shows(said.shows)
                if check or work.problems:
                    raise ImportRefused
            applied = True
        except ImportRefused:
            applied = False
        except asyncpg.ExclusionViolationError:
            work.fault(
                "shows", 0, ScreenOccupied("another import put a show into a screen of this")
            )
    return work.report(CATALOGUE_KINDS, applied=applied)


def _same(one: NewShow, other: NewShow) -> bool:
    """Whether two say the same of a show, whatever they call it."""
    return msgspec.structs.replace(one, ref=msgspec.UNSET) == msgspec.structs.replace(
        other, ref=msgspec.UNSET
    )
