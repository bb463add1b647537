"""Which engine pairs a round: a server uses only released versions, and a process of its own pairs like the installed one."""

import sysconfig

import pytest

from deploy.cli.files.engine_wheels import _Process
from services.pairing.rules.engine_adapters import gacrux_1_11_65, py4swiss_0_3_1, rustworkx_0_18_1
from services.pairing.rules.engine_adapters.record import MatchingInput, NoPairing, Record, from_json, to_json
from services.pairing.rules.engines import registry
from services.pairing.rules.engines.registry import EngineLost
from services.pairing.rules.engines.versions import GACRUX
from services.pairing.rules.formats import engine_choice
from services.pairing.rules.pairing_input import input_of
from shared.core.language.messages import say
from shared.core.terms import PlayerId, Refusal
from tests.rules.pairing_story import Office

FIELD = Office(9)
FIELD.pair()
FIELD.results("1-0", "0-1", "=")
START = input_of(FIELD.t, 2, "white", frozenset({(PlayerId(1), PlayerId(3))}))
GRAPH = MatchingInput(4, ((0, 1, (0, 1)), (0, 2, (1, 0)), (1, 3, (0, 0)), (2, 3, (2, 5))))


def test_unreleased_version_does_not_pair_for_a_server(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(engine_choice, "RELEASED", frozenset())
    for offices in (2, 3):
        office = Office(4, offices=offices)
        refusal = office.refused(office.by_engine())
        assert refusal.code == "engine-not-released"
        assert str(refusal.detail).startswith(f"gacrux {GACRUX.version}: no release of Arbiter pairs this round by it")


@pytest.mark.parametrize("record", [START, GRAPH], ids=lambda record: type(record).__name__)
def test_record_survives_json(record: Record):
    assert from_json(to_json(record)) == record


@pytest.mark.parametrize(
    ("adapter", "record"),
    [
        (gacrux_1_11_65.pair, START),
        (gacrux_1_11_65.pair_in_own_order, START),
        (py4swiss_0_3_1.pair, START),
        (rustworkx_0_18_1.match, GRAPH),
    ],
    ids=lambda given: getattr(given, "__name__", ""),
)
def test_process_of_a_version_pairs_like_the_installed_one(adapter, record: Record):
    with _Process(sysconfig.get_path("purelib"), adapter.__module__.rpartition(".")[2]) as process:
        assert process.pair(adapter.__name__, record) == adapter(record)


def test_process_without_packages_is_lost(tmp_path):
    with _Process(str(tmp_path), "gacrux_1_11_65") as process:
        with pytest.raises(EngineLost, match="No module named 'gacrux'"):
            process.pair("pair_in_own_order", START)
        process.__exit__()
        with pytest.raises(EngineLost, match="its process ended"):
            process.pair("pair_in_own_order", START)


def test_process_refuses_a_round_without_legal_pairing():
    office = Office(2)
    office.play((1, 2))
    with (
        _Process(sysconfig.get_path("purelib"), "py4swiss_0_3_1") as process,
        pytest.raises(NoPairing, match="no-legal-pairing"),
    ):
        process.pair("pair", input_of(office.t, 2, "white"))


@pytest.mark.parametrize("failure", [EngineLost("its process ended"), say("no wheel")])
def test_lost_version_is_unavailable_and_no_difference(failure):
    """An engine that gives no answer proves nothing against a log."""

    def find(adapter, version):
        if isinstance(failure, EngineLost):

            def run(record):
                raise failure

            return run
        return failure

    token = registry.OTHER_VERSIONS.set(find)
    try:
        refusal = registry.run(registry.Engine("gacrux", "9.9+c04.2"), START)
    finally:
        registry.OTHER_VERSIONS.reset(token)
    assert isinstance(refusal, Refusal) and refusal.code == "engine-not-at-hand"
