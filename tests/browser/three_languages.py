"""Pages in three languages beside each other: whatever text of a page is the same in another
language as in English must be a name, or be known to be the same.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Iterable

from playwright.async_api import Page, expect

from tests.browser.conftest import OpenPage

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
LANGUAGES = ("en", "de", "ar")


class ThreeLanguages:
    """One visitor who reads three languages at once, each in a window of its own."""

    def __init__(self, windows: dict[str, Page], same_in_german: Collection[str]) -> None:
        self.windows = windows
        self.untranslated: list[str] = []
        self._known = {"de": EVERYWHERE.union(same_in_german), "ar": EVERYWHERE}

    @classmethod
    async def of(
        cls, page: Page, open_page: OpenPage, same_in_german: Collection[str], **options: object
    ) -> ThreeLanguages:
        """The visitor of a page, who comes back with the same cookies."""
        state = await page.context.storage_state()
        windows: dict[str, Page] = {}
        for language in LANGUAGES:
            window = await open_page(storage_state=state, **options)
            await window.add_init_script(f"localStorage.setItem('bespeak.locale', '{language}')")
            windows[language] = window
        return cls(windows, same_in_german)

    async def look(self, path: str, names: Iterable[str]) -> None:
        """Opens a page in all languages, and notes what is not translated; `names` are nobody's to
        translate."""
        texts = await asyncio.gather(
            *(_texts_in(self.windows[one], path, one) for one in LANGUAGES)
        )
        english, *others = texts
        assert len(english) > 5, path
        longest_first = sorted(names, key=len, reverse=True)
        for language, other in zip(LANGUAGES[1:], others, strict=True):
            for text in sorted(english & other):
                rest = text
                for name in longest_first:
                    rest = rest.replace(name, " ")
                if [word for word in WORD.findall(rest) if word not in self._known[language]]:
                    self.untranslated.append(f"{language} {path}: {text}")


async def _texts_in(page: Page, path: str, language: str) -> set[str]:
    await page.goto(path)
    await page.get_by_role("heading", level=1).wait_for(state="attached")
    await expect(page.locator(".skeleton")).to_have_count(0)
    await expect(page.locator("html")).to_have_attribute("lang", re.compile(f"^{language}"))
    if "/shows/" in path:  # a live stream never ends
        await expect(page.locator(".chip").first).to_be_visible()
    else:
        await page.wait_for_load_state("networkidle")
    return set(await page.evaluate(TEXTS))
