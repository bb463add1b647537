"""The client as a wheel of its own: built from its folder, installed where the product is not, and used as its page says."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from shared.http.identity.tokens import issue
from tests.faults.killing import ROOT, House

FOLDER = ROOT / "shared" / "client"


def project(folder: Path) -> dict:
    return tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def pins() -> dict[str, str]:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    return dict(re.findall(r"^([\w.-]+)==(\S+)", text, re.M))


@pytest.fixture(scope="module")
def python(tmp_path_factory) -> Path:
    """The interpreter of a fresh environment that has the wheel and what it needs, in the product's versions."""
    made = tmp_path_factory.mktemp("wheel")
    shutil.copytree(FOLDER, made / "source", ignore=shutil.ignore_patterns("__pycache__"))
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    build = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(made), str(made / "source")]
    subprocess.run([*pip, *build], check=True)
    (wheel,) = made.glob("*.whl")
    assert wheel.name == f"arbiter_client-{project(ROOT)['version']}-py3-none-any.whl"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(made / "venv")], check=True)
    (made / "pins").write_text("\n".join(f"{name}=={version}" for name, version in pins().items()))
    found = made / "venv" / "bin" / "python"
    subprocess.run([*pip, "--python", str(found), "install", "-c", str(made / "pins"), str(wheel)], check=True)
    return found


def test_it_has_the_version_of_the_product_and_asks_for_what_the_product_has():
    assert project(FOLDER)["version"] == project(ROOT)["version"]
    assert {re.match(r"[\w-]+", one)[0] for one in project(FOLDER)["dependencies"]} <= set(pins())


def test_its_page_is_run_as_it_stands_where_nothing_else_of_arbiter_is(python, tmp_path):
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    (script,) = re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)
    (promised,) = re.findall(r"^```text\n(.*?)^…\n```$", page, re.M | re.S)
    (tmp_path / "data").mkdir()
    house = House(tmp_path / "data")
    try:
        environment = {
            "PATH": os.environ["PATH"],
            "ARBITER_URL": "http://{}:{}".format(*house.address),
            "ARBITER_TOKEN": issue(tmp_path / "data", "chief_arbiter", "he.jing"),
        }
        alone = "import importlib.util as u; assert not any(u.find_spec(n) for n in ('shared', 'services', 'deploy'))\n"
        ran = subprocess.run(
            [python, "-"],
            input=alone + script,
            env=environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        house.kill()
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith(promised)
    assert ran.stdout.splitlines()[-1].split(" ")[1].startswith("arbiter.result.reported")
