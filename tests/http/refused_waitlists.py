"""How the calls about waitlists refuse."""

from bespeak import NightsPlan, ids
from bespeak.waitlists.entry import NewWaitlistEntry
from bespeak.waitlists.waitlist import NewWaitlist, Waitlist
from bespeak.waitlists.wish import WaitlistWish, WantedPlace
from tests.http.api import Json, Request
from tests.http.scenarios import NO_RESOURCE, Stage, refuses

ALL, ONE = "/v1/waitlists", "/v1/waitlists/{waitlist_id}"
CREATE, READ, CHANGE, END = f"POST {ALL}", f"GET {ONE}", f"PATCH {ONE}", f"DELETE {ONE}"
JOIN, LIST = f"POST {ONE}/entries", f"GET {ONE}/entries"
OF_RESOURCE = "GET /v1/resources/{resource_id}/waitlists"
ENTRY = "/v1/waitlist-entries/{entry_id}"
GET, LEAVE = f"GET {ENTRY}", f"DELETE {ENTRY}"
ACCEPT, DECLINE = f"POST {ENTRY}/accept", f"POST {ENTRY}/decline"
REMOVE, OUTLOOK = f"POST {ENTRY}/remove", f"GET {ONE}/outlook"
MINE = "GET /v1/waitlist-entries"
NO_LIST, NO_ENTRY = f"{ids.WAITLIST}_{'0' * 26}", f"{ids.WAITLIST_ENTRY}_{'0' * 26}"


async def listed(stage: Stage, **settings: object) -> Waitlist:
    """A waitlist of the stage's show."""
    new = NewWaitlist(resource_ids=(stage.show.id,), **settings)  # type: ignore[arg-type]
    return await stage.api.service.engine.waitlists.create(new)


async def entered(stage: Stage, waitlist: Waitlist, owner: str = "asha") -> str:
    """An entry of that list, by its id."""
    new = NewWaitlistEntry(wish=WaitlistWish(party=1, places=(WantedPlace(stage.show.id),)))
    joined = await stage.api.service.engine.waitlists.join(waitlist.id, new, owner=owner)
    return joined.id


def wanted(resource_id: str, **more: object) -> Json:
    wish = {"party": 1, "places": [{"resource_id": resource_id}], **more}
    return {"wish": wish, "owner": "asha"}


def of_list(name: str, stage: Stage, waitlist: str, body: Json | None = None) -> Request:
    method, path = name.split(" ")
    if method == "PATCH":
        body = body or {"party_max": 2}
    elif method == "POST":
        body = body or wanted(stage.show.id)
    return Request(method, path.replace("{waitlist_id}", waitlist), body, "ak")


def of_entry(name: str, entry: str, **headers: str) -> Request:
    method, path = name.split(" ")
    key = "pk" if headers else "sk"
    body: Json | None = None
    if name == REMOVE:
        body, key = {"note": "ill"}, "ak"
    return Request(method, path.replace("{entry_id}", entry), body, key, headers)


def shopper(stage: Stage, owner: str = "mallory") -> dict[str, str]:
    return {"Bespeak-Shopper": stage.api.token(owner)}


@refuses(CREATE, "invalid_id", kind="res")
async def of_what_is_no_resource(_stage: Stage) -> Request:
    return Request("POST", ALL, {"resource_ids": ["show-1"]}, "ak")


@refuses(CREATE, "resource_not_found", resource_id=NO_RESOURCE)
async def of_no_such_resource(_stage: Stage) -> Request:
    return Request("POST", ALL, {"resource_ids": [NO_RESOURCE]}, "ak")


@refuses(CREATE, "invalid_request", field="resource_ids")
async def of_a_resource_twice(stage: Stage) -> Request:
    return Request("POST", ALL, {"resource_ids": [stage.show.id] * 2}, "ak")


@refuses(CREATE, "resource_has_waitlist")
async def of_a_resource_that_has_one(stage: Stage) -> Request:
    await listed(stage)
    return Request("POST", ALL, {"resource_ids": [stage.show.id]}, "ak")


for each in (READ, CHANGE, END, JOIN, LIST, OUTLOOK):

    @refuses(each, "invalid_id", kind="wtl")
    async def by_no_id(stage: Stage, name: str = each) -> Request:
        return of_list(name, stage, "waitlist-1")

    @refuses(each, "waitlist_not_found")
    async def that_there_is_not(stage: Stage, name: str = each) -> Request:
        return of_list(name, stage, NO_LIST)


@refuses(CHANGE, "version_mismatch", version=1)
async def of_another_version(stage: Stage) -> Request:
    return of_list(CHANGE, stage, (await listed(stage)).id, {"version": 7})


@refuses(CHANGE, "invalid_request")
async def to_a_policy_that_there_is_not(stage: Stage) -> Request:
    return of_list(CHANGE, stage, (await listed(stage)).id, {"policy": "money"})


for each in (CHANGE, JOIN):

    @refuses(each, "waitlist_closed")
    async def that_has_ended(stage: Stage, name: str = each) -> Request:
        waitlist = await listed(stage)
        await stage.api.service.engine.waitlists.end(waitlist.id)
        return of_list(name, stage, waitlist.id)


@refuses(LIST, "invalid_cursor")
async def after_no_place(stage: Stage) -> Request:
    waitlist = await listed(stage)
    return Request("GET", f"{ALL}/{waitlist.id}/entries?after=first", None, "ak")


@refuses(LIST, "invalid_request")
async def in_no_state(stage: Stage) -> Request:
    waitlist = await listed(stage)
    return Request("GET", f"{ALL}/{waitlist.id}/entries?state=angry", None, "ak")


@refuses(OUTLOOK, "invalid_request")
async def of_nothing_that_frees(stage: Stage) -> Request:
    waitlist = await listed(stage)
    return Request("GET", f"{ALL}/{waitlist.id}/outlook?of=luck", None, "ak")


@refuses(OF_RESOURCE, "invalid_id", kind="res")
async def found_by_no_id(_stage: Stage) -> Request:
    return Request("GET", "/v1/resources/show-1/waitlists")


@refuses(OF_RESOURCE, "resource_not_found", resource_id=NO_RESOURCE)
async def found_by_no_resource(_stage: Stage) -> Request:
    return Request("GET", f"/v1/resources/{NO_RESOURCE}/waitlists")


@refuses(JOIN, "invalid_request", field="wish.categories[0]")
async def for_a_category_that_there_is_not(stage: Stage) -> Request:
    body = wanted(stage.show.id, categories=["Moon"])
    return of_list(JOIN, stage, (await listed(stage)).id, body)


@refuses(JOIN, "not_on_sale", field="wish.places[0].from")
async def for_a_night_alone_where_two_are_the_least(stage: Stage) -> Request:
    room = await stage.make_show(kind="room", plan=NightsPlan(count=2, min_nights=2))
    waitlists = stage.api.service.engine.waitlists
    listed_room = await waitlists.create(NewWaitlist(resource_ids=(room.id,)))
    place = {"resource_id": room.id, "from": "2030-02-01", "to": "2030-02-02"}
    return of_list(JOIN, stage, listed_room.id, wanted(room.id, places=[place]))


@refuses(JOIN, "resource_not_found", resource_id=NO_RESOURCE)
async def for_a_place_that_there_is_not(stage: Stage) -> Request:
    return of_list(JOIN, stage, (await listed(stage)).id, wanted(NO_RESOURCE))


@refuses(JOIN, "waitlist_full", limit=1)
async def where_as_many_wait_as_may(stage: Stage) -> Request:
    waitlist = await listed(stage, entries_max=1)
    await entered(stage, waitlist, "bela")
    return of_list(JOIN, stage, waitlist.id)


@refuses(JOIN, "waitlist_entries_too_many", limit=1)
async def who_waits_already(stage: Stage) -> Request:
    waitlist = await listed(stage)
    await entered(stage, waitlist)
    return of_list(JOIN, stage, waitlist.id)


@refuses(JOIN, "idempotency_key_reused")
async def by_a_key_of_another_wish(stage: Stage) -> Request:
    waitlist = await listed(stage)
    new = NewWaitlistEntry(wish=WaitlistWish(party=2, places=(WantedPlace(stage.show.id),)))
    waitlists = stage.api.service.engine.waitlists
    await waitlists.join(waitlist.id, new, owner="asha", idempotency_key="k")
    asked = of_list(JOIN, stage, waitlist.id)
    return Request(asked.method, asked.path, asked.body, "sk", {"Idempotency-Key": "k"})


@refuses(JOIN, "not_owner")
async def for_somebody_else(stage: Stage) -> Request:
    path = f"{ALL}/{(await listed(stage)).id}/entries"
    return Request("POST", path, wanted(stage.show.id), "pk", shopper(stage))


@refuses(MINE, "not_owner")
async def those_of_somebody_else(stage: Stage) -> Request:
    return Request("GET", "/v1/waitlist-entries?owner=asha", None, "pk", shopper(stage))


@refuses(MINE, "invalid_cursor")
async def those_behind_nothing(stage: Stage) -> Request:
    return Request("GET", "/v1/waitlist-entries?after=5", None, "pk", shopper(stage))


@refuses(MINE, "invalid_request")
async def those_of_nobody(_stage: Stage) -> Request:
    return Request("GET", "/v1/waitlist-entries")


for each in (GET, LEAVE, ACCEPT, DECLINE, REMOVE):

    @refuses(each, "invalid_id", kind="wle")
    async def an_entry_by_no_id(_stage: Stage, name: str = each) -> Request:
        return of_entry(name, "entry-1")

    @refuses(each, "waitlist_entry_not_found")
    async def an_entry_that_there_is_not(_stage: Stage, name: str = each) -> Request:
        return of_entry(name, NO_ENTRY)


@refuses(REMOVE, "invalid_request")
async def removed_without_a_word(stage: Stage) -> Request:
    entry = await entered(stage, await listed(stage))
    return Request("POST", f"/v1/waitlist-entries/{entry}/remove", {"note": ""}, "ak")


for each in (GET, LEAVE, ACCEPT, DECLINE):

    @refuses(each, "not_owner")
    async def an_entry_of_somebody_else(stage: Stage, name: str = each) -> Request:
        entry = await entered(stage, await listed(stage))
        return of_entry(name, entry, **shopper(stage))


for each in (ACCEPT, DECLINE):

    @refuses(each, "no_offer_stands", state="waiting")
    async def of_who_only_waits(stage: Stage, name: str = each) -> Request:
        return of_entry(name, await entered(stage, await listed(stage)))


@refuses("POST /v1/holds", "kept_for_waitlist")
async def a_guest_of_what_is_kept(stage: Stage) -> Request:
    await stage.api.connection.execute(
        "select bespeak.keep_for_waitlist($1, $1, null)", [ids.parse_resource(stage.show.id)]
    )
    body: Json = {"lines": [{"resource_id": stage.show.id, "unit": "A1"}]}
    return Request("POST", "/v1/holds", body, "pk", shopper(stage))
