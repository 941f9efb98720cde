"""Pictures of productions: drawn anew, in two sizes, at an address that no other picture has."""

from base64 import b64decode
from io import BytesIO
from typing import cast

import httpx
from PIL import Image

from tests.http.api import Api, Json, document, problem
from tests.http.programmes import PRODUCTION, ROOT, drawn, made


async def pictured(api: Api, picture: str) -> Json:
    production = await made(api, "/productions", PRODUCTION)
    return await put(api, production, picture)


async def put(api: Api, production: Json, picture: str) -> Json:
    path = f"{ROOT}/productions/{production['id']}/picture"
    return document(await api.ask("PUT", path, {"picture": picture}, key="ak"), 200)


def shown(answer: httpx.Response) -> Image.Image:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/webp"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in answer.headers["content-security-policy"]
    return Image.open(BytesIO(answer.content), formats=("WEBP",))


async def test_a_picture_is_drawn_in_two_sizes(api: Api) -> None:
    production = await pictured(api, drawn(3200, 1800, "JPEG"))
    path = str(production["picture"])
    assert shown(await api.ask("GET", path, key=None)).size == (1600, 900)
    assert shown(await api.ask("GET", f"{path}&size=card", key=None)).size == (640, 360)


async def test_a_small_picture_stays_small(api: Api) -> None:
    production = await pictured(api, drawn(30, 20))
    assert shown(await api.ask("GET", str(production["picture"]), key=None)).size == (30, 20)


async def test_another_picture_has_another_address_and_is_kept_for_ever(api: Api) -> None:
    production = await pictured(api, drawn(30, 20))
    first = str(production["picture"])
    answer = await api.ask("GET", first, key=None)
    assert "max-age=31536000" in answer.headers["cache-control"]
    same = await api.ask("GET", first, key=None, if_none_match=answer.headers["etag"])
    assert same.status_code == 304
    other = await put(api, production, drawn(31, 20))
    assert other["picture"] != first
    # Whoever has the old address gets the new picture, and is not told to keep it.
    late = await api.ask("GET", first, key=None)
    assert shown(late).size == (31, 20)
    assert "max-age" not in late.headers["cache-control"]


async def test_nothing_but_the_pixels_is_kept(api: Api) -> None:
    secret = b"taken at 52.5 north, 13.4 east"
    exif = Image.Exif()
    exif[0x010E] = secret.decode()
    picture = drawn(40, 40, "JPEG", exif=exif)
    assert secret in b64decode(picture)
    production = await pictured(api, picture)
    answer = await api.ask("GET", str(production["picture"]), key=None)
    assert secret not in answer.content
    assert not shown(answer).getexif()


async def test_a_picture_is_taken_away_and_let_go(api: Api) -> None:
    production = await pictured(api, drawn())
    path = f"{ROOT}/productions/{production['id']}/picture"
    for _ in range(2):
        bare = document(await api.ask("DELETE", path, key="ak"), 200)
        assert bare["picture"] is None
    problem(await api.ask("GET", path, key=None), "picture_not_found")
    age = "update programme.picture set added_at = added_at - interval '2 days'"
    await api.connection.execute(age)
    await pictured(api, drawn(5, 5))
    assert await api.connection.fetchval("select count(*) from programme.picture") == 1


async def test_a_picture_of_two_productions_stays_with_the_other(api: Api) -> None:
    one, other = await pictured(api, drawn()), await pictured(api, drawn())
    document(await api.ask("DELETE", f"{ROOT}/productions/{one['id']}", key="ak"), 200)
    assert shown(await api.ask("GET", str(other["picture"]), key=None)).size == (4, 3)


async def test_a_production_is_listed_with_its_picture(api: Api) -> None:
    production = await pictured(api, drawn())
    page = document(await api.ask("GET", f"{ROOT}/productions?state=all", key="ak"), 200)
    (listed,) = cast(list[Json], page["items"])
    assert listed["picture"] == production["picture"]
