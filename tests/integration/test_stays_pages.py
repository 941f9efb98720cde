"""The parts by which the search reads all listings cost what is in them, however many listings and
pictures there are.
"""

from bespeak.postgres.queries import load
from tests.harness.database import Connection

_QUERIES = load("bespeak.verticals.stays.search", "index.sql")
# Wherever an index would do, it is taken: the plan of a large table, without one.
INDEXED = "set enable_seqscan = off"
_KINDS = "bigint[], text, float8, float8, float8, float8"
_EVERYWHERE = "'2030-01-01', null, null, null, null"


async def _plan(connection: Connection, name: str, kinds: str, values: str) -> str:
    await connection.execute("set plan_cache_mode = force_generic_plan")
    await connection.execute(f"prepare part ({kinds}) as {_QUERIES[name]}")
    return "\n".join(row[0] for row in await connection.fetch(f"explain execute part ({values})"))


async def test_the_first_picture_is_found_by_an_index(connection: Connection) -> None:
    await connection.execute(INDEXED)
    kinds = "bigint[], text, float8, float8, float8, float8"
    plan = await _plan(
        connection, "listings", kinds, "'{1,2}', '2030-01-01', null, null, null, null"
    )
    assert "listing_picture_place" in plan
    assert "property_picture_place" in plan
    assert "Seq Scan on shown_picture" not in plan


async def test_a_resource_is_found_by_its_key_whatever_is_guessed_of_plans(
    connection: Connection,
) -> None:
    """Of many resources, all with plans of nights, which the planner takes for few."""
    await connection.execute(
        """
        insert into bespeak.resource (resource_id, name, kind, plan)
        select n, 'a room', 'stay', '{"type": "nights"}' from generate_series(1, 2000) as n
        """
    )
    await connection.execute("analyze bespeak.resource")
    numbers = ",".join(map(str, range(1, 501)))
    plan = await _plan(connection, "listings", _KINDS, f"'{{{numbers}}}', {_EVERYWHERE}")
    assert "resource_pkey" in plan
    assert "Seq Scan on resource" not in plan


async def test_the_next_numbers_are_read_in_their_order(connection: Connection) -> None:
    await connection.execute(INDEXED)
    plan = await _plan(connection, "numbers", "bigint, integer", "0, 500")
    assert "listing_pkey" in plan
    assert "Sort" not in plan
