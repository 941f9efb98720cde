"""Each rule catches an offender and lets an innocent pass, so that none can be vacuous.

Words that a rule forbids everywhere are put together from halves here, or this file would offend.
"""

import pytest

from tests.style.rules import BY_NAME, RULES
from tests.style.tree import SourceFile

MODULE = "src/bespeak/reservations/committer.py"
INIT = "src/bespeak/__init__.py"
VERB = "src/bespeak/postgres/sql/holds/place.sql"
TELLS = "insert into bespeak.event (resource_id, "
TABLES = "src/bespeak/postgres/migrations/0001_inventory.sql"
FUNCTION = "-- Why.\ncreate or replace function bespeak.f() returns int\nlanguage sql as $$\n"
LONG_BODY = "    x = 1\n" * 49

# Rule, path, text.
Case = tuple[str, str, str]

OFFENDERS: list[Case] = [
    ("any-has-a-reason", MODULE, "from typing import Any\nx: Any = 1\n"),
    ("any-has-a-reason", MODULE, "import typing\ndef f(x: typing.Any) -> None: ...\n"),
    ("any-has-a-reason", MODULE, "from typing import Any as Whatever\nx: list[Whatever] = []\n"),
    ("any-has-a-reason", MODULE, "from typing import Any\nx: Any = 1  # any:\n"),
    ("download-hosts", "README.md", "see https://py" + "pi.org/project/bespeak\n"),
    ("download-hosts", "Makefile", "pip install --index" + "-url $(URL) x\n"),
    ("download-hosts", "src/bespeak/http/docs.html", "<script src='https://unp" + "kg.com/x'>\n"),
    ("file-length", MODULE, "x = 1\n" * 401),
    ("function-length", MODULE, "def f():\n" + LONG_BODY + "    return x\n"),
    ("function-length", MODULE, "class C:\n  async def f(self):\n" + LONG_BODY + "    return x\n"),
    ("header", MODULE, "x = 1\n"),
    ("header", MODULE, '"""  """\n'),
    ("imports-go-down", MODULE, "from bespeak.feed import follow\n"),
    ("imports-go-down", MODULE, "import bespeak.http.routes\n"),
    ("imports-go-down", MODULE, "from bespeak import assembly\n"),
    ("imports-go-down", MODULE, "import bespeak\n"),
    ("imports-go-down", MODULE, "from bespeak import connect\n"),
    ("imports-go-down", MODULE, "from ..feed import follow\n"),
    ("imports-go-down", MODULE, "from .. import feed\n"),
    ("imports-go-down", MODULE, "def f():\n    from bespeak.cli import main\n"),
    ("imports-go-down", MODULE, "from bespeak.unheard_of import x\n"),
    ("imports-go-down", "src/bespeak/errors.py", "from bespeak.postgres import pool\n"),
    ("imports-go-down", "src/bespeak/unheard_of.py", "x = 1\n"),
    ("imports-go-down", "src/bespeak/http/unheard_of.py", "x = 1\n"),
    ("imports-go-down", "src/bespeak/http/server/call.py", "from bespeak.http.api import holds\n"),
    ("imports-go-down", "src/bespeak/http/api/holds.py", "from ..app import create_app\n"),
    ("locks-are-exact", "requirements.lock", "starlette>=1.0\n"),
    ("locks-are-exact", "requirements.lock", "starlette\n"),
    ("locks-are-exact", "requirements.lock", "starlette==1.10.0\n"),
    ("locks-are-exact", "requirements.lock", "    --hash=md5:0123456789abcdef\n"),
    ("locks-are-exact", "requirements-dev.lock", "starlette @ file:///wheels/starlette.whl\n"),
    ("loose-ends", "docs/index.md", "TO" + "DO: write this\n"),
    ("loose-ends", MODULE, "# FIX" + "ME later\n"),
    ("machine-paths", "docs/index.md", "cd /wo" + "rk/main\n"),
    ("machine-paths", "Makefile", "cp x '/ro" + "ot/.cache'\n"),
    ("machine-paths", "scripts/setup", "/tmp/pro" + "be/bin/python\n"),
    ("machine-paths", "scripts/setup", "/ho" + "me/asha/bespeak\n"),
    ("names", "src/bespeak/utils/text.py", ""),
    ("names", "src/bespeak/http/helpers.py", ""),
    ("names", "tests/common/__init__.py", ""),
    ("names", "docs/models.md", ""),
    ("page-polls", "tests/browser/test_x.py", "page.wait_for_function('x > 0')\n"),
    ("page-polls", "tests/browser/shop.py", "wait = page.wait_for_function\n"),
    ("print", MODULE, "print('here')\n"),
    ("print", "tests/unit/test_ids.py", "def test_it():\n    print('here')\n"),
    ("public-names", INIT, "from bespeak.assembly import connect\n"),
    ("public-names", INIT, "from x import connect, Line\n__all__ = ['connect', 'Line']\n"),
    ("public-names", INIT, "from x import Line\n__all__ = ['Line', 'Line']\n"),
    ("public-names", INIT, "from x import Line\n__all__ = ['Line', 'connect']\n"),
    ("skipped-tests", "tests/unit/test_ids.py", "@pytest.mark." + "skip\ndef test_it(): ...\n"),
    ("skipped-tests", "tests/unit/test_ids.py", "@pytest.mark." + "xfail(reason='x')\n"),
    ("skipped-tests", "tests/unit/test_ids.py", "pytest." + "importorskip('redis')\n"),
    ("events-have-actors", VERB, TELLS + "kind,\n    at)\nselect 1"),
    ("sql-checks-are-named", TABLES, "create table x (\n    a int,\n    check (a > 0)\n);\n"),
    ("sql-composites", VERB, "select row(1, 2)::bespeak.seat_guard"),
    ("sql-functions", VERB, FUNCTION + "select 1;\n" * 78 + "$$;\n"),
    ("sql-functions", VERB, FUNCTION.removeprefix("-- Why.\n") + "select 1\n$$;\n"),
    ("sql-functions", VERB, "select 1;\n\ncreate view bespeak.v as select 1;\n"),
    ("sql-place", "tests/integration/seats.sql", "select 1;\n"),
    ("sql-purpose", "src/bespeak/feed/feed.sql", "-- name: read_feed\nselect 1;\n"),
    ("sql-purpose", "src/bespeak/feed/feed.sql", "-- name: read_feed\n--\nselect 1;\n"),
    ("sql-purpose", "src/bespeak/feed/feed.sql", "-- name: a\n-- name: b\n-- Why.\nselect 1;\n"),
    ("sql-purpose", "src/bespeak/feed/feed.sql", "-- name: a\n-- Why.\n-- name: a\n-- Why.\n"),
    ("sql-purpose", "src/bespeak/feed/feed.sql", "select 1;\n-- name: read_feed"),
    ("sql-size", VERB, "select 1;\n" * 401),
    ("sql-size", VERB, "-- " + "x" * 108),
    ("sql-unit-order", VERB, "insert into t select 1 from line order by resource_id, unit\n"),
    ("sql-strings", MODULE, "QUERY = 'select 1'\n"),
    ("sql-strings", MODULE, 'QUERY = """\n    SELECT *\n    FROM claim"""\n'),
    ("sql-strings", MODULE, "run(f'insert into {table} values (1)')\n"),
    ("sql-strings", MODULE, "run('update bespeak.hold h set state = 1')\n"),
    ("sql-strings", MODULE, "run('delete from bespeak.claim')\n"),
    ("sql-strings", MODULE, "run('with due as (' + rest)\n"),
    ("sql-strings", MODULE, "run('create schema bespeak')\n"),
    ("verticals-unnamed", MODULE, "from bespeak.verticals import cinema\n"),
    ("verticals-unnamed", "src/bespeak/verticals/installed.py", "x = 'Cine" + "ma'\n"),
    ("verticals-unnamed", "web/src/console/app.tsx", "const x = '/v1/cinema';\n"),
    ("verticals-unnamed", "web/src/editor/keepers/keepers.ts", "const x = '/v1/cinema';\n"),
    ("verticals-unnamed", "web/src/widgets/buy.ts", "const x = '/v1/cinema';\n"),
]

INNOCENTS: list[Case] = [
    (
        "any-has-a-reason",
        MODULE,
        "from typing import Any\nx: Any = 1  # any: asyncpg says no more\n",
    ),
    ("any-has-a-reason", MODULE, "x = any(y)\nmessage = 'Any seat'\n"),
    ("any-has-a-reason", "tests/unit/test_ids.py", "from typing import Any\nx: Any = 1\n"),
    ("download-hosts", "README.md", "pip install bespeak\n"),
    ("file-length", MODULE, "x = 1\n" * 400),
    ("file-length", "benchmarks/load.py", "x = 1\n" * 401),
    ("function-length", MODULE, "def f():\n" + LONG_BODY),
    ("function-length", MODULE, 'def f():\n    """One.\n\n    Two.\n    """\n' + LONG_BODY),
    ("header", MODULE, '"""Writes what waits, together."""\n'),
    ("imports-go-down", MODULE, "from bespeak.inventory import plans\nfrom .expiry import sweep\n"),
    ("imports-go-down", MODULE, "from bespeak import errors\nfrom ..postgres import pool\n"),
    ("imports-go-down", MODULE, "import asyncpg\nfrom bespeaker import x\n"),
    ("imports-go-down", "src/bespeak/http/app.py", "import bespeak\nfrom bespeak import Line\n"),
    ("imports-go-down", "src/bespeak/http/api/holds.py", "from bespeak.http.server import call\n"),
    ("imports-go-down", "src/bespeak/errors.py", "from bespeak.states import HoldState\n"),
    ("imports-go-down", INIT, "from bespeak.assembly import connect\n"),
    (
        "locks-are-exact",
        "requirements.lock",
        "# exact\n\nuvloop==0.23.0 ; sys_platform != 'win32' \\\n"
        f"    --hash=sha256:{'0f' * 32} \\\n    --hash=sha256:{'1e' * 32}\n",
    ),
    ("loose-ends", "docs/index.md", "Mastodon\n"),
    ("machine-paths", "docs/index.md", "src/work/x.py  https://example.org/work/here  ~/root\n"),
    ("names", "src/bespeak/money.py", ""),
    ("page-polls", "tests/browser/test_x.py", "# wait_for_function()\npage.evaluate('x > 0')\n"),
    ("page-polls", "tests/unit/test_ids.py", "page.wait_for_function('x > 0')\n"),
    ("print", "src/bespeak/cli/demo.py", "print('ready')\n"),
    ("print", MODULE, "# print('x')\nconsole.print('x')\n"),
    ("public-names", INIT, "from x import Line, connect\n__all__ = ['Line', 'connect']\n"),
    ("skipped-tests", "tests/unit/test_ids.py", "# for update skip locked\n"),
    ("events-have-actors", VERB, TELLS + "kind,\n    at, actor)\nselect 1"),
    ("sql-checks-are-named", TABLES, "    a int check (a > 0),\n    constraint b check (a < 9)\n"),
    ("sql-composites", VERB, "-- a row (of seats)\nselect grown(1), array[1]"),
    ("sql-functions", VERB, (FUNCTION + "select 1;\n" * 77 + "$$;\n\n") * 2),
    ("sql-place", "src/bespeak/postgres/migrations/0001_inventory.sql", "select 1;\n"),
    ("sql-purpose", "src/bespeak/feed/feed.sql", "-- name: read_feed\n-- Why.\nselect 1;\n"),
    ("sql-size", VERB, ("-- " + "x" * 107 + "\n") * 400),
    ("sql-size", "src/bespeak/postgres/schema.sql", "select 1;\n" * 401),
    ("sql-unit-order", VERB, 'x from line order by resource_id, unit collate "C"\n'),
    ("sql-unit-order", VERB, "x from bespeak.claim c order by c.resource_id, c.unit\n"),
    ("sql-strings", MODULE, '"""select 1 is what this module never says."""\n'),
    ("sql-strings", MODULE, "help = 'Select a show from the list'\nx = 'selected'\n"),
    ("sql-strings", "tests/unit/test_ids.py", "QUERY = 'select 1'\n"),
    ("verticals-unnamed", "src/bespeak/verticals/cinema/calls.py", "x = 'cinema'\n"),
    ("verticals-unnamed", "web/src/widgets/cinema/vertical.ts", "const x = 'cinema';\n"),
    ("verticals-unnamed", MODULE, "x = 'a theatre'\n"),
]


def _offends(case: Case) -> bool:
    rule, path, text = case
    return bool(BY_NAME[rule].offences(SourceFile(path, text)))


@pytest.mark.parametrize("case", OFFENDERS, ids=lambda case: f"{case[0]}-{case[1]}")
def test_an_offender_is_caught(case: Case) -> None:
    assert _offends(case)


@pytest.mark.parametrize("case", INNOCENTS, ids=lambda case: f"{case[0]}-{case[1]}")
def test_an_innocent_passes(case: Case) -> None:
    assert not _offends(case)


def test_every_rule_is_shown_an_offender_and_an_innocent() -> None:
    names = {rule.name for rule in RULES}
    assert {rule for rule, _, _ in OFFENDERS} == names
    assert {rule for rule, _, _ in INNOCENTS} == names


def test_what_is_no_python_is_reported_rather_than_passed_over() -> None:
    (offence,) = BY_NAME["header"].offences(SourceFile(MODULE, "def (:\n"))
    assert offence.line == 1
