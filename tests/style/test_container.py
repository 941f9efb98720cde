"""The Dockerfile and what belongs to it: what a reviewer of images looks for, and that it agrees
with the package. Whether it builds is for who has a builder.
"""

import re
import tomllib

import pytest

from tests.docs.pages import ROOT

DOCKERFILE = (ROOT / "Dockerfile").read_text()
COMPOSE = (ROOT / "compose.yaml").read_text()
IGNORED = (ROOT / ".dockerignore").read_text().split()
STEPS = [
    line.split(maxsplit=1)
    for line in DOCKERFILE.replace("\\\n", " ").splitlines()
    if line and not line.startswith(("#", " "))
]


def of(instruction: str) -> list[str]:
    """What the steps of a kind say."""
    return [said for name, said in STEPS if name == instruction]


def test_it_runs_as_nobody_of_importance() -> None:
    (user,) = of("USER")
    assert re.fullmatch(r"[1-9]\d{3,}:[1-9]\d{3,}", user), "by number, so that others can check it"
    last = [name for name, _ in STEPS].index("USER")
    assert "RUN" not in [name for name, _ in STEPS[last:]]


@pytest.mark.parametrize("image", [*of("FROM"), *re.findall(r"image: (.+)", COMPOSE)])
def test_what_it_stands_on_has_a_version(image: str) -> None:
    name = image.partition(" ")[0]
    if name == "bespeak":
        return  # the one that is built here
    assert re.search(r":\d+(\.\d+)?-[a-z-]+(@sha256:[0-9a-f]{64})?$", name), "no `latest`"


def test_it_says_whether_it_is_well() -> None:
    (check,) = of("HEALTHCHECK")
    assert "/readyz" in check
    assert "pg_isready" in COMPOSE


def test_it_installs_what_the_lock_names_and_nothing_else() -> None:
    installs = [one for step in of("RUN") for one in step.split("&&") if "pip install" in one]
    assert all("--require-hashes" in one or "--no-deps" in one for one in installs)
    assert all("--no-cache-dir" in one for one in installs)
    assert not re.search(r"curl|wget|apt-get|sudo|ADD ", DOCKERFILE)


def test_it_has_a_python_that_the_package_takes() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    least = tuple(map(int, project["requires-python"].removeprefix(">=").split(".")))
    for image in of("FROM"):
        found = re.match(r"python:(\d+)\.(\d+)-slim", image)
        assert found is not None
        assert tuple(map(int, found.groups())) >= least


def test_what_the_build_needs_is_sent_and_what_is_private_is_not() -> None:
    assert {".git", ".venv", "**/node_modules", "src/bespeak/http/site"} <= set(IGNORED)
    needed = ("src", "web", "packages", "scripts", "docs", "pyproject.toml", "requirements.lock")
    assert not set(needed) & set(IGNORED)


def test_nothing_secret_is_in_it() -> None:
    for text in (DOCKERFILE, COMPOSE):
        assert not re.search(r"(?i)(secret|token|api_?key)\s*[:=]\s*\S", text)
    assert "127.0.0.1:8000:8000" in COMPOSE, (
        "open to this machine, until somebody decides otherwise"
    )
    assert "5432" not in COMPOSE, "the database is reached by its neighbours only"
