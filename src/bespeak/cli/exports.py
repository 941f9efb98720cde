"""`bespeak export`: the seat map, the schedule or the calendar of a resource, as a file that can be
imported again, and files of a vertical; what is known of an owner; the list of erasures.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

from cyclopts import App, Parameter

from bespeak.cli.options import DatabaseChoice
from bespeak.cli.plan_files import Format, FormatOption, format_of, work_on, write_out
from bespeak.errors import InvalidRequest

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.inventory.plans import Plan
    from bespeak.verticals.vertical import Exporter

Output = Annotated[str | None, Parameter(name="--output")]
Details = Annotated[bool, Parameter(negative="")]
_Plan = TypeVar("_Plan", bound="Plan")
Without = Annotated[list[str] | None, Parameter(negative="")]

_HELP = """Export the seat map, the schedule or the calendar of a resource, or an owner's data.

For example:

    bespeak export seatmap res_kbq6mf4p --output hall.json
    bespeak export schedule res_kbq6mf4p --format csv
    bespeak export calendar res_kbq6mf4p --output room.ics
    bespeak export owner customer-4711 --output customer-4711.json
"""

app = App(name="export", help=_HELP, help_format="markdown")


@app.command
def seatmap(
    resource: str,
    /,
    *,
    file_format: FormatOption = None,
    output: Output = None,
    database: DatabaseChoice | None = None,
) -> int:
    """Export the seat map of a resource.

    JSON is all of it, and importing it gives the same plan. CSV has the seats and the pools, not
    what else is drawn.

    For example:

        bespeak export seatmap res_kbq6mf4p --output hall.json

    Parameters
    ----------
    resource
        The resource, one of seats.
    file_format
        What to write. Absent: by the name of the output, else json.
    output
        The file. Absent: standard output.
    """
    from bespeak.inventory.shapes.seats.csv_file import write_seat_csv
    from bespeak.inventory.shapes.seats.plan import SeatsPlan

    async def export(engine: Engine) -> bytes:
        plan = (await engine.get_resource(resource)).plan
        return _written(plan, SeatsPlan, write_seat_csv, format_of(output or "", "{", file_format))

    return _export(export, output, database)


@app.command
def schedule(
    resource: str,
    /,
    *,
    file_format: FormatOption = None,
    output: Output = None,
    database: DatabaseChoice | None = None,
) -> int:
    """Export the schedule of a resource. Importing it gives the same plan.

    For example:

        bespeak export schedule res_kbq6mf4p --format csv

    Parameters
    ----------
    resource
        The resource, one of times.
    file_format
        What to write. Absent: by the name of the output, else json.
    output
        The file. Absent: standard output.
    """
    from bespeak.inventory.shapes.times.plan import TimesPlan
    from bespeak.inventory.shapes.times.schedules import write_schedule_csv

    async def export(engine: Engine) -> bytes:
        plan = (await engine.get_resource(resource)).plan
        form = format_of(output or "", "{", file_format)
        return _written(plan, TimesPlan, write_schedule_csv, form)

    return _export(export, output, database)


@app.command
def calendar(
    resource: str,
    /,
    *,
    details: Details = False,
    without: Without = None,
    output: Output = None,
    database: DatabaseChoice | None = None,
) -> int:
    """Export what of a resource is booked or blocked, as an iCalendar file.

    For example:

        bespeak export calendar res_kbq6mf4p --output room.ics

    Parameters
    ----------
    resource
        The resource. What it has no dates or times of is left out.
    details
        Tell who has booked, and why something is blocked.
    without
        Leave out what was imported from the calendar of this name. May come several times.
    output
        The file. Absent: standard output.
    """

    async def export(engine: Engine) -> bytes:
        return await engine.export_calendar(resource, details=details, without=without or ())

    return _export(export, output, database)


@app.command(name="owner")
def owner_data(
    owner: str, /, *, output: Output = None, database: DatabaseChoice | None = None
) -> int:
    """Export all that is known of an owner, as one JSON document.

    For example:

        bespeak export owner customer-4711 --output customer-4711.json

    Parameters
    ----------
    owner
        The owner, as holds name it.
    output
        The file. Absent: standard output.
    """
    from bespeak.cli.plan_files import written_to
    from bespeak.personal_data.export import EXPORTED_MAX, OwnerExport, document
    from bespeak.verticals.installed import owner_records

    async def export(engine: Engine) -> None:
        pages = OwnerExport(engine.database, owner_records()).pages(owner, EXPORTED_MAX)
        with written_to(output) as file:
            async for part in document(pages):
                file.write(part)

    work_on(database, export)
    return 0


@app.command
def erasures(*, output: Output = None, database: DatabaseChoice | None = None) -> int:
    """Export the list of erasures, a line of JSON each, to do them again after a restore.

    It names nobody, but tells of whoever can guess an owner whether it was erased: keep it as you
    keep the backups, and beside them.

    For example:

        bespeak export erasures --output erasures.jsonl

    Parameters
    ----------
    output
        The file. Absent: standard output.
    """
    from bespeak.personal_data.again import list_lines
    from bespeak.personal_data.erasures import Erasures

    async def export(engine: Engine) -> bytes:
        lines = await list_lines(Erasures(engine.database, engine.ready_resources))
        return b"".join(line + b"\n" for line in lines)

    return _export(export, output, database)


@app.default
def vertical(
    name: str,
    kind: str,
    /,
    *,
    output: Output = None,
    database: DatabaseChoice | None = None,
) -> int:
    """Export a file of a vertical that is installed, by its name. Importing it changes nothing.

    For example:

        bespeak export NAME KIND --output all.csv

    Parameters
    ----------
    name
        The vertical.
    kind
        What of it, as the vertical calls it.
    output
        The file. Absent: standard output.
    """

    exporter = _exporter(name)
    if kind not in exporter.kinds:
        raise InvalidRequest(f"{name} has {', '.join(exporter.kinds)}", field="KIND")

    async def export(engine: Engine) -> bytes:
        return (await exporter.run(engine, kind)).encode()

    return _export(export, output, database)


def _exporter(name: str) -> Exporter:
    """The exporter of a vertical. Raises InvalidRequest with those that there are."""
    from bespeak.verticals.installed import installed

    known = {one.name: one.exporter for one in installed() if one.exporter is not None}
    if name not in known:
        raise InvalidRequest(
            f"nothing called {name[:40]!r} can be exported; there are: seatmap, schedule, "
            f"calendar, owner, erasures, {', '.join(sorted(known))}",
            field="NAME",
        )
    return known[name]


def _written(
    plan: Plan, kind: type[_Plan], as_csv: Callable[[_Plan], str], file_format: Format
) -> bytes:
    import msgspec

    if not isinstance(plan, kind):
        shape = kind.__struct_config__.tag
        raise InvalidRequest(f"this resource has no {shape}", field="resource")
    if file_format == "csv":
        return as_csv(plan).encode()
    return msgspec.json.format(msgspec.json.encode(plan), indent=2) + b"\n"


def _export(
    work: Callable[[Engine], Awaitable[bytes]],
    output: str | None,
    database: DatabaseChoice | None,
) -> int:
    write_out(work_on(database, work), output)
    return 0
