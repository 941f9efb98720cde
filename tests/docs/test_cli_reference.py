"""Every command of the command line is documented with its options, and no other."""

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from cyclopts import App

from bespeak.cli import app
from bespeak.demo.crowd.verdict import Verdict
from tests.docs.pages import DOCS, code, pages, rows, sections, show

PAGE = DOCS / "reference" / "cli.md"
SECTIONS = dict(sections(PAGE))


def commands(parent: App, path: str = "bespeak") -> Iterator[tuple[str, App]]:
    """Every command that does something, with the words that call it."""
    for word in parent:
        if word.startswith("-"):
            continue
        child = parent[word]
        inner = list(commands(child, f"{path} {word}"))
        yield from inner or [(f"{path} {word}", child)]


COMMANDS = dict(commands(app))


def options(command: App) -> dict[str, object]:
    """The options that the help shows, with their defaults."""
    return {
        name: argument.field_info.default
        for argument in command.assemble_argument_collection()
        if argument.show
        for name in argument.names
        if name.startswith("--") and not name.startswith("--no-")
    }


def documented(title: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for cells in rows(SECTIONS[title]):
        if cells[0] != "option" and cells[0].startswith("`--"):
            found |= dict.fromkeys(code(cells[0]), cells[1])
    return found


def test_every_command_is_documented_and_no_other() -> None:
    assert {title.strip("`") for title in SECTIONS if title.startswith("`")} == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_documented_and_no_other(name: str) -> None:
    assert set(documented(f"`{name}`")) == set(options(COMMANDS[name]))


@pytest.mark.parametrize("name", COMMANDS)
def test_defaults_are_documented_as_they_are(name: str) -> None:
    said = documented(f"`{name}`")
    for option, default in options(COMMANDS[name]).items():
        if default is inspect.Parameter.empty:
            assert said[option] == "needed", option
        elif isinstance(default, bool):
            assert said[option] == "off", option
        elif default is not None:
            assert said[option] == str(default), option


def test_the_verdict_of_a_rush_is_documented() -> None:
    fields = [row for row in rows(SECTIONS["`bespeak rush`"]) if not row[0].startswith("`--")]
    named = [name for row in fields[1:] for name in code(row[0])]
    assert sorted(named) == sorted(f.encode_name for f in msgspec.structs.fields(Verdict))


_CALL = re.compile(r"\bbespeak ((?:keys )?[a-z]+)((?: --[a-z-]+(?: [^-\s]\S*)?)*)")


@pytest.mark.parametrize("page", pages(), ids=show)
def test_the_options_that_a_page_names_exist(page: Path) -> None:
    for words, rest in _CALL.findall(page.read_text()):
        command = COMMANDS.get(f"bespeak {words}")
        if command is not None:
            known = {*options(command), "--help"}
            assert set(re.findall(r" (--[a-z-]+)", rest)) <= known, f"bespeak {words}{rest}"
