"""What the pages, and the READMEs of the packages, show in TypeScript compiles against the packages
as they are published.
"""

import subprocess
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, Block, blocks, pages, show

LANGUAGES = ("ts", "tsx")
TSCONFIG = """{
  "compilerOptions": {
    "strict": true, "exactOptionalPropertyTypes": true, "noUncheckedIndexedAccess": true,
    "noEmit": true, "skipLibCheck": false, "types": ["node"], "jsx": "react-jsx",
    "lib": ["es2023", "dom", "dom.iterable"], "module": "nodenext", "target": "es2023"
  },
  "include": ["*.ts", "*.tsx"]
}"""
USED = ("@bespeak/browser", "@bespeak/server", "@types/node", "@types/react", "csstype", "react",
        "undici-types")  # fmt: skip
DOOR = ROOT / "tests/clients/door.ts"


def examples() -> list[Block]:
    shown = [*pages(), *sorted(ROOT.glob("packages/*/README.md"))]
    return [one for page in shown for one in blocks(page) if one.language in LANGUAGES]


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A folder in which the packages are installed."""
    subprocess.run([ROOT / "scripts" / "packages"], check=True)
    (tmp_path / "tsconfig.json").write_text(TSCONFIG)
    (tmp_path / "package.json").write_text('{ "type": "module" }')
    for name in USED:
        place = tmp_path / "node_modules" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(ROOT / "node_modules" / name, target_is_directory=True)
    return tmp_path


def complaints(program: Path) -> str:
    compiler = ROOT / "node_modules/typescript/bin/tsc"
    done = subprocess.run(
        [ROOT / ".venv/bin/node", compiler, "-p", program],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout + done.stderr


def test_what_is_shown_compiles(program: Path) -> None:
    for number, block in enumerate(examples()):
        (program / f"example_{number}_line_{block.line}.{block.language}").write_text(block.text)
    (program / "door.ts").write_text(DOOR.read_text())
    assert complaints(program) == ""


def test_what_is_wrong_does_not_compile(program: Path) -> None:
    """The control: the types are not any."""
    (program / "wrong.ts").write_text(
        'import { Client } from "@bespeak/server";\n'
        'export const state = (await new Client({ url: "", key: "" }).getHold("")).stat;\n'
    )
    assert "Property 'stat' does not exist" in complaints(program)


def test_examples_are_found() -> None:
    assert len(examples()) > 5
    assert "docs/guides/typescript.md" in {show(one.page) for one in examples()}
