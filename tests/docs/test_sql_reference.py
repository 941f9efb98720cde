"""Every function and table of the schema is in the reference, with its signature."""

import re

from bespeak.payments.audit import PROBLEMS
from tests.docs.pages import DOCS, blocks, code, rows, sections
from tests.harness.database import Connection

PAGE = DOCS / "reference" / "sql.md"
SECTIONS = dict(sections(PAGE))
_DEFAULT = re.compile(r" DEFAULT (\S+?)(?:::[\w\[\]]+)?(?=,|$)")
FUNCTIONS = """
select p.proname as name, pg_get_function_arguments(p.oid) as arguments,
    pg_get_function_result(p.oid) as result
from pg_proc p where p.pronamespace = 'bespeak'::regnamespace
"""


def signatures() -> dict[str, str]:
    """The documented signatures by the names of the functions."""
    return {
        block.text.partition("(")[0]: re.sub(r"\s+", " ", block.text)
        for block in blocks(PAGE)
        if block.words == ("text", "signature")
    }


def internal() -> set[str]:
    return {name for row in rows(SECTIONS["Internal"])[1:] for name in code(row[0])}


async def test_every_function_is_documented_and_no_other(connection: Connection) -> None:
    made = {row["name"]: row for row in await connection.fetch(FUNCTIONS)}
    assert set(signatures()) | internal() == set(made)
    assert not set(signatures()) & internal()
    for name, signature in signatures().items():
        assert f"`bespeak.{name}`" in SECTIONS
        row = made[name]
        text = f"{name}({_plain(row['arguments'])}) returns {_plain(row['result'])}"
        assert signature == text


def _plain(text: str) -> str:
    """As one would write it by hand."""
    text = text.replace("timestamp with time zone", "timestamptz")
    text = _DEFAULT.sub(lambda found: f" default {found[1].lower()}", text)
    return text.replace("TABLE(", "table (").replace("SETOF", "setof")


async def test_every_table_is_documented_and_no_other(connection: Connection) -> None:
    found = await connection.fetch(
        "select tablename from pg_tables where schemaname = 'bespeak' order by 1"
    )
    named = [name for row in rows(SECTIONS["Tables"])[1:] for name in code(row[0])]
    assert sorted(named) == [row["tablename"] for row in found]


async def test_every_problem_of_the_audit_is_documented(connection: Connection) -> None:
    source: str = await connection.fetchval(
        "select string_agg(prosrc, '') from pg_proc where pronamespace = 'bespeak'::regnamespace"
        " and proname in ('audit', 'outside_plan')"
    )
    problems = set(re.findall(r"select '([a-z_]+)',", source))
    assert {code(row[0])[0] for row in rows(SECTIONS["`bespeak.audit`"])[1:]} == problems


def test_every_problem_of_the_money_is_documented() -> None:
    told = {code(row[0])[0]: row[1] for row in rows(SECTIONS["`bespeak.money_problems`"])[1:]}
    assert told == PROBLEMS
