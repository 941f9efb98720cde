"""Owners of whom much is known, their erasure, and a search for whatever is left of them."""

from datetime import UTC, datetime

import bespeak
from bespeak import Booking, Contact, Resource
from bespeak.personal_data.erasing import ErasureWorker
from bespeak.personal_data.erasures import Erasure, Erasures
from bespeak.personal_data.export import OwnerExport, PersonalRecord
from bespeak.postgres.pool import connect
from bespeak.ticketing.service import open_office
from tests.harness.database import Connection
from tests.harness.paying import paid_show
from tests.harness.refunding import refund_all, settled
from tests.harness.shapes import ROOMS, MakeShape, on
from tests.harness.shows import MakeShow, pool, seats, take
from tests.harness.ticketing import codes_of, scan

OWNER = "customer|4711 Zoë"
NAME = "Zoë Quastenflosser"
EMAIL = "zoe.q@person.example"
PHONE = "+49 170 4711-0815"
TYPED = "her aunt Hildegunde is ill"
KEY = "zoe-q-cart-7"
TRACES = (OWNER, NAME, EMAIL, PHONE, "Hildegunde", KEY, "zoe-returns")
CONTACT = Contact(EMAIL, NAME, "en", PHONE)
OVER = datetime(2024, 5, 1, 20, tzinfo=UTC)
LATER = datetime(2040, 5, 1, 20, tzinfo=UTC)


async def traces(connection: Connection, *texts: str) -> set[str]:
    """The columns, of any table and any type, in which one of these texts stands."""
    columns = await connection.fetch(
        "select c.table_schema, c.table_name, c.column_name from information_schema.columns c"
        " join information_schema.tables t using (table_schema, table_name)"
        " where t.table_type = 'BASE TABLE'"
        " and c.table_schema not in ('pg_catalog', 'information_schema')"
    )
    found = set()
    for schema, table, column in columns:
        # As text, whatever it is, and as the bytes of a text; JSON may have escaped it.
        hits = await connection.fetchval(
            f'select count(*) from "{schema}"."{table}" r, unnest($1::text[]) as t(sought)'
            f' where strpos(r."{column}"::text, t.sought) > 0'
            f' or strpos(r."{column}"::text, trim(both \'"\' from to_json(t.sought)::text)) > 0'
            f" or strpos(r.\"{column}\"::text, encode(convert_to(t.sought, 'UTF8'), 'hex')) > 0",
            texts,
        )
        if hits:
            found.add(f"{schema}.{table}.{column}")
    return found


def eraser(engine: bespeak.Engine, *, batch: int = 500, rows: int = 20_000) -> ErasureWorker:
    """Who goes through the erasures."""
    return ErasureWorker(engine.database, engine.ready_resources, batch=batch, rows=rows)


def erasures(engine: bespeak.Engine) -> Erasures:
    """Who begins them and tells of them."""
    return Erasures(engine.database, engine.ready_resources)


async def erase(
    engine: bespeak.Engine, owner: str = OWNER, *, including_upcoming: bool = False, **sizes: int
) -> Erasure:
    """Erases an owner, to the end."""
    begun = await erasures(engine).begin(
        owner, including_upcoming=including_upcoming, asked_by="test"
    )
    await eraser(engine, **sizes).look()
    return await erasures(engine).get(begun.id)


async def exported(
    engine: bespeak.Engine, owner: str = OWNER, limit: int = 50
) -> list[PersonalRecord]:
    """All that is known of an owner."""
    export = OwnerExport(engine.database)
    page = await export.page(owner, None, limit)
    found = list(page.items)
    while page.next is not None:
        page = await export.page(owner, page.next, limit)
        found += page.items
    return found


async def paid(engine: bespeak.Engine, show: Resource, unit: str, owner: str = OWNER) -> Booking:
    """A booking that was paid for, with a contact, and its money taken."""
    hold = await take(engine, seats(show, unit), owner, idempotency_key=f"{KEY} {unit}")
    done = await engine.payments.pay(
        hold.id,
        token="tok_success",
        owner=owner,
        contact=CONTACT,
        return_url="https://shop.example/zoe-returns",
        idempotency_key=f"{KEY} pays {unit}",
    )
    assert done.booking is not None
    await settled(engine, done.booking, "captured")
    return done.booking


async def live(
    engine: bespeak.Engine, make_show: MakeShow, make_shape: MakeShape, url: str
) -> list[Booking]:
    """Lets the owner do all that one can do, so that every table has something of it; all of it is
    over. Another does some of the same. Answers the bookings that stand."""
    past = await paid_show(make_show, starts_at=OVER, owner_limit=20, name="Over")
    free = await make_show(starts_at=OVER, owner_limit=9, name="Over and free")
    first = await paid(engine, past, "A1")
    gone = await paid(engine, past, "A2")
    await engine.cancel_booking(gone.id, reason=TYPED, refund="full", idempotency_key=KEY)
    await refund_all(engine)
    hold = await take(
        engine, [*seats(free, "B3"), pool(free, "floor", 2)], OWNER, idempotency_key=KEY
    )
    await engine.extend_hold(hold.id, seconds=900, owner=OWNER, idempotency_key=KEY)
    second = await engine.confirm_hold(hold.id, owner=OWNER, contact=CONTACT, idempotency_key=KEY)
    for unit, key in (("A5", f"{KEY} let go"), ("A6", None)):
        let_go = await take(engine, seats(free, unit), OWNER, idempotency_key=key)
        await engine.release_hold(let_go.id, owner=OWNER, idempotency_key=key)
    await take(engine, seats(free, "A7"), OWNER)
    rooms = await make_shape(ROOMS, owner_limit=9)
    stay = await take(engine, on(rooms, ROOMS.one), OWNER)
    await engine.release_hold(stay.id)
    other = await take(engine, [*seats(free, "A8"), pool(free, "floor", 1)], "ben")
    await engine.confirm_hold(other.id, contact=Contact("ben@person.example"))
    office = await open_office(engine)
    code = (await codes_of(office, second))[0]
    await office.check_in(scan(code))
    await _told(url)
    return [first, second]


async def _told(url: str) -> None:
    """Mails and deliveries as they may stand about the owner: waiting, failed, answered."""
    connection = await connect(url)
    try:
        await connection.execute(
            "insert into bespeak.webhook_endpoint (endpoint_id, url, description, secret,"
            " created_at, updated_at) values ('whe_0123456789abcdef', 'https://crm.example/',"
            " '', 'whsec_', now(), now())"
        )
        await connection.execute(
            "insert into bespeak.webhook_delivery (endpoint_id, position, resource_id, horizon,"
            " kind, state, created_at, answer, failure) select 'whe_0123456789abcdef', e.position,"
            " e.resource_id, e.horizon, e.kind, 'delivered', now(), 'thanks for ' || $1, $1"
            " from bespeak.event e join bespeak.booking b on b.booking_id = e.hold_id"
            " where b.owner = $2 and e.kind = 'confirmed'",
            NAME,
            OWNER,
        )
        await connection.execute(
            "insert into bespeak.mail (mail_id, kind, hold_id, horizon, position, at, state,"
            " due_at, created_at, ended_at, failure) select gen_random_uuid(),"
            " 'booking_confirmed', e.hold_id, e.horizon, e.position, e.at,"
            " case when b.state = 'confirmed' then 'pending' else 'failed' end,"
            " case when b.state = 'confirmed' then bespeak.now() end, now(),"
            " case when b.state <> 'confirmed' then now() end, 'no such mailbox: ' || $1"
            " from bespeak.event e join bespeak.booking b on b.booking_id = e.hold_id"
            " where b.owner = $2 and e.kind = 'confirmed' on conflict do nothing",
            EMAIL,
            OWNER,
        )
        await connection.execute(
            "insert into bespeak.sandbox_token (token, owner, outcome, created_at)"
            " values ('tok_of_zoe', $1, 'success', now())",
            OWNER,
        )
    finally:
        await connection.close()
