"""The OpenAPI files that are read without a server: as current as the code, and valid."""

import json
from pathlib import Path

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from deploy.openapi_build import FOLDER, documents, main, render

MADE = documents()


def test_there_is_a_file_for_the_whole_and_for_each_service():
    assert set(MADE) == {f"{n}.json" for n in ("arbiter", "pairing", "games", "penalties", "standings")}
    assert {f.name for f in FOLDER.glob("*.json")} == set(MADE)


@pytest.mark.parametrize("name", MADE)
def test_a_file_is_what_make_docs_would_write(name):
    told = "run `make docs`: the routes or their schemas have changed"
    assert (FOLDER / name).read_text(encoding="utf-8") == render(MADE[name]), told


@pytest.mark.parametrize("name", MADE)
def test_a_file_is_openapi_3_1(name):
    document = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    assert document["openapi"].startswith("3.1")
    OpenAPIV31SpecValidator(document).validate()


def test_every_route_says_what_it_is_for():
    routes = [
        (path, method, told) for path, row in MADE["arbiter.json"]["paths"].items() for method, told in row.items()
    ]
    verbs = ("get", "post", "put", "delete")
    assert [(path, verb) for path, verb, told in routes if verb in verbs and not told.get("summary")] == []


def test_the_union_has_the_paths_of_every_service():
    own = {path for name in MADE if name != "arbiter.json" for path in MADE[name]["paths"]}
    assert set(MADE["arbiter.json"]["paths"]) == own


def test_asked_for_help_it_tells_and_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    assert list(tmp_path.iterdir()) == []
