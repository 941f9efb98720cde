"""`bespeak erase`: erases the data of an owner, or does again, after a restore, what was erased."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bespeak.actors import CLI
from bespeak.cli.options import DatabaseChoice, Json
from bespeak.cli.plan_files import read_bytes, work_on
from bespeak.errors import InvalidRequest

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.personal_data.again import DoneAgain
    from bespeak.personal_data.erasures import Erasure


def erase(
    owner: str | None = None,
    /,
    *,
    including_upcoming: bool = False,
    dry_run: bool = False,
    again: str | None = None,
    database: DatabaseChoice | None = None,
    as_json: Json = False,
) -> int:
    """Erase the data of an owner: a random pseudonym takes its place, and all still adds up.

    It can be killed and goes on where it was, here or in the background worker. The status is 1 if
    something has to wait for money that moves; it is erased by whoever works in the background.

    For example:

        bespeak erase customer-4711 --dry-run

        bespeak erase customer-4711

        bespeak erase --again erasures.jsonl

    Parameters
    ----------
    owner
        The owner, as holds name it.
    including_upcoming
        Also what is not over: it stands, without a contact.
    dry_run
        Say what would be erased, or why not, and do nothing.
    again
        After a restore: a list of erasures to do again, as `bespeak export erasures` wrote it.
    as_json
        Print a JSON object.
    """
    if (owner is None) == (again is None):
        raise InvalidRequest("name an owner, or a list with --again", field="OWNER")
    if owner is None:
        return _again(read_bytes(again or ""), database, as_json=as_json)
    if dry_run:
        return _preview(owner, database, leave=including_upcoming, as_json=as_json)

    async def work(engine: Engine) -> Erasure:
        from bespeak.personal_data.erasures import Erasures

        erasures = Erasures(engine.database, engine.ready_resources)
        begun = await erasures.begin(owner, including_upcoming=including_upcoming, asked_by=CLI)
        await _work(engine)
        return await erasures.get(begun.id)

    from bespeak.cli.output import answer

    done = work_on(database, work)
    answer(done, _print, as_json=as_json)
    return 0 if done.state == "done" else 1


async def _work(engine: Engine) -> None:
    """Does all turns that are due, of whichever erasure."""
    from bespeak.personal_data.erasing import ErasureWorker
    from bespeak.verticals.installed import owner_records

    records = list(owner_records().values())
    await ErasureWorker(engine.database, engine.ready_resources, records).look()


def _preview(owner: str, database: DatabaseChoice | None, *, leave: bool, as_json: bool) -> int:
    async def work(engine: Engine) -> dict[str, int]:
        from bespeak.personal_data.erasures import Erasures
        from bespeak.personal_data.export import EXPORTED_MAX, OwnerExport

        erasures = Erasures(engine.database, engine.ready_resources)
        await erasures.check(owner, including_upcoming=leave)
        counts = dict.fromkeys(("holds", "bookings", "payments", "mails"), 0)
        async for page in OwnerExport(engine.database).pages(owner, EXPORTED_MAX):
            counts["holds"] += len(page.items)
            counts["bookings"] += sum(one.booking is not None for one in page.items)
            counts["payments"] += sum(len(one.payments) for one in page.items)
            counts["mails"] += sum(len(one.mails) for one in page.items)
        return counts

    from bespeak.cli.output import answer

    answer(work_on(database, work), _print_preview, as_json=as_json)
    return 0


def _again(content: bytes, database: DatabaseChoice | None, *, as_json: bool) -> int:
    from bespeak.personal_data.again import begin_again, read_lines

    listed = read_lines(content)

    async def work(engine: Engine) -> DoneAgain:
        from bespeak.personal_data.erasures import Erasures

        erasures = Erasures(engine.database, engine.ready_resources)
        done = await begin_again(engine.database, erasures, listed, CLI)
        await _work(engine)
        return done

    from bespeak.cli.output import answer

    done = work_on(database, work)
    answer(done, _print_again, as_json=as_json)
    return 1 if done.waiting else 0


def _print(told: Erasure) -> None:
    waits = f"; {told.waiting} wait for money that moves" if told.state == "running" else ""
    print(
        f"{told.state}: {told.bookings} bookings, {told.holds} holds and {told.payments} payments "
        f"erased, {told.holds_released} holds released, {told.mails_dropped} mails dropped, "
        f"{told.kept} new bookings kept{waits} ({told.id})"
    )


def _print_preview(counts: dict[str, int]) -> None:
    told = ", ".join(f"{count} {name}" for name, count in counts.items())
    print(f"would be erased: {told}")


def _print_again(done: DoneAgain) -> None:
    print(
        f"{done.begun} erasures done again, {done.absent} of owners who are not there, "
        f"{done.waiting} wait for money that moves: run it again"
    )
