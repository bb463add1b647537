"""The command line, called in this process."""

import pytest

from deploy.cli.main import run


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests that share one stack last: during the tests with stacks of their own it would use half a core."""
    items.sort(key=_shares_stack)


def _shares_stack(item: pytest.Item) -> bool:
    made = item._fixtureinfo.name2fixturedefs if isinstance(item, pytest.Function) else {}
    return any(fixture.scope == "package" for fixture in made.get("stack", ())[-1:])


@pytest.fixture
def arbiter(capfd):
    """Runs a command line; exit code, standard output and standard error."""

    def call(*args: object) -> tuple[int, str, str]:
        capfd.readouterr()
        code = run([str(a) for a in args])
        out = capfd.readouterr()
        assert "Traceback" not in out.err
        return code, out.out, out.err

    return call


@pytest.fixture
def impatient(monkeypatch):
    """Give up soon on a broker that does not exist."""
    monkeypatch.setattr("shared.log.kafka.topics._REACHED_MS", 300)
    monkeypatch.setattr("shared.log.distributed.DistributedLog.lag.__defaults__", (0.05,))


@pytest.fixture(scope="package")
def stack(tmp_path_factory):
    """All of docker-compose.yml as processes; started once for all tests of the group."""
    from tests.deploy.servers import enterable, whole_stack
    from tests.stack.stack import Stack

    whole_stack()
    made = Stack(enterable(tmp_path_factory.mktemp("stack")))
    made.hurry()
    with made:
        yield made


@pytest.fixture
def insider(stack):
    """A producer with games' password."""
    from kafka import KafkaProducer

    from tests.deploy.servers import broker_as

    producer = KafkaProducer(**broker_as(stack, "games").options())
    yield producer
    producer.close()
