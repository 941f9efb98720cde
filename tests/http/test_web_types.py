"""The types that the pages are written against are those of the API as it is."""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest

from bespeak.http.endpoints import ALL_ENDPOINTS
from bespeak.http.server.endpoint import Endpoint
from bespeak.http.server.openapi import internal_document, public_document

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("make", "file"),
    [
        (public_document, "packages/core/schema.ts"),
        (internal_document, "web/src/api/internal.ts"),
    ],
)
def test_the_types_of_the_web_are_current(
    make: Callable[[Sequence[Endpoint]], object], file: str
) -> None:
    document = msgspec.json.encode(make(ALL_ENDPOINTS), order="sorted")
    first = (ROOT / file).read_text().partition("\n")[0]
    assert hashlib.sha256(document).hexdigest() in first, "run scripts/web-types"
