"""Desks of four services on their own databases, with the log between them."""

import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from deploy.server.rules import RULES
from deploy.server.worker.worker import Findings
from services.games.rules.commands import MakeClaim, Move, PlayMoves
from services.pairing.rules import commands as pairing
from services.standings.rules.table.table import standings, table_answer
from shared.audit.audit import Evidence, audit
from shared.audit.checkpoints.checkpoint import Signer
from shared.core.events import OfficialAppointed
from shared.core.terms import GAMES, PAIRING, PENALTIES, SOURCES, Actor, Ply
from shared.desk.desk import Desk, DeskError, Receipt, Request
from shared.desk.replay import replay
from shared.log.port import LogUnavailable
from tests.deploy.servers import SERVERS
from tests.histories import CHIEF, begin, step
from tests.house_keys import KEYS
from tests.log.conftest import together
from tests.log.distributed import until

pytestmark = SERVERS
BOARD = Actor("board 1", "board", "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0009")
SIGNER = Signer("arbiter.test", Ed25519PrivateKey.generate())


@pytest.fixture
def world(world):
    world.start()
    return world


@pytest.fixture
def desks(world):
    """Two processes' desks of each service, ready to take commands."""
    made = {s: [Desk(world.open(s), {s: RULES[s]}, SIGNER.sign, keys=KEYS) for _ in range(2)] for s in SOURCES}
    seen_by_workers([desk for both in made.values() for desk in both])
    yield made
    together(*(desk.close for both in made.values() for desk in both))


def seen_by_workers(desks):
    """Wait until every desk takes commands; all of them ask at once."""
    until(lambda: not [desk for desk in desks if desk.log.unready() is not None], "for the workers")


def log_of(desk, tournament="T"):
    return [r.line for r in desk.lines(f"tournaments/{tournament}")]


def sheets(desk):
    return {s.partition("/")[2]: [r.line for r in desk.lines(s)] for s in desk.streams("games/T.")}


def appoint(name):
    return pairing.AppointOfficial(CHIEF, OfficialAppointed(name, "arbiter"))


def test_answers_name_the_returned_line_and_repeats_get_the_same(desks):
    receipt = None
    for n in range(5):
        receipt = desks[PAIRING][n % 2].submit(PAIRING, "T", appoint(f"o{n}"))
        if n == 0:
            assert not isinstance(receipt, Receipt)
            begin(desks[PAIRING][0], "T")
    assert receipt.seq == 2 + 3 + 8 + 4
    assert receipt.root == desks[PAIRING][0].root("T", receipt.seq)
    for both in desks.values():
        for desk in both:
            view = desk.view("T", after=receipt.seq)
            assert (view.seq, view.root) == (receipt.seq, receipt.root)
    # and a repeat gets the first answer from any process
    request = Request(key="wang POST /officials 1", body="b")
    first, again = (desk.submit(PAIRING, "T", appoint("another"), request) for desk in desks[PAIRING])
    assert not first.repeated
    assert again.repeated
    assert (again.body, again.seq, again.root) == (first.body, first.seq, first.root)
    assert len(log_of(desks[GAMES][0])) == first.seq


def test_four_services_of_two_processes_each_agree_and_every_decision_follows_again(desks, world):
    # given callers who command all services at once
    begin(desks[PAIRING][0], "T")
    followed = []

    def call(number):
        rng = Random(number)
        for _ in range(30):
            try:
                followed.append(step(desks, "T", rng))
            except DeskError:
                continue

    together(*(lambda n=n: call(n) for n in range(4)))
    world.settle()
    # then every process has the same log, and it audits whole
    logs = [log_of(desk) for both in desks.values() for desk in both]
    assert all(log == logs[0] for log in logs)
    assert sum(followed) > 30
    report = audit(logs[0], RULES, Evidence(sheets=sheets(desks[GAMES][0]), keys=(SIGNER.verifier,)))
    assert report.verdict == "agrees", report.first
    assert report.decided == len(logs[0])
    table = table_answer(standings(replay(logs[0], "T")), None)
    for both in desks.values():
        for desk in both:
            desk.folds.refresh()
            assert table_answer(standings(desk.view("T").tournament), None) == table


def test_killed_servers_lose_nothing_that_was_answered(desks, world, servers):
    # given callers who write on, whatever they are answered
    begin(desks[PAIRING][0], "T")
    answered, tried, over = [], [], threading.Event()

    def call(number):
        for n in range(100_000):
            if over.is_set():
                return
            name = f"o{number}-{n}"
            tried.append(name)
            try:
                outcome = desks[PAIRING][number % 2].submit(
                    PAIRING,
                    "T",
                    appoint(name),
                    Request(key=name, body=name),
                )
            except (DeskError, LogUnavailable):
                continue
            assert isinstance(outcome, Receipt)
            answered.append(name)

    def kill():
        try:
            for victim in (servers.kafka, servers.postgres):
                count = len(answered)
                until(lambda count=count: len(answered) > count + 20, "for more to be answered")
                victim.kill()
                victim.restart()
            count = len(answered)
            until(lambda: len(answered) > count + 20, "for more to be answered")
        finally:
            over.set()

    together(kill, *(lambda n=n: call(n) for n in range(4)))
    # then every answered command is in every ledger once, in one order, and the audit agrees
    world.settle()
    logs = [log_of(both[0]) for both in desks.values()]
    assert all(log == logs[0] for log in logs)
    counts = Counter(json.loads(line)["data"].get("official") for line in logs[0])
    assert all(counts[name] == 1 for name in answered)
    assert all(counts[name] <= 1 for name in tried)
    report = audit(logs[0], RULES, Evidence(keys=(SIGNER.verifier,)))
    assert report.verdict == "agrees", report.first


@contextmanager
def due_loop(desk: Desk) -> Iterator[None]:
    """Penalties' worker, as far as it answers what the others bring due."""
    stop = threading.Event()
    thread = threading.Thread(target=Findings(desk, desk.log, stop).run)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def test_an_answer_waits_for_what_the_other_services_decide_and_goes_without_it_after_its_time(world):
    sides = {s: world.open(s) for s in (PAIRING, GAMES, PENALTIES)}
    desks = {s: Desk(log, {s: RULES[s]}, SIGNER.sign, table=RULES, keys=KEYS) for s, log in sides.items()}
    seen_by_workers(list(desks.values()))
    begin(desks[PAIRING], "T")
    desks[PAIRING].submit(PAIRING, "T", pairing.PairRound(CHIEF, seed=1))
    games = desks[GAMES]
    (first, second, *_) = games.view("T", after=desks[PAIRING].view("T").seq).tournament.games
    moves = tuple(Move(m) for m in ("g1f3", "g8f6", "f3g1", "f6g8"))

    def claim(game, key):
        games.submit(GAMES, "T", PlayMoves(BOARD, game, Ply(1), moves))
        wrong = MakeClaim(BOARD, game, "white", "threefold_repetition", "b1c3")
        receipt = games.submit(GAMES, "T", wrong, Request(key=key, body="b"))
        return receipt, json.loads(receipt.body)

    # given nobody who answers findings: the claim is answered without what follows
    receipt, body = claim(first, "k1")
    assert (receipt.status, receipt.complete) == (201, False)
    assert "consequences" not in body
    assert (body["rulings"], body["follows"]) == ([], f"/v1/tournaments/T/commands/{receipt.command}")
    assert games.consequences("T", receipt.command).open == 1
    with due_loop(desks[PENALTIES]):
        until(lambda: games.consequences("T", receipt.command).open == 0, "for penalties")
        # when it is sent again, then it gets what was kept and what follows as it is known by then
        again, told = claim(first, "k1")
        assert again.repeated
        assert {**told, "consequences": None} == {**body, "rulings": ["r2"], "consequences": None}
        assert told["consequences"][-1]["data"]["ruling"] == "r2"
        # and where penalties are there, the answer waits for them
        receipt, body = claim(second, "k2")
        assert (receipt.complete, body["rulings"]) == (True, ["r4"])
        assert [line["type"] for line in body["consequences"]] == [
            "arbiter.finding.answered.v1",
            "arbiter.ruling.made.v2",
        ]
        assert receipt.root == games.root("T", receipt.seq)
    world.settle()
    assert receipt.seq == len(log_of(games))
    report = audit(log_of(games), RULES, Evidence(sheets=sheets(games), keys=(SIGNER.verifier,)))
    assert report.verdict == "agrees", report.first
    for desk in desks.values():
        desk.close()
