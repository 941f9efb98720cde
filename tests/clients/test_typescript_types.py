"""The types for TypeScript that `openapi-typescript` makes from the document, with its own options:
a shop that leaves out what it may, and looks at `type` before what depends on it, compiles.
"""

import shutil
import subprocess
from pathlib import Path

import msgspec

from bespeak.http.endpoints import ALL_ENDPOINTS
from bespeak.http.server.openapi import public_document

ROOT = Path(__file__).parents[2]
SHOP = Path(__file__).parent / "shop.ts"
STRICT = """{
  "compilerOptions": {
    "strict": true, "exactOptionalPropertyTypes": true, "noUncheckedIndexedAccess": true,
    "noEmit": true, "skipLibCheck": false, "types": [], "lib": ["es2023", "dom"],
    "module": "esnext", "moduleResolution": "bundler"
  },
  "include": ["*.ts"]
}"""


def test_a_shop_compiles_against_them(tmp_path: Path) -> None:
    (tmp_path / "openapi.json").write_bytes(msgspec.json.encode(public_document(ALL_ENDPOINTS)))
    (tmp_path / "tsconfig.json").write_text(STRICT)
    shutil.copy(SHOP, tmp_path)
    subprocess.run(
        [ROOT / "scripts" / "openapi-types", tmp_path / "openapi.json", tmp_path / "schema.ts"],
        check=True,
    )
    compiled = subprocess.run(
        [ROOT / ".venv/bin/node", ROOT / "web/openapi/node_modules/typescript/bin/tsc",
         "-p", tmp_path],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert compiled.returncode == 0, compiled.stdout
