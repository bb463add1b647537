"""A federation's year of tournaments as a folder of logs, the same bytes for the same number of them.

Four of ten tournaments are FIDE Swiss of chess, three are Swiss of xiangqi and three are round robins. A log has about 120
events: entries, appointments, byes, results in batches as boards finish, fouls, an annulment, a correction, and a table per
round. Records are signed.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import NamedTuple
from unittest.mock import patch
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.games.rules.commands import Correct, ReportResults, Result
from services.pairing.rules.commands import AnnounceTournament, EnterPlayers, Entry, GrantBye, PairRound
from services.penalties.rules.commands import AnnulRuling, MakeRuling
from services.standings.rules.commands import PublishStandings
from shared import regulations
from shared.audit.checkpoints.checkpoint import Signer
from shared.core.events import ByeGranted
from shared.core.rulebook.formats import Format
from shared.core.terms import (
    GAMES,
    PAIRING,
    PENALTIES,
    SOURCES,
    STANDINGS,
    Actor,
    Mark,
    PlayerId,
    RulingId,
    Source,
    TextRef,
)
from shared.desk.desk import Desk
from shared.log.sqlite import SqliteLog
from shared.signing.service_keys import OwnKey, ServiceKeys
from tests.histories import RESULTS
from tests.offices import appointing

YEAR = 10_000
"""Tournaments of a year."""
_EDITION = "1"
"""Raised if the logs change. It is part of the name of the folder that keeps them."""
_DESK_OF = 50
"""Tournaments of one database."""
_NEW_YEAR = datetime(2026, 1, 1, 9, tzinfo=UTC)
_TOKEN = "0190aaaa-bbbb-7ccc-8ddd-eeeeffff000{}"
CHIEF = Actor("chief", "chief_arbiter", _TOKEN.format(1))
ARBITER = Actor("hall", "arbiter", _TOKEN.format(2))
APPEALS = Actor("appeals", "appeals", _TOKEN.format(3))


class Kind(NamedTuple):
    """A kind of tournament, with its ``players`` from and to, and its share of a year in tenths."""

    game: str
    format: Format
    regulations: str
    players: tuple[int, int]
    rounds: int
    tenths: int


KINDS = (
    Kind("chess", "swiss", "fide-2026", (19, 20), 7, 4),
    Kind("xiangqi", "swiss", "xiangqi-1999", (19, 20), 7, 3),
    Kind("chess", "round_robin", "fide-2026", (12, 12), 11, 3),
)
KIND_OF_NUMBER = tuple(kind for kind in KINDS for _ in range(kind.tenths))


def year_folder(tournaments: int) -> Path:
    """Return a folder with the logs of the first ``tournaments`` of the year, which is made once and kept."""
    folder = Path(tempfile.gettempdir()) / f"arbiter-year-{_EDITION}-{tournaments}"
    if not folder.is_dir():
        with tempfile.TemporaryDirectory(prefix="arbiter-year-") as made:
            make_year(Path(made), tournaments)
            shutil.copytree(made, f"{folder}.{os.getpid()}")
        Path(f"{folder}.{os.getpid()}").rename(folder)
    return folder


def make_year(folder: Path, tournaments: int) -> None:
    """Write the logs of the first ``tournaments`` of the year into a folder."""
    for first in range(0, tournaments, _DESK_OF):
        with _a_desk(first) as desk:
            for number in range(first, min(first + _DESK_OF, tournaments)):
                name = f"t{number:05}"
                play(desk, name, KIND_OF_NUMBER[number % len(KIND_OF_NUMBER)], Random(f"year {number}"))
                lines = [kept.line for kept in desk.lines(f"tournaments/{name}")]
                (folder / f"{name}.ndjson").write_bytes(b"".join(line + b"\n" for line in lines))


@contextmanager
def _a_desk(first: int) -> Iterator[Desk]:
    """Yield a command handler whose keys, times and IDs result from the number of its first tournament."""
    from deploy.server.rules import RULES

    def key(name: str) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(sha256(f"federation {name}".encode()).digest())

    keys = ServiceKeys({source: [OwnKey.of(source, key(source))] for source in SOURCES})
    now, chance = _clock(_NEW_YEAR + timedelta(minutes=50 * first)), Random(f"ids {first}")

    def an_id() -> UUID:
        bits = chance.getrandbits(128)
        return UUID(int=bits & ~(0xF << 76) & ~(0x3 << 62) | 0x7 << 76 | 0x2 << 62)

    with tempfile.TemporaryDirectory(prefix="arbiter-year-") as data, patch("uuid_utils.uuid7", an_id):
        log = SqliteLog(Path(data) / "log.db")
        desk = Desk(log, RULES, Signer("federation", key("checkpoints")).sign, keys=keys, clock=now, threads=False)
        try:
            yield desk
        finally:
            desk.close()


def _clock(start: datetime) -> Callable[[], str]:
    seconds = 0

    def now() -> str:
        nonlocal seconds
        seconds += 20
        return f"{start + timedelta(seconds=seconds):%Y-%m-%dT%H:%M:%S}.000000Z"

    return now


def play(desk: Desk, name: str, kind: Kind, chance: Random, *, fide_ids: bool = False) -> None:
    """Play a tournament up to the publication of its last round. ``fide_ids``: every entry states one."""

    def do(source: Source, command: object) -> None:
        outcome = desk.submit(source, name, command)
        assert getattr(outcome, "status", None) == 201, outcome

    def text() -> TextRef:
        return TextRef(chance.randbytes(32).hex())

    book, players = regulations.load(kind.regulations), chance.randint(*kind.players)
    officials = appointing(ARBITER, APPEALS)
    do(
        PAIRING,
        AnnounceTournament(
            CHIEF, name, kind.game, kind.format, kind.rounds, book, officials=officials, keys=desk.keys.announced
        ),
    )
    ratings = sorted((chance.randint(1200, 2400) for _ in range(players)), reverse=True)
    entries = (Entry(PlayerId(n), text(), r, fide_id=text() if fide_ids else None) for n, r in enumerate(ratings, 1))
    do(PAIRING, EnterPlayers(CHIEF, tuple(entries)))
    for round in range(1, kind.rounds + 1):
        if kind.format == "swiss" and round in (3, 5):
            absent = PlayerId(chance.randint(1, players))
            do(PAIRING, GrantBye(CHIEF, ByeGranted(absent, round, "H" if kind.game == "chess" else "Z")))
        do(PAIRING, PairRound(CHIEF, seed=chance.randint(1, 9999)))
        _play_round(desk, name, round, chance, do)
        last = round == kind.rounds
        order = book.ranking.order(kind.format)
        do(STANDINGS, PublishStandings(CHIEF, order, book.ranking.rules, round, final=False))
        if last:
            _correct_and_annul(desk, name, round, text(), do)
            do(STANDINGS, PublishStandings(CHIEF, order, book.ranking.rules, round, final=False))


def _play_round(desk: Desk, name: str, round: int, chance: Random, do: Callable[[Source, object], None]) -> None:
    view = desk.view(name)
    assert view is not None
    boards = [b for b in view.tournament.pairings[-1].event.boards if b.white and b.black]
    chance.shuffle(boards)
    if round > 1:
        do(PENALTIES, MakeRuling(ARBITER, boards[0].white, round, "foul"))
    while boards:
        batch = [boards.pop() for _ in range(min(chance.randint(1, 4), len(boards)))]
        do(GAMES, ReportResults(ARBITER, tuple(Result(b.game, *_result(chance)) for b in batch)))


def _result(chance: Random) -> tuple[Mark, Mark]:
    return chance.choices(RESULTS, (38, 30, 28, 3, 1))[0]


def _correct_and_annul(
    desk: Desk, name: str, round: int, reason: TextRef, do: Callable[[Source, object], None]
) -> None:
    view = desk.view(name)
    assert view is not None
    board = view.tournament.pairings[-1].event.boards[0]
    do(GAMES, Correct(CHIEF, (Result(board.game, *RESULTS[2]),), reason))
    do(PENALTIES, AnnulRuling(APPEALS, RulingId("r1"), reason))
