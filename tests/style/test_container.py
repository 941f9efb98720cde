"""The Dockerfile and what belongs to it: what a reviewer of images looks for, and that it agrees
with the package. Whether it builds is for who has a builder.
"""

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from bespeak.settings import Settings
from tests.docs.pages import ROOT

DOCKERFILE = (ROOT / "Dockerfile").read_text()
COMPOSE = (ROOT / "compose.yaml").read_text()
OPERATING = (ROOT / "docs/guides/operating.md").read_text()
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


def test_what_a_killed_worker_leaves_behind_is_taken_care_of() -> None:
    """The server is no init: it waits for its own processes alone."""
    (service,) = re.findall(r"^  bespeak:\n((?:    .*\n)+)", COMPOSE, flags=re.MULTILINE)
    assert "    init: true\n" in service
    commands = re.findall(r"docker run [^`\n]*", DOCKERFILE + OPERATING)
    assert len(commands) == 2
    assert all("--init" in one.split() for one in commands)


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


def passed_on() -> dict[str, str | None]:
    """The variables that the services are given, with what is given where somebody sets nothing:
    None where that is left to the program."""
    found: dict[str, str | None] = {}
    for name, text in re.findall(r"^      (BESPEAK_[A-Z_]+):(.*)$", COMPOSE, flags=re.MULTILINE):
        whole = text.strip()
        if not whole:
            found[name] = None
            continue
        found[name] = re.sub(r"\$\{[A-Z_]+:-(.*?)\}", r"\1", whole)
    return found


def test_a_merchant_can_sell_on_the_first_day() -> None:
    """The tutorial takes cash after `docker compose up`, and was refused for want of a desk."""
    settings = Settings.read({name: text for name, text in passed_on().items() if text is not None})
    assert settings.payment_providers == "desk"
    assert not settings.takes_payments, "nobody pays online without a provider"


def test_what_a_merchant_sets_reaches_the_server() -> None:
    given = passed_on()
    assert {f"BESPEAK_{name.upper()}" for name in Settings.__struct_fields__} >= given.keys()
    for name in ("PAYMENT_PROVIDERS", "STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "SMTP_URL"):
        assert given[f"BESPEAK_{name}"] is None, "its own default holds where nobody sets it"
    # Empty would be an address that is none, where the program has one.
    assert given["BESPEAK_MAIL_FROM"] is None
    assert given["BESPEAK_PUBLIC_URL"] == "http://localhost:8000"


def test_nothing_secret_is_in_it() -> None:
    for text in (DOCKERFILE, COMPOSE):
        assert not re.search(r"(?i)(secret|token|api_?key)[ \t]*[:=][ \t]*\S", text)
    assert "127.0.0.1:8000:8000" in COMPOSE, (
        "open to this machine, until somebody decides otherwise"
    )
    assert "5432" not in COMPOSE, "the database is reached by its neighbours only"


TOOLS = ("bash", "dirname", "timeout", "seq", "sleep", "head", "grep", "sh", "cut", "sort")
WELL = """#!/bin/sh
echo "$*" >> "$CALLS"
case "$1" in
    info) exit {info} ;;
    pull) exit ${{PULL:-0}} ;;
    build) exit {build} ;;
    run) echo made ;;
    port) echo 127.0.0.1:1 ;;
    logs) echo "http://localhost:8000/console/set-up#opl_x" ;;
    compose) exit 1 ;;
esac
"""
CURL = '#!/bin/sh\necho "<title>"\n'


def try_image(folder: Path, **builders: str) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    """How the script ends on a machine with these builders, and what the builders were asked."""
    for tool in TOOLS:
        (folder / tool).symlink_to(str(shutil.which(tool)))
    for name, text in {"curl": CURL, **builders}.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    calls = folder / "calls"
    calls.touch()
    ended = subprocess.run(
        [str(ROOT / "scripts/try-image")],
        env={**os.environ, "PATH": str(folder), "CALLS": str(calls)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return ended, calls.read_text().splitlines()


def test_who_has_no_builder_is_told_that_nothing_was_built(tmp_path: Path) -> None:
    ended, _ = try_image(tmp_path)
    assert ended.returncode == 0
    assert "NOT built: neither docker, podman nor buildah is installed" in ended.stderr


def test_a_builder_that_does_not_run_builds_nothing(tmp_path: Path) -> None:
    ended, calls = try_image(tmp_path, docker=WELL.format(info=1, build=0))
    assert ended.returncode == 0
    assert "NOT built: docker is installed, but does not run" in ended.stderr
    assert calls == ["info"]


def test_a_builder_without_the_base_builds_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PULL", "1")
    ended, calls = try_image(tmp_path, docker=WELL.format(info=0, build=0))
    assert ended.returncode == 0
    assert "NOT built: docker cannot have python:3.11" in ended.stderr
    assert [one.split()[0] for one in calls] == ["info", "pull"]


def test_the_image_is_built_started_asked_and_removed(tmp_path: Path) -> None:
    dead, well = WELL.format(info=1, build=0), WELL.format(info=0, build=0)
    ended, calls = try_image(tmp_path, docker=dead, podman=well)
    assert ended.returncode == 0, ended.stderr
    assert "the image was built, and serves" in ended.stderr
    asked = [one.split()[0] for one in calls]
    assert asked == ["info", "info", "pull", "build", "run", "port", "logs", "rm", "rmi"]


def test_an_image_that_does_not_build_fails(tmp_path: Path) -> None:
    ended, calls = try_image(tmp_path, docker=WELL.format(info=0, build=3))
    assert ended.returncode == 3
    assert "serves" not in ended.stderr
    assert [one.split()[0] for one in calls] == ["info", "pull", "build", "rmi"]


def test_make_takes_the_step() -> None:
    (rule,) = re.findall(r"^test-services:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.M)
    assert "\tscripts/try-image\n" in rule
