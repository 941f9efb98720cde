"""What is logged is one line of JSON, whatever was sent."""

import io
import json

import pytest
import structlog

from bespeak.http.server.logs import PROCESSORS

SENT = [
    'x\n{"event":"forged","level":"error"}',
    "x\r\nforged",
    "\u2028forged\u2029",
    "\x1b[2Jforged",
    "\x85forged",
    "\x00",
    '"},{"event":"forged"',
    "\u202eforged",
]


@pytest.mark.parametrize("sent", SENT)
def test_a_line_of_the_log_is_one_line(sent: str) -> None:
    """Else whoever is logged could write entries, or orders to the terminal of who reads them."""
    file = io.StringIO()
    log = structlog.wrap_logger(structlog.PrintLogger(file), processors=PROCESSORS)
    try:
        raise ValueError(sent)
    except ValueError:
        log.exception("request failed", path=sent, event_of=sent)
    text = file.getvalue()
    assert text.isascii() and text[:-1].isprintable() and text.endswith("}\n")
    (line,) = text.splitlines()
    told = json.loads(line)
    assert (told["event"], told["level"], told["path"]) == ("request failed", "error", sent)
    assert told["timestamp"].endswith("Z")
