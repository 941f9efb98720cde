"""What the API serves of itself: the first page, plain HTML without scripts, and the OpenAPI
documents, made once from the table of endpoints.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Sequence
from functools import cache
from html import escape

import msgspec

from bespeak.http.server import tags
from bespeak.http.server.answers import Answer, PackableAnswer
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import ANYONE, Endpoint, Handler
from bespeak.http.server.openapi import internal_document, public_document
from bespeak.http.server.openapi_names import Json
from bespeak.http.server.packing import VARY
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
:root { color-scheme: light dark; --soft: #8882; --ink: #0b57d0; }
@media (prefers-color-scheme: dark) { :root { --ink: #a8c7fa; } }
* { box-sizing: border-box; }
body { font: 16px/1.55 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1.5rem; }
h1 { font-size: 1.9rem; margin: .5rem 0; }
a { color: var(--ink); } code, pre { font-family: ui-monospace, monospace; font-size: .9em; }
pre { background: var(--soft); padding: .8rem 1rem; border-radius: .5rem; overflow-x: auto; }
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
    def packed(make: Callable[[Sequence[Endpoint], str], Json], server: str) -> bytes:
        # A tenth as long.
        return gzip.compress(document(make, server), mtime=0)

    def answered(make: Callable[[Sequence[Endpoint], str], Json], call: Call[None, None]) -> Answer:
        server = _server(call)
        body, ready = document(make, server), packed(make, server)
        return PackableAnswer(200, body, headers=VARY, ready=ready)

    async def get_openapi(call: Call[None, None]) -> Answer:
        """This API as an OpenAPI 3.1 document."""
        return answered(public_document, call)

    async def get_internal_openapi(call: Call[None, None]) -> Answer:
        """The calls that only the pages of this server make, as an OpenAPI 3.1 document."""
        return answered(internal_document, call)

    async def first_page(_: Call[None, None]) -> Answer:
        """What is here, and what to try."""
        body = _page("Bespeak", f"<h1>Bespeak</h1>{_WELCOME}").encode()
        return Answer(200, body, content_type=_HTML, headers=_SECURITY)

    made += [
        _of_page("/v1/openapi.json", get_openapi, "The OpenAPI document", _JSON, tags.INSTALLATION),
        _of_page(
            "/v1/openapi-internal.json", get_internal_openapi, "The internal calls' document", _JSON
        ),
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
