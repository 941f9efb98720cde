"""The types that the pages are written against are those of the API as it is."""

import hashlib
from pathlib import Path

import msgspec

from bespeak.http.endpoints import ENDPOINTS
from bespeak.http.server.openapi import openapi

SCHEMA = Path(__file__).parents[2] / "web" / "src" / "api" / "schema.ts"


def test_the_types_of_the_web_are_current() -> None:
    document = msgspec.json.encode(openapi(ENDPOINTS), order="sorted")
    first = SCHEMA.read_text().partition("\n")[0]
    assert hashlib.sha256(document).hexdigest() in first, "run scripts/web-types"
