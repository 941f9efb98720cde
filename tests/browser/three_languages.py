"""Pages in three languages beside each other: whatever text of a page is the same in another
language as in English must be a name, or be known to be the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Collection, Iterable
from typing import TypeAlias
from urllib.parse import urlsplit

from playwright.async_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.until import until
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
# Keeps what the API answers to a page: names that people typed, which are nobody's to translate. It
# also says for how long the page has asked for nothing, and waited for no answer: by ticks of its
# own, since a machine that stood still was not at rest.
LISTENS = """
  const said = new Set();
  const TICK_MS = 25;
  let waiting = 0;
  let ticks = 0;
  const stir = (by) => { waiting += by; ticks = 0; };
  // Not in a page within the page: that of a mail may run nothing.
  if (window === window.top) setInterval(() => { ticks += 1; }, TICK_MS);
  const units = new Set(); // rooms and seats, also where their names read like words of a program
  const walk = (value, of) => {
    if (typeof value === 'string') (of === 'unit' ? units : said).add(value);
    else if (value !== null && typeof value === 'object')
      for (const [name, one] of Object.entries(value)) walk(one, name);
  };
  const ask = window.fetch;
  window.fetch = async (...given) => {
    stir(1);
    let read = null;
    try {
      const answer = await ask(...given);
      if ((answer.headers.get('content-type') ?? '').includes('json'))
        read = answer.clone().json().then((told) => walk(told, ''), () => undefined);
      return answer;
    } finally {
      void Promise.resolve(read).finally(() => stir(-1));
    }
  };
  window.whatTheApiSaid = () => [...said];
  window.unitsSaid = () => [...units].filter((one) => one.length > 2);
  window.stir = () => stir(0);
  window.quietFor = () => (waiting === 0 ? ticks * TICK_MS : 0);
"""
QUIET_MS = 250
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


Then: TypeAlias = "Callable[[Page, str], Awaitable[None]]"


class ThreeLanguages:
    """A visitor who reads each page in three languages, one after the other, as who chooses another
    one in the head of the page."""

    def __init__(self, window: Page, same_in_german: Collection[str]) -> None:
        self._window = window
        self._listens = False
        self.untranslated: list[str] = []
        self._known = {"de": EVERYWHERE.union(same_in_german), "ar": EVERYWHERE}

    @classmethod
    async def of(
        cls, page: Page, open_page: OpenPage, same_in_german: Collection[str], **options: object
    ) -> ThreeLanguages:
        """The visitor of a page, who comes back with the same cookies."""
        window = await open_page(storage_state=await page.context.storage_state(), **options)
        await window.add_init_script(LISTENS)
        return cls(window, same_in_german)

    def listen(self) -> None:
        """From here on whatever the API answers is taken for a name, but for words of the
        program."""
        self._listens = True

    async def look(
        self, path: str, names: Iterable[str], *, exists: bool = True, then: Then | None = None
    ) -> None:
        """Opens a page, reads it in all languages, and notes what is not translated; `names` are
        nobody's to translate. The page must be there, or must not: who looks at another one finds
        nothing. `then` is done in each language."""
        texts: dict[str, set[str]] = {}
        await self._window.goto(path)
        for language in LANGUAGES:
            texts[language] = await self._read(path, language)
            if language == "en":
                await self._check_there(path, exists=exists)
            if then is not None:
                await then(self._window, language)
        english = texts.pop("en")
        assert len(english) > 5, path
        longest_first = sorted({*names, *await self._answered()}, key=len, reverse=True)
        for language, other in texts.items():
            # As much is said in it: what is not there yet is not the same either.
            assert len(other) > 0.7 * len(english), f"{language} {path}: {other}"
            for text in sorted(english & other):
                rest = text
                for name in longest_first:
                    rest = rest.replace(name, " ")
                if [word for word in WORD.findall(rest) if word not in self._known[language]]:
                    self.untranslated.append(f"{language} {path}: {text}")

    async def _check_there(self, path: str, *, exists: bool) -> None:
        assert urlsplit(self._window.url).path == urlsplit(path).path
        title = await self._window.get_by_role("heading", level=1).first.inner_text()
        assert (title not in NOTHING_THERE) is exists, f"{path}: {title}"

    async def _answered(self) -> list[str]:
        if not self._listens:
            return []
        said = await self._window.evaluate("window.whatTheApiSaid()")
        spaced = [" ".join(str(one).split()) for one in said]
        names = [one for one in spaced if len(one) > 2 and not CODE_WORD.fullmatch(one)]
        units = await self._window.evaluate("window.unitsSaid()")
        return [*names, *(str(one) for one in units)]

    async def _is_quiet(self) -> bool:
        return bool(await self._window.evaluate("window.quietFor()") >= QUIET_MS)

    async def _read(self, path: str, language: str) -> set[str]:
        """The texts of the page in a language, once all of them are there."""
        page = self._window
        await page.get_by_role("heading", level=1).wait_for(state="attached")
        choice = page.locator(".locale-switch select")
        await choice.select_option(language)
        await expect(page.locator("html")).to_have_attribute("lang", re.compile(f"^{language}"))
        await expect(choice).to_be_enabled()
        # Only now it asks for words in the language.
        await page.evaluate("window.stir()")
        if "/shows/" in path:
            await expect(page.locator(".chip").first).to_be_visible()
        await until(self._is_quiet, f"{path} is at rest in {language}")
        await expect(page.locator(".skeleton")).to_have_count(0)
        return set(await page.evaluate(TEXTS))
