"""The two locks: what runs, and what tests and checks need besides."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT, BUILD = SETTINGS["project"], SETTINGS["build-system"]
OURS = {"shared", "services", "deploy", "tests"}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(lock: str) -> dict[str, str]:
    """Package -> version, of a lock."""
    return dict(re.findall(r"^([\w.-]+)==(\S+)", (ROOT / lock).read_text(encoding="utf-8"), re.M))


def names(requirements: Iterable[str]) -> set[str]:
    return {normal(re.match(r"[\w.-]+", requirement)[0]) for requirement in requirements}


def imports(*folders: str) -> dict[str, str]:
    """Each package that a folder's modules import -> one of these modules."""
    found = {}
    for folder in folders:
        for file in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                modules = [a.name for a in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom) and not node.level:
                    modules = [node.module or ""]
                for module in modules:
                    top = module.partition(".")[0]
                    if top not in sys.stdlib_module_names | OURS:
                        found[top] = str(file.relative_to(ROOT))
    return found


def test_the_product_imports_what_is_in_its_lock_and_every_dependency():
    known, pinned, product = (
        packages_distributions(),
        set(pins("requirements.lock")),
        imports("shared", "services", "deploy"),
    )
    packages = {module: {normal(package) for package in known[module]} for module in product}
    assert {module: file for module, file in product.items() if not packages[module] & pinned} == {}
    assert set().union(*packages.values()) >= names(PROJECT["dependencies"])


def test_the_lock_of_the_tests_holds_the_other_with_the_same_versions():
    product, tools = pins("requirements.lock"), pins("requirements-dev.lock")
    assert product.items() <= tools.items()
    assert names(PROJECT["optional-dependencies"]["dev"]) <= set(tools)
    assert "pytest" not in product


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_a_lock_has_hashes_and_names_no_folder_of_the_machine_that_made_it(lock):
    text = (ROOT / lock).read_text(encoding="utf-8")
    assert "--find-links" not in text and "--index-url" not in text
    assert all(block.count("--hash=sha256:") for block in re.split(r"^(?=[\w.-]+==)", text, flags=re.M)[1:])


def test_a_build_that_is_alone_has_what_it_imports():
    """Whoever installs from a folder or makes the lock anew builds where nothing is but what ``build-system`` names."""
    told = "import sys, deploy.build.catalogues; print(*{name.partition('.')[0] for name in sys.modules})"
    ran = subprocess.run([sys.executable, "-c", told], cwd=ROOT, capture_output=True, text=True, check=True)
    imported = {*ran.stdout.split()} - sys.stdlib_module_names - OURS
    packages = {normal(package) for top in imported for package in packages_distributions().get(top, ())}
    assert packages - {"arbiter"} <= names(BUILD["requires"])
