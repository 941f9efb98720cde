"""What the draw of a waiting room follows from stands before anybody can know it, and a draw that
was thrown away stays to be seen.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

import bespeak
from bespeak.admission.audit import audit_lines, check_audit
from bespeak.admission.errors import EarlyOrderStands, OpeningsTakenBack, PublicValueStands
from bespeak.admission.forms import TAKEN_BACK_MAX
from bespeak.admission.place_keys import seed_hash
from bespeak.admission.told import room_now
from bespeak.cli.queue import check
from bespeak.errors import InvalidRequest
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.waiting import Hall


@pytest.fixture
def hall(engine: bespeak.Engine, connection: Connection, clock: Clock) -> Hall:
    return Hall(engine, connection, clock)


async def taken_back(hall: Hall, clock: Clock) -> None:
    """The sale is opened by mistake, and that is undone."""
    await hall.change(state="open")
    await hall.change(state="scheduled", opens_at=clock.now + timedelta(minutes=5))


async def test_a_public_value_is_named_until_people_can_join(
    hall: Hall, show: bespeak.Resource, clock: Clock
) -> None:
    begins = clock.now + timedelta(seconds=30)
    await hall.open(show.id, after=60, early_opens_at=begins)
    assert not hall.room.public_value_stands
    named = await hall.change(public_value="the first number of Saturday")
    assert named.public_value == "the first number of Saturday"
    await clock.advance(30)
    with pytest.raises(PublicValueStands) as refused:
        await hall.change(public_value="a better one", message="Soon.")
    assert refused.value.data["early_opens_at"] == begins
    same = await hall.change(public_value="the first number of Saturday")
    assert same.public_value_stands, "a repeat of what was named changes nothing"
    assert (same.public_value, same.message) == ("the first number of Saturday", None)
    opened = await hall.change(state="open")
    assert opened.public_value == "the first number of Saturday"


async def test_it_stands_for_good_though_the_queue_is_closed_again(
    hall: Hall, show: bespeak.Resource, clock: Clock
) -> None:
    worker = await hall.open(show.id, after=60)
    worker.join("ada")  # which the database has not heard of yet
    later = clock.now + timedelta(seconds=50)
    with pytest.raises(PublicValueStands):
        await hall.change(public_value="mine", early_opens_at=later)
    await hall.change(early_opens_at=later)
    with pytest.raises(PublicValueStands):
        await hall.change(public_value="mine")
    with pytest.raises(PublicValueStands):
        await hall.change(public_value="mine", state="open")
    assert (await hall.change(name="Premiere")).public_value is None


async def test_taking_an_opening_back_names_no_public_value(
    hall: Hall, show: bespeak.Resource, clock: Clock
) -> None:
    await hall.open(show.id, after=60)
    await hall.change(state="open")
    later = clock.now + timedelta(minutes=5)
    with pytest.raises(PublicValueStands):
        await hall.change(state="scheduled", opens_at=later, public_value="mine")
    await hall.change(state="scheduled", opens_at=later)
    with pytest.raises(PublicValueStands):
        await hall.change(public_value="mine")


async def test_the_order_of_the_early_stands_from_when_people_can_join(
    hall: Hall, show: bespeak.Resource, clock: Clock
) -> None:
    begins = clock.now + timedelta(seconds=30)
    await hall.open(show.id, after=60, early_opens_at=begins)
    assert (await hall.change(early_order="first_come")).early_order == "first_come"
    await clock.advance(30)
    with pytest.raises(EarlyOrderStands) as refused:
        await hall.change(early_order="shuffle", message="Soon.")
    assert refused.value.data["early_opens_at"] == begins
    assert (await hall.change()).message is None, "nothing of it was done"
    same = await hall.change(early_order="first_come", message="Soon.")
    assert same.message == "Soon.", "a repeat of what it is changes nothing"
    later = clock.now + timedelta(seconds=20)
    await hall.change(early_opens_at=later)  # closed again: who was told an order keeps it
    with pytest.raises(EarlyOrderStands):
        await hall.change(early_order="shuffle")
    with pytest.raises(EarlyOrderStands):
        await hall.change(early_order="shuffle", state="open")
    assert (await hall.change(state="open")).early_order == "first_come"


async def test_what_is_said_with_an_opening_that_is_taken_back_is_done_or_refused(
    hall: Hall, show: bespeak.Resource, clock: Clock
) -> None:
    await hall.open(show.id, after=60)
    await hall.change(state="open")
    later = clock.now + timedelta(minutes=5)
    back = await hall.change(
        state="scheduled", opens_at=later, message="Too early, sorry.", a_minute=30, draining=True
    )
    assert (back.state, back.opens_at) == ("scheduled", later)
    assert (back.message, back.a_minute, back.draining) == ("Too early, sorry.", 30, True)
    await hall.change(state="open")
    with pytest.raises(EarlyOrderStands):
        await hall.change(state="scheduled", opens_at=later, early_order="first_come")
    with pytest.raises(InvalidRequest):
        await hall.change(
            state="scheduled", opens_at=later, early_opens_at=later + timedelta(minutes=1)
        )
    stands = await hall.change()
    assert (stands.state, len(stands.taken_back)) == ("open", 1), "as a whole, or not at all"
    await hall.change(state="scheduled", opens_at=later, early_order="shuffle")


async def test_a_room_that_has_ended_before_its_sale_has_none_to_come(
    hall: Hall, show: bespeak.Resource, clock: Clock
) -> None:
    await hall.open(show.id)
    await hall.change(state="ended")
    with pytest.raises(InvalidRequest):
        await hall.change(opens_at=clock.now + timedelta(minutes=5))


async def test_a_draw_that_was_thrown_away_is_told_to_all(
    hall: Hall, show: bespeak.Resource, clock: Clock
) -> None:
    worker = await hall.open(show.id, after=60, public_value="4 8 15 16 23 42")
    promised = hall.room.seed_hash
    worker.join("ada")
    opened = await hall.change(state="open")
    await clock.advance(20)
    await hall.change(state="scheduled", opens_at=clock.now + timedelta(minutes=5))
    room = await worker.look()
    told = room_now(room, [show.id], clock.now)
    assert told.seed is None
    assert told.seed_hash != promised
    (one,) = told.taken_back
    assert one == hall.room.taken_back[0]
    assert (one.seed_hash, one.seed) == (promised, opened.seed)
    assert seed_hash(bytes.fromhex(one.seed)) == promised
    assert one.public_value == "4 8 15 16 23 42"
    assert one.taken_back_at - one.opened_at == timedelta(seconds=20)
    again = await hall.change(state="open")
    assert again.public_value != one.public_value, "what was named once is known by now"
    assert again.taken_back == (one,)


async def test_an_opening_is_taken_back_so_often_and_no_more(
    hall: Hall, show: bespeak.Resource, clock: Clock
) -> None:
    await hall.open(show.id)
    for _ in range(TAKEN_BACK_MAX):  # at one time of the clock
        await taken_back(hall, clock)
    assert len({one.seed for one in hall.room.taken_back}) == TAKEN_BACK_MAX
    await hall.change(state="open")
    with pytest.raises(OpeningsTakenBack) as refused:
        await hall.change(state="scheduled", opens_at=clock.now + timedelta(minutes=5))
    assert refused.value.data["limit"] == TAKEN_BACK_MAX
    assert hall.room.state == "open"


async def test_an_audit_says_which_draw_a_hash_was_of(
    hall: Hall,
    show: bespeak.Resource,
    connection: Connection,
    clock: Clock,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    worker = await hall.open(show.id)
    first = hall.room.seed_hash
    worker.join("ada")
    await taken_back(hall, clock)
    at, second = clock.now, hall.room.seed_hash
    await hall.change(state="open")
    lines = [line async for line in audit_lines(connection, hall.room.id)]
    by_second = check_audit(lines, second)
    assert (by_second.is_good, by_second.taken_back) == (True, 1)
    assert by_second.hash_taken_back_at is None
    by_first = check_audit(lines, first)
    assert not by_first.is_good, "this was promised, and is not how the order was drawn"
    assert by_first.hash_taken_back_at == at
    file = tmp_path / "audit.jsonl"
    file.write_bytes(b"".join(lines))
    assert check(str(file), seed_hash=first) == 1
    assert "taken back at 2030-01-01" in capsys.readouterr().out
    # Whoever writes a file by hand cannot say that a hash was of a draw that it was not.
    room = msgspec.json.decode(lines[0])
    room["taken_back"][0]["seed"] = "00" * 32
    forged = check_audit([msgspec.json.encode(room), *lines[1:]], first)
    assert forged.hash_taken_back_at is None
    assert not forged.is_promised_seed
