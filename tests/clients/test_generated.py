"""Clients made by others' generators from the OpenAPI document: they compile, and each plays a Swiss of nine rounds."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from deploy.build.openapi_build import FOLDER, UNION
from shared.client import Client
from shared.http.identity.tokens import issue
from tests.faults.killing import House
from tests.programs import program

pytestmark = pytest.mark.xdist_group("generated")
HERE = Path(__file__).parent / "generated"
DOCUMENT = FOLDER / f"{UNION}.json"
SAID = json.loads(DOCUMENT.read_text(encoding="utf-8"))
PATHS, SCHEMAS = SAID["paths"], SAID["components"]["schemas"]
STORY = json.loads((HERE / "story.json").read_text(encoding="utf-8"))
CACHE = Path.home() / ".cache" / "arbiter-generated"
BIN = Path(sys.executable).parent


def ran(*command: object, cwd: Path) -> str:
    """The output of a command, which must end well."""
    ended = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout[-3000:] + ended.stderr[-3000:]
    return ended.stdout


def modules() -> Path:
    """Return the folder of what npm installs by the lock, kept in a cache that several test processes may fill at once."""
    folder = CACHE / sha256((HERE / "package-lock.json").read_bytes()).hexdigest()[:16]
    if not folder.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=CACHE) as name:
            made = Path(name) / "modules"
            made.mkdir()
            for file in ("package.json", "package-lock.json"):
                shutil.copy(HERE / file, made)
            ran(program("npm"), "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", cwd=made)
            with suppress(OSError):  # another process was quicker
                made.rename(folder)
    return folder / "node_modules"


def python_client(folder: Path, *, checked: bool = True) -> Sequence[object]:
    """Generate the client, type-check it if ``checked``, and return the command that plays the story."""
    options = ["--meta", "none", "--fail-on-warning", "--config", HERE / "openapi-python-client.yaml"]
    generated = folder / "arbiter_generated"
    generator = "from openapi_python_client.cli import app; app()"
    ran(
        sys.executable,
        "-c",
        generator,
        "generate",
        "--path",
        DOCUMENT,
        "--output-path",
        generated,
        *options,
        cwd=folder,
    )
    if checked:
        ran(BIN / "mypy", "--strict", "--cache-dir", folder / "cache", "story.py", "arbiter_generated", cwd=folder)
    return [sys.executable, "story.py"]


def typescript_client(folder: Path, *, checked: bool = True) -> Sequence[object]:
    """Generate the client, type-check it if ``checked``, and return the command that plays the story."""
    (folder / "node_modules").symlink_to(modules())
    tools = folder / "node_modules" / ".bin"
    ran(tools / "openapi-typescript", DOCUMENT, "-o", "schema.d.ts", cwd=folder)
    (folder / "bodies.ts").write_text(bodies_in_typescript(), encoding="utf-8")
    ran(tools / "tsc", "--project", ".", *(() if checked else ("--noCheck",)), cwd=folder)
    return [program("node"), "out/story.js"]


def minimal(value: Any, schema: dict[str, Any]) -> Any:
    """Return an example with the members only that its schema requires."""
    schema = SCHEMAS[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    if isinstance(value, list) and "items" in schema:
        return [minimal(one, schema["items"]) for one in value]
    if isinstance(value, dict) and "properties" in schema:
        required = schema.get("required", ())
        return {name: minimal(one, schema["properties"][name]) for name, one in value.items() if name in required}
    return value


def documented_bodies() -> Iterator[tuple[str, str, Any]]:
    """Yield the address and the method of each JSON body: the documented example, and the least of it that the schema takes."""
    for path, operations in PATHS.items():
        for method, operation in operations.items():
            content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            if "example" in content:
                yield path, method, content["example"]
                yield path, method, minimal(content["example"], content["schema"])


def bodies_in_typescript() -> str:
    """Return a module that gives each documented body its generated type."""
    lines = ['import type { paths } from "./schema.js";']
    for n, (path, method, body) in enumerate(documented_bodies()):
        sent = f'NonNullable<paths["{path}"]["{method}"]["requestBody"]>["content"]["application/json"]'
        lines.append(f"export const body{n}: {sent} = {json.dumps(body, ensure_ascii=False)};")
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A house for each client, one after the other: what its story left there."""
    left = {}
    yield left
    tables = [table for table, _ in left.values()]
    logs = [log for _, log in left.values()]
    assert tables == tables[:1] * len(tables) and logs == logs[:1] * len(logs), "both clients told the same"


@pytest.mark.parametrize("client", [python_client, typescript_client])
def test_a_generated_client_compiles_and_plays_a_swiss_of_nine_rounds(client, house, tmp_path):
    folder, data = tmp_path / "client", tmp_path / "data"
    shutil.copytree(HERE, folder)
    data.mkdir()
    play = client(folder)
    server = House(data)
    try:
        house[client] = played(play, "http://{}:{}".format(*server.address), data, folder, STORY["id"])
    finally:
        server.kill()


def played(play: Sequence[object], url: str, data: Path, folder: Path, id: str) -> tuple[list[Any], list[str]]:
    """Play the story with a client against a server. Return the table, and the types of the events in their order."""
    names = (("he.jing", "chief_arbiter"), ("rivera", "arbiter"), ("solheim", "appeals"))
    table = json.loads(ran(*play, url, *(issue(data, role, name) for name, role in names), cwd=folder))
    with Client(url) as reader:
        t = f"/v1/tournaments/{id}"
        assert reader.get(f"{t}/audit").json["verdict"] == "agrees"
        assert reader.get(t).json["round"] == STORY["rounds"] == 9
        rulings = {one["ruling"]: one["standing"] for one in reader.get(f"{t}/rulings").json["rulings"]}
        log = reader.get(f"{t}/events", accept="application/x-ndjson").content.splitlines()
    assert len(table) == len(STORY["players"]) + 3
    assert sorted(rulings.values()) == [False, False, True, True, True], "the foul and the loss fell, the appeal stands"
    return table, [event["type"] for event in map(json.loads, log)]


def test_no_request_has_a_default():
    bodies = [(name, schema) for name, schema in SCHEMAS.items() if not name.startswith("Log")]
    assert [name for name, schema in bodies if '"default":' in json.dumps(schema)] == []
    parameters = [one["schema"] for path in PATHS.values() for each in path.values() for one in each["parameters"]]
    assert [one for one in parameters if one.get("default", "") is None] == []
    assert "Default: `1`." in SCHEMAS["Time"]["properties"]["byo_yomi_periods"]["description"]
    assert len([*documented_bodies()]) > 80


def test_the_story_has_everything_that_happens_in_a_hall():
    changes = {name for change in STORY["before"] for name in change}
    assert changes == {"round", "late", "byes", "leave", "back"} and len(STORY["players"]) % 2
