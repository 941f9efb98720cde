"""`bespeak queue codes`: batches of invitation codes for the queues of a waiting room. A batch is
written out anew as often as it is wanted: its codes stand nowhere.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from bespeak.actors import CLI
from bespeak.cli.options import DatabaseChoice, Json

if TYPE_CHECKING:
    from bespeak.admission.invite_codes import InviteCodes
    from bespeak.admission.invites import InviteBatch, InviteState, NewInviteBatch
    from bespeak.engine import Engine
    from bespeak.postgres.pool import Connection

app = App(name="codes", help="Make, write out and revoke invitation codes of a waiting room.")
Output = Annotated[str | None, Parameter(name="--output")]


@app.command
def make(
    room: str,
    /,
    *,
    queue: str,
    name: str,
    codes: int,
    persons: int = 1,
    until: datetime | None = None,
    output: Output = None,
    database: DatabaseChoice | None = None,
) -> int:
    """Make a batch of invitation codes, and write it out as CSV.

    For example:

        bespeak queue codes make wrm_3k7m9p2q5r8t --queue club --name "Fan club" --codes 2000
            --output club.csv

    Parameters
    ----------
    room
        The id of the waiting room.
    queue
        The name of the queue that is joined by them.
    name
        For whom they are, as you will find them again.
    codes
        How many: 1 to 100,000.
    persons
        For how many persons each is: 1 to 1,000.
    until
        They are good until then, as 2026-12-24T18:00:00+01:00. Absent: as long as the queue is
        open.
    output
        The file. Absent: standard output.
    """
    from bespeak.admission.invites import make_batch
    from bespeak.cli.output import say
    from bespeak.cli.plan_files import work_on
    from bespeak.http.server.audit_log import add_entry

    new = _new_batch(queue=queue, name=name, codes=codes, persons=persons, until=until)

    async def work(engine: Engine) -> InviteBatch:
        async with engine.database.borrow() as connection:
            async with connection.transaction():
                made = await make_batch(connection, room, new, None)
                await add_entry(connection, CLI, "invite_codes_made", subject=room)
            await _write(engine, connection, room, made, output)
            return made

    made = work_on(database, work)
    say(f"batch {made.batch}: `bespeak queue codes write {room} {made.batch}` writes it out again")
    return 0


@app.command
def write(
    room: str, batch: int, /, *, output: Output = None, database: DatabaseChoice | None = None
) -> int:
    """Write out the codes of a batch as CSV, those that were used or revoked too.

    For example:

        bespeak queue codes write wrm_3k7m9p2q5r8t 1 --output club.csv

    Parameters
    ----------
    room
        The id of the waiting room.
    batch
        The number of the batch.
    output
        The file. Absent: standard output.
    """
    from bespeak.admission.invites import read_batch
    from bespeak.cli.plan_files import work_on

    async def work(engine: Engine) -> None:
        async with engine.database.borrow() as connection:
            found = await read_batch(connection, room, batch, None)
            await _write(engine, connection, room, found, output)

    work_on(database, work)
    return 0


@app.command(name="list")
def list_all(room: str, /, *, database: DatabaseChoice | None = None, as_json: Json = False) -> int:
    """List the batches of a waiting room, each with how many persons have joined by its codes.

    For example:

        bespeak queue codes list wrm_3k7m9p2q5r8t

    Parameters
    ----------
    room
        The id of the waiting room.
    as_json
        Print one JSON array.
    """
    from bespeak.admission.invites import list_batches
    from bespeak.cli.databases import on_connection
    from bespeak.cli.output import answer

    found = on_connection(database, lambda connection: list_batches(connection, room, None))
    answer(found, _show_batches, as_json=as_json)
    return 0


@app.command
def show(
    room: str, code: str, /, *, database: DatabaseChoice | None = None, as_json: Json = False
) -> int:
    """Show how one code stands: for whom it is, and how many have joined by it.

    For example:

        bespeak queue codes show wrm_3k7m9p2q5r8t 04003K-7M9P2Q-5R8TXW

    Parameters
    ----------
    room
        The id of the waiting room.
    code
        The code, as it was typed.
    as_json
        Print one JSON object.
    """
    from bespeak.admission.invites import read_code
    from bespeak.cli.output import answer
    from bespeak.cli.plan_files import work_on

    async def work(engine: Engine) -> InviteState:
        async with engine.database.borrow() as connection:
            read = (await _codes(engine, connection)).read(room, code)
            return await read_code(connection, room, read, None)

    answer(work_on(database, work), _show_code, as_json=as_json)
    return 0


@app.command
def revoke(
    room: str,
    batch: int | None = None,
    /,
    *,
    code: str | None = None,
    database: DatabaseChoice | None = None,
) -> int:
    """Revoke a batch, or one code: nobody else joins by it. Who has joined stays.

    For example:

        bespeak queue codes revoke wrm_3k7m9p2q5r8t 1
        bespeak queue codes revoke wrm_3k7m9p2q5r8t --code 04003K-7M9P2Q-5R8TXW

    Parameters
    ----------
    room
        The id of the waiting room.
    batch
        The number of the batch.
    code
        The one code, in place of a batch.
    """
    from bespeak.admission.invites import revoke_batch, revoke_code
    from bespeak.cli.output import say
    from bespeak.cli.plan_files import work_on
    from bespeak.errors import InvalidRequest
    from bespeak.http.server.audit_log import add_entry

    if (batch is None) == (code is None):
        raise InvalidRequest("name a batch, or one code with --code", field="BATCH")

    async def work(engine: Engine) -> int:
        async with engine.database.borrow() as connection, connection.transaction():
            await add_entry(connection, CLI, "invite_codes_revoked", subject=room)
            if batch is not None:
                return (await revoke_batch(connection, room, batch, None)).used
            read = (await _codes(engine, connection)).read(room, code or "")
            return (await revoke_code(connection, room, read, None)).used

    say(f"revoked; {work_on(database, work)} joined before")
    return 0


def _new_batch(**fields: object) -> NewInviteBatch:
    """Raises InvalidRequest."""
    import msgspec

    from bespeak.admission.invites import NewInviteBatch
    from bespeak.decoding import explain
    from bespeak.errors import InvalidRequest

    try:
        return msgspec.convert(fields, NewInviteBatch)
    except msgspec.ValidationError as error:
        found = explain(error, NewInviteBatch)
        raise InvalidRequest(found.detail, field=found.field) from error


async def _codes(engine: Engine, connection: Connection) -> InviteCodes:
    """The codes of the installation, signed by the secret of its servers."""
    from bespeak.admission.invite_codes import InviteCodes
    from bespeak.postgres.secrets import signing_secret

    return InviteCodes(await signing_secret(connection, engine.settings.signing_secret))


async def _write(
    engine: Engine, connection: Connection, room: str, batch: InviteBatch, output: str | None
) -> None:
    from bespeak.admission.invite_lists import codes_csv
    from bespeak.cli.plan_files import written_to

    lines = codes_csv(await _codes(engine, connection), room, batch)
    with written_to(output) as file:
        file.writelines(lines)


def _show_batches(batches: list[InviteBatch]) -> None:
    from rich.table import Table

    from bespeak.cli.output import results

    table = Table("batch", "queue", "name", "codes", "persons", "used", "until", "revoked")
    for one in batches:
        table.add_row(
            *(str(one.batch), one.queue, one.name, str(one.codes), str(one.persons), str(one.used)),
            *("" if at is None else at.isoformat() for at in (one.until, one.revoked_at)),
        )
    results().print(table)


def _show_code(found: InviteState) -> None:
    from bespeak.cli.output import results

    console = results()
    console.print(f"code {found.serial} of batch {found.batch}, {found.name}: queue {found.queue}")
    console.print(f"{found.used} of {found.persons} persons have joined by it")
    if found.revoked_at is not None:
        console.print(f"revoked {found.revoked_at.isoformat()}")
    elif found.until is not None:
        console.print(f"good until {found.until.isoformat()}")
