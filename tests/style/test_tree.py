"""The tree keeps every rule of the house style."""

import pytest

from tests.style.rules import RULES, Rule
from tests.style.tree import SourceFile


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_tree_keeps_the_rule(rule: Rule, files: list[SourceFile]) -> None:
    offences = [str(offence) for file in files for offence in rule.offences(file)]
    assert not offences, f"{rule.name}:\n" + "\n".join(offences)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_rule_has_files_to_look_at(rule: Rule, files: list[SourceFile]) -> None:
    assert any(rule.applies(file) for file in files)
