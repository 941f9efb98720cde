"""What the page of a waiting room says where there is no JavaScript, as HTML. It is looked at anew
by refresh, but not while somebody types a code into it.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from datetime import datetime
from html import escape
from typing import Literal, NamedTuple, TypeAlias
from urllib.parse import urlencode

from babel import Locale
from babel.numbers import format_percent

from bespeak import locales
from bespeak.admission.board import RoomOnBoard
from bespeak.admission.invite_codes import TYPED_MAX
from bespeak.admission.told import POLL_SECONDS, Phase, PlaceNow
from bespeak.http.api.waiting_words import WaitingWords

_WithPlace: TypeAlias = Literal["early", "waiting", "paused", "sold_out"]
Stage: TypeAlias = Literal[_WithPlace, "before", "draining", "join", "called", "lost", "ended"]
Asks: TypeAlias = Literal["code", "leave", "mail", "mailed", "sent"]
_LOOK_SECONDS_MAX = 30
_LOOKS_WITHIN_GRACE = 4
EMAIL_MAX = 254
_HAS_PLACE: frozenset[Stage] = frozenset(("early", "waiting", "paused", "sold_out"))
_LOOKS: frozenset[Stage] = _HAS_PLACE | {"before", "draining"}
_STYLE = """
:root { color-scheme: light dark; --line: #8886; --ink: #0b57d0; --on-ink: #fff; --bad: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #a8c7fa; --on-ink: #062e6f; --bad: #f2b8b5; }
}
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; padding: 1rem; max-width: 36rem;
  overflow-wrap: anywhere; }
nav ul { display: flex; flex-wrap: wrap; gap: 0 1rem; list-style: none; margin: 0; padding: 0; }
nav a { display: inline-block; padding: .6rem 0; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 1rem 0; } h2 { font-size: 1.2rem; margin: 0; }
section { border: 1px solid var(--line); border-radius: 1rem; padding: 1.25rem; }
dl { margin: 1rem 0; }
dl div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem;
  padding: .2rem 0; }
dd { margin: 0; font-weight: 600; font-variant-numeric: tabular-nums; }
form { display: grid; gap: .5rem; margin-top: 1.25rem; }
label { font-weight: 600; } a { color: var(--ink); }
input { font: inherit; width: 100%; min-height: 3rem; padding: .5rem .75rem; border-radius: .75rem;
  border: 1px solid currentColor; background: transparent; color: inherit; }
button, .button { font: inherit; font-weight: 600; min-height: 3rem; padding: .5rem 1rem;
  border-radius: .75rem; border: 2px solid var(--ink); background: var(--ink); color: var(--on-ink);
  cursor: pointer; display: grid; place-items: center; text-decoration: none; }
.quiet { background: transparent; color: var(--ink); }
.hint { opacity: .85; margin: 0; } .error { color: var(--bad); font-weight: 600; margin: 0; }
:focus-visible { outline: 3px solid var(--ink); outline-offset: 3px; }
"""
STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
"""By which a policy lets the style of the page in, and no other."""


class WaitingPage(NamedTuple):
    """What a page is about: a room at a time, and the visitor's place and token there (None: has
    not joined). `queue` is that of the address; `asks`: somebody with a place wants to enter a
    `code`, to `leave`, a `mail`, is to be written to (`mailed`) or was (`sent`); `error` is what
    became of a press, and `typed` the code or the address that came with it."""

    room: RoomOnBoard
    phase: Phase
    now: datetime
    locale: Locale
    place: PlaceNow | None
    token: str | None
    queue: str | None
    asks: Asks | None = None
    error: str | None = None
    typed: str = ""

    @property
    def stage(self) -> Stage:
        """What the page is about: one of these, and no two."""
        if self.phase == "ended":
            return "ended"
        if self.place is None and self.room.draining:
            return "draining"
        if self.place is None:
            return "before" if self.phase == "before" else "join"
        if self.phase in ("paused", "sold_out") and self.place.turn in ("waiting", "called"):
            return "paused" if self.phase == "paused" else "sold_out"
        return self.place.turn

    @property
    def open_queue(self) -> str | None:
        """The queue that is joined without a code: that of the address, unless it is by invitation;
        None: there is none."""
        named = self.room.queue_named(self.queue or "")
        if named is not None and not named.invited:
            return named.name
        return next((one.name for one in self.room.queues if not one.invited), None)

    @property
    def is_by_invitation(self) -> bool:
        """Whether the queue of the address, or the only one, is by invitation."""
        named = self.room.queue_named(self.queue or "")
        return self.open_queue is None or (named is not None and named.invited)

    @property
    def takes_codes(self) -> bool:
        """Whether a code can be of use: there is another queue than the first, or one by
        invitation, and somebody can still join."""
        several = len(self.room.queues) > 1 or any(one.invited for one in self.room.queues)
        return several and not self.room.draining


def waiting_page(page: WaitingPage) -> bytes:
    """The page as HTML."""
    words = WaitingWords(page.locale)
    stage = page.stage
    shows_code = page.asks == "code" and page.takes_codes and stage in _HAS_PLACE
    asks_leave = page.asks == "leave" and stage in _HAS_PLACE
    asks_mail = page.asks in ("mail", "mailed", "sent") and stage in _HAS_PLACE
    if page.asks == "mail" and not asks_mail:
        page = page._replace(typed="")  # which is no code
    title = words.of("stages", stage, "title")
    if asks_leave:
        title = words.of("leave", "title")
        inside = _leave_form(page, words)
    elif shows_code:
        title = words.of("code", "label")
        inside = [_code_form(page, words), _link(page, words.of("without_change"))]
    elif asks_mail:
        title = words.of("mail", "ask")
        inside = _mail_part(page, words)
    else:
        inside = [f"<p>{escape(_text(page, words))}</p>", *_middle(page, words)]
    said = ""
    if page.room.message is not None:
        about = escape(words.of("message"))
        said = f"<p><strong>{about}</strong> <bdi>{escape(page.room.message)}</bdi></p>"
    if page.room.taken_back and page.room.early_order == "shuffle":
        said += f"<p><strong>{escape(words.of('drawn_anew'))}</strong></p>"
    body = (
        f"<h1><bdi>{escape(page.room.name)}</bdi></h1>{said}"
        f'<section aria-labelledby="now"><h2 id="now">{escape(title)}</h2>'
        f"{''.join(inside)}</section>"
    )
    is_still = shows_code or asks_leave or asks_mail or page.error is not None
    seconds = None if is_still else look_seconds(page)
    if seconds is not None:
        told = words.of("looks_by_itself").format(seconds=words.number(seconds))
        body += f'<p class="hint">{escape(told)}</p>{_link(page, words.of("look_again"))}'
    return _document(page.locale, f"{title} · {page.room.name}", body, _address(page), seconds)


def ended_page(locale: Locale) -> bytes:
    """The page of a room that has ended, or never was."""
    words = WaitingWords(locale)
    title = words.of("stages", "ended", "title")
    text = words.of("stages", "ended", "text")
    body = f"<h1>{escape(title)}</h1><p>{escape(text)}</p>"
    return _document(locale, title, body, "plain", None)


def look_seconds(page: WaitingPage) -> int | None:
    """After how many seconds the page is looked at again: some times within the grace, so that
    nobody who leaves it open loses the turn; None: not by itself."""
    if page.stage not in _LOOKS:
        return None
    within = page.room.grace_seconds // _LOOKS_WITHIN_GRACE
    return max(POLL_SECONDS[page.phase], min(_LOOK_SECONDS_MAX, within))


def _text(page: WaitingPage, words: WaitingWords) -> str:
    stage, key = page.stage, "text"
    if stage == "early":
        key = _early(page)
    elif stage == "join" and page.is_by_invitation:
        key = "invited"
    elif stage == "lost" and page.room.draining:
        key = "draining"
    elif stage == "lost" and page.open_queue is None:
        key = "invited"
    return _with_times(page, words, words.of("stages", stage, key))


def _with_times(page: WaitingPage, words: WaitingWords, text: str) -> str:
    grace, minutes = words.lasting(page.room.grace_seconds), words.lasting(page.room.pass_seconds)
    return text.format(grace=grace, minutes=minutes)


def _early(page: WaitingPage) -> str:
    if page.room.opened_at is not None:
        return "drawing"
    if page.room.early_order == "shuffle":
        return "text"
    return "drawing" if page.place is None or page.place.place is None else "first_come"


def _middle(page: WaitingPage, words: WaitingWords) -> list[str]:
    """What there is to know and to do, under the words of a stage."""
    stage, room = page.stage, page.room
    facts = []
    if stage == "before":
        facts.append((words.of("queue_opens"), words.when(room.early_opens_at, page.now)))
    if room.opened_at is None and stage != "ended":
        facts.append((words.of("sale_opens"), words.when(room.opens_at, page.now)))
    if stage in _HAS_PLACE:
        facts += _place(page, words)
    parts = [_facts(facts)]
    if stage == "join" or stage in _HAS_PLACE:
        parts.append(f"<p>{escape(_with_times(page, words, words.of('turn_rules')))}</p>")
    if stage in _HAS_PLACE and room.draining:
        parts.append(f"<p>{escape(words.of('draining_note'))}</p>")
    if stage == "waiting" and room.payments != "well":
        parts.append(f"<p>{escape(words.of('payments', room.payments))}</p>")
    if stage in ("join", "lost") and not room.draining:
        parts += _join_forms(page, words)
    if stage in _HAS_PLACE and facts and page.place is not None and page.place.ahead:
        parts.append(f'<p class="hint">{escape(words.of("place", "left_note"))}</p>')
    if stage in _HAS_PLACE:
        parts.append(_chances(page, words))
        if page.takes_codes:
            parts.append(_link(page, words.of("has_code"), enter="code"))
        parts.append(_link(page, words.of("mail", "ask"), enter="mail"))
        parts.append(_link(page, words.of("leave", "ask"), enter="leave"))
    if stage == "called":
        there = f"../{room.room_id}#token={page.token}"
        label = escape(words.of("to_tickets"))
        parts.append(f'<p><a class="button" href="{escape(there)}">{label}</a></p>')
    return parts


def _place(page: WaitingPage, words: WaitingWords) -> list[tuple[str, str]]:
    place = page.place
    if place is None or place.place is None or place.ahead is None:
        return []
    facts = [
        (words.of("place", "ahead"), words.number(place.ahead)),
        (words.of("place", "place"), words.number(place.place)),
    ]
    if page.stage == "waiting":
        told = words.of("place", "not_known")
        if place.minutes is not None:
            told = words.minutes(*place.minutes)
        facts.append((words.of("place", "minutes"), told))
    if place.chance is not None and not place.chances:
        chance = str(format_percent(place.chance, locale=page.locale))
        facts.append((words.of("place", "chance"), chance))
    return facts


def _chances(page: WaitingPage, words: WaitingWords) -> str:
    """In a word for each category, as the page with JavaScript says it. What several resources are
    called is not known here, and their categories may have the same names."""
    place = page.place
    if place is None or place.ahead is None or not place.chances or len(page.room.resources) > 1:
        return ""
    facts = [(one.category, words.of("chances", one.chance)) for one in place.chances]
    title, note = (escape(words.of("categories", name)) for name in ("title", "note"))
    return f'<h2>{title}</h2>{_facts(facts)}<p class="hint">{note}</p>'


def _join_forms(page: WaitingPage, words: WaitingWords) -> list[str]:
    """The forms of who has not joined: by a code, without one, or either."""
    forms = []
    if page.open_queue is not None:
        verb = "join"
        if page.stage == "lost":
            verb = "join_again"
        elif page.is_by_invitation:
            verb = "join_without"
        error = "" if page.error is None or _is_about_code(page) else _error(page, words)
        kind = ' class="quiet"' if page.is_by_invitation else ""
        label = escape(words.of(verb))
        forms.append(
            f"{_form(page)}{error}<button{kind} name=act value=join>{label}</button></form>"
        )
    if page.takes_codes:
        forms.append(_code_form(page, words))
    return forms[::-1] if page.is_by_invitation else forms


def _code_form(page: WaitingPage, words: WaitingWords) -> str:
    is_wrong = page.error is not None and _is_about_code(page)
    hint = "hint" if page.place is None or page.stage == "lost" else "hint_place"
    error = _error(page, words) if is_wrong else ""
    wrong = ' aria-invalid="true"' if is_wrong else ""
    return (
        f'{_form(page)}<label for="code">{escape(words.of("code", "label"))}</label>'
        f'<p class="hint" id="hint">{escape(words.of("code", hint))}</p>{error}'
        f'<input id="code" name="code" value="{escape(page.typed)}" maxlength="{TYPED_MAX}"'
        ' dir="ltr" autocomplete="off" autocapitalize="characters" spellcheck="false"'
        f' aria-describedby="hint{" error" if is_wrong else ""}"{wrong}>'
        f"<button name=act value=code>{escape(words.of('code', 'join'))}</button></form>"
    )


def _leave_form(page: WaitingPage, words: WaitingWords) -> list[str]:
    """The question to who wants to leave, and the way back."""
    asked = "draining" if page.room.draining else "text"
    text, code, verb = (escape(words.of("leave", name)) for name in (asked, "code", "verb"))
    if page.takes_codes:
        text = f"{text} {code}"
    form = f"{_form(page)}<button class=quiet name=act value=leave>{verb}</button></form>"
    return [f"<p>{text}</p>", form, _link(page, words.of("without_change"))]


def _mail_part(page: WaitingPage, words: WaitingWords) -> list[str]:
    """The form of who wants a mail when the turn comes near, or what was asked for."""
    back = _link(page, words.of("without_change"))
    text, label, ask, none, done, sent = (
        escape(words.of("mail", name)) for name in ("text", "label", "verb", "none", "done", "sent")
    )
    if page.asks == "sent":
        return [f'<p role="status">{sent}</p>', back]
    withdraw = f"{_form(page)}<button class=quiet name=act value=no-mail>{none}</button></form>"
    if page.asks == "mailed":
        return [f'<p role="status">{done}</p>', withdraw, back]
    error = _error(page, words) if page.error is not None else ""
    wrong = ' aria-invalid="true" aria-describedby="error"' if page.error is not None else ""
    asking = (
        f'{_form(page)}{error}<label for="email">{label}</label><input id="email" name="email"'
        f' type="email" value="{escape(page.typed)}" maxlength="{EMAIL_MAX}" dir="ltr"'
        f' autocomplete="email"{wrong}><button name=act value=mail>{ask}</button></form>'
    )
    return [f"<p>{text}</p>", asking, withdraw, back]


def _is_about_code(page: WaitingPage) -> bool:
    """Whether what became of a press is told at the field for a code."""
    by_code = page.typed != "" or page.error == "code_missing"
    return by_code or page.asks == "code" or page.open_queue is None


def _error(page: WaitingPage, words: WaitingWords) -> str:
    told = escape(words.error(page.error or ""))
    return f'<p class="error" id="error" role="alert">{told}</p>'


def _form(page: WaitingPage) -> str:
    """The beginning of a form, which is sent to the page's own address without a query."""
    kept = [("lang", str(page.locale.language)), ("queue", page.queue or "")]
    if page.asks == "code":
        kept.append(("enter", "code"))
    hidden = "".join(
        f'<input type="hidden" name="{name}" value="{escape(value)}">' for name, value in kept
    )
    return f'<form method="post" action="plain">{hidden}'


def _facts(facts: Sequence[tuple[str, str]]) -> str:
    rows = "".join(
        f"<div><dt><bdi>{escape(name)}</bdi></dt><dd>{escape(told)}</dd></div>"
        for name, told in facts
    )
    return f"<dl>{rows}</dl>" if rows else ""


def _address(page: WaitingPage, lang: str | None = None, **more: str) -> str:
    """The address of the page, in its language or another."""
    query = {"lang": lang or str(page.locale.language), **more}
    if page.queue is not None:
        query["queue"] = page.queue
    return f"plain?{urlencode(query)}"


def _link(page: WaitingPage, label: str, **more: str) -> str:
    return f'<p><a href="{escape(_address(page, **more))}">{escape(label)}</a></p>'


def _document(locale: Locale, title: str, body: str, address: str, seconds: int | None) -> bytes:
    refresh = ""
    if seconds is not None:
        refresh = f'<meta http-equiv="refresh" content="{seconds}; url={escape(address)}">'
    direction = "rtl" if locales.is_right_to_left(locale) else "ltr"
    return (
        f'<!doctype html><html lang="{locale.language}" dir="{direction}"><head>'
        f'<meta charset="utf-8"><title>{escape(title)}</title>{refresh}'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="robots" content="noindex">'
        f"<style>{_STYLE}</style></head><body>{_languages(locale, address)}"
        f"<main>{body}</main></body></html>"
    ).encode()


def _languages(locale: Locale, address: str) -> str:
    """Links to the page in the other languages, each named in itself."""
    label = escape(WaitingWords(locale).of("languages"))
    path, _, query = address.partition("?")
    rest = [part for part in query.split("&") if part and not part.startswith("lang=")]
    links = []
    for language in locales.LANGUAGES:
        name = escape(str(Locale(language).get_display_name(language)))
        there = escape(f"{path}?{'&'.join([f'lang={language}', *rest])}")
        now = ' aria-current="true"' if language == locale.language else ""
        links.append(
            f'<li><a href="{there}" lang="{language}" hreflang="{language}"{now}>{name}</a></li>'
        )
    return f'<nav aria-label="{label}"><ul>{"".join(links)}</ul></nav>'
