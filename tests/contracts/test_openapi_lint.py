"""The OpenAPI files before the field's own linter: Spectral, by npm, pinned by its lock file and kept in a cache."""

import json
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

from deploy.build.openapi_build import FOLDER
from tests.programs import program

HERE = Path(__file__).parent / "spectral"
LOCK = HERE / "package-lock.json"
CACHE = Path.home() / ".cache" / "arbiter-spectral"


def linter() -> Path:
    """The linter's program. Raises CalledProcessError where npm cannot fetch it."""
    folder = CACHE / sha256(LOCK.read_bytes()).hexdigest()[:16]
    spectral = folder / "node_modules" / ".bin" / "spectral"
    if not spectral.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for file in (HERE / "package.json", LOCK):
            shutil.copy(file, folder)
        command = [program("npm"), "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return spectral


def linted(*files: Path) -> list[dict]:
    command = [linter(), "lint", "--ruleset", HERE / "ruleset.yaml", "--format", "json", "--quiet", *files]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode in (0, 1), ran.stderr
    found: list[dict] = json.loads(ran.stdout)
    return found


def test_the_linter_finds_nothing_in_the_whole_and_a_fault_in_a_file_that_has_it(tmp_path):
    faulty = json.loads((FOLDER / "games.json").read_text(encoding="utf-8"))
    del faulty["paths"]["/v1/judge"]["post"]["responses"]
    (tmp_path / "faulty.json").write_text(json.dumps(faulty), encoding="utf-8")
    found = linted(FOLDER / "arbiter.json", tmp_path / "faulty.json")
    assert {Path(one["source"]).name for one in found} == {"faulty.json"}
