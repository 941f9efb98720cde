"""How each refusal of the calls about resources, blocks, the feed and keys comes about."""

from collections.abc import Mapping

from tests.harness.database import feed_settled
from tests.http.api import Json, Request, place_block
from tests.http.scenarios import (
    AUDIT,
    AVAILABILITY,
    BLOCK,
    BLOCK_TOGETHER,
    BLOCKS,
    CHANGE,
    EVENTS,
    EVENTS_SNAPSHOT,
    KEY,
    LIFT,
    NO_BLOCK,
    NO_RESOURCE,
    RESOURCE,
    RESOURCES,
    Stage,
    refuses,
)

PLAN: Json = {"type": "seats", "pools": [{"unit": "floor", "capacity": 2}]}
NEW: Json = {"name": "Show", "plan": PLAN}


def _for_each_of_a_resource(*endpoints: str) -> None:
    for endpoint in endpoints:
        method, path = endpoint.split()
        body: object = None
        if endpoint == CHANGE:
            body = {"name": "Other"}
        elif endpoint == BLOCK:
            body = {"lines": [{"unit": "A1"}], "reason": "r"}

        @refuses(endpoint, "invalid_id", kind="res")
        async def not_an_id(
            stage: Stage, method: str = method, path: str = path, body: object = body
        ) -> Request:
            return Request(method, path.replace("{resource_id}", "show-1"), body, "ak")

        @refuses(endpoint, "invalid_id", kind="res")
        async def capitals_in_an_id(
            stage: Stage, method: str = method, path: str = path, body: object = body
        ) -> Request:
            return Request(method, path.replace("{resource_id}", "res_0000000A"), body, "ak")

        @refuses(endpoint, "resource_not_found", resource_id=NO_RESOURCE)
        async def no_such_resource(
            stage: Stage, method: str = method, path: str = path, body: object = body
        ) -> Request:
            return Request(method, path.replace("{resource_id}", NO_RESOURCE), body, "ak")


_for_each_of_a_resource(RESOURCE, CHANGE, AVAILABILITY, AUDIT, BLOCKS, BLOCK)


def _for_each_list(*endpoints: str) -> None:
    for endpoint in endpoints:
        for bad in ("nonsense", "", "0-0%0a", "res_00000001%0a", "%00", "hold_" + "0" * 26):

            @refuses(endpoint, "invalid_cursor")
            async def not_a_cursor(
                stage: Stage, endpoint: str = endpoint, bad: str = bad
            ) -> Request:
                path = endpoint.split()[1].replace("{resource_id}", stage.show.id)
                return Request("GET", f"{path}?after={bad}", key="ak")


_for_each_list(RESOURCES, BLOCKS, EVENTS)


@refuses(EVENTS, "invalid_cursor")
async def a_cursor_beyond_all_numbers(stage: Stage) -> Request:
    return Request("GET", f"/v1/events?after={'f' * 17}-0", key="sk")


@refuses(EVENTS, "cursor_of_another_life", cursor=None)
async def a_cursor_of_no_life(stage: Stage) -> Request:
    return Request("GET", "/v1/events?after=2f4-1", key="sk")


@refuses(EVENTS, "cursor_expired")
async def a_cursor_from_before_the_oldest_event(stage: Stage) -> Request:
    connection = stage.api.connection
    await connection.execute(
        "insert into bespeak.event (resource_id, horizon, kind, at)"
        " select 1, bespeak.horizon(), 'changed', bespeak.now() from generate_series(1, 300)"
    )
    await feed_settled(connection)
    await connection.execute(
        "delete from bespeak.feed_page where first < (select max(first) from bespeak.feed_page)"
    )
    return Request("GET", "/v1/events?after=0-0", key="sk")


@refuses(EVENTS_SNAPSHOT, "invalid_cursor")
async def a_page_of_the_snapshot_that_it_did_not_give_out(stage: Stage) -> Request:
    return Request("GET", "/v1/events/snapshot?after=0-0", key="sk")


@refuses(EVENTS, "invalid_id", kind="res")
async def events_of_nothing(stage: Stage) -> Request:
    return Request("GET", "/v1/events?resource_id=show-1", key="sk")


@refuses(RESOURCES, "invalid_request", field="kind")
async def a_kind_that_no_kind_can_be(stage: Stage) -> Request:
    return Request("GET", "/v1/resources?kind=%00", key="sk")


@refuses(CHANGE, "plan_changed")
async def a_long_transaction_places_holds(stage: Stage) -> Request:
    connection = await stage.open_transaction()
    line = (stage.show.id, "A1")
    await connection.execute("select bespeak.place_hold('eve', array[$1], array[$2])", *line)
    return Request("PATCH", f"/v1/resources/{stage.show.id}", {"plan": PLAN}, "ak")


@refuses(CHANGE, "resource_called_off")
async def opened_by_a_change_after_it_was_called_off(stage: Stage) -> Request:
    path = f"/v1/resources/{stage.show.id}"
    await stage.api.ask("POST", f"{path}/cancellation", {"reason": "storm"})
    return Request("PATCH", path, {"state": "open"}, "ak")


@refuses(CHANGE, "version_mismatch", version=1)
async def changed_since(stage: Stage) -> Request:
    return Request("PATCH", f"/v1/resources/{stage.show.id}", {"version": 2, "name": "B"}, "ak")


@refuses(CHANGE, "resource_in_use", units=["A1"])
async def a_plan_without_a_held_seat(stage: Stage) -> Request:
    await stage.api.hold(stage.show, "A1")
    return Request("PATCH", f"/v1/resources/{stage.show.id}", {"plan": PLAN}, "ak")


@refuses(CHANGE, "resource_in_use", units=["gallery"])
async def a_plan_without_a_drawn_pool(stage: Stage) -> Request:
    await stage.api.booking(stage.show, "gallery 1")
    return Request("PATCH", f"/v1/resources/{stage.show.id}", {"plan": PLAN}, "ak")


@refuses(BLOCK, "unit_taken")
async def block_a_held_unit(stage: Stage) -> Request:
    await stage.api.hold(stage.show, "A1")
    return place_block(stage.show, "A2", "A1")


@refuses(BLOCK, "unit_taken")
async def block_a_blocked_unit(stage: Stage) -> Request:
    await stage.api.block(stage.show, "A1")
    return place_block(stage.show, "A1")


@refuses(BLOCK, "sold_out")
async def block_more_than_is_left(stage: Stage) -> Request:
    await stage.api.hold(stage.show, "floor 4")
    return place_block(stage.show, "A1", "floor 2")


@refuses(BLOCK, "unknown_unit", unit="Z9")
async def block_no_such_unit(stage: Stage) -> Request:
    return place_block(stage.show, "A1", "Z9")


@refuses(BLOCK, "duplicate_line")
async def block_twice_the_same(stage: Stage) -> Request:
    return place_block(stage.show, "A1", "A1")


def _together(*resources: Mapping[str, object]) -> Request:
    return Request("POST", "/v1/blocks", {"resources": list(resources), "reason": "paint"}, "ak")


@refuses(BLOCK_TOGETHER, "unit_taken")
async def block_together_what_is_held_of_one(stage: Stage) -> Request:
    await stage.api.hold(stage.show, "A1")
    other = await stage.make_show()
    return _together(
        {"resource_id": other.id, "lines": [{"unit": "A1"}]},
        {"resource_id": stage.show.id, "lines": [{"unit": "A1"}]},
    )


@refuses(BLOCK_TOGETHER, "sold_out")
async def block_together_more_than_is_left(stage: Stage) -> Request:
    return _together({"resource_id": stage.show.id, "lines": [{"unit": "floor", "quantity": 99}]})


@refuses(BLOCK_TOGETHER, "unknown_unit", unit="Z9")
async def block_together_no_such_unit(stage: Stage) -> Request:
    return _together({"resource_id": stage.show.id, "lines": [{"unit": "Z9"}]})


@refuses(BLOCK_TOGETHER, "duplicate_line")
async def block_together_twice_the_same(stage: Stage) -> Request:
    lines = [{"unit": "A1"}, {"unit": "A1"}]
    return _together({"resource_id": stage.show.id, "lines": lines})


@refuses(BLOCK_TOGETHER, "invalid_request", field="resources")
async def block_together_a_resource_twice(stage: Stage) -> Request:
    one = {"resource_id": stage.show.id, "lines": [{"unit": "A1"}]}
    return _together(one, one)


@refuses(BLOCK_TOGETHER, "invalid_id")
async def block_together_something_that_is_no_resource(_stage: Stage) -> Request:
    return _together({"resource_id": "hold_1", "lines": [{"unit": "A1"}]})


@refuses(BLOCK_TOGETHER, "resource_not_found")
async def block_together_what_is_not_there(_stage: Stage) -> Request:
    return _together({"resource_id": NO_RESOURCE, "lines": [{"unit": "A1"}]})


@refuses(BLOCK, "invalid_request", field="reason")
async def block_for_a_reason_with_controls(stage: Stage) -> Request:
    return place_block(stage.show, "A1", reason="a\x00b")


@refuses(BLOCK, "invalid_request", field="lines[0].quantity")
async def block_more_than_a_number_holds(stage: Stage) -> Request:
    return place_block(stage.show, f"floor {2**40}")


@refuses(LIFT, "invalid_id", kind="blk")
async def lift_a_resource(stage: Stage) -> Request:
    path = f"/v1/resources/{stage.show.id}/blocks/{stage.show.id}"
    return Request("DELETE", path, key="ak")


@refuses(LIFT, "block_not_found")
async def lift_no_such_block(stage: Stage) -> Request:
    return Request("DELETE", f"/v1/resources/{stage.show.id}/blocks/{NO_BLOCK}", key="ak")


@refuses(LIFT, "block_not_found")
async def lift_it_from_another_resource(stage: Stage) -> Request:
    other = await stage.make_show()
    block = await stage.api.block(stage.show, "A1")
    return Request("DELETE", f"/v1/resources/{other.id}/blocks/{block['id']}", key="ak")


@refuses(LIFT, "not_blocked")
async def lifted_before(stage: Stage) -> Request:
    block = await stage.api.block(stage.show, "A1")
    path = f"/v1/resources/{stage.show.id}/blocks/{block['id']}"
    await stage.api.ask("DELETE", path, key="ak")
    return Request("DELETE", path, key="ak")


@refuses(LIFT, "not_blocked")
async def lift_more_than_was_blocked(stage: Stage) -> Request:
    block = await stage.api.block(stage.show, "floor 2")
    path = f"/v1/resources/{stage.show.id}/blocks/{block['id']}"
    return Request("DELETE", path, {"lines": [{"unit": "floor", "quantity": 3}]}, "ak")


@refuses(LIFT, "duplicate_line")
async def lift_twice_the_same(stage: Stage) -> Request:
    block = await stage.api.block(stage.show, "A1")
    path = f"/v1/resources/{stage.show.id}/blocks/{block['id']}"
    return Request("DELETE", path, {"lines": [{"unit": "A1"}, {"unit": "A1"}]}, "ak")


@refuses(LIFT, "invalid_request", field="lines")
async def lift_a_unit_with_a_zero_byte(stage: Stage) -> Request:
    block = await stage.api.block(stage.show, "A1")
    path = f"/v1/resources/{stage.show.id}/blocks/{block['id']}"
    return Request("DELETE", path, {"lines": [{"unit": "A\x001"}]}, "ak")


@refuses(KEY, "key_not_found")
async def revoke_no_such_key(stage: Stage) -> Request:
    return Request("DELETE", "/v1/keys/key_none", key="ak")


@refuses(KEY, "key_not_found")
async def revoke_a_zero_byte(stage: Stage) -> Request:
    return Request("DELETE", "/v1/keys/%00", key="ak")
