"""One word for one thing: a public class name stands once in the package."""

import ast
from collections import defaultdict

from tests.style.tree import SourceFile, tracked_files


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


def test_no_public_class_name_exists_twice() -> None:
    assert not twice(tracked_files())


def test_a_name_that_exists_twice_is_found() -> None:
    one = SourceFile("src/bespeak/feed/one.py", "class Watch: ...\nclass _Own: ...\n")
    other = SourceFile("src/bespeak/payments/other.py", "class Watch: ...\nclass _Own: ...\n")
    assert twice([one, other]) == {"Watch": [one.path, other.path]}
