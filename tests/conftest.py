"""Tests that claim what they play over HTTP are watched: a claim that was not played fails the test."""

import gc
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests import answer_watch, made_once, programs, tiers
from tests.when_imported import when_imported

# The product is imported by the test files that use it, so that a small file starts quickly.
if TYPE_CHECKING:
    from tests.rows.witness import Witness

_WITNESS: pytest.StashKey["Witness"] = pytest.StashKey()
_LOCALE = Path(__file__).parents[1] / "shared" / "web" / "locale"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--tier", default="all", choices=("quick", "test", "all"), help="which tests (default: all)")


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()  # until all test files are imported, which leaves no garbage
    _compile_stale()
    config.addinivalue_line("markers", "row(number, under): plays a row of the books under a shipped set")
    config.addinivalue_line("markers", "plays(path, *values): plays the difference of these values of regulations")
    tiers.choose(config.getoption("--tier"))
    made_once.begin()
    answer_watch.watch()
    when_imported("hypothesis", _choose_examples)


def _compile_stale() -> None:
    """Compile the catalogues of other languages if a ``.po`` is newer than what was made of it."""
    for folder in _LOCALE.glob("*/LC_MESSAGES"):
        made = folder / "arbiter.mo"
        if not made.exists() or made.stat().st_mtime <= max(file.stat().st_mtime for file in folder.glob("*.po")):
            from deploy.build.catalogues import compile_language

            compile_language(folder.parent.name)


def _choose_examples(hypothesis: Any) -> None:
    """Let no example fail for the time that it takes, because a busy machine is not a fault."""
    settings = hypothesis.settings
    settings.register_profile("tier", settings(), deadline=None, max_examples=tiers.examples(100))
    settings.load_profile("tier")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    return tiers.omits_folder(collection_path) or None


@pytest.hookimpl(tryfirst=True)  # before the groups are read
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what the tier omits, and keep tests that share what their file makes once on one process."""
    if omitted := {item for item in items if tiers.omits_test(item)}:
        config.hook.pytest_deselected(items=list(omitted))
        items[:] = [item for item in items if item not in omitted]
    for item in items:
        if item.get_closest_marker("xdist_group") is None and _shares(item):
            item.add_marker(pytest.mark.xdist_group(item.path.stem))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Thousands of tests stay to the end: they are not looked through again each time that memory is collected."""
    gc.collect()
    gc.freeze()
    gc.enable()
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
    from tests.rows.witness import Witness

    with Witness() as item.stash[_WITNESS]:
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    yield
    if claims := _claims(item):
        assert not (said := item.stash[_WITNESS].complaints(claims)), "; ".join(said)
