"""The state in which every history begins: tournaments with a paired round, known to all services. It is made once."""

from functools import cache
from typing import NamedTuple

from services.pairing.rules.commands import AnnounceTournament, EnterPlayers, Entry, PairRound
from shared import regulations
from shared.core.terms import PAIRING, SOURCES, Actor, PlayerId, Source, service_of
from shared.desk.desk import Desk, Receipt, Request
from shared.log.texts import Texts
from tests.offices import appointing
from tests.simulation import broker, scheduler, seams
from tests.simulation.broker import Cluster
from tests.simulation.databases import Database
from tests.simulation.house import House

CHIEF = Actor("zhou.min", "chief_arbiter", "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0001")
ARBITER = Actor("li.wei", "arbiter", "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0002")
APPEALS = Actor("board", "appeals", "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0003")
ORGANISER = Actor("org", "organiser", "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0004")
BOARD = Actor("board 1", "board", "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0009")
TOURNAMENTS = ("A", "B", "D")
"""Two of them are in one partition, the third is in the other."""
PLAYERS = 6


class Opening(NamedTuple):
    cluster: Cluster
    contents: dict[Source, bytes]


@cache
def databases() -> dict[Source, Database]:
    """Return the databases that all histories of this process use."""
    return {source: Database(service_of(source)) for source in SOURCES}


def _begin(desk: Desk, tournament: str) -> None:
    texts = Texts(tournament)
    entries = tuple(Entry(PlayerId(n), texts.required(f"Player {n}")) for n in range(1, PLAYERS + 1))
    seats = tuple((PlayerId(n), PlayerId(n + 1)) for n in range(1, PLAYERS, 2))
    rules = regulations.load("campus")
    commands = (
        AnnounceTournament(
            CHIEF, tournament, "chess", "swiss", 5, rules, officials=appointing(ARBITER, APPEALS, ORGANISER, BOARD)
        ),
        EnterPlayers(CHIEF, entries),
        PairRound(CHIEF, seats, None, texts.required("as drawn"), seed=1),
    )
    for number, command in enumerate(commands):
        request = Request(key=f"{tournament}.{number}", texts=tuple(texts.all) if number == 1 else ())
        outcome = desk.submit(PAIRING, tournament, command, request)
        assert isinstance(outcome, Receipt), outcome


@cache
def opening() -> Opening:
    """Play the opening. Call it within `seams.seams`."""
    running = scheduler.begin(0)
    cluster = broker.use(broker.empty_cluster())
    for database in databases().values():
        database.reset(b"")
    house = House(running, databases(), SOURCES)
    seams.use(house)

    def play() -> None:
        for source in SOURCES:
            house.start_worker(source)
        house.start_web(PAIRING)
        (web,) = house.webs[PAIRING]
        while web.desk is None:
            running.wait(0.1)
        while web.desk.log.unready() is not None:
            running.wait(0.1)
        for tournament in TOURNAMENTS:
            web.call(lambda desk, t=tournament: _begin(desk, t))
        while not house.settled():
            running.wait(0.1)

    running.run(house.process("operator"), play)
    running.close(house.processes)
    assert running.failures == [], running.failures
    return Opening(cluster, {source: database.backup() for source, database in databases().items()})
