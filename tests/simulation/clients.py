"""Clients of the simulated services: they send commands, and send them again with the same key until they are answered."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import psycopg
import sqlalchemy as sa

from services.games.rules.commands import Correct, Move, PlayMoves, ReportResults, Result
from services.games.rules.commands import Place as Seat
from services.pairing.rules.commands import EnterPlayers, Entry, EraseText
from services.penalties.rules.commands import AnnulRuling, MakeRuling
from services.standings.rules.commands import PublishStandings
from shared.core.events import TextErased
from shared.core.state.outcomes import NOTATION
from shared.core.terms import GAMES, PAIRING, PENALTIES, STANDINGS, GameId, PlayerId, Ply, Refusal, RulingId, Source
from shared.desk.desk import DeskError, Receipt, Request
from shared.desk.requests import KeyReused, Stopped, command_id
from shared.log.port import LogFull, LogUnavailable
from shared.log.texts import Texts
from tests.simulation.house import Gone, House
from tests.simulation.opening import APPEALS, ARBITER, BOARD, CHIEF, ORGANISER, PLAYERS
from tests.simulation.scheduler import Process, Scheduler

_NOT_NOW = (DeskError, LogFull, LogUnavailable, Gone, psycopg.Error, sa.exc.DBAPIError)
TRIES = 12
_MOVES = ("g1f3", "g8f6", "b1c3", "b8c6", "e2e3", "e7e6", "f1e2", "f8e7", "d2d3", "d7d6")


@dataclass
class Sent:
    """A command that a client has sent, and all answers to it. ``outcome``: acknowledged, refused or unknown."""

    key: str
    source: Source
    tournament: str
    what: str
    texts: list[str]
    outcome: str = "unknown"
    answers: list[tuple[int, bytes]] = field(default_factory=list)
    at: float = 0.0
    """When it was acknowledged."""

    @property
    def id(self) -> str:
        return command_id(Request(key=self.key))

    def lines(self) -> list[Any]:
        """Return the events that its first answer contains."""
        return list(json.loads(self.answers[0][1])["events"]) if self.answers else []


class Client:
    """A program that sends one command after the other."""

    def __init__(self, house: House, scheduler: Scheduler, number: int, tournaments: Sequence[str]) -> None:
        self._house, self._scheduler, self._rng = house, scheduler, scheduler.rng
        self._number, self._tournaments = number, tournaments
        self.process: Process = house.process(f"client{number}")
        self.sent: list[Sent] = []
        self._rulings: list[tuple[str, str]] = []
        self._texts: list[tuple[str, str]] = []
        self._plies: dict[str, int] = {}

    def run(self, count: int) -> None:
        for number in range(count):
            self._send(f"{self._number}.{number}")
            self._scheduler.wait(self._rng.expovariate(30))

    def _send(self, key: str) -> None:
        t = self._rng.choice(self._tournaments)
        source = self._rng.choice(self._house.sources)
        texts = Texts(t)
        command = self._command(source, t, texts)
        sent = Sent(key, source, t, type(command).__name__, [text.hash for text in texts.all])
        request = Request(key=key, body="b", texts=tuple(texts.all))
        self.sent.append(sent)
        for _ in range(TRIES):
            if self._try(sent, command, request):
                break
            self._scheduler.wait(0.05 + self._rng.random() * 0.4)
        if sent.outcome == "acknowledged":
            self._remember(sent, command)
            if self._rng.random() < 0.3:
                self._scheduler.wait(self._rng.random())
                self._try(sent, command, request)

    def _try(self, sent: Sent, command: Any, request: Request) -> bool:
        """Send a command once. Return whether it was answered."""
        webs = [web for web in self._house.webs[sent.source] if not web.dead and web.desk is not None]
        if not webs:
            return False
        web, scheduler = self._rng.choice(webs), self._scheduler
        try:
            outcome = web.call(lambda desk: desk.submit(sent.source, sent.tournament, command, request))
        except (Stopped, KeyReused):
            raise
        except _NOT_NOW as problem:
            scheduler.note(f"{sent.key} {sent.what} to {web.name}: {type(problem).__name__}")
            return False
        if isinstance(outcome, Refusal):
            scheduler.note(f"{sent.key} {sent.what} to {web.name}: refused, {outcome.code}")
            if sent.answers:
                raise AssertionError(f"{sent.key} was acknowledged, and is refused when it is sent again")
            sent.outcome = "refused"
            return True
        assert isinstance(outcome, Receipt)
        scheduler.note(f"{sent.key} {sent.what} to {web.name}: {'repeated' if outcome.repeated else 'acknowledged'}")
        sent.answers.append((outcome.status, outcome.body))
        if sent.outcome != "acknowledged":
            sent.outcome, sent.at = "acknowledged", scheduler.now
        return True

    def _remember(self, sent: Sent, command: Any) -> None:
        self._rulings += [(sent.tournament, ruling) for ruling in _ruled(sent)]
        self._texts += [(sent.tournament, hash) for hash in sent.texts]
        if isinstance(command, PlayMoves):
            self._plies[command.game] = command.first_ply

    def _command(self, source: Source, t: str, texts: Texts) -> Any:
        rng = self._rng
        if source == GAMES:
            return self._of_games(t, texts)
        if source == PENALTIES:
            rulings = [ruling for of, ruling in self._rulings if of == t]
            if rulings and rng.random() < 0.3:
                return AnnulRuling(APPEALS, RulingId(rng.choice(rulings)), texts.ref("by accident"))
            player = PlayerId(rng.randint(1, PLAYERS))
            return MakeRuling(ARBITER, player, 1, "foul", note=texts.ref("touched a piece"))
        if source == PAIRING:
            known = [hash for of, hash in self._texts if of == t]
            if known and rng.random() < 0.4:
                return EraseText(ORGANISER, TextErased(rng.choice(known)))
            return EnterPlayers(CHIEF, (Entry(None, texts.required("Late Player")),))
        assert source == STANDINGS
        return PublishStandings(CHIEF, ("BH",), "2026", 1, False)

    def _of_games(self, t: str, texts: Texts) -> Any:
        rng, board = self._rng, self._number % 3 + 1
        if rng.random() < 0.5:
            game = GameId(f"{t}.1.{board}")
            ply = self._plies.get(game, -1) + 2
            moves = tuple(Move(_MOVES[n % len(_MOVES)]) for n in (ply - 1, ply))
            return PlayMoves(BOARD, game, Ply(ply), moves)
        result = Result(Seat(1, rng.randint(1, 3)), *NOTATION[rng.choice(("1-0", "0-1", "1/2-1/2"))])
        if rng.random() < 0.5:
            return Correct(ARBITER, (result,), texts.ref("misread"))
        return ReportResults(ARBITER, (result,))


def _ruled(sent: Sent) -> list[str]:
    consequent = json.loads(sent.answers[0][1]).get("rulings", ())
    return [*consequent, *(line["data"]["ruling"] for line in sent.lines() if "ruling" in line.get("data", {}))]
