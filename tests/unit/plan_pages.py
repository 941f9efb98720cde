"""The examples that the reference pages of the plans show, for the tests to hold to their rule."""

import json
import re
from pathlib import Path

_PAGES = Path(__file__).resolve().parents[2] / "docs" / "reference" / "plans"
_JSON = re.compile(r"^```json\n(.*?)^```$", re.MULTILINE | re.DOTALL)
VERSION = "912.7"


def plan_blocks(kind: str) -> list[str]:
    """The plans on the page of this kind."""
    return [block for block in _blocks(kind) if VERSION not in block]


def answer_block(kind: str) -> object:
    """The availability that the page of this kind shows."""
    (found,) = (block for block in _blocks(kind) if VERSION in block)
    return json.loads(found)


def _blocks(kind: str) -> list[str]:
    found: list[str] = _JSON.findall((_PAGES / f"{kind}.md").read_text())
    return [block for block in found if f'"type": "{kind}"' in block]
