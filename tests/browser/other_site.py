"""A site of somebody else: another origin on this machine, with its own policy."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import NamedTuple


class Content(NamedTuple):
    text: str
    media_type: str = "text/html"


@contextmanager
def other_site(contents: Mapping[str, Content], policy: str) -> Iterator[str]:
    """Gives out these contents, by their paths; the site's address."""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = contents.get(self.path)
            content = (found.text if found else "").encode()
            self.send_response(200 if found else 404)
            self.send_header(
                "content-type", f"{found.media_type if found else 'text/plain'}; charset=utf-8"
            )
            self.send_header("content-security-policy", policy)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (inherited)
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
