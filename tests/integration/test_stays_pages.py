"""The pages by which the search reads all listings cost what is on them, however many pictures
there are.
"""

from bespeak.postgres.queries import load
from tests.harness.database import Connection

PAGE = load("bespeak.verticals.stays.search", "index.sql")["page"]
# Wherever an index would do, it is taken: the plan of a large table, without one.
INDEXED = "set enable_seqscan = off"


async def test_the_first_picture_is_found_by_an_index(connection: Connection) -> None:
    await connection.execute(INDEXED)
    await connection.execute("set plan_cache_mode = force_generic_plan")
    kinds = "bigint, integer, text, bigint[], float8, float8, float8, float8"
    await connection.execute(f"prepare page ({kinds}) as {PAGE}")
    rows = await connection.fetch(
        "explain execute page (0, 500, '2030-01-01', null, null, null, null, null)"
    )
    plan = "\n".join(row[0] for row in rows)
    assert "listing_picture_place" in plan
    assert "property_picture_place" in plan
    assert "Seq Scan on shown_picture" not in plan
    listings = plan.index("Limit")
    assert listings < plan.index("shown_picture"), f"pictures of the page alone\n{plan}"
