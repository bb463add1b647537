"""Whatever crosses: every decision can be made again, replay is the fold, and no two readers disagree."""

from itertools import count
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from deploy.server.rules import RULES
from services.standings.rules.table.table import standings, table_answer
from shared.audit.audit import Evidence, audit
from shared.audit.checkpoints.checkpoint import Signer
from shared.core.event_types.evolve import fold
from shared.core.terms import PAIRING, SOURCES
from shared.desk.desk import Desk
from shared.desk.replay import replay
from shared.desk.views import Ledger
from shared.log.sqlite import SqliteLog
from shared.wire.envelope import read
from tests.faults.standing import outcome, shuffled, standing
from tests.histories import begin, state, step
from tests.house_keys import KEYS
from tests.log.lagging import LaggingLog, move, settle

STEPS = 500
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)
"""A seed cannot be made simpler, so nothing is shrunk."""


def lagging_desks(folder: Path, seed: int, signer: Signer):
    """Two processes of each service, and the world that moves between them."""
    world = {s: LaggingLog(folder, s, Random(f"{seed} {s}")) for s in SOURCES}
    desks = {
        s: [
            Desk(log, {s: RULES[s]}, signer.sign, keys=KEYS, threads=False, back_seconds=0, unread_seconds=0)
            for log in (world[s], LaggingLog(folder, s, Random(f"{seed} {s} again")))
        ]
        for s in SOURCES
    }
    return world, desks


def due(desks) -> None:
    """What a worker does after each line: look for what is due."""
    for source, both in desks.items():
        view = both[0].view("T")
        if view is not None and view.stopped is None:
            both[0].writer.due("T", view.tournament)
        assert RULES[source].source == source


def changes_of_regulations(desks) -> int:
    """How often they were adopted anew, as pairing's ledger has it."""
    rows = desks[PAIRING][0].lines("tournaments/T")
    return sum(b'"arbiter.regulations.adopted.' in row.line for row in rows) - 1


def sheets_of(desk, tournament) -> dict[str, list[bytes]]:
    return {
        s.partition("/")[2]: [r.line for r in desk.lines(s)]
        for s in desk.streams("games/")
        if s.startswith(f"games/{tournament}.")
    }


def check(lines: list[bytes], sheets, signer) -> None:
    """The log audits whole, and its replay is the same by every road and at every prefix."""
    report = audit(lines, RULES, Evidence(sheets=sheets, keys=(signer.verifier,)))
    assert report.verdict == "agrees", report.first
    assert report.decided == len(lines)
    assert report.unchecked == {}
    at_once, one_by_one = Ledger.of("T", lines), Ledger("T")
    for seq, line in enumerate(lines, 1):
        one_by_one.take(seq, line)
    assert at_once.stopped is None
    assert state(at_once.tournament)["seq"] == len(lines)
    assert state(replay(lines, "T")) == state(at_once.tournament) == state(one_by_one.tournament)
    assert at_once.tree.levels == one_by_one.tree.levels
    t = at_once.tournament
    assert {id: t.is_in_force(id) for id in (*t.rulings, *t.annulments)} == standing(lines)
    for seed in range(3):
        assert outcome(fold("T", map(read, shuffled(lines, Random(seed)), count(1)))) == outcome(t), seed


@pytest.fixture(scope="module")
def signer():
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Signer("arbiter.test", Ed25519PrivateKey.generate())


@settings(
    max_examples=1,
    deadline=None,
    phases=PHASES,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(seed=st.integers(0, 10**6))
def test_every_decision_of_a_lagging_history_is_reconstructible(seed, tmp_path_factory, signer):
    # given four services of two processes each, which see the log late, torn, doubled and out of turn
    rng = Random(seed)
    world, desks = lagging_desks(tmp_path_factory.mktemp("world"), seed, signer)
    begin(desks[PAIRING][0], "T")
    seen: dict[int, tuple[dict, bytes]] = {}

    # when they decide, each on what it sees
    followed = 0
    for n in range(3 * STEPS):
        if n >= STEPS and changes_of_regulations(desks):
            break
        followed += step(desks, "T", rng)
        for _ in range(rng.randint(0, 4)):
            move(world, rng)
        if rng.random() < 0.3:
            due(desks)
        for source in SOURCES:
            for desk in desks[source]:
                view = desk.view("T")
                if view is not None:
                    assert view.stopped is None
                    if view.seq not in seen:
                        seen[view.seq] = state(view.tournament), view.root
                    assert seen[view.seq][1] == view.root
    settle(world)
    due(desks)
    settle(world)

    # then every ledger is the same, every decision follows, and every view was a prefix of the log
    logs = [[r.line for r in desk.lines("tournaments/T")] for both in desks.values() for desk in both]
    assert all(log == logs[0] for log in logs)
    assert followed > 60
    assert changes_of_regulations(desks), "none were changed on the way"
    check(logs[0], sheets_of(desks["/services/games"][0], "T"), signer)
    assert shuffled(logs[0], Random(seed)) != logs[0], "some lines are independent of each other"
    prefix = Ledger("T")
    for seq, line in enumerate(logs[0], 1):
        prefix.take(seq, line)
        if seq in seen:
            assert state(prefix.tournament) == seen[seq][0]
    assert max(seen) <= len(logs[0])
    for both in desks.values():
        for desk in both:
            assert state(desk.view("T").tournament) == state(replay(logs[0], "T"))
            desk.close()


@settings(
    max_examples=4,
    deadline=None,
    phases=PHASES,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(seed=st.integers(0, 10**6))
def test_embedded_histories_of_several_processes_audit_whole_and_other_tournaments_do_not_matter(
    seed, tmp_path_factory, signer
):
    # given two processes on one file
    folder = tmp_path_factory.mktemp("embedded")
    both = [Desk(SqliteLog(folder / "a.sqlite"), RULES, signer.sign, keys=KEYS, threads=False) for _ in range(2)]
    desks = dict.fromkeys(SOURCES, both)
    begin(both[0], "T")
    begin(both[1], "U")

    # when both write to two tournaments
    rng = Random(seed)
    for _ in range(STEPS):
        step(desks, rng.choice("TTU"), rng)

    # then each log is decided again, and a table is the same alone and among others
    lines = [r.line for r in both[0].lines("tournaments/T")]
    check(lines, sheets_of(both[1], "T"), signer)
    alone = table_answer(standings(replay(lines, "T")), None)
    assert [table_answer(standings(d.view("T").tournament), None) for d in both] == [alone, alone]
    for desk in both:
        desk.close()
