"""Many holds in one call of the library, with and without an event loop."""

import asyncio
from collections.abc import Sequence
from typing import cast

import msgspec
import pytest

import bespeak
from bespeak import (
    BespeakError,
    DatabaseUnavailable,
    Hold,
    InvalidRequest,
    Resource,
    ResourceChange,
    WantedHold,
)
from tests.conftest import SETTINGS
from tests.harness.database import Connection, problems, session
from tests.harness.shows import MakeShow, new_show, pool, seats, take


def wanted(show: Resource, *units: str, owner: str = "asha", **fields: object) -> WantedHold:
    values: dict[str, object] = {"owner": owner, "lines": seats(show, *units), **fields}
    return WantedHold(**values)  # type: ignore[arg-type]


def codes(outcomes: Sequence[Hold | BespeakError]) -> list[str]:
    return [one.code if isinstance(one, BespeakError) else one.state for one in outcomes]


async def test_each_has_its_outcome(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    await take(engine, seats(show, "A5"), "zoe")
    outcomes = await engine.place_holds(
        [
            wanted(show, "A1", "A2"),
            wanted(show, "A5"),
            WantedHold(owner="ben", lines=[pool(show, "floor", 9)], partial=True),
            WantedHold(owner="", lines=seats(show, "A7")),
            WantedHold(owner=5, lines=seats(show, "A7")),  # type: ignore[arg-type]
            WantedHold(owner="ben", lines=7),  # type: ignore[arg-type]
            WantedHold(owner="ben", lines=seats(show, "A8"), idempotency_key=["k"]),  # type: ignore[arg-type]
            wanted(show, "A8", hold_seconds=90),
        ]
    )
    assert codes(outcomes) == [
        "held", "unit_taken", "held", *["invalid_request"] * 4, "held",
    ]  # fmt: skip
    taken = cast("bespeak.UnitTaken", outcomes[1])
    assert [conflict.unit for conflict in taken.conflicts] == ["A5"]
    assert "alternatives" not in taken.data
    last = cast("Hold", outcomes[-1])
    assert (last.expires_at - last.created_at).total_seconds() == 90
    assert await engine.get_hold(last.id) == last
    assert await problems(connection) == []


async def test_lines_that_leave_a_choice_find_each_their_own(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    best = [bespeak.Line(show.id, best=bespeak.Best(quantity=2))]
    outcomes = await engine.place_holds([WantedHold(owner=f"o{n}", lines=best) for n in range(20)])
    held = [one for one in outcomes if isinstance(one, Hold)]
    units = [line.unit for hold in held for line in hold.lines]
    assert len(units) == len(set(units)) == 2 * len(held)
    assert len(held) >= 13, codes(outcomes)
    assert await problems(connection) == []


async def test_the_key_of_the_call(engine: bespeak.Engine, show: Resource) -> None:
    call = [wanted(show, f"A{n}") for n in range(1, 6)]
    first = await engine.place_holds(call, idempotency_key="import")
    again = await engine.place_holds(call, idempotency_key="import")
    assert [cast("Hold", one).id for one in again] == [cast("Hold", one).id for one in first]
    assert all(cast("Hold", one).replayed for one in again)
    alone = await take(engine, seats(show, "A3"), idempotency_key="import/2")
    assert alone.id == cast("Hold", first[2]).id


async def test_a_call_that_is_wrong_holds_nothing(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    twice = wanted(show, "A1", idempotency_key="k")
    for call in ([], [wanted(show, "A1")] * 501, [twice, twice]):
        with pytest.raises(InvalidRequest):
            await engine.place_holds(call)
    with pytest.raises(InvalidRequest, match="wanted is"):
        await engine.place_holds([1])  # type: ignore[list-item]
    assert await connection.fetchval("select count(*) from bespeak.hold") == 0


async def test_guests_find_what_is_published(engine: bespeak.Engine, make_show: MakeShow) -> None:
    show, draft = await make_show(), await make_show()
    await engine.update_resource(draft.id, ResourceChange(published=False))
    call = [wanted(show, "A1"), wanted(draft, "A1")]
    outcomes = await engine.for_guests().place_holds(call)
    assert codes(outcomes) == ["held", "resource_not_found"]


async def test_a_time_that_is_over_names_the_key_by_which_a_repeat_is_answered(
    engine: bespeak.Engine, show: Resource, database_url: str
) -> None:
    call = [wanted(show, f"A{n}", owner=f"o{n}") for n in range(1, 11)]
    await take(engine, seats(show, "A20"))  # the resource is known
    async with session(database_url) as other:
        transaction = other.transaction()
        await transaction.start()
        await other.execute("lock table bespeak.claim in exclusive mode")
        with pytest.raises(DatabaseUnavailable) as late:
            await engine.place_holds(call, timeout=0.3)
        await transaction.rollback()
    key = late.value.idempotency_key
    assert key is not None
    outcomes = await engine.place_holds(call, idempotency_key=key)
    assert codes(outcomes) == ["held"] * 10
    assert len({cast("Hold", one).id for one in outcomes}) == 10


async def test_a_single_hold_is_placed_while_a_batch_is(
    database_url: str, make_show: MakeShow, connection: Connection
) -> None:
    """That it goes first is shown with a scripted connection; here that both end well. With two
    lanes one of them could write the batch while a busy machine keeps the other waiting."""
    shows = [await make_show() for _ in range(20)]
    call = [wanted(show, f"A{n}", owner=f"o{n}") for n in range(1, 20) for show in shows]
    settings = msgspec.structs.replace(SETTINGS, lanes=1)
    async with bespeak.connect(database_url, settings=settings, sweep=False) as engine:
        await engine.quote([line for show in shows[:3] for line in seats(show, "A20")])  # known
        batch = asyncio.create_task(engine.place_holds(call))
        while not engine.committer.waiting:  # noqa: ASYNC110 (another task)
            await asyncio.sleep(0)
        singles = [await take(engine, seats(show, "A20"), "single") for show in shows[:3]]
        assert not batch.done(), "the last single hold was not written behind the batch"
        assert codes(await batch) == ["held"] * 380
    assert len(singles) == 3
    assert await problems(connection) == []


def test_without_an_event_loop(database_url: str) -> None:
    with bespeak.connect_sync(database_url, settings=SETTINGS, sweep=False) as blocking:
        show = blocking.create_resource(new_show())
        outcomes = blocking.place_holds([wanted(show, "A1"), wanted(show, "A1", owner="ben")])
    assert sorted(codes(outcomes)) == ["held", "unit_taken"]
