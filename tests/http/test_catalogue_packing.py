"""A cinema's catalogue is packed on its way: its lists, and the drawings of its posters."""

import msgspec

from bespeak.verticals.cinema import catalogue_changes
from tests.harness.catalogues import FILMS
from tests.http.api import Api, document
from tests.http.workspaces import ACME, act_in, found_acme

ROOT = "/v1/cinema"
DRAWING = "<svg xmlns='http://www.w3.org/2000/svg'>" + "<path d='M0 0h9'/>" * 200 + "</svg>"


async def stocked(api: Api) -> str:
    """Films with much to read, and the path of the drawing of the last one."""
    for one in FILMS:
        film = msgspec.structs.replace(one, synopsis="It snows. " * 100)
        made = await catalogue_changes.put_film(api.connection, film)
    await api.connection.execute("update cinema.film set poster = $1", DRAWING)
    return f"{ROOT}/films/{made.id}/poster.svg"


async def test_a_list_is_packed_and_says_the_same(api: Api) -> None:
    await stocked(api)
    plain = await api.ask("GET", f"{ROOT}/films", key="pk", accept_encoding="identity")
    packed = await api.ask("GET", f"{ROOT}/films", key="pk", accept_encoding="gzip")
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < int(plain.headers["content-length"]) / 2
    assert packed.json() == plain.json()
    for answer in (plain, packed):
        assert {"accept-language", "accept-encoding"} <= set(
            answer.headers["vary"].replace(" ", "").split(",")
        )


async def test_a_drawing_is_packed_and_known_again(api: Api) -> None:
    path = await stocked(api)
    packed = await api.ask("GET", path, key=None, accept_encoding="gzip")
    plain = await api.ask("GET", path, key=None, accept_encoding="identity")
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.text == plain.text == DRAWING
    # The same to whoever has either: a weak tag, of what is said and not of its bytes.
    tag = packed.headers["etag"]
    assert tag.startswith('W/"') and plain.headers["etag"] == tag
    again = await api.ask("GET", path, key=None, accept_encoding="gzip", if_none_match=tag)
    assert (again.status_code, again.content) == (304, b"")
    # A cache between gives what is packed to nobody who cannot read it.
    assert all(one.headers["vary"] == "accept-encoding" for one in (packed, plain, again))
    head = await api.ask("HEAD", path, key=None, accept_encoding="gzip")
    assert head.content == b""
    assert head.headers["content-length"] == packed.headers["content-length"]


async def test_an_answer_is_packed_after_it_was_looked_through(api: Api) -> None:
    """With more than one workspace, each answer is searched for what is not the caller's."""
    await found_acme(api)
    await stocked(api)
    packed = await api.ask("GET", f"{ROOT}/films", key="pk", accept_encoding="gzip")
    assert (packed.status_code, packed.headers["content-encoding"]) == (200, "gzip")
    assert len(packed.json()["items"]) == len(FILMS)


async def test_a_long_availability_of_a_workspace_is_packed(api: Api) -> None:
    await found_acme(api)
    act_in(api, ACME)
    rows = [{"name": "A", "seats": 100}]
    plan = {"type": "seats", "sections": [{"name": "Stalls", "rows": rows}]}
    show = document(
        await api.ask("POST", "/v1/resources", {"name": "Long", "plan": plan}, key="ak"), 201
    )
    path = f"/v1/resources/{show['id']}"
    lines = [{"unit": f"A{seat}"} for seat in range(1, 101)]
    blocked = await api.ask("POST", f"{path}/blocks", {"reason": "rain", "lines": lines}, key="ak")
    document(blocked, 201)
    for coding, told in (("gzip", "gzip"), ("identity", None), ("gzip;q=0", None)):
        seen = await api.ask("GET", f"{path}/availability", accept_encoding=coding)
        assert len(document(seen, 200)["taken"]) == 100  # type: ignore[arg-type]
        assert seen.headers.get("content-encoding") == told
