"""The page of the library's names is as the docstrings have it: who changes a public name or its
signature sees it in the review.
"""

import subprocess
import sys

import bespeak
from tests.docs.pages import DOCS, ROOT

PAGE = DOCS / "reference" / "library.md"


def test_the_page_is_current() -> None:
    """Else: `scripts/library-reference > docs/reference/library.md`."""
    made = subprocess.run(
        [sys.executable, str(ROOT / "scripts/library-reference")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert made.stdout == PAGE.read_text()


def test_it_has_every_public_name() -> None:
    text = PAGE.read_text()
    assert [name for name in bespeak.__all__ if f"`{name}`" not in text] == []
