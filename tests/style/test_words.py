"""One word for one thing: no public class name twice, and a glossary row for each core type."""

import ast
import re
from collections import defaultdict

from tests.style.tree import ROOT, SourceFile


def public_classes(files: list[SourceFile]) -> dict[str, list[str]]:
    """The paths in which each public class of the package stands."""
    found: dict[str, list[str]] = defaultdict(list)
    for file in files:
        if file.is_package_source:
            for node in file.tree.body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found[node.name].append(file.path)
    return found


def twice(files: list[SourceFile]) -> dict[str, list[str]]:
    return {name: paths for name, paths in public_classes(files).items() if len(paths) > 1}


def test_no_public_class_name_exists_twice(files: list[SourceFile]) -> None:
    assert not twice(files)


def test_a_name_that_exists_twice_is_found() -> None:
    one = SourceFile("src/bespeak/feed/one.py", "class Watch: ...\nclass _Own: ...\n")
    other = SourceFile("src/bespeak/payments/other.py", "class Watch: ...\nclass _Own: ...\n")
    assert twice([one, other]) == {"Watch": [one.path, other.path]}


# The files whose public classes are the words of the code; errors have a reference of their own.
CORE = (
    "cache.py",
    "engine.py",
    "feed/live_*.py",
    "feed/reader.py",
    "http/server/answers.py",
    "http/server/call.py",
    "http/server/endpoint.py",
    "http/server/service.py",
    "inventory/lines.py",
    "inventory/plans.py",
    "inventory/resources.py",
    "inventory/snapshot.py",
    "payments/ledger.py",
    "payments/payment.py",
    "payments/providers/provider.py",
    "payments/settlement.py",
    "postgres/pool.py",
    "reservations/*.py",
    "verticals/vertical.py",
)


def glossary_types() -> set[str]:
    """The types in the first column of the tables of "In the code"."""
    text = (ROOT / "docs/reference/glossary.md").read_text(encoding="utf-8")
    section = text.partition("\n## In the code\n")[2].partition("\n## ")[0]
    cells = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return {name for cell in cells for name in re.findall(r"`([A-Z]\w*)", cell)}


def errors(files: list[SourceFile]) -> set[str]:
    """What is raised: docs/reference/errors.md has these, or only their own module knows them."""
    found: set[str] = set()
    for file in files:
        if file.is_package_source:
            for node in file.nodes:
                if isinstance(node, ast.Raise) and node.exc is not None:
                    raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
                    if isinstance(raised, ast.Name):
                        found.add(raised.id)
    return found


def test_every_core_type_has_a_row_in_the_glossary(files: list[SourceFile]) -> None:
    folder = ROOT / "src/bespeak"
    core = {path.relative_to(ROOT).as_posix() for each in CORE for path in folder.glob(each)}
    core = {path for path in core if not path.endswith("/errors.py")}
    found = public_classes([file for file in files if file.path in core])
    missing = set(found) - errors(files) - glossary_types()
    assert not missing, f"docs/reference/glossary.md, In the code: no row for {sorted(missing)}"


def test_every_type_of_the_glossary_exists(files: list[SourceFile]) -> None:
    assert not glossary_types() - set(public_classes(files))
