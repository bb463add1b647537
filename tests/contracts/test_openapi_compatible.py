"""The OpenAPI document beside that of 1.0.0, by oasdiff, the field's own program: nothing is taken away but what is listed."""

import json
import shutil
import subprocess
import tomllib
from hashlib import sha256
from pathlib import Path

import pytest

from deploy.build.openapi_build import FOLDER
from tests.foreign.build import GO, run_go

pytestmark = GO
HERE = Path(__file__).parent
RELEASED = HERE / "released" / "1.0.0.json"
ROWS = tomllib.loads((HERE / "released" / "otherwise.toml").read_text(encoding="utf-8"))["otherwise"]
MODULE = HERE / "oasdiff"
CACHE = Path.home() / ".cache" / "arbiter-oasdiff"


@pytest.fixture(scope="module")
def oasdiff(tmp_path_factory) -> Path:
    """The program, built of the modules that go.sum names, and kept in a cache."""
    program = CACHE / sha256((MODULE / "go.sum").read_bytes()).hexdigest()[:16] / "oasdiff"
    if not program.exists():
        source = tmp_path_factory.mktemp("oasdiff") / "source"
        shutil.copytree(MODULE, source)
        run_go(source, "build", "-o", str(source / "oasdiff"), "github.com/oasdiff/oasdiff", GOFLAGS="-buildvcs=false")
        program.parent.mkdir(parents=True, exist_ok=True)
        (source / "oasdiff").replace(program)
    return program


def breaking(program: Path, old: Path, new: Path) -> list[dict]:
    """What of ``new`` breaks who goes by ``old``."""
    ran = subprocess.run([program, "breaking", "-f", "json", old, new], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    found: list[dict] = json.loads(ran.stdout or "null") or []
    return found


def fits(row: dict, finding: dict) -> bool:
    return row["id"] == finding["id"] and row["text"] in finding["text"]


def test_nothing_that_1_0_0_described_is_taken_away_but_what_is_listed_with_its_reason(oasdiff):
    found = breaking(oasdiff, RELEASED, FOLDER / "arbiter.json")
    other = [one for one in found if not any(fits(row, one) for row in ROWS)]
    assert [(one["operation"], one["path"], one["text"]) for one in other] == []
    assert [row for row in ROWS if not any(fits(row, one) for one in found)] == [], "rows that nothing needs"


def test_an_operation_taken_away_and_a_member_of_another_type_would_be_seen(oasdiff, tmp_path):
    poorer = json.loads((FOLDER / "arbiter.json").read_text(encoding="utf-8"))
    del poorer["paths"]["/v1/tournaments/{t}/crosstable"]
    poorer["components"]["schemas"]["AuditAnswer"]["properties"]["verdict"] = {"type": "integer"}
    (tmp_path / "poorer.json").write_text(json.dumps(poorer), encoding="utf-8")
    found = breaking(oasdiff, RELEASED, tmp_path / "poorer.json")
    seen = {(one["path"].rpartition("/")[2], one["id"]) for one in found if not any(fits(row, one) for row in ROWS)}
    assert ("crosstable", "api-path-removed-without-deprecation") in seen
    assert ("audit", "response-property-type-changed") in seen
