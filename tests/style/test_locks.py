"""The locks agree with pyproject.toml and with each other: what is tested is what is run."""

import importlib.util
import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from importlib.machinery import SourceFileLoader
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement

from tests.style.tree import ROOT


def load_script(name: str) -> ModuleType:
    """A program of `scripts` as a module: what it has, and nothing done."""
    path = str(ROOT / "scripts" / name)
    spec = importlib.util.spec_from_loader(name, SourceFileLoader(name, path))
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def _locked(name: str) -> dict[str, str]:
    lines = (ROOT / name).read_text().splitlines()
    pins = [line.split(";")[0].strip(" \\") for line in lines if line and line[0] not in "# "]
    return {_plain(pin.split("==")[0]): pin.split("==")[1] for pin in pins}


def _plain(requirement: str) -> str:
    """The name alone, in the one spelling that all others are compared in."""
    name = re.split(r"[\[<>=!~; ]", requirement)[0]
    return re.sub(r"[-_.]+", "-", name).lower()


def test_the_program_runs_with_the_versions_that_were_tested() -> None:
    tested = _locked("requirements-dev.lock")
    run = _locked("requirements.lock")
    assert run
    assert {name: tested.get(name) for name in run} == run


@pytest.mark.parametrize("version", ["3.11.0", "3.11.7", "3.12.0", "3.13.0", "3.14.0"])
def test_a_python_of_another_version_finds_all_that_it_needs(version: str) -> None:
    """What is locked was resolved by one Python; Debian 12 has 3.11.2."""
    locked = _locked("requirements-dev.lock")
    there = {
        "python_full_version": version,
        "python_version": version.rpartition(".")[0],
        "sys_platform": "linux",
        "extra": "",
    }
    missing = set()
    for name in locked:
        with suppress(PackageNotFoundError):  # it is for another Python than this
            needs = [Requirement(one) for one in requires(name) or []]
            here = [one for one in needs if one.marker is None or one.marker.evaluate(there)]
            missing |= {f"{one.name} of {name}" for one in here if _plain(one.name) not in locked}
    assert missing - {"pip of pip-api", "pip of pip-audit"} == set()  # each environment has one


def test_every_dependency_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    runtime = {_plain(name) for name in project["dependencies"]}
    extras = {_plain(name) for extra in project["optional-dependencies"].values() for name in extra}
    extras.discard("bespeak")  # an extra of ours that brings another
    assert runtime <= set(_locked("requirements.lock"))
    assert runtime | extras <= set(_locked("requirements-dev.lock"))


def test_nothing_is_installed_without_its_hash() -> None:
    """Who can change what an index serves changes nothing here: pip compares."""
    for name in ("requirements.lock", "requirements-dev.lock"):
        blocks = re.split(r"\n(?=\S)", (ROOT / name).read_text())[1:]
        assert len(blocks) == len(_locked(name))
        assert all("--hash=sha256:" in block for block in blocks)


def test_the_setup_asks_for_every_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of uv, of what uv installs, and of what pip does where uv cannot."""
    setup = load_script("install-lock")
    asked: list[list[str]] = []

    def run(command: list[str], environment: Mapping[str, str]) -> bool:
        asked.append(command)
        return "uv" not in command

    monkeypatch.setattr(setup, "_runs", run)
    monkeypatch.setattr(setup, "has_uv", lambda: True)
    assert setup.main() == 0
    installs = [command for command in asked if "install" in command]
    assert [("uv" in command) for command in installs] == [True, False, False]
    for command in installs:
        hashed = "--require-hashes" in command and "requirements-dev.lock" in command
        assert hashed or "--editable" in command
    assert "--hash=sha256:" in setup.lines_of("uv", (ROOT / "requirements-dev.lock").read_text())
    text = (ROOT / "scripts/install-lock").read_text()
    assert text.count('"install", *QUIET') == 2, "uv's own, and where uv cannot"
    assert '*QUIET, "--no-deps", "--require-hashes"' in text


TOLD = """\
:env:.disable-pip-version-check='1'
:env:.find-links='{here} /is/not/there https://asha@files.example/'
freeze.timeout='3'
global.cert='{here}/roots.pem'
global.extra-index-url='\\nhttps://one.example/simple\\nhttps://two.example/simple'
global.index-url='https://old.example/simple'
install.index-url='https://mirror.example/simple'
global.trusted-host='mirror.example'
global.timeout='180'
"""


def test_uv_is_told_what_pip_was(tmp_path: Path) -> None:
    setup = load_script("install-lock")
    told = setup.told_options(TOLD.format(here=tmp_path))
    assert setup.environment_of_uv(told, {"HOME": "/home"}) == {
        "HOME": "/home",
        "UV_NO_PROGRESS": "1",
        "UV_DEFAULT_INDEX": "https://mirror.example/simple",
        "UV_INDEX": "https://one.example/simple https://two.example/simple",
        "UV_FIND_LINKS": f"{tmp_path},https://asha@files.example/",
        "UV_INSECURE_HOST": "mirror.example",
        "UV_HTTP_TIMEOUT": "180",
        "SSL_CERT_FILE": f"{tmp_path}/roots.pem",
    }


@pytest.mark.parametrize("line", ["global.no-index='true'", "install.constraint='c.txt'"])
def test_what_uv_cannot_be_told_is_left_to_pip(line: str) -> None:
    setup = load_script("install-lock")
    assert setup.environment_of_uv(setup.told_options(line), {}) is None
