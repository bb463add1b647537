"""A played tournament's log, as halls make them: entries, rounds, results in batches, fouls, corrections, publications."""

import tempfile
from functools import cache
from pathlib import Path
from random import Random

from services.games.rules.commands import Correct, ReportResults, Result
from services.pairing.rules.commands import AnnounceTournament, EnterPlayers, Entry, GrantBye, PairRound
from services.penalties.rules.commands import AnnulRuling, MakeRuling
from services.standings.rules.commands import PublishStandings
from shared import regulations
from shared.audit.checkpoints.checkpoint import Signer
from shared.core.events import ByeGranted
from shared.core.terms import GAMES, PAIRING, PENALTIES, STANDINGS, Actor, PlayerId, RulingId, Source, TextRef
from shared.desk.desk import Desk
from shared.log.sqlite import SqliteLog
from tests.histories import RESULTS
from tests.offices import appointing

CHIEF = Actor("chief", "chief_arbiter", "t")
APPEALS = Actor("appeals", "appeals", "t2")
PLAYERS, ROUNDS, BATCH = 100, 9, 10


@cache
def played_log() -> list[bytes]:
    """The lines of one tournament of 100 players and 9 rounds."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from deploy.server.rules import RULES

    with tempfile.TemporaryDirectory() as folder:
        signer = Signer("bench", Ed25519PrivateKey.generate())
        desk = Desk(SqliteLog(Path(folder) / "played.sqlite"), RULES, signer.sign, threads=False)
        _play(desk, Random(1))
        lines = [r.line for r in desk.lines("tournaments/B")]
        desk.close()
    return lines


def _play(desk: Desk, rng: Random) -> None:
    def do(source: Source, command: object) -> None:
        outcome = desk.submit(source, "B", command)
        assert getattr(outcome, "status", None) == 201, outcome

    do(
        PAIRING,
        AnnounceTournament(
            CHIEF, "Bench", "chess", "swiss", ROUNDS, regulations.load("fide-2026"), officials=appointing(APPEALS)
        ),
    )
    entries = tuple(Entry(PlayerId(i), TextRef("0" * 64), 2400 - i) for i in range(1, PLAYERS + 1))
    do(PAIRING, EnterPlayers(CHIEF, entries))
    for number in range(1, ROUNDS + 1):
        for player in rng.sample(range(1, PLAYERS + 1), 2):
            do(PAIRING, GrantBye(CHIEF, ByeGranted(PlayerId(player), number, "H")))
        do(PAIRING, PairRound(CHIEF, seed=7))
        view = desk.view("B")
        assert view is not None
        boards = view.tournament.pairings[-1].event.boards
        for i in range(0, len(boards), BATCH):
            results = tuple(Result(b.game, *rng.choice(RESULTS[:4])) for b in boards[i : i + BATCH])
            do(GAMES, ReportResults(CHIEF, results))
        do(PENALTIES, MakeRuling(CHIEF, boards[0].white, number, "foul"))
        do(PENALTIES, AnnulRuling(APPEALS, RulingId(f"r{view.tournament.counts.get(PENALTIES, 0) + 1}")))
        do(GAMES, Correct(CHIEF, (Result(boards[1].game, *RESULTS[2]),), TextRef("0" * 64)))
        do(STANDINGS, PublishStandings(CHIEF, ("PTS", "BH", "PS"), "2026", number, False))
