"""The seat map as a hand finds it: where a seat is in the window, and what is chosen."""

from typing import cast

from playwright.async_api import Page, expect


async def chosen(page: Page) -> list[str]:
    """The chosen units."""
    found = await page.evaluate("() => document.querySelector('bespeak-seatmap').selection")
    return cast("list[str]", found)


async def wait_chosen(page: Page, *units: str) -> None:
    """Waits until exactly these are chosen."""
    seatmap = page.locator("bespeak-seatmap")
    await expect(seatmap).to_have_js_property("selection", list(units))


async def place(page: Page, unit: str) -> tuple[float, float]:
    """Where a seat is in the window, once the map has come to rest."""
    script = """async unit => {
      const map = document.querySelector("bespeak-seatmap");
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      let at = map.placeOf(unit);
      for (let same = 0; same < 4; ) {
        await frame();
        const now = map.placeOf(unit);
        same = now.x === at.x && now.y === at.y ? same + 1 : 0;
        at = now;
      }
      return at;
    }"""
    found = cast("dict[str, float]", await page.evaluate(script, unit))
    return found["x"], found["y"]
