"""More requests than fit, a server that stops, a database that goes away and comes back."""

import asyncio
from collections import Counter

import httpx

from bespeak import Resource
from tests.harness import database
from tests.harness.database import Connection
from tests.http.api import SETTINGS, Api, Request, document, opened, place, problem, until
from tests.http.conftest import OpenApi
from tests.http.outage import Wire, give_up_soon


async def waiting(api: Api, count: int) -> None:
    """Waits until so many requests wait for the committer."""
    await until(lambda: api.service.engine.committer.waiting >= count)


async def seize(connection: Connection) -> None:
    """Keeps every hold from being written until the transaction ends."""
    await connection.execute("begin")
    await connection.execute("lock table bespeak.claim in exclusive mode")


async def send_all(api: Api, requests: list[Request]) -> list[asyncio.Task[httpx.Response]]:
    """Sends requests one after the other, and waits for none of them."""
    tasks = []
    for request in requests:
        tasks.append(asyncio.create_task(api.send(request)))
        await asyncio.sleep(0)
    return tasks


async def test_what_does_not_fit_is_refused_at_once(
    open_api: OpenApi, show: Resource, database_url: str
) -> None:
    api = await open_api(queue_max=2)
    await api.hold(show, "A20")
    kept = await api.hold(show, "A19")
    async with database.session(database_url) as blocker:
        await seize(blocker)
        accepted = await send_all(api, [place(show, "A1"), place(show, "A2")])
        await waiting(api, 2)
        before = await api.holds()
        for _ in range(5):
            refused = problem(await api.send(place(show, "A3")), "overloaded")
            assert 1 <= int(str(refused["retry_after_seconds"])) <= 4
        problem(await api.ask("DELETE", f"/v1/holds/{kept['id']}"), "overloaded")
        problem(await api.ask("GET", "/readyz", key=None), "overloaded")
        document(await api.ask("GET", "/healthz", key=None), 200)
        # What only reads goes on.
        await api.get(f"/v1/holds/{kept['id']}")
        await api.get(f"/v1/resources/{show.id}/availability")
        assert await api.holds() == before
        await blocker.execute("rollback")
        for task in accepted:
            document(await task, 201)
    document(await api.ask("GET", "/readyz", key=None), 200)
    taken = (await api.get(f"/v1/resources/{show.id}/availability"))["taken"]
    assert isinstance(taken, dict)
    assert sorted(taken) == ["A1", "A19", "A2", "A20"]


async def test_a_server_that_stops_answers_everyone(
    database_url: str, connection: Connection, show: Resource
) -> None:
    async with database.session(database_url) as blocker, asyncio.timeout(20):
        async with opened(SETTINGS, database_url, connection) as api:
            await api.hold(show, "A20")
            await seize(blocker)
            accepted = await send_all(api, [place(show, f"A{n}") for n in range(1, 9)])
            await waiting(api, 8)
            client, app, keys = api.client, api.app, api.keys
            release = asyncio.create_task(_release_when_closing(api, blocker))
        # The lifespan has ended: all that was taken is answered, and true.
        await release
        assert all(task.done() for task in accepted)
        holds = [document(task.result(), 201) for task in accepted]
        late = await httpx.AsyncClient(
            transport=client._transport, base_url="http://bespeak.test"
        ).post("/v1/holds", headers={"Authorization": f"Bearer {keys['sk']}"})
        problem(late, "shutting_down")
        assert app._service is None
    kept = await connection.fetchval("select count(*) from bespeak.hold where state = 'held'")
    assert kept == len(holds) + 1


async def _release_when_closing(api: Api, blocker: Connection) -> None:
    committer = api.service.engine.committer
    await until(lambda: committer._closing)
    await blocker.execute("rollback")


async def test_a_server_takes_no_more_once_it_stops(api: Api, show: Resource) -> None:
    hold = await api.hold(show, "A1")
    before = await api.snapshot()
    api.service.engine.committer._closing = True
    try:
        problem(await api.ask("DELETE", f"/v1/holds/{hold['id']}"), "shutting_down")
        confirm = await api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]})
        assert confirm.status_code == 503
    finally:
        api.service.engine.committer._closing = False
    assert await api.snapshot() == before
    document(await api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]}), 201)


async def test_it_finds_the_database_again_by_itself(
    wire: Wire, connection: Connection, show: Resource
) -> None:
    async with opened(SETTINGS, wire.url, connection) as api, asyncio.timeout(30):
        hold = await api.hold(show, "A1")
        booking = await api.booking(show, "A2")
        before = await api.snapshot()
        await api.ask("GET", "/v1/resources", key="ak")
        await wire.cut()
        give_up_soon(api.service.engine.committer)
        path = f"/v1/resources/{show.id}"
        calls = [
            place(show, "A3"),
            Request("GET", f"/v1/holds/{hold['id']}"),
            Request("DELETE", f"/v1/holds/{hold['id']}"),
            Request("POST", f"/v1/holds/{hold['id']}/extend", {"seconds": 900}),
            Request("POST", "/v1/bookings", {"hold_id": hold["id"]}),
            Request("GET", f"/v1/bookings/{booking['id']}"),
            Request("DELETE", f"/v1/bookings/{booking['id']}"),
            Request("GET", "/v1/resources"),
            Request("GET", path),
            Request("GET", f"{path}/availability"),
            Request("GET", f"{path}/audit"),
            Request("GET", f"{path}/blocks"),
            Request("GET", "/v1/events"),
            Request("GET", "/v1/keys", key="ak"),
            Request("POST", f"{path}/blocks", {"lines": [{"unit": "A5"}], "reason": "r"}, "ak"),
            Request("PATCH", path, {"name": "Other"}, "ak"),
        ]
        for request in calls:
            problem(await api.send(request), "database_unavailable")
        problem(await api.ask("GET", "/readyz", key=None), "database_unavailable")
        document(await api.ask("GET", "/healthz", key=None), 200)
        assert await api.snapshot() == before
        await wire.mend()
        await ready(api)
        document(await api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]}), 201)
        await api.hold(show, "A3")
    assert await database.problems(connection) == []


async def test_a_short_absence_is_waited_out(
    wire: Wire, connection: Connection, show: Resource
) -> None:
    async with opened(SETTINGS, wire.url, connection) as api, asyncio.timeout(30):
        await api.hold(show, "A1")
        await wire.cut()
        request = place(show, "A2")
        keyed = Request("POST", "/v1/holds", request.body, "sk", {"Idempotency-Key": "k"})
        tasks = await send_all(api, [keyed, place(show, "A3")])
        await waiting(api, 2)
        await wire.mend()
        held = [document(await task, 201) for task in tasks]
        assert held[0]["id"] == document(await api.send(keyed), 201)["id"]
    assert await database.problems(connection) == []


async def ready(api: Api) -> None:
    """Waits until the process says that it can work."""

    async def is_ready() -> bool:
        return (await api.ask("GET", "/readyz", key=None)).status_code == 200

    await until(is_ready)


async def test_reads_are_answered_or_refused_while_connections_die(
    api: Api, connection: Connection, show: Resource
) -> None:
    paths = ("/v1/events", f"/v1/resources/{show.id}/availability", "/readyz")
    heard: Counter[int] = Counter()

    async def read(path: str) -> None:
        for _ in range(60):
            answer = await api.ask("GET", path)
            heard[answer.status_code] += 1
            if answer.status_code != 200:
                problem(answer, "database_unavailable")

    reading = asyncio.gather(*(read(path) for path in paths * 3))
    while not reading.done():
        await connection.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity"
            " where datname = current_database() and pid <> pg_backend_pid()"
        )
        await asyncio.sleep(0.005)
    await reading
    assert set(heard) == {200, 503}
