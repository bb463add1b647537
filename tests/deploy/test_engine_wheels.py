"""Logs outlive updates of their engines: two real versions of each, the pinned one and the one before it on PyPI."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from services.pairing.rules.engines.registry import ADAPTERS
from services.pairing.rules.engines.versions import GACRUX, PY4SWISS, RUSTWORKX, label
from shared.core.events import Engine
from tests.attacks.forger import Forgery
from tests.attacks.logs import Log, log_of
from tests.programs import needed
from tests.stories.conftest import Story

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Case:
    """A pinned engine, the version before it, and an event that it pairs."""

    engine: Engine
    before: str
    game: str
    regulations: str

    @property
    def former(self) -> Engine:
        own = label(self.engine)
        return Engine(self.engine.name, f"{self.before}+{own}" if own else self.before)


CASES = (
    Case(GACRUX, "1.10.64", "chess", "fide-2026"),
    Case(PY4SWISS, "0.3.0", "chess", "fide-2024"),
    Case(RUSTWORKX, "0.18.0", "xiangqi", "campus"),
)
EVERY_ENGINE = pytest.mark.parametrize("case", CASES, ids=lambda case: case.engine.name)


def pip(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the wheels of both versions of each engine, and of their pins."""
    folder = tmp_path_factory.mktemp("wheels")
    pins = {pin for adapter in ADAPTERS for pin in adapter.pins}
    for wanted in (sorted(pins), [f"{case.engine.name}=={case.before}" for case in CASES]):
        done = pip(
            "download", "-q", "--no-deps", "--only-binary", ":all:", "--retries", "1", "-d", str(folder), *wanted
        )
        needed(f"PyPI cannot be reached: {done.stderr.strip()[-200:]}" if done.returncode else None)
    return folder


@pytest.fixture(scope="module")
def former_installation(wheels: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which the former versions are installed."""
    folder = tmp_path_factory.mktemp("former")
    wanted = [f"{case.engine.name}=={case.before}" for case in CASES]
    done = pip(
        "install", "-q", "--no-deps", "--no-index", "--find-links", str(wheels), "--target", str(folder), *wanted
    )
    assert done.returncode == 0, done.stderr
    return folder


@cache
def played(case: Case) -> Log:
    """Return the log of an event of nine players with three rounds that the engine paired."""

    def tell(story: Story) -> None:
        story.announced(9, case.game, 5, case.regulations)
        for round in (1, 2, 3):
            story.paired()
            story.report("1-0", "0-1", "1/2-1/2", "1-0", round=round)

    return log_of(tell)


def log_by(case: Case, engine: Engine, file: Path) -> Path:
    """Write the log with this engine in its pairings and ``offices: 2``, signed again."""
    forgery = Forgery(played(case))
    forgery.lines[0]["data"]["offices"] = 2
    for line in forgery.lines:
        if line["type"].startswith("arbiter.round.paired."):
            assert line["data"]["engine"] == {"name": case.engine.name, "version": case.engine.version}
            line["data"]["engine"]["version"] = engine.version
    file.write_bytes(b"".join(line + b"\n" for line in forgery.written()))
    return file


def remarks(told: str) -> list[str]:
    """Return the remarks on engines of a report in which every event was re-evaluated and agrees."""
    report = json.loads(told)
    assert (report["verdict"], report["checked"]) == ("agrees", report["size"]), report
    return [remark for remark in report["remarks"] if "same pairing" in remark]


def same(recorded: Engine, other: Engine, why: str = "is not installed") -> str:
    return f"{recorded.name} {recorded.version} {why}; the available engine {other.name} {other.version} makes the same pairing"


@EVERY_ENGINE
def test_log_of_the_previous_release_agrees(case: Case, wheels: Path, arbiter: Any, tmp_path: Path) -> None:
    log = log_by(case, case.former, tmp_path / "T.ndjson")
    code, told, _ = arbiter("verify", log, "--json")
    assert (code, remarks(told)) == (0, [same(case.former, case.engine)])
    code, told, _ = arbiter("verify", log, "--json", "--wheels", wheels)
    assert (code, remarks(told)) == (0, []), "paired by the very version, in a process of its own"


def former_audit(log: Path, installation: Path, **env: str) -> str:
    """Return the report of an installation with the former versions."""
    command = [sys.executable, "-m", "deploy.cli.main", "verify", str(log), "--json"]
    told = {**os.environ, "PYTHONPATH": str(installation), **env}
    done = subprocess.run(command, cwd=ROOT, env=told, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@EVERY_ENGINE
def test_previous_release_audits_a_newer_log(
    case: Case, wheels: Path, former_installation: Path, tmp_path: Path
) -> None:
    log = log_by(case, case.engine, tmp_path / "T.ndjson")
    assert remarks(former_audit(log, former_installation, ARBITER_WHEELS=str(wheels))) == []


def test_previous_release_agrees_without_wheels(former_installation: Path, tmp_path: Path) -> None:
    log = log_by(CASES[0], CASES[0].engine, tmp_path / "T.ndjson")
    assert remarks(former_audit(log, former_installation)) == [same(CASES[0].engine, CASES[0].former)]


def test_missing_wheel_of_a_pin_is_reported(wheels: Path, arbiter: Any, tmp_path: Path) -> None:
    case, alone = CASES[0], tmp_path / "alone"
    alone.mkdir()
    (wheel,) = wheels.glob(f"{case.engine.name}-{case.before}-*.whl")
    (alone / wheel.name).write_bytes(wheel.read_bytes())
    log = log_by(case, case.former, tmp_path / "T.ndjson")
    (remark,) = remarks(arbiter("verify", log, "--json", "--wheels", alone)[1])
    assert remark.startswith(f"gacrux {case.before}: ERROR: No matching distribution found for networkx==")
