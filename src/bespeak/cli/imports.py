"""`bespeak import`: seat maps and schedules from files become plans of resources, calendars of
others become blocks, and each vertical takes files of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypeVar

from cyclopts import App, Parameter
from msgspec import UNSET

from bespeak.cli.options import DatabaseChoice, Json
from bespeak.cli.output import answer, say
from bespeak.cli.plan_files import (
    STANDARD,
    File,
    Format,
    FormatOption,
    format_of,
    read_bytes,
    read_text,
    work_on,
)
from bespeak.errors import InvalidRequest
from bespeak.inventory.payment_rules import PaymentRule

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.inventory.calendars.imports import CalendarImport
    from bespeak.inventory.resources import Resource
    from bespeak.inventory.shapes.seats.plan import SeatsPlan
    from bespeak.inventory.shapes.times.plan import TimesPlan
    from bespeak.verticals.vertical import Importer, ImportReport

_Plan = TypeVar("_Plan")

_HELP = """Import a seat map, a schedule, a calendar, or a file of a vertical.

For example:

    bespeak import seatmap hall.csv --name "Great hall"
    bespeak import schedule practice.csv --name "Dr Rao" --time-zone Asia/Kolkata
    bespeak import calendar airbnb.ics --resource res_kbq6mf4p

`-` in place of a file is standard input.
"""

app = App(name="import", help=_HELP, help_format="markdown")


class _Choice(NamedTuple):
    """What to do with a plan: create a resource of this kind and name, or change one."""

    kind: str
    name: str | None
    resource: str | None
    payment: PaymentRule | None
    time_zone: str | None = None


@app.command
def seatmap(
    file: File,
    /,
    *,
    name: str | None = None,
    resource: str | None = None,
    payment: PaymentRule | None = None,
    file_format: FormatOption = None,
    database: DatabaseChoice | None = None,
    as_json: Json = False,
) -> int:
    """Import a seat map: create a resource with it, or change the plan of one.

    The file is the open seat map format (JSON), or CSV with a line for each seat. Prints the id of
    the resource.

    For example:

        bespeak import seatmap hall.csv --name "Great hall"

        bespeak import seatmap hall.json --resource res_kbq6mf4p

    Parameters
    ----------
    file
        The file, or - for standard input.
    name
        Create a resource of this name.
    resource
        Change this resource; units that are taken must be in the new map too.
    payment
        How what has a price is paid: here (required), elsewhere (at_venue), or by your own server
        (none). Absent: here, and of a resource that is changed as it was.
    file_format
        What is in the file. Absent: by its name, or by how it begins.
    as_json
        Print the resource as one JSON object.
    """
    from bespeak.inventory.shapes.seats.csv_file import read_seat_csv
    from bespeak.inventory.shapes.seats.plan import SeatsPlan

    def read() -> SeatsPlan:
        return _read_plan(file, file_format, SeatsPlan, read_seat_csv, "a seat map")

    return _put(read, _Choice("show", name, resource, payment), database, as_json=as_json)


@app.command
def schedule(
    file: File,
    /,
    *,
    name: str | None = None,
    resource: str | None = None,
    payment: PaymentRule | None = None,
    time_zone: str | None = None,
    file_format: FormatOption = None,
    database: DatabaseChoice | None = None,
    as_json: Json = False,
) -> int:
    """Import a schedule: create a resource with times, or change the plan of one.

    The file is a plan of times (JSON), or CSV with a line for each hours of a provider. Prints the
    id of the resource.

    For example:

        bespeak import schedule practice.csv --name "Dr Rao" --time-zone Asia/Kolkata

        bespeak import schedule practice.csv --resource res_kbq6mf4p

    Parameters
    ----------
    file
        The file, or - for standard input.
    name
        Create a resource of this name.
    resource
        Change this resource; times that are taken must be in the new schedule too.
    payment
        How what has a price is paid: here (required), elsewhere (at_venue), or by your own server
        (none). Absent: here, and of a resource that is changed as it was.
    time_zone
        The IANA name of the time zone whose clocks the hours are by. Absent: UTC for a new
        resource, and no change of an old one.
    file_format
        What is in the file. Absent: by its name, or by how it begins.
    as_json
        Print the resource as one JSON object.
    """
    from bespeak.inventory.shapes.times.plan import TimesPlan
    from bespeak.inventory.shapes.times.schedules import read_schedule_csv

    def read() -> TimesPlan:
        return _read_plan(file, file_format, TimesPlan, read_schedule_csv, "a plan of times")

    choice = _Choice("session", name, resource, payment, time_zone)
    return _put(read, choice, database, as_json=as_json)


@app.command
def calendar(
    file: File,
    /,
    *,
    resource: str,
    name: str | None = None,
    unit: str | None = None,
    quantity: int | None = None,
    database: DatabaseChoice | None = None,
    as_json: Json = False,
) -> int:
    """Import an iCalendar file: what it keeps busy is blocked.

    Imported again under the same name, only what has changed is changed, and what has gone is put
    back on sale. What cannot be blocked, because it is booked, is listed; the status is then 1.

    For example:

        bespeak import calendar airbnb.ics --resource res_kbq6mf4p

        curl -s "$FEED" | bespeak import calendar - --resource res_kbq6mf4p --name airbnb

    Parameters
    ----------
    file
        The file, or - for standard input.
    resource
        The resource: of nights, times or moments.
    name
        The name of the calendar. Absent: the name of the file.
    unit
        The room, provider or thing that it is of. Absent: all of the resource.
    quantity
        Of a counted resource: how many each entry keeps busy. Absent: all.
    as_json
        Print what was done as one JSON object.
    """

    content = read_bytes(file)
    done = work_on(
        database,
        lambda engine: engine.import_calendar(
            resource,
            content,
            name=name if name is not None else _stem(file),
            unit=unit,
            quantity=quantity,
        ),
    )
    answer(done, _show, as_json=as_json)
    return 1 if done.conflicts else 0


@app.default
def vertical(
    name: str,
    file: File,
    /,
    *,
    check: Annotated[bool, Parameter(negative="")] = False,
    file_format: FormatOption = None,
    database: DatabaseChoice | None = None,
    as_json: Json = False,
) -> int:
    """Import a file of a vertical that is installed, by its name.

    All of the file is taken, or, where anything in it is wrong, nothing: then each fault is told
    with its place, and the status is 1. Imported again, only what has changed is changed.

    For example:

        bespeak import NAME week.csv --check

        bespeak import NAME week.csv

    Parameters
    ----------
    name
        The vertical.
    file
        The file, or - for standard input.
    check
        Change nothing; only say what would be done.
    file_format
        What is in the file. Absent: by its name, or by how it begins.
    as_json
        Print the report as one JSON object.
    """

    importer = _importer(name)
    text = read_text(file)
    found = format_of(file, text, file_format)
    if found not in importer.formats:
        raise InvalidRequest(f"{name} takes {' or '.join(importer.formats)}", field="--format")
    report = work_on(database, lambda engine: importer.run(engine, text, found, check))
    answer(report, _tell, as_json=as_json)
    return 1 if report.problems else 0


def _importer(name: str) -> Importer:
    """The importer of a vertical. Raises InvalidRequest with those that there are."""
    from bespeak.verticals.installed import installed

    known = {one.name: one.importer for one in installed() if one.importer is not None}
    if name not in known:
        raise InvalidRequest(
            f"nothing called {name[:40]!r} can be imported; there are: seatmap, schedule, "
            f"calendar, {', '.join(sorted(known))}",
            field="NAME",
        )
    return known[name]


def _tell(report: ImportReport) -> None:
    for problem in report.problems:
        say(f"{problem.where}: {problem.detail} ({problem.code})")
    if report.problems:
        say("nothing was imported")
        return
    done = "" if report.applied else "would have "
    for outcome in ("created", "updated", "unchanged"):
        counts = {kind: count for kind, count in getattr(report, outcome).items() if count}
        if counts:
            print(f"{done}{outcome} {', '.join(f'{n:,} {kind}' for kind, n in counts.items())}")
    if not any(any(getattr(report, one).values()) for one in ("created", "updated", "unchanged")):
        print("there is nothing in the file")


def _put(
    read: Callable[[], SeatsPlan | TimesPlan],
    choice: _Choice,
    database: DatabaseChoice | None,
    *,
    as_json: bool,
) -> int:
    """Creates a resource with the plan that is read, or changes the one that was named."""
    import msgspec

    from bespeak.inventory.resources import NewResource, ResourceChange, ResourceName

    async def put(engine: Engine) -> Resource:
        if choice.name is not None:
            zone = choice.time_zone or "UTC"
            new = NewResource(
                name=choice.name,
                kind=choice.kind,
                plan=plan,
                time_zone=zone,
                payment=choice.payment or UNSET,
            )
            return await engine.create_resource(new)
        change = ResourceChange(
            plan=plan,
            time_zone=choice.time_zone or UNSET,
            payment=choice.payment or UNSET,
        )
        return await engine.update_resource(choice.resource or "", change)

    if (choice.name is None) == (choice.resource is None):
        raise InvalidRequest(
            "say --name to create a resource, or --resource to change one", field="--name"
        )
    try:
        msgspec.convert(choice.name, ResourceName | None)
    except msgspec.ValidationError as error:
        raise InvalidRequest(f"--name: {error}", field="name") from error
    plan = read()
    answer(work_on(database, put), lambda made: print(made.id), as_json=as_json)
    return 0


def _read_plan(
    file: str,
    file_format: Format | None,
    kind: type[_Plan],
    from_csv: Callable[[str], _Plan],
    told: str,
) -> _Plan:
    from bespeak.inventory.shapes.registry import parse_plan

    text = read_text(file)
    if format_of(file, text, file_format) == "csv":
        return from_csv(text)
    plan = parse_plan(text)
    if not isinstance(plan, kind):
        raise InvalidRequest(f"the file has another plan than {told}", field="FILE")
    return plan


def _stem(file: str) -> str:
    """The name of a calendar, from that of its file."""
    stem = "" if file == STANDARD else re.sub(r"[^A-Za-z0-9._-]+", "-", Path(file).stem)
    return stem.strip(".-_")[:60]


def _show(done: CalendarImport) -> None:
    print(
        f"created {done.created}, moved {done.moved}, lifted {done.lifted},"
        f" unchanged {done.unchanged}, conflicts {len(done.conflicts)}"
    )
    for conflict in done.conflicts:
        units = ", ".join(f"{one.unit} is {one.state}" for one in conflict.conflicts)
        say(f"{conflict.from_} to {conflict.to} ({conflict.uid}): {units or conflict.detail}")
