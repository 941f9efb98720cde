"""Pages in three languages beside each other: whatever text of a page is the same in another
language as in English must be a name, or be known to be the same.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Collection, Iterable
from urllib.parse import urlsplit

from playwright.async_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.docs.pages import ROOT

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
# Keeps what the API answers to a page: names that people typed, which are nobody's to translate.
LISTENS = """
  const said = new Set();
  const reading = [];
  const walk = (value) => {
    if (typeof value === 'string') said.add(value);
    else if (value !== null && typeof value === 'object') Object.values(value).forEach(walk);
  };
  const ask = window.fetch;
  window.fetch = async (...given) => {
    const answer = await ask(...given);
    if ((answer.headers.get('content-type') ?? '').includes('json'))
      reading.push(answer.clone().json().then(walk, () => undefined));
    return answer;
  };
  window.whatTheApiSaid = async () => { await Promise.all(reading); return [...said]; };
"""
# `on_sale`, `confirmed`: a word of the program, which a page must not show as it is.
CODE_WORD = re.compile(r"[a-z]+([_.][a-z]+)*")
WORD = re.compile(r"[^\W\d_]{2,}")
# Names of languages stand in their own; the software, and what has one name everywhere.
EVERYWHERE = {"English", "Deutsch", "العربية", "Bespeak", "API", "PDF", "CSV", "Code", "QR"}
LANGUAGES = ("en", "de", "ar")
WORDS = ROOT / "web/src/i18n/locales/en"


def _nothing_there() -> set[str]:
    """The titles of pages that say that there is no such page, show, booking."""
    shop = json.loads((WORDS / "shop.json").read_text())["not_found"]
    console = json.loads((WORDS / "console.json").read_text())["not_found"]
    return {*(shop[what] for what in ("page", "show", "booking", "hold")), console["title"]}


NOTHING_THERE = _nothing_there()


class ThreeLanguages:
    """One visitor who reads three languages at once, each in a window of its own."""

    def __init__(self, windows: dict[str, Page], same_in_german: Collection[str]) -> None:
        self.windows = windows
        self._listens = False
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

    async def listen(self) -> None:
        """From here on whatever the API answers is taken for a name, but for words of the
        program."""
        await self.windows["en"].add_init_script(LISTENS)
        self._listens = True

    async def look(self, path: str, names: Iterable[str], *, exists: bool = True) -> None:
        """Opens a page in all languages, and notes what is not translated; `names` are nobody's to
        translate. The page must be there, or must not: who looks at another one finds nothing."""
        texts = await asyncio.gather(
            *(_texts_in(self.windows[one], path, one) for one in LANGUAGES)
        )
        english, *others = texts
        assert len(english) > 5, path
        assert urlsplit(self.windows["en"].url).path == urlsplit(path).path
        title = await self.windows["en"].get_by_role("heading", level=1).first.inner_text()
        assert (title not in NOTHING_THERE) is exists, f"{path}: {title}"
        longest_first = sorted({*names, *await self._answered()}, key=len, reverse=True)
        for language, other in zip(LANGUAGES[1:], others, strict=True):
            for text in sorted(english & other):
                rest = text
                for name in longest_first:
                    rest = rest.replace(name, " ")
                if [word for word in WORD.findall(rest) if word not in self._known[language]]:
                    self.untranslated.append(f"{language} {path}: {text}")

    async def _answered(self) -> list[str]:
        if not self._listens:
            return []
        said = await self.windows["en"].evaluate("window.whatTheApiSaid()")
        spaced = (" ".join(str(one).split()) for one in said)
        return [one for one in spaced if len(one) > 2 and not CODE_WORD.fullmatch(one)]


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
