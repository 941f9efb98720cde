"""The console calls who gives an appointment as guests do, not by the short name of a line."""

from __future__ import annotations

from playwright.async_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.operating import log_in
from tests.browser.test_shop_appointment_change import make_salon
from tests.browser.test_shop_appointments import at, day_on


async def test_a_provider_is_called_by_the_title(open_page: OpenPage, office: Office) -> None:
    team = make_salon(office)
    service = {"name": "Massage", "minutes": 60, "step_minutes": 60, "price": 0}
    providers = [{"name": "mia-1", "title": "Mia Berg"}, {"name": "noa", "title": "Noa"}]
    office.call(
        "PATCH",
        f"/v1/appointments/teams/{team}",
        {"providers": providers, "services": [service]},
    )
    line = {"resource_id": team, "unit": "mia-1", "from": at(day_on(6), "10:00"), "rate": "Massage"}
    hold = office.call("POST", "/v1/holds", {"owner": "uma", "lines": [line]}, key="sk")
    body = {"hold_id": hold["id"], "contact": {"name": "Uma Sand"}}
    booking = office.call("POST", "/v1/bookings", body, key="sk")["id"]
    page = await open_page()
    await log_in(page, office, f"/console/bookings/{booking}")
    main = page.get_by_role("main")
    await expect(main.get_by_text("Mia Berg · Massage · ").first).to_be_visible()
    # What happened tells it as well.
    await expect(main.get_by_text("Mia Berg", exact=True).first).to_be_visible()
    await expect(main.get_by_text("mia-1")).to_have_count(0)
    await page.goto(f"/console/bookings?q={booking}")
    await expect(main.get_by_text("Mia Berg · Massage · ").first).to_be_visible()
    await expect(main.get_by_text("mia-1")).to_have_count(0)
