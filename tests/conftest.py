"""Tests that claim what they play over HTTP are watched: a claim that was not played fails the test."""

import gc
from collections.abc import Generator

import pytest
from hypothesis import settings

from deploy.build.catalogues import compile_stale
from tests import answer_contract, made_once, programs
from tests.rows.witness import Witness

_WITNESS = pytest.StashKey[Witness]()


def pytest_configure(config: pytest.Config) -> None:
    compile_stale()
    config.addinivalue_line("markers", "row(number, under): plays a row of the books under a shipped set")
    config.addinivalue_line("markers", "plays(path, *values): plays the difference of these values of regulations")
    made_once.begin()
    answer_contract.watch()
    # No example is refused for the time that it takes: a busy machine is no fault.
    settings.register_profile("untimed", settings(), deadline=None)
    settings.load_profile("untimed")


@pytest.hookimpl(tryfirst=True)  # before the groups are read
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What a file makes once for all its tests is made on one of the test processes, and not on each."""
    for item in items:
        if item.get_closest_marker("xdist_group") is None and _shares(item):
            item.add_marker(pytest.mark.xdist_group(item.path.stem))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Thousands of tests stay to the end: they are not looked through again each time that memory is collected."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what a test counted (its histories by kind), and which tests were skipped for a missing program."""
    for report in terminalreporter.stats.get("passed", []):
        for name, lines in getattr(report, "user_properties", ()):
            if name == "counts":
                terminalreporter.section(report.nodeid)
                terminalreporter.write_line(", ".join(lines))
    skipped = terminalreporter.stats.get("skipped", [])
    if lines := programs.summary(one.longrepr[2] for one in skipped if isinstance(one.longrepr, tuple)):
        terminalreporter.section("not tested here")
        for line in lines:
            terminalreporter.write_line(line)


def _shares(item: pytest.Item) -> bool:
    if not isinstance(item, pytest.Function):
        return False
    made = item._fixtureinfo.name2fixturedefs.values()
    return any(fixture.scope == "module" for fixtures in made for fixture in fixtures)


def _claims(item: pytest.Item) -> list[pytest.Mark]:
    return [mark for mark in item.iter_markers() if mark.name in ("row", "plays")]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    if not _claims(item):
        return (yield)
    with Witness() as item.stash[_WITNESS]:
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    yield
    if claims := _claims(item):
        assert not (said := item.stash[_WITNESS].complaints(claims)), "; ".join(said)
