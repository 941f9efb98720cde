"""The table of all rules: which files each is for, and how it is checked."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.style import floors, python_rules, sql_rules, text_rules
from tests.style.tree import Offence, SourceFile


@dataclass(frozen=True)
class Rule:
    """One sentence of the house style that a program can check."""

    name: str
    applies: Callable[[SourceFile], bool]
    check: Callable[[SourceFile], list[Offence]]

    def offences(self, file: SourceFile) -> list[Offence]:
        if not self.applies(file):
            return []
        try:
            return self.check(file)
        except SyntaxError as error:
            return [Offence(file.path, error.lineno or 1, f"is no Python: {error.msg}")]


def _any_file(file: SourceFile) -> bool:
    return bool(file.path)


def _python(file: SourceFile) -> bool:
    return file.is_python


def _package(file: SourceFile) -> bool:
    return file.is_package_source


def _silent(file: SourceFile) -> bool:
    return file.is_python and not file.path.startswith(("src/bespeak/cli/", "benchmarks/"))


def _browser(file: SourceFile) -> bool:
    return file.is_python and file.path.startswith("tests/browser/")


def _sql(file: SourceFile) -> bool:
    return file.path.endswith(".sql")


def _our_sql(file: SourceFile) -> bool:
    """What we write ourselves: all but the schema, which is written from the database."""
    return _sql(file) and file.path.startswith("src/") and not file.path.endswith("/schema.sql")


def _verbs(file: SourceFile) -> bool:
    return file.path.startswith("src/bespeak/postgres/sql/")


def _public(file: SourceFile) -> bool:
    return file.path == "src/bespeak/__init__.py"


# Where the console enters a vertical: these name its folder, or are it.
_ENTRIES = (
    "web/src/console/cinema/",
    "web/src/console/Console.tsx",
    "web/src/console/Shell.tsx",
    "web/src/editor/keepers/screens.ts",
)


def _shared(file: SourceFile) -> bool:
    """What is not of one vertical: the packages, and the web but for its shops, the folders of its
    widgets, and the pages of the console that are a vertical's own."""
    if file.path.startswith(("src/bespeak/verticals/", "web/src/widgets/")):
        return len(file.parts) == 4
    places = ("web/src/", "packages/")
    web = file.path.startswith(places) and file.path.endswith((".ts", ".tsx", ".css"))
    # The schema is made from all endpoints.
    own = ("web/src/shop/", "packages/core/schema.ts", *_ENTRIES)
    return file.path.startswith("src/bespeak/") or (web and not file.path.startswith(own))


def _lock(file: SourceFile) -> bool:
    return file.path.startswith("requirements") and file.path.endswith(".lock")


RULES = (
    Rule("any-has-a-reason", _package, python_rules.check_any),
    Rule("download-hosts", _any_file, text_rules.check_download_hosts),
    Rule("events-have-actors", _our_sql, sql_rules.check_event_actors),
    Rule("file-length", _package, python_rules.check_file_length),
    Rule("function-length", _package, python_rules.check_function_length),
    Rule("header", _package, python_rules.check_header),
    Rule("imports-go-down", _package, floors.check_floors),
    Rule("locks-are-exact", _lock, text_rules.check_lock),
    Rule("loose-ends", _any_file, text_rules.check_loose_ends),
    Rule("machine-paths", _any_file, text_rules.check_machine_paths),
    Rule("names", _any_file, text_rules.check_names),
    Rule("page-polls", _browser, python_rules.check_page_polls),
    Rule("print", _silent, python_rules.check_print),
    Rule("public-names", _public, python_rules.check_public_names),
    Rule("skipped-tests", _python, python_rules.check_skipped_tests),
    Rule("sql-checks-are-named", _our_sql, sql_rules.check_named_checks),
    Rule("sql-composites", _our_sql, sql_rules.check_composites),
    Rule("sql-functions", _our_sql, sql_rules.check_functions),
    Rule("sql-place", _sql, text_rules.check_sql_place),
    Rule("sql-purpose", _sql, text_rules.check_sql_purpose),
    Rule("sql-size", _our_sql, sql_rules.check_size),
    Rule("sql-strings", _package, python_rules.check_sql_strings),
    Rule("sql-unit-order", _verbs, sql_rules.check_unit_order),
    Rule("verticals-unnamed", _shared, text_rules.check_verticals_unnamed),
)
BY_NAME = {rule.name: rule for rule in RULES}
