"""Who changes a booking, or gives it for something better, need not say again who they are: the
contact goes along, unless another one is said.
"""

import pytest

import bespeak
from bespeak import Booking, Contact, NightsPlan, Resource, ids
from bespeak.errors import BookingNotFound, InvalidRequest, VersionMismatch
from bespeak.reservations.booked_contacts import (
    KeptContact,
    kept_address,
    read_contact,
    set_contact,
)
from tests.harness.database import Connection, problems
from tests.harness.paying import paid_show, paying_engine
from tests.harness.shows import MakeShow, take
from tests.integration.test_stay_changes import change, nights
from tests.integration.test_waitlist_exchanges import full, offered
from tests.integration.test_waitlist_exchanges import show as show  # noqa: PLC0414

engine = paying_engine
pytestmark = pytest.mark.usefixtures("clock")
ROOMS = NightsPlan(rooms=("101", "102"), price=9000)
ASHA = Contact("asha@example.org", name="Asha Rao", locale="de-AT", phone="+43 1 234567")
BEN = Contact("ben@example.org", name="Ben")


async def house_of(make_show: MakeShow, payment: str) -> Resource:
    return await paid_show(make_show, plan=ROOMS, time_zone="Europe/Lisbon", payment=payment)


async def stay(
    engine: bespeak.Engine, house: Resource, contact: Contact | None = ASHA, owner: str = "asha"
) -> Booking:
    hold = await take(engine, [nights(house, 10, 12)], owner)
    return await confirmed(engine, house, hold.id, contact)


async def confirmed(
    engine: bespeak.Engine,
    house: Resource,
    hold_id: str,
    contact: Contact | None = None,
    token: str = "tok_success",  # noqa: S107 (a token of the sandbox)
) -> Booking:
    """What a hold became, by two calls of one key, as after a lost answer."""
    key = f"confirm {hold_id} {token}"
    if house.payment != "required":
        made = [
            await engine.confirm_hold(hold_id, idempotency_key=key, contact=contact)
            for _ in range(2)
        ]
        assert [one.replayed for one in made] == [False, True]
        return made[1]
    for replayed in (False, True):
        paid = await engine.payments.pay(hold_id, token=token, idempotency_key=key, contact=contact)
        assert paid.replayed == replayed
    assert paid.booking is not None
    return paid.booking


async def of(connection: Connection, booking: Booking) -> Contact | None:
    return (await read_contact(connection, booking)).contact


@pytest.mark.parametrize("payment", ["required", "at_venue"])
async def test_the_contact_goes_along_unless_another_is_said(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection, payment: str
) -> None:
    house = await house_of(make_show, payment)
    old = await stay(engine, house)
    assert await of(connection, old) == ASHA
    held = await change(engine, old.id, [nights(house, 11, 13)])
    assert await kept_address(connection, held.id) == "asha@example.org"
    second = await confirmed(engine, house, held.id)
    assert await of(connection, second) == ASHA
    # Twice in a row, then another one is said, which is kept whole and goes along itself.
    third = await confirmed(
        engine, house, (await change(engine, second.id, [nights(house, 12, 14)])).id
    )
    assert await of(connection, third) == ASHA
    held = await change(engine, third.id, [nights(house, 13, 15)])
    fourth = await confirmed(engine, house, held.id, BEN)
    assert await of(connection, fourth) == BEN
    fifth = await confirmed(
        engine, house, (await change(engine, fourth.id, [nights(house, 14, 16)])).id
    )
    assert await of(connection, fifth) == BEN
    assert await of(connection, old) == ASHA
    assert await problems(connection) == []


async def test_nobody_else_is_written_to(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    """What is in place of nothing, and of a booking without a contact, has none."""
    house = await house_of(make_show, "at_venue")
    nobody = await stay(engine, house, None)
    held = await change(engine, nobody.id, [nights(house, 11, 13)])
    assert await kept_address(connection, held.id) is None
    assert await of(connection, await confirmed(engine, house, held.id)) is None
    await stay(engine, house)
    plain = await take(engine, [nights(house, 20, 21)])
    assert await kept_address(connection, plain.id) is None
    assert await of(connection, await confirmed(engine, house, plain.id)) is None


async def test_a_card_that_is_declined_is_told_of_too(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    """And what was said with the card that paid wins over what goes along."""
    house = await house_of(make_show, "required")
    old = await stay(engine, house)
    held = await change(engine, old.id, [nights(house, 11, 13)])
    with pytest.raises(bespeak.BespeakError, match="declined"):
        await engine.payments.pay(held.id, token="tok_declined")
    (told,) = await connection.fetch(
        "select contact ->> 'email' as email from bespeak.payment where state = 'failed'"
    )
    assert told["email"] == "asha@example.org"
    # A mail of it goes out only to whom a booking was for before, and that was said with its money.
    has_booked = "select bespeak.has_booked_with($1, $2)"
    hold = ids.parse(ids.HOLD, held.id)
    assert await connection.fetchval(has_booked, hold, "asha@example.org")
    assert not await connection.fetchval(has_booked, hold, "ben@example.org")
    assert await of(connection, await confirmed(engine, house, held.id, BEN)) == BEN


async def test_it_goes_along_to_what_was_waited_for(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    bookings = await full(engine, show)
    await set_contact(connection, bookings[0], ASHA)
    _, hold = await offered(engine, show, bookings)
    assert await of(connection, await confirmed(engine, show, hold)) == ASHA


@pytest.mark.parametrize("payment", ["required", "at_venue"])
async def test_a_contact_is_said_anew_for_the_version_that_was_seen(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection, payment: str
) -> None:
    house = await house_of(make_show, payment)
    booking = await stay(engine, house, None)
    assert await read_contact(connection, booking) == KeptContact(None, 0)
    first = await set_contact(connection, booking, ASHA, 0)
    assert await read_contact(connection, booking) == first == KeptContact(ASHA, first.version)
    with pytest.raises(VersionMismatch) as told:
        await set_contact(connection, booking, BEN, 0)
    assert told.value.data["version"] == first.version
    assert await of(connection, booking) == ASHA
    second = await set_contact(connection, booking, BEN, first.version)
    # Who names none wins; and what stood there before has its version again.
    assert await set_contact(connection, booking, ASHA) == first != second
    with pytest.raises(InvalidRequest):
        await set_contact(connection, booking, Contact(locale="de"))
    # Nothing of the one before is left with the money.
    left = await connection.fetch(
        "select distinct contact ->> 'email' as email from bespeak.payment where hold_id = $1",
        ids.parse(ids.BOOKING, booking.id),
    )
    assert [row["email"] for row in left] == (["asha@example.org"] if payment == "required" else [])


async def test_who_was_erased_meanwhile_gets_no_contact(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    booking = await stay(engine, await house_of(make_show, "at_venue"))
    number = ids.parse(ids.BOOKING, booking.id)
    await connection.execute(
        "update bespeak.booking set owner = 'era_1', contact = null where booking_id = $1", number
    )
    with pytest.raises(BookingNotFound):
        await set_contact(connection, booking, ASHA)
    assert await of(connection, booking) is None
