"""The packages for TypeScript as they are published: what is in them, and how large they are."""

import json
import os
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("server", "browser")
SIZE_MAX = 160_000  # most of it are the types of the API, which grow with its calls


def npm(package: str, *arguments: str) -> str:
    path = os.pathsep.join([str(ROOT / ".venv/bin"), os.environ["PATH"]])
    return subprocess.run(
        ["npm", "--silent", *arguments], cwd=ROOT / "packages" / package, text=True, check=True,
        stdout=subprocess.PIPE, env={**os.environ, "PATH": path},
    ).stdout  # fmt: skip


@pytest.mark.parametrize("package", PACKAGES)
def test_what_is_published(package: str) -> None:
    subprocess.run([ROOT / "scripts" / "packages"], check=True)
    (packed,) = json.loads(npm(package, "pack", "--dry-run", "--json", "--ignore-scripts"))
    names = {file["path"] for file in packed["files"]}
    rest = {name for name in names if not name.startswith("dist/")}
    assert rest == {"LICENSE", "README.md", "package.json"}
    assert not [name for name in names if ".test." in name]
    assert all(name.endswith((".js", ".d.ts")) for name in names - rest)
    assert packed["size"] < SIZE_MAX
    manifest = json.loads((ROOT / "packages" / package / "package.json").read_text())
    for entry in manifest["exports"].values():
        assert {path.removeprefix("./") for path in entry.values()} <= names
    assert "dependencies" not in manifest  # what a shop would have to trust beside us


@pytest.mark.parametrize("package", PACKAGES)
def test_they_have_the_version_of_the_server(package: str) -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    manifest = json.loads((ROOT / "packages" / package / "package.json").read_text())
    assert manifest["version"] == version
    pages = json.loads((ROOT / "web" / "package.json").read_text())
    assert pages["dependencies"].get("@bespeak/browser") == version
