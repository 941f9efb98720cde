"""The bill of materials names what is locked."""

import json
import subprocess
from pathlib import Path

from tests.style.test_locks import _locked, _plain
from tests.style.tree import ROOT


def test_it_names_all_that_the_program_runs_with(tmp_path: Path) -> None:
    file = tmp_path / "python.json"
    subprocess.run([ROOT / "scripts/sbom-python", file], check=True, capture_output=True)
    made = json.loads(file.read_text())
    named = {_plain(one["name"]): one["version"] for one in made["components"]}
    assert named == _locked("requirements.lock")
    assert made["bomFormat"] == "CycloneDX"
    assert all(one["externalReferences"][0]["hashes"] for one in made["components"])
