"""The public names: each is found where the package says; none is imported before that."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import bespeak
from bespeak.public_names import HOMES

PACKAGE = Path(bespeak.__file__)


def imported() -> dict[str, str]:
    """What type checkers see: each name with its module."""
    tree = ast.parse(PACKAGE.read_text(encoding="utf-8"))
    return {
        alias.name: str(node.module)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        and str(node.module).startswith("bespeak.")
        and node.module != "bespeak.public_names"
        for alias in node.names
    }


def test_each_is_found_where_type_checkers_find_it() -> None:
    assert imported() == HOMES
    assert sorted(HOMES) == sorted(bespeak.__all__)
    assert set(bespeak.__all__) <= set(dir(bespeak))


@pytest.mark.parametrize("name", bespeak.__all__)
def test_each_is_there(name: str) -> None:
    value = getattr(bespeak, name)
    assert getattr(value, "__name__", name) == name


def test_what_is_none_of_them_is_not_there() -> None:
    with pytest.raises(AttributeError, match="nonsense"):
        getattr(bespeak, "nonsense")  # noqa: B009


def test_an_import_alone_brings_no_library() -> None:
    shown = "import sys, bespeak; print({m.split('.')[0] for m in sys.modules})"
    ended = subprocess.run(
        [sys.executable, "-c", shown], capture_output=True, text=True, check=True
    )
    loaded = ast.literal_eval(ended.stdout)
    assert "bespeak" in loaded
    assert not loaded & {"asyncpg", "msgspec", "numpy", "aiohttp", "structlog"}
