"""The built pages: which address shows which file, with which headers, and that none leads out."""

import base64
import gzip
import hashlib
import os
from pathlib import Path

import pytest

from bespeak.http.server.answer_headers import AnswerHeaders
from bespeak.http.server.answers import Answer
from bespeak.http.server.errors import MethodNotAllowed
from bespeak.http.server.origins import is_https
from bespeak.http.server.site import Site

HTML = {b"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
SCRIPT = b"console.log('shop');" * 100


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A site as the build leaves it, with a secret beside it."""
    site = tmp_path / "site"
    (site / "assets").mkdir(parents=True)
    (site / "embed").mkdir()
    for page in ("shop", "console", "docs", "embed"):
        (site / f"{page}.html").write_text(f"<!doctype html><title>{page}</title>")
    (site / "assets" / "shop-1a2b3c4d.js").write_bytes(SCRIPT)
    (site / "assets" / "shop-1a2b3c4d.js.br").write_bytes(b"brotli")
    (site / "assets" / "shop-1a2b3c4d.js.gz").write_bytes(gzip.compress(SCRIPT, mtime=0))
    (site / "assets" / "icon.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (site / "assets" / "passwords.db").write_text("secret")
    (site / "embed" / "seatmap.js").write_bytes(SCRIPT)
    (site / "console").mkdir()
    (site / "console" / "scanner-worker.js").write_bytes(SCRIPT)
    (site / "robots.txt").write_text("User-agent: *")
    (tmp_path / "secret.txt").write_text("secret")
    return site


def ask(
    folder: Path, path: str, headers: dict[bytes, str] | None = None, *, method: str = "GET"
) -> Answer | None:
    return Site(folder).answer(method, path, headers or {})


def got(folder: Path, path: str, headers: dict[bytes, str] | None = None) -> Answer:
    answer = ask(folder, path, headers)
    assert answer is not None, path
    return answer


def told(answer: Answer) -> dict[str, str]:
    return {name.decode(): value.decode() for name, value in answer.headers}


@pytest.mark.parametrize(
    ("path", "page"),
    [("/", "shop"), ("/console", "console"), ("/console/", "console"),
     ("/console/shows/res_00000001", "console"), ("/embed", "embed"), ("/embed/", "embed"),
     ("/docs", "docs"), ("/docs/calls/placeHold", "docs"), ("/docs/errors/unit_taken", "docs")],
)  # fmt: skip
def test_a_page_is_shown_to_whoever_comes(path: str, page: str, folder: Path) -> None:
    answer = got(folder, path)
    assert answer.status == 200
    assert f"<title>{page}</title>" in answer.body.decode()
    assert answer.content_type == b"text/html; charset=utf-8"


@pytest.mark.parametrize("path", ["/films/flm_1", "/bookings", "/shows/a/b", "/consoles", "/vip"])
def test_any_other_path_is_the_shops_for_a_browser_alone(path: str, folder: Path) -> None:
    assert "<title>shop</title>" in got(folder, path, HTML).body.decode()
    assert ask(folder, path) is None
    assert ask(folder, path, HTML, method="POST") is None


@pytest.mark.parametrize(
    "path",
    ["/v1/holds", "/v1", "/v2/x", "/assets/none.js", "/assets/", "/embed/none.js", "/sandbox/x",
     "/metrics/x", "/assets/passwords.db", "/assets/shop-1a2b3c4d.js.br",
     "/embed/embed.html", "/assets/x.html"],
)  # fmt: skip
def test_what_is_no_page_is_not_there_even_for_a_browser(path: str, folder: Path) -> None:
    assert ask(folder, path, HTML) is None


@pytest.mark.parametrize(
    "path",
    ["/assets/../secret.txt", "/assets/../../secret.txt", "/embed/../../secret.txt",
     "/assets/..%2f..%2fsecret.txt", "/assets//etc/passwd", "/../secret.txt", "/..\\secret.txt",
     "//etc/passwd", "/assets/./icon.svg", "/assets/\x00", "/shop.html", "/assets/.."],
)  # fmt: skip
def test_no_path_leads_out(path: str, folder: Path) -> None:
    assert ask(folder, path) is None
    answer = ask(folder, path, HTML)
    assert answer is None or b"<title>shop</title>" in answer.body


def test_the_worker_of_the_scanner_is_asked_for_each_time_and_strict(folder: Path) -> None:
    """A worker that a browser kept for long would hold new pages back."""
    answer = got(folder, "/console/scanner-worker.js", HTML)
    assert answer.body == SCRIPT
    assert answer.content_type == b"text/javascript; charset=utf-8"
    headers = told(answer)
    assert headers["cache-control"] == "no-cache"
    assert "connect-src 'self'" in headers["content-security-policy"]
    assert headers["cross-origin-resource-policy"] == "same-origin"
    # What lies beside it in the folder is a page's own address.
    assert b"<title>console</title>" in got(folder, "/console/other.js").body
    assert (
        Site(folder, has_box_office=False).answer("GET", "/console/scanner-worker.js", {}) is None
    )


def test_the_policy_is_strict_on_every_page_and_file(folder: Path) -> None:
    for path in ("/", "/console", "/docs", "/embed", "/assets/shop-1a2b3c4d.js",
                 "/embed/seatmap.js"):  # fmt: skip
        headers = told(got(folder, path))
        policy = headers["content-security-policy"]
        rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
        assert rules["default-src"] == rules["script-src"] == rules["style-src"] == "'self'"
        assert rules["connect-src"] == "'self'"
        assert rules["object-src"] == rules["frame-ancestors"] == rules["base-uri"] == "'none'"
        assert "unsafe" not in policy and "*" not in policy and "http" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        # Only the console has a use for the camera: its scanner.
        camera = "camera=(self)" if path == "/console" else "camera=()"
        assert camera in headers["permissions-policy"]
        assert "strict-transport-security" not in headers


def test_a_script_in_a_page_runs_by_its_hash_alone(folder: Path) -> None:
    script = "document.documentElement.dir = 'rtl';"
    text = f"<!doctype html><script>{script}</script><title>shop</title>"
    (folder / "shop.html").write_text(text)
    policy = told(got(folder, "/"))["content-security-policy"]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'self' 'sha256-{digest}';" in policy
    assert "unsafe" not in policy
    for path in ("/console", "/assets/shop-1a2b3c4d.js", "/embed/seatmap.js"):
        assert "sha256" not in told(got(folder, path))["content-security-policy"]


@pytest.mark.parametrize(
    ("public_url", "scheme", "spoken"),
    [
        ("https://tickets.example", "http", True),  # by a proxy
        ("http://127.0.0.1:8000", "https", True),
        ("http://127.0.0.1:8000", "http", False),
    ],
)
def test_https_is_kept_to_where_it_is_spoken(public_url: str, scheme: str, spoken: bool) -> None:
    https = is_https(public_url, scheme)
    added = dict(AnswerHeaders(hsts_subdomains=False).missing((), is_https=https))
    assert (b"strict-transport-security" in added) is spoken


def test_only_what_is_for_embedding_is_for_other_sites(folder: Path) -> None:
    shared = told(got(folder, "/embed/seatmap.js"))
    assert shared["access-control-allow-origin"] == "*"
    assert shared["cross-origin-resource-policy"] == "cross-origin"
    for path in ("/", "/assets/shop-1a2b3c4d.js", "/embed"):
        own = told(got(folder, path))
        assert "access-control-allow-origin" not in own
        assert own["cross-origin-resource-policy"] == "same-origin"


def test_only_what_has_its_hash_in_its_name_never_changes(folder: Path) -> None:
    kept = {path: told(got(folder, path))["cache-control"] for path in
            ("/assets/shop-1a2b3c4d.js", "/assets/icon.svg", "/embed/seatmap.js", "/", "/robots.txt")}  # noqa: E501  # fmt: skip
    assert "immutable" in kept.pop("/assets/shop-1a2b3c4d.js")
    assert set(kept.values()) == {"no-cache"}


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [("br, gzip", "br"), ("gzip, deflate", "gzip"), ("br;q=0, gzip", "gzip"), ("GZIP", "gzip"),
     ("identity", None), ("", None), ("br; q=0.000,gzip;q=0", None), ("brotli", None)],
)  # fmt: skip
def test_it_is_packed_as_the_client_can_take_it(
    accepted: str, coding: str | None, folder: Path
) -> None:
    answer = got(folder, "/assets/shop-1a2b3c4d.js", {b"accept-encoding": accepted})
    headers = told(answer)
    assert headers.get("content-encoding") == coding
    assert headers["vary"] == "accept-encoding"
    unpacked = {"br": b"brotli", "gzip": gzip.compress(SCRIPT, mtime=0), None: SCRIPT}
    assert answer.body == unpacked[coding]


def test_what_was_not_packed_by_the_build_is_packed_here(folder: Path) -> None:
    answer = got(folder, "/embed/seatmap.js", {b"accept-encoding": "br, gzip"})
    assert told(answer)["content-encoding"] == "gzip"
    assert gzip.decompress(answer.body) == SCRIPT
    small = got(folder, "/assets/icon.svg", {b"accept-encoding": "br, gzip"})
    assert "content-encoding" not in told(small)


def test_who_has_it_already_is_not_sent_it_again(folder: Path) -> None:
    first = told(got(folder, "/"))
    for known in (first["etag"], f"W/{first['etag']}", f'"x", {first["etag"]}', "*"):
        again = got(folder, "/", {b"if-none-match": known})
        assert (again.status, again.body) == (304, b"")
        assert told(again)["etag"] == first["etag"]
    assert got(folder, "/", {b"if-none-match": '"other"'}).status == 200
    packed = got(folder, "/assets/shop-1a2b3c4d.js", {b"accept-encoding": "br"})
    plain = got(folder, "/assets/shop-1a2b3c4d.js")
    assert told(packed)["etag"] != told(plain)["etag"]


@pytest.mark.parametrize(
    "path", ["/", "/console", "/docs", "/assets/icon.svg", "/embed/seatmap.js"]
)
def test_files_are_read_only(path: str, folder: Path) -> None:
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        with pytest.raises(MethodNotAllowed) as refused:
            ask(folder, path, method=method)
        assert refused.value.data["methods"] == ["GET", "HEAD"]


def test_without_a_build_it_says_how_to_make_one(tmp_path: Path) -> None:
    for path in ("/", "/console/shows", "/docs", "/embed"):
        answer = got(tmp_path / "none", path)
        assert answer.status == 503
        assert "make web" in answer.body.decode() and b"<script" not in answer.body
        assert told(answer)["cache-control"] == "no-store"
    assert ask(tmp_path / "none", "/assets/shop.js") is None


POLICY_WITH_STRIPE = {
    "default-src": "'self'",
    "script-src": "'self' https://js.stripe.com https://*.js.stripe.com",
    "style-src": "'self'",
    "img-src": "'self' https://*.stripe.com data: blob:",
    "font-src": "'self'",
    "frame-src": "'self' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com",
    "connect-src": "'self' https://api.stripe.com",
    "object-src": "'none'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
}


def with_stripe(site: Site, path: str, headers: dict[bytes, str] | None = None) -> Answer:
    answer = site.answer("GET", path, headers or {}, with_stripe=True)
    assert answer is not None
    return answer


@pytest.mark.parametrize("path", ["/", "/checkout/hold_1", "/waiting/wr_1a"])
def test_stripes_form_is_let_into_the_shop(path: str, folder: Path) -> None:
    (folder / "shop.html").write_text("<!doctype html><head><title>shop</title></head>")
    site = Site(folder)
    assert site.is_shop(path, HTML)
    answer, plain = with_stripe(site, path, HTML), got(folder, path, HTML)
    headers, before = told(answer), told(plain)
    assert answer.body == plain.body
    rules = headers.pop("content-security-policy").split(";")
    assert dict(rule.strip().split(" ", 1) for rule in rules) == POLICY_WITH_STRIPE
    assert headers.pop("cross-origin-opener-policy") == "same-origin-allow-popups"
    wallets = 'payment=(self "https://js.stripe.com")'
    assert wallets in headers["permissions-policy"]
    assert headers.pop("permissions-policy").replace(wallets, "payment=()") == before.pop(
        "permissions-policy"
    )
    # What a browser has kept with the policy of before is asked for anew, either way.
    for known, way in ((before["etag"], True), (headers["etag"], False)):
        asked = {**HTML, b"if-none-match": known}
        again = site.answer("GET", path, asked, with_stripe=way)
        assert again is not None and again.status == 200
    assert with_stripe(site, path, {**HTML, b"if-none-match": headers["etag"]}).status == 304
    for changed in ("etag", "content-security-policy", "cross-origin-opener-policy"):
        headers.pop(changed, None)
        before.pop(changed, None)
    assert headers == before


@pytest.mark.parametrize(
    "path", ["/console", "/docs", "/embed", "/assets/shop-1a2b3c4d.js", "/embed/seatmap.js"]
)
def test_stripes_form_is_let_in_nowhere_else(path: str, folder: Path) -> None:
    site = Site(folder)
    assert not site.is_shop(path, HTML)
    assert told(with_stripe(site, path, HTML)) == told(got(folder, path, HTML))


def test_without_a_box_office_no_page_is_the_shop(folder: Path) -> None:
    assert not Site(folder, has_box_office=False).is_shop("/", HTML)


def test_the_scripts_of_the_build_and_the_map_stay_in_with_stripes_form(folder: Path) -> None:
    (folder / "shop.html").write_text("<!doctype html><script>go()</script>")
    policy = told(with_stripe(Site(folder, tiles="https://tiles.example"), "/"))[
        "content-security-policy"
    ]
    digest = base64.b64encode(hashlib.sha256(b"go()").digest()).decode()
    stripe = "https://js.stripe.com https://*.js.stripe.com"
    assert f"script-src 'self' {stripe} 'sha256-{digest}';" in policy
    assert "img-src 'self' https://*.stripe.com https://tiles.example data: blob:;" in policy
    assert "unsafe" not in policy


def test_a_new_build_is_noticed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("bespeak.http.server.site.time.monotonic", lambda: now[0])
    site = Site(folder)

    def title() -> str:
        answer = site.answer("GET", "/", {})
        assert answer is not None
        return answer.body.decode()

    assert "<title>shop</title>" in title()
    (folder / "shop.html").write_text("<!doctype html><title>newer</title>")
    os.utime(folder / "shop.html", ns=(1, 1))
    assert "<title>shop</title>" in title(), "it is not looked at for each request"
    now[0] += 1.1
    assert "<title>newer</title>" in title()


def test_without_a_box_office_there_is_the_reference_alone(folder: Path) -> None:
    site = Site(folder, has_box_office=False)
    for path in ("/", "/console", "/console/shows", "/embed", "/films/flm_1"):
        assert site.answer("GET", path, HTML) is None
    for path in ("/docs", "/docs/errors", "/assets/shop-1a2b3c4d.js", "/robots.txt"):
        assert site.answer("GET", path, {}) is not None


LEADS = '<noscript><meta http-equiv="refresh" content="0; url={}"></noscript>'


@pytest.mark.parametrize(
    ("query", "address"),
    [(b"", "wr_1a/plain"), (b"queue=members&from=/shows/x", "wr_1a/plain?queue=members"),
     (b"code=04003K", "wr_1a/plain"), (b"queue=%22%3E%3Cscript%3E", "wr_1a/plain"),
     (b"queue=\xff", "wr_1a/plain")],
)  # fmt: skip
def test_a_browser_without_scripts_is_led_on_from_a_waiting_room(
    query: bytes, address: str, folder: Path
) -> None:
    (folder / "shop.html").write_text("<!doctype html><head><title>shop</title></head>")
    site = Site(folder)
    answer = site.answer("GET", "/waiting/wr_1a", HTML, query)
    assert answer is not None
    assert f"<head>{LEADS.format(address)}<title>" in answer.body.decode()
    home = told(got(folder, "/"))
    assert told(answer)["content-security-policy"] == home["content-security-policy"]
    assert told(answer)["etag"] != home["etag"]
    again = site.answer(
        "GET", "/waiting/wr_1a", {**HTML, b"if-none-match": told(answer)["etag"]}, query
    )
    assert again is not None and again.status == 304


@pytest.mark.parametrize("path", ["/", "/waiting", "/waiting/", "/waiting/a/b", "/waiting/a%22b"])
def test_any_other_page_leads_nobody_on(path: str, folder: Path) -> None:
    (folder / "shop.html").write_text("<!doctype html><head><title>shop</title></head>")
    assert "noscript" not in got(folder, path, HTML).body.decode()
