"""What the pages show runs, and prints what they say."""

import ast
import builtins
import contextlib
import inspect
import io
import json
import types
from pathlib import Path

import pytest

import bespeak
from tests.docs.conftest import Demo
from tests.docs.pages import Block, blocks, in_reading_order, pages, show
from tests.docs.running import (
    SHOW_IN_TEXT,
    Step,
    is_program,
    run_program,
    run_session,
    run_sql,
    steps,
)
from tests.docs.transcript import matches
from tests.harness.database import Connection, feed_settled
from tests.harness.shows import MakeShow

SHELL, SQL, PYTHON = "session", "sql", "python"


def with_(kind: str) -> list[Path]:
    return [page for page in in_reading_order() if steps(page, kind)]


@pytest.mark.parametrize("page", with_(SHELL), ids=show)
def test_the_shell_session(
    page: Path, demo: Demo, own_databases: dict[str, str], tmp_path: Path
) -> None:
    run_session(steps(page, SHELL), {**demo.environment_of(page), **own_databases}, tmp_path)


@pytest.mark.parametrize("page", with_(SQL), ids=show)
async def test_the_sql(
    page: Path, demo: Demo, database_url: str, make_show: MakeShow, tmp_path: Path
) -> None:
    made = (await make_show(owner_limit=6)).id
    if makes_its_show(page):
        made = run_session(steps(page, SHELL), demo.environment_of(page), tmp_path)
        database_url = demo.environment["DATABASE_URL"]
    run_sql(steps(page, SQL), database_url, made)


def makes_its_show(page: Path) -> bool:
    return any(step.command.startswith("SHOW=") for step in steps(page, SHELL))


@pytest.mark.parametrize("page", with_(PYTHON), ids=show)
async def test_the_python(
    page: Path,
    database_url: str,
    engine: bespeak.Engine,
    connection: Connection,
    make_show: MakeShow,
    tmp_path: Path,
) -> None:
    made = await make_show(owner_limit=6)
    names: dict[str, object] = {"engine": engine, "connection": connection, "bespeak": bespeak}
    names["__builtins__"] = builtins
    for step in steps(page, PYTHON):
        if is_program(step.command):
            run_program(step, {"BESPEAK_DATABASE_URL": database_url}, tmp_path)
        else:
            await feed_settled(connection)  # what a page reads of the feed, it reads at leisure
            await run_part(step, names, made.id)


async def run_part(step: Step, names: dict[str, object], show_id: str) -> None:
    """Runs a part of a program, which may await, with the names of the parts before it."""
    source = step.command.replace(SHOW_IN_TEXT, show_id)
    code = compile(
        source, f"{step.block.page}:{step.block.line}", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    )
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        result = types.FunctionType(code, names)()
        if inspect.isawaitable(result):
            await result
    if step.expected is not None:
        assert matches(step.expected, printed.getvalue()), f"{source}\n{printed.getvalue()}"


JSON = [block for page in pages() for block in blocks(page) if block.words == ("json",)]


@pytest.mark.parametrize("block", JSON, ids=lambda block: f"{show(block.page)}:{block.line}")
def test_the_json_decodes(block: Block) -> None:
    json.loads(block.text)


MARKED = {"bash session", "console", "sql", "python", "json", "sh", "text", "mermaid"}
MARKED |= {"css", "html", "javascript"}  # for browsers: they do not run here
MARKED |= {"ts", "tsx"}  # compiled by test_typescript.py
MARKED |= {"yaml", "nginx"}  # for other programs
MARKED |= {"text signature", "text output", "json output"}


@pytest.mark.parametrize("page", pages(), ids=show)
def test_every_block_is_marked(page: Path) -> None:
    """So that one which should run cannot be forgotten by a slip of the pen."""
    before: Block | None = None
    for block in blocks(page):
        place = f"{show(page)}:{block.line}"
        if {"tutorial", "guides", "reference"} & set(page.parts) or page.name == "README.md":
            assert " ".join(block.words) in MARKED, place
        if block.is_output:
            assert before is not None, place
            assert before.is_session or before.language in (SQL, PYTHON), place
        before = block


def test_there_is_something_to_run() -> None:
    for kind in (SHELL, SQL, PYTHON):
        assert len(with_(kind)) >= 2, kind


def test_the_comparison_tells_a_difference() -> None:
    assert matches(
        '{"id": "hold_01m7y6w42jh6q8wthwjrpctn25", …}',
        '{"id":"hold_01m7y6w42jh6q8wthwjrpctn26","a":1}',
    )
    assert not matches('{"state": "held"}', '{"state":"released"}')
    assert not matches('{"state": "held"}', '{"state":"held","more":1}')
