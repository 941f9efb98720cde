"""The pages that the API itself serves: the first page, the reference of the API and its OpenAPI
document. Plain HTML without scripts, made once from the table of endpoints.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from html import escape

import msgspec

from bespeak.errors import by_code
from bespeak.http.server import tags
from bespeak.http.server.answers import Answer
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import ANYONE, Endpoint, Handler
from bespeak.http.server.keys import PREFIXES, KeyKind
from bespeak.http.server.openapi import internal_document, public_document
from bespeak.http.server.openapi_names import Json
from bespeak.http.server.tags import Tag

_HTML = b"text/html; charset=utf-8"
_JSON = "application/json"
_SECURITY = (
    (
        b"content-security-policy",
        b"default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)
_STYLE = """
:root { color-scheme: light dark; --line: #8885; --soft: #8882; --ink: #0b57d0; }
@media (prefers-color-scheme: dark) { :root { --ink: #a8c7fa; } }
* { box-sizing: border-box; }
body { font: 16px/1.55 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1.5rem; }
h1 { font-size: 1.9rem; margin: .5rem 0; } h2 { margin: 2.5rem 0 .5rem; }
a { color: var(--ink); } code, pre { font-family: ui-monospace, monospace; font-size: .9em; }
pre { background: var(--soft); padding: .8rem 1rem; border-radius: .5rem; overflow-x: auto; }
article { border: 1px solid var(--line); border-radius: .6rem; padding: .8rem 1rem;
  margin: .8rem 0; }
article h3 { margin: 0 0 .3rem; font-size: 1rem; overflow-wrap: anywhere; }
.method { display: inline-block; min-width: 4.2rem; font-weight: 700; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: .5rem 0 0; }
dt { font-weight: 600; } dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 40rem) { dl { display: block; } dd { margin: 0 0 .5rem; } }
"""
_WELCOME = """
<p>Bespeak is running. <strong>Hold, pay, confirm, and never sell the same thing twice.</strong></p>
<p>The <a href="/">shop</a> and the <a href="/console">console</a> are its own pages.</p>
<p>Take the keys that the terminal shows and hold two seats:</p>
<pre tabindex="0">curl -s $URL/v1/resources?limit=1 -H "Authorization: Bearer $SK"

curl -s $URL/v1/holds -H "Authorization: Bearer $SK" \\
  -H "Idempotency-Key: my-first-hold" -H "Content-Type: application/json" \\
  -d '{"owner": "asha", "lines": [{"resource_id": "'$SHOW'", "unit": "F7"},
                                  {"resource_id": "'$SHOW'", "unit": "F8"}]}'

curl -s $URL/v1/bookings -H "Authorization: Bearer $SK" \\
  -H "Content-Type: application/json" -d '{"hold_id": "'$HOLD'"}'</pre>
<p>What costs wants a <code>payment_token</code> beside the hold; at the sandbox that is
<code>tok_success</code>.</p>
<p>Or simulate a rush on a show:
<code>bespeak rush --url $URL --resource $SHOW --buyers 2000</code></p>
<ul>
<li><a href="/docs">The reference of the API</a>, and its
<a href="/v1/openapi.json">OpenAPI document</a></li>
<li><a href="/readyz">Is it ready</a></li>
</ul>
"""


def endpoints(table: Sequence[Endpoint], others: Sequence[Endpoint]) -> list[Endpoint]:
    """The endpoints of the pages, which document the table, themselves, and other pages."""
    made: list[Endpoint] = []

    @cache
    def document(make: Callable[[Sequence[Endpoint], str], Json], server: str) -> bytes:
        return msgspec.json.encode(make([*table, *made], server))

    @cache
    def reference() -> bytes:
        return _reference([*table, *made]).encode()

    async def get_openapi(call: Call[None, None]) -> Answer:
        """This API as an OpenAPI 3.1 document."""
        return Answer(200, document(public_document, _server(call)))

    async def get_internal_openapi(call: Call[None, None]) -> Answer:
        """The calls that only the pages of this server make, as an OpenAPI 3.1 document."""
        return Answer(200, document(internal_document, _server(call)))

    async def docs_page(_: Call[None, None]) -> Answer:
        """The reference of the API for people."""
        return Answer(200, reference(), content_type=_HTML, headers=_SECURITY)

    async def first_page(_: Call[None, None]) -> Answer:
        """What is here, and what to try."""
        body = _page("Bespeak", f"<h1>Bespeak</h1>{_WELCOME}").encode()
        return Answer(200, body, content_type=_HTML, headers=_SECURITY)

    made += [
        _of_page("/v1/openapi.json", get_openapi, "The OpenAPI document", _JSON, tags.INSTALLATION),
        _of_page(
            "/v1/openapi-internal.json", get_internal_openapi, "The internal calls' document", _JSON
        ),
        _of_page("/docs", docs_page, "The reference page", "text/html"),
        _of_page("/start", first_page, "The first page", "text/html"),
        *others,
    ]
    return made


def _server(call: Call[None, None]) -> str:
    """Where the installation is, as its operator says: paths are put behind it."""
    return call.engine.settings.public_url.rstrip("/")


def _of_page(
    path: str, handler: Handler, summary: str, media_type: str, tag: Tag = tags.PAGES
) -> Endpoint:
    return Endpoint(handler, "GET", path, summary, answers=media_type, kinds=ANYONE, tag=tag)


def _page(title: str, body: str) -> str:
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}</style></head><body><main>{body}</main></body></html>"
    )


def _reference(table: Sequence[Endpoint]) -> str:
    parts = [
        "<h1>The API of Bespeak</h1>",
        '<p><a href="/start">Start</a> · <a href="/v1/openapi.json">OpenAPI 3.1</a> · '
        '<a href="#errors">Errors</a></p>',
        "<p>JSON over HTTP. A key in <code>Authorization: Bearer …</code>; an "
        "<code>Idempotency-Key</code> makes a call repeatable; every error is a problem document "
        "with a stable <code>code</code>.</p>",
    ]
    for tag in dict.fromkeys(endpoint.tag for endpoint in table):
        note = " For the pages of this server: they may change." if tag.is_internal else ""
        parts.append(f"<h2>{escape(tag.name)}</h2><p>{escape(tag.description)}{note}</p>")
        parts += [_article(endpoint) for endpoint in table if endpoint.tag == tag]
    parts.append('<h2 id="errors">Errors</h2>')
    for code, error in sorted(by_code().items()):
        retry = "yes" if error.retryable else "no"
        parts.append(
            f'<article id="{code}"><h3><code>{code}</code></h3>{escape(error.__doc__ or "")}'
            f"<dl><dt>Status</dt><dd>{error.status}</dd><dt>SQLSTATE</dt>"
            f"<dd>{error.sqlstate or 'none'}</dd><dt>A retry may help</dt><dd>{retry}</dd></dl>"
            "</article>"
        )
    return _page("The API of Bespeak", "".join(parts))


def _article(endpoint: Endpoint) -> str:
    keys = [f"{PREFIXES[kind]}_" for kind in KeyKind if kind in endpoint.kinds]
    errors = ", ".join(
        f'<a href="#{error.code}">{error.code}</a>' for error in endpoint.all_errors()
    )
    rows = [("Keys", ", ".join(keys) or "none needed"), ("Answers", str(endpoint.status))]
    if endpoint.body is not None:
        rows.append(("Body", ", ".join(endpoint.body.__struct_fields__)))
    if endpoint.query is not None:
        rows.append(("Query", ", ".join(endpoint.query.__struct_fields__)))
    shown = "".join(f"<dt>{name}</dt><dd>{escape(value)}</dd>" for name, value in rows)
    return (
        f'<article><h3><span class="method">{endpoint.method}</span> '
        f"<code>{escape(endpoint.path)}</code></h3>{escape(endpoint.handler.__doc__ or '')}"
        f"<dl>{shown}<dt>Errors</dt><dd>{errors}</dd></dl></article>"
    )
