"""Axe, the checker of accessibility, on a page as it stands."""

from pathlib import Path
from typing import cast

from playwright.async_api import Page

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
# Colours on their way from one to another are nobody's contrast; what never ends is not waited for.
_RUN = """async () => {
  const ends = (one) => one.effect?.getComputedTiming().iterations !== Infinity;
  const running = document.getAnimations().filter(ends);
  await Promise.allSettled(running.map((one) => one.finished));
  const found = await axe.run(document, {resultTypes: ["violations"]});
  return found.violations.map(({id, help, nodes}) =>
    `${id}: ${help}: ` + nodes.map((node) => node.target.join(" ")).join(", "));
}"""


async def check_accessible(page: Page) -> None:
    """Fails with what axe finds wrong with the page, wherever that is in it."""
    if not await page.evaluate("'axe' in window"):
        # Evaluated by the debugger, which the page's own policy does not bind.
        await page.evaluate(AXE.read_text())
    violations = cast("list[str]", await page.evaluate(_RUN))
    assert violations == [], "\n".join(violations)
