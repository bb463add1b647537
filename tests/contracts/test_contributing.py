"""CONTRIBUTING.md names what exists: every path, and for every kind of addition its steps and the tests that fail.

`make mutants ONLY=contributing` shows that they do fail."""

import ast
import re
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest

from tests.mutants.faults import OMISSIONS, Fault, place

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text()
ADDITIONS = {part.partition("\n")[0]: part.partition("\n")[2] for part in PAGE.split("\n## ")[1:]}
"""The section of each kind of addition."""
FOLDERS = ("services", "shared", "deploy", "tests")
PATH = re.compile(r"[\w./…<>*-]*\.(?:py|toml|html|conf|md|txt|json|po)|(?:[\w.-]+/)+[\w.<>*-]*")
NOT_A_PATH = {"BH/C3", "SB/C2/P", ".po"}
"""Codes of tie-breaks, and the ending of a file."""
DEFINITIONS = re.findall(r"\[`([\w.]+)`\]\(([\w./]+\.py)\)", PAGE)
"""Names that the page links to the file that defines them."""


@cache
def paths() -> tuple[str, ...]:
    files = [
        p.relative_to(ROOT) for folder in FOLDERS for p in (ROOT / folder).rglob("*") if "__pycache__" not in str(p)
    ]
    return tuple(f"{path}" for path in [*files, *(p.relative_to(ROOT) for p in ROOT.iterdir())])


def quoted(text: str) -> list[str]:
    """The paths that a text quotes."""
    words = [quote.split()[0] for quote in re.findall(r"`([^`\n]+)`", text)]
    return [word for word in words if PATH.fullmatch(word) and word not in NOT_A_PATH]


@pytest.mark.parametrize("path", sorted(set(quoted(PAGE))))
def test_path_of_the_page_exists(path):
    pattern = re.sub(r"<\w+>|000N", "*", path).replace("…", "*").removesuffix("/")
    assert any(fnmatch(one, pattern) or fnmatch(one, f"*/{pattern}") for one in paths()), path


def test_page_names_many_paths():
    assert len(set(quoted(PAGE))) > 60


@pytest.mark.parametrize("addition", ADDITIONS)
def test_addition_has_numbered_steps_and_tests_that_fail(addition):
    steps, _, fails = ADDITIONS[addition].partition("**What fails:**")
    assert re.search(r"^1\. ", steps, re.M), "no numbered steps"
    assert [path for path in quoted(fails) if path.startswith("test")], "no test that fails without a step"


def test_each_addition_has_an_omitted_step():
    assert [omission.section for omission in OMISSIONS] == list(ADDITIONS), (
        "a row for each in tests/mutants/omissions.toml"
    )


@pytest.mark.parametrize("omission", OMISSIONS, ids=lambda omission: omission.section)
def test_section_names_the_test_of_its_omitted_step(omission: Fault):
    assert place(omission).is_file() and omission.before != omission.after
    (test,) = omission.tests
    file, _, name = test.partition("[")[0].partition("::")
    assert f"def {name}(" in (ROOT / "tests" / file).read_text(), name
    fails = ADDITIONS[omission.section].partition("**What fails:**")[2]
    commands = [quote.partition(" -k ") for quote in re.findall(r"`([^`\n]+)`", fails)]
    assert any(f"/tests/{file}".endswith(f"/{said}") and word in name for said, _, word in commands), fails


def defined(body: list[ast.stmt], prefix: str = "") -> set[str]:
    """The names of functions, classes, their methods, and values."""
    names = set()
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(prefix + node.name)
        if isinstance(node, ast.ClassDef):
            names |= defined(node.body, f"{node.name}.")
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        names |= {prefix + target.id for target in targets if isinstance(target, ast.Name)}
    return names


@pytest.mark.parametrize(("name", "path"), DEFINITIONS)
def test_file_defines_the_name_that_the_page_links(name, path):
    assert name in defined(ast.parse((ROOT / path).read_text()).body)


def test_page_follows_a_result_by_many_names():
    assert len(DEFINITIONS) > 20
