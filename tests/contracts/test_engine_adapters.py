"""Adapters of engines: they import nothing of the project, and every released version has its adapter, pins and row."""

import ast
import re
import sys
from pathlib import Path

import pytest

from services.pairing.rules import engine_adapters
from services.pairing.rules.engines.registry import ADAPTERS, Adapter, adapter_of
from services.pairing.rules.engines.versions import GACRUX, PY4SWISS, RELEASED, RUSTWORKX, TABLES
from shared.core.events import Engine
from tests.contracts.test_locks import normal, pins

FOLDER = Path(engine_adapters.__file__).parent
PAGE = Path(__file__).parents[2] / "deploy/docs/verifiable.md"


def imported(node: ast.AST) -> list[str]:
    """Return the packages that a module imports at run time; imports for the type checker are left out."""
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return []
    names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
    if isinstance(node, ast.ImportFrom) and not node.level:
        names.append(node.module or "")
    return [name.partition(".")[0] for name in names] + [
        one for child in ast.iter_child_nodes(node) for one in imported(child)
    ]


@pytest.mark.parametrize("file", sorted(FOLDER.rglob("*.py")), ids=lambda file: str(file.relative_to(FOLDER)))
def test_adapter_imports_only_its_pins(file: Path):
    module = file.relative_to(FOLDER).parts[0].removesuffix(".py")
    pinned = {
        re.split("[=;]", pin)[0]
        for adapter in ADAPTERS
        for pin in adapter.pins
        if adapter.pair.__module__.endswith(f".{module}")
    }
    used = set(imported(ast.parse(file.read_text(encoding="utf-8")))) - {"__future__"} - sys.stdlib_module_names
    assert used <= pinned


def test_installed_version_is_released():
    assert {GACRUX, PY4SWISS, RUSTWORKX, TABLES} <= RELEASED


@pytest.mark.parametrize("engine", sorted(RELEASED - {TABLES}, key=str), ids=lambda engine: engine.name)
def test_released_version_has_an_adapter_with_pins(engine: Engine):
    adapter = adapter_of(engine)
    assert adapter is not None
    assert adapter.pins[0] == f"{engine.name}=={engine.version.partition('+')[0]}"


@pytest.mark.parametrize("adapter", ADAPTERS, ids=lambda adapter: f"{adapter.name}+{adapter.label}")
def test_newest_adapter_has_the_pins_of_the_lock(adapter: Adapter):
    newest = next(one for one in ADAPTERS if (one.name, one.label) == (adapter.name, adapter.label))
    locked = pins("requirements.lock")
    for pin in newest.pins:
        name, _, wanted = pin.partition(";")[0].partition("==")
        assert locked[normal(name)] == wanted


def test_page_lists_every_released_version_and_its_packages():
    rows = dict(re.findall(r"^\| `([^`]+)` \| [^|]+ \| ([^|]+) \|$", PAGE.read_text(encoding="utf-8"), re.M))
    for engine in RELEASED - {TABLES}:
        adapter = adapter_of(engine)
        assert adapter is not None
        packages = re.findall(r"`([^`]+)`", rows[f"{engine.name} {engine.version}"])
        assert packages == [pin.partition(";")[0] for pin in adapter.pins]
