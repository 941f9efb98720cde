"""The locks agree with pyproject.toml and with each other: what is tested is what is run."""

import re
import tomllib

from tests.style.tree import ROOT


def _locked(name: str) -> dict[str, str]:
    lines = (ROOT / name).read_text().splitlines()
    pins = [line.split(";")[0].strip() for line in lines if line and not line.startswith("#")]
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


def test_every_dependency_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    runtime = {_plain(name) for name in project["dependencies"]}
    extras = {_plain(name) for extra in project["optional-dependencies"].values() for name in extra}
    extras.discard("bespeak")  # an extra of ours that brings another
    assert runtime <= set(_locked("requirements.lock"))
    assert runtime | extras <= set(_locked("requirements-dev.lock"))
