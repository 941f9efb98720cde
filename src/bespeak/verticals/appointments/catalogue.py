"""Reading teams: one statement a question, pages by the key of their last entry. Every statement is
asked for a workspace; what is another's is as what does not exist.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bespeak import ids
from bespeak.list_cursors import read_cursor, show_cursor
from bespeak.postgres.queries import load
from bespeak.verticals.appointments import views
from bespeak.verticals.appointments.errors import TeamNotFound
from bespeak.verticals.appointments.queries import TeamsQuestion
from bespeak.verticals.appointments.shown import shown_team
from bespeak.verticals.searching import search_patterns

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.verticals.appointments", "catalogue.sql")


class TeamsReader(NamedTuple):
    """For whom teams are read: of which workspace, whether a guest, who sees what is published, who
    sells, and in which language (None: as the texts were typed)."""

    workspace: str
    published_only: bool = False
    sells: bool = False
    language: str | None = None


async def teams(connection: Connection, reader: TeamsReader, asked: TeamsQuestion) -> views.Teams:
    """A page of teams. Raises InvalidCursor."""
    after = read_cursor(asked.cursor, tuple[str, int]) or (None, None)
    rows = await connection.fetch(
        _QUERIES["teams"],
        reader.workspace,
        reader.published_only,
        None,
        search_patterns(asked.text),
        asked.city,
        *after,
        asked.limit + 1,
    )
    page = rows[: asked.limit]
    last = page[-1] if len(rows) > asked.limit else None
    return views.Teams(
        [shown_team(row, reader.language, sells=reader.sells, whole=False) for row in page],
        None if last is None else show_cursor(last["name"], last["resource_id"]),
    )


async def team(connection: Connection, reader: TeamsReader, team_id: str) -> views.Team:
    """One team. Raises TeamNotFound, InvalidId."""
    row = await team_row(connection, reader, team_id)
    return shown_team(row, reader.language, sells=reader.sells, whole=True)


async def team_row(connection: Connection, reader: TeamsReader, team_id: str) -> Record:
    """The row of a team with its resource's. Raises TeamNotFound, InvalidId."""
    number = ids.parse_resource(team_id)
    told = (reader.workspace, reader.published_only, number)
    row = await connection.fetchrow(_QUERIES["teams"], *told, [], None, None, None, 1)
    if row is None:
        raise TeamNotFound(team_id=team_id)
    return row
