"""Callers that wait for the events of one command, which a client has sent again with the same idempotency key."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from deploy.server.rules import RULES
from services.pairing.rules import commands as pairing
from shared.core.terms import PAIRING, PlayerId
from shared.desk.awaited_commands import AwaitedCommands
from shared.desk.desk import Desk, Receipt
from shared.desk.requests import Request
from shared.log.port import Row
from tests.deploy.servers import SERVERS
from tests.histories import CHIEF, NAME, begin
from tests.log.distributed import Servers, World, until


def row(command: str, seq: int) -> Row:
    return Row(seq, "tournaments/T", seq, PAIRING, seq, command, 0, b"")


@pytest.mark.parametrize("earlier", [True, False])
def test_caller_gets_its_position_after_another_caller_of_the_command_has_gone(earlier: bool) -> None:
    commands = AwaitedCommands()
    first, second = commands.expect("c", 60), commands.expect("c", 60)
    waits = first.__enter__(), second.__enter__()
    (first if earlier else second).__exit__(None, None, None)
    commands.arrive([row("other", 1), row("c", 2), row("c", 3)])
    assert waits[1 if earlier else 0].wait(lambda: pytest.fail("it has come already")) == 3
    assert waits[0 if earlier else 1].seq == 0


@SERVERS
def test_command_that_is_sent_twice_at_once_is_answered_twice(servers: Servers, tmp_path: Path) -> None:
    world = World(servers, tmp_path, (PAIRING,))
    log = world.open(PAIRING)
    desk = Desk(log, {PAIRING: RULES[PAIRING]}, lambda *_: "", back_seconds=30)
    until(lambda: log.unready() is None)
    begin(desk, "T")

    def enter(player: int) -> Receipt | object:
        entry = pairing.EnterPlayers(CHIEF, (pairing.Entry(PlayerId(player), NAME, 1500),))
        return desk.submit(PAIRING, "T", entry, Request(key=f"k{player}", body=f"k{player}"))

    try:
        with ThreadPoolExecutor(4) as threads:
            answers = list(threads.map(enter, [player for player in range(101, 111) for _ in range(4)]))
    finally:
        desk.close()
        world.close()
    seqs = [(one.status, one.seq) for one in answers if isinstance(one, Receipt)]
    assert seqs == [(201, seq) for seq in range(min(seqs)[1] or 0, (min(seqs)[1] or 0) + 10) for _ in range(4)]
