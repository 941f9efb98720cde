"""`bespeak queue` for whoever steers a waiting room: list them, open, pause, drain and end one, set
its pace and what it says. What is changed here stands in the audit log, as by the API.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from bespeak.cli.options import DatabaseChoice, Json

if TYPE_CHECKING:
    from bespeak.admission.forms import RoomState, WaitingRoom
    from bespeak.admission.rooms import WaitingRoomPage
    from bespeak.engine import Engine

# As in bespeak.admission.forms, which would be loaded with the list of commands.
Pace = Literal["stock", "rate"]
ChallengeRule = Literal["never", "often", "always"]


def list_all(
    *,
    workspace: str | None = None,
    after: str | None = None,
    limit: int = 50,
    database: DatabaseChoice | None = None,
    as_json: Json = False,
) -> int:
    """List waiting rooms, the newest first, with how many have joined and are inside.

    For example:

        bespeak queue list

    Parameters
    ----------
    workspace
        Those of this workspace only.
    after
        Those after the cursor that the page before told.
    limit
        How many: 1 to 100.
    as_json
        Print one JSON object: a page of waiting rooms.
    """
    from bespeak.admission.rooms import LISTED_MAX, list_rooms
    from bespeak.cli.databases import on_connection
    from bespeak.cli.output import answer
    from bespeak.errors import InvalidRequest

    if not 1 <= limit <= LISTED_MAX:
        raise InvalidRequest(f"limit is from 1 to {LISTED_MAX}", field="limit")
    found = on_connection(database, lambda one: list_rooms(one, workspace, after, limit))
    answer(found, _show_rooms, as_json=as_json)
    return 0


def show(room: str, /, *, database: DatabaseChoice | None = None, as_json: Json = False) -> int:
    """Show a waiting room: how it stands, its pace, and what it says to those who wait.

    For example:

        bespeak queue show wrm_3k7m9p2q5r8t

    Parameters
    ----------
    room
        The id of the waiting room.
    as_json
        Print one JSON object.
    """
    from bespeak.admission.rooms import read_room
    from bespeak.cli.databases import on_connection
    from bespeak.cli.output import answer

    found = on_connection(database, lambda one: read_room(one, room, None))
    answer(found, _show_room, as_json=as_json)
    return 0


def open_room(room: str, /, *, database: DatabaseChoice | None = None) -> int:
    """Open the sale of a waiting room now. One that is open stays so.

    For example:

        bespeak queue open wrm_3k7m9p2q5r8t

    Parameters
    ----------
    room
        The id of the waiting room.
    """
    return _change(database, room, only=("scheduled", "open"), state="open")


def pause(room: str, /, *, database: DatabaseChoice | None = None) -> int:
    """Let nobody in for now. All keep their places; `resume` goes on.

    For example:

        bespeak queue pause wrm_3k7m9p2q5r8t

    Parameters
    ----------
    room
        The id of the waiting room.
    """
    return _change(database, room, state="paused")


def resume(room: str, /, *, database: DatabaseChoice | None = None) -> int:
    """Go on with a waiting room that is paused. It opens none whose sale has not begun.

    For example:

        bespeak queue resume wrm_3k7m9p2q5r8t

    Parameters
    ----------
    room
        The id of the waiting room.
    """
    return _change(database, room, only=("paused", "open"), state="open")


def drain(room: str, /, *, undo: bool = False, database: DatabaseChoice | None = None) -> int:
    """Take nobody more: who has joined keeps the place and is called.

    For example:

        bespeak queue drain wrm_3k7m9p2q5r8t

    Parameters
    ----------
    room
        The id of the waiting room.
    undo
        Let people join again.
    """
    return _change(database, room, draining=not undo)


def pace(
    room: str,
    /,
    *,
    by: Pace | None = None,
    a_minute: int | None = None,
    inside_max: int | None = None,
    database: DatabaseChoice | None = None,
) -> int:
    """Let people in faster or slower. What is left out stays.

    For example:

        bespeak queue pace wrm_3k7m9p2q5r8t --a-minute 300

    Parameters
    ----------
    room
        The id of the waiting room.
    by
        By what is left (stock), or by the numbers alone (rate).
    a_minute
        Let in a minute, at most.
    inside_max
        Inside at a time, at most.
    """
    from bespeak.errors import InvalidRequest

    asked = {"pace": by, "a_minute": a_minute, "inside_max": inside_max}
    said = {name: value for name, value in asked.items() if value is not None}
    if not said:
        raise InvalidRequest("say --by, --a-minute or --inside-max", field="a_minute")
    return _change(database, room, None, **said)


def challenge(room: str, rule: ChallengeRule, /, *, database: DatabaseChoice | None = None) -> int:
    """Have guests solve a challenge before they join without a code, or not.

    For example:

        bespeak queue challenge wrm_3k7m9p2q5r8t always

    Parameters
    ----------
    room
        The id of the waiting room.
    rule
        Never, often (where many join from one address), or always.
    """
    return _change(database, room, challenge=rule)


def message(
    room: str, text: str | None = None, /, *, database: DatabaseChoice | None = None
) -> int:
    """Tell all who wait something, in place of what was told before.

    For example:

        bespeak queue message wrm_3k7m9p2q5r8t "Doors open at seven."

    Parameters
    ----------
    room
        The id of the waiting room.
    text
        What to tell. Absent: nothing any more.
    """
    return _change(database, room, message=text)


def end(room: str, /, *, database: DatabaseChoice | None = None) -> int:
    """End a waiting room: everybody may buy, and nobody waits any more. It cannot be undone.

    For example:

        bespeak queue end wrm_3k7m9p2q5r8t

    Parameters
    ----------
    room
        The id of the waiting room.
    """
    return _change(database, room, state="ended")


def _change(
    database: DatabaseChoice | None,
    room: str,
    only: tuple[RoomState, ...] | None = None,
    **said: object,
) -> int:
    """Changes a room as a call of the API does, if its state is one of `only`."""
    import msgspec

    from bespeak.admission.forms import ChangeWaitingRoom
    from bespeak.admission.rooms import change_room, read_room
    from bespeak.cli.audited import audited
    from bespeak.cli.output import say
    from bespeak.cli.plan_files import work_on
    from bespeak.errors import InvalidRequest

    try:
        msgspec.convert(said, ChangeWaitingRoom)
    except msgspec.ValidationError as error:
        raise InvalidRequest(str(error)) from error

    async def work(engine: Engine) -> WaitingRoom:
        async with engine.database.borrow() as connection:
            before = await read_room(connection, room, None)
        if only is not None and before.state not in only:
            raise InvalidRequest(f"the room is {before.state}", field="state")
        # By the version, so that it is done to the room that was looked at.
        asked = msgspec.convert({**said, "version": before.version}, ChangeWaitingRoom)
        async with (
            audited(engine, "change_waiting_room", room),
            engine.database.borrow() as connection,
        ):
            return await change_room(connection, room, asked, None)

    changed = work_on(database, work)
    say(f"{changed.id} is {_state(changed)}; {changed.joined} joined, {changed.inside} are inside")
    return 0


def _state(room: WaitingRoom) -> str:
    return f"{room.state}, draining" if room.draining and room.state != "ended" else room.state


def _show_rooms(page: WaitingRoomPage) -> None:
    from rich.table import Column, Table

    from bespeak.cli.output import results, say

    table = Table(
        Column("waiting room", no_wrap=True),
        "name",
        "state",
        "opens",
        "joined",
        "let in",
        "inside",
        "bought",
    )
    for one in page.items:
        counts = (one.joined, one.let_in, one.inside, one.bought)
        opens = (one.opened_at or one.opens_at).isoformat()
        table.add_row(one.id, one.name, _state(one), opens, *(str(count) for count in counts))
    results().print(table)
    if page.next is not None:
        say(f"there are more: --after {page.next}")


def _show_room(room: WaitingRoom) -> None:
    from bespeak.cli.output import results

    console = results()
    console.print(f"{room.id} {room.name}: {_state(room)}", markup=False)
    console.print(f"{room.joined} joined, {room.let_in} let in, {room.inside} inside")
    console.print(f"pace {room.pace}: {room.a_minute} a minute, {room.inside_max} inside at most")
    console.print(f"guests solve a challenge before they join: {room.challenge}")
    if room.message is not None:
        console.print(f"message: {room.message}", markup=False)
    if room.payments != "well":
        console.print(f"payments are {room.payments}")
    for alarm in room.alarms:
        console.print(f"alarm {alarm.kind}: {alarm.share:.0%} of {alarm.cases}")
