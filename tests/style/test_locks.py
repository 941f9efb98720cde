"""The locks agree with pyproject.toml and with each other: what is tested is what is run."""

import re
import tomllib

from tests.style.tree import ROOT


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
    setup = (ROOT / "scripts/setup").read_text().replace("\\\n", " ")
    installs = [line for line in setup.splitlines() if "pip install" in line]
    assert installs
    for line in installs:
        assert "--require-hashes -r requirements-dev.lock" in line or "--no-deps" in line
