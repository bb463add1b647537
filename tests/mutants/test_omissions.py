"""Each section of CONTRIBUTING.md is correct under "What fails": if a step is omitted, the test that it names fails."""

from pathlib import Path

import pytest

from tests.mutants.__main__ import FAILED, copy, plant, run
from tests.mutants.faults import OMISSIONS, Fault


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the project, in which every test of an omission passes while no step is omitted."""
    folder = copy(tmp_path_factory.mktemp("project"))
    assert run(folder, [test for omission in OMISSIONS for test in omission.tests], "all") == 0
    return folder


@pytest.mark.parametrize("omission", OMISSIONS, ids=lambda omission: omission.section)
def test_omitted_step_fails_the_test_its_section_names(project: Path, omission: Fault) -> None:
    assert plant(project, omission) == FAILED
