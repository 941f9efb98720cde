"""`bespeak waitlist`: who waits for what, what would serve them, and whether a list takes anybody
more. What is changed here stands in the audit log, as what is changed by the API does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from cyclopts import App

from bespeak.cli.options import DatabaseChoice, Json

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.waitlists.entry import WaitlistEntry, WaitlistEntryPage
    from bespeak.waitlists.outlook import Outlook, Served
    from bespeak.waitlists.waitlist import Waitlist

# As in bespeak.waitlists, which would be loaded with the list of commands.
State = Literal["waiting", "offered", "accepted", "withdrawn", "over"]
Sources = Literal["holds", "blocks", "bookings"]
app = App(name="waitlist", help="List waitlists and who waits; open and close them.")


@app.command(name="list")
def list_all(
    *,
    workspace: str | None = None,
    database: DatabaseChoice | None = None,
    as_json: Json = False,
) -> int:
    """List the newest 200 waitlists, with how many wait and are offered something.

    For example:

        bespeak waitlist list

    Parameters
    ----------
    workspace
        Those of this workspace only.
    as_json
        Print one JSON array.
    """
    from bespeak.cli.output import answer
    from bespeak.cli.plan_files import work_on

    async def work(engine: Engine) -> list[Waitlist]:
        return await engine.waitlists.list_all(workspace=workspace)

    answer(work_on(database, work), _show_lists, as_json=as_json)
    return 0


@app.command
def entries(
    waitlist: str,
    /,
    *,
    state: State | None = None,
    after: str | None = None,
    limit: int = 100,
    database: DatabaseChoice | None = None,
    as_json: Json = False,
) -> int:
    """List who waits on a list, by place, with what is offered to them.

    For example:

        bespeak waitlist entries wtl_01m7z15zx5gnfrsk2bwcy9fjs1 --state offered

    Parameters
    ----------
    waitlist
        The id of the waitlist.
    state
        Those in this state only.
    after
        Those behind this place.
    limit
        How many: 1 to 1,000.
    as_json
        Print one JSON object: a page of entries, with their addresses.
    """
    from bespeak.cli.output import answer
    from bespeak.cli.plan_files import work_on

    async def work(engine: Engine) -> WaitlistEntryPage:
        return await engine.waitlists.list_entries(
            waitlist_id=waitlist, state=state, after=after, limit=limit
        )

    answer(work_on(database, work), _show_entries, as_json=as_json)
    return 0


@app.command
def outlook(
    waitlist: str,
    /,
    *,
    of: Sources = "holds",
    database: DatabaseChoice | None = None,
    as_json: Json = False,
) -> int:
    """Show what would be freed by what, and whom it would serve. It changes nothing.

    For example:

        bespeak waitlist outlook wtl_01m7z15zx5gnfrsk2bwcy9fjs1 --of blocks

    Parameters
    ----------
    waitlist
        The id of the waitlist.
    of
        The holds that end first, the newest blocks, or the newest bookings.
    as_json
        Print one JSON object.
    """
    from bespeak.cli.output import answer
    from bespeak.cli.plan_files import work_on

    async def work(engine: Engine) -> Outlook:
        return await engine.waitlists.outlook(waitlist, of=of)

    answer(work_on(database, work), _show_outlook, as_json=as_json)
    return 0


@app.command(name="open")
def open_list(waitlist: str, /, *, database: DatabaseChoice | None = None) -> int:
    """Open a list that was closed: it takes whoever joins. One that is open stays so.

    For example:

        bespeak waitlist open wtl_01m7z15zx5gnfrsk2bwcy9fjs1

    Parameters
    ----------
    waitlist
        The id of the waitlist.
    """
    return _set(database, waitlist, "open")


@app.command
def close(waitlist: str, /, *, database: DatabaseChoice | None = None) -> int:
    """Close a list: it takes nobody more. Who waits goes on waiting and is offered things.

    For example:

        bespeak waitlist close wtl_01m7z15zx5gnfrsk2bwcy9fjs1

    Parameters
    ----------
    waitlist
        The id of the waitlist.
    """
    return _set(database, waitlist, "closed")


def _set(database: DatabaseChoice | None, waitlist: str, state: Literal["open", "closed"]) -> int:
    from bespeak.cli.audited import audited
    from bespeak.cli.output import say
    from bespeak.cli.plan_files import work_on
    from bespeak.waitlists.waitlist import WaitlistChange

    async def work(engine: Engine) -> Waitlist:
        await engine.waitlists.get(waitlist)
        async with audited(engine, "update_waitlist", waitlist):
            return await engine.waitlists.update(waitlist, WaitlistChange(state=state))

    changed = work_on(database, work)
    say(f"{changed.id} is {changed.state}; {changed.waiting} wait")
    return 0


def _show_lists(lists: list[Waitlist]) -> None:
    from rich.table import Table

    from bespeak.cli.output import results

    table = Table("waitlist", "workspace", "state", "policy", "resources", "waiting", "offered")
    for one in lists:
        named = ", ".join(one.resource_ids[:3]) + (", ..." if len(one.resource_ids) > 3 else "")
        counts = str(one.waiting), str(one.offered)
        table.add_row(one.id, one.workspace, one.state, one.policy, named, *counts)
    results().print(table)


def _show_entries(page: WaitlistEntryPage) -> None:
    from rich.table import Table

    from bespeak.cli.output import results, say

    table = Table("place", "entry", "owner", "party", "gives back", "state", "offered until")
    for one in page.items:
        state = one.state if one.reason is None else f"{one.state}, {one.reason}"
        wanted = str(one.wish.party), one.instead_of_booking or ""
        table.add_row(str(one.place), one.id, one.owner, *wanted, state, _offered_until(one))
    results().print(table)
    if page.next is not None:
        say(f"there are more: --after {page.next}")


def _offered_until(entry: WaitlistEntry) -> str:
    offer = entry.offer
    return "" if offer is None or offer.state != "standing" else offer.ends_at.isoformat()


def _show_outlook(found: Outlook) -> None:
    from rich.table import Table

    from bespeak.cli.output import results

    table = Table(found.of, "ends", "reason", "serves the places")
    for one in found.sources:
        ends = "" if one.ends_at is None else one.ends_at.isoformat()
        table.add_row(one.id, ends, one.reason or "", _places(one.serves))
    if found.sources:
        table.add_row("all of them", "", "", _places(found.together))
    results().print(table)


def _places(served: list[Served] | None) -> str:
    if served is None:
        return "not known"
    return ", ".join(str(one.place) for one in served) or "nobody"
