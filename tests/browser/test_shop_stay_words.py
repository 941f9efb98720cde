"""What a merchant types of a place to stay - rates, fees, taxes, rules, questions - is said in
the language of the page, wherever a guest meets it.
"""

from __future__ import annotations

from playwright.async_api import Page

from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.shop import booked, pay
from tests.browser.stays import ZONE, await_found, day_on, make_listing, make_property, make_town
from tests.browser.three_languages import ThreeLanguages

SAME_IN_GERMAN = {"Hotel", "WLAN", "Name", "EUR", *("Jan", "Feb", "Apr", "Aug", "Nov")}
SAME_IN_GERMAN |= {"April", "August", "September", "November"}
OF_HOUSE = {
    "Quiet by the sea.": ("Ruhig am Meer.", "هادئ عند البحر."),
    "No noise after ten.": ("Ab zehn ist Ruhe.", "لا ضوضاء بعد العاشرة."),
}
OF_LISTING = {
    "Double room": ("Doppelzimmer", "غرفة مزدوجة"),
    "Bright and calm.": ("Hell und ruhig.", "مشرق وهادئ."),
    "With a desk.": ("Mit Schreibtisch.", "مع مكتب."),
    "Saver": ("Sparpreis", "السعر الموفر"),
    "Longer": ("Länger", "إقامة أطول"),
    "Cleaning": ("Reinigung", "التنظيف"),
    "Resort tax": ("Kurtaxe", "ضريبة الإقامة"),
    "When will you come?": ("Wann kommen Sie?", "متى ستصل؟"),
    "Late": ("Spät", "متأخرًا"),
}
PLAN = {
    "type": "nights",
    "count": 2,
    "rates": [
        {"name": "Saver", "basis_points": -1000},
        {"name": "Longer", "basis_points": -2000, "min_nights": 7},
    ],
}
PRICING = {
    "fees": [{"name": "Cleaning", "amount": 3000}],
    "taxes": [{"name": "Resort tax", "guest_night": 250}],
    "cancellation": {
        "free_until_seconds": 2 * 86_400,
        "overrides": [{"rates": ["Saver"], "refundable": False}],
    },
}
QUESTIONS = [
    {"id": "when", "text": "When will you come?", "choices": ["Late"], "per": "booking"},
]


def translated(words: dict[str, tuple[str, str]]) -> list[dict[str, object]]:
    return [
        {"language": language, "words": {text: said[place] for text, said in words.items()}}
        for place, language in enumerate(("de", "ar"))
    ]


async def test_what_a_merchant_typed_of_a_stay_is_said_in_three_languages(
    open_page: OpenPage, office: Office
) -> None:
    town = make_town()
    house = make_property(
        office,
        town,
        name="Zzyx",
        description="Quiet by the sea.",
        house_rules="No noise after ten.",
        translations=translated(OF_HOUSE),
    )
    listing = make_listing(
        office,
        house,
        "Double room",
        summary="Bright and calm.",
        description="With a desk.",
        plan=PLAN,
        pricing=PRICING,
        questions=QUESTIONS,
        translations=translated(OF_LISTING),
    )
    await_found(office, town, 1)
    stay = f"start={day_on(30)}&end={day_on(33)}"
    page = await open_page(f"/stays/{listing}?{stay}", timezone_id=ZONE)
    await page.get_by_role("button", name="Reserve").click()
    await page.wait_for_url("**/checkout/**")
    reader = await ThreeLanguages.of(page, open_page, SAME_IN_GERMAN, timezone_id=ZONE)
    names = {"Zzyx", town, "Hafenstraße"}
    said: dict[str, set[str]] = {}

    async def says(window: Page, language: str) -> None:
        said.setdefault(language, set()).add(await window.locator("main").inner_text())

    for path in (f"/stays/{listing}?{stay}", f"/stays/{listing}?{stay}&guests=4"):
        await reader.look(path, names, then=says)
    await reader.look(page.url.removeprefix(office.url), names, then=says)
    await pay(page)
    booking = await booked(page)
    await reader.look(f"/bookings/{booking['id']}", names, then=says)
    await reader.look(f"/stays/{listing}/change/{booking['id']}", names, then=says)
    assert reader.untranslated == [], "\n".join(reader.untranslated)
    # Each was met: a page that shows no rates would pass otherwise.
    german = " ".join(said["de"])
    unseen = [word for word, _ in (OF_HOUSE | OF_LISTING).values() if word not in german]
    assert unseen == []
