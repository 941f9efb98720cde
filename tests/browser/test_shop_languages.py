"""No page of the shop shows English to who reads German or Arabic: each is opened in all languages,
and whatever text is the same as on the English page must be a name, or be known to be the same.
"""

from __future__ import annotations

import re
from typing import cast

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.office import Json, Office
from tests.browser.shop import booked, hold, make_show, pay

# What is read of a page: each text that is seen or told, with those of the seat map.
TEXTS = """() => {
  const found = new Set();
  const say = (text) => {
    const said = (text ?? '').replace(/\\s+/g, ' ').trim();
    if (said) found.add(said);
  };
  const walk = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (['SCRIPT', 'STYLE', 'TEMPLATE', 'CODE'].includes(element.tagName)) continue;
      if (!element.checkVisibility()) continue;
      for (const node of element.childNodes) if (node.nodeType === 3) say(node.nodeValue);
      for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description'])
        say(element.getAttribute(name));
      if (element.shadowRoot) walk(element.shadowRoot);
    }
  };
  walk(document.body);
  return [...found];
}"""
WORD = re.compile(r"[^\W\d_]{2,}")
# Names of languages stand in their own; the software, and what has one name everywhere.
EVERYWHERE = {"English", "Deutsch", "العربية", "Bespeak", "API", "PDF", "Code", "QR"}
SAME_IN_GERMAN = {
    *("Action", "Drama", "Fantasy", "Horror", "Musical", "Mystery", "Thriller", "Animation"),
    *("Hindi", "Marathi", "Malayalam", "Tamil", "Standard", "Premium", "Lounge", "Sofas", "Sofa"),
    *("Pune", "Mumbai", "Berlin", "London", "Format", "Genre", "Film", "Name", "Nov"),
}
TRANSLATIONS = [
    {"language": "de", "words": {"Stage": "Bühne", "Stalls": "Parkett", "Fee": "Gebühr"}},
    {"language": "ar", "words": {"Stage": "المسرح", "Stalls": "الصالة", "Fee": "رسوم"}},
]


def names_of(office: Office) -> set[str]:
    """What the catalogue has that is nobody's to translate: people, houses, streets. Beside them
    the taglines and synopses of the sample, which are written in English only."""
    found: set[str] = set()
    films = cast("list[Json]", office.call("GET", "/v1/cinema/films?limit=200")["items"])
    for film in films:
        fields = ("director", "original_title", "tagline", "synopsis")
        found |= {str(film[field]) for field in fields if film[field]}
        found |= set(cast("list[str]", film["cast"]))
    cinemas = cast("list[Json]", office.call("GET", "/v1/cinema/cinemas?limit=200")["items"])
    return found | {str(one[field]) for one in cinemas for field in ("name", "address")}


async def texts_in(page: Page, path: str, language: str) -> set[str]:
    await page.evaluate(f"localStorage.setItem('bespeak.locale', '{language}')")
    await page.goto(path)
    await page.get_by_role("heading", level=1).wait_for(state="attached")
    await expect(page.locator(".skeleton")).to_have_count(0)
    await expect(page.locator("html")).to_have_attribute("lang", re.compile(f"^{language}"))
    if "/shows/" in path:  # a live stream never ends
        await expect(page.locator(".chip").first).to_be_visible()
    else:
        await page.wait_for_load_state("networkidle")
    return set(await page.evaluate(TEXTS))


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
    paths += ["/bookings", "/find", "/nowhere", f"/checkout/{held}"]
    untranslated: list[str] = []

    async def look(path: str) -> None:
        english = await texts_in(page, path, "en")
        assert len(english) > 5, path
        for language in ("de", "ar"):
            same = english & await texts_in(page, path, language)
            known = EVERYWHERE | (SAME_IN_GERMAN if language == "de" else set())
            for text in sorted(same):
                rest = text
                for name in sorted(names, key=len, reverse=True):
                    rest = rest.replace(name, " ")
                words = [word for word in WORD.findall(rest) if word not in known]
                if words:
                    untranslated.append(f"{language} {path}: {text}")

    for path in paths:
        await look(path)
    await texts_in(page, f"/checkout/{held}", "en")  # in which it is paid
    await pay(page)
    booking = await booked(page)
    await look(f"/bookings/{booking['id']}")
    assert untranslated == [], "\n".join(untranslated)
