"""A forged record that came before the end of a game: what its moves brought is said again, and stays no riddle for ever."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import uuid_utils

from deploy.cli.lost_commands import LostCommand, the_lost
from deploy.cli.verbs.operation.resubmit import decided_again
from deploy.server.rules import RULES
from services.games.rules import commands as games
from services.pairing.rules import commands as pairing
from shared import regulations
from shared.core.state.outcomes import NOTATION
from shared.core.terms import GAMES, PAIRING, Actor, GameId, Ply, Source
from shared.desk.desk import Desk
from tests.attacks.topic_hall import Hall
from tests.log.distributed import T
from tests.played import ARBITER, CHIEF, OFFICIALS, SIGNER, Played

MATE = ("f2f3", "e7e5", "g2g4", "d8h4")
BOARD = Actor("board 1", "board", "t9")
GAME = GameId("T.1.1")


class Attacked(NamedTuple):
    """A tournament with a lost command of games, and the desk of games."""

    hall: Hall
    desk: Desk
    lost: LostCommand

    def resubmitted(self) -> bool:
        return decided_again(self.hall[GAMES].log, self.desk, self.lost, "Li Wei")

    def lines(self) -> list[dict]:
        self.hall.send(GAMES)
        return [json.loads(line) for line in self.hall.lines()]


def a_desk(hall: Hall, source: Source) -> Desk:
    log = hall[source].log
    log._handshake = None  # There is no worker here.
    return Desk(log, {source: RULES[source]}, SIGNER.sign, table=RULES, threads=False, back_seconds=0, unread_seconds=0)


def forged(record: bytes) -> bytes:
    """A record like this of another command on the second board, which it starts as often as the genuine one has lines."""
    lines = []
    for line in record.splitlines():
        event = json.loads(line) | {
            "causationid": "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000",
            "id": str(uuid_utils.uuid7()),
        }
        event |= {"type": "arbiter.game.started.v2", "data": {"game": "T.1.2"}}
        lines.append(json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode())
    return b"\n".join(lines)


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    made = Hall(tmp_path)
    desk = a_desk(made, PAIRING)
    cup, book = Played(desk, "T"), regulations.load("campus")
    cup.do(PAIRING, pairing.AnnounceTournament(CHIEF, "Cup", "chess", "swiss", 3, book, officials=OFFICIALS))
    made.send(PAIRING)
    cup.enter("one", "two", "three", "four")
    made.send(PAIRING)
    cup.pair((1, 2), (3, 4))
    made.send(PAIRING)
    yield made
    desk.close()
    made.close()


def fed(first: int, *moves: str, by: Actor = ARBITER) -> games.PlayMoves:
    return games.PlayMoves(by, GAME, Ply(first), tuple(map(games.Move, moves)))


def attacked(hall: Hall, *commands: Any) -> Attacked:
    """Commands are answered; a forged record with the numbers of the last one comes before it, and the operator goes past
    the stop."""
    desk = a_desk(hall, GAMES)
    for n, command in enumerate(commands, 1):
        Played(desk, "T").do(GAMES, command)
        if n < len(commands):
            hall.send(GAMES)
    (number, record) = next((n, r) for topic, _, r, n in hall[GAMES].unsent() if topic == "arbiter.tournaments")
    hall.put(forged(record), number=number)
    hall.send(GAMES)
    assert hall[GAMES].log.stopped(T)
    for side in hall.sides.values():
        side.log.resume(T)
    (lost,) = the_lost(hall[GAMES].log, T)
    return Attacked(hall, desk, lost)


def test_the_end_of_a_game_that_was_lost_is_reported_by_who_fed_the_moves(hall, capsys):
    one = attacked(hall, fed(1, *MATE))
    assert [kind.rpartition(".v")[0] for _, kind in one.lost.events] == ["arbiter.game.started", "arbiter.game.ended"]
    assert one.resubmitted()
    last = one.lines()[-1]
    assert (last["type"].rpartition(".v")[0], last["actor"]) == ("arbiter.result.reported", ARBITER.name)
    assert (last["data"]["white"]["points"], last["data"]["black"]["points"]) == (0, 2)
    assert the_lost(hall[GAMES].log, T) == []
    assert f"sent again as {last['causationid']}" in capsys.readouterr().err
    one.desk.close()


def test_the_start_of_a_game_that_was_lost_is_said_again_and_the_moves_stay(hall):
    one = attacked(hall, fed(1, *MATE[:2]))
    assert one.resubmitted()
    assert (one.lines()[-1]["type"], one.lines()[-1]["data"]) == (
        "arbiter.game.started.v2",
        {"game": GAME, "position": None},
    )
    assert the_lost(hall[GAMES].log, T) == []
    assert len(hall[GAMES].log.lines(f"games/{GAME}")) == 2
    one.desk.close()


def test_what_a_device_may_not_report_stays_listed_until_an_arbiter_has_reported_it(hall, capsys):
    # given a game that a board's own device has fed to its end
    one = attacked(hall, fed(1, *MATE[:3], by=BOARD), fed(4, MATE[3], by=BOARD))
    assert not one.resubmitted()
    assert "the command is settled when the log contains this event too" in capsys.readouterr().out
    assert len(the_lost(hall[GAMES].log, T)) == 1
    # when an arbiter reports the result
    played = Played(one.desk, "T")
    played.do(GAMES, games.ReportResults(ARBITER, (games.Result(GAME, *NOTATION["0-1"]),)))
    size = len(one.lines())
    # then nothing more is written, and it is no longer listed
    assert one.resubmitted()
    assert len(one.lines()) == size
    assert the_lost(hall[GAMES].log, T) == []
    assert "the log already contains its consequences" in capsys.readouterr().err
    one.desk.close()


def test_a_result_that_says_otherwise_than_the_lost_end_settles_nothing(hall):
    one = attacked(hall, fed(1, *MATE[:3], by=BOARD), fed(4, MATE[3], by=BOARD))
    Played(one.desk, "T").do(GAMES, games.ReportResults(ARBITER, (games.Result(GAME, *NOTATION["1-0"]),)))
    one.lines()
    assert not one.resubmitted()
    assert len(the_lost(hall[GAMES].log, T)) == 1
    one.desk.close()


def test_what_was_found_on_a_sheet_is_not_made_again_and_is_listed_until_it_is_given_up(hall, capsys):
    # given a wrong claim, which was found
    one = attacked(hall, fed(1, *MATE[:2]), games.MakeClaim(BOARD, GAME, "white", "threefold_repetition"))
    assert [kind.rpartition(".v")[0] for _, kind in one.lost.events] == ["arbiter.finding.made"]
    assert not one.resubmitted()
    assert "ask an arbiter for a ruling" in capsys.readouterr().out
    assert len(the_lost(hall[GAMES].log, T)) == 1
    one.desk.close()
