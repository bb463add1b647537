"""Standings keeps score sheets from their topic: each line once, signed by games, and what is missing is reported."""

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from deploy.server.rules import RULES
from services.games.rules.commands import Move, PlayMoves
from services.pairing.rules.commands import PairRound
from services.standings.files.sheet_sources import sheets_followed
from shared.audit.checkpoints.checkpoint import Signer
from shared.core.terms import GAMES, PAIRING, STANDINGS, Actor, Ply
from shared.desk.desk import Desk
from shared.log.distributed import DistributedLog
from shared.log.kafka.broker import MOVES, TOURNAMENTS
from shared.log.worker import side_topics
from shared.log.worker.ledger import Book
from shared.log.worker.records.record_numbers import RecordNumbers
from shared.log.worker.records.record_signatures import RecordSignatures
from shared.log.worker.side_topics import FollowedSheets
from tests.histories import CHIEF, begin
from tests.house_keys import KEYS
from tests.log.lagging import lagging_world, settle

BOARD = Actor("board 1", "board", "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0009")
SIGNER = Signer("arbiter.test", Ed25519PrivateKey.generate())


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[SimpleNamespace]:
    """What pairing and games sent of a signed tournament with two games that were played, each record once."""
    world = lagging_world(tmp_path_factory.mktemp("world"), 1, threading.Event())
    desks = {s: Desk(world[s], {s: RULES[s]}, SIGNER.sign, keys=KEYS, back_seconds=0) for s in (PAIRING, GAMES)}
    begin(desks[PAIRING], "T")
    settle(world)
    desks[PAIRING].folds.refresh()
    desks[PAIRING].submit(PAIRING, "T", PairRound(CHIEF, seed=1))
    settle(world)
    desks[GAMES].folds.refresh()
    mate = ("f2f3", "e7e5", "g2g4", "d8h4")
    for game in list(desks[GAMES].view("T").tournament.games)[:2]:
        for ply in (1, 3):
            moves = tuple(Move(move) for move in mate[ply - 1 : ply + 1])
            desks[GAMES].submit(GAMES, "T", PlayMoves(BOARD, game, Ply(ply), moves))
    settle(world)
    sent = {(row.topic, row.key, row.record): row for row in world[GAMES].topic.read(0, 1000)}
    found = [
        SimpleNamespace(topic=row.topic, partition=0, offset=n, key=row.key.encode(), value=row.record, headers=[])
        for n, row in enumerate(sorted(sent.values(), key=lambda row: row.id))
        if row.topic in (TOURNAMENTS, MOVES)
    ]
    for desk in desks.values():
        desk.close()
    for log in world.values():
        log.close()
    return found


class Follower:
    """Standings' side of the topics, in one process after another."""

    def __init__(self, folder: Path) -> None:
        self.log = DistributedLog(f"sqlite:///{folder / 'standings.db'}", STANDINGS)
        self.log._handshake = None
        self.restart()

    def restart(self) -> None:
        verifier = RecordSignatures()
        self.book = Book(verifier=verifier)
        self.sheets = FollowedSheets(self.book, verifier, RecordNumbers())

    def reads(self, records: Sequence[Any]) -> list[str]:
        """Take records one by one; what was found. One that waits is not taken."""
        found: list[dict[str, Any]] = []
        with self.log.begin() as connection:
            for record in records:
                if record.topic == TOURNAMENTS:
                    self.book.take(connection, record.value, lambda hash: None)
                    self.book.flush(connection)
                else:
                    found += self.sheets.take(connection, [record], 1)[1]
        return [str(one["what"]) for one in found]

    def held(self) -> dict[str, list[bytes]]:
        return {stream: [row.line for row in self.log.lines(stream)] for stream in self.log.streams("games/")}

    def asked(self) -> Any:
        desk = Desk(self.log, {STANDINGS: RULES[STANDINGS]}, SIGNER.sign, keys=KEYS)
        answer = sheets_followed(desk, lambda: None)("T", [row.line for row in self.log.lines("tournaments/T")])
        desk.close()
        return answer


@pytest.fixture
def follower(tmp_path: Path) -> Iterator[Follower]:
    made = Follower(tmp_path)
    yield made
    made.log.close()


def written(records: Sequence[Any]) -> dict[str, list[bytes]]:
    """The score sheets that these records hold."""
    sheets: dict[str, list[bytes]] = {}
    for record in records:
        if record.topic == MOVES:
            sheets.setdefault(f"games/{record.key.decode()}", []).extend(record.value.split(b"\n"))
    return sheets


def test_each_line_is_kept_once_however_often_it_comes(follower, records):
    for _ in range(3):
        assert follower.reads(records) == []
        follower.restart()
    assert follower.held() == written(records)
    assert [len(lines) for lines in follower.held().values()] == [4, 4]
    assert follower.asked().missing is None


@pytest.mark.parametrize("number", [0, 1])
def test_a_missing_record_is_reported_until_it_comes(follower, records, number: int):
    lost = [record for record in records if record.topic == MOVES][number]
    follower.reads([record for record in records if record is not lost])
    answer = follower.asked()
    assert answer.lines is None
    assert f"the score sheet of {lost.key.decode()} is incomplete: 2 of 4 events have arrived" in str(answer.missing)
    assert follower.reads([lost]) == []
    assert follower.asked().missing is None


def test_a_record_that_games_did_not_sign_is_not_kept(follower, records):
    official = [record for record in records if record.topic == TOURNAMENTS]
    genuine = next(record for record in records if record.topic == MOVES)
    forged = SimpleNamespace(**vars(genuine) | {"value": genuine.value.replace(b"e7e5", b"e7e6")})
    bare = SimpleNamespace(**vars(genuine) | {"value": genuine.value.split(b"\n")[0]})
    assert forged.value != genuine.value
    follower.reads(official)
    found = follower.reads([forged, bare])
    assert len(found) == 2 and follower.held() == {}
    assert follower.reads([genuine]) == [] and follower.held() == written([genuine])
    assert len(follower.reads([forged])) == 1 and follower.held() == written([genuine])


def test_a_record_waits_for_the_announcement_of_its_tournament(follower, records, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(side_topics.time, "monotonic", lambda: now[0])
    sheet = next(record for record in records if record.topic == MOVES)
    assert follower.reads([sheet, sheet]) == [] and follower.held() == {}
    follower.reads([record for record in records if record.topic == TOURNAMENTS])
    assert follower.reads([sheet]) == [] and follower.held() == written([sheet])


def test_a_record_of_an_unknown_tournament_waits_five_seconds(follower, records, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(side_topics.time, "monotonic", lambda: now[0])
    sheet = next(record for record in records if record.topic == MOVES)
    for seconds, found in ((0, 0), (4, 0), (2, 1)):
        now[0] += seconds
        follower.sheets.official_read()
        assert len(follower.reads([sheet])) == found
    assert follower.held() == {}
