"""The two sides: this working tree, and the base, a commit checked out in a worktree of its own."""

import subprocess
import sys
from pathlib import Path

from benchmarks.bespeak_server import Program
from benchmarks.services import ROOT

_LOCK = "requirements-dev.lock"
_MAIN = ("origin/main", "main")
_QUIET = {"BESPEAK_LOG_LEVEL": "warning"}


def working_tree(root: Path = ROOT) -> Program:
    """This tree as it is, with what is not committed."""
    return Program(sys.executable, {"PYTHONPATH": str(root / "src"), **_QUIET})


def base_commit(named: str, root: Path = ROOT) -> str:
    """The commit that was named. Without a name: HEAD when something is not committed; else where
    this branch left main; else, on main itself, the commit before."""
    if named:
        return _git(root, "rev-parse", "--verify", f"{named}^{{commit}}")
    head = _git(root, "rev-parse", "HEAD")
    if _git(root, "status", "--porcelain"):
        return head
    for main in _MAIN:
        if _git(root, "branch", "--all", "--list", main, f"remotes/{main}"):
            left = _git(root, "merge-base", "HEAD", main)
            return left if left != head else _git(root, "rev-parse", "HEAD~1")
    return _git(root, "rev-parse", "HEAD~1")


def check_out(commit: str, folder: Path, root: Path = ROOT) -> Program:
    """The program of that commit. Where the commit locks other dependencies than this tree, it gets
    an environment of its own: they are a part of the difference."""
    tree = _tree(folder)
    _git(root, "worktree", "add", "--quiet", "--detach", str(tree), commit)
    lock = tree / _LOCK
    if lock.exists() and lock.read_bytes() == (root / _LOCK).read_bytes():
        return Program(sys.executable, {"PYTHONPATH": str(tree / "src"), **_QUIET})
    print("the base locks other dependencies: making its environment", flush=True)
    subprocess.run(["make", "setup"], cwd=tree, check=True)
    return Program(str(tree / ".venv" / "bin" / "python"), _QUIET)


def remove_base(folder: Path, root: Path = ROOT) -> None:
    """Removes the worktree of the base, if there is one."""
    if _tree(folder).exists():
        # Forced twice, since one that git was interrupted in making is locked.
        _git(root, "worktree", "remove", "--force", "--force", str(_tree(folder)))


def describe(commit: str, root: Path = ROOT) -> str:
    """The commit with its first line, for the eye."""
    return _git(root, "log", "-1", "--format=%h %s", commit)


def _tree(folder: Path) -> Path:
    return folder / "base"


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=root, check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout.strip()
