"""The Python that the pages for library users show passes `mypy --strict` as it stands, so that a
program which begins as a copy of it has types.
"""

import textwrap
from pathlib import Path

import mypy.api

from tests.docs.pages import ROOT, pages, show
from tests.docs.running import Step, is_program, steps

# What the parts of a page have without saying so; see the page's text.
_GIVEN = """\
import asyncpg
import bespeak

async def parts(
    engine: bespeak.Engine, connection: asyncpg.Connection[asyncpg.Record]
) -> None:
"""
PAGES = [page for page in pages() if page.name in ("library.md", "fastapi.md", "README.md")]


def _sources(found: list[Step]) -> list[str]:
    """Each whole program, and all parts of programs as one, in their order."""
    programs = [step.command for step in found if is_program(step.command)]
    parts = [step.command for step in found if not is_program(step.command)]
    if parts:
        programs.append(_GIVEN + textwrap.indent("\n".join(parts), "    "))
    return programs


def test_what_the_pages_show_has_types(tmp_path: Path) -> None:
    files = []
    for page in PAGES:
        for number, source in enumerate(_sources(steps(page, "python"))):
            files.append(tmp_path / f"{page.stem.lower()}_{number}.py")
            files[-1].write_text(source)
    # With the settings of `make check`, which are strict, and so with what it has cached.
    told, _, status = mypy.api.run(
        [
            f"--config-file={ROOT / 'pyproject.toml'}",
            f"--cache-dir={ROOT / '.mypy_cache'}",
            *map(str, files),
        ]
    )
    assert status == 0, told


def test_there_is_something_to_check() -> None:
    assert any(steps(page, "python") for page in PAGES), [show(page) for page in PAGES]
