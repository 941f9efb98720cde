"""No page of the shop shows English to who reads German or Arabic: each is opened in all languages,
and whatever text is the same as on the English page must be a name, or be known to be the same.
"""

from __future__ import annotations

from typing import cast
from urllib.parse import urlsplit

import pytest

from tests.browser.conftest import OpenPage
from tests.browser.office import Json, Office
from tests.browser.operating import change_merchant
from tests.browser.shop import booked, hold, make_show, pay
from tests.browser.three_languages import ThreeLanguages

SAME_IN_GERMAN = {
    *("Action", "Drama", "Fantasy", "Horror", "Musical", "Mystery", "Thriller", "Animation"),
    *("Hindi", "Marathi", "Malayalam", "Tamil", "Standard", "Premium", "Lounge", "Sofas", "Sofa"),
    *("Pune", "Mumbai", "Berlin", "London", "Format", "Genre", "Film", "Name"),
    *("Jan", "Feb", "Apr", "Aug", "Nov"),
}
TRANSLATIONS = [
    {"language": "de", "words": {"Stage": "Bühne", "Stalls": "Parkett", "Fee": "Gebühr"}},
    {"language": "ar", "words": {"Stage": "المسرح", "Stalls": "الصالة", "Fee": "رسوم"}},
]


def names_of(office: Office) -> set[str]:
    """What the catalogue has that is nobody's to translate: people, houses, streets. Beside them
    the synopses of the sample, which are written in English only."""
    found: set[str] = set()
    films = cast("list[Json]", office.call("GET", "/v1/cinema/films?limit=200")["items"])
    for film in films:
        fields = ("director", "original_title", "synopsis")
        found |= {str(film[field]) for field in fields if film[field]}
        found |= set(cast("list[str]", film["cast"]))
    cinemas = cast("list[Json]", office.call("GET", "/v1/cinema/cinemas?limit=200")["items"])
    return found | {str(one[field]) for one in cinemas for field in ("name", "address")}


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
async def test_no_page_shows_english_in_another_language(
    open_page: OpenPage, office: Office, *, phone: bool
) -> None:
    films = cast("list[Json]", office.call("GET", "/v1/cinema/films?limit=1")["items"])
    show = make_show(
        office,
        name="Zzyx",
        translations=TRANSLATIONS,
        pricing={"fees": [{"name": "Fee", "amount": 50}]},
    )
    names = names_of(office) | {"Zzyx"}
    page = await open_page(phone=phone)
    held = await hold(page, show, "A1", "A2")
    paths = ["/", f"/films/{films[0]['id']}", f"/shows/{office.shows[0]['id']}", f"/shows/{show}"]
    paths += ["/bookings", "/find-bookings", f"/checkout/{held}"]
    reader = await ThreeLanguages.of(page, open_page, SAME_IN_GERMAN, phone=phone)
    for path in paths:
        await reader.look(path, names)
    await reader.look("/nowhere", names, exists=False)
    await page.goto(f"/checkout/{held}")
    await pay(page)
    booking = await booked(page)
    await reader.look(f"/bookings/{booking['id']}", names)
    assert reader.untranslated == [], "\n".join(reader.untranslated)


async def test_the_pages_behind_links_show_no_english_either(
    open_page: OpenPage, office: Office
) -> None:
    """The imprint, the preview of a draft, and the place on a waitlist."""
    draft = make_show(office, name="Zzyx", translations=TRANSLATIONS, published=False)
    link = office.call("POST", f"/v1/resources/{draft}/preview-links")
    row = [{"name": "A", "seats": 1}]
    plan = {"type": "seats", "sections": [{"name": "Stalls", "rows": row}]}
    show = make_show(office, name="Zzyx", translations=TRANSLATIONS, plan=plan)
    held = {"owner": "first", "lines": [{"resource_id": show, "unit": "A1"}]}
    office.call("POST", "/v1/holds", held)
    office.call("POST", "/v1/waitlists", {"resource_ids": [show]})
    change_merchant(office, imprint={"texts": {"en": "Zzyx, Qwv 1"}})
    try:
        page = await open_page(f"/shows/{show}")
        await page.get_by_label("E-mail").fill("asha@example.org")
        await page.get_by_role("button", name="Join the waitlist").click()
        await page.wait_for_url("**/waitlist/wle_*")
        entry = urlsplit(page.url).path
        reader = await ThreeLanguages.of(page, open_page, SAME_IN_GERMAN)
        names = {"Zzyx", "Qwv", "asha@example.org"}
        for path in ("/legal/imprint", str(link["path"]), entry):
            await reader.look(path, names)
        await reader.look("/legal/terms", names, exists=False)
    finally:
        change_merchant(office, imprint=None)
    assert reader.untranslated == [], "\n".join(reader.untranslated)
