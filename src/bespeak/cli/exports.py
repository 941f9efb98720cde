"""`bespeak export`: the seat map, the schedule or the calendar of a resource, as a file that can be
imported again.
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

Output = Annotated[str | None, Parameter(name="--output")]
Details = Annotated[bool, Parameter(negative="")]
_Plan = TypeVar("_Plan", bound="Plan")
Without = Annotated[list[str] | None, Parameter(negative="")]

_HELP = """Export the seat map, the schedule or the calendar of a resource.

For example:

    bespeak export seatmap res_kbq6mf4p --output hall.json
    bespeak export schedule res_kbq6mf4p --format csv
    bespeak export calendar res_kbq6mf4p --output room.ics
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
