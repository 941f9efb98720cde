"""The built pages: the shop, the console, the page about embedding, the reference of the API, and
what they load. They are read into memory from the package's folder `site`, which `make web` fills;
only what was found there has an address, so no path can lead out of it.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
import time
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl

from bespeak.cache import Cache
from bespeak.http.server.answers import Answer
from bespeak.http.server.asgi import Headers
from bespeak.http.server.errors import MethodNotAllowed
from bespeak.http.server.packing import VARY, codings_taken

FOLDER = Path(__file__).parents[1] / "site"

_SHOP, _CONSOLE, _DOCS, _EMBED = "shop.html", "console.html", "docs.html", "embed.html"
_OF_BOX_OFFICE = (_SHOP, _CONSOLE, _EMBED)
_PAGES = (*_OF_BOX_OFFICE, _DOCS)
# Gives the scanner's page out without a network. A worker may serve what is below its own folder,
# so it stands beside that page.
_SCANNER_WORKER = "console/scanner-worker.js"
_WITH_BOX_OFFICE = (*_OF_BOX_OFFICE, _SCANNER_WORKER)
_PACKED = (".br", ".gz")
_PACKED_BYTES_MIN = 1024
_LOOK_SECONDS = 1.0
_READS = ("GET", "HEAD")
_NOT_MODIFIED = 304
_NOT_BUILT = 503
# What is not the pages' to answer, even to a browser that comes there by its address bar.
_NOT_PAGES = re.compile(r"/(?:v\d+|assets|embed|sandbox|metrics|healthz|readyz)(?:/|$)")
# The page of a waiting room, and the queue in its address.
_WAITING = re.compile(r"/waiting/([A-Za-z0-9_]{1,40})")
_QUEUE = re.compile(r"[a-z][a-z0-9-]{0,39}")
_WAITING_PAGES_MAX = 200
_HASHED = re.compile(r"-[\w-]{8,}\.\w+$")
_MEDIA_TYPES = {
    ".css": b"text/css; charset=utf-8",
    ".html": b"text/html; charset=utf-8",
    ".ico": b"image/x-icon",
    ".js": b"text/javascript; charset=utf-8",
    ".json": b"application/json",
    ".map": b"application/json",
    ".png": b"image/png",
    ".svg": b"image/svg+xml; charset=utf-8",
    ".txt": b"text/plain; charset=utf-8",
    ".webmanifest": b"application/manifest+json",
    ".webp": b"image/webp",
    ".woff2": b"font/woff2",
}
_TEXTS = (b"text/", b"application/json", b"application/manifest", b"image/svg")

_POLICY = (
    b"default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    b"font-src 'self'; connect-src 'self'; object-src 'none'; frame-ancestors 'none'; "
    b"base-uri 'none'; form-action 'self'"
)
_INLINE_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
_NOT_USED = "accelerometer=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()"
SECURITY: Headers = (
    (b"content-security-policy", _POLICY),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", f"camera=(), {_NOT_USED}".encode()),
)
# What Stripe's script needs of the shop's page, by https://docs.stripe.com/security/guide: it comes
# from Stripe alone, puts frames of Stripe's there, which it styles by script, and opens wallets.
_STRIPE_POLICY = (
    (b"script-src 'self'", b"script-src 'self' https://js.stripe.com https://*.js.stripe.com"),
    (b"img-src 'self'", b"img-src 'self' https://*.stripe.com"),
    (
        b"connect-src 'self'",
        b"frame-src 'self' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com; "
        b"connect-src 'self' https://api.stripe.com",
    ),
    (b"payment=()", b'payment=(self "https://js.stripe.com")'),
)
_STRIPE_OPENER = (b"cross-origin-opener-policy", b"same-origin-allow-popups")
# The console has the scanner of tickets.
_CAMERA: Headers = ((b"permissions-policy", f"camera=(self), {_NOT_USED}".encode()),)
_OWN_ONLY: Headers = ((b"cross-origin-resource-policy", b"same-origin"),)
_FOR_ALL: Headers = (
    (b"cross-origin-resource-policy", b"cross-origin"),
    (b"access-control-allow-origin", b"*"),
)

_ABSENT = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>The box office is not built</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body><main><h1>The box office is not built</h1>
<p>This server runs from a source tree whose pages were not built yet. Run <code>make web</code>
there, and load this page again. Installed packages have the pages in them.</p>
<p>The API is there all the same: <a href="/start">what to try</a>, and
<a href="/v1/openapi.json">its OpenAPI document</a>.</p></main></body></html>
"""


class _File(NamedTuple):
    body: bytes
    packed: Mapping[str, bytes]
    etag: bytes
    media_type: bytes
    headers: Headers


class Site:
    def __init__(
        self, folder: Path = FOLDER, *, has_box_office: bool = True, tiles: str | None = None
    ) -> None:
        """Without a box office there is the reference of the API alone. The shop may show pictures
        from the origin `tiles` too."""
        self._folder = folder
        self._tiles = tiles
        self._has_box_office = has_box_office
        self._files: dict[str, _File] = {}
        self._waiting: Cache[str, _File] = Cache(size_max=_WAITING_PAGES_MAX)
        self._built_at = 0
        self._look_at = 0.0

    def answer(
        self,
        method: str,
        path: str,
        headers: Mapping[bytes, str],
        query: bytes = b"",
        *,
        with_stripe: bool = False,
    ) -> Answer | None:
        """What the site has at a path; None where it has nothing. `with_stripe` lets Stripe's form
        into the shop's page. Raises MethodNotAllowed."""
        name = self._name_of(path, headers.get(b"accept", ""))
        if name is None or (name in _WITH_BOX_OFFICE and not self._has_box_office):
            return None
        self._look()
        is_page = name in _PAGES
        if name not in self._files and not (is_page and not self._files):
            return None
        if method not in _READS:
            if is_page and path not in ("/", "/console", "/docs", "/embed"):
                return None  # an address that only a page's own script understands
            raise MethodNotAllowed(methods=sorted(_READS))
        file = self._files.get(name)
        if file is not None and name == _SHOP and (found := _WAITING.fullmatch(path)):
            file = self._of_waiting_room(file, _plain_address(found[1], query))
        if file is not None and name == _SHOP and with_stripe:
            file = _with_stripe(file)
        security = SECURITY if file is None else file.headers
        more = [*security, *(_FOR_ALL if name.startswith("embed/") else _OWN_ONLY)]
        if name == _CONSOLE:
            more = [*(one for one in more if one[0] != _CAMERA[0][0]), *_CAMERA]
        if file is None:
            more.append((b"cache-control", b"no-store"))
            return Answer(
                _NOT_BUILT, _ABSENT.encode(), headers=more, content_type=_MEDIA_TYPES[".html"]
            )
        return _answer(name, file, headers, more)

    def is_shop(self, path: str, headers: Mapping[bytes, str]) -> bool:
        """Whether the shop's page is at a path."""
        return self._has_box_office and self._name_of(path, headers.get(b"accept", "")) == _SHOP

    def _name_of(self, path: str, accept: str) -> str | None:
        if path == "/":
            return _SHOP
        if path == f"/{_SCANNER_WORKER}":
            return _SCANNER_WORKER
        if path == "/console" or path.startswith("/console/"):
            return _CONSOLE
        if path == "/docs" or path.startswith("/docs/"):
            return _DOCS
        if path in ("/embed", "/embed/"):
            return _EMBED
        if path.startswith(("/assets/", "/embed/")):
            return None if path.endswith(".html") else path[1:]
        if "text/html" in accept and not _NOT_PAGES.match(path):
            return _SHOP
        name = path[1:]
        return name if "/" not in name and not name.endswith(".html") else None

    def _of_waiting_room(self, shop: _File, address: str) -> _File:
        """The shop's page at a waiting room: a browser without JavaScript goes on to the page that
        needs none."""
        kept = self._waiting.peek(address)
        if kept is None:
            target = f'content="0; url={escape(address)}"'
            leads = f'<head><noscript><meta http-equiv="refresh" {target}></noscript>'
            body = shop.body.replace(b"<head>", leads.encode(), 1)
            kept = _packed(body, shop.media_type, shop.headers)
            self._waiting.put(address, kept)
        return kept

    def _look(self) -> None:
        """Reads the folder, and again when it was built anew: whoever works on the pages builds
        them beside a running server."""
        now = time.monotonic()
        if now < self._look_at:
            return
        self._look_at = now + _LOOK_SECONDS
        try:
            built_at = (self._folder / _SHOP).stat().st_mtime_ns
        except OSError:
            built_at = 0
        if built_at != self._built_at:
            self._files = dict(_read(self._folder)) if built_at else {}
            if self._tiles is not None and _SHOP in self._files:
                self._files[_SHOP] = _with_pictures(self._files[_SHOP], self._tiles.encode())
            self._waiting = Cache(size_max=_WAITING_PAGES_MAX)
            self._built_at = built_at


def _read(folder: Path) -> list[tuple[str, _File]]:
    """Every file of a folder by its path below it."""
    found: list[tuple[str, _File]] = []
    for file in sorted(folder.rglob("*")):
        if file.suffix not in _MEDIA_TYPES or not file.is_file():
            continue
        body = file.read_bytes()
        media_type = _MEDIA_TYPES[file.suffix]
        packed = {}
        for suffix, coding in zip(_PACKED, ("br", "gzip"), strict=True):
            beside = file.with_name(file.name + suffix)
            if beside.is_file():
                packed[coding] = beside.read_bytes()
        name = file.relative_to(folder).as_posix()
        found.append((name, _packed(body, media_type, _security(body, name), packed)))
    return found


def _packed(
    body: bytes, media_type: bytes, headers: Headers, packed: Mapping[str, bytes] | None = None
) -> _File:
    """A file in the codings that it is there in, and where it is worth it as gzip."""
    codings = dict(packed or {})
    if "gzip" not in codings and len(body) > _PACKED_BYTES_MIN and media_type.startswith(_TEXTS):
        codings["gzip"] = gzip.compress(body, 6, mtime=0)
    digest = hashlib.blake2b(body, digest_size=12).hexdigest()
    return _File(body, codings, digest.encode(), media_type, headers)


def _plain_address(room: str, query: bytes) -> str:
    """Where the page of a waiting room without JavaScript is, as seen from the other. An invitation
    code in the address stays behind."""
    named = dict(parse_qsl(query.decode("latin-1"))).get("queue", "")
    return f"{room}/plain?queue={named}" if _QUEUE.fullmatch(named) else f"{room}/plain"


def _security(body: bytes, name: str) -> Headers:
    """The policy of a page lets the scripts run that the build wrote into it, and no other text."""
    scripts = _INLINE_SCRIPT.findall(body) if name in _PAGES else []
    hashes = b"".join(
        b" 'sha256-%s'" % base64.b64encode(hashlib.sha256(one).digest()) for one in scripts
    )
    policy = _POLICY.replace(b"script-src 'self'", b"script-src 'self'" + hashes)
    return tuple((key, policy if value == _POLICY else value) for key, value in SECURITY)


def _with_pictures(file: _File, origin: bytes) -> _File:
    """A page whose policy lets pictures of another origin in."""
    pictures = b"img-src 'self' "
    headers = tuple(
        (key, value.replace(pictures, pictures + origin + b" ")) for key, value in file.headers
    )
    return file._replace(headers=headers)


def _with_stripe(file: _File) -> _File:
    """A page whose policy lets Stripe's form in. It is another page to who asks whether theirs is
    good still: a browser goes by the policy that it has kept."""
    headers = []
    for key, value in file.headers:
        wider = value
        for closed, opened in _STRIPE_POLICY:
            wider = wider.replace(closed, opened)
        headers.append(_STRIPE_OPENER if key == _STRIPE_OPENER[0] else (key, wider))
    return file._replace(headers=tuple(headers), etag=file.etag + b"-stripe")


def _answer(
    name: str, file: _File, headers: Mapping[bytes, str], more: list[tuple[bytes, bytes]]
) -> Answer:
    coding = _coding(file, headers)
    etag = b'"%s%s"' % (file.etag, b"-" + coding.encode() if coding else b"")
    kept = b"no-cache"  # kept, but asked for each time whether it is still good
    if name.startswith("assets/") and _HASHED.search(name):
        kept = b"public, max-age=31536000, immutable"
    more += [(b"etag", etag), (b"cache-control", kept)]
    if file.packed:
        more += VARY
    if _has(headers.get(b"if-none-match", ""), etag.decode()):
        return Answer(_NOT_MODIFIED, headers=more)
    if coding is None:
        return Answer(200, file.body, headers=more, content_type=file.media_type)
    more.append((b"content-encoding", coding.encode()))
    return Answer(200, file.packed[coding], headers=more, content_type=file.media_type)


def _coding(file: _File, headers: Mapping[bytes, str]) -> str | None:
    """The best coding of a file that a client takes."""
    found = codings_taken(headers) & file.packed.keys()
    return next((coding for coding in ("br", "gzip") if coding in found), None)


def _has(known: str, etag: str) -> bool:
    tags = {tag.strip().removeprefix("W/") for tag in known.split(",")}
    return etag in tags or "*" in tags
