"""The command, the page and the Go program give the verdicts of one table."""

from pathlib import Path

import pytest

from tests.foreign import build
from tests.verifiers.event import files, pack, unpack
from tests.verifiers.programs import command, go_program, page, write
from tests.verifiers.vectors import Vector, vectors

pytestmark = pytest.mark.xdist_group("go")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Vector, list[Path]]]:
    """Return the vectors, each with its files."""
    folder = tmp_path_factory.mktemp("vectors")
    return [(vector, write(vector.case, folder / str(n))) for n, vector in enumerate(vectors())]


def test_command_gives_the_verdicts_of_the_table(table):
    given = command([paths for _, paths in table])
    assert {v.name: one for (v, _), one in zip(table, given, strict=True)} == {v.name: v.verdict for v, _ in table}


def test_page_gives_the_verdicts_of_the_table(table):
    given = page([paths for _, paths in table])
    assert {v.name: one for (v, _), one in zip(table, given, strict=True)} == {v.name: v.page for v, _ in table}


def test_go_program_gives_the_verdicts_of_the_table(table, tmp_path):
    given = go_program(build.verifier(tmp_path))([paths for _, paths in table])
    assert {v.name: one for (v, _), one in zip(table, given, strict=True)} == {v.name: v.go for v, _ in table}


def test_table_has_every_verdict_and_no_name_twice(table):
    assert {v.verdict for v, _ in table} == {"agrees", "differs", "incomplete", "unreadable"}
    assert len({v.name for v, _ in table}) == len(table)


def test_archive_packed_again_is_the_archive_of_the_event():
    assert unpack(pack(unpack(files()["event.zip"]))) == unpack(files()["event.zip"])
